"""The interface to which a search reports."""

from __future__ import annotations

from ..common.info import BestMove, SearchInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rmobility.modes import Outlook


class Listener:
    """Callbacks for a front end. This base class ignores all of them."""

    def info(self, info: SearchInfo) -> None:
        """Report a finished line of an iteration."""

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        """Report the R-Mobility record and its forecast, before each exact line of the best move.

        is_news: whether the record or the proven outcome has changed since the last report. A record that is only
        expected at the end of the line does not count.
        """

    def current_move(self, depth: int, move: str, number: int) -> None:
        """Report the root move that is being searched. Only long searches report it, and not every move."""

    def remark(self, text: str) -> None:
        """Report a line of ASCII text: the meaning of the evaluation, or the state of the engine's clock."""

    def best_move(self, best: BestMove) -> None:
        """Report the best move, exactly once for each `go`."""

    def advice(self, text: str) -> None:
        """Report an action that the user has to take."""


class Relay(Listener):
    """Passes all reports on to another listener."""

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
