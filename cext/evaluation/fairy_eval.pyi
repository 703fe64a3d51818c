from typing import final

from ..base.board import Board
from ..fairy.rules import FairyRules
from ..value.evaluator import Evaluator
from .fairy_weights import PLACES as PLACES

NAMES: tuple[str, ...]

@final
class FairyEvaluator(Evaluator):
    """Raises TypeError for a board of another game."""

    discount: bool  # whether the score is divided by mating potential
    def __new__(
        cls, rules: FairyRules, discount: bool = True, weights: dict[str, int] | None = None
    ) -> FairyEvaluator: ...
    def evaluate_cp(self, board: Board) -> int: ...
    def confinement_cp(self, board: Board) -> int: ...
    def potential(self, board: Board) -> int:
        """Divisor: 1, 2, 4 or 8."""
    def trace(self, board: Board) -> list[tuple[str, int, int, int]]: ...
    def copy(self) -> FairyEvaluator: ...
