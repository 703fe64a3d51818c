"""Probes Syzygy tables for the winner of a game that was adjudicated as a draw."""

from __future__ import annotations

import struct
from pathlib import Path

import chess
import chess.syzygy

from ..common.errors import TablebaseError
from ..common.text import shown_path
from ..variants.chess_notation import ORTHODOX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.notation import Board

# The exceptions that python-chess's reader raises for damaged tables, because it does not check them.
DAMAGE = (LookupError, ValueError, TypeError, AssertionError, ArithmeticError, OSError, MemoryError, RecursionError,
          struct.error)  # fmt: skip


class Tables:
    """The Syzygy tables of one or more folders."""

    def __init__(self, *folders: str | Path):
        """Open the tables. Raises TablebaseError if a folder has no tables."""
        self._folders = [str(folder) for folder in folders]
        self._tables = chess.syzygy.Tablebase()
        for folder in self._folders:
            try:
                found = self._tables.add_directory(folder)
            except OSError as error:
                raise TablebaseError(f"cannot read {shown_path(folder)}: {error.strerror}") from None
            if not found:
                raise TablebaseError(
                    f"expected Syzygy tables (.rtbw, .rtbz) in {shown_path(folder)}, found no such file"
                )
        self._most_men = max((len(name) - 1 for name in self._tables.wdl), default=0)

    def __reduce__(self) -> tuple[type[Tables], tuple[str, ...]]:
        """Pickle the folders only. A worker process opens the tables itself."""
        return Tables, tuple(self._folders)

    def cursed_winner(self, board: Board, any_win: bool = False) -> str | None:
        """Return ``1-0`` or ``0-1`` if one side would win without the 50-move rule; None otherwise, or without a table.

        board: a board of the core. any_win: whether to count a win that the 50-move rule allows, too. Raises
        TablebaseError for a damaged table.
        """
        return self.winner(chess.Board(ORTHODOX.fen(board, shredder=True), chess960=True), any_win)

    def winner(self, position: chess.Board, any_win: bool = False) -> str | None:
        """Like ``cursed_winner``, for a board of python-chess."""
        value = self._result(position, with_rule=not any_win)
        return None if not value else "1-0" if (value > 0) == position.turn else "0-1"

    def mating_side(self, board: Board) -> int | None:
        """Return 1 if White can force mate, however long it takes, -1 if Black can, 0 if neither; None without a table.

        board: a board of the core. Raises TablebaseError for a damaged table.
        """
        if sum(man != 0 for man in board.squares) > self._most_men:
            return None
        position = chess.Board(ORTHODOX.fen(board, shredder=True), chess960=True)
        value = self._result(position, with_rule=False)
        return None if value is None else ((value > 0) - (value < 0)) * (1 if position.turn else -1)

    def _result(self, position: chess.Board, *, with_rule: bool) -> int | None:
        """Return the tables' result for the side to move; with_rule: 0 for a win that the 50-move rule allows."""
        try:
            value = self._tables.probe_wdl(position)
            if abs(value) == 2 and with_rule:
                # With the 50-move rule, the position is a win only if enough of the 100 plies are left.
                plies = abs(self._tables.probe_dtz(position)) + position.halfmove_clock
                value = value if plies > 100 else 0
        except (KeyError, chess.syzygy.MissingTableError):
            return None
        except DAMAGE as error:
            what = f"damaged endgame tables in {', '.join(map(shown_path, self._folders))}"
            raise TablebaseError(f"{what} for {position.fen()}: {error or type(error).__name__}") from None
        return value
