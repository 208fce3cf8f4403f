"""Objects of one PDF after another -> one PDF. What is written is let go of: a long book takes no more memory than the
longest of its parts, and where each object is.
"""

from __future__ import annotations

import hashlib
import io
import re
import zlib
from collections.abc import Mapping
from typing import Any

from pipeline import pdf_objects

PACK = 200  # objects in a stream: so many are packed well, and a reader unpacks no more to find one
FIELDS = (1, 5, 2)  # bytes: the kind of an object, its place in the file or the number of its pack, its place there
IN_PLACE, IN_PACK = 1, 2

_REFERENCE = re.compile(rb"\((?:[^\\()]|\\.)*\)|\b(\d+) 0 R\b", re.DOTALL)  # or a text, which may look like one


class PdfWriter:
    """A PDF that grows by one object after the other."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._out.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        self._table = bytearray(b"\0\0\0\0\0\0\xff\xff")  # an entry of so many bytes a number; 0 is no object
        self._pack: list[tuple[int, bytes]] = []

    def number(self) -> int:
        """The number of an object that is to come."""
        self._table += bytes(sum(FIELDS))
        return len(self._table) // sum(FIELDS) - 1

    def put(self, number: int, value: bytes) -> None:
        """An object that is no stream."""
        self._pack.append((number, value))
        if len(self._pack) == PACK:
            self._close_pack()

    def put_stream(self, number: int, head: bytes, content: bytes) -> None:
        """A stream as it is in a file; ``head``: its dictionary, with its length and filter."""
        self._enter(number, IN_PLACE, self._out.tell(), 0)
        self._out.write(b"%d 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (number, head, content))

    def finished(self, root: int, info: int, mark: bytes = b"") -> bytes:
        """The whole file; ``mark`` says of what it was made, else its own content does."""
        self._close_pack()
        begun = self._out.tell()
        mark = mark or hashlib.sha256(self._out.getbuffer()).hexdigest()[:32].encode()
        number = self.number()
        self._enter(number, IN_PLACE, begun, 0)
        head = b"/Type /XRef /Size %d /W [%d %d %d] /Root %d 0 R /Info %d 0 R /ID [(%s) (%s)]" % (
            number + 1, *FIELDS, root, info, mark, mark)  # fmt: skip
        self._put_packed(number, head, bytes(self._table))
        self._out.write(b"startxref\n%d\n%%%%EOF\n" % begun)
        return self._out.getvalue()

    def _close_pack(self) -> None:
        """What waits goes out as one stream."""
        if not self._pack:
            return
        number = self.number()
        index, extent = [], 0
        for place, (each, value) in enumerate(self._pack):
            index.append(b"%d %d" % (each, extent))
            extent += len(value) + 1
            self._enter(each, IN_PACK, number, place)
        first = b" ".join(index) + b"\n"
        self._enter(number, IN_PLACE, self._out.tell(), 0)
        content = first + b"\n".join(value for _, value in self._pack)
        self._put_packed(number, b"/Type /ObjStm /N %d /First %d" % (len(self._pack), len(first)), content)
        self._pack = []

    def _put_packed(self, number: int, head: bytes, content: bytes) -> None:
        packed = zlib.compress(content)
        self.put_stream(number, b"<< %s /Filter /FlateDecode /Length %d >>" % (head, len(packed)), packed)

    def _enter(self, number: int, *fields: int) -> None:
        entry = b"".join(field.to_bytes(size, "big") for field, size in zip(fields, FIELDS, strict=True))
        self._table[number * len(entry) : (number + 1) * len(entry)] = entry


class Copy:
    """Objects of an open PDF on their way into another one: those that were asked for, and all that these lead to."""

    def __init__(self, pdf: Any, out: PdfWriter, known: Mapping[int, int]) -> None:
        self._pdf, self._out = pdf, out
        self._numbers = dict(known)  # here and there; what is known from the beginning is not copied
        self._waiting: list[int] = []

    def value(self, thing: Any) -> bytes:
        """A value as it stands in the other file; an object is a reference there."""
        return self._renumbered(thing.unparse())

    def contents(self, thing: Any) -> bytes:
        """A value as it stands there, itself."""
        return self._renumbered(thing.unparse(resolved=True))

    def finish(self) -> None:
        """Write all that was referred to."""
        while self._waiting:
            here = self._waiting.pop()
            each, there = self._pdf.get_object(here, 0), self._numbers[here]
            if pdf_objects.is_stream(each):
                self._out.put_stream(there, self._renumbered(each.stream_dict.unparse()), each.read_raw_bytes())
            else:
                self._out.put(there, self.contents(each))

    def _renumbered(self, value: bytes) -> bytes:
        return _REFERENCE.sub(lambda match: b"%d 0 R" % self._there(int(match[1])) if match[1] else match[0], value)

    def _there(self, here: int) -> int:
        if here not in self._numbers:
            self._numbers[here] = self._out.number()
            self._waiting.append(here)
        return self._numbers[here]
