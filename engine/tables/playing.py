"""Tables in play: which of them a search may ask, and what they say of the root's moves."""

from __future__ import annotations

from ..words.errors import TablebaseError
from . import probing

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

    from standstill.cext.chess.board import ChessBoard

    from ..games.notation import Board
    from .store import TableStore


class PlayedTables:
    """The tables that the settings name."""

    def __init__(self, notice: Callable[[str], None]):
        """notice: called with everything that the user should know."""
        self._notice = notice
        self._wanted = ("", False, 0)
        self.store: TableStore | None = None

    def follow(self, folder: str, whole_game: bool, most_men: int) -> bool:
        """Open the tables of a folder; true if others than before are in force. What is not sound is reported."""
        wanted = (folder, whole_game, most_men) if folder and most_men else ("", False, 0)
        if wanted == self._wanted:
            return False
        self._wanted = wanted
        self.store = None
        if folder and most_men:
            from .store import TableStore  # loads the core's door, which no other game needs

            store = TableStore(folder, whole_game=whole_game, most_men=most_men)
            for text in store.refused:
                self._notice(f"{text}; playing without it")
            self._notice(f"{len(store.files)} R-Mobility tables, up to {store.most_men} men")
            self.store = store if store.files else None
        return True

    @property
    def most_men(self) -> int:
        return 0 if self.store is None else self.store.most_men

    def narrow(
        self, board: Board, moves: list[int], record: probing.Record
    ) -> list[int] | None:
        """Those moves that keep the value and lead there; None if the tables cannot say. The value is reported.

        The side that improves on the record takes the shortest way. The other takes the longest, or a repetition, which
        the search then prefers: it leaves the record as it is.
        """
        if self.store is None:
            return None
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        try:
            probing.check_covered(self.store, board)
            entries = probing.move_values(self.store, board, record)
        except TablebaseError:
            return None
        value = probing.best(board, record, entries)
        if value.plies and board.clock + value.plies + 2 >= board.clock_limit:
            return None  # the 50-move rule may come first
        stands = value.outcome == probing.outcome(record)
        kept = [
            entry.move
            for entry in entries
            if entry.move in moves
            and entry.value.outcome == value.outcome
            and (stands or entry.value.plies == value.plies)
        ]
        gains = (value.outcome > probing.outcome(record)) == (board.stm == 0)
        if not stands and not gains:
            kept += [move for move in moves if move not in kept and self._repeats(board, move)]
        if not kept:
            return None
        self._notice(f"rmobility table {value.text} in {value.plies}")
        return kept

    def _repeats(self, board: Board, move: int) -> bool:
        board.push(move)
        try:
            return board.repetitions() > 0
        finally:
            board.pop()
