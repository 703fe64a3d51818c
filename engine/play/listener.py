"""The listener that is told about a search."""

from __future__ import annotations

from ..common.info import BestMove, SearchInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rmobility.modes import Outlook


class Listener:
    """Everything that a front end may want to know. This one ignores it all."""

    def info(self, info: SearchInfo) -> None:
        """A line of an iteration is finished."""

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        """The record of R-Mobility and its forecast, before each exact line of the best move.

        is_news: has the record or the promised outcome changed? The end of a line with an estimate is no news.
        """

    def current_move(self, depth: int, move: str, number: int) -> None:
        """A root move is being searched; told now and then in long searches."""

    def remark(self, text: str) -> None:
        """A line of ASCII beside the protocol's own: what the evaluation means, or the state of the engine's clock."""

    def best_move(self, best: BestMove) -> None:
        """The search has ended: exactly once for each `go`."""

    def advice(self, text: str) -> None:
        """The user has to do something."""


class Relay(Listener):
    """Passes everything on to another listener."""

    def __init__(self, listener: Listener):
        self._listener = listener

    def info(self, info: SearchInfo) -> None:
        self._listener.info(info)

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self._listener.outlook(outlook, is_news)

    def current_move(self, depth: int, move: str, number: int) -> None:
        self._listener.current_move(depth, move, number)

    def remark(self, text: str) -> None:
        self._listener.remark(text)

    def best_move(self, best: BestMove) -> None:
        self._listener.best_move(best)

    def advice(self, text: str) -> None:
        self._listener.advice(text)
