"""The desk's server: on this machine only, for the one who has the address.

Every address begins with a token that is made anew at each start. Host and Origin must be our own, so that no page of
another site reaches the desk, whatever name it gives to 127.0.0.1. A request names books, sources and files; it never
names a path. What comes from a PDF is text for the page, never markup.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import threading
import time
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from pipeline.desk.api import Api, RefusedError
from pipeline.desk.make import LARGEST
from pipeline.errors import RubricatorError
from pipeline.render import fonts
from pipeline.render.words import home

LOOPBACK = "127.0.0.1"
REQUEST = 4 << 20  # bytes of JSON: a form, or the text of a table
PATIENCE = 30.0  # seconds that a connection may be silent
LAST_WORDS = 10.0  # seconds that are waited for what is being answered when the desk is closed
AT_ONCE = 48  # connections: a browser opens six, a hostile page as many as it may
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
         ".png": "image/png", ".otf": "font/otf", ".pdf": "application/pdf", ".json": "application/json"}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A page that we made is shown in a frame without an origin: it can run its own script, and reach nothing.
MADE = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
}  # fmt: skip


class Server(ThreadingHTTPServer):
    """A thread a connection, a few at once; every one ends with the process."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, api: Api, port: int = 0) -> None:
        self.api = api
        self.token = secrets.token_urlsafe(24)
        self.assets = {path.name: path for path in (*(home() / "desk").iterdir(), *fonts.files().values())}
        self._room = threading.BoundedSemaphore(AT_ONCE)
        self.answering = threading.BoundedSemaphore(AT_ONCE)
        super().__init__((LOOPBACK, port), Handler)

    @property
    def names(self) -> tuple[str, ...]:
        """What a browser on this machine may call us."""
        return (f"{LOOPBACK}:{self.server_port}", f"localhost:{self.server_port}")

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def server_close(self) -> None:
        """Nothing new is begun, and what is being written is written to its end."""
        super().server_close()
        until = time.monotonic() + LAST_WORDS
        for _ in range(AT_ONCE):
            self.answering.acquire(timeout=max(0.0, until - time.monotonic()))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no error; what else fails has been told to the page."""


class Handler(BaseHTTPRequestHandler):
    """One request: looked at by the door first, then answered."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE
    server_version, sys_version = "rubricator", ""

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the address holds the token."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_HEAD(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    # ------------------------------------------------------------ the door

    def _answer(self, method: str) -> None:
        try:
            path = self._admitted(method)
            asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            with self.server.answering:
                self._route(method, path, asked)
        except RefusedError as error:
            self._tell(error.status, {"error": str(error)})
        except RubricatorError as error:
            self._tell(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(error), "stale": getattr(error, "stale", False)})
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            self.close_connection = True
        except Exception as error:
            self.close_connection = True
            traceback.print_exc()
            what = f"a bug: {type(error).__name__}: {error} – please report it"
            self._tell(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": what})

    def _admitted(self, method: str) -> str:
        """The path behind the token; a RefusedError for whoever has no business here."""
        self.close_connection = self.close_connection or method != "GET"
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0] not in self.server.names:
            raise RefusedError("this is not the address of the desk", HTTPStatus.MISDIRECTED_REQUEST)
        origins = self.headers.get_all("Origin") or []
        if any(origin not in [f"http://{name}" for name in self.server.names] for origin in origins):
            raise RefusedError("another page may not ask the desk")
        opened = self.headers.get("Sec-Fetch-Dest") == "document" and method == "GET"  # a link in a terminal or a note
        if self.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none") and not opened:
            raise RefusedError("another page may not ask the desk")
        if method != "GET" and not origins:
            raise RefusedError("only the desk's own page may change something")
        parts = urlsplit(self.path).path.split("/", 2)
        token = parts[1] if len(parts) > 1 else ""
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            raise RefusedError("open the whole address that 'rubricator desk' printed")
        path = unquote(parts[2] if len(parts) > 2 else "")
        if ".." in path or "\\" in path or "\0" in path or path.startswith("/"):
            raise RefusedError("there is no such page", HTTPStatus.NOT_FOUND)
        return path

    # ------------------------------------------------------------ answers

    def _route(self, method: str, path: str, asked: Mapping[str, str]) -> None:
        api = self.server.api
        if method == "GET" and path in ("", "index.html"):
            self._asset("desk.html")
        elif method == "GET" and path.startswith("static/"):
            self._asset(path.removeprefix("static/"))
        elif method == "GET" and path in api.pictures:
            self._send(api.pictures[path](asked), ".png", {"Cache-Control": "private, max-age=600"})
        elif method == "GET" and path == "file":
            self._file(asked)
        elif method == "GET" and path in api.gets:
            self._tell(HTTPStatus.OK, api.gets[path](asked))
        elif method == "POST" and path in api.posts:
            self._tell(HTTPStatus.OK, api.posts[path](self._json()))
        elif method == "PUT" and path == "upload":
            self._tell(HTTPStatus.OK, api.upload(asked, self._body(LARGEST)))
        else:
            raise RefusedError("there is no such page", HTTPStatus.NOT_FOUND)

    def _asset(self, name: str) -> None:
        if name not in self.server.assets:
            raise RefusedError("there is no such page", HTTPStatus.NOT_FOUND)
        path = self.server.assets[name]
        self._send(path.read_bytes(), path.suffix)

    def _file(self, asked: Mapping[str, str]) -> None:
        path = self.server.api.file(asked)
        more = {"Content-Security-Policy": MADE}
        if "download" in asked:
            more["Content-Disposition"] = f'attachment; filename="{_header_safe(path)}"'
        self._send(path.read_bytes(), path.suffix.lower(), more)

    def _body(self, most: int) -> bytes:
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            raise RefusedError("how long is it?", HTTPStatus.LENGTH_REQUIRED) from None
        if not 0 <= length <= most:
            raise RefusedError(f"is larger than {most >> 20} MB", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        content = self.rfile.read(length)
        if len(content) != length:
            raise RefusedError("came only in part", HTTPStatus.BAD_REQUEST)
        return content

    def _json(self) -> dict[str, Any]:
        if self.headers.get_content_type() != "application/json":
            raise RefusedError("is no JSON", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        try:
            request = json.loads(self._body(REQUEST))
        except (ValueError, RecursionError):
            raise RefusedError("is no JSON", HTTPStatus.BAD_REQUEST) from None
        if not isinstance(request, dict):
            raise RefusedError("is no JSON object", HTTPStatus.BAD_REQUEST)
        return request

    def _tell(self, status: HTTPStatus, answer: Any) -> None:
        self._send(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"), ".json", status=status)

    def _send(
        self, content: bytes, suffix: str, more: Mapping[str, str] | None = None, status: HTTPStatus = HTTPStatus.OK
    ) -> None:
        kind = TYPES.get(suffix, "application/octet-stream")
        text = kind.startswith("text/") or kind.endswith("json")
        headers = {**HEADERS, "Content-Security-Policy": POLICY, **(more or {})}
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _header_safe(path: Path) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "-", path.name)


