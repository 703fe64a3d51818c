"""The legal-move counter compared with python-chess, on positions from random games."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.measure.beside.positions import from_random_games
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section

if TYPE_CHECKING:
    import chess

    from standstill.cext.chess.chess_board import ChessBoard

EACH = 24_000  # positions of each kind (orthodox and Chess960): more than a branch predictor learns
SAMPLE = 2_000  # positions of each kind that python-chess counts
SEED = 20260729
LAPS = 64  # passes over all positions in one sample of ours, which then takes about as long as a sample of python-chess
PEER = "python-chess"

# The goals depend on the instructions that this build uses: cext.chess_board.SIMD_LEVEL.
GOALS = {"avx512": 1350.0, "avx2": 1150.0, "neon": 200.0, "portable": 200.0}


@dataclass
class Kind:
    name: str
    boards: list[ChessBoard]
    sample: list[chess.Board]


def measure(repeats: int) -> Section:
    section = Section(
        "counter",
        "legal moves counted without a list",
        f"positions per CPU millisecond, median [range] of {repeats} interleaved repeats; "
        f"{2 * EACH} positions, seed {SEED}; python-chess on {2 * SAMPLE} of them",
    )
    try:
        kinds = [_kind("orthodox", False), _kind("Chess960", True)]
    except ImportError as error:
        section.lines.append(Gap("everything", f"a module does not load: {error}"))
        return section
    kinds.append(Kind("all", kinds[0].boards + kinds[1].boards, kinds[0].sample + kinds[1].sample))
    for kind in kinds:
        section.lines.append(_row(kind, repeats))
    return section


def _kind(name: str, chess960: bool) -> Kind:
    import chess

    from standstill.engine.variants import notation

    boards = from_random_games(EACH, SEED + chess960, chess960)
    sample = [chess.Board(notation.fen(board), chess960=True) for board in boards[:SAMPLE]]
    for ours, theirs in zip(boards, sample, strict=False):
        if ours.count_legal() != theirs.legal_moves.count():
            raise ValueError(
                f"{ours.count_legal()} legal moves, {PEER} counts {theirs.legal_moves.count()}: {theirs.fen()!r}"
            )
    return Kind(name, boards, sample)


def _row(kind: Kind, repeats: int) -> Row:
    from standstill.cext.bindings import perft
    from standstill.cext.chess.chess_board import SIMD_LEVEL

    ours, peers = [], []
    perft.count_many(kind.boards, 1)
    for _repeat in range(repeats):
        before = time.thread_time()
        for board in kind.sample:
            board.legal_moves.count()
        peers.append(len(kind.sample) / (time.thread_time() - before) / 1000)
        _total, used_s = perft.count_many(kind.boards, LAPS)
        ours.append(len(kind.boards) * LAPS / used_s / 1000)
    goal = Goal("ratio", ">=", GOALS[SIMD_LEVEL])
    return Row(f"{kind.name} ({len(kind.boards)})", "1/ms", Figure.of(ours), PEER, Figure.of(peers), (goal,), True)
