"""Syzygy tables, asked who would win a game that was adjudicated a draw."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.syzygy

from ..errors import TablebaseError
from ..notation import fen, shown


class Tables:
    """The tables of one folder."""

    def __init__(self, folder: str | Path):
        """Raises TablebaseError if there are none."""
        self._tables = chess.syzygy.Tablebase()
        try:
            found = self._tables.add_directory(str(folder))
        except OSError as error:
            raise TablebaseError(f"cannot read {shown(str(folder))}: {error.strerror}") from None
        if not found:
            raise TablebaseError(f"expected Syzygy tables (.rtbw, .rtbz), found none in {shown(str(folder))}")

    def cursed_winner(self, board, any_win: bool = False) -> str | None:
        """``1-0`` or ``0-1`` if one side would win but for the 50-move rule, None if not or if no table knows.

        board: of the core. any_win: a win that the rule allows counts, too.
        """
        position = chess.Board(fen(board, shredder=True), chess960=True)
        try:
            value = self._tables.probe_wdl(position)
            if abs(value) == 2 and not any_win:
                # In time for the rule only if what has been played since the last capture leaves enough of it.
                plies = abs(self._tables.probe_dtz(position)) + position.halfmove_clock
                value = value if plies > 100 else 0
        except (KeyError, chess.syzygy.MissingTableError):
            return None
        if not value:
            return None
        return "1-0" if (value > 0) == position.turn else "0-1"
