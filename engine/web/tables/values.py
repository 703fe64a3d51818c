"""Answers about positions for the page Tables: values from the tables, and the moves of positions beyond them."""

from __future__ import annotations

from ...common.errors import ArgumentError, StandstillError, TablebaseError
from ...common.goal import STALEMATE
from ...rmobility.goals import Goal
from ...tablebases import probing
from ...variants.notation import fen, parse_move
from .. import fields
from ..positions import legal_moves, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...tablebases.store import TableStore

State = tuple[str, int, int]  # each state: FEN, goal code of the record, owner of the record


def states_in(asked: fields.Fields) -> list[State]:
    """The states of a request. Raises ArgumentError."""
    try:
        states = [(text, code, owner) for text, code, owner in asked["states"]]  # type: ignore[attr-defined]
    except (ValueError, TypeError, KeyError):
        states = [("", -1, -1)]
    for text, code, owner in states:
        numbers = type(code) is int and type(owner) is int and code >= 0 and owner in (0, 1)
        if not isinstance(text, str) or not numbers:
            raise ArgumentError('expected {"states": [[FEN, goal code, owner], ...]}')
    return states


def values(store: TableStore, states: list[State]) -> list[dict[str, object]]:
    """Outcome and plies to it (None if unknown) of each state, or the reason why there is no answer."""
    has_all_plies = all(map(store.is_complete, store.files))
    return [_value(store, *state, has_all_plies) for state in states]


def _value(store: TableStore, text: str, code: int, owner: int, has_all_plies: bool) -> dict[str, object]:
    try:
        board = probing.chess_board(text)
        probing.check_covered(store, board)
        record = probing.record_of(board, (code, owner))
        if code <= STALEMATE and record == (code, owner) != probing.record_of(board, None):
            raise TablebaseError("expected a record that leaves the game open")
        value = probing.look_up(store, board, record)
    except StandstillError as error:
        return {"error": str(error)}
    knows = has_all_plies or store.is_complete(probing.class_of(board))
    stands = value.outcome == probing.outcome(record)
    return {"outcome": value.outcome, "plies": value.plies if knows or stands else None}


def explored(text: str) -> dict[str, object]:
    """Any position of chess with its moves, the goal after each move, and the position after each move.

    Raises NotationError.

    text: a FEN, whose last field may be a record.
    """
    board, given = probing.position_of(text)
    goal = Goal(board.goal(), 1 - board.stm)
    code, owner = probing.record_of(board, given)
    moves = []
    for move in legal_moves(board, Goal(code, owner)):
        board.push(parse_move(board, str(move["move"])))
        moves.append({**move, "after": fen(board)})
        board.pop()
    return {**placed(board), "goal": {"code": goal.code, "owner": goal.owner}, "legal": moves}
