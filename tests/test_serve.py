"""serve: that one page, to whoever asks, and nothing else."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import serve
from pipeline.cli import main

ROOT = Path(__file__).parent.parent
PAGE = "<!doctype html><title>Ça</title>".encode()


@pytest.fixture
def running() -> Iterator[serve.Running]:
    with serve.server(PAGE, "127.0.0.1") as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def asked(running: serve.Running, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", running.server_address[1])
    connection.request(method, path, headers=headers)
    return connection.getresponse()


def test_the_page_and_nothing_else(running: serve.Running) -> None:
    answer = asked(running, "GET", "/")
    assert (answer.status, answer.read(), answer.headers["Content-Type"]) == (200, PAGE, "text/html; charset=utf-8")
    assert asked(running, "HEAD", "/web.html?q=x").status == 200
    assert asked(running, "GET", "/", **{"If-None-Match": answer.headers["ETag"]}).status == 304
    for path in ("/../etc/passwd", "/book.toml", "/web.html/..", "/%2e%2e/x"):
        assert asked(running, "GET", path).status == 404, path
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert asked(running, method, "/").status == 501, method


def test_the_address_is_a_code_that_can_be_read() -> None:
    lines = serve.qr_in_blocks("http://192.168.1.7:8080/").splitlines()
    assert len({len(line) for line in lines}) == 1 and 2 * len(lines) in (len(lines[0]), len(lines[0]) + 1)
    assert set("".join(lines)) == {"█", "▀", "▄", " "}
    assert set(lines[0][:20]) == {"█"} and lines[1].startswith("██ ▄▄▄▄▄ █")  # the quiet zone, then a corner mark


def test_books_events_and_pages_are_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "web.html"
    page.write_bytes(PAGE)
    for name in (str(page), str(ROOT / "sources/brass-orrery"), str(ROOT / "sources/brumes-d-argance/event.toml")):
        assert main(["serve", name, "--once", "--address", "127.0.0.1", "-q"]) == 0
        said = capsys.readouterr().out
        assert "http://127.0.0.1:" in said and "▀" in said
    assert main(["serve", str(ROOT / "README.md"), "--once"]) == 2
    assert "is no book" in capsys.readouterr().err


def test_a_port_that_is_taken_is_one_line(running: serve.Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "web.html").write_bytes(PAGE)
    port = str(running.server_address[1])
    assert main(["serve", str(tmp_path / "web.html"), "--address", "127.0.0.1", "--port", port, "--once"]) == 5
    assert "choose another --port" in capsys.readouterr().err
