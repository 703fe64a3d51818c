from typing import final

from ..base.board import Board
from ..fairy.rules import FairyRules
from ..value.evaluator import DelegatingEvaluator
from .weights import Weights

@final
class FairyNetworkEvaluator(DelegatingEvaluator):
    """Raises TypeError for a board of another game."""

    @property
    def discount(self) -> bool:
        """Whether the score is divided by mating potential."""
    weights: Weights
    def __new__(cls, weights: Weights, rules: FairyRules, discount: bool = True) -> FairyNetworkEvaluator:
        """Raises ValueError for the network of a game with other inputs."""
    def evaluate_cp(self, board: Board) -> int:
        """Centipawns, side to move's view."""
    def network_cp(self, board: Board) -> int:
        """The network's part of the score: centipawns, side to move's view."""
    def confinement_cp(self, board: Board) -> int: ...
    def trace(self, board: Board) -> list[tuple[str, int, int, int]]:
        """(term, middlegame, endgame, tapered) in centipawns, White's view; the total comes last."""
    def potential(self, board: Board) -> int:
        """Divisor by mating potential: 1, 2, 4 or 8."""
    def copy(self) -> FairyNetworkEvaluator:
        """An evaluator for another worker."""
