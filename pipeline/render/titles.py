"""What documents and headings are called in print: short names that tell sources apart, and titles that do not shout.

Pure; knows no template and no page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pipeline.records import Book, Document
from pipeline.render import words
from pipeline.text import RIGHTS, fold, is_capitals

SHORT_NAME = 16  # characters of a source's name at the end of an entry: with its date it stays on the line
ARTICLE = 3  # letters: so short a word at the edge of a name says nothing alone
NEAR = 4  # characters before a word that tell whether it opens a sentence
ABBREVIATION = 3  # letters: fewer initials are found in too many file names
# What many documents are: alone it tells none from another. The words of the languages that most sources are in.
GENERIC = frozenset({
    "a", "and", "codex", "commentaires", "comments", "core", "da", "de", "del", "der", "des", "designer", "designers",
    "die", "document", "du", "e", "el", "errata", "erratum", "et", "faction", "faq", "faqs", "guide", "il", "la",
    "las", "le", "les", "livre", "log", "los", "notes", "of", "pack", "page", "pages", "par", "para", "printed",
    "regeln", "regelwerk", "reglas", "regle", "regles", "regolamento", "regulations", "rule", "rulebook", "rules",
    "the", "und", "update", "updates", "version", "y",
})  # fmt: skip

INITIALS = {"faq": "FAQ", "faqs": "FAQs"}  # that are written so wherever the text itself does not say how

LOOSE = " -–—:·,|"  # around a name that another was cut off from
_DATED = re.compile(r"\d{2,4}(?:[-_.]\d{1,2}){0,2}|v?\d+(?:\.\d+)+")  # in a file name: the day or the version
_COUNTED = re.compile(r" \(\d+\)$")  # behind a name that several sources have
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")


def is_rights(text: str) -> bool:
    """Whether a line says whose the text is, and nothing of what it is."""
    return RIGHTS.search(text) is not None


def without(title: str, game: str) -> str:
    """A title without the game's name at its beginning."""
    return (title[len(game) :] if game and fold(title).startswith(fold(game)) else title).strip(LOOSE)


def label(document: Document, book: Book) -> str:
    """What a document is called among the others: its title, without the game's name; where that says only what many
    are, the words of its file tell more; without one its first heading."""
    title, game = document.title or "", book.game or document.game or ""
    title = "" if is_rights(title) else title
    if title := without(title, game) or title.strip(LOOSE):
        several = len(book.documents) > 1 and _is_generic(title)
        return (_own_game(document, book) or _of_file(document, book) if several else "") or title
    headings = (ruling.entry.section for ruling in book.rulings if ruling.entry.source == document.source)
    first = (each for section in headings for each in section if fold(each) != fold(game) and not is_rights(each))
    return next(first, None) or _stem(document)


def _is_generic(title: str) -> bool:
    return all(fold(word) in GENERIC for word in _LETTERS.findall(title))


def _own_game(document: Document, book: Book) -> str:
    """The game of a document among documents of others."""
    others = {fold(each.game or "") for each in book.documents if each is not document}
    return document.game if document.game and len(others - {fold(document.game)}) == len(others) else ""


def _of_file(document: Document, book: Book) -> str:
    """The name of a file that says which of many it is: "stargrave_errata"; "" where it says no more than the game."""
    stem = _stem(document)
    return stem[:1].upper() + stem[1:] if _tells(document, book.game) else ""


def _tells(document: Document, game: str | None) -> bool:
    """Whether the name of a file says more than the game and what many files are."""
    known = {*map(fold, _LETTERS.findall(game or "")), *GENERIC}
    return any(fold(word) not in known and len(word) > ARTICLE for word in _LETTERS.findall(_stem(document)))


def _stem(document: Document) -> str:
    """A file's name in words, without its day or version."""
    name = document.source.rsplit("/", 1)[-1].removesuffix(".pdf")
    bare = re.sub(r"[-_\s]+", " ", _DATED.sub(" ", name)).strip()
    return bare or re.sub(r"[-_]+", " ", name)


# ---------------------------------------------------------------- short names


def short_names(book: Book) -> list[str]:
    """The name of each document of a book, then of each older release, by which rulings cite it: no two documents
    have one."""
    current, everyone = book.documents, (*book.documents, *book.superseded)
    labels = [label(each, book) for each in everyone]
    names = [_abbreviated(each, book) or _cut(text) for each, text in zip(everyone, labels, strict=True)]
    shorter = list(names)
    for name in [name for name, count in Counter(names[: len(current)]).items() if count > 1]:
        alike = [at for at in range(len(current)) if names[at] == name]
        for at, text in zip(alike, _apart([current[at] for at in alike], [labels[at] for at in alike]), strict=True):
            shorter[at] = text
    return shorter


