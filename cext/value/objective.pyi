from typing_extensions import disjoint_base

from ..base.board import Board

@disjoint_base
class Objective:
    def __init__(self) -> None:
        """Classical chess: every draw scores 0 (mode Off)."""
    def fill(
        self,
        outcome: list[list[int]],
        fold: list[list[list[int]]],
        whole_game: bool = False,
        keep_trigger: bool = False,
        record_zeroes_clock: bool = False,
        limit: int = 511,
    ) -> None:
        """Replace the tables; not during a search.

        outcome[owner][code]: scores, White's view, 512 codes. fold[dead][owner][code]: 0 where records share the table
        entries of the bare position, else 1..1024; records with equal numbers share entries.
        Raises ValueError.
        """
    def record_of(self, board: Board) -> tuple[int, int, int] | None:
        """(code, owner, ply) of the current record of the board, None without a record within the limit.

        ply: moves played on this board when it was reached, 0 for a record given from outside.
        """
    def worth_of(self, code: int, owner: int) -> int:
        """Score of a game that ends with this record, White's view, without a distance."""
    def goals_behind(self, white: int) -> list[tuple[int, int, bool]]:
        """(code, owner, promised) of every goal that a score from White's view, with its distance, may mean.

        A promise lies a step below its goal. Where whole centipawns cannot distinguish it from the next goal, the list
        has both. The list is empty for an estimate.
        """
    def settled(self, board: Board, ending: int) -> int:
        """Score of a game that ends this way on this board (``Ending`` of base/types.pxd), side to move's view."""
    def node_key_of(self, board: Board) -> int:
        """Key by which a search with this objective stores the position."""

@disjoint_base
class RMobilityObjective(Objective):
    def fill_hold(self, hold: list[list[int]]) -> None:
        """hold[owner][code]: centipawns, White's view, that a standing record adds to the evaluation if it lasts.

        Raises ValueError.
        """
    def weighs_last_owner(self, board: Board) -> bool:
        """Return whether a search of this board uses the evaluator's prediction of the last record's owner."""

def preset_record(board: Board, code: int | None, owner: int | None) -> None:
    """Give the first position of the board a record that was set earlier; a lower goal of its own counts instead.

    code None: there is no earlier record. Raises ValueError.
    """
