"""Servers that answer slowly but are never silent for long: one deadline ends the whole exchange."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from standstill.engine.correspondence.servers.xfcc import Made, Server, XfccError, XfccUncertain
from tests.correspondence.xfcc_server import PASSWORD, USER

LONGEST_S = 1.0
# Many times the deadline. Without a deadline an exchange would last this long, and end with another error.
GIVE_UP_S = 20.0
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n"

# What a server sends at once, and then repeatedly.
WAYS = {
    "a status line": (b"HTTP/1.1 200 ", b"x"),
    "headers": (HEAD, b"X-Wait: yes\r\n"),
    "a header without an end": (HEAD + b"X-Wait: ", b"x"),
    "answers to come": (b"", b"HTTP/1.1 103 Early Hints\r\nX-Wait: yes\r\n\r\n"),
    "a body of a known length": (HEAD + b"Content-Length: 100000\r\n\r\n", b" "),
    "a body in pieces": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "a body until the end": (HEAD + b"\r\n", b" "),
    "a packed body": (HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x10\0\0\0\0\0\0", b"x"),  # gzip comment
    "a redirection": (b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 100000\r\n\r\n", b" "),
}
HANDSHAKE = b"\x16\x03\x03\x40\x00", b"\x02"  # a TLS record, sent byte by byte


class SlowServer:
    """Reads the client's bytes, and sends some bytes every twentieth of a second."""

    def __init__(self, first: bytes, again: bytes) -> None:
        self._first, self._again = first, again
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        try:
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()
        except OSError:
            return

    def _talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(1 << 16)
                connection.sendall(self._first)
                for _ in range(round(GIVE_UP_S / 0.05)):
                    time.sleep(0.05)
                    connection.sendall(self._again)
            except OSError:
                return

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> Iterator[SlowServer]:
    server = SlowServer(*request.param)
    yield server
    server.close()


each_way = pytest.mark.parametrize("slow", WAYS.values(), ids=WAYS, indirect=True)


@pytest.mark.sampled(3)
@each_way
def test_asking_for_games_ends(slow: SlowServer) -> None:
    server = Server(f"http://127.0.0.1:{slow.port}/", USER, PASSWORD, LONGEST_S)
    with pytest.raises(XfccUncertain, match=r"an answer that takes longer than 1 s$"):
        server.games()


@pytest.mark.sampled(3)
@each_way
def test_sending_a_move_ends_and_may_have_succeeded(slow: SlowServer) -> None:
    server = Server(f"http://127.0.0.1:{slow.port}/", USER, PASSWORD, LONGEST_S)
    with pytest.raises(XfccUncertain, match=r"an answer that takes longer than 1 s$"):
        server.make(Made("17", 2, "Nf3"))


@pytest.mark.parametrize("slow", [HANDSHAKE], ids=["TLS"], indirect=True)
def test_a_move_that_was_never_sent_is_told_from_one_that_was(slow: SlowServer) -> None:
    """While the connection is not yet encrypted, nothing has been sent."""
    server = Server(f"https://127.0.0.1:{slow.port}/", USER, PASSWORD, LONGEST_S)
    with pytest.raises(XfccError, match=r"cannot be reached: it takes longer than 1 s$") as raised:
        server.make(Made("17", 2, "Nf3"))
    assert not isinstance(raised.value, XfccUncertain)


def test_a_name_that_is_looked_up_without_end_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name look-up cannot be cancelled, so its thread is left behind."""
    release, returned = threading.Event(), threading.Event()

    def look_up(*asked: object, **named: object) -> list[object]:
        release.wait(GIVE_UP_S)
        returned.set()
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(XfccError, match=r"cannot be reached: it takes longer than 1 s$") as raised:
        Server("https://games.example/", USER, PASSWORD, LONGEST_S).games()
    assert not isinstance(raised.value, XfccUncertain)
    assert not returned.is_set()
    release.set()
    assert returned.wait(GIVE_UP_S)


def test_the_deadline_is_two_minutes() -> None:
    assert Server("https://example.org/", USER, PASSWORD)._longest_s == 120
