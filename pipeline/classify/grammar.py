"""The words of a language, compiled once into patterns over flat text (``text.flat``: same offsets as the text)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pipeline.records import Operation
from pipeline.text import BULLETS, SMALL, flat
from pipeline.vocab import Vocabulary, Words, alternatives, vocabulary

Pattern = re.Pattern[str]

ARROW = r"→|⇒|➔|➜|->|=>"  # between the old text and the new
TURNED = r"\s*:?\s*(?:\w{1,4}\s+){0,2}?(?:x\b|[+-]?\d|\Z)"  # a quotation, a number, or what follows
ICON = "[icon]"  # how one is written, before anybody has named it
OPENING = 4  # letters that tell the word of a marker from most others: "Ques" from "Quel"
SIGNS = BULLETS + "▸*·ˏ#"  # that may stand before a page, an erratum or its parts
NUMBER = r"(?:n°|nº|no\.?|nr\.?|#)?\s*\d{1,3}[a-z]?"
# Behind the number of a rule that was put in later: "5 bis", "12-ter"
LATER = r"(?:[ -](?:bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies)\b)"
# A rule's number: "V-A-1", "2.3", "100.1a", "A.1", "7", "4a", "5 bis", "5.º-A"
RULE_NUMBER = (
    rf"(?:[ivxl]+(?:[-.][a-z0-9]{{1,3}})+|\d{{1,3}}(?:\.\d{{1,3}})+(?:\.?[a-z]\b|{LATER})?"
    rf"|[a-z]\.?\d{{1,2}}(?:\.\d{{1,2}})*|[ivxl]+{LATER}?|\d{{1,3}}(?:(?:\.?o)?-[a-z]\b|[a-z]\b|{LATER})?)"
)
LETTERED = r"(?<=\s)[a-z](?=\s*(?:[.:)-]|\Z))"  # "Annex B: …"
# "V-A-1", "2.3", "2.3.1a", "A.1": more than one part, so that it is surely the number of a rule.
MANY = (
    rf"[IVXL]+(?:-[A-Z0-9]{{1,3}})+|\d{{1,3}}(?:\.\d{{1,3}})+(?:\.?[a-z](?=[\s.)])|{LATER})?"
    r"|[A-Z](?:\.\d{1,2})+|[IVXL]+(?:\.\d{1,2})+"
)
BEHIND = r"(?:\s*[.):–—-]+\s*|\s+)(?=\S)"  # a number, before its title or text


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Every pattern that classifying one language needs."""

    words: Vocabulary
    question: Pattern  # a marker at the start of a text
    answer: Pattern
    question_alone: Pattern  # a text that is nothing but a marker
    answer_alone: Pattern
    question_counted: Pattern  # a marker with no stop behind it: it has a number, or stands alone
    answer_counted: Pattern
    answer_within: Pattern  # an answer's marker after the end of a sentence
    starts: frozenset[str]  # what markers begin with, but for white space
    begins: Pattern  # where a marker may stand, by the letters there: it spares most paragraphs four patterns
    asking: Pattern  # what a question ends with
    letters: frozenset[str]  # of questions, for boxed letters
    answer_letters: frozenset[str]
    verdict: Pattern  # yes or no at the start
    head: tuple[tuple[Operation, Pattern], ...]  # errata verbs at the start of a sentence
    anywhere: tuple[tuple[Operation, Pattern], ...]
    by: Pattern
    instead: Pattern
    counted: Pattern  # numbers as words
    ones: frozenset[str]  # "one", which may be an article
    turns: Pattern  # with what they turn into: "x" is a quotation
    swap: Pattern  # "substitute … for", over a text in which each quotation is one word
    old_label: Pattern  # "Old text:" at the start of a text
    new_label: Pattern
    place: Pattern
    announce: Pattern
    errata_heading: Pattern
    may: Pattern
    piece: Pattern  # of a text: "sentence", "bullet"
    old_heads: frozenset[str]  # of columns
    new_heads: frozenset[str]
    page_head: Pattern  # "Pages 12 et 14"
    page_reference: Pattern  # "(p. 12)"
    page_words: frozenset[str]
    page_to: Pattern
    page_on: Pattern  # "f.", "ff." behind a page
    see: Pattern
    rule_word: Pattern
    rule_words: frozenset[str]
    glossary: Pattern
    aside: Pattern  # "Exemple :", "Note :"
    example: Pattern  # "Exemples", "Exemple 2 :", and nothing else
    contents: Pattern
    abilities: Pattern
    table_title: Pattern  # "Table 2"
    caption: Pattern  # "Figure 2", "Fig. 2:", "2. ábra"
    subjects: Pattern  # "Units", "Cards": headings over their headings
    introduction: Pattern
    history: Pattern  # "Changes from version 3": what stands under it tells the document's own story
    section_name: Pattern  # "FAQ", "Errata" and nothing else
    tag: Pattern  # "[NEW]" at the start of a text
    tag_behind: Pattern  # "(new)" at its end
    tag_starts: frozenset[str]
    many: Pattern = re.compile(rf"(?P<number>{MANY}){BEHIND}")  # numbers of rules that need no word before them


