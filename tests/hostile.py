"""PDFs that break readers, made from nothing: small files that want all the memory or all the time."""

from __future__ import annotations

import zlib
from pathlib import Path

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>>>"
LINE = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET"

# What the ends may be: good output, or one of these.
CODES = {3, 4, 8}


def pdf(*objects: bytes, trailer: bytes = b"") -> bytes:
    """A PDF of these objects, the first of them its catalogue."""
    made, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, held in enumerate(objects, 1):
        offsets.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    made += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(made)


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), more, content)


def page(content: bytes, font: bytes = FONT, *more: bytes, resources: bytes = b"") -> bytes:
    """A PDF of one page that draws ``content``."""
    return pdf(CATALOG, PAGES, PAGE % resources, stream(content), font, *more)


def words(text: str) -> bytes:
    """A PDF of one page with these lines."""
    shown = b" ".join(b"(%s) Tj T*" % _escaped(line) for line in text.splitlines())
    return page(b"BT /F1 12 Tf 14 TL 40 740 Td " + shown + b" ET")


def _escaped(line: str) -> bytes:
    return line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def laughs(depth: int = 9, fan: int = 10) -> bytes:
    """Forms that draw forms that draw forms: 2.5 KB, and 10^8 words."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<%s>>"
    forms = [stream(LINE % b"LOL", form % b"/Font<</F1 5 0 R>>")]
    for number in range(1, depth):
        forms.append(stream(b"/X Do " * fan, form % (b"/XObject<</X %d 0 R>>" % (5 + number))))
    return page(b"/X Do", FONT, *forms, resources=b"/XObject<</X %d 0 R>>" % (5 + depth))


def expansion(times: int = 20_000) -> bytes:
    """A font in which a letter is twenty thousand letters."""
    header = b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00><FF> endcodespacerange "
    table = header + b"1 beginbfchar <61> <" + b"0041" * times + b"> endbfchar endcmap end"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
    return page(LINE % (b"a" * 2_000), font, stream(table))


def bomb(megabytes: int = 1536) -> bytes:
    """Spaces, squeezed twice: 3 KB."""
    squeezed, block = zlib.compressobj(1), b" " * (1 << 20)
    once = b"".join([*(squeezed.compress(block) for _ in range(megabytes)), squeezed.flush()])
    content = stream(zlib.compress(once, 9), b"/Filter[/FlateDecode/FlateDecode]")
    return pdf(CATALOG, PAGES, PAGE % b"", content, FONT)


def rescan(objects: int = 50_000) -> bytes:
    """Streams without an end whose length is themselves: a reader starts over for each."""
    return b"%PDF-1.4\n" + b"".join(
        b"%d 0 obj\n<</Length %d 0 R>>stream\n" % (number, number) for number in range(1, objects)
    )


def many_pages(count: int) -> bytes:
    """One page, counted many times."""
    kids = b"<</Type/Pages/Kids[" + b"3 0 R " * count + b"]/Count %d>>" % count
    return pdf(CATALOG, kids, PAGE % b"", stream(LINE % b"hi"), FONT)


def killers() -> dict[str, bytes]:
    """Each of them takes an unguarded reader down, or for minutes."""
    return {"laughs": laughs(), "expansion": expansion(), "bomb": bomb(), "rescan": rescan()}


def oddities() -> dict[str, bytes]:
    """Broken in other ways; a reader may read them or refuse them, but must end."""
    good = words("A line of text.\nAnother line of text.")
    deep = b"/Foo " + b"[" * 100_000 + b"]" * 100_000
    dag = [CATALOG, *(b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count 2>>" % (n, n) for n in range(3, 33))]
    return {
        "pages-loop": pdf(CATALOG, b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>", PAGE % b"", stream(LINE % b"hi"), FONT),
        "pages-dag": pdf(*dag, b"<</Type/Page/MediaBox[0 0 612 792]>>"),
        "pages-lie": pdf(CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", PAGE % b"", stream(b""), FONT),
        "pages-none": pdf(CATALOG, b"<</Type/Pages/Kids[]/Count 0>>"),
        "pages-many": many_pages(500_000),
        "form-in-itself": page(b"/X Do", FONT, stream(b"/X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
                               b"/Resources<</XObject<</X 6 0 R>>>>"), resources=b"/XObject<</X 6 0 R>>"),
        "deep": pdf(CATALOG, PAGES, (PAGE % b"")[:-2] + deep + b">>", stream(LINE % b"hi"), FONT),
        "deep-content": page(b"BT /F1 12 Tf " + b"[" * 200_000 + b" TJ ET"),
        "many-words": page(b"BT /F1 12 Tf " + b"1 0 0 1 72 700 Tm (abc) Tj " * 300_000 + b"ET"),
        "long-word": page(LINE % (b"x" * 1_000_000)),
        "huge-page": pdf(CATALOG, PAGES, (PAGE % b"").replace(b"612 792", b"1e30 1e30"), stream(LINE % b"hi"), FONT),
        "no-page-size": pdf(CATALOG, PAGES, (PAGE % b"").replace(b"/MediaBox[0 0 612 792]", b""), stream(b""), FONT),
        "length-of-itself": pdf(CATALOG, PAGES, PAGE % b"", b"<</Length 4 0 R>>stream\nBT ET\nendstream", FONT),
        "huge-table": good.replace(b"xref\n0 6", b"xref\n0 2147483647"),
        "cut-at-half": good[: len(good) // 2],
        "cut-at-tenth": good[: len(good) // 10],
        "cut-near-end": good[:-40],
        "header-only": b"%PDF-1.7\n",
        "parentheses": b"%PDF-1.4\n" + b"(" * 5_000_000,
        "empty-page": page(b""),
    }  # fmt: skip


def write(folder: Path, made: dict[str, bytes]) -> list[Path]:
    for name, content in made.items():
        (folder / f"{name}.pdf").write_bytes(content)
    return [folder / f"{name}.pdf" for name in made]
