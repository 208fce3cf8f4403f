"""The desk in a real browser: look, mend, undo, replay, make; and the door that lets nobody else in."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, chromium, missing

from pipeline import flow
from pipeline.config import load_overrides
from pipeline.desk import acts, forms, toml_edits
from pipeline.desk.api import Api
from pipeline.desk.server import Server
from pipeline.desk.shelf import Shelf
from pipeline.records import QA, Document
from tests import quay
from tests.pdfs import Paper

ROOT = Path(__file__).parent.parent
PATIENCE = 30.0  # seconds for anything in the page: a busy machine is no failure
SAID = """\
# What we settled at the harbour; keep this line.

# The printer dropped a word here.
[[correct]]
entry = "Can a bell be rung twice"
find = "silent"
put = "quite silent"  # ask Maud

# Not for the table.
[[hide]]
entry = "Are dogs part of a crew"
why = "no dogs this year"
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sources/ and a book in it, with a person's own overrides."""
    folder = tmp_path_factory.mktemp("harbour")
    book = folder / "sources/quay"
    book.mkdir(parents=True)
    quay.write(book / "quay-1.pdf")
    (book / "overrides.toml").write_text(SAID, encoding="utf-8")
    return folder


@contextmanager
def served(folder: Path, book: str = "quay") -> Iterator[Server]:
    shelf = Shelf(folder / "sources", folder / "output")
    api = Api(shelf, shelf.open(folder / "sources" / book) if book else None)
    server = Server(api)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        api.close()
        thread.join(5)


@pytest.fixture(scope="module")
def server(harbour: Path) -> Iterator[Server]:
    with served(harbour) as made:
        yield made


# ---------------------------------------------------------------- the door


def ask(
    server: Server, path: str = "", *, method: str = "GET", token: str | None = None, body: bytes | None = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:  # fmt: skip
    """A request as anybody can make it; headers by their names with _ for -."""
    asked = {name.replace("_", "-"): value for name, value in headers.items()}
    line = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    try:
        line.putrequest(method, f"/{server.token if token is None else token}/{path}", skip_host="Host" in asked)
        for name, value in asked.items():
            line.putheader(name, value)
        if body is not None and "Content-Length" not in asked:
            line.putheader("Content-Length", str(len(body)))
        line.endheaders()
        if body:
            line.send(body)
        answer = line.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())
    finally:
        line.close()


def own(server: Server) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{server.server_port}", "Content-Type": "application/json"}


def told(server: Server, path: str, **given: Any) -> Any:
    """What the page would be told after it asked."""
    status, answer, _ = ask(server, path, method="POST", body=json.dumps(given).encode(), **own(server))
    assert status == 200, answer.decode()
    return json.loads(answer)


