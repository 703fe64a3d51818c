from typing import final

from ..base.board import Board
from ..value.evaluator import Evaluator

TERMS: tuple[tuple[str, int], ...]

@final
class ChessEvaluator(Evaluator):
    """Raises TypeError for a board of another game."""

    discount: bool  # whether the score is divided by mating potential
    def __new__(cls, discount: bool = True) -> ChessEvaluator: ...
    def evaluate_cp(self, board: Board) -> int:
        """Centipawns, side to move's view."""
    def forecast_code(self, board: Board) -> int: ...
    def confinement_cp(self, board: Board) -> int:
        """Chances to reach the lower goal in a drawn ending: centipawns, side to move's view."""
    def trace(self, board: Board) -> list[tuple[str, int, int, int]]:
        """(term, middlegame, endgame, tapered) in centipawns, White's minus Black's; the total comes last."""
    def potential(self, board: Board) -> int:
        """Divisor by mating potential: 1, 2, 4 or 8."""
    def coefficients(self, board: Board) -> tuple[bytes, bytes, int, int]:
        """Counts by weight, units of attack on each king (both int16), phase (0 to 24), scale (0 to 64); for tuning."""
    def copy(self) -> ChessEvaluator:
        """An evaluator for another worker."""
