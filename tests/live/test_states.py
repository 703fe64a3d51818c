"""Everything that the file or server of a running game does, as a table: what happens, and what a watcher is told."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import chess
import chess.pgn
import pytest

from standstill.engine.archive.questions import Questions
from standstill.engine.common import web_client
from standstill.engine.common.errors import ArgumentError
from standstill.engine.live.follower import Follower
from standstill.engine.live.reading import Choice, NoGame, snapshot
from standstill.engine.live.sources import FileSource, SourceError
from standstill.engine.live.web_source import WebSource
from standstill.engine.variants.variant import CHESS
from standstill.engine.web.live.page import LivePage
from standstill.engine.web.live.routes import Live

HEAD = '[Event "Cup"]\n[Round "1"]\n[White "Alpha"]\n[Black "Beta"]\n[Result "*"]\n\n'
OTHER = HEAD.replace('"1"', '"2"').replace("Alpha", "Gamma")
OPENING = "1. e4 {+0.20/12} e5 2. Nf3 Nc6 "
QUESTIONS = Questions()


def told(event) -> str:
    """An event in short: its kind, the last move, and the result or the fault."""
    last, result = event.view.get("last"), event.view.get("result")
    words = [event.kind, last["san"] if last else "", event.text or (result if result not in (None, "*") else "")]
    return " ".join(word for word in words if word)


class Place:
    """A file that a state writes to, and its follower with a clock that only this test moves."""

    def __init__(self, path: Path, choice: Choice):
        self.path = path
        self.follower = Follower(FileSource(str(path), last_only=choice.is_last), QUESTIONS, choice)
        self.now_s = 0.0

    def look(self, times: int = 1) -> list[str]:
        """The events that this number of readings of the source produces."""
        found = []
        for _ in range(times):
            self.now_s += 0.1
            found += [told(event).replace(str(self.path), "FILE") for event in self.follower.step(self.now_s)]
        return found

    def write(self, text: str) -> None:
        self.path.write_bytes(text.encode())

    def add(self, text: str) -> None:
        with self.path.open("ab") as file:
            file.write(text.encode())

    def add_after(self, seconds: float, text: str) -> None:
        self.now_s += seconds
        self.add(text)

    def rename(self, text: str) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(text.encode())
        os.replace(fresh, self.path)


Step = tuple[Callable[[Place], object], int, list[str]]  # what happens, the number of readings after it, their events

STATES: dict[str, list[Step]] = {
    "moves are added": [(lambda at: at.add("3. Bb5 "), 1, ["move Bb5"]), (lambda at: at.add("a6 4. "), 1, ["move a6"])],
    "several moves at once": [(lambda at: at.add("3. Bb5 a6 4. Ba4 "), 1, ["move Bb5", "move a6", "move Ba4"])],
    "a move is cut": [(lambda at: at.add("3. Bb"), 1, []), (lambda at: at.add("5 "), 1, ["move Bb5"])],
    "castling is cut": [
        (lambda at: at.add("3. Bb5 Nf6 4. O-O"), 1, ["move Bb5", "move Nf6"]),
        (lambda at: None, 4, ["move O-O"]),  # no blank follows the move, but the file has stopped growing
    ],
    "a promotion is cut": [
        (lambda at: at.write(HEAD.replace("[Result", '[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n[Result') + "1. a8"), 5,
         ["game"]),
        (lambda at: at.add("=N "), 1, ["move a8=N"]),
    ],
    "a comment is open": [
        (lambda at: at.add("3. Bb5 {[%clk 0:1"), 1, ["move Bb5"]),
        (lambda at: at.add(":02] 4. Ng5} a6 "), 1, ["move a6"]),
    ],
    "a variation is open": [
        (lambda at: at.add("3. Bb5 (3. Bc4 Bc5"), 5, ["move Bb5"]),
        (lambda at: at.add(" (3... Nf6)) a6 "), 1, ["move a6"]),
    ],
    "a result ends the game": [
        (lambda at: at.add("3. Bb5 1/2-1/2\n"), 1, ["move Bb5", "end Bb5 1/2-1/2"]),
        (lambda at: at.add(f"\n{OTHER}"), 5, ["game"]),
        (lambda at: at.add("1. d4 "), 1, ["move d4"]),
    ],
    "the game goes on after its result": [
        (lambda at: at.add("1/2-1/2\n"), 1, ["end Nc6 1/2-1/2"]),
        (lambda at: at.write(f"{HEAD}{OPENING}"), 5, ["back Nc6"]),
        (lambda at: at.add("3. Bb5 1/2-1/2"), 1, ["move Bb5", "end Bb5 1/2-1/2"]),
    ],
    "the last game is removed": [
        (lambda at: at.add(f"1-0\n\n{OTHER}1. d4 "), 5, ["game d4"]),
        (lambda at: at.write(f"{HEAD}{OPENING}1-0\n\n"), 5, ["game Nc6 1-0", "end Nc6 1-0"]),
    ],
    "mate ends the game": [
        (lambda at: at.write(f"{HEAD}1. f3 e5 2. g4 Qh4# "), 5, ["game Qh4# 0-1", "end Qh4# 0-1"]),
    ],
    "the result comes before the moves": [
        (lambda at: at.write(HEAD.replace("*", "1-0") + OPENING), 1, []),
        (lambda at: at.add("3. Bb5 1-0\n"), 1, ["move Bb5", "end Bb5 1-0"]),
    ],
    "lines end with CR LF": [
        (lambda at: at.write(HEAD.replace("\n", "\r\n") + "1. e4 {+0.20/12}\r\ne5 2. Nf3\r\nNc6 3. Bb5\r\n"), 1,
         ["move Bb5"]),
    ],
    "rewritten from nothing": [
        (lambda at: at.write(""), 2, []),
        (lambda at: at.write(HEAD[:30]), 1, []),
        (lambda at: at.write(f"{HEAD}1. e4 "), 1, []),
        (lambda at: at.write(f"{HEAD}{OPENING}3. Bb5 "), 1, ["move Bb5"]),
    ],
    "empty for long": [
        (lambda at: at.write(""), 15, ["fault Nc6 FILE: expected a game, found nothing"]),
        (lambda at: at.write(f"{HEAD}{OPENING}3. Bb5 "), 1, ["good Nc6", "move Bb5"]),
    ],
    "a komi that cannot be read": [
        (lambda at: at.write(HEAD.replace("[Res", '[Komi "3"]\n[Res') + OPENING), 15, ["fault Nc6 FILE: expected a "
         "komi like G3.75 or -G3.75, found '3'; its tags Komi and RMobilityCutOff do not count"]),
        (lambda at: at.add("3. Bb5 "), 15, ["move Bb5"]),
        (lambda at: at.write(HEAD.replace("[Res", '[Komi "G5.25"]\n[Res') + OPENING + "3. Bb5 "), 15, ["good Bb5"]),
    ],
    "replaced by rename": [
        (lambda at: at.rename(f"{HEAD}{OPENING}3. Bb5 "), 1, ["move Bb5"]),
        (lambda at: at.add("a6 "), 1, ["move a6"]),
    ],
    "deleted for a moment": [
        (lambda at: at.path.unlink(), 5, []),
        (lambda at: at.write(f"{HEAD}{OPENING}"), 5, []),
    ],
    "deleted and back": [
        (lambda at: at.path.unlink(), 15, ["fault Nc6 FILE does not exist"]),
        (lambda at: at.write(f"{HEAD}{OPENING}3. Bb5 "), 1, ["good Nc6", "move Bb5"]),
    ],
    "a move is taken back": [
        (lambda at: at.write(f"{HEAD}1. e4 e5 2. Nf3 "), 5, ["back Nf3"]),
        (lambda at: at.add("Nf6 "), 1, ["move Nf6"]),
    ],
    "another game replaces it": [(lambda at: at.write(f"{OTHER}1. c4 "), 5, ["game c4"])],
    "another game, whose moves come without a pause": [
        (lambda at: at.write(f"{OTHER}1. e4 e5 "), 1, []),
        (lambda at: at.add("2. f4 "), 1, []),
        (lambda at: at.add("exf4 "), 1, []),
        (lambda at: at.add_after(0.15, "3. Nf3 "), 1, ["game Nf3"]),
        (lambda at: at.add("g5 "), 1, ["move g5"]),
    ],
    "the same pairing again, without a pause": [
        (lambda at: at.write(f"{HEAD}1. e4 "), 1, []),
        (lambda at: at.add("c5 "), 1, []),
        (lambda at: at.add_after(0.25, "2. Nf3 "), 1, ["back Nf3"]),
    ],
    "tags alone begin a game": [
        (lambda at: at.add(f"1-0\n\n{OTHER.rstrip()}"), 5, ["game"]),
        (lambda at: at.add("\n\n1. d4 "), 1, ["move d4"]),
    ],
    "the same pairing starts again": [
        (lambda at: at.add("0-1\n"), 1, ["end Nc6 0-1"]),
        (lambda at: at.write(f"{HEAD}1. e4 "), 5, ["game e4"]),
    ],
    "an illegal move": [
        (lambda at: at.add("3. Bb5 Qxh2 4. d4 "), 15, ["move Bb5", "fault Bb5 FILE: ply 6: illegal move 'Qxh2'"]),
        (lambda at: at.write(f"{HEAD}{OPENING}3. Bb5 a6 "), 1, ["good Bb5", "move a6"]),
    ],
    "a web page": [
        (lambda at: at.write("<!DOCTYPE html><title>1. e4</title>"), 15,
         ["fault Nc6 FILE: expected PGN, found a web page"]),
    ],
    "UTF-16": [
        (lambda at: at.path.write_bytes(f"{HEAD}{OPENING}3. Bb5 ".encode("utf-16")), 1, ["move Bb5"]),
        (lambda at: at.path.write_bytes(f"{OTHER}1-0\n\n{HEAD}{OPENING}3. Bb5 a6 ".encode("utf-16")[:-1]), 5,
         ["move a6"]),
        (lambda at: at.path.write_bytes(HEAD.encode("utf-32")), 15,
         ["fault a6 FILE: expected text in UTF-8, UTF-16 or Latin-1, found UTF-32"]),
    ],
    "other text": [(lambda at: at.write("not found\n"), 15, ["fault Nc6 FILE: expected PGN, found 'not found'"])],
    "a folder": [
        (lambda at: (at.path.unlink(), at.path.mkdir()), 15, ["fault Nc6 cannot read FILE: is a folder"]),
    ],
    "TCEC's JSON": [
        (lambda at: at.write(json.dumps({
            "Headers": {"Event": "Cup", "Round": "1", "White": "Alpha", "Black": "Beta", "Result": "*"},
            "Moves": [{"m": san, "book": False} for san in ("e4", "e5", "Nf3", "Nc6", "Bb5")],
        })), 1, ["move Bb5"]),
        (lambda at: at.write('{"Headers": {"Event": "Cup", "Ro'), 2, []),
    ],
}  # fmt: skip


@pytest.mark.parametrize("steps", STATES.values(), ids=STATES)
def test_states_of_a_file(tmp_path: Path, steps: list[Step]) -> None:
    at = Place(tmp_path / "game.pgn", Choice())
    at.write(HEAD + OPENING)
    assert at.look(5) == ["game Nc6"]
    for act, readings, expected in steps:
        act(at)
        assert at.look(readings) == expected


EVENT = "".join(f'[White "W{game}"]\n[Black "B{game}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n' for game in range(50))


def test_only_the_end_of_a_long_event_is_read_again(tmp_path: Path) -> None:
    """The file grows as cutechess-cli and fastchess write `-pgnout`, and is then rewritten with other games."""
    at = Place(tmp_path / "event.pgn", Choice())
    at.write(EVENT + HEAD + OPENING)
    assert at.look() == ["game Nc6"]
    assert len(at.follower._text) == len(HEAD + OPENING)
    at.add("3. Bb5 ")
    assert at.look() == ["move Bb5"]
    at.add("1-0\n\n" + OTHER + "1. d4 d5 ")
    assert at.look(5) == ["game d5"]  # the end of the previous game was written at the same moment
    assert at.look(5) == []
    at.write(EVENT.replace("W4", "V4") + HEAD + "1. c4 " + " " * 40)
    assert at.look(5) == ["game c4"]


def test_the_wanted_game_of_a_broadcast(tmp_path: Path) -> None:
    """Several games grow in one file; `--game` chooses by player or number."""
    games = [HEAD.replace("Alpha", name) + f"1. {move} " for name, move in (("Anna", "e4"), ("Berta", "d4"))]
    for choice, first in ((Choice("anna"), "e4"), (Choice("", 2), "d4"), (Choice("BETA"), "d4")):
        at = Place(tmp_path / "round.pgn", choice)
        at.write("\n\n".join(games))
        assert at.look(5) == [f"game {first}"]
        at.write("\n\n".join(game + "Nf6 2. c4 " for game in games))
        assert at.look(5) == ["move Nf6", "move c4"]
    missing = Place(tmp_path / "round.pgn", Choice("Clara"))
    assert missing.look(15) == ["fault FILE: expected a game of 'Clara', found 2 other games"]


@pytest.mark.slow
def test_memory_stays_flat_while_games_follow_each_other(tmp_path: Path) -> None:
    """Once the caches are full, finished games of a long event occupy no memory; a single game needs hundreds of
    blocks."""
    at = Place(tmp_path / "event.pgn", Choice())
    page = LivePage(at.follower)
    at.write("")

    def play(games: range) -> int:
        for game in games:
            at.add(f'\n[White "{game}"]\n[Result "*"]\n\n')
            at.look(5)
            for word in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"):
                at.add(f"{word} ")
                at.look()
            assert page.view()["now"]["played"] == 10
            at.add("1-0\n")
            at.look()
        gc.collect()
        return sys.getallocatedblocks()

    before = play(range(10))
    assert play(range(10, 30)) - before < 300


def test_a_text_may_stop_at_any_byte() -> None:
    """Each prefix of a game's text gives a prefix of its moves, as python-chess reads them."""
    text = (
        '[Event "Caf\u00e9"]\r\n[White "A"]\r\n[Black "B"]\r\n[Result "1/2-1/2"]\r\n\r\n{first} 1. e4 $1 e5 (1... c5'
        " 2. Nf3 (2. c3) {x}) 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4 ; rest\r\n5. Nc3 Nxc3 6. dxc3 1/2-1/2\r\n"
    )
    whole = chess.pgn.read_game(io.StringIO(text))
    moves = [chess.Move.uci(move).replace("e1g1", "e1h1") for move in whole.mainline_moves()]
    longest = 0
    for size in range(len(text.encode()) + 1):
        try:
            found = snapshot(text.encode()[:size], Choice(), whole=False)
        except NoGame:
            assert size < text.index("{first}")
            continue
        assert list(found.moves) == moves[: len(found.moves)], size
        assert len(found.moves) >= longest, size
        assert found.result in ("*", "1/2-1/2")
        assert found.result == "*" or size > text.index(" 1/2-1/2")
        longest = len(found.moves)
    assert longest == len(moves)


