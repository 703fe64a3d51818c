"""A running `standstill web`, requests to it, and a browser."""

from __future__ import annotations

import http.client
import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

JSON = "application/json"


class Site:
    """A running server, and the token in its address."""

    def __init__(self, process: forked.Process, address: str):
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(\w+)#token=([\w-]+)", address)
        assert found, address
        self.process, self.address = process, address
        self.port, self.page, self.token = int(found[1]), found[2], found[3]

    def ask(self, method: str, path: str, body: object = None, **headers: str | None) -> tuple[int, str]:
        """Send a request; return status and text. Header names have underscores; None removes a default header."""
        status, data = self.ask_bytes(method, path, body, **headers)
        return status, data.decode()

    def ask_bytes(self, method: str, path: str, body: object = None, **headers: str | None) -> tuple[int, bytes]:
        own = {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {self.token}"}
        if method == "POST":
            own["Content-Type"] = JSON
        told = {**own, **{name.replace("_", "-").title(): value for name, value in headers.items()}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        if method == "POST":
            told.setdefault("Content-Length", str(len(text)))
        for name, value in told.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(text or None)
        response = connection.getresponse()
        found = response.status, response.read()
        connection.close()
        return found

    def get(self, path: str) -> dict:
        status, text = self.ask("GET", path)
        assert status == 200, text
        return json.loads(text)

    def get_error(self, path: str) -> str:
        """The error message for a path that the server refuses."""
        status, text = self.ask("GET", path)
        assert status == 400, text
        return json.loads(text)["error"]

    def post(self, path: str, body: object = None, expected: int = 200) -> dict:
        status, text = self.ask("POST", path, {} if body is None else body)
        assert status == expected, text
        return json.loads(text)

    def begin(self, **setup: object) -> dict:
        """Begin a game, between two people unless the setup names an engine."""
        return self.post("/api/games", setup, 201)


def end(process: forked.Process) -> None:
    """Interrupt a server and wait for its end, unless it has ended."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE_S)
    finally:
        process.kill()


@contextmanager
def served(
    executable: Path,
    *options: object,
    browser: Path | None = None,
    command: str = "web",
    variables: dict[str, str] | None = None,
) -> Iterator[Site]:
    """Run `standstill web`. At the end the server is interrupted and must exit cleanly."""
    words = [executable, command, *options, *(() if browser else ("--no-open",))]
    environment = clean_environment() | {"BROWSER": str(browser), **(variables or {})}
    process = forked.Process(words, env=environment)
    with process.stdin, process.stdout, process.stderr:
        try:
            told = process.stdout.readline().decode()
            yield Site(process, re.fullmatch(r"The pages are at (\S+) until Ctrl-C\.\n", told)[1])
        finally:
            end(process)
        assert (process.returncode, process.stdout.read().strip(), process.stderr.read()) == (0, b"", b"")


@pytest.fixture(scope="module")
def site(executable: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable) as found:
        yield found
