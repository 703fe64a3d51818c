"""One search for a client of XBoard's protocol: the order and time of the lines that the client gets."""

from __future__ import annotations

import time
from _thread import allocate_lock

from standstill.engine.common.info import BestMove, SearchInfo
from standstill.engine.play.listener import Listener

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _queue import SimpleQueue
    from collections.abc import Callable
    from typing import Protocol

    from standstill.engine.rmobility.modes import Outlook

    from .client import Client

    # A line; the end of a search; None when the time of holding lines back is over; or the end of the input.
    News = str | tuple["XboardSearch", BestMove | None] | None

    class FrontEnd(Protocol):
        """The front end that starts searches and shows their findings."""

        client: Client
        inbox: SimpleQueue[News]

        @property
        def lines(self) -> int:
            """Set the number of lines in each iteration of the running search."""
            ...

        def show(self, search: XboardSearch, info: SearchInfo) -> None:
            """Show a line of thinking."""

        def show_outlook(self, search: XboardSearch, outlook: Outlook) -> None:
            """Show the record of R-Mobility."""


# Purposes of a search.
THINK, PONDER, ANALYSE = range(3)

# From this depth on iterations may take long, so the best move is shown before the other lines are known.
_LONG_NS = 3 * 10**9


class XboardSearch(Listener):
    """One search. The search sends nothing to its front end once the front end has dropped it."""

    def __init__(self, front_end: FrontEnd, purpose: int, guess: str | None = None):
        """guess: the opponent's expected move, while pondering."""
        self.purpose = purpose
        self.guess = guess
        self.line: SearchInfo | None = None  # the latest line of the best move
        self.expects: Outlook | None = None  # the outlook of the latest line of the best move
        self.current: tuple[str, int] | None = None
        self.started_ns = time.monotonic_ns()
        self.clock_started_ns = self.started_ns  # later than the start if the guess was correct, or after a pause
        self._front_end = front_end
        self._client = front_end.client
        self._alive = True
        self._is_over = False
        self._order = LineOrder(lambda info: front_end.show(self, info))
        self._lock = allocate_lock()
        self._held: list[SearchInfo] | None = [] if purpose == PONDER else None

    def release(self) -> None:
        """Show the lines held back so far, and later lines as they come.

        A pondering search at first holds its lines back. After our move, python-chess sends a `ping` and attributes
        every line before the answer to the old position, in which the moves of the next position are illegal.
        """
        with self._lock:
            held, self._held = self._held, None
            if held is not None and self._alive:
                for info in held:
                    self._order.put(info, self._front_end.lines)
                if self._is_over:
                    self._order.finish()

    def drop(self) -> None:
        self._alive = False

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info
        if not self._alive:
            return
        with self._lock:
            if self._held is None:
                self._order.put(info, self._front_end.lines)
            else:
                self._held = [line for line in self._held if line.multipv < info.multipv]
                self._held.append(info)

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self.expects = outlook
        if self._alive and is_news:
            self._front_end.show_outlook(self, outlook)

    def current_move(self, depth: int, move: str, number: int) -> None:
        self.current = move, number

    def best_move(self, best: BestMove) -> None:
        with self._lock:
            self._is_over = True
            if self._alive and self._held is None:
                self._order.finish()
        self._front_end.inbox.put((self, best))

    def remark(self, text: str) -> None:
        if self._alive:
            self._client.remark(text)

    def advice(self, text: str) -> None:
        if self._alive:
            self._client.advise(text)


class LineOrder:
    """Shows the lines of an iteration with the best one last.

    XBoard's protocol does not number lines, so clients take the last line for the best. XBoard sorts lines in its
    window, but "exclude best" and the line below the clocks use the last line.
    """

    def __init__(self, show: Callable[[SearchInfo], None]):
        self._show = show
        self._waiting: dict[int, SearchInfo] = {}  # lines of this iteration, by rank
        self._best: SearchInfo | None = None
        self._shown: SearchInfo | None = None  # the last one

    def put(self, info: SearchInfo, lines: int) -> None:
        """Take the next line of the search. lines: the number of lines in an iteration."""
        if info.multipv == 1:
            self.finish()
            self._best = info
            if lines == 1 or info.time_ns >= _LONG_NS:
                self._tell(info)
        else:
            self._waiting[info.multipv] = info
        if info.multipv >= lines:
            self.finish()

    def finish(self) -> None:
        """Show the waiting lines, then the best line unless it was shown last."""
        for rank in sorted(self._waiting, reverse=True):
            self._tell(self._waiting[rank])
        self._waiting.clear()
        if self._best is not None and self._best is not self._shown:
            self._tell(self._best)

    def _tell(self, info: SearchInfo) -> None:
        self._shown = info
        self._show(info)