# ---- servers ----


class Answer:
    """What the server does with one request."""

    def __init__(self, body: str = "", status: int = 200, length: int | None = None, **headers: str):
        self.body, self.status, self.length = body.encode(), status, length
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Server(ThreadingHTTPServer):
    """Keeps the headers of each request, and gives its next answer; if none is left, closes the connection."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Answer] = []
        self.asked: list[dict[str, str]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append({name.lower(): value for name, value in self.headers.items()})
        if not self.server.answers:
            return
        answer = self.server.answers.pop(0)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) if answer.length is None else answer.length))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as found:
        threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield found
        found.shutdown()


def first(text: str = HEAD + OPENING, **headers: str) -> Answer:
    return Answer(text, **headers)


NEXT = f"{HEAD}{OPENING}3. Bb5 "
ANSWERS: dict[str, tuple[list[Answer], list[str]]] = {
    "a new move": ([first(), first(NEXT)], ["game Nc6", "move Bb5"]),
    "not modified": ([first(ETag='"1"'), Answer(status=304), first(NEXT)], ["game Nc6", "move Bb5"]),
    "not found": (
        [first(), Answer("gone", 404), first(NEXT)],
        ["game Nc6", "fault Nc6 URL: answer 404 Not Found", "good Nc6", "move Bb5"],
    ),
    "an error of the server": (
        [first(), Answer("", 503, Retry_After="3"), first(NEXT)],
        ["game Nc6", "fault Nc6 URL: answer 503 Service Unavailable", "good Nc6", "move Bb5"],
    ),
    "a web page": (
        [first(), Answer("<html>"), Answer("<html>"), first(NEXT)],
        ["game Nc6", "fault Nc6 URL: expected PGN, found a web page", "good Nc6", "move Bb5"],
    ),
    "too few bytes": (
        [first(), Answer(NEXT, length=len(NEXT) + 5), first(NEXT)],
        ["game Nc6", f"fault Nc6 URL: expected {len(NEXT) + 5} bytes, found {len(NEXT)}", "good Nc6", "move Bb5"],
    ),
    "more bytes than said": ([first(), Answer(NEXT, length=len(NEXT) - 5), first(NEXT)], ["game Nc6", "move Bb5"]),
    "no answer": ([first()], ["game Nc6", "fault Nc6 URL: the server closed the connection"]),
    "compressed without being asked": (
        [first(Content_Encoding="gzip")], ["fault URL: expected an answer without compression"],
    ),
    "another game, which grows between any two answers": (
        [first(), first(f"{OTHER}1. d4 "), first(f"{OTHER}1. d4 d5 "), first(f"{OTHER}1. d4 d5 2. c4 ")],
        ["game Nc6", "game d5", "move c4"],
    ),
    "the same game starts again and grows between any two answers": (
        [first(), first(f"{HEAD}1. e4 "), first(f"{HEAD}1. e4 e5 "), first(f"{HEAD}1. e4 e5 2. Nf3 ")],
        ["game Nc6", "back e5", "move Nf3"],
    ),
    "nothing new and no validators": ([first(), first(), first(), first(NEXT)], ["game Nc6", "move Bb5"]),
    "in a circle": (
        [Answer(status=302, Location="/a") for _ in range(6)],
        ["fault URL: answer 302 too many redirections: Found"],
    ),
    "elsewhere": ([Answer(status=302, Location="ftp://example.org/x")],
                  ["fault URL: expected a redirection to https, found 'ftp://example.org/x'"]),
}  # fmt: skip


@pytest.mark.parametrize(("answers", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_states_of_a_server(server: Server, answers: list[Answer], expected: list[str]) -> None:
    server.answers, server.asked = list(answers), []
    address = f"http://127.0.0.1:{server.server_port}/live.pgn?key=secret"
    now = 0.0
    source = WebSource(address, clock=lambda: now)
    follower = Follower(source, QUESTIONS)
    found: list[str] = []
    while len(found) < len(expected) and now < 60:
        now += 1.0
        found += [told(event).replace(source.name, "URL") for event in follower.step(now)]
    assert found == expected
    assert "secret" not in source.name


def test_a_head_that_comes_line_by_line_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line comes soon enough for the timeout of the socket, and a server may send any number of them."""
    monkeypatch.setattr(web_client, "HEAD_S", 0.2)
    stopped = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def trickle() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while not stopped.wait(0.02):
                    connection.sendall(b"X: y\r\n")

        threading.Thread(target=trickle, daemon=True).start()
        with pytest.raises(SourceError, match="expected the head of the answer within"):
            WebSource(f"http://127.0.0.1:{listening.getsockname()[1]}/").read()
        stopped.set()


