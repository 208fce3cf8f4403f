"""How fast the web book is in a real browser: 3,000 rulings made up on the spot.

python bench/web_search.py            figures as JSON
measure(rulings=3000)                 the same from Python, for the benchmark run
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import Browser, chromium, missing  # noqa: E402

from bench.measure import Row  # noqa: E402
from pipeline.records import QA, Book, Citation, Document, Ruling, Since  # noqa: E402
from pipeline.render import web  # noqa: E402
from pipeline.text import rich  # noqa: E402

CONSONANTS = ("b", "br", "ch", "d", "f", "gl", "l", "m", "n", "p", "r", "s", "t", "tr", "v")
SYLLABLES = [consonant + vowel for consonant in CONSONANTS for vowel in "aeéiouœ"]
ENDINGS = ("ne", "re", "tion", "ment", "de", "le", "rer", "ge", "eur", "eau", "ant", "se", "ble", "que", "on")
WORDS = 14_000  # different words: about what 3,000 rulings of one game have
BUDGET = {"bytes": 3_000_000, "usable_ms": 1000, "keystroke_ms": 34}  # a second; two frames
ROUNDS = 3  # each keystroke is measured so often, the best counts: what else runs here is not its fault
QUERIES = ("{0}", "{1} {2}", '"{3} {4}"', "{5}x", "{0} {6}")

TIMER = """
const [query] = arguments;
const field = document.querySelector("#q");
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
return (async () => {
  const took = [];
  for (let end = 1; end <= query.length; end++) {
    field.value = query.slice(0, end);
    const from = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.offsetHeight; // layout counts
    took.push(performance.now() - from);
    await frame();
  }
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return [took, document.querySelector("#count").textContent];
})();
"""


def made_book(rulings: int, seed: int = 7) -> Book:
    """A book of invented words, as long and as varied as real ones: about 420 letters a ruling."""
    chance = random.Random(seed)
    lexicon = list(dict.fromkeys(_word(chance) for _ in range(WORDS)))
    weights = [1 / (place + 10) for place in range(len(lexicon))]

    def text(least: int, most: int) -> str:
        return " ".join(chance.choices(lexicon, weights, k=chance.randint(least, most))).capitalize()

    def ruling(number: int) -> Ruling:
        chapter, page = number // 150 + 1, number // 12 + 1
        entry = QA(
            id=f"q{number}", section=(f"Section {chapter}",), language="fr", page=page, source="faq.pdf",
            subject=rich(text(1, 3)), question=rich(text(10, 26) + " ?"),
            answer=(rich(chance.choice(["Oui. ", "Non. ", ""]) + text(15, 55) + "."),),
        )  # fmt: skip
        since = Since.CHANGED if number % 20 == 0 else None
        cited = (Citation(source="faq.pdf", page=page),)
        return Ruling(entry=entry, code=f"S{chapter}-{number % 150 + 1}", citations=cited, since=since)

    document = Document(source="faq.pdf", sha256="0" * 64, pages=rulings // 12 + 1, title="FAQ", date="2024-06")
    made = tuple(ruling(number) for number in range(rulings))
    return Book(name="bench", title="Trois mille décisions", language="fr", documents=(document,), rulings=made)


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) + chance.choice(ENDINGS)


def measure(rulings: int = 3000) -> dict[str, Any]:
    """Size, time to a usable page, time of each keystroke; {"skipped": why} where there is no browser."""
    if reason := missing():
        return {"skipped": reason}
    book = made_book(rulings)
    began = time.perf_counter()
    html = web.html(book)
    built = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "web.html"
        file.write_text(html, "utf-8")
        with chromium(Path(folder) / "profile") as browser:
            figures = _in_browser(browser, file, _queries(book))
    return {"rulings": rulings, "bytes": len(html.encode()), "build_s": round(built, 2), **figures}


def rows(rulings: int = 3000) -> list[Row]:
    """The figures as a table; the ratio is to what we allow ourselves."""
    found = measure(rulings)
    if "skipped" in found:
        return [Row(name="not measured", seconds=0.0, note=found["skipped"])]
    note = f"{found['bytes'] / 1e6:.2f} MB of HTML"
    made = [Row(name="making the page", seconds=found["build_s"], note=note),
            Row(name="until it is usable", seconds=found["usable_ms"] / 1000, ratio=found["usable_ms"] / BUDGET["usable_ms"],
                note="ratio: to one second")]  # fmt: skip
    for name, took in found["keystroke_ms"].items():
        made.append(Row(name=f"a keystroke, {name}", seconds=took / 1000, ratio=took / BUDGET["keystroke_ms"], note="ratio: to two frames"))
    return made


def _queries(book: Book) -> list[str]:
    """Words that stand in the book, whole, several, as a phrase, and mistyped."""
    answers = [ruling.entry.answer[0] for ruling in book.rulings if isinstance(ruling.entry, QA)]
    words = [word for answer in answers[7::1200] for word in answer.split()[3:10]]
    return [query.format(*words) for query in QUERIES]


def _in_browser(browser: Browser, file: Path, queries: list[str]) -> dict[str, Any]:
    browser.size(360, 740, phone=True)
    opened = []
    for _ in range(ROUNDS):
        browser.open("about:blank")
        browser.open(file)
        opened.append(browser.run("return Number(document.documentElement.dataset.ready)"))
    paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    cold = browser.run(TIMER, queries[0][:1])[0]
    rounds = [[key for query in queries for key in browser.run(TIMER, query)[0]] for _ in range(ROUNDS)]
    keys = sorted(map(min, zip(*rounds, strict=True)))
    worst = {"median": keys[len(keys) // 2], "p95": keys[int(len(keys) * 0.95)], "worst": keys[-1]}
    return {
        "usable_ms": round(min(opened)),
        "first_paint_ms": round(paint or 0),
        "first_keystroke_ms": round(max(cold), 1),
        "keystroke_ms": {name: round(took, 1) for name, took in worst.items()},
        "keystrokes": len(keys),
    }


if __name__ == "__main__":
    print(json.dumps(measure(*map(int, sys.argv[1:2])), indent=1))
