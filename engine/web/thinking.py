"""Searches of a session for asyncio: lines arrive as they are found, and cancelling the task stops the search."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from standstill.cext.base.constants import BLACK, SCORE_DECIDED

from ..common.goal import goal_text
from ..common.info import BestMove, SearchInfo, is_mate, score_cp
from ..common.limits import Limits
from ..play.analysis import SIDES, Thought, pawns
from ..play.listener import Listener
from ..play.session import Session
from ..relevance import nags
from ..relevance.model import position_nag, result
from ..variants.notation import san_line, split_move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rmobility.modes import Outlook
    from ..variants.notation import Board

_LONGEST_LINE = 24  # maximum number of half-moves of a line that a page shows


@dataclass(frozen=True, slots=True)
class Found:
    """A line of a search, with its forecast of the record if there is one."""

    info: SearchInfo
    outlook: Outlook | None


class _Follower(Listener):
    """Listens in the thread of the search, and passes everything to the thread of the loop."""

    def __init__(self, tell: Callable[[Found], None], done: asyncio.Future[BestMove]):
        self._tell = tell
        self._done = done
        self._loop = done.get_loop()
        self._outlook: Outlook | None = None
        self.is_abandoned = False  # the position has changed, so late lines belong to the old position

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self._outlook = outlook

    def info(self, info: SearchInfo) -> None:
        if info.pv:
            self._call(self._pass_on, Found(info, self._outlook if info.multipv == 1 else None))

    def best_move(self, best: BestMove) -> None:
        self._call(self._end, best)

    def _pass_on(self, found: Found) -> None:
        if not self.is_abandoned:
            self._tell(found)

    def _end(self, best: BestMove) -> None:
        if not self._done.done():
            self._done.set_result(best)

    def _call(self, function: Callable[..., None], *given: object) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop is closed when the program ends
            self._loop.call_soon_threadsafe(function, *given)


class Thinker:
    """A session that searches one position at a time; a new search waits for the previous one."""

    def __init__(self, session: Session):
        self.session = session
        self._one_at_a_time = asyncio.Lock()

    async def search(
        self, prepare: Callable[[Session], None], limits: Limits, tell: Callable[[Found], None]
    ) -> BestMove:
        """Search to the end. Cancelling the task stops the search and waits for it.

        prepare: a function that sets options and position, called in another thread, because a network may have to be
        loaded.
        tell: a function that is called with each line.
        """
        async with self._one_at_a_time:
            done: asyncio.Future[BestMove] = asyncio.get_running_loop().create_future()
            follower = _Follower(tell, done)
            beginning = asyncio.ensure_future(asyncio.to_thread(self._begin, prepare, limits, follower))
            try:
                await asyncio.shield(beginning)
                return await done
            finally:
                follower.is_abandoned = True
                if not done.done() or done.cancelled():  # cancelling this task also cancels ``done``
                    await asyncio.shield(asyncio.ensure_future(self._abandon(beginning)))

    async def get_ready(self, prepare: Callable[[Session], None]) -> None:
        """Load network and hash table for the first search while the user thinks."""

        def load() -> None:
            prepare(self.session)
            self.session.is_ready()

        async with self._one_at_a_time:
            await asyncio.to_thread(load)

    def _begin(self, prepare: Callable[[Session], None], limits: Limits, follower: Listener) -> None:
        prepare(self.session)
        self.session.go(limits, follower)

    async def _abandon(self, beginning: asyncio.Future[None]) -> None:
        with contextlib.suppress(Exception):
            await beginning
        await asyncio.to_thread(self.session.finish)

    def close(self) -> None:
        self.session.stop()


def line_view(board: Board, found: Found, x05: float) -> dict[str, object]:
    """Return a line for the pages; score, symbol and expected result are from White's view."""
    info, is_black = found.info, board.stm == BLACK
    pv = info.pv[:_LONGEST_LINE]
    written = tuple(san_line(board, pv))
    thought = Thought(board.plies, None, is_black, board.fullmove, info, written, found.outlook, None)
    score = thought.white_score
    decided = is_mate(score) or abs(score) >= SCORE_DECIDED
    value = (float("inf") if score > 0 else -float("inf")) if decided else score_cp(score) / 100
    nag = position_nag(value, x05)
    first = split_move(pv[0])
    return {
        "rank": info.multipv,
        "depth": info.depth,
        "nodes": info.nodes,
        "score": pawns(thought),
        "words": thought.verdict,
        "proven": info.is_certain,
        "result": result(value, x05),
        "symbol": nags.text(nag),
        "nag": nag,
        "meaning": nags.meaning(nag),
        "pv": written,
        "moves": pv,
        "move": pv[0],
        "squares": list(first[:2]) if first else [],
        "number": board.fullmove,
        "turn": SIDES[is_black],
        "forecast": _forecast(found.outlook),
    }


def _forecast(outlook: Outlook | None) -> dict[str, object] | None:
    if outlook is None or outlook.forecast is None:
        return None
    code, owner = outlook.forecast
    return {"text": goal_text(code, owner), "owner": SIDES[owner], "promised": outlook.promised}
