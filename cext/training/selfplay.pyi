from typing_extensions import disjoint_base

from ..base.board import Board
from ..value.evaluator import Evaluator
from ..value.objective import Objective

REASONS: tuple[str, ...]  # why games ended, by the numbers in their bytes

def chess960_array(number: int) -> bytes:
    """Piece types (0 pawn to 5 king) on the files a to h, by Scharnagl's number. Raises ValueError."""

@disjoint_base
class Searcher:
    """Searches positions on one thread."""

    def stop(self) -> None:
        """Give up what is searched. Called from another thread."""
    @property
    def nodes(self) -> int: ...

@disjoint_base
class GamePlayer(Searcher):
    def play(self, number: int) -> bytes | None:
        """The bytes of a game (docs/training-data.md), which follow from seed, rules and number; None if stopped.

        Raises ValueError where 2,000 openings are not level.
        """
    @property
    def thrown_away(self) -> int:
        """Openings whose first search saw too much."""

@disjoint_base
class ChessPlayer(GamePlayer):
    def __init__(
        self,
        evaluator: Evaluator,
        objective: Objective,
        hash_mb: int,
        seed: int,
        rules: dict[str, int],
        starts: list[tuple[bytes, int, int, int | None]] | None = None,
        material_ends: bool = True,
    ) -> None:
        """Rules that searches and games end by (scores in centipawns).

        nodes: the iteration that passes them is the last. most_nodes: the search ends at once. opening_cp: an opening
        whose first search sees more is thrown away. won_cp, won_plies: won beyond this for so many plies on end, from
        both sides. drawn_cp, drawn_plies, drawn_from: drawn within this, for so many plies on end, from this ply of
        the game on. longest: plies; then drawn.

        starts: positions to begin from, the first four arguments of ``ChessBoard.set_up``; None for the arrays of chess
        and Chess960.
        material_ends: does dead material end a game?

        Raises MemoryError for a table that is too large, KeyError, ValueError or TypeError for other rules.
        """

class FairyPlayer(GamePlayer):
    def __init__(
        self,
        board: Board,
        evaluator: Evaluator,
        objective: Objective,
        hash_mb: int,
        seed: int,
        rules: dict[str, int],
    ) -> None:
        """board: any of the game; it is used up. The rest as for chess."""

@disjoint_base
class Rescorer(Searcher):
    def __init__(
        self,
        board: Board,
        evaluator: Evaluator,
        objective: Objective,
        hash_mb: int,
        seed: int,
        rules: dict[str, int],
        every: int,
    ) -> None:
        """board: any of the game. every: of so many positions one is searched, by chance. The rest as for chess."""
    def scores(self, start: Board, moves: list[int], known: list[int | None], number: int) -> list[int | None] | None:
        """Scores of the plies of a game, in centipawns from the side to move; None if it was stopped.

        Those that follow from seed, rules and number, of plies whose score is known and that a trainer keeps: the side
        to move is not in check, and neither the move played nor the one found now is a capture or promotion.
        """
