"""What the server refuses: requests without the token or from foreign pages; large, slow and malformed requests."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import standstill
from tests import forked
from tests.uci.client import PATIENCE_S

from .conftest import Site, served

pytest.importorskip("uvicorn")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/catalogue", {}, 200),
        ("/api/catalogue", {"host": "localhost:{port}"}, 200),
        ("/play", {"authorization": None}, 200),  # pages have no secrets: browsers do not send the fragment
        ("/api/catalogue", {"authorization": None}, 401),
        ("/api/catalogue", {"authorization": "Bearer "}, 401),
        ("/api/catalogue", {"authorization": "Bearer {token}x"}, 401),
        ("/api/catalogue", {"authorization": "Basic {token}"}, 401),
        ("/api/catalogue", {"authorization": "Bearer \xff"}, 401),
        ("/api/catalogue?token={token}", {"authorization": None}, 401),
        ("/api/catalogue", {"cookie": "token={token}", "authorization": None}, 401),
        ("/play", {"host": "127.0.0.1"}, 421),
        ("/play", {"host": "127.0.0.1:1"}, 421),
        ("/play", {"host": "evil.example:{port}"}, 421),
        ("/play", {"host": "127.0.0.1:{port}.evil.example"}, 421),
        ("/api/catalogue", {"origin": "http://127.0.0.1:{port}"}, 200),
        ("/api/catalogue", {"origin": "http://127.0.0.1"}, 403),
        ("/api/catalogue", {"origin": "https://127.0.0.1:{port}"}, 403),
        ("/api/catalogue", {"origin": "null"}, 403),
        ("/api/catalogue", {"origin": "http://localhost:{port}"}, 403),
        ("/api/catalogue", {"sec_fetch_site": "same-origin"}, 200),
        ("/api/catalogue", {"sec_fetch_site": "cross-site"}, 403),
        ("/api/catalogue", {"sec_fetch_site": "same-site"}, 403),
        ("/static/../app.py", {}, 404),
        ("/static/%2e%2e/app.py", {}, 404),
        ("/static/..%2fapp.py", {}, 404),
        ("/static//etc/passwd", {}, 404),
        ("/static/board.js%00", {}, 404),
        ("/static/\\..\\app.py", {}, 404),
        ("/api/games/x", {}, 404),
        ("/nothing", {}, 404),
        ("/" + "a" * 5000, {}, 404),
    ],
)
def test_who_may_ask_what(site: Site, path: str, headers: dict, status: int) -> None:
    filled = {name: value and value.format(port=site.port, token=site.token) for name, value in headers.items()}
    assert site.ask("GET", path.format(token=site.token), **filled)[0] == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "FOO"])
def test_other_methods_are_refused(site: Site, method: str) -> None:
    assert site.ask(method, "/api/games")[0] in (400, 405)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", {}, 201),
        (b"{}", {"content_type": "text/plain"}, 415),
        (b"{}", {"content_type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"content_type": None}, 415),
        (b"{}", {"content_type": "application/json; charset=utf-8"}, 201),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[" * 100_000, {}, 400),
        (b'{"game": 7}', {}, 400),
        (b'{"game": "no such game"}', {}, 400),
        (b'{"game": "chess960", "number": 960}', {}, 400),
        (b'{"game": "chess960"}', {}, 400),
        (b'{"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}', {}, 400),
        (b'{"white": {"engine": true, "level": 9000}}', {}, 400),
        (b'{"white": {"engine": "yes"}}', {}, 400),
        (b'{"clock": {"base": 0}}', {}, 400),
        (b'{"clock": {"base": -1}}', {}, 400),
        (b'{"clock": {"base": true}}', {}, 400),
        (b'{"clock": []}', {}, 400),
        (b'{"mode": "Decisive", "komi": "G9000"}', {}, 400),
        (b'{"moves": ["e2e5"]}', {}, 400),
        (b'{"moves": [1]}', {}, 400),
        (b'{"game": "x", "definition": "no file"}', {}, 400),
        (b" " * ((1 << 20) + 1), {}, 413),
    ],
)
def test_bodies(site: Site, body: bytes, headers: dict, status: int) -> None:
    try:
        found, text = site.ask("POST", "/api/games", body, **headers)
    except ConnectionError:  # the server closes without reading too long a body, and its answer may get lost
        assert status == 413
        return
    assert found == status
    if status == 400:
        assert re.fullmatch(r'\{"error":"[^\n]{10,300}"\}', text)
    assert "Traceback" not in text


def talk(port: int, data: bytes) -> bytes:
    """The server's answer to these bytes; empty if it resets the connection."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as connection:
        answer = b""
        with contextlib.suppress(OSError):  # shutdown fails with ENOTCONN if the server has closed already
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                answer += part
    return answer


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        b"GET /play HTTP/1.1\r\n\r\n",
        b"GET /play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n",
        b"GET /play HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_malformed_requests_are_answered_by_an_error(site: Site, data: bytes) -> None:
    answer = talk(site.port, data.replace(b"{port}", str(site.port).encode()))
    assert re.match(rb"HTTP/1\.1 4\d\d |$", answer)
    assert site.ask("GET", "/api/catalogue")[0] == 200