def test_the_address_opens_the_desk_and_nothing_else_does(server: Server) -> None:
    assert ask(server)[0] == 200
    for wrong in ("", "x", server.token[:-1], server.token + "x", "%C3%A9"):
        assert ask(server, token=wrong)[0] == 403
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "[::1]:{port}", ""])
def test_another_name_for_this_machine_is_refused(server: Server, host: str) -> None:
    assert ask(server, "api/desk", Host=host.format(port=server.server_port))[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://localhost.evil:{port}"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_a_page_of_another_site_is_refused(server: Server, origin: str, method: str) -> None:
    path = {"GET": "api/desk", "POST": "api/undo", "PUT": "upload?book=quay&name=x.pdf"}[method]
    status, answer, _ = ask(server, path, method=method, body=b"{}", Origin=origin.format(port=server.server_port))
    assert (status, b"quay" in answer) == (403, False)


def test_what_changes_something_needs_our_own_page(server: Server, harbour: Path) -> None:
    before = (harbour / "sources/quay/overrides.toml").read_text("utf-8")
    body = json.dumps({"book": "quay"}).encode()
    assert ask(server, "api/undo", method="POST", body=body, Content_Type="application/json")[0] == 403
    simple = {**own(server), "Content-Type": "text/plain"}
    assert ask(server, "api/undo", method="POST", body=body, **simple)[0] == 415
    assert ask(server, "api/desk", Sec_Fetch_Site="cross-site")[0] == 403
    assert (harbour / "sources/quay/overrides.toml").read_text("utf-8") == before


OUTSIDE = [
    "static/../desk.html", "static/..%2f..%2fpyproject.toml", "static/%2e%2e/%2e%2e/README.md", "static//etc/passwd", "../../etc/passwd", "..%2f",
    "file?book=quay&file=../../sources/quay/overrides.toml", "file?book=quay&file=/etc/passwd", "file?book=..&file=x", "file?book=quay&file=..%5c..%5cx",
    "page?book=quay&source=../../secret.pdf&page=1", "page?book=quay&source=/etc/passwd&page=1", "api/source?book=../quay&source=quay-1.pdf",
    "api/event?book=quay&event=../../secret.toml", "file?book=quay&file=%00", "made?book=quay&file=../sources/quay/quay-1.pdf&page=1",
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_book(server: Server, harbour: Path, path: str) -> None:
    (harbour / "secret.toml").write_text('name = "top secret"', encoding="utf-8")
    quay.write(harbour / "secret.pdf")
    status, answer, _ = ask(server, path)
    assert status in (404, 422)
    assert b"top secret" not in answer and b"root:" not in answer and b"harbour;" not in answer


def test_a_link_out_of_the_output_is_not_followed(server: Server, harbour: Path) -> None:
    (harbour / "output/quay").mkdir(parents=True)
    (harbour / "output/quay/x.pdf").symlink_to("/etc/passwd")
    assert ask(server, "file?book=quay&file=x.pdf")[0] == 422


def test_every_answer_has_a_strict_policy(server: Server) -> None:
    for path in ("", "static/desk.js", "static/desk.css", "api/desk", "nothing"):
        _, _, headers = ask(server, path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"


def test_what_is_too_large_or_no_pdf_is_not_taken(server: Server, harbour: Path) -> None:
    put = {"Origin": own(server)["Origin"]}
    status, answer, _ = ask(server, "upload?book=quay&name=x.pdf", method="PUT", body=b"", Content_Length=str(200 << 20), **put)
    assert (status, b"larger" in answer) == (413, True)
    status, answer, _ = ask(server, "upload?book=quay&name=x.pdf", method="PUT", body=b"no pdf at all", **put)
    assert (status, b"is not a PDF" in answer) == (422, True)
    broken = b"%PDF-1.7\nnothing of the kind"
    status, answer, _ = ask(server, "upload?book=quay&name=../../x.pdf", method="PUT", body=broken, **put)
    assert status == 422
    assert [path.name for path in (harbour / "sources/quay").glob("*.pdf")] == ["quay-1.pdf"]
    assert ask(server, "api/undo", method="POST", body=b"[1]", **own(server))[0] == 400
    assert ask(server, "api/undo", method="POST", body=b"{", **own(server))[0] == 400


# ---------------------------------------------------------------- toml_edits


def test_a_persons_comments_and_order_stay(tmp_path: Path) -> None:
    path = tmp_path / "overrides.toml"
    path.write_text(SAID, encoding="utf-8")
    toml_edits.append(tmp_path, ("correct", {"entry": 'A "quoted" name', "kind": "qa"}))
    toml_edits.append(tmp_path, ("heading", {"text": "Ropes", "level": 2, "after": None}))
    assert path.read_text("utf-8").startswith(SAID)
    assert len(load_overrides(tmp_path).correct) == 2
    assert toml_edits.remove(tmp_path, "correct", {"entry": 'A "quoted" name', "kind": "qa"})
    assert toml_edits.remove(tmp_path, "heading", {"text": "Ropes", "level": 2})
    assert path.read_text("utf-8") == SAID
    assert not toml_edits.remove(tmp_path, "heading", {"text": "Ropes", "level": 2})


def test_a_removed_override_takes_no_neighbours_comment_along(tmp_path: Path) -> None:
    (tmp_path / "overrides.toml").write_text(SAID, encoding="utf-8")
    said = tomllib.loads(SAID)
    assert toml_edits.remove(tmp_path, "correct", said["correct"][0])
    left = (tmp_path / "overrides.toml").read_text("utf-8")
    assert "# Not for the table.\n[[hide]]" in left and "keep this line" in left and "[[correct]]" not in left


def test_what_would_be_wrong_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "overrides.toml").write_text(SAID, encoding="utf-8")
    for table, values in (("heading", {"text": "Ropes", "level": 99}), ("heading", {"text": " "}), ("nothing", {"a": 1})):
        with pytest.raises(Exception, match=r"overrides\.toml"):
            toml_edits.append(tmp_path, (table, values))
    assert (tmp_path / "overrides.toml").read_text("utf-8") == SAID


def test_two_desks_on_one_book_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "overrides.toml").write_text(SAID, encoding="utf-8")
    code = "import sys; from pathlib import Path; from pipeline.desk import toml_edits\n" \
           "for n in range(12): toml_edits.append(Path(sys.argv[1]), ('heading', {'text': f'{sys.argv[2]} number {n}', 'level': 1}))"  # fmt: skip
    runs = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), who], cwd=ROOT) for who in ("one", "two")]
    assert [run.wait(60) for run in runs] == [0, 0]
    texts = [each.text for each in load_overrides(tmp_path).heading]
    assert sorted(texts) == sorted(f"{who} number {n}" for who in ("one", "two") for n in range(12))
    assert (tmp_path / "overrides.toml").read_text("utf-8").startswith(SAID)


