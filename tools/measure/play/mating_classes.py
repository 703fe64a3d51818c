"""Compares the evaluation of small endgames with tables or another engine, over random positions.

    ./standstill tables --path DIR build --men 4
    python -P tools/measure/play/mating_classes.py DIR [CLASS ...] [--positions 400] [--judge stockfish --nodes 100000]
    python -P tools/measure/play/mating_classes.py DIR [CLASS ...] --syzygy

A class is named after White's and Black's pieces without kings, as in ``BB-P``; ``bb`` are two bishops on squares of
one colour, ``BB`` on squares of both. Positions of up to four pieces are won if the tables of the folder say so: for
R-Mobility tables, a win is a forced mate. With ``--syzygy`` the folder has Syzygy tables, which the judge then probes
as well. With more pieces the judge decides, if given; a score of two pawns or more counts as a win. Positions are quiet
(no check, no possible capture). Only positions that the network scores as better for White count, because the divisor
is for the leader.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.engine.network.loading import load
from standstill.engine.network.shipped import path_of
from standstill.engine.tablebases.adjudication import Adjudicator
from standstill.engine.variants.boards import new_board

CLASSES = (
    *("N-P", "B-P", "R-P", "Q-P", "R-N", "R-B", "R-R", "Q-R", "Q-B", "Q-N", "Q-Q", "B-N", "N-N", "B-B"),
    *("NP-", "BP-", "RP-", "PP-", "P-P", "P-N", "P-B", "P-R", "P-Q"),
    *("bb-P", "BB-P", "NN-P", "BN-P", "bb-N", "bb-B", "bb-R", "BB-N", "BB-B", "RB-R", "RN-R", "QB-Q"),
    *("bbb-P", "bb-PP", "N-PP", "B-PP", "R-PP", "PP-N", "PP-B", "PPP-B", "NP-N", "NP-B", "BP-N", "BP-B"),
    *("RP-R", "RP-B"),
    *("bbP-N", "bbP-B", "bbP-P", "NNP-N", "NNP-P", "BBP-N", "BBP-B", "bbbP-N", "NP-NP", "BP-BP", "RNP-RN"),
)
WON_CP = 200
MATE = 127  # the table's outcome for a forced mate


def armies(name: str) -> tuple[str, str]:
    white, black = name.split("-")
    return white, black


def fits_shades(board: chess.Board, name: str) -> bool:
    """Return whether White's bishops stand on squares of one colour for ``bb``, of both for ``BB``."""
    white, _ = armies(name)
    bishops = board.pieces(chess.BISHOP, chess.WHITE)
    if len(bishops) < 2:
        return True
    both = bool(bishops & chess.BB_LIGHT_SQUARES) and bool(bishops & chess.BB_DARK_SQUARES)
    return both != ("b" in white)


def is_quiet(board: chess.Board) -> bool:
    for turn in chess.COLORS:
        other = board.copy(stack=False)
        other.turn = turn
        if other.is_check() or any(other.generate_legal_captures()):
            return False
    return True


def random_position(rng: random.Random, name: str) -> chess.Board:
    """Return a quiet legal position of the class. Pawns stand on legal ranks."""
    white, black = armies(name)
    symbols = ["K", *white.upper(), "k", *black.lower()]
    while True:
        board = chess.Board(None)
        for square, symbol in zip(rng.sample(range(64), len(symbols)), symbols, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves) and fits_shades(board, name) and is_quiet(board):
            return board


class Syzygy:
    """Syzygy tables; a win that the 50-move rule prevents does not count."""

    def __init__(self, folder: str):
        self._tables = chess.syzygy.open_tablebase(folder)

    def is_won(self, board: chess.Board) -> bool | None:
        """Return None for a class without a table."""
        value = self._tables.get_wdl(board)
        return None if value is None else (value if board.turn else -value) == 2


class Outcomes:
    """R-Mobility tables, whose best outcome is a forced mate."""

    def __init__(self, folder: str):
        self._tables = Adjudicator([folder])

    def is_won(self, board: chess.Board) -> bool | None:
        """Return None for a class without a table."""
        value = self._tables.value(new_board(board.fen()), None)
        return None if value is None else value.outcome == MATE


class Oracle:
    """Decides whether a position is won for White."""

    def __init__(self, tables: Syzygy | Outcomes, engine: chess.engine.SimpleEngine | None, nodes: int):
        self._tables, self._engine = tables, engine
        self._limit = chess.engine.Limit(nodes=nodes)

    def is_won(self, board: chess.Board) -> bool | None:
        """Return whether White wins, or None if that is unknown."""
        won = self._tables.is_won(board)
        if won is not None or self._engine is None:
            return won
        score = self._engine.analyse(board, self._limit)["score"].white()
        return score.score(mate_score=100_000) >= WON_CP


def row(name: str, oracle: Oracle, evaluator: NetworkEvaluator, positions: int, seed: int) -> str:
    rng = random.Random(f"{seed} {name}")
    said: dict[bool | None, list[int]] = {True: [], False: [], None: []}
    divisors: Counter[int] = Counter()
    tried = led = 0
    while led < positions and tried < 20 * positions:
        tried += 1
        board = random_position(rng, name)
        ours = new_board(board.fen())
        sign = 1 if board.turn else -1
        if sign * evaluator.network_cp(ours) <= 0:
            continue
        led += 1
        divisors[evaluator.potential(ours)] += 1
        said[oracle.is_won(board)].append(sign * evaluator.evaluate_cp(ours))
    won, drawn, unknown = said[True], said[False], said[None]
    share = f"{100 * len(won) / led:.0f} %" if led and not unknown else ""
    ways = ", ".join(f"{divisor}" for divisor, _ in divisors.most_common())
    return (
        f"| {name} | {100 * led / tried:.0f} % | {ways} | {share} | {mean(won)} | {mean(drawn + unknown)} "
        f"| {largest(drawn + unknown)} |"
    )


def mean(values: list[int]) -> str:
    return f"{sum(values) / len(values):.0f}" if values else ""


def largest(values: list[int]) -> str:
    """Format the 95th percentile of the values."""
    return f"{sorted(values)[19 * len(values) // 20]}" if values else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("classes", nargs="*", default=CLASSES, metavar="CLASS")
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--syzygy", action="store_true", help="the folder has Syzygy's tables")
    parser.add_argument("--judge", help="an engine for more than four pieces")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    path = path_of("")
    assert path is not None
    evaluator = NetworkEvaluator(load(path))
    with contextlib.ExitStack() as stack:
        engine = None
        if options.judge:
            engine = stack.enter_context(chess.engine.SimpleEngine.popen_uci(options.judge))
            if options.syzygy:
                engine.configure({"SyzygyPath": options.folder})
        tables = (Syzygy if options.syzygy else Outcomes)(options.folder)
        oracle = Oracle(tables, engine, options.nodes)
        print("| class | White leads | divisors | won | cp if won | cp if not won | one of twenty above |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for name in options.classes:
            print(row(name, oracle, evaluator, options.positions, options.seed), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
