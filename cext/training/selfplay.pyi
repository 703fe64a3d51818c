from typing_extensions import disjoint_base

from ..base.board import Board
from ..value.evaluator import Evaluator
from ..value.objective import Objective

REASONS: tuple[str, ...]  # reasons of the end of games, by their numbers in the bytes

def chess960_array(number: int) -> bytes:
    """Piece types (0 pawn to 5 king) on the files a to h, by Scharnagl's number. Raises ValueError."""

@disjoint_base
class Searcher:
    """Searches positions on one thread."""

    def stop(self) -> None:
        """Abort the search. Called from another thread."""
    @property
    def nodes(self) -> int: ...

@disjoint_base
class GamePlayer(Searcher):
    def play(self, number: int) -> bytes | None:
        """The bytes of a game (docs/training-data.md), determined by seed, rules and number; None if stopped.

        Raises ValueError if 2,000 openings in a row are not level.
        """
    @property
    def rejected_openings(self) -> int:
        """Number of openings rejected by the score of their first search."""

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
        """Limits of searches and games (scores in centipawns).

        nodes: the iteration that exceeds this is the last. most_nodes: hard limit. opening_cp: an opening whose first
        search scores more is rejected. won_cp, won_plies: a win is adjudicated after this many consecutive plies of
        both sides beyond this score. drawn_cp, drawn_plies, drawn_from: a draw is adjudicated after this many
        consecutive plies within this score, from this ply of the game on. longest: plies after which a game is drawn.

        starts: positions to begin from, the first four arguments of ``ChessBoard.set_up``; None for the arrays of chess
        and Chess960.
        material_ends: whether dead material ends a game.

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
        """board: any board of the game, which is modified. The other arguments are those of chess."""

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
        """board: any board of the game. every: one in this many positions is searched. The others are as in chess."""
    def scores(self, start: Board, moves: list[int], known: list[int | None], number: int) -> list[int | None] | None:
        """Scores of the plies of a game, in centipawns from the side to move; None if it was stopped.

        Seed, rules and number determine the scores. Only plies with a known score that a trainer keeps get one: not in
        check, and neither the played move nor the new best move is a capture or promotion.
        """
