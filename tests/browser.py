"""Chromium, driven from the standard library over WebDriver: a page is opened, typed into, looked at."""

from __future__ import annotations

import atexit
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

PACKAGES = ("chromium", "chromium-driver")  # Debian's names
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb", "--hide-scrollbars",
)  # fmt: skip
START = 60.0  # seconds that the driver may take to answer: a busy machine is no failure
INSTALL = 400.0  # seconds for apt-get, which is tried once and only as root
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's name for a reference to an element
KEYS = {
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Up": "\ue013",
    "Down": "\ue015",
    "Backspace": "\ue003",
    "Control": "\ue009",
    "Left": "\ue012",
    "Right": "\ue014",
    "Shift": "\ue008",
}


def missing() -> str:
    """Why no browser can be used here; "" when one can. Installs it where that is possible."""
    if not there() and os.geteuid() == 0 and shutil.which("apt-get"):
        _install()
    return "" if there() else "Chromium is not installed (apt-get install chromium chromium-driver)"


def there() -> bool:
    """Is there a browser, and what drives it?"""
    return bool(_chromium() and shutil.which("chromedriver"))


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _install() -> None:
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": INSTALL}
    try:
        subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES], check=False, **quiet)
    except (OSError, subprocess.TimeoutExpired):
        return


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser of its own with an empty profile; gone at the end. The driver finds a port itself: nobody can take it before."""
    said = profile.parent / "chromedriver.log"
    with said.open("wb") as log:
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=log, stderr=log)
    try:
        browser = Browser(f"http://127.0.0.1:{_port(said)}", profile)
        try:
            yield browser
        finally:
            browser.call("DELETE", "")
    finally:
        driver.terminate()
        driver.wait(60)


def _port(said: Path) -> int:
    due = time.monotonic() + START
    while time.monotonic() < due:
        if found := re.search(rb"started successfully on port (\d+)", said.read_bytes()):
            return int(found[1])
        time.sleep(0.02)
    raise RuntimeError(f"chromedriver does not start: {said.read_text('utf-8', 'replace')}")


_open = ExitStack()


@cache
def printer() -> Browser:
    """One browser for all that this process sets with it: to start one takes longer than to set a document."""
    folder = _open.enter_context(tempfile.TemporaryDirectory(prefix="printer-", ignore_cleanup_errors=True))
    return _open.enter_context(chromium(Path(folder) / "profile"))


@atexit.register
def close() -> None:
    """End it; a worker of the tests does so itself, as it may be ended without a word."""
    _open.close()
    printer.cache_clear()


class Browser:
    """One window."""

    def __init__(self, address: str, profile: Path) -> None:
        options = {
            "binary": _chromium(), "args": [*FLAGS, f"--user-data-dir={profile}", "about:blank"],
            "perfLoggingPrefs": {"enableNetwork": True},
        }  # fmt: skip
        wanted = {
            "alwaysMatch": {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
            }
        }
        self._address = address
        self._wait()
        self._address += "/session/" + self._ask("POST", "/session", {"capabilities": wanted})["sessionId"]

    def _wait(self) -> None:
        due = time.monotonic() + START
        while time.monotonic() < due:
            try:
                if self._ask("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method: str, path: str, given: dict[str, Any] | None = None) -> Any:
        return self._ask(method, path, given)

    def _ask(self, method: str, path: str, given: dict[str, Any] | None = None) -> Any:
        body = json.dumps(given or {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            self._address + path, body, {"Content-Type": "application/json"}, method=method
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the driver is on this machine
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    # ------------------------------------------------------------ what tests do

    def open(self, address: str | Path) -> None:
        self.call("POST", "/url", {"url": address.as_uri() if isinstance(address, Path) else address})

    def run(self, script: str, *given: Any) -> Any:
        """The value of a function body in the page; a promise is waited for."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(given)})

    def devtools(self, command: str, **given: Any) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": given})

    def find(self, selector: str) -> str:
        held: str = self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        return held

    def click(self, selector: str) -> None:
        self.call("POST", f"/element/{self.find(selector)}/click")

    def type(self, keys: str, selector: str = "#q") -> None:
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": keys})

    def press(self, *keys: str) -> None:
        """Keys to whatever has the focus; those before the last are held."""
        down = [{"type": "keyDown", "value": KEYS.get(key, key)} for key in keys]
        up = [{"type": "keyUp", "value": KEYS.get(key, key)} for key in reversed(keys)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [*down, *up]}]})

    def size(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                      mobile=phone)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, out: Path) -> None:
        out.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def pdf(self) -> bytes:
        return base64.b64decode(self.devtools("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def requests(self) -> list[str]:
        """Every address asked for since the last time."""
        lines = self.call("POST", "/se/log", {"type": "performance"})
        sent = (json.loads(line["message"])["message"] for line in lines)
        return [one["params"]["request"]["url"] for one in sent if one["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """What the console says."""
        return [line["message"] for line in self.call("POST", "/se/log", {"type": "browser"})]
