"""Mates: the shortest one is found, announced in full moves, and shown to its end."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import chess
import pytest

from tests.forked import Process
from tests.uci.client import Client
from tests.uci.lines import Answer, read_answer

# (FEN, full moves to mate). Well-known problems and endings. The lengths come from Stockfish 15.1; the tests prove
# those of up to three moves.
MATES = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1),
    ("1k6/8/1K6/8/8/8/8/7R w - - 0 1", 1),
    ("7k/P7/5K2/8/8/8/8/8 w - - 0 1", 2),
    ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
    ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1", 2),
    ("1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1", 2),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
    ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2),  # a queen would stalemate
    ("8/8/8/8/8/3k4/3q4/1K6 b - - 0 1", 2),
    ("k7/8/2K5/8/8/8/8/6R1 w - - 0 1", 2),
    ("8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1", 2),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1", 3),
    ("3r4/pR2N3/2pkb3/5p2/8/2B5/qP3PPP/4R1K1 w - - 1 1", 3),
    ("4r1k1/3n1ppp/4r3/3n3q/Q2P4/5P2/PP2BP1P/R1B1R1K1 b - - 0 1", 3),
    ("8/8/8/8/8/2k5/7r/1K6 b - - 0 1", 3),
    ("B7/K1B1p1Q1/5r2/7p/1P1kp1bR/3P3R/1P1NP3/2n5 w - - 0 1", 2),
    ("r5rk/2p1Nppp/3p3P/pp2p1P1/4P3/2qnPQK1/8/R6R w - - 1 1", 4),
    ("k1K5/8/1P6/8/8/8/8/8 w - - 0 1", 4),
]
MATED = [
    ("8/8/8/8/8/1k6/3q4/K7 w - - 0 1", -1),
    ("2R5/4bppk/1p1p3Q/5R1P/4P3/5P2/r4q1P/7K b - - 0 1", -1),
    ("k7/8/2K5/8/8/8/8/1Q6 b - - 0 1", -1),
]


NODES = 2_000_000  # far more than needed; after a mate is found, deeper iterations are almost free


@pytest.fixture(scope="module")
def solve(executable: Path) -> Iterator[Callable[[str, int], Answer]]:
    """The answer to a position; each position is searched once for all tests."""
    client = Client(Process([executable]))
    client.ask("uci", "uciok")

    @functools.cache
    def solved(fen: str, moves: int) -> Answer:
        client.send("ucinewgame")
        # The longest starts with sacrifices of the queen and a rook, which are searched late.
        nodes = NODES if moves < 4 else 3 * NODES
        return read_answer(client.search(f"go nodes {nodes}", f"fen {fen}"))

    yield solved
    assert not client.end()


def forced(position: chess.Board, moves: int) -> bool:
    """Return whether the side to move can mate in this many moves, by trying all moves."""
    for move in position.legal_moves:
        position.push(move)
        mate = position.is_checkmate() or (
            moves > 1 and not position.is_game_over() and all(answered(position, moves - 1))
        )
        position.pop()
        if mate:
            return True
    return False


def answered(position: chess.Board, moves: int):
    for reply in list(position.legal_moves):
        position.push(reply)
        found = forced(position, moves)
        position.pop()
        yield found


# The mates that take longest to find; others have as many moves.
FAR = {MATES[8], MATES[12], MATES[17], MATES[19]}


def far_ones_slow(mates: Iterable[tuple[str, int]]) -> list[object]:
    return [pytest.param(*mate, marks=pytest.mark.slow) if mate in FAR else mate for mate in mates]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("fen", "moves"), far_ones_slow(MATES + MATED))
def test_the_length_of_the_mate_is_announced(solve, fen: str, moves: int) -> None:
    last = solve(fen, moves).last
    assert (last.kind, last.value) == ("mate", moves)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("fen", "moves"), far_ones_slow(MATES + MATED))
def test_the_variation_is_the_mate(solve, fen: str, moves: int) -> None:
    """The variation is as long as announced, with a mate at its end."""
    pv = solve(fen, moves).last.pv
    position = chess.Board(fen)
    for move in pv:
        position.push_uci(move)
    assert (position.is_checkmate(), len(pv)) == (True, 2 * moves - 1 if moves > 0 else -2 * moves)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("fen", "moves"), far_ones_slow(mate for mate in MATES if mate[1] <= 2))
def test_a_plain_search_confirms_the_best_move(solve, fen: str, moves: int) -> None:
    position = chess.Board(fen)
    position.push_uci(solve(fen, moves).move)
    assert position.is_checkmate() if moves == 1 else all(answered(position, moves - 1))


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "moves"), [mate for mate in MATES if mate[1] == 3])
def test_a_plain_search_confirms_a_mate_in_three(solve, fen: str, moves: int) -> None:
    position = chess.Board(fen)
    position.push_uci(solve(fen, moves).move)
    assert all(answered(position, moves - 1))


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("fen", "moves"), [mate for mate in MATES if mate[1] <= 3])
def test_go_mate_finds_a_mate_of_that_length(engine: Client, fen: str, moves: int) -> None:
    last = read_answer(engine.search(f"go mate {moves} nodes 5000000", f"fen {fen}")).last
    assert last.kind == "mate" and 0 < last.value <= moves


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("fen", "moves"), MATES[:8])
def test_two_threads_find_the_mate(engine: Client, fen: str, moves: int) -> None:
    engine.send("setoption name Threads value 2")
    last = read_answer(engine.search(f"go nodes {NODES}", f"fen {fen}")).last
    assert (last.kind, last.value) == ("mate", moves)


@pytest.mark.parametrize(
    ("fen", "moves"), [MATES[4], *(pytest.param(*mate, marks=pytest.mark.slow) for mate in MATES[5:12])]
)
def test_several_lines_find_the_mate(engine: Client, fen: str, moves: int) -> None:
    engine.send("setoption name MultiPV value 3")
    last = read_answer(engine.search(f"go nodes {NODES}", f"fen {fen}")).last
    assert (last.kind, last.value) == ("mate", moves)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/3k4/8/8/KQ6 w - - 0 1",
        "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        pytest.param("8/8/8/4k3/8/8/3PP3/3K4 w - - 0 1", marks=pytest.mark.slow),
        pytest.param("4k3/8/8/8/8/8/8/K1BB4 w - - 0 1", marks=pytest.mark.slow),
    ],
)
def test_a_won_ending_is_played_to_mate(engine: Client, fen: str) -> None:
    """The engine plays both sides; each position is sent as a client sends it."""
    position = chess.Board(fen)
    moves: list[str] = []
    while not position.is_game_over(claim_draw=True):
        played = f" moves {' '.join(moves)}" if moves else ""
        moves.append(read_answer(engine.search("go nodes 20000", f"fen {fen}{played}")).move)
        position.push_uci(moves[-1])
    assert position.is_checkmate()
