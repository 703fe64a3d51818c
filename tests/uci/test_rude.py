"""Input that clients should not send: noise of any kind, in any state. The engine survives and stays in step."""

from __future__ import annotations

import contextlib
import os
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from standstill.protocol.loop import Writer, read_lines
from tests.board.support import KIWIPETE
from tests.uci.client import Client
from tests.uci.lines import read_answer

NOISE = {
    "words": b"the quick brown fox\n" * 50,
    "bytes": bytes(range(256)) * 40 + b"\n",
    "high bytes": b"\xff\xfe\xfd\n" * 100,
    "nuls": b"\0" * 5000 + b"\n",
    "broken utf-8": "\u00e9\u20ac\U0001f600".encode() + b"\xc3\n\xe2\x82\n",
    "one long word": b"x" * 1_000_000 + b"\n",
    "a digit": b"7\n",
    "escape codes": b"\x1b[31m\x1b[2J\n",
    "lone carriage returns": b"\r\r\r\n",
    "separators of Unicode": "isr\u2028\u2029\x85\x1c\x1d\n".encode(),
    "half commands": b"posi\ngo\x00depth 3\nucii\nisreadyx\n",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NOISE)
def test_noise_is_survived(engine: Client, name: str) -> None:
    engine.send_bytes(NOISE[name])
    said = engine.synchronise()
    assert not any(line.startswith("bestmove") for line in said)
    assert read_answer(engine.search("go depth 2", "startpos")).move


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NOISE)
def test_noise_does_not_disturb_a_search(engine: Client, name: str) -> None:
    engine.send("go infinite")
    engine.send_bytes(NOISE[name])
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    engine.ask("stop", "bestmove")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NOISE)
def test_noise_before_the_protocol_is_chosen(start, name: str) -> None:
    client = start()
    client.send_bytes(NOISE[name])
    client.ask("uci", "uciok")


def test_a_line_that_comes_in_pieces_is_one(tmp_path: Path) -> None:
    """One read returns at most 65,536 bytes."""
    lines = ["x" * 200_000, "isready", "y" * 100_000, "quit"]
    (tmp_path / "lines").write_text("\n".join(lines))
    source = os.open(tmp_path / "lines", os.O_RDONLY)
    try:
        assert list(read_lines(source)) == lines
    finally:
        os.close(source)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A non-blocking pipe; another program can leave a terminal in this state."""
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):  # closed by the test
            os.close(end)


def test_input_that_does_not_wait_is_waited_for(pipe: tuple[int, int]) -> None:
    source, target = pipe
    lines = read_lines(source)
    writer = threading.Timer(0.05, os.write, (target, b"isready\n"))
    writer.start()
    assert next(lines) == "isready"
    writer.join()
    os.close(target)
    assert list(lines) == []


def test_output_that_does_not_wait_is_waited_for(pipe: tuple[int, int]) -> None:
    source, target = pipe
    text = "x" * 200_000  # more than the pipe holds
    said = threading.Thread(target=Writer(target).write, args=(text,))
    said.start()
    assert next(read_lines(source)) == text
    said.join()


@pytest.mark.parametrize("seed", range(3))
def test_random_bytes(engine: Client, seed: int) -> None:
    noise = random.Random(seed).randbytes(200_000).replace(b"quit", b"quiz")
    engine.send_bytes(noise + b"\nstop\n")
    engine.synchronise()


WORDS = [
    "uci",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "ponder",
    "searchmoves",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "value",
    "Hash",
    "debug",
    "on",
    "off",
    "register",
    "d",
    "eval",
    "flip",
    "e2e4",
    "e7e5",
    "0000",
    "a7a8q",
    "1",
    "2",
    "-1",
    "0",
    "99999999999",
    "true",
    "false",
    "<empty>",
    "-",
    "w",
    "b",
    "KQkq",
    "8/8/8/8/8/8/8/8",
    "é",
    "\x00",
    "perft",
]  # not isready, which the test needs to get back in step


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_words_of_the_protocol_in_any_order(engine: Client, seed: int) -> None:
    """Each line that started a search gets a stop; then the engine is in step again."""
    rng = random.Random(seed)
    for _ in range(120):
        line = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 9)))
        if "perft" in line:
            line = line.replace("99999999999", "2")
        engine.send(line, "stop")
    engine.synchronise()
    engine.send("ucinewgame")
    engine.synchronise()
    engine.send("position startpos")
    assert chess.Move.from_uci(read_answer(engine.search("go depth 2")).move) in chess.Board().legal_moves


def test_a_flood_of_positions_during_a_search(engine: Client) -> None:
    engine.send("go infinite", *[f"position fen {KIWIPETE}", "position startpos"] * 500)
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    engine.ask("stop", "bestmove")


@pytest.mark.slow
def test_a_megabyte_of_moves_in_one_line(engine: Client) -> None:
    engine.send("position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 50_000)
    engine.synchronise()
    assert read_answer(engine.search("go depth 2")).move


def test_a_long_line_of_search_moves(engine: Client) -> None:
    answer = read_answer(engine.search("go depth 2 searchmoves " + "a2a3 " * 20_000, "startpos"))
    assert answer.move == "a2a3"


@pytest.mark.parametrize("count", [50])
def test_new_games_without_end(engine: Client, count: int) -> None:
    for _ in range(count):
        engine.send("ucinewgame", "position startpos", "go nodes 100")
        engine.read_until("bestmove")


# Positions that take the search to its limits.
EDGES = {
    "fifteen queens each": "qqqqqqqq/qqqqqqq1/7k/8/8/K7/1QQQQQQQ/QQQQQQQQ w - - 0 1",
    "many moves": "2QQ1QQ1/Q6Q/2Q5/1Q5Q/3Q1Q2/Q6Q/2Q3Q1/1K2k3 w - - 0 1",
    "all knights": "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
    "bare kings": "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "clock far over": "4k3/8/8/8/8/8/8/R3K3 w Q - 9999 9999",
    "promotions everywhere": "8/PPPPPPPP/8/2k5/8/2K5/pppppppp/8 w - - 0 1",
    "nine pawns": "4k3/pppppppp/p7/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
    "triple check": "4k3/8/5N2/8/1B2R3/8/8/4K3 b - - 0 1",
    "locked": "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", EDGES)
def test_an_odd_position_is_played_or_refused(engine: Client, name: str) -> None:
    """Bad input never causes a crash, and a refusal is one line."""
    fen = EDGES[name]
    engine.send(f"position fen {fen}")
    said = engine.synchronise()
    answer = read_answer(engine.search("go nodes 20000"))
    if said:
        assert len(said) == 1 and answer.move is None  # a refused position is not searched
    else:
        assert chess.Move.from_uci(answer.move) in chess.Board(fen).legal_moves


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", EDGES)
def test_an_odd_position_to_some_depth_with_two_threads(engine: Client, name: str) -> None:
    engine.send("setoption name Threads value 2", f"position fen {EDGES[name]}")
    engine.search("go depth 6 nodes 200000")
