"""One page on the local network: read-only, that one file, to whoever asks; and its address as a QR code."""

from __future__ import annotations

import hashlib
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pipeline.errors import OutputError

ANYWHERE = "192.0.2.1"  # an address of nobody (RFC 5737): the way to it is the way out of this machine
PATIENCE = 10.0  # seconds that a telephone may take to say what it wants
OWN = ("/", "/web.html")
HEADERS = (("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"),
           ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))  # fmt: skip


class Running(ThreadingHTTPServer):
    """The server of one page."""

    daemon_threads = True

    def __init__(self, page: bytes, host: str, port: int) -> None:
        self.page = page
        self.mark = f'"{hashlib.sha256(page).hexdigest()[:32]}"'
        self.host = host or own_address()
        super().__init__((host, port), _Handler)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    """GET and HEAD of that page; nothing else is there, and nothing can be sent."""

    server: Running
    server_version = "Rubricator"
    sys_version = ""
    timeout = PATIENCE

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if self.path.partition("?")[0] not in OWN:
            self.send_error(404)
            return
        if self.headers.get("If-None-Match") == self.server.mark:
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(200)
        for name, value in (*HEADERS, ("Content-Length", str(len(self.server.page))), ("ETag", self.server.mark)):
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(self.server.page)

    def log_message(self, format: str, *args: object) -> None:
        """Who reads what is nobody's business."""


def server(page: bytes, host: str = "", port: int = 0) -> Running:
    """A server that is ready; on all addresses of this machine, or on the one that is named."""
    try:
        return Running(page, host, port)
    except OSError as error:
        where = f"{host or 'this machine'}, port {port}"
        raise OutputError(f"cannot be served ({error.strerror})", where=where, hint="choose another --port") from error


def own_address() -> str:
    """The address of this machine on the network that it reaches others by; itself, where there is none. Nothing is
    sent: a datagram socket only looks up the way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr_in_blocks(url: str) -> str:
    """The address as a QR code of block letters, two rows of squares in a line; dark on light, with its quiet zone."""
    from pipeline.qr import squares

    grid = squares(url, error="l")
    quiet = [[False] * (len(grid) + 4)] * 2
    rows = [*quiet, *([False, False, *row, False, False] for row in grid), *quiet]
    rows += [quiet[0]] * (len(rows) % 2)
    # light squares are drawn: terminals are mostly dark
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    lines = ["".join(signs[top, low] for top, low in zip(*pair, strict=True))
             for pair in zip(rows[::2], rows[1::2], strict=True)]  # fmt: skip
    return "\n".join(lines)