def test_the_validators_of_the_last_answer_are_sent(server: Server) -> None:
    changed = "Sat, 28 Nov 2026 20:00:00 GMT"
    server.answers = [first(ETag='"7"', Last_Modified=changed), Answer(status=304), first(NEXT, Last_Modified=changed)]
    server.asked = []
    source = WebSource(f"http://127.0.0.1:{server.server_port}/", clock=lambda: 0.0)
    assert [source.read() is not None for _ in range(3)] == [True, False, True]
    server.answers = [Answer(status=304)]
    assert source.read() is None
    sent = [(asked.get("if-none-match"), asked.get("if-modified-since")) for asked in server.asked]
    assert sent == [(None, None), ('"7"', None), ('"7"', None), (None, changed)]


def test_a_server_that_fails_is_asked_less_often(server: Server) -> None:
    """The pauses are 1, 2, 4, 8 and then 10 seconds, or as long as the server asks."""
    server.answers, server.asked = [Answer(status=500) for _ in range(5)], []
    now = 0.0
    follower = Follower(WebSource(f"http://127.0.0.1:{server.server_port}/", clock=lambda: now), QUESTIONS)
    times: list[float] = []
    while now < 40:
        asked = len(server.asked)
        follower.step(now)
        times += [now] if len(server.asked) > asked else []
        now += 1.0
    assert times[:5] == [0, 1, 3, 7, 15]
    server.answers, server.asked = [Answer(status=429, Retry_After="30"), first()], []
    follower = Follower(WebSource(f"http://127.0.0.1:{server.server_port}/", clock=lambda: now), QUESTIONS)
    start = now
    while len(server.asked) < 2:
        follower.step(now)
        now += 1.0
    assert now - 1 - start == 30


