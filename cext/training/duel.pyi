from typing_extensions import disjoint_base

from ..value.evaluator import Evaluator
from ..value.objective import Objective
from .selfplay import ChessPlayer

def numbers() -> dict[str, int]:
    """The numbers of the search that games can tune, as they are in force."""

def switches() -> dict[str, bool]:
    """The techniques of the search, and whether each is in force."""

def change(changes: dict[str, int]) -> None:
    """Put the setting in force with these changes in its place, for all later searches of the process.

    Raises KeyError for names that are neither numbers nor techniques.
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
        """first, second: evaluators of the sides. The rest as for ChessPlayer."""

    def play_pair(self, number: int, first: dict[str, int], second: dict[str, int]) -> tuple[int, int]:
        """Two games of two settings, each given by what it changes: results of the first, 0 lost, 1 drawn, 2 won.

        In the first game it plays White. Everything follows from seed, rules, settings and number. Raises KeyError for
        names that are neither numbers nor techniques (``switches``).
        """