@cache
def grammar(language: str) -> Grammar:
    """The patterns of a language; made on first use."""
    words = vocabulary(language)
    return Grammar(words=words, **_question(words), **_errata(words), **_page(words), **_rest(words))


def _question(words: Vocabulary) -> dict[str, Any]:
    asked, answered = words.question, words.answer
    marker = _marker(answered.letters, answered.words, words.page.words)
    return {
        "question": re.compile(_marker(asked.letters, asked.words, words.page.words)),
        "answer": re.compile(marker),
        "question_alone": re.compile(_alone(asked.letters, asked.words)),
        "answer_alone": re.compile(_alone(answered.letters, answered.words)),
        "question_counted": re.compile(_counted(asked.letters, asked.words)),
        "answer_counted": re.compile(_counted(answered.letters, answered.words)),
        "answer_within": _within(rf"{marker}|(?:{'|'.join(map(re.escape, answered.letters))})\s?[:.]\s*\Z"),
        **_beginnings((*asked.letters, *answered.letters), (*asked.words, *answered.words)),
        "asking": re.compile("|".join(re.escape(each) for each in asked.ends)),
        "letters": frozenset(asked.letters),
        "answer_letters": frozenset(answered.letters),
        "verdict": re.compile(alternatives(answered.yes + answered.no)),
    }


def with_markers(known: Grammar, asked: str, answered: str) -> Grammar:
    """The patterns with the markers that a document has taken for itself, instead of those of its language.

    Where one letter marks both ("O: … ? O: …"), what asks before the next such letter is the question.
    """
    pages = known.words.page.words
    question, answer = _marker((asked,), (asked,), pages), _marker((answered,), (answered,), pages)
    if asked == answered:
        asks = rf"(?:(?!\s{asked}\s?(?:{NUMBER})?\s?[:.)])[^?])*\?"
        question, answer = rf"{question}(?={asks})", rf"{answer}(?!{asks})"
    never = re.compile("(?!)")
    return replace(
        known, question=re.compile(question), answer=re.compile(answer), answer_within=_within(answer),
        question_alone=never, answer_alone=never, question_counted=never, answer_counted=never,
        letters=frozenset(), answer_letters=frozenset(), **_beginnings((), (asked, answered)),
    )  # fmt: skip


def with_dashes(known: Grammar) -> Grammar:
    """The patterns for a document that numbers its rules "12-1": elsewhere that is a range."""
    return replace(known, many=re.compile(rf"(?P<number>{MANY}|\d{{1,3}}-\d{{1,2}}(?:-\d{{1,2}})?){BEHIND}"))


def with_brackets(known: Grammar) -> Grammar:
    """The patterns for a document that numbers its rules "[5.21]": elsewhere that is a reference."""
    return replace(known, many=re.compile(rf"[\[(]?(?P<number>{MANY})\]?{BEHIND}"))


def with_letters(known: Grammar) -> Grammar:
    """The patterns for a document that numbers its rules "A1", "A2": elsewhere that is a card, or an answer."""
    return replace(known, many=re.compile(rf"(?P<number>{MANY}|[A-Z]\d{{1,2}}(?:\.\d{{1,2}})*){BEHIND}"))


def _within(marker: str) -> Pattern:
    return re.compile(rf"\s(?<=[?.!:»”\"')]\s)\s*(?={marker})")  # quicker than the stop first


def _marker(letters: Words, words: Words, pages: Words) -> str:
    """Letters count in capitals only ("Q", not "q"); words in any case. A number may stand before the stop.

    A letter that may also stand for a page ("P. 35") is none when a number follows. An icon may stand before it all.
    """
    letter = "|".join(re.escape(each) for each in letters)
    paging = "|".join(re.escape(each) for each in letters if flat(f"{each}.") in pages) or "(?!)"
    word = "|".join(re.escape(each) for each in words)
    stop = r"(?:[)\]]\s*:?|:|/|\.(?!\d|[A-Z]\.)|[–—−]|-(?=\s))\s*(?=\S)"
    return (
        rf"\s*(?:{re.escape(ICON)}\s*)?(?!(?:{paging})\.\s*\d)(?:[(\[]?(?:{letter})\s?(?:{NUMBER})?\s?{stop}"
        rf"|(?i:(?:{word})(?:\s*(?:{NUMBER}))?\s?(?:\.\s?:|[:.)]|[–—−]|-(?=\s))\s*(?=\S)))"
    )