REFUSED = ("ftp://example.org/a", "http://", "http://a b/", "https://user:word@example.org/", "http://x:99999/")


@pytest.mark.parametrize("address", [*REFUSED, "file:///etc/passwd"])
def test_addresses_that_are_refused(address: str) -> None:
    for query in ("", "?key=secret"):
        with pytest.raises(ArgumentError, match="expected an address ") as refused:
            WebSource(address + query)
        assert "secret" not in str(refused.value)


# ---- slow servers ----


class SlowServer(ThreadingHTTPServer):
    """Announces the length of its whole answer, and then sends one piece of it for each release."""

    daemon_threads = True

    def __init__(self, text: str, pieces: int) -> None:
        super().__init__(("127.0.0.1", 0), _SlowHandler)
        content = text.encode()
        size = -(-len(content) // pieces)
        self.pieces = [content[at : at + size] for at in range(0, len(content), size)]
        self.length = len(content)
        self.release = threading.Semaphore(0)


class _SlowHandler(_Handler):
    server: SlowServer  # type: ignore[assignment]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(self.server.length))
        self.end_headers()
        for piece in self.server.pieces:
            self.server.release.acquire()
            try:
                self.wfile.write(piece)
            except OSError:  # the reader has closed the connection
                return


@contextmanager
def slow(text: str, pieces: int) -> Iterator[tuple[SlowServer, str]]:
    with SlowServer(text, pieces) as found:
        threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield found, f"http://127.0.0.1:{found.server_port}/live.pgn"
        for _ in range(100):
            found.release.release()
        found.shutdown()


class SteppedClock:
    """Moves forward by one step, and calls ``passed``, whenever it is read."""

    def __init__(self, step_s: float, passed: Callable[[], object]):
        self.now_s, self._step_s, self._passed = 0.0, step_s, passed

    def __call__(self) -> float:
        self.now_s += self._step_s
        self._passed()
        return self.now_s


def test_an_answer_in_many_pieces_is_read_as_one() -> None:
    with slow(HEAD + OPENING, 8) as (server, address):
        source = WebSource(address, clock=SteppedClock(1.0, server.release.release))
        assert [told(event) for event in Follower(source, QUESTIONS).step(0.0)] == ["game Nc6"]


def test_an_answer_that_drips_for_too_long_is_given_up() -> None:
    """A server that sends a few bytes now and then must not hold the follower for ever."""
    with slow(HEAD + OPENING, 60) as (server, address):
        source = WebSource(address, clock=SteppedClock(1.0, server.release.release))
        (event,) = Follower(source, QUESTIONS).step(0.0)
        assert told(event).replace(source.name, "URL") == "fault URL: expected the answer within 20 s"


def test_a_silent_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("standstill.engine.live.web_source._SILENCE_S", 0.05)
    with slow(HEAD + OPENING, 2) as (server, address):
        source = WebSource(address, clock=lambda: 0.0)
        for sent in (0, 1):  # silent from the start, then in the middle of the answer
            for _ in range(sent):
                server.release.release()
            with pytest.raises(SourceError, match="no answer within"):
                source.read()
            source = WebSource(address, clock=lambda: 0.0)


def test_pages_answer_while_the_server_of_the_game_is_slow() -> None:
    """A separate thread reads the source; the page shows the game as soon as the answer has arrived."""

    async def check(server: SlowServer, address: str) -> None:
        live = Live(Follower(WebSource(address), QUESTIONS), lambda: None, 0)  # type: ignore[arg-type, return-value]
        live.start(pytest.fail)
        show = live.routes(lambda handler: handler, lambda: None)[0].endpoint
        events = live.channel.listen("live", {})
        await anext(events)
        assert json.loads((await show(None)).body)["now"] is None  # before the answer has arrived
        server.release.release()
        assert '"san":"Nc6"' in await anext(events)
        assert json.loads((await show(None)).body)["now"]["last"]["san"] == "Nc6"
        await events.aclose()
        await live.close()

    with slow(HEAD + OPENING, 1) as (server, address):
        asyncio.run(check(server, address))


def test_a_search_has_the_moves_of_its_board(tmp_path: Path) -> None:
    """The thread that reads the source adds a move before the loop begins to search the previous position."""
    path, positions, calls = tmp_path / "game.pgn", [], []

    class Thinker:
        session = SimpleNamespace(
            game=CHESS, set_option=lambda *_: None, position=lambda fen, moves: positions.append(list(moves))
        )

        async def search(self, prepare, limits, tell) -> None:
            prepare(self.session)

    async def check() -> None:
        path.write_text(f"{HEAD}{OPENING}")
        follower = Follower(FileSource(str(path), last_only=True), QUESTIONS)
        live = Live(follower, lambda: None, 10)  # type: ignore[arg-type, return-value]
        live._thinker = Thinker()
        loop = SimpleNamespace(call_soon_threadsafe=lambda what, *words: calls.append((what, words)))
        live._look(loop)
        path.write_text(f"{HEAD}{OPENING}3. Bb5 ")
        live._look(loop)
        for what, words in calls:
            what(*words)
            await live._search
        await live.close()

    asyncio.run(check())
    assert [len(moves) for moves in positions] == [4, 5]
