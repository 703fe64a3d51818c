from typing_extensions import disjoint_base

from ..value.evaluator import Evaluator
from ..value.objective import Objective
from .selfplay import ChessPlayer

def numbers() -> dict[str, int]:
    """The tunable numbers of the search, with their current values."""

def switches() -> dict[str, bool]:
    """The techniques of the search, and whether each is switched on."""

def change(changes: dict[str, int]) -> None:
    """Change the current setting for all later searches of the process.

    Raises KeyError for a name that is neither a number nor a technique.
    """

@disjoint_base
class Duel(ChessPlayer):
    def __init__(
        self,
        first: Evaluator,
        second: Evaluator,
        objective: Objective,
        hash_mb: int,
        seed: int,
        rules: dict[str, int],
    ) -> None:
        """first, second: evaluators of the sides. The other arguments are those of ChessPlayer."""

    def play_pair(self, number: int, first: dict[str, int], second: dict[str, int]) -> tuple[int, int]:
        """Play two games between settings given by their changes; returns the first's results: 0 lost, 1 drawn, 2 won.

        The first setting plays White in the first game. Seed, rules, settings and number determine the games. Raises
        KeyError for a name that is neither a number nor a technique (``switches``).
        """
