class Objective:
    def __init__(self) -> None:
        """Classical chess: every draw is worth nothing (mode Off)."""
    def fill(
        self,
        outcome: list[list[int]],
        fold: list[list[list[int]]],
        whole_game: bool = False,
        keep_trigger: bool = False,
        record_zeroes_clock: bool = False,
        limit: int = 511,
    ) -> None:
        """Replace the tables, not while a search runs.

        outcome[owner][code]: scores, White's view, 512 codes. fold[dead][owner][code]: 0 where records share the table
        entries of the bare position, else 1..1024; records with equal numbers share entries.
        Raises ValueError.
        """
    def record_of(self, board: object) -> tuple[int, int, int] | None:
        """(code, owner, ply) of the record that stands on the board, None if none is within the limit.

        ply: moves played on this board when it was reached, 0 for a record given from outside.
        """
    def worth_of(self, code: int, owner: int) -> int:
        """Score of a game that ends with this record, White's view, no distance taken off."""
    def settled(self, board: object, ending: int) -> int:
        """Score of a game that ends so on this board (``Ending`` of cext/types.pxd), side to move's view."""
    def node_key_of(self, board: object) -> int:
        """Key under which a search with this objective would know the position."""

class RMobilityObjective(Objective):
    def fill_hold(self, hold: list[list[int]]) -> None:
        """hold[owner][code]: centipawns, White's view, that a standing record adds to the evaluation if it lasts.

        Raises ValueError.
        """

def preset_record(board: object, code: int | None, owner: int | None) -> None:
    """Give the first position of the board a record from an earlier life; one weaker than its own goal gives way.

    code None: nothing is known but the position itself. Raises ValueError.
    """
