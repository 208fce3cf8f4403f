"""What may be asked of a guarded child, and how a request is put: the words that ``guard`` and ``worker`` share."""

from __future__ import annotations

import struct

READ = "pipeline.worker:read"
LAID_OUT = "pipeline.worker:laid_out"
REREAD = "pipeline.worker:reread"
# What may be called, and what is worth importing before the fork: nothing else can be asked for.
PRELOAD: dict[str, tuple[str, ...]] = {
    READ: (
        "pypdfium2",
        "pipeline.flow",
        "pipeline.cross_check",
        "pipeline.extract",
        "pipeline.extract.engine",
        "pipeline.extract.ruled",
        "pipeline.structure",
        "pipeline.classify",
    ),
    LAID_OUT: ("pypdfium2", "pipeline.extract", "pipeline.structure"),
    REREAD: ("pipeline.flow", "pipeline.structure", "pipeline.classify", "pipeline.mend.settle"),
    "pipeline.picture:one_page": ("pypdfium2",),
    "pipeline.worker:pictures": ("pypdfium2", "pipeline.extract", "pipeline.structure", "PIL.ImageDraw"),
    "pipeline.pdf_notes:pinned": ("pypdfium2", "pipeline.extract", "pikepdf"),
    "pipeline.unlock:unlocked": ("pikepdf",),
    "pipeline.pdf_notes:measured": ("pypdfium2", "pipeline.extract"),
    "pipeline.render:print_pdf": ("pipeline.render", "pipeline.render.paper", "weasyprint"),
    "pipeline.render.long_print:join_packed": ("pikepdf", "pipeline.render.long_print"),
    "pipeline.sandbox:tried": (),
}
WRITE = ("pipeline.render:print_pdf",)  # what needs a folder for temporary files: Pango reads fonts from there
FULL = 70  # the exit code of a fork without memory
HEAD = struct.Struct("=Q")  # the length of a request stands before it
