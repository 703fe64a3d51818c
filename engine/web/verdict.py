"""The end of a game: result, reason, and the points under R-Mobility."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from standstill.cext.base.constants import BLACK, WHITE

from ..rmobility.goals import Goal, Goals, settle
from ..rmobility.modes import DECISIVE, NONE, OFF, clock_of
from ..rmobility.scoring import komi_points, parse_komi, points_text, white_points
from ..variants.game_over import game_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..settings.options import Settings
    from ..variants.notation import Board

DRAWN = "1/2-1/2"
_NAMES = ("White", "Black")
_WON = ("1-0", "0-1")
_PLACES = 4


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game.

    result: the result by the laws of chess. is_sudden: whether the game ended by time, agreement or resignation.
    """

    result: str
    reason: str
    is_sudden: bool = False


def end_by_rules(settings: Settings, board: Board) -> End | None:
    """Return the end of a game by its position; None if it continues."""
    found = game_end(board, clock_of(board, settings))
    return None if found is None else End(*found)


def resigned(side: int) -> End:
    return End(_WON[1 - side], f"{_NAMES[side]} resigns", True)


def agreed() -> End:
    return End(DRAWN, "agreement", True)


def on_time(board: Board, side: int) -> End:
    """Return the end when a side's time is up: a loss, or a draw if the opponent has only the king."""
    black_from = 8 if board.notation.game.is_chess else 16
    others = sum(1 for man in board.squares if man and (man >= black_from) == (side == WHITE))
    if others == 1:
        return End(DRAWN, f"{_NAMES[side]}'s time is up, and {_NAMES[1 - side]} has only the king", True)
    return End(_WON[1 - side], f"{_NAMES[side]}'s time is up", True)


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a finished game: the R-Mobility result, and White's share of the point."""

    goal: Goal | None
    white: Fraction
    komi: str  # "" without one


def worth(end: End, goals: Goals, last_code: int, mode: str, komi: str) -> Worth:
    """Return the worth of a game with this end. last_code: the goal code of the final position."""
    goal = settle(goals.record, last_code=last_code, plies=goals.ply, result=end.result)
    if end.result in _WON:
        return Worth(goal, Fraction(int(end.result == _WON[WHITE])), "")
    if mode == OFF:
        return Worth(goal, Fraction(1, 2), "")
    if mode == DECISIVE and komi != NONE:
        return Worth(goal, komi_points(goal, *parse_komi(komi)), komi)
    return Worth(goal, white_points(goal, "decisive" if mode == DECISIVE else "tcec"), "")


def end_view(end: End, value: Worth, mode: str) -> dict[str, object]:
    """Describe the end: headline, reason, and the R-Mobility score of a draw."""
    goal = value.goal
    if end.result in _WON:
        winner = _NAMES[end.result == _WON[BLACK]]
        return {"result": end.result, "headline": f"{winner} wins", "reason": _sentence(end.reason), "record": ""}
    if mode == OFF or goal is None:
        return {"result": end.result, "headline": "Draw", "reason": _sentence(end.reason), "record": ""}
    holder = _NAMES[goal.owner]
    if mode == DECISIVE:
        headline = "Draw" if value.white == Fraction(1, 2) else f"{_NAMES[value.white < Fraction(1, 2)]} wins"
        record = f"{holder} holds the record, {goal}"
        record += f"; the komi is {value.komi}." if value.komi else "."
    else:
        headline = "Draw"
        share = points_text(value.white if goal.owner == WHITE else 1 - value.white, _PLACES)
        record = f"{holder} holds the record, {goal}: {share} points under R-Mobility."
    return {"result": end.result, "headline": headline, "reason": _sentence(end.reason), "record": record}


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}."
