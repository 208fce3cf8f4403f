"""Objects of PDFs, written one after the other into another one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pikepdf
import pytest

from pipeline import pdf_objects
from pipeline.pdf_writer import PACK, Copy, PdfWriter
from pipeline.render import long_print, paper


def source(count: int) -> pikepdf.Pdf:
    """A chain of so many dictionaries that ends in a stream, each with a text that looks like a reference."""
    pdf = pikepdf.new()
    last = pdf.make_stream(b"the end 7 0 R", Kind=pikepdf.Name("/End"))
    for number in range(count):
        title = pikepdf.String(f"see 3 0 R (and \\ {number} 0 R) 5 0 R")
        last = pdf.make_indirect(pikepdf.Dictionary(Title=title, Next=last, Pair=[number, last, 0.5]))
    pdf.Root.Chain = last
    file = io.BytesIO()
    pdf.save(file)
    return pikepdf.open(file)


def copied(pdf: pikepdf.Pdf, mark: bytes = b"") -> bytes:
    out = PdfWriter()
    pages, root, info = out.number(), out.number(), out.number()
    copy = Copy(pdf, out, {pdf.Root.Pages.objgen[0]: pages})
    chain = copy.value(pdf.Root.Chain)
    copy.finish()
    out.put(pages, b"<< /Type /Pages /Kids [] /Count 0 >>")
    out.put(info, b"<< >>")
    out.put(root, b"<< /Type /Catalog /Pages %d 0 R /Chain %s >>" % (pages, chain))
    return out.finished(root, info, mark)


@pytest.mark.parametrize("count", [1, PACK - 3, PACK, 3 * PACK + 1])
def test_what_an_object_leads_to_comes_with_it_and_texts_stay(count: int) -> None:
    made = copied(source(count))
    assert made == copied(source(count))
    with pikepdf.open(io.BytesIO(made)) as pdf:
        assert not pdf.check_pdf_syntax()
        each = pdf.Root.Chain
        for number in reversed(range(count)):
            assert str(each.Title) == f"see 3 0 R (and \\ {number} 0 R) 5 0 R"
            assert int(each.Pair[0]) == number and each.Pair[1].objgen == each.Next.objgen
            each = each.Next
        assert each.read_bytes() == b"the end 7 0 R" and each.Kind == "/End"


def test_a_file_carries_its_mark() -> None:
    with pikepdf.open(io.BytesIO(copied(source(2), b"0f" * 16))) as pdf:
        assert bytes(pdf.trailer.ID[0]) == b"0f" * 16


def test_of_a_long_book_one_part_is_open_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, most = pdf_objects.opened, [0, 0]

    @contextmanager
    def counted(pdf: bytes) -> Iterator[Any]:
        most[:] = most[0] + 1, max(most[1], most[0] + 1)
        with usual(pdf) as opened:
            yield opened
        most[0] -= 1

    part = paper.print_pdf("<html lang=en><head><title>T</title></head><body><h1 id=a>One</h1><p><a href='#a'>to it</a></p></body></html>")
    monkeypatch.setattr(pdf_objects, "opened", counted)
    made = long_print.joined([part] * 4, [[1]] * 4)
    assert most == [0, 1]
    with usual(made) as pdf:
        assert len(pdf.pages) == 4 and not pdf.check_pdf_syntax()