def _abbreviated(document: Document, book: Book) -> str:
    """The initials of its title, where its file is named by them: "IPG" of ipg-2019.pdf."""
    text = document.title or ""
    for title in (text, without(text, book.game or document.game or "")):
        initials = "".join(word[0] for word in _WORD.findall(title) if word[0].isupper())
        for letters in (initials, *(initials[:1] + initials[at:] for at in range(2, len(initials))), initials[1:]):
            named = re.match(r"[a-z]+", document.source.lower())
            if len(letters) >= ABBREVIATION and named and named[0] == letters.lower():
                return letters.upper()
    return ""


def _apart(documents: Sequence[Document], labels: Sequence[str]) -> list[str]:
    """Names for documents that would have one: by what follows the words that all begin with, by their game, their
    version, their day, their file; the first of these that differs in all of them. Else those of one day are counted:
    the day stands beside the name anyway."""
    split = [name.split() for name in labels]
    same = 0
    while all(len(each) > same and each[same] == split[0][same] for each in split):
        same += 1
    rests = [_cut(" ".join(each[same:]).strip(LOOSE)) for each in split]
    short = _cut(labels[0])
    ways = (
        rests,
        [each.game or "" for each in documents],
        [f"{short} {each.version}" if each.version else "" for each in documents],
        [f"{short} {each.date}" if each.date else "" for each in documents],
        [_cut(_stem(each)) if _tells(each, each.game) else "" for each in documents],
    )
    for way in ways:
        if all(way) and len(set(map(fold, way))) == len(way):
            return list(way)
    days = [each.date for each in documents]
    counts = [f" ({days[: at + 1].count(day)})" if days.count(day) > 1 else "" for at, day in enumerate(days)]
    return [f"{short}{count}" for count in counts]


def _cut(name: str) -> str:
    """The name, cut at a word that is more than an article."""
    if len(name) > SHORT_NAME:
        first, *more = name.split()
        while more and (_is_article(first) or len(f"{first} {more[0]}") <= SHORT_NAME):
            first = f"{first} {more.pop(0)}"
        name = re.sub(rf"(\W+\w{{1,{ARTICLE}}})*\W*$", "", first)[: 2 * SHORT_NAME] or first
    return name


def _is_article(word: str) -> bool:
    """ "Die", "The", "Los"; "FAQ" is none."""
    return len(word) <= ARTICLE and not word.isupper()


def dated(name: str, date: str | None, language: str) -> str:
    """ "FAQ juin 2019", "FAQ juin 2019 (2)"."""
    day = words.date(date, language, short=True).replace(" ", "\u00a0")
    if not day or fold(day) in fold(name) or (date or "-") in name:
        return name
    stem, counted = (name, "") if not (match := _COUNTED.search(name)) else (name[: match.start()], match[0])
    return f"{stem} {day}{counted}"


# ---------------------------------------------------------------- sentence case


def casing(texts: Iterable[str]) -> Mapping[str, str]:
    """How each word of running text is written where it opens no sentence: "tyranids" as "Tyranids", "faq" as "FAQ".
    One that is also written small is small."""
    by_word: dict[str, Counter[str]] = {}
    for text in texts:
        if is_capitals(text):
            continue
        for match in _WORD.finditer(text):
            before = text[max(0, match.start() - NEAR) : match.start()].rstrip(" («“\"'")
            if before and not before.endswith((".", "!", "?", ":", "•", "–", "—")):
                by_word.setdefault(match[0].lower(), Counter())[match[0]] += 1
    return {low: low if low in forms else forms.most_common(1)[0][0] for low, forms in by_word.items()}


def calm(title: str, known: Mapping[str, str]) -> str:
    """A title in sentence case where its publisher shouts; names keep their capitals as running text writes them."""
    if not is_capitals(title) or not any(letter.isalpha() for letter in title):
        return title
    calmed = _WORD.sub(lambda match: _written(match[0], known), title)
    first = next((at for at, letter in enumerate(calmed) if letter.isalpha()), 0)
    calmed = calmed[:first] + calmed[first].upper() + calmed[first + 1 :]
    return re.sub(r"([:–—/]\s*[«“\"(]?)(\w)", lambda match: match[1] + match[2].upper(), calmed)


def _written(word: str, known: Mapping[str, str]) -> str:
    low = word.lower()
    if low in known or low in INITIALS:
        return known.get(low) or INITIALS[low]
    return word if len(word) == 1 or (len(word) <= ARTICLE and not re.search("[aeiouyàâéèêëîïôöùûü]", low)) else low
