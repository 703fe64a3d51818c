"""Positions with one right answer: draws by rule, stalemate, promotion, zugzwang, textbook tactics."""

from __future__ import annotations

import chess
import pytest

from tests.uci.client import Client
from tests.uci.lines import read_answer

NODES = 800_000
PATIENT = 3_000_000  # nodes for a zugzwang that is found late

DRAWN = {
    "perpetual check": "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1",
    "a rook that cannot be taken": "8/6R1/8/8/8/1q6/8/k1K5 w - - 0 1",
    "the wrong bishop": "7k/8/8/8/8/7P/4B3/4K3 w - - 0 1",
    "opposition": "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
    "a mate one ply too late for the fifty moves": "k7/8/2K5/8/8/8/8/6R1 w - - 98 80",
    "bare kings": "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "a knight alone": "8/8/8/3k4/8/8/8/KN6 w - - 0 1",
    "two bishops of one colour": "8/8/8/3k4/8/8/3B4/K1B5 w - - 0 1",
}
# Draws that no rule of material recognises, so that a search needs great depth.
FAR = {"the wrong bishop", "opposition"}
LATE = {"perpetual check"}  # the search needs most nodes for this position

BEST = [
    ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8r"),  # a queen stalemates
    ("8/8/8/8/8/6k1/5p2/5K1Q w - - 0 1", "h1e4"),  # every other move loses the mate
    ("6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1", "h5e8"),  # perpetual check
    ("8/6R1/8/8/8/1q6/8/k1K5 w - - 0 1", "g7a7"),  # capturing it is stalemate
    ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", "g5h6"),  # zugzwang: a null move must not be trusted
    ("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "e1f1"),  # the same (CPW: Zugzwang)
    # Reinfeld, "Win at Chess": 3, 6, 7, 9, 10
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "b6b7"),
    ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "g4e3"),
    *(
        pytest.param(*position, marks=pytest.mark.slow)
        for position in [
            ("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "d6h2"),
            ("2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "h4h7"),
        ]
    ),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("fen", "move"), BEST)
def test_the_best_move_is_found(engine: Client, fen: str, move: str) -> None:
    nodes = PATIENT if move == "e1f1" else NODES
    assert read_answer(engine.search(f"go nodes {nodes}", f"fen {fen}")).move == move


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in LATE else ()) for name in DRAWN if name not in FAR],
)
def test_a_draw_is_worth_nothing(engine: Client, name: str) -> None:
    last = read_answer(engine.search(f"go nodes {NODES}", f"fen {DRAWN[name]}")).last
    assert (last.kind, last.value) == ("cp", 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAR))
def test_a_fortress_is_no_win(engine: Client, name: str) -> None:
    last = read_answer(engine.search(f"go nodes {NODES}", f"fen {DRAWN[name]}")).last
    assert last.kind == "cp"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("clock", "score"), [(0, ("mate", 2)), (97, ("mate", 2)), (98, ("cp", 0)), (99, ("cp", 0)), (100, ("cp", 0))]
)
def test_mate_precedes_the_fifty_moves_if_in_time(engine: Client, clock: int, score: tuple[str, int]) -> None:
    """A mate in two needs three plies. A mate with the hundredth ply is still a mate."""
    last = read_answer(engine.search("go depth 12", f"fen k7/8/2K5/8/8/8/8/6R1 w - - {clock} 80")).last
    assert (last.kind, last.value) == score


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fen", ["7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"])
@pytest.mark.parametrize("go", ["go depth 1", "go depth 2", "go nodes 100"])
def test_the_stronger_side_does_not_stalemate(engine: Client, fen: str, go: str) -> None:
    position = chess.Board(fen)
    position.push_uci(read_answer(engine.search(go, f"fen {fen}")).move)
    assert not position.is_stalemate()


SHUFFLED = " ".join(["b1c1", "d4e4", "c1b1", "e4d4"])
ROOK_ENDING = "8/8/8/8/3k4/8/8/KR6 w - - 0 1"


def test_the_stronger_side_does_not_repeat(engine: Client) -> None:
    """The position has occurred twice; a third occurrence would be a draw."""
    position = chess.Board(ROOK_ENDING)
    for move in f"{SHUFFLED} b1c1 d4e4".split():
        position.push_uci(move)
    answer = read_answer(engine.search("go nodes 50000", f"fen {ROOK_ENDING} moves {SHUFFLED} b1c1 d4e4"))
    position.push_uci(answer.move)
    assert not position.is_repetition(3)


def test_a_repetition_across_a_lost_right_is_none(engine: Client) -> None:
    """The same placement without castling rights is another position."""
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    moves = "h1h2 e8d8 h2h1 d8e8 h1h2 e8d8 h2h1 d8e8"
    position = chess.Board(fen)
    for move in moves.split():
        position.push_uci(move)
    answer = read_answer(engine.search("go depth 6", f"fen {fen} moves {moves}"))
    assert answer.last.value > 0 and chess.Move.from_uci(answer.move) in position.legal_moves
