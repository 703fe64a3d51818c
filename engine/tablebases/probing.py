"""Probes tables for the value of a position, the value of each move, and best play."""

from __future__ import annotations

from typing import NamedTuple

from standstill.cext.base.constants import BLACK, WHITE

from ..common.errors import TablebaseError
from ..common.goal import goal_text
from ..variants.boards import new_board
from ..variants.chess_notation import ORTHODOX
from ..variants.notation import set_fen
from .material import class_name, needed
from .table_file import TOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.chess.chess_board import ChessBoard

    from .store import TableStore

    ProbedBoard = ChessBoard  # exported for front ends, because they may not import the core

Record = tuple[int, int]  # goal code, owner


class Value(NamedTuple):
    """How the game ends: the outcome from White's point of view, and the plies until that record is on the board.

    The plies are wrong if the table of the position, or of a reachable class, has no plies: see ``knows_plies``.
    """

    outcome: int
    plies: int

    @property
    def text(self) -> str:
        return goal_text(*record_behind(self.outcome))


class MoveValue(NamedTuple):
    move: int
    value: Value


def chess_board(text: str) -> ChessBoard:
    """Return a board with the position of a FEN. Raises NotationError."""
    return position_of(text)[0]


def position_of(text: str) -> tuple[ChessBoard, Record | None]:
    """Return a board with the position of a FEN, and the record in the FEN's seventh field. Raises NotationError."""
    board = new_board()
    record = set_fen(board, text)
    if TYPE_CHECKING:
        assert isinstance(board, ChessBoard)
    return board, None if record is None else (record[1], record[0])


def class_of(board: ChessBoard) -> str:
    """Return the class of a position's material."""
    men = ORTHODOX.fen(board).split()[0]
    white, black = ("".join(filter(is_own, men)).upper() for is_own in (str.isupper, str.islower))
    return class_name(f"{white}v{black}")


def knows_plies(store: TableStore, board: ChessBoard) -> bool:
    """Return whether the table of the position, and every existing table of a reachable class, has plies."""
    return all(store.is_complete(name) for name in needed(class_of(board)) if name in store.files)


def outcome(record: Record) -> int:
    code, owner = record
    return TOP - code if owner == WHITE else code - TOP


def record_behind(outcome: int) -> Record:
    """Return the record that the number of an outcome encodes."""
    return TOP - abs(outcome), WHITE if outcome > 0 else BLACK


def record_of(board: ChessBoard, given: Record | None) -> Record:
    """Return the record in force: the given record, unless the position's own goal is lower."""
    own = board.goal(), 1 - board.stm
    return own if given is None or given[0] > own[0] else given


def check_covered(store: TableStore, board: ChessBoard) -> None:
    """Raise TablebaseError, with the reason, for castling rights or more pieces than any table has."""
    squares = board.squares
    men = sum(square != 0 for square in squares)
    if board.castling:
        raise TablebaseError(f"tables exclude positions with castling rights: {ORTHODOX.fen(board)}")
    if men > store.most_men:
        raise TablebaseError(f"expected at most {store.most_men} pieces, found {men}: {ORTHODOX.fen(board)}")


def look_up(store: TableStore, board: ChessBoard, record: Record) -> Value:
    """Return the value under a record that is not weaker than the position's own goal. Raises TablebaseError."""
    found = store.library.look_up(board, record)
    if found is not None:
        return Value(*found)
    if board.ep is not None:
        return best(board, record, move_values(store, board, record))
    name = class_of(board)
    if name in store.files:
        raise TablebaseError(f"{store.files[name][0].path}: the table of {name} is damaged")
    raise TablebaseError(f"no table has {ORTHODOX.fen(board)}")


def move_values(store: TableStore, board: ChessBoard, record: Record) -> list[MoveValue]:
    """Return the value of each move. Plies are counted from this position. Raises TablebaseError."""
    result = []
    for move in board.legal_moves():
        board.push(move)
        try:
            own = board.goal(), 1 - board.stm
            is_new = own[0] < record[0] or (board.clock == 0 and not store.whole_game)
            value = look_up(store, board, own if is_new else record)
        finally:
            board.pop()
        plies = 0 if value.outcome == outcome(record) else value.plies + 1
        result.append(MoveValue(move, Value(value.outcome, plies)))
    return result


def best(board: ChessBoard, record: Record, moves: list[MoveValue]) -> Value:
    """Return the value of a position from the values of its moves.

    Of two values with the same outcome, the one with fewer plies is better if the outcome improves the record for the
    side to move; otherwise the one with more plies is better.
    """
    if not moves:
        return Value(outcome((board.goal(), 1 - board.stm)), 0)
    return min((entry.value for entry in moves), key=lambda value: rank(board.stm, record, value))


def rank(stm: int, record: Record, value: Value) -> tuple[int, int]:
    """Return the sort key of a value; the lowest key is best for the side to move."""
    sign = 1 if stm == WHITE else -1
    gain = sign * (value.outcome - outcome(record))
    return -sign * value.outcome, value.plies if gain > 0 else -value.plies


def line(store: TableStore, board: ChessBoard, record: Record, most_plies: int = 1000) -> list[int]:
    """Return best play until the final record is on the board. Leaves the board unchanged. Raises TablebaseError."""
    if not knows_plies(store, board):
        builds = f"`tables build {class_of(board)}` adds them"
        raise TablebaseError(f"expected tables with plies for a line, found some without: {builds}")
    moves: list[int] = []
    value = look_up(store, board, record)
    try:
        while value.outcome != outcome(record) and len(moves) < most_plies:
            entries = move_values(store, board, record)
            entry = min(entries, key=lambda entry: rank(board.stm, record, entry.value))
            board.push(entry.move)
            moves.append(entry.move)
            own = board.goal(), 1 - board.stm
            if own[0] < record[0] or (board.clock == 0 and not store.whole_game):
                record = own
    finally:
        for _ in moves:
            board.pop()
    return moves
