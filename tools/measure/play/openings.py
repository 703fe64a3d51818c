"""Makes openings for matches: `make openings` rewrites tests/data/openings/balanced.epd and unbalanced.epd.

The engine plays against itself from the usual initial position. It draws each move from the best lines of a short
search, so that openings differ and no move is a blunder. After 8 to 12 half-moves a longer search scores the position,
which must be nearly level, or so unbalanced that neither a win nor a draw is certain. The same seed gives the same
files.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from pathlib import Path

import chess

from standstill.engine.common.info import SearchInfo, is_mate, score_cp
from standstill.engine.common.limits import Limits
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session

EACH = 500
SEED = 20261123
PLIES = 8, 9, 10, 11, 12
LINES = 8
NODES = 8_000
LATE_NODES = 200_000
BALANCED_CP = 25
UNBALANCED_CP = 80, 130
# A move this many centipawns worse than the best is drawn e times less often.
SOFT_CP = 15.0
# In unbalanced lines one move of either side may lose a number of centipawns in this range.
SLIP_CP = 60, 150
FOLDER = Path(__file__).resolve().parents[3] / "tests/data/openings"


class Lines(Listener):
    """Keeps the last finished line of each MultiPV rank."""

    def __init__(self) -> None:
        self.ranks: dict[int, SearchInfo] = {}

    def info(self, info: SearchInfo) -> None:
        self.ranks[info.multipv] = info


class Drawer:
    """Draws openings with one engine."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.session = Session()

    def analysed(self, board: chess.Board, nodes: int, count: int) -> list[tuple[int, chess.Move]]:
        """Return pairs (centipawns for the side to move, move), best first; empty if a mate is in sight."""
        limits, lines = Limits(), Lines()
        limits.nodes = nodes
        self.session.settings["MultiPV"] = count
        self.session.new_game()
        self.session.position(board.fen(), [])
        self.session.go(limits, lines)
        self.session.wait()
        found = [lines.ranks[rank] for rank in sorted(lines.ranks)]
        if any(is_mate(line.score) for line in found):
            return []
        return [(score_cp(line.score), chess.Move.from_uci(line.pv[0])) for line in found]

    def opening(self, slips: bool) -> tuple[chess.Board, int] | None:
        """Return a position and White's score, or None if the game is decided. slips: one move may be a mistake."""
        board = chess.Board()
        plies = self.rng.choice(PLIES)
        slip = self.rng.randrange(2, plies) if slips else -1
        for ply in range(plies):
            found = self.analysed(board, NODES, 4 * LINES if ply == slip else LINES)
            if not found:
                return None
            losses = [found[0][0] - score for score, _ in found]
            weights = [math.exp(-loss / SOFT_CP) for loss in losses]
            if ply == slip:
                weights = [float(SLIP_CP[0] <= loss <= SLIP_CP[1]) for loss in losses]
                if not any(weights):
                    return None
            board.push(self.rng.choices([move for _, move in found], weights)[0])
        found = self.analysed(board, LATE_NODES, 1)
        if board.is_check() or not found:
            return None
        return board, found[0][0] if board.turn else -found[0][0]


def draw(drawer: Drawer, slips: bool, kept: Callable[[int], bool]) -> list[str]:
    """Return EPD lines with the engine's evaluation for the side to move."""
    seen: set[str] = set()
    lines: list[str] = []
    while len(lines) < EACH:
        found = drawer.opening(slips)
        if found is None or not kept(found[1]) or found[0].epd() in seen:
            continue
        board, white_cp = found
        seen.add(board.epd())
        line = chess.Board().variation_san(board.move_stack)
        lines.append(f'{board.epd()} ce {white_cp if board.turn else -white_cp}; c0 "{line}";')
        if len(lines) % 50 == 0:
            print(len(lines), file=sys.stderr)
    return lines


def main() -> None:
    drawer = Drawer(SEED)
    low, high = UNBALANCED_CP
    for name, slips, kept in (
        ("balanced", False, lambda cp: abs(cp) <= BALANCED_CP),
        ("unbalanced", True, lambda cp: low <= abs(cp) <= high),
    ):
        lines = ["# written by tools/measure/play/openings.py", *draw(drawer, slips, kept)]
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.epd").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
