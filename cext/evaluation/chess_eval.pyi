from typing import final

from ..base.board import Board
from ..value.evaluator import Evaluator

TERMS: tuple[tuple[str, int], ...]

@final
class ChessEvaluator(Evaluator):
    """Raises TypeError for a board of another game."""

    discount: bool  # is the score divided by mating potential?
    def __new__(cls, discount: bool = True) -> ChessEvaluator: ...
    def evaluate_cp(self, board: Board) -> int:
        """Centipawns, side to move's view."""
    def forecast_code(self, board: Board) -> int: ...
    def confinement_cp(self, board: Board) -> int:
        """Chances to reach the lower goal in a drawn ending: centipawns, side to move's view."""
    def trace(self, board: Board) -> list[tuple[str, int, int, int]]:
        """(term, White's minus Black's middlegame, endgame, tapered), centipawns, White's view; last the total."""
    def potential(self, board: Board) -> int:
        """Divisor by mating potential: 1, 2, 4 or 8."""
    def coefficients(self, board: Board) -> tuple[bytes, bytes, int, int]:
        """Counts by weight, units of attack on either king (int16 both), phase of 24, scale of 64; for tuning."""
    def copy(self) -> ChessEvaluator:
        """An evaluator for another worker."""
