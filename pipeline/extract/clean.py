"""Clean text at the door: what a PDF may carry and no reader wants."""

from __future__ import annotations

import re
import unicodedata

ACCENTS = "ˆ¨˜¸ˇ˘˙˚˝˛´`"  # that have a place of their own in a font
COMBINING_MAX = 8  # longer runs of combining marks are an attack on the typesetter, not a language

# Control characters (tab and newline become spaces later), surrogates, non-characters, bidirectional overrides.
_DROP = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\u200b]"
)
_ASCII = bytes(range(32, 127))
_ODD = re.compile("[^ -~\u00a0-\u02ff\u2010-\u2027\u20ac]")  # anything outside these needs the slow look
_SPACES = re.compile("[\t\n\r\u00a0\u2000-\u200a\u202f\u205f\u3000]")
# Ligatures, and the letters of formulas, which are letters in a style and in no font for text.
_LIGATURES = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff\u210e]")
# Ligatures as some versions of Ghostscript spoil them: the halves of each letter exchanged ("fi" as U+6600 U+6900),
# and of three letters the last two added up.
_HALVES = "".join(chr(code << 8) for code in range(0x61, 0x7B))
_SPOILT = re.compile(f"\u6600[\ucf00\ud200]|(?<![\u3000-\u9fff])[{_HALVES}]{{2,3}}(?![\u3000-\u9fff])")
_COMBINING = re.compile(f"([\u0300-\u036f]{{{COMBINING_MAX}}})[\u0300-\u036f]+")
_LEADERS = re.compile(r" ?(?:[.·_…\ufffd] ?){6,}")  # dots that lead the eye to a page number
_LINE_END_HYPHEN = re.compile("[\x02\ufffe]$")
DAMAGED = re.compile("[\ufffd\x00-\x08\x0b\x0c\x0e-\x1f]")


def leaders(text: str) -> str:
    """Rows of dots shortened to one sign; their number says nothing."""
    return (
        _LEADERS.sub(" … ", text)
        if "...." in text or "\ufffd\ufffd" in text or ". . ." in text or "___" in text
        else text
    )


def unclean(text: str) -> list[str]:
    """What ``clean`` may change in the text of a page; in a part of it without any of that, only spaces that do not
    break. It is looked for where it may be: among the few letters that are not ASCII.
    """
    strange = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return [*set(_ODD.findall(strange)), *(row for sign, row in _ROWS if sign in text and row in text)]


_ROWS = ((".", ".."), (".", ". ."), ("_", "__"), ("·", "··"), ("\ufffd", "\ufffd"),  # that may be leaders
         *((sign, sign) for sign in ACCENTS))  # fmt: skip


def _may_lead(text: str) -> bool:
    return ".." in text or "__" in text or ". ." in text or "\ufffd" in text or "··" in text


def clean(text: str) -> str:
    """The text that goes on: NFC, ligatures spelled out, no control characters, plain spaces."""
    if _may_lead(text):
        text = leaders(text)
    if text.isascii() and text.isprintable():
        return text
    if not _ODD.search(text):
        return text.replace("\u00a0", " ")
    text = _LINE_END_HYPHEN.sub("-", text)  # the engine's sign for a hyphen that it took for a line's end
    text = _DROP.sub("", _SPACES.sub(" ", text))
    text = _SPOILT.sub(_mended, text)
    text = _LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _COMBINING.sub(r"\1", unicodedata.normalize("NFC", text))


def accented(text: str, *, tex: bool) -> str:
    """Letters with the accents that are drawn before them: "pr´esent", "`a", "c¸a". Computer Modern, the ``tex`` font,
    has no others; elsewhere ´ and ` may be apostrophes."""
    if not _ACCENT.search(text):
        return text
    return (_BY_TEX if tex else _ACCENTED).sub(_composed, text)


def _composed(match: re.Match[str]) -> str:
    accent, letter = (match["behind"], match["under"]) if match["behind"] else (match["accent"], match["letter"])
    composed = unicodedata.normalize("NFC", _BARE.get(letter, letter) + _MARKS[accent])
    return composed if len(composed) == 1 else match[0]


_MARKS = dict(zip(ACCENTS, "\u0302\u0308\u0303\u0327\u030c\u0306\u0307\u030a\u030b\u0328\u0301\u0300", strict=True))
_BARE = {"ı": "i", "ȷ": "j"}
_ACCENT = re.compile(f"[{ACCENTS}]")
_ACCENTED, _BY_TEX = (
    re.compile(rf"(?P<under>[cCsStT])(?P<behind>¸)|(?P<accent>[ˆ¨˜¸ˇ˘˙˚˝˛{more}])(?P<letter>[^\W\d_])")
    for more in ("", "´`")
)


def _mended(ligature: re.Match[str]) -> str:
    """The letters of a ligature that another program spoilt."""
    first, last = ligature[0][:-1], ord(ligature[0][-1]) >> 8
    rest = chr(last) if last < 0x80 else "f" + chr(last - ord("f"))
    return "".join(chr(ord(half) >> 8) for half in first) + rest