def _beginnings(letters: Words, words: Words) -> dict[str, Any]:
    """What markers begin with: white space, a letter or bracket with no small letter behind it, or a word's start
    ("Sp" is one); a number may stand before the letter."""
    first = "".join(each[:1] for each in (*letters, *words))
    starts = first.lower() + first.upper() + "(["
    openings = "|".join(
        re.escape(each) for each in sorted({word[:OPENING] for word in (*words, ICON, *letters) if word[1:]})
    )
    begins = rf"[\s{re.escape(starts)}](?:(?<=\s)|(?![{SMALL}]))|(?i:{openings})"
    begins += rf"|\d{{1,3}}\s?[{re.escape(''.join(letters))}]\b" if letters else ""
    return {"starts": frozenset(starts), "begins": re.compile(begins)}


def _alone(letters: Words, words: Words) -> str:
    """A letter, or a word with its number: "Questions" by itself is a heading."""
    letter = "|".join(re.escape(each) for each in letters)
    word = "|".join(re.escape(each) for each in words)
    return rf"\s*[(\[]?(?:(?:{letter})\s?(?:{NUMBER})?|(?i:{word})(?:\s?{NUMBER}|\s?:))\s?[:.)\]–—−-]*\s*\Z"


def _counted(letters: Words, words: Words) -> str:
    """ "Question 1", "Q1", "1Q", or "Question" in a line of its own; no small letter follows."""
    letter = "|".join(re.escape(each) for each in letters)
    word = "|".join(re.escape(each) for each in words)
    marker = rf"(?:{letter})\s?{NUMBER}|\d{{1,3}}\s?(?:{letter})[.):]?|(?i:(?:{word})(?:\s*{NUMBER}|\s*\Z))"
    return rf"\s*(?:{marker})(?:\s*\Z|\s+(?![{SMALL}]))"


def _errata(words: Vocabulary) -> dict[str, Any]:
    errata = words.errata
    pairs = ((Operation.REPLACE, errata.replace, errata.replaces), (Operation.INSERT, errata.insert, errata.inserts),
             (Operation.DELETE, errata.delete, errata.deletes))  # fmt: skip
    return {
        "head": tuple((operation, re.compile(alternatives(verbs))) for operation, verbs, _ in pairs),
        "anywhere": tuple((operation, re.compile(alternatives(phrases))) for operation, _, phrases in pairs),
        "by": re.compile(rf"{alternatives(errata.by)}|{alternatives(errata.new)}\s*:|{ARROW}"),
        "instead": re.compile(alternatives(errata.instead)),
        "ones": frozenset(map(flat, words.verdict.one)),
        "counted": re.compile(alternatives(numerals) if (numerals := _numerals(words)) else "(?!)"),
        "turns": re.compile(rf"{alternatives(errata.turns)}{TURNED}" if errata.turns else "(?!)"),
        "swap": re.compile(alternatives(errata.swap) if errata.swap else "(?!)"),
        "old_label": re.compile(rf"\W*{alternatives(errata.old)}\s*:\s*"),
        "new_label": re.compile(rf"\W*{alternatives(errata.new)}\s*:\s*"),
        "place": re.compile(alternatives(errata.places)),
        "announce": re.compile(alternatives(errata.announce)),
        "errata_heading": re.compile(alternatives(errata.headings)),
        "may": re.compile(alternatives(words.verdict.may)),
        "piece": re.compile(alternatives((*errata.pieces, "§"))),
        "old_heads": frozenset(flat(each) for each in errata.old),
        "new_heads": frozenset(flat(each) for each in errata.new),
    }


def _numerals(words: Vocabulary) -> Words:
    forms = words.verdict
    return tuple(form for each in (*forms.numbers, *forms.tens, *forms.one) for form in each.split("/"))


