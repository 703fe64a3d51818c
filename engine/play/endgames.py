"""Probes Syzygy endgame tables with python-chess, and chooses root moves by them.

A table stores whether a position is won, and its distance to zeroing (DTZ): the plies to the next capture, pawn move
or mate with best play, which is what the 50-move rule counts (Ronald de Man: Syzygy tables). Only the root is probed:
the tables determine which moves keep the result, and the search chooses among these.
"""

from __future__ import annotations

import os
import time

import chess
import chess.syzygy

from standstill.cext.base.constants import CLOCK_LIMIT, WHITE

from ..archive.syzygy import DAMAGE
from ..common.errors import TablebaseError
from ..common.regular_files import open_regular
from ..common.text import shown, shown_path
from ..variants.notation import fen, move_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from standstill.cext.chess.chess_board import ChessBoard

    from ..variants.notation import Board

WIN, CURSED_WIN, DRAW, BLESSED_LOSS, LOSS = 2, 1, 0, -1, -2  # the tables' numbers for results
# The distance of each result if the first move is a zeroing one. Beyond 100 the 50-move rule turns wins into draws.
_NOMINAL = {WIN: 1, CURSED_WIN: 101, DRAW: 0, BLESSED_LOSS: -101, LOSS: -1}

# A table may round a distance by one, so a move with distance plus clock of exactly 100 is a last resort.
_SAFE = CLOCK_LIMIT - 1
# The winning side may play freely for this many plies without progress. Then it takes the shortest way in the tables.
_PATIENCE = 20
# The shortest way needs no search, so probing for it may take this many times longer.
_HURRY = 4
_KNOWN = 100_000  # size of the cache of distances
_TOP = 1 << 12  # rank of a certain win, which is far above any distance plus clock

_TABLES = ((chess.Board.tbw_suffix, chess.Board.tbw_magic), (chess.Board.tbz_suffix, chess.Board.tbz_magic))
_MAGIC = {suffix: magic for suffix, magic in _TABLES if suffix is not None and magic is not None}
# A complete table consists of blocks of 64 bytes and a tail of 16 bytes with a checksum.
_BLOCK_BYTES, _TAIL_BYTES = 64, 16


class TableVerdict:
    """The tables' answer for a root position."""

    __slots__ = ("hits", "moves", "result")

    def __init__(self, moves: list[int], result: int, hits: int):
        self.moves = moves  # the moves that keep the result
        self.result = result  # for the side to move under the 50-move rule: 1 win, 0 draw, -1 loss
        self.hits = hits  # number of positions probed


class Endgames:
    """The tables of one or more folders. ``complaints`` contains a line about each error."""

    def __init__(self, folders: list[str]):
        self.complaints: list[str] = []
        self.files = 0
        self.distances: dict[int, int] = {}  # cache by key, because the same positions are probed again
        self._damaged: list[str] = []
        self.tables = chess.syzygy.Tablebase()
        for folder in folders:
            self._add_folder(folder)
        if self._damaged:
            more = f" and {len(self._damaged) - 1} more" if len(self._damaged) > 1 else ""
            self.complaints.append(f"ignoring damaged endgame table {shown(self._damaged[0])}{more}")
        if self.files and not self.tables.wdl:
            self.complaints.append("expected endgame tables with results (*.rtbw), found only those with distances")
        self.men = max((len(name) - 1 for name in self.tables.wdl), default=0)  # number of pieces in the largest table

    def covers(self, board: Board, most_men: int = 64) -> bool:
        """Return whether tables of at most this many pieces may contain the position. Castling rights exclude it."""
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        return not board.castling and 64 - board.squares.count(0) <= min(self.men, most_men)

    def verdict(
        self,
        board: Board,
        moves: list[int],
        *,
        merge_draws: bool = False,
        fifty: bool = True,
        seconds: float = float("inf"),
    ) -> TableVerdict | None:
        """Return the legal ``moves`` that keep the best result; None if the tables cannot determine them.

        merge_draws: treat all draws alike, including draws by the 50-move rule. Otherwise a draw that the opponent has
        to find ranks above a draw that this side has to find. fifty: apply the 50-move rule; without it a win counts
        however long it takes. seconds: if the time does not suffice for all distances, only moves with known distances
        count; if it does not suffice for the results, the answer is None. Raises TablebaseError for a table that turns
        out to be damaged.
        """
        root = _Root(self, board, fifty, seconds)
        try:
            results = root.results(moves)
            best = max(results.values())
            ranks = root.ranks({move: result for move, result in results.items() if result == best})
            drawn = root.is_drawn(max(ranks.values()))
            if drawn and merge_draws:
                lost = {move: result for move, result in results.items() if result == LOSS}
                saved = root.ranks(lost) if best != LOSS else ranks
        except (chess.syzygy.MissingTableError, _TimeIsUp):
            return None
        except DAMAGE as error:
            raise _damaged(board, error) from None
        top = max(ranks.values())
        if drawn and merge_draws:
            kept = [move for move in moves if results[move] != LOSS or root.is_drawn(saved[move])]
        else:
            kept = [move for move in moves if ranks.get(move) == top]
        return TableVerdict(kept, 0 if drawn else 1 if top > 0 else -1, root.hits)

    def winner(self, board: Board) -> str | None:
        """Return ``1-0`` or ``0-1`` if a side wins without the 50-move rule, else None. Raises TablebaseError."""
        try:
            value = self.tables.probe_wdl(chess.Board(fen(board), chess960=True))
        except chess.syzygy.MissingTableError:
            return None
        except DAMAGE as error:
            raise _damaged(board, error) from None
        if not value:
            return None
        return "1-0" if (value > 0) == (board.stm == WHITE) else "0-1"

    def close(self) -> None:
        self.tables.close()

    def _add_folder(self, folder: str) -> None:
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            self.complaints.append(f"expected a folder of endgame tables at {shown_path(folder)}")
            return
        before = self.files
        for name in names:
            stem, extension = os.path.splitext(name)
            if extension not in _MAGIC or not chess.syzygy.is_tablename(stem):
                continue
            path = os.path.join(folder, name)
            if is_whole(path, _MAGIC[extension]):
                self.files += self.tables.add_file(path)
            else:
                self._damaged.append(path)
        if self.files == before:
            self.complaints.append(f"expected Syzygy tables (*.rtbw, *.rtbz), found none in {shown_path(folder)}")


