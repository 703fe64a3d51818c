from typing import final

from ..base.board import Board
from ..network.weights import Weights
from ..value.evaluator import DelegatingEvaluator

@final
class MeanEvaluator(DelegatingEvaluator):
    def __new__(cls, weights: Weights, discount: bool = True) -> MeanEvaluator: ...
    def evaluate_cp(self, board: Board) -> int:
        """Centipawns, side to move's view. Raises TypeError for a board of another game."""
