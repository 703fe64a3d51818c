"""Check random states of R-Mobility tables against their moves, by the rules of python-chess.

    python -m tools.measure.tables.states DIR KRRRvK --states 100000

Each state is a random legal position of the class with a random record. Its outcome must be the best outcome of its
moves for the side to move, and its plies must follow from theirs: the side that gains takes the shortest way, and its
opponent the longest. Plies that fall with every move show that the gain is reached. A record that stands needs a move
that keeps it, and no move may gain. Only the reading of the files is shared with the program (`kit/rmobility.py`).
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
import sys
import time
from pathlib import Path
from typing import Any

import chess

KIT = Path(__file__).resolve().parents[3] / "kit" / "rmobility.py"
ALL_BLOCKS = 1 << 16


def reader() -> Any:
    """Return the module of the kit, which keeps every block that it has unpacked."""
    spec = importlib.util.spec_from_file_location("rmobility", KIT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["rmobility"] = module
    spec.loader.exec_module(module)
    vars(module)["_MOST_BLOCKS"] = ALL_BLOCKS
    return module


def random_board(name: str, rng: random.Random) -> chess.Board:
    """Return a random legal position of a class such as KQvKR."""
    men = [(letter, colour) for side, colour in zip(name.split("v"), chess.COLORS, strict=True) for letter in side]
    while True:
        board = chess.Board(None)
        for square, (letter, colour) in zip(rng.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), colour))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def random_record(board: chess.Board, rng: random.Random) -> tuple[int, bool]:
    """Return a record as (code, whether it is White's): in half of the cases the goal of the position itself."""
    own = goal(board)
    return own if own[0] <= 2 or rng.random() < 0.5 else (rng.randrange(2, own[0]), rng.random() < 0.5)


def goal(board: chess.Board) -> tuple[int, bool]:
    """Return twice the number of legal moves, plus one without check, and whether White has reached it."""
    return 2 * board.legal_moves.count() + (not board.is_check()), not board.turn


def fault(kit: Any, tables: Any, board: chess.Board, record: tuple[int, bool]) -> str | None:
    """Return what is wrong with the outcome or the plies of a state."""
    sign = 1 if board.turn else -1

    def look_up(held: tuple[int, bool]) -> tuple[int, int]:
        given = kit.Goal(*held)
        return worth(tables.probe_goal(board, given)), tables.probe_plies(board, given)

    def worth(held: tuple[int, bool]) -> int:
        """The value of a record for the side to move of the state."""
        return sign * (kit.TOP - held[0]) * (1 if held[1] else -1)

    stands = worth(record)
    ways = []
    outcome, plies = look_up(record)
    for move in list(board.legal_moves):
        resets = board.is_zeroing(move)
        board.push(move)
        own = goal(board)
        value, later = look_up(own if resets or own[0] < record[0] else record)
        ways.append((value, later + 1))
        board.pop()
    if not ways:
        expected = (stands, 0)
    else:
        best = max(value for value, _ in ways)
        lengths = [length for value, length in ways if value == best]
        expected = (best, 0 if best == stands else min(lengths) if best > stands else max(lengths))
    return None if (outcome, plies) == expected else f"{(outcome, plies)} instead of {expected}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("classes", nargs="+")
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    for name in words.classes:
        if not re.fullmatch("K[QRBNP]{0,3}vK[QRBNP]{0,3}", name):
            parser.error(f"expected classes such as KQvKR, found {name!r}")
    kit, wrong = reader(), 0
    with kit.open_tablebase(words.folder) as tables:
        for name in words.classes:
            rng, start, faults = random.Random(words.seed), time.process_time(), 0
            for _ in range(words.states):
                board = random_board(name, rng)
                record = random_record(board, rng)
                found = fault(kit, tables, board, record)
                if found:
                    faults += 1
                    print(f"{name}: {board.fen()} {kit.Goal(*record)}: {found}")
            wrong += faults
            print(f"{name}: {words.states:,} states, {faults} wrong, {time.process_time() - start:.0f} s", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
