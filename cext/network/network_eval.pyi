from typing import final

from ..base.board import Board
from ..value.evaluator import DelegatingEvaluator
from .weights import Weights

@final
class NetworkEvaluator(DelegatingEvaluator):
    """Raises TypeError for a board of another game."""

    @property
    def discount(self) -> bool:
        """Whether the score is divided by mating potential."""
    weights: Weights
    def __new__(cls, weights: Weights, discount: bool = True) -> NetworkEvaluator: ...
    def evaluate_cp(self, board: Board) -> int:
        """Centipawns, side to move's view."""
    def network_cp(self, board: Board) -> int:
        """Output of the network alone: centipawns, side to move's view."""
    def confinement_cp(self, board: Board) -> int: ...
    def forecast_code(self, board: Board) -> int: ...
    def trace(self, board: Board) -> list[tuple[str, int, int, int]]:
        """(term, middlegame, endgame, tapered) in centipawns, White's view; the total comes last."""
    def potential(self, board: Board) -> int:
        """Divisor by mating potential: 1, 2, 4 or 8."""
    def copy(self) -> NetworkEvaluator:
        """An evaluator for another worker."""
