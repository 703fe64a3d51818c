"""Analyses a position, or each position of a game: score, line, record and forecast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from standstill.cext.base.constants import BLACK

from ..games.notation import san, san_line
from ..words.info import SearchInfo
from ..words.limits import Limits
from .listener import Listener
from .session import Session
from .watcher import bare_line

_PASS = "--"


@dataclass(frozen=True, slots=True)
class Thought:
    """The analysis of one position. ply: moves played before it. move: the last one in SAN, None for the first
    position.

    line: of the search. pv: in SAN. record, forecast: in the form of UCI, None if nothing is recorded.
    """

    ply: int
    move: str | None
    black_to_move: bool
    number: int
    line: SearchInfo
    pv: tuple[str, ...]
    record: str | None
    forecast: str | None

    @property
    def white_score(self) -> int:
        """The score in fixed point, from White's view."""
        return -self.line.score if self.black_to_move else self.line.score


class _LastScore(Listener):
    def __init__(self) -> None:
        self.line = bare_line()
        self.said: str | None = None

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info

    def outlook(self, text: str) -> None:
        self.said = text


def analyse(session: Session, limits: Limits, fen: str | None, moves: list[str]) -> Iterator[Thought]:
    """Analyse each position from the first to the last; without moves only the first.

    moves: in coordinate notation. Raises NotationError or IllegalMoveError.
    """
    session.new_game()
    for ply in range(len(moves) + 1):
        session.position(fen, moves[:ply])
        last = _LastScore()
        session.go(limits, last)
        session.wait()
        board = session.board
        before = None
        if ply:
            move = board.move_at(ply)
            board.pop()
            before = san(board, move) if move else _PASS
            if move:
                board.push(move)
            else:
                board.push_null()
        record = forecast = None
        if last.said is not None:
            record, _, forecast = last.said.removeprefix("record ").partition(" forecast ")
        pv = tuple(san_line(board, last.line.pv))
        yield Thought(ply, before, board.stm == BLACK, board.fullmove, last.line, pv, record, forecast)
