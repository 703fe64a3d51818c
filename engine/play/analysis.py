"""Analyses a position, or each position of a game: score, line, record, forecast, and missed outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from standstill.cext.base.constants import BLACK, CODES, SCORE_DECIDED, WHITE

from ..common.goal import goal_text
from ..common.info import SearchInfo, is_mate, score_cp, score_pawns
from ..common.limits import Limits
from ..rmobility.goals import MATE
from ..rmobility.modes import Outlook
from ..variants.notation import PASS, san, san_line
from .listener import Listener
from .session import Session
from .watcher import bare_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.notation import Board

_STILL_WON_CP = 700
SIDES = ("white", "black")


@dataclass(frozen=True, slots=True)
class Thought:
    """The analysis of one position.

    ply: the number of moves played before it. move: the last of them in SAN; None for the first position. line: the
    search's line. pv: the moves of that line in SAN. outlook: record and forecast; None without records. ended: the
    rule that ends the game here although there are legal moves, such as ``insufficient material``, or None. missed:
    (code, owner) of the better outcome that the last move gave away. instead: the line to that outcome.
    """

    ply: int
    move: str | None
    black_to_move: bool
    number: int
    line: SearchInfo
    pv: tuple[str, ...]
    outlook: Outlook | None
    ended: str | None
    missed: tuple[int, int] | None = None
    instead: tuple[str, ...] = ()

    @property
    def white_score(self) -> int:
        """The score in fixed point, from White's point of view."""
        return -self.line.score if self.black_to_move else self.line.score

    @property
    def promised(self) -> tuple[int, int] | None:
        """The outcome (code, owner) for which the score stands; None if the score is an estimate.

        If the game ends here although there are legal moves, the outcome is the record, and the score of the search,
        which looks beyond the end, does not count.
        """
        if self.ended is not None:
            return self.expected
        return self.outlook.forecast if self.outlook is not None and self.outlook.promised else None

    @property
    def expected(self) -> tuple[int, int] | None:
        """The record (code, owner) at the end of the game: the forecast, or the record now if the game ends here."""
        if self.outlook is None:
            return None
        if self.ended is None:
            return self.outlook.forecast
        return None if self.outlook.record is None else self.outlook.record[:2]

    @property
    def is_proven(self) -> bool:
        """Whether ``expected`` is certain: tables prove the outcome, or the game ends at this position."""
        return self.outlook is not None and (self.outlook.is_proven or self.ended is not None)

    @property
    def verdict(self) -> str | None:
        """The outcome in words such as ``White holds G3.5``; None if the score is an evaluation or a mate."""
        score, outlook = self.white_score, self.outlook
        promised = outlook.forecast if outlook is not None and outlook.promised else None
        if abs(score) < SCORE_DECIDED or is_mate(score):
            return None
        winner = WHITE if score > 0 else BLACK
        side = SIDES[winner].capitalize()
        if promised is None or not promised[0]:
            return f"{side} wins"
        code, owner = promised
        # With a komi, a goal that is too weak means that the other side wins.
        return f"{side} holds {goal_text(code)}" if owner == winner else f"{side} wins, {goal_text(code, owner)}"


class _LastScore(Listener):
    def __init__(self) -> None:
        self.line = bare_line()
        self.outlook_said: Outlook | None = None

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self.outlook_said = outlook


def analyse(session: Session, limits: Limits, fen: str | None, moves: list[str]) -> Iterator[Thought]:
    """Analyse the first position and the position after each move.

    moves: the moves in coordinate notation. Raises NotationError or IllegalMoveError.
    """
    session.new_game()
    before: Thought | None = None
    for ply in range(len(moves) + 1):
        session.position(fen, moves[:ply])
        last = _LastScore()
        session.go(limits, last)
        session.wait()
        board = session.board
        thought = Thought(
            ply,
            last_move(board, ply),
            board.stm == BLACK,
            board.fullmove,
            last.line,
            tuple(san_line(board, last.line.pv)),
            last.outlook_said,
            ended(session),
        )
        if before is not None and (missed := missed_goal(before, thought)) is not None:
            thought = replace(thought, missed=missed, instead=before.pv)
        yield thought
        before = thought


def pawns(thought: Thought) -> str:
    """Return the score in pawns from White's point of view; ``0.00`` for every draw."""
    score = thought.white_score
    return score_pawns(score) if score_cp(score) else "0.00"


def last_move(board: Board, ply: int) -> str | None:
    """Return the move that led to the position, in SAN; None at the first position."""
    if not ply:
        return None
    move = board.move_at(ply)
    board.pop()
    text = san(board, move) if move else PASS
    if move:
        board.push(move)
    else:
        board.push_null()
    return text


def ended(session: Session) -> str | None:
    """Return the rule that ends the game at this position although there are legal moves, or None."""
    end = session.game_end() if session.board.count_legal(1) else None
    return None if end is None else end[1]


def missed_goal(before: Thought, after: Thought) -> tuple[int, int] | None:
    """Return the proven outcome (code, owner) that the last move gave away; None if it gave nothing away.

    The result is also None if the previous score was an estimate, if its line began with the played move, or if the
    game was over. If the new score is an estimate, only a missed mate is certain to be better, and only if the estimate
    is low: behind a high estimate there may be another mate beyond the search's depth.
    """
    promised = before.promised
    if promised is None or before.ended is not None or (before.pv and after.move == before.pv[0]):
        return None
    sign = -1 if before.black_to_move else 1
    if after.promised is None:
        is_mating = promised == (MATE, BLACK if before.black_to_move else WHITE)
        return promised if is_mating and score_cp(sign * after.white_score) < _STILL_WON_CP else None
    return promised if sign * _order(promised) > sign * _order(after.promised) else None


def _order(goal: tuple[int, int]) -> int:
    """Return a number for an outcome, which is larger if the outcome is better for White."""
    code, owner = goal
    return CODES - code if owner == WHITE else code - CODES
