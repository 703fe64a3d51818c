"""Tables during play: which tables a search may probe, and how they rank the root moves."""

from __future__ import annotations

import os
from typing import NamedTuple

from standstill.cext.base.constants import WHITE

from ..common.errors import TablebaseError
from ..common.goal import goal_text
from ..common.text import plural
from . import probing
from .material import MOST_MEN, classes
from .table_file import SUFFIXES, TOP, table_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from standstill.cext.chess.chess_board import ChessBoard

    from ..variants.notation import Board
    from .store import TableStore

    RecordOf = Callable[[Board], tuple[int, int, int] | None]  # code, owner, ply

_KEPT_LINES = 1000


class Narrowed(NamedTuple):
    """The moves that the tables select in a position, and the outcome.

    moves: the moves that keep the value and make progress. outcome: the final record; None if it is too weak to count.
    plies: the number of plies until that record is on the board.
    """

    moves: list[int]
    outcome: probing.Record | None
    plies: int

    def __str__(self) -> str:
        return "none" if self.outcome is None else f"{goal_text(*self.outcome)} in {self.plies}"


class PlayedTables:
    """The tables that the options select."""

    def __init__(self, notice: Callable[[str], None]):
        """notice: a function that is called with each message for the user."""
        self._notice = notice
        self._wanted: tuple[tuple[str, ...], bool, int] = ((), False, 0)
        self._lines: dict[tuple[object, ...], list[int]] = {}  # cache of best play by position, record and clock
        self.store: TableStore | None = None
        self._limit: int | None = None

    def follow(self, folders: list[str], whole_game: bool, most_men: int) -> bool:
        """Open the tables of these folders and the built-in tables; return True if the open tables have changed.

        Faults in the folders are passed to ``notice``. most_men: the maximum number of pieces; 0 for no tables.
        """
        wanted = (tuple(folders), whole_game, most_men) if most_men else ((), False, 0)
        if wanted == self._wanted:
            return False
        had_none, self._wanted, self.store = self.store is None, wanted, None
        self._lines.clear()
        if most_men:
            # this import loads the core's binding, which other variants do not need
            from .store import SUPPLIED, TableStore

            first, *more = [*folders, SUPPLIED]
            store = TableStore(first, more=more, whole_game=whole_game, most_men=most_men)
            self._report(store, folders)
            self.store = store if store.files else None
        return not (had_none and self.store is None)

    def _report(self, store: TableStore, folders: list[str]) -> None:
        for text in store.refused:
            self._notice(f"{text}; playing without it")
        suffix = SUFFIXES[0, store.whole_game]
        for folder in folders:
            if not any(os.path.exists(table_path(folder, name, 0, store.whole_game)) for name in classes(MOST_MEN)):
                self._notice(f"expected R-Mobility tables (*{suffix}), found none in {folder}")
        if folders:
            tables = plural(len(store.files), "table")
            self._notice(f"{len(store.files)} R-Mobility {tables}, up to {store.most_men} men")
        without = [name for name in store.files if not store.is_complete(name)]
        if without:
            more = f" and {len(without) - 1} more" if without[1:] else ""
            plies = SUFFIXES[1, store.whole_game]
            self._notice(f"expected plies (*{plies}) beside each table, missing for {without[0]}{more}: not probed")

    def set_limit(self, code: int | None) -> None:
        """code: the code of the weakest goal that counts as a record; None if all goals count."""
        self._limit = code if code is None else max(code, 1)  # mate and stalemate always count
        self._lines.clear()

    @property
    def most_men(self) -> int:
        return 0 if self.store is None else self.store.most_men

    def narrow(self, board: Board, moves: list[int], record: probing.Record | None) -> Narrowed | None:
        """Return the moves that keep the value and make progress, and the value.

        None if the tables do not decide the position.

        The side that improves the record takes the shortest way. The other side keeps the moves of the longest way,
        and repetitions, which leave the record unchanged; the search then prefers these. record: None if no goal
        within the limit has been reached.
        """
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        asked = self._asked(record)
        if self.store is None or asked is None:
            return None
        try:
            probing.check_covered(self.store, board)
            if not probing.knows_plies(self.store, board):
                return None
            entries = probing.move_values(self.store, board, asked)
        except TablebaseError:
            return None
        value = probing.best(board, asked, entries)
        final, standing = self._counted(value.outcome), self._counted(probing.outcome(asked))
        if final and value.plies and board.clock + value.plies + 2 >= board.clock_limit:
            return None  # the 50-move rule may end the game first
        kept = [
            entry.move
            for entry in entries
            if entry.move in moves
            and self._counted(entry.value.outcome) == final
            and (final in (standing, 0) or entry.value.plies == value.plies)
        ]
        gains = (final > standing) == (board.stm == WHITE)
        plies = value.plies
        if final != standing and not gains:
            kept += [move for move in moves if move not in kept and self._repetitions(board, move)]
            if any(self._repetitions(board, move) > 1 for move in kept):
                final, plies = standing, 0  # the third occurrence ends the game with the record in force
        if not kept:
            return None
        # Without a goal that counts, the game is drawn; with a komi, the side that must reach it loses.
        return Narrowed(kept, probing.record_behind(final) if final else None, plies)

    def lengthened(self, board: Board, moves: list[int], record_of: RecordOf) -> list[int]:
        """Return a line, extended by best play up to the final record if the tables contain the position at its end."""
        if self.store is None:
            return moves
        played = 0
        try:
            for move in moves:
                if not board.legal(move):
                    return moves
                board.push(move)
                played += 1
            return moves + self._best_play(self.store, board, record_of(board))
        except TablebaseError:
            return moves
        finally:
            for _ in range(played):
                board.pop()

    def _best_play(self, store: TableStore, board: Board, record: tuple[int, int, int] | None) -> list[int]:
        """Return best play from the position; empty if the 50-move rule may come first. Raises TablebaseError."""
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        probing.check_covered(store, board)
        asked = self._asked(None if record is None else record[:2])
        if asked is None or not board.count_legal(1):
            return []
        key = board.key, asked, board.clock
        if key not in self._lines:
            if len(self._lines) >= _KEPT_LINES:
                self._lines.clear()
            value = probing.look_up(store, board, asked)
            in_time = board.clock + value.plies + 2 < board.clock_limit and self._counted(value.outcome)
            self._lines[key] = probing.line(store, board, asked) if in_time else []
        return self._lines[key]

    def _asked(self, record: probing.Record | None) -> probing.Record | None:
        """Return the record with which to probe the tables; None if no record is in force and there is no limit.

        The tables themselves know no limit. All records beyond the limit are equivalent, so the strongest of them
        represents a missing record.
        """
        if record is None and self._limit is not None:
            return self._limit + 1, WHITE
        return record

    def _counted(self, outcome: int) -> int:
        """Return an outcome, or 0 if it is too weak to count."""
        return outcome if self._limit is None or TOP - abs(outcome) <= self._limit else 0

    def _repetitions(self, board: Board, move: int) -> int:
        """Return the number of earlier occurrences of the position after a move."""
        board.push(move)
        try:
            return board.repetitions()
        finally:
            board.pop()
