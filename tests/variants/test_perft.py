"""Published counts, counts by Fairy-Stockfish, and chess by definition compared with the bitboard code."""

from __future__ import annotations

import random
import re
import subprocess

import pytest

from standstill.cext.bindings.perft import perft
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import fen, move_text
from standstill.engine.variants.perft import divide

CATALOG = Catalog()
COURIER = "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR w - - 0 1"

# Counts by Fairy-Stockfish 11.1.
COUNTS = {
    ("normal", None): [20, 400, 8902, 197281],
    ("capablanca", None): [28, 784, 25228],
    ("gothic", None): [28, 784, 25283],
    ("janus", None): [28, 782, 24747],
    ("knightmate", None): [18, 324, 6765, 139774],
    ("shatranj", None): [16, 256, 4176, 68122],
    ("makruk", None): [23, 529, 12012, 273026],
    ("seirawan", None): [28, 784, 24830],
    ("great", None): [30, 900, 29010],  # by Sjaak II 1.4.1
    ("torishogi", None): [17, 288, 5430],  # by its library, pyffish 0.0.90
}
# These games have the rules of games in the list below, with other pieces or numbers.
RELATIVES = ("almost", "amazon", "chancellor", "embassy", "gothic", "janus", "modern")
RELATIVES += ("giveaway", "suicide", "codrus", "kinglet", "5check", "threekings", "loop", "chessgi")
# Our name, Fairy-Stockfish's name, a depth, and the start if it differs.
SHARED = [
    ("normal", "chess", 4, None),
    ("nocastle", "nocastle", 4, None),
    ("kingofthehill", "kingofthehill", 4, None),
    ("knightmate", "knightmate", 4, None),
    ("losalamos", "losalamos", 4, None),
    ("shatranj", "shatranj", 4, None),
    ("makruk", "makruk", 4, None),
    ("courier", "courier", 3, COURIER),
    ("capablanca", "capablanca", 3, None),
    ("seirawan", "seirawan", 3, None),
    *((name, name, 3, None) for name in ("ai-wok", "asean", "newzealand", "antichess", "losers", "3check")),
    *((name, name, 3, None) for name in ("hoppelpoppel", "chigorin", "karouk")),
    *((name, name, 3, None) for name in ("extinction", "horde", "racingkings", "shako", "cambodian")),
    ("grand", "grand", 2, None),
    ("crazyhouse", "crazyhouse", 4, None),
    *((name, name, 3, None) for name in ("minixiangqi", "xiangqi", "shogi")),
    *((name, name, 4, None) for name in ("minishogi", "euroshogi", "kyotoshogi", "micro", "gorogoro")),
    *(pytest.param(name, name, 3, None, marks=pytest.mark.slow) for name in RELATIVES),
]


@pytest.mark.parametrize(("name", "start"), COUNTS, ids=[name for name, _ in COUNTS])
def test_published_counts(name: str, start: str | None) -> None:
    board = new_board(start, game=CATALOG.find(name))
    counts = COUNTS[name, start]
    assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts
    assert perft(board, len(counts), bulk=False) == counts[-1]


def fairy_stockfish(program: str, variant: str, positions: list[tuple[str, int]]) -> list[dict[str, int]]:
    """For each (position, depth), the counts of the first moves, from one process."""
    asked = "".join(f"position {position}\ngo perft {depth}\n" for position, depth in positions)
    commands = f"uci\nsetoption name UCI_Variant value {variant}\n{asked}quit\n"
    output = subprocess.run([program], input=commands, capture_output=True, text=True, timeout=60, check=True).stdout
    answers = output.split("Nodes searched: ")
    assert len(answers) == len(positions) + 1
    counts = re.compile(r"^((?:\+?[A-Z]@|[a-l]\d+)[a-l]\d+[\w+-]*): (\d+)$", re.MULTILINE)
    return [{move: int(count) for move, count in counts.findall(answer)} for answer in answers[:-1]]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "variant", "depth", "start"), SHARED)
def test_counts_of_fairy_stockfish(client_program, name: str, variant: str, depth: int, start: str | None) -> None:
    """Count from the start, and to depth two from positions of a random game."""
    board = new_board(start, game=CATALOG.find(name))
    first = f"fen {start}" if start else "startpos"
    asked, counted = [(first, depth)], [dict(divide(board, depth))]
    rng = random.Random(11)
    played = []
    for _ in range(24):
        move = rng.choice(board.legal_moves())
        played.append(move_text(board, move))
        board.push(move)
        if not board.count_legal(1) or board.rule_result():
            break
        if len(played) % 8 == 0:
            asked.append((f"{first} moves {' '.join(played)}", 2))
            counted.append(dict(divide(board, 2)))
    program = client_program("fairy-stockfish")
    for (position, _), ours, theirs in zip(asked, counted, fairy_stockfish(program, variant, asked), strict=True):
        assert ours == theirs, position


def test_chess_by_file_is_chess() -> None:
    """The moves equal those of the bitboard code in every position of random games."""
    game = CATALOG.find("normal")
    for seed in range(20):
        rng = random.Random(seed)
        ours, chess = new_board(game=game), new_board()
        for _ in range(80):
            moves = sorted(move_text(chess, move) for move in chess.legal_moves())
            assert sorted(move_text(ours, move) for move in ours.legal_moves()) == moves, fen(chess)
            assert (ours.checkers, ours.count_legal(), ours.clock) == (chess.checkers, len(moves), chess.clock)
            assert fen(ours) == fen(chess)
            if not moves:
                break
            text = rng.choice(moves)
            for board in (ours, chess):
                board.push(next(move for move in board.legal_moves() if move_text(board, move) == text))