CHANGED = [
    ("Four steps, and one step less", "Four steps, and two steps less", ("steps, and one step less", "steps, and two steps less")),
    ("a b a b a c", "a b a b a d", ("b a c", "b a d")),
    ("one", "two", ("one", "two")),
]


@pytest.mark.parametrize(("before", "after", "pair"), CHANGED)
def test_only_the_words_that_change_are_written(before: str, after: str, pair: tuple[str, str]) -> None:
    assert acts.changed_words(before, after) == pair
    assert before.replace(pair[0], pair[1], 1) == after


def test_every_key_of_an_event_has_help_and_comes_back(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sources/brumes-d-argance", tmp_path / "book")
    path = tmp_path / "book/event.toml"
    before = path.read_text("utf-8")
    values = forms.values(path)
    assert {field["name"] for field in forms.schema()} >= values.keys()
    forms.save(path, values)
    assert path.read_text("utf-8") == before
    forms.save(path, {**values, "place": "Quai 3", "contact": "", "judges": ["Odile"]})
    again = path.read_text("utf-8")
    assert forms.values(path) == {**{name: held for name, held in values.items() if name != "contact"}, "place": "Quai 3", "judges": ["Odile"]}
    assert again.startswith("# A tournament:") and 'title = "Horaires du samedi"' in again
    with pytest.raises(Exception, match="form"):
        forms.save(path, {**values, "handouts": [{"form": "scroll"}]})
    assert path.read_text("utf-8") == again


# ---------------------------------------------------------------- in the browser


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if why := missing():
        pytest.skip(why)
    with chromium(tmp_path_factory.mktemp("chromium") / "profile") as browser:
        browser.size(1280, 800)
        yield browser


class Page:
    """The desk in the window, and what a person does there."""

    def __init__(self, window: Browser, server: Server, view: str = "read") -> None:
        self.window, self.server = window, server
        window.open("about:blank")
        window.complaints()
        window.requests()
        window.open(f"{server.address}#book=quay&view={view}")
        self.until("return document.querySelector('main').children.length > 0")

    def until(self, script: str, *given: Any) -> Any:
        due = time.monotonic() + PATIENCE
        while time.monotonic() < due:
            if held := self.window.run(script, *given):
                return held
            time.sleep(0.03)
        status = self.window.run("return document.querySelector('#status').textContent")
        raise AssertionError(f"it did not come: {script} – the desk says: {status}")

    def click(self, element: str, *given: Any) -> None:
        """Click an element once it is there: one script looks and clicks, as the page may be drawn anew in between."""
        self.until(f"const element = {element}; element?.click(); return Boolean(element)", *given)

    def text(self, selector: str) -> str:
        return str(self.window.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def status(self, words: str) -> None:
        self.until("return document.querySelector('#status').textContent.includes(arguments[0])", words)

    def block(self, words: str) -> None:
        """Click the block on the page that begins so."""
        found = "[...document.querySelectorAll('.block')].find((b) => b.getAttribute('aria-label').includes(': ' + arguments[0]))"
        self.click(found, words)
        self.until("return document.querySelector('.printed .own')?.textContent.includes(arguments[0])", words)

    def word(self, word: str) -> None:
        """Click a word of the text as it is printed."""
        self.click("[...document.querySelectorAll('.printed .own .w')].find((w) => w.textContent === arguments[0])", word)
        self.until("return document.querySelector('.printed .w.at')?.textContent === arguments[0]", word)

    def press(self, label: str, within: str = "#detail") -> None:
        """Click the button that is called so."""
        found = f"[...document.querySelectorAll('{within} button')].find((b) => b.textContent.trim().startsWith(arguments[0]))"
        self.click(found, label)

    def finding(self, code: str, words: str = "") -> None:
        """Click the finding of this sort in the list."""
        found = "[...document.querySelectorAll('#list > li > button')].find((b) => b.innerText.includes(arguments[1])" \
                " && b.querySelector('b')?.textContent.startsWith(arguments[0]))"  # fmt: skip
        self.click(found, code, words)

    def things(self) -> list[dict[str, Any]]:
        """The list of all that was read, as it is shown."""
        self.press("All", "#list-bar")
        script = "return [...document.querySelectorAll('#list li')].map((l) => ({kind: l.querySelector('.kind .aside')?.textContent," \
                 "text: l.querySelector('.what')?.innerText, path: l.querySelector('small')?.textContent ?? ''}))"  # fmt: skip
        return list(self.window.run(script))

    def path_of(self, words: str) -> str:
        return str(next(each["path"] for each in self.things() if words in each["text"]))

    def kinds(self, words: str) -> list[str]:
        return [each["kind"] for each in self.things() if words in each["text"]]


@pytest.fixture
def page(window: Browser, server: Server) -> Iterator[Page]:
    made = Page(window, server)
    made.until("return document.querySelectorAll('.block').length > 20")
    yield made
    assert window.complaints() == []
    assert [address for address in window.requests() if not address.startswith(("http://127.0.0.1:", "about:", "data:"))] == []


def said(harbour: Path) -> dict[str, Any]:
    return tomllib.loads((harbour / "sources/quay/overrides.toml").read_text("utf-8"))


@pytest.mark.browser
def test_blocks_and_entries_show_each_other(page: Page) -> None:
    page.block("Ropes and ladders")
    assert "Is a quay wall a wall" in page.text("#detail")
    page.things()
    page.click("[...document.querySelectorAll('#list button')].find((b) => b.innerText.includes('thick fog'))")
    page.until("return document.querySelector('.block[aria-current]')?.getAttribute('aria-label').includes('thick fog')")
    assert page.window.run("return document.querySelectorAll('.block.beside').length") == 3
    page.until("return document.querySelector('.paper img').naturalWidth > 600")


# What is clicked, what the file says then, and what can be seen.
def _kind(page: Page) -> bool:
    page.block("Q: Is a quay wall a wall?")
    page.press("Definition")
    page.status("Now a definition")
    return page.kinds("Is a quay wall") == ["definition"]


def _split(page: Page) -> bool:
    page.block("A: Yes, but only one rung")
    page.word("Can")
    page.press("New entry at")
    page.status("A new entry begins")
    return page.kinds("Can a porter swim") == ["qa"]


def _join(page: Page) -> bool:
    page.press("›", "#page-bar")
    page.block("A price is paid")
    page.press("Join with above")
    page.status("Joined")
    return page.kinds("A price is paid") == []


def _heading(page: Page) -> bool:
    page.block("Ropes and ladders")
    page.press("2")
    page.status("Heading of level 2")
    return page.path_of("May a rope be cut") == "Moving about › Ropes and ladders"


def _no_heading(page: Page) -> bool:
    page.block("Fog and light")
    page.press("none")
    page.status("No heading")
    return page.path_of("thick fog") == "Moving about"


def _furniture(page: Page) -> bool:
    page.block("Proof copy of the harbour")
    page.press("Furniture")
    page.status("Furniture")
    return page.kinds("Proof copy") == ["furniture", "furniture"]


def _text(page: Page) -> bool:
    page.block("Lamplight Quay – page 1")
    page.press("It is text")
    page.status("Text, no furniture")
    return page.kinds("Quay – page 1") != ["furniture"]


def _order(page: Page) -> bool:
    page.block("Q: May two crews share a boat?")
    page.press("Move")
    page.status("Now choose the block")
    page.block("Q: How far does a lantern")
    page.press("… before this")
    page.status("Moved")
    texts = [each["text"] for each in page.things()]
    at = next(at for at, text in enumerate(texts) if "two crews" in text)
    return "thick fog" in texts[at + 1]


def _table(page: Page) -> bool:
    page.press("›", "#page-bar")
    page.block("Ware Price Weight")
    page.window.run("document.querySelector('[aria-label^=\"Join column 3\"]').click()")
    page.status("Two columns are one")
    return bool(page.window.run("return document.querySelectorAll('.grid tbody tr')[1].querySelectorAll('input')[1].value") == "2 1")


def _words(page: Page) -> bool:
    page.block("Q: How far does a lantern")
    page.window.run("document.querySelector('#words-form').open = true;"
                    "const a = [...document.querySelectorAll('#words-form [data-field=answer]')][0]; a.value = a.value.replace('Four', 'Five');"
                    "document.querySelector('#words-form button').click()")  # fmt: skip
    page.status("The words are put right")
    return "Five steps" in str(page.window.run("return document.querySelector('#words-form [data-field=answer]').value"))


def _place(page: Page) -> bool:
    page.block("Q: Does rain put out")
    page.window.run("document.querySelector('#section').value = 'Weather › Rain'; document.querySelector('#subject').value = 'Torch';"
                    "document.querySelector('#place-form button').click()")  # fmt: skip
    page.status("It has another place")
    return page.path_of("Does rain put out") == "Weather › Rain"


def _convention(page: Page) -> bool:
    page.block("Fog and light")
    page.window.run("document.querySelector('#alike').click()")
    page.press("none")
    page.status("all that look like it")
    return page.path_of("thick fog") == ""


MENDS = {
    "kind": (_kind, {"correct": {"entry": "Is a quay", "kind": "definition"}}),
    "split": (_split, {"split": {"before": "Can a porter"}}),
    "join": (_join, {"join": {"above": "Ware Price Weight", "below": "A price is"}}),
    "heading": (_heading, {"heading": {"text": "Ropes and ladders", "level": 2}}),
    "no heading": (_no_heading, {"heading": {"text": "Fog and light", "level": 0}}),
    "furniture": (_furniture, {"furniture": {"text": "Proof copy of the harbour league"}}),
    "text": (_text, {"furniture": {"text": "Lamplight Quay – page 1", "keep": True}}),
    "order": (_order, {"order": {"text": "Q: May two", "until": "A: No. Each", "before": "Q: How far"}}),
    "table": (_table, {"table": {"text": "Ware Price Weight", "join_columns": [3]}}),
    "words": (_words, {"correct": {"entry": "How far does", "find": "Four steps, and", "put": "Five steps, and"}}),
    "place": (_place, {"correct": {"entry": "Does rain put", "section": ["Weather", "Rain"], "subject": "Torch"}}),
    "convention": (_convention, {"convention": {"like": "Fog and light", "heading": 0}}),
}


@pytest.mark.browser
@pytest.mark.parametrize("sort", MENDS)
def test_each_sort_is_mended_with_a_click_written_down_and_undone(page: Page, harbour: Path, sort: str) -> None:
    path = harbour / "sources/quay/overrides.toml"
    mend, wanted = MENDS[sort]
    before = page.things()
    assert mend(page), page.things()
    written = path.read_text("utf-8")
    assert written.startswith(SAID)
    assert {table: tomllib.loads(written)[table][-1] for table in wanted} == wanted
    page.window.click("#undo")
    page.status("Taken back")
    assert path.read_text("utf-8") == SAID
    page.until("return document.querySelector('#undo').disabled")
    assert page.things() == before
    page.window.click("#redo")
    page.status("Done again")
    assert path.read_text("utf-8") == written
    page.window.click("#undo")
    page.status("Taken back")
    assert path.read_text("utf-8") == SAID


@pytest.mark.browser
def test_a_mend_is_there_within_half_a_second(page: Page) -> None:
    page.block("Ropes and ladders")
    page.press("2")
    page.status("Heading of level 2")
    page.window.click("#undo")
    page.status("Taken back")
    page.block("Ropes and ladders")
    page.press("3")
    page.status("Heading of level 3")
    shown = re.search(r"\((\d+) ms\)", page.text("#status"))
    assert shown
    page.window.click("#undo")
    page.status("Taken back")


@pytest.mark.browser
def test_everything_goes_with_the_keyboard_alone(page: Page, harbour: Path) -> None:
    page.things()
    page.window.run("document.activeElement.blur()")
    keys = page.window.press
    for _ in range(2):
        keys("j")
    for _ in range(20):
        if "Is a quay wall" in page.text("#detail"):
            break
        keys("j")
    assert "Is a quay wall" in page.text("#detail")
    for _ in range(2):
        keys("]")
    page.until("return document.querySelector('.printed .own')?.textContent.includes('Ropes and ladders')")
    keys("Shift", "2")
    page.status("Heading of level 2")
    keys("u")
    page.status("Taken back")
    keys("Right")
    page.status("at “and”")
    keys("Left")
    keys("s")
    page.status("A new entry begins here")
    assert said(harbour)["split"] == [{"before": "Ropes and ladders"}]
    keys("u")
    page.status("Taken back")
    keys("?")
    page.until("return document.querySelector('#help').open")
    keys("Escape")
    assert (harbour / "sources/quay/overrides.toml").read_text("utf-8") == SAID


UNNAMED = """
const bad = [];
const name = (e) => (e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent || e.title || '').trim();
for (const e of document.querySelectorAll('button, select, input, textarea, iframe, img')) {
  if (e.offsetParent === null) continue;
  if (e.tagName === 'IMG' ? !e.hasAttribute('alt') : e.tagName === 'IFRAME' ? !e.title : !name(e)) bad.push(e.outerHTML.slice(0, 120));
}
return bad;
"""


@pytest.mark.browser
@pytest.mark.parametrize("view", ["read", "print", "compare", "events", "books"])
def test_everything_has_a_name_for_who_does_not_see_it(page: Page, view: str) -> None:
    page.window.click(f"[data-view={view}]")
    page.until("return document.querySelector('main').className === arguments[0]", view)
    if view == "read":
        page.block("Q: Does rain put out")
        page.window.run("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert page.window.run(UNNAMED) == []
    assert page.window.run("return document.querySelectorAll('main, header, nav, [role=status]').length") >= 4


@pytest.mark.browser
def test_what_another_desk_writes_is_seen(page: Page, harbour: Path) -> None:
    page.block("Ropes and ladders")
    [made] = toml_edits.append(harbour / "sources/quay", ("heading", {"text": "Ropes and ladders", "level": 2}))
    page.status("changed elsewhere")
    assert page.path_of("May a rope be cut") == "Moving about › Ropes and ladders"
    toml_edits.remove(harbour / "sources/quay", made.table, made.values)
    page.until("return ![...document.querySelectorAll('#list small')].some((s) => s.textContent.includes('Ropes'))")


@pytest.mark.browser
def test_several_blocks_are_joined_or_put_aside_at_once(page: Page, harbour: Path) -> None:
    page.block("Q: May a rope be cut")
    click = "[...document.querySelectorAll('.block')].find((b) => b.getAttribute('aria-label').includes(arguments[0]))" \
            ".dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }))"  # fmt: skip
    page.window.run(click, "A: Two, if the ladder")
    page.status("4 blocks are chosen")
    page.press("Join these 4")
    page.status("Joined")
    assert page.kinds("How many may climb") == []
    assert len(said(harbour)["join"]) == 1
    page.window.click("#undo")
    page.status("Taken back")
    assert page.kinds("How many may climb") == ["qa"]
    assert (harbour / "sources/quay/overrides.toml").read_text("utf-8") == SAID


@pytest.mark.browser
def test_an_override_taken_out_comes_back_with_undo_and_a_title_can_be_said(page: Page, harbour: Path) -> None:
    page.press("Overrides", "#list-bar")
    page.press("Take out", "#list")
    page.status("Taken out of overrides.toml")
    assert "correct" not in said(harbour)
    page.window.click("#undo")
    page.status("Taken back")
    assert said(harbour)["correct"] == tomllib.loads(SAID)["correct"]
    (harbour / "sources/quay/overrides.toml").write_text(SAID, encoding="utf-8")
    page.window.run("document.querySelector('#about-form').open = true; document.querySelector('#about-version').value = '7.1';"
                    "document.querySelector('#about-version').form.requestSubmit()")  # fmt: skip
    page.status("version is “7.1”")
    book = harbour / "sources/quay/book.toml"
    assert tomllib.loads(book.read_text("utf-8"))["documents"]["quay-1.pdf"] == {"version": "7.1"}
    page.window.click("#undo")
    page.status("Taken back")
    assert "7.1" not in book.read_text("utf-8")


@pytest.mark.browser
def test_who_works_with_the_keyboard_stays_where_they_were(page: Page) -> None:
    page.block("Ropes and ladders")
    page.window.run("[...document.querySelectorAll('#detail button')].find((b) => b.title === 'Shift 2').focus()")
    page.window.press("Enter")
    page.status("Heading of level 2")
    assert page.window.run("return document.activeElement.title") == "Shift 2"
    page.window.click("#undo")
    page.status("Taken back")


@pytest.mark.browser
def test_text_of_a_source_is_text_in_the_page(window: Browser, tmp_path: Path) -> None:
    book = tmp_path / "sources/quay"
    book.mkdir(parents=True)
    paper = Paper()
    paper.text(60, 80, "<img src=x onerror=document.title='hacked'>", size=16, bold=True)
    paper.text(60, 110, "Q: May <script>document.title='hacked'</script> be read?")
    paper.text(60, 125, "A: Yes, as {{ 7 * 7 }} and </textarea><b>text</b>, javascript:alert(1).")
    paper.save(book / "<b>bold name.pdf")
    with served(tmp_path) as server:
        page = Page(window, server)
        page.until("return document.querySelectorAll('.block').length > 1")
        page.block("Q: May <script>")
        window.run("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert "{{ 7 * 7 }}" in page.text(".printed") and "<b>bold name.pdf" in page.text("#source")
        assert "hacked" not in window.run("return document.title")
        assert window.run("return document.querySelectorAll('main script, main b:not(#list b), main img:not(.paper img)').length") == 0
        assert window.complaints() == []


# ---------------------------------------------------------------- the next release, and what is looked at first


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[Path, Server]]:
    """A desk of its own on a book that the test changes."""
    book = tmp_path / "sources/quay"
    book.mkdir(parents=True)
    quay.write(book / "quay-1.pdf")
    with served(tmp_path) as made:
        yield tmp_path, made


@pytest.mark.browser
def test_a_mend_is_replayed_on_the_next_release_and_what_fits_no_longer_comes_first(
    window: Browser, alone: tuple[Path, Server]
) -> None:
    folder, server = alone
    book = folder / "sources/quay"
    toml_edits.append(book, ("heading", {"text": "Ropes and ladders", "level": 2}))
    toml_edits.append(book, ("split", {"before": "Can a porter"}))
    page = Page(window, server, "books")
    quay.write(folder / "next.pdf", release=2)
    window.call("POST", f"/element/{window.find('.drop input')}/value", {"text": str(folder / "next.pdf")})
    page.status("next.pdf: read")
    page.until("return document.querySelectorAll('.block').length > 20")
    window.run("const s = document.querySelector('#source'); s.value = 'next.pdf'; s.dispatchEvent(new Event('change'))")
    page.until("return document.querySelector('.paper img')?.src.includes('next.pdf')")
    assert page.path_of("May a rope be cut") == "Moving about › Ropes and ladders"
    assert page.kinds("Can a porter swim") == ["qa"]
    read = {path.name: document for path, document in flow.documents([book / "quay-1.pdf", book / "next.pdf"])}
    assert all(isinstance(each, Document) and any("porter swim" in q.question for q in each.entries if isinstance(q, QA))
               for each in read.values())  # fmt: skip

    toml_edits.append(book, ("heading", {"text": "Ropes and leaders", "level": 1}))
    page.until("return document.querySelector('#list-bar')?.innerText.includes('Overrides 3')")
    page.press("To look at", "#list-bar")
    page.until("return document.querySelector('#list li .what')?.innerText.startsWith('no longer fits')")
    page.click("document.querySelector('#list li > button')")
    assert "Ropes and leaders" in page.text(".look") and "Ropes and ladders" in page.text(".look")
    page.press("It means the new one", ".look")
    page.status("meant for the new text")
    assert [each["text"] for each in tomllib.loads((book / "overrides.toml").read_text("utf-8"))["heading"]] == ["Ropes and ladders"] * 2


@pytest.mark.browser
def test_the_desk_remembers_how_far_a_review_is(window: Browser, alone: tuple[Path, Server]) -> None:
    folder, server = alone
    book = folder / "sources/quay"
    for number in range(3):
        toml_edits.append(book, ("heading", {"text": f"Nowhere number {number}", "level": 1}))
    page = Page(window, server)
    page.until("return document.querySelector('#list-bar')?.innerText.includes('0 / 3')")
    page.press("Looked at", "#list-bar")
    page.status("2 left to look at")
    with served(folder) as other:
        again = Page(window, other)
        again.until("return document.querySelector('#list-bar')?.innerText.includes('1 / 3')")
        for left in ("1 left", "Reviewed"):
            again.press("Looked at", "#list-bar")
            again.status(left)
        assert "reviewed" in again.text("#list-bar")


@pytest.fixture
def argance(tmp_path: Path) -> Iterator[tuple[Path, Server]]:
    """The sample without the names of its icons, and without what was said of it."""
    book = tmp_path / "sources/argance"
    shutil.copytree(ROOT / "sources/brumes-d-argance", book)
    text = (book / "book.toml").read_text("utf-8")
    (book / "book.toml").write_text(text[: text.index("# The publisher's symbol font")], encoding="utf-8")
    (book / "overrides.toml").unlink()
    with served(tmp_path, "argance") as made:
        yield tmp_path, made


@pytest.mark.browser
def test_icons_get_names_and_two_rulings_become_one_or_never(window: Browser, argance: tuple[Path, Server]) -> None:
    folder, server = argance
    book = folder / "sources/argance"
    window.open(f"{server.address}#book=argance&view=read&source=argance-faq-1.2.pdf")
    page = Page.__new__(Page)
    page.window, page.server = window, server
    page.finding("icon", "E001")
    window.type("dé", "#icon-name")
    page.press("Name it", ".look")
    page.status("The icon is called dé")
    assert tomllib.loads((book / "book.toml").read_text("utf-8"))["icons"] == {"HeronSymboles:E001": "dé"}
    assert "# " in (book / "book.toml").read_text("utf-8")
    window.click("#undo")
    page.status("Taken back")
    assert not tomllib.loads((book / "book.toml").read_text("utf-8")).get("icons")

    for label, table in (("These are one ruling", "merge"), ("These never are", "keep_apart")):
        page.finding("nearly")
        page.press(label, ".look")
        page.status("These two")
        names = tomllib.loads((book / "overrides.toml").read_text("utf-8"))[table][0]["entries"]
        assert len(set(names)) == 2 and all(" " in name for name in names)
        window.click("#undo")
        page.status("Taken back")
    assert (book / "overrides.toml").read_text("utf-8") == ""


# ---------------------------------------------------------------- making


@pytest.mark.browser
def test_a_book_is_begun_printed_compared_and_taken_to_an_event(window: Browser, tmp_path: Path) -> None:
    old, new = quay.write(tmp_path / "quay-1.pdf"), quay.write(tmp_path / "quay-2.pdf", release=2)
    (tmp_path / "sources").mkdir()
    with served(tmp_path, "") as server:
        window.open("about:blank")
        window.open(server.address)
        page = Page.__new__(Page)
        page.window, page.server = window, server
        page.until("return Boolean(document.querySelector('#title'))")
        window.type("Quay night", "#title")
        page.press("Begin", "main")
        page.status("quay-night is begun")
        window.call("POST", f"/element/{window.find('.drop input')}/value", {"text": f"{old}\n{new}"})
        page.status("quay-1.pdf, quay-2.pdf: read")
        page.until("return document.querySelectorAll('.block').length > 20")

        window.click("[data-view=print]")
        page.until("return Boolean(document.querySelector('#build'))")
        window.run("document.querySelectorAll('[name=product]').forEach((box) => { box.checked = box.value === 'booklet' })")
        window.run("document.querySelector('#theme').value = 'black'")
        page.click("document.querySelector('#build')")
        page.status("Printed: booklet.pdf")
        page.until("return document.querySelector('.pages img')?.naturalWidth > 300")
        link = window.run("return [...document.querySelectorAll('#files a')].find((a) => a.download === 'booklet.pdf').href")
        status, content, headers = ask(server, link.split(server.token + "/")[1])
        assert (status, content[:5], headers["Content-Disposition"]) == (200, b"%PDF-", 'attachment; filename="booklet.pdf"')

        window.click("[data-view=compare]")
        page.until("return Boolean(document.querySelector('#compare-now'))")
        page.click("document.querySelector('#compare-now')")
        page.until("return document.querySelector('#told')?.textContent.includes('changed')")
        assert window.run("return document.querySelector('iframe').getAttribute('sandbox')") == "allow-scripts"
        shown = ask(server, window.run("return document.querySelector('iframe').src").split(server.token + "/")[1])
        assert "Three" in shown[1].decode() and shown[2]["Content-Security-Policy"].startswith("sandbox")

        window.click("[data-view=events]")
        page.until("return Boolean(document.querySelector('#event-name'))")
        window.type("Lamp Cup", "#event-name")
        page.click("document.querySelector('#new-event')")
        page.until("return Boolean(document.querySelector('#make-handout'))")
        window.run("const set = (name, value) => { document.querySelector(`[data-key=${name}]`).value = value };"
                   "set('place', 'Town hall'); set('judges', 'Maud\\nTib'); set('pages', '1');")  # fmt: skip
        page.click("document.querySelector('#make-handout')")
        page.until("return document.querySelector('.budget')?.textContent.includes('of 1')")
        event = tomllib.loads((tmp_path / "sources/quay-night/event.toml").read_text("utf-8"))
        assert (event["place"], event["judges"], event["handouts"][0]["pages"]) == ("Town hall", ["Maud", "Tib"], 1)
        before = int(re.search(r"\((\d+)\)", page.text("#on-it h3"))[1])  # type: ignore[index]
        window.run("document.querySelector('#on-it li button').click()")
        page.until("return document.querySelector('#on-it h3')?.textContent.includes(`(${arguments[0]})`)", before - 1)
        event = tomllib.loads((tmp_path / "sources/quay-night/event.toml").read_text("utf-8"))
        assert len(event["leave_out"]["words"]) == 1
        page.until("return document.querySelector('.paper-view img')?.naturalWidth > 300")


# ---------------------------------------------------------------- the command


def test_the_command_prints_its_address_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    path = quay.write(tmp_path / "one file.pdf")
    run = subprocess.Popen([sys.executable, "-m", "pipeline.cli", "desk", str(path), "--no-browser"], cwd=tmp_path,
                           env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert run.stdout is not None
    address = run.stdout.readline().strip()
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]{30,})/", address)
    assert found
    line = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE)
    line.request("GET", f"/{found[2]}/api/source?book={tmp_path.name}&source=one%20file.pdf")
    assert len(json.load(line.getresponse())["things"]) > 15
    run.send_signal(signal.SIGINT)
    assert run.wait(30) == 130
