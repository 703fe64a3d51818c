from typing import final

from ..base.board import Board
from ..value.evaluator import DelegatingEvaluator, Evaluator
from .weights import Weights

@final
class RecordEvaluator(DelegatingEvaluator):
    weights: Weights
    def __new__(cls, evaluator: Evaluator, weights: Weights) -> RecordEvaluator:
        """Raises TypeError if the evaluator is not one of chess."""
    def last_owner_logit(self, board: Board, owner: int, code: int) -> int:
        """Hundredths of the logit that the side to move will hold the last record, given this standing record.

        owner: 0 White, 1 Black. code: of the goal. Raises TypeError for a board of another game.
        """
