"""docs/desk.png: the desk at work on the sample book.

``.venv/bin/python -m docs.desk``; it works on a copy, so that nothing of the book changes.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from PIL import Image

from pipeline.desk.api import Api
from pipeline.desk.server import Server
from pipeline.desk.shelf import Shelf
from tests import browser

HOUSE = Path(__file__).parent.parent
SIZE = (1280, 800)  # CSS pixels
COLOURS = 200  # of the palette: enough for type, and half the bytes
CHOSEN = "R : Un canal coûte"
PATIENCE = 60.0  # seconds for the first reading


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "sources"
        shutil.copytree(HOUSE / "sources/brumes-d-argance", root / "brumes-d-argance")
        book = (root / "brumes-d-argance/book.toml").read_text("utf-8")
        (root / "brumes-d-argance/book.toml").write_text(book.replace('"HeronSymboles:E001" = "dé"\n', ""), "utf-8")
        shelf = Shelf(root, Path(folder) / "output")
        server = Server(Api(shelf, shelf.open(root / "brumes-d-argance")))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with browser.chromium(Path(folder) / "profile") as window:
            window.size(*SIZE)
            window.open(f"{server.address}#book=brumes-d-argance&view=read&source=argance-faq-1.2.pdf")
            until(window, "return document.querySelectorAll('#list > li > button b').length > 1")
            until(window, "return document.querySelector('.paper img')?.naturalWidth > 100")
            block = "[...document.querySelectorAll('.block')].find((b) => b.getAttribute('aria-label').includes(arguments[0]))"
            window.run(f"{block}.click()", CHOSEN)
            window.run("document.activeElement.blur()")
            time.sleep(1)
            window.picture(Path(folder) / "desk.png")
            shown = Image.open(Path(folder) / "desk.png").convert("RGB")
        server.shutdown()
    shown.quantize(COLOURS).save(HOUSE / "docs/desk.png", optimize=True)


def until(window: browser.Browser, script: str) -> None:
    due = time.monotonic() + PATIENCE
    while not window.run(script):
        if time.monotonic() > due:
            sys.exit(f"it did not come: {script}")
        time.sleep(0.1)


if __name__ == "__main__":
    main()
