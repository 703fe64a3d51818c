"""Adjudicates by tables: for matches, for the scores of adjudicated games, and for the display of running games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from ..common.errors import TablebaseError
from . import probing
from .store import SUPPLIED, TableStore
from .table_file import SUFFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from standstill.cext.chess.chess_board import ChessBoard

    from ..variants.notation import Board

OWN = "own"  # given in place of a folder, this word selects only the three-man tables that come with the program


class Adjudicator:
    """The tables of some folders, and the built-in tables."""

    def __init__(self, folders: Sequence[str] = (), *, whole_game: bool = False):
        """Open the built-in tables, which ``own`` denotes, and those in the folders. Raises TablebaseError."""
        self._asked = tuple(folders), whole_game
        named = [folder for folder in folders if folder != OWN]
        suffix = SUFFIXES[0, whole_game]
        for folder in named:
            if not os.path.isdir(folder) or not any(name.endswith(suffix) for name in os.listdir(folder)):
                raise TablebaseError(f"expected R-Mobility tables (*{suffix}), found none in {folder}")
        first, *more = [*named, SUPPLIED]
        self._store = TableStore(first, more=more, whole_game=whole_game)
        if self._store.refused:
            raise TablebaseError(self._store.refused[0])
        self.most_men = self._store.most_men

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the names of the folders; the other process opens the tables again."""
        return partial(Adjudicator, whole_game=self._asked[1]), (self._asked[0],)

    def knows_plies(self, board: Board) -> bool:
        """Return whether the plies of ``value`` are valid; tables without plies give invalid ones."""
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        return probing.knows_plies(self._store, board)

    def value(self, board: Board, record: probing.Record | None) -> probing.Value | None:
        """Return the value with this record, ignoring the 50-move rule; None if no table has the position.

        board: a board of orthodox chess.
        """
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        try:
            probing.check_covered(self._store, board)
            return probing.look_up(self._store, board, probing.record_of(board, record))
        except TablebaseError:
            return None

    def verdict(self, board: ChessBoard, record: probing.Record | None) -> probing.Record | None:
        """Return the final record (code, owner) of best play.

        None if the record is unknown or the 50-move rule may end the game first.

        The board's ``clock_limit`` counts, but repetitions of its earlier positions do not.
        """
        value = self.value(board, record)
        if value is None:
            return None
        held = probing.record_of(board, record)
        if value.outcome != probing.outcome(held) and (
            not self.knows_plies(board) or board.clock + value.plies + 2 >= board.clock_limit
        ):
            return None
        return probing.record_behind(value.outcome)