class _TimeIsUp(Exception):
    """The time for probing has run out."""


class _Root:
    """Probes the moves of one position."""

    def __init__(self, endgames: Endgames, board: Board, fifty: bool, seconds: float):
        self.hits = 0
        self._tables = endgames.tables
        self._known = endgames.distances
        self._board = board.copy()
        self._position = chess.Board(fen(board), chess960=True)
        self._fifty = fifty and board.clock_limit <= CLOCK_LIMIT
        self._strict = board.clock >= _PATIENCE or _has_repeated(board)
        self._deadline = time.monotonic() + seconds * (_HURRY if self._strict else 1)

    def results(self, moves: list[int]) -> dict[int, int]:
        """Return the result of each move, WIN to LOSS for the side to move, as if the move were a zeroing one."""
        results = {}
        for move in moves:
            if time.monotonic() > self._deadline:
                raise _TimeIsUp
            results[move] = self._look(move, self._result)
        return results

    def ranks(self, results: dict[int, int]) -> dict[int, int]:
        """Return the ranks of moves with equal results (see ``rank``). In a won position some may be missing.

        If progress is urgent, probing ends at the first move that keeps the position's own distance to zeroing.
        """
        won = max(results.values(), default=DRAW) > DRAW
        try:
            goal = self._tables.probe_dtz(self._position) if won and self._strict else 0
            distances: dict[int, int] = {}
            for move in self._in_order(results):
                if time.monotonic() > self._deadline:
                    break
                distances[move] = self._look(move, self._distance) if results[move] != DRAW else 0
                if 0 < distances[move] <= goal:
                    break
        except chess.syzygy.MissingTableError:
            distances = {}  # only tables of results exist
        if not (won and distances):
            distances = {move: distances.get(move, _NOMINAL[result]) for move, result in results.items()}
        clock = self._board.clock if self._fifty else 0
        return {move: rank(distance, clock, self._strict) for move, distance in distances.items()}

    def is_drawn(self, value: int) -> bool:
        return is_drawn(value, self._fifty)

    def _in_order(self, results: dict[int, int]) -> list[int]:
        """Return the moves in probing order: captures and pawn moves, whose distances are short, come first.

        The others start at a different move in each call, because the time may run out.
        """
        moves = list(results)
        start = self._board.clock % len(moves) if moves else 0
        moves = moves[start:] + moves[:start]
        return sorted(moves, key=lambda move: not self._position.is_zeroing(self._played(move)))

    def _played(self, move: int) -> chess.Move:
        return chess.Move.from_uci(move_text(self._board, move))

    def _look(self, move: int, question: Callable[[], int]) -> int:
        """Probe the position after a move. The move is played on both boards and taken back."""
        played = self._played(move)
        self._board.push(move)
        self._position.push(played)
        try:
            return question()
        finally:
            self._position.pop()
            self._board.pop()

    def _result(self) -> int:
        if self._board.repetitions() >= 2:
            return DRAW
        self.hits += 1
        found: int = -self._tables.probe_wdl(self._position)
        return found

    def _distance(self) -> int:
        if self._position.is_checkmate():
            return 1
        if self._position.halfmove_clock == 0:
            return _NOMINAL[-self._tables.probe_wdl(self._position)]
        self.hits += 1
        key = self._board.key
        distance = self._known.get(key)
        if distance is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            distance = self._known[key] = -self._tables.probe_dtz(self._position)
        return distance + (1 if distance > 0 else -1)


def rank(distance: int, clock: int, strict: bool) -> int:
    """Return the rank of a move by its distance. A higher rank is better; 0 is a draw by material.

    Unless ``strict``, wins that are certain under the clock rank equally, so that the search may prefer a mate to the
    next capture. A losing side prefers longer ways only if they can come near the limit.
    """
    if distance > 0:
        return _TOP if distance + clock <= _SAFE and not strict else _TOP - distance - clock
    if distance < 0:
        return -_TOP if clock - 2 * distance < CLOCK_LIMIT else -_TOP - distance + clock
    return 0


def _damaged(board: Board, error: BaseException) -> TablebaseError:
    return TablebaseError(f"damaged endgame tables for {fen(board)}: {error or type(error).__name__}")


def is_drawn(value: int, fifty: bool) -> bool:
    """Return whether the rank means a draw. fifty: a draw by the 50-move rule counts too."""
    return _TOP - abs(value) > CLOCK_LIMIT if fifty else value == 0


def is_whole(path: str, magic: bytes) -> bool:
    """Return whether the file has the magic bytes and the length of a table."""
    try:
        with open_regular(path) as file:
            start = file.read(len(magic))
        return start == magic and os.path.getsize(path) % _BLOCK_BYTES == _TAIL_BYTES
    except OSError:
        return False


def _has_repeated(board: Board) -> bool:
    """Return whether any position has occurred twice since the last zeroing move."""
    walk = board.copy()
    for _ in range(min(board.clock, board.plies)):
        if walk.repetitions():
            return True
        walk.pop()
    return False