def test_chunks_cannot_exceed_the_size(site: Site) -> None:
    head = (
        f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nAuthorization: Bearer {site.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as connection:
        connection.sendall(head.encode())
        try:
            for _ in range(17):
                connection.sendall(chunk)
            connection.sendall(b"0\r\n\r\n")
        except ConnectionError:
            pass  # refused before the end of the body
        else:
            assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")
    assert site.ask("GET", "/api/catalogue")[0] == 200


def test_many_slow_connections_leave_room_for_the_user(site: Site) -> None:
    slow = [socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) for _ in range(200)]
    try:
        for number, connection in enumerate(slow):
            connection.sendall(b"GET /play HTTP/1.1\r\nHost"[: number % 25 + 1])
        game = site.begin()
        assert site.post(f"/api/games/{game['id']}/move", {"move": "e4"}) is None
        assert len(site.get(f"/api/games/{game['id']}")["plies"]) == 1
    finally:
        for connection in slow:
            connection.close()


# A server with a short timeout, which prints its port.
IMPATIENT = """
import sys
from standstill.engine.play.session import Session
from standstill.engine.web import guard, server
server.HEAD_PATIENCE_S = guard.PATIENCE_S = 0.1
found = server.WebServer(Session)
found.run(lambda: print(found.port, found.token, flush=True))
"""


def test_slow_requests_are_ended() -> None:
    command = [sys.executable, "-P", "-c", IMPATIENT]
    paths = {"PYTHONPATH": str(Path(standstill.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=paths) as process:
        try:
            port, token = process.stdout.readline().split()
            head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            for data in ("", "GET /pl", f"{head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"):
                with socket.create_connection(("127.0.0.1", int(port)), PATIENCE_S) as connection:
                    connection.sendall(data.encode())
                    answer = b"".join(iter(lambda: connection.recv(4096), b""))
                assert answer[9:12] == (b"408" if data.startswith("POST") else b"")
        finally:
            process.terminate()


def test_the_start_loads_no_page() -> None:
    """What a page needs is loaded by its first request; python-chess alone takes a fifth of the time to the start."""
    program = "import sys, standstill.engine.web.server; print(*sys.modules)"
    paths = {"PYTHONPATH": str(Path(standstill.__file__).parents[1])}
    loaded = set(subprocess.check_output([sys.executable, "-P", "-c", program], env=paths, encoding="utf-8").split())
    assert "standstill.engine.web.app" in loaded
    slow = ("chess", "jinja2", "sqlite3", *(f"standstill.engine.{name}" for name in ("annotate", "correspondence")))
    assert loaded.isdisjoint(slow)


def test_answers_forbid_what_the_pages_do_not_need(site: Site) -> None:
    data = f"GET /play HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nConnection: close\r\n\r\n".encode()
    head, _, body = talk(site.port, data).partition(b"\r\n\r\n")
    headers = dict(re.findall(r"^([\w-]+): (.*?)\r?$", head.decode(), re.MULTILINE))
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers and "set-cookie" not in headers and "server" not in headers
    text = body.decode()
    assert not re.search(r"https?://(?!www\.w3\.org/)|<script(?! type=\"module\" src)|\bon\w+=|\bstyle=", text)


def test_the_token_is_in_no_list_of_processes(executable: Path, tmp_path: Path) -> None:
    """The browser's command line has only the address of a file that only this user can read."""
    told = tmp_path / "told"
    program = tmp_path / "browser"
    script = 'f="${1#file://}"\n{ echo "$1"; stat -c %a "${f%/*}"; cat "$f"; }'
    program.write_text(f"#!/bin/sh\n{script} >{told}.new\nmv {told}.new {told}\n")
    program.chmod(0o755)
    with served(executable, browser=program) as site:
        end = time.monotonic() + PATIENCE_S
        while not told.exists() and time.monotonic() < end:
            time.sleep(0.02)
        name, mode, *page = told.read_text().splitlines()
        assert site.token not in name and mode == "700"
        assert f"url={site.address}" in "".join(page)
        status = Path(f"/proc/{site.process.pid}")
        assert site.token.encode() not in (status / "cmdline").read_bytes() + (status / "environ").read_bytes()
    assert not Path(name.removeprefix("file://")).exists()


def test_bad_options_are_refused_in_one_line(executable: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("no definitions\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for options in (["nothing"], ["--port", port], ["--file", bad], ["--file", tmp_path / "none"], ["--idle", "x"]):
            done = forked.run([executable, "web", "--no-open", *options])
            assert done.returncode == 2 and not done.stdout, options
            assert re.fullmatch(rb"standstill: [^\n]+\n", done.stderr), options


def test_it_ends_when_idle(executable: Path) -> None:
    done = forked.run([executable, "web", "--no-open", "--idle", "100ms"])
    assert done.returncode == 0 and done.stdout.startswith(b"The pages are at ") and not done.stderr