def _page(words: Vocabulary) -> dict[str, Any]:
    page = words.page
    word = (
        "(?:"
        + "|".join(re.escape(flat(each)).replace(r"\.", r"\.?") for each in sorted(page.words, key=len, reverse=True))
        + ")"
    )
    link = "|".join([r"[,/&+-]", *(re.escape(flat(each)) for each in page.and_ + page.to)])
    number = r"[a-z]?\d{1,4}[a-z]?\b"
    listed = rf"{number}(?:\s*(?:{link})\s*(?:{word}\s*)?{number})*"
    behind = rf"\.?\s*{_any(page.behind)}(?!\w)"
    before = rf"(?:{word}\s*|(?={listed}{behind}))" if page.behind else rf"{word}\s*"
    following = "|".join([*(re.escape(flat(each)) for each in page.on), *([behind] if page.behind else [])])
    return {
        "page_head": re.compile(rf"\s*(?:[{re.escape(SIGNS)}]\s*)*\(?{before}(?P<pages>{listed})\)?"),
        "page_reference": re.compile(rf"[(\[]\s*{word}\s*(?P<pages>{listed})\s*[)\]]"),
        "page_words": frozenset(flat(each) for each in page.words),
        "page_on": re.compile(rf"\s*(?:{following})(?!\w)"),
        "page_to": re.compile("|".join([r"-", *(rf"\b{re.escape(flat(each))}\b" for each in page.to)])),
    }


def _any(phrases: Words) -> str:
    return "(?:" + "|".join(re.escape(flat(each)) for each in sorted(phrases, key=len, reverse=True)) + ")"


def _rest(words: Vocabulary) -> dict[str, Any]:
    see, parts = alternatives(words.refer.see), alternatives(words.refer.parts)
    page = "(?:" + "|".join(re.escape(flat(each)) for each in sorted(words.page.words, key=len, reverse=True)) + ")"
    aside = "|".join(
        re.escape(flat(each)) for each in sorted(words.note.example + words.note.note, key=len, reverse=True)
    )
    example = "|".join(re.escape(flat(each)) for each in sorted(words.note.example, key=len, reverse=True))
    rule = "|".join(re.escape(flat(each)) for each in sorted((*words.rule.words, "§"), key=len, reverse=True))
    number = rf"(?:[ivxl]+(?:-[a-z0-9]{{1,2}})+|\d{{1,3}}(?:\.\d{{1,3}})+[a-z]?|\d{{1,4}}){LATER}?"
    table, figure = alternatives(words.document.tables), alternatives(words.document.figures)
    count = r"(?:\d{1,2}(?:[.-]\d{1,2})*[a-z]?|(?:[ivx]{1,4}|[a-z])(?=\s*[.:–—-]|\Z))"
    tag = alternatives(words.colour.tags)
    return {
        "tag": re.compile(rf"\s*(?P<open>[\[(])?\s*(?P<word>{tag})\s*!?\s*(?P<close>[\])])?\s*[:–—-]?\s*"),
        "tag_behind": re.compile(rf"\s*[\[(]\s*{tag}\s*!?\s*[\])]\s*\Z"),
        "tag_starts": frozenset(letter for each in words.colour.tags for letter in (*"[(", *each[0].upper())),
        "see": re.compile(
            rf"{see}\s+(?:\w+\s+){{0,2}}?(?:(?P<page>{page})|{parts}|§)?\s*(?P<number>{number})\b(?!\s*[\"”%])"
        ),
        "rule_word": re.compile(
            rf"(?P<word>{rule})\s*(?P<number>{RULE_NUMBER}(?=\s*[.:)–—-]|\s|\Z|er\b|[oa°]\b)|{LETTERED})"
        ),
        "rule_words": frozenset(flat(each) for each in words.rule.words),
        "glossary": re.compile(alternatives(words.rule.headings)),
        "aside": re.compile(rf"\W*(?:{aside})\b[^:.!–—-]{{0,25}}[:.!–—-]"),
        "example": re.compile(rf"\W*(?:{example})(?:\s*\d{{1,2}})?\W*"),
        "abilities": re.compile(alternatives(words.rule.abilities)),
        "contents": re.compile(rf"(?:{alternatives(words.document.contents)})\s?:?"),
        "table_title": re.compile(rf"{table}\s*(?:n[°ºo.]+\s*)?{count}\b\W*|{count}\.?\s*{table}\b\W*"),
        "caption": re.compile(rf"{figure}\s*(?:n[°ºo.]+\s*)?{count}\b(?:\W|$)|{count}\.\s*{figure}\b"),
        "subjects": re.compile(alternatives(words.document.subjects)),
        "history": re.compile(alternatives(words.document.history) if words.document.history else "(?!)"),
        "introduction": re.compile(rf"{alternatives(words.document.introduction)}\W*"),
        "section_name": re.compile(rf"(?:faqs?|{alternatives(words.errata.headings)})\s*:?"),
    }
