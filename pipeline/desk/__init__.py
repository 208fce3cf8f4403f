"""The desk: the whole tool in a browser on this machine, and every misreading mended with a click.

shelf       the books: what is read of each, and read again where a person changed it
things      what was read, as the page shows it
review      what a person looks at first
acts        a click -> an override in words that the next release is found by
toml_edits  writes overrides.toml and book.toml
make        products, change sheets, handouts; jobs: work that takes longer than a second
forms       the form for an event
api         what the page may ask for
server      the door: this machine, our token, our own page
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pipeline.desk.api import Api
from pipeline.desk.server import Server
from pipeline.desk.shelf import Shelf
from pipeline.errors import OutputError


def desk(
    folder: Path | None, only: str, *, root: Path, output: Path, port: int = 0, opened: Callable[[str], None]
) -> None:
    """Serve until interrupted; ``opened`` is told the address once it is there."""
    shelf = Shelf(root, output)
    start = shelf.open(folder, only) if folder is not None else None
    api = Api(shelf, start)
    try:
        server = Server(api, port)
    except OSError as error:
        api.close()
        raise OutputError(f"the desk cannot be opened ({error.strerror})", where=f"port {port}",
                          hint="choose another with --port, or none") from None  # fmt: skip
    try:
        opened(server.address)
        server.serve_forever(poll_interval=0.2)
    finally:
        server.server_close()
        api.close()
