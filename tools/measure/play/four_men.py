"""Searches small endgames without tables, and measures by the tables how often a move loses value, and how much.

    ./standstill tables --path DIR build KRvKB KNvKB KNvKN
    python -P tools/measure/play/four_men.py DIR [KRvKB ...] [--nodes 1000000] [--positions 300] [--verbose]

The positions are random legal ones in which not every move keeps the value. White has the pieces named first, and the
record is the goal of the position. Searches are limited by nodes, so the speed of the machine does not matter.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess

from standstill.engine.tablebases.adjudication import Adjudicator
from standstill.engine.variants.boards import new_board
from tests.rmobility.naive import code_of
from tools.measure.play.defence import new_session, search

Record = tuple[int, int]  # (code, owner); the owner is 0 for White


def random_position(rng: random.Random, name: str) -> chess.Board:
    white, black = name.split("v")
    symbols = [*white, *black.lower()]
    while True:
        board = chess.Board(None)
        for square, symbol in zip(rng.sample(range(64), len(symbols)), symbols, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            return board


def values(board: chess.Board, judge: Adjudicator) -> tuple[Record, dict[chess.Move, int]]:
    """Return the record of the position, and the outcome of each move from White's view."""
    record = code_of(board), int(board.turn)
    found = {}
    for move in list(board.legal_moves):
        resets = board.is_zeroing(move)
        board.push(move)
        code = code_of(board)
        after = (code, int(board.turn)) if resets or code < record[0] else record
        value = judge.value(new_board(board.fen()), after)
        assert value is not None, f"no table for {board.fen()}"
        found[move] = value.outcome
        board.pop()
    return record, found


def text(outcome: int) -> str:
    return f"{'' if outcome > 0 else '-'}G{(127 - abs(outcome)) / 2}"


def measure(name: str, judge: Adjudicator, arguments: argparse.Namespace) -> None:
    rng = random.Random(f"{arguments.seed} {name}")
    session = new_session("Decisive")
    asked = kept = 0
    lost: Counter[str] = Counter()
    while asked < arguments.positions:
        board = random_position(rng, name)
        _, moves = values(board, judge)
        best = max(moves.values()) if board.turn else min(moves.values())
        if min(moves.values()) == max(moves.values()):
            continue
        asked += 1
        if asked <= arguments.skip:
            continue
        session.new_game()
        found = search(session, board.fen(), [], arguments.nodes)
        move = chess.Move.from_uci(found.move)
        kept += moves[move] == best
        if moves[move] != best:
            lost[f"{'White' if board.turn else 'Black'}: {text(best)} became {text(moves[move])}"] += 1
            if arguments.verbose:
                right = " ".join(other.uci() for other, value in moves.items() if value == best)
                print(f"{board.fen()}: {move.uci()} {text(moves[move])}, {text(best)} by {right}; said {found.text}")
    asked -= arguments.skip
    print(f"{name} {arguments.nodes}: {kept} of {asked} keep the value, {100 * kept / asked:.1f} %", flush=True)
    for line, count in lost.most_common():
        print(f"  {count} {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables")
    parser.add_argument("names", nargs="*", default=["KRvKB", "KNvKB", "KNvKN"])
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--skip", type=int, default=0, help="positions to skip")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print what went wrong")
    arguments = parser.parse_args()
    judge = Adjudicator([arguments.tables])
    for name in arguments.names:
        measure(name, judge, arguments)


if __name__ == "__main__":
    main()
