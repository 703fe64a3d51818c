"""The relevance line: evaluation and symbol, printed when the symbol changes and at the end of a search."""

from __future__ import annotations

import time

from ..common.info import is_mate, mate_moves, score_cp
from ..relevance import nags
from ..relevance.model import gain, judge, position_nag, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..common.info import SearchInfo
    from ..settings.options import Settings

OFF = "off"
_SECOND_NS = 10**9


class LiveSymbols:
    """Follows one search and describes its evaluation.

    It uses the scores as sent to the client, in whole centipawns, so that a user can verify the symbol.
    """

    def __init__(self, settings: Settings, black_moves: bool, lines: int, say: Callable[[str], None]):
        """lines: the value of MultiPV. say: a function that is called with each text for the user."""
        self._x05_cp = settings["Relevance_x05"]
        self._position = settings["Relevance_Position"]
        self._move = settings["Relevance_Move"]
        self._view = -1 if black_moves else 1
        self._lines = lines
        self._say = say
        self._best: int | None = None  # a score in the search's unit
        self._pair: tuple[int, int] | None = None  # the best and second-best scores of one depth
        self._said_symbol: int | None = None
        self._said = ""
        self._said_ns = time.monotonic_ns()

    def follow(self, line: SearchInfo) -> None:
        """Take an exact line of the search into account."""
        if line.multipv == 1:
            self._best = line.score
        elif line.multipv == 2 and self._best is not None:
            self._pair = (self._best, line.score)
        if line.multipv == min(2, self._lines):
            self.tick()

    def sign(self, score: int) -> str:
        """Return the symbol of a score, for clients that show it beside the line."""
        return nags.ascii_text(self._nag(score))

    def tick(self) -> None:
        """Print the line if the symbol has changed, at most once a second."""
        if self._best is None or time.monotonic_ns() - self._said_ns < _SECOND_NS:
            return
        if self._nag(self._best) != self._said_symbol:
            self._speak(self._best)

    def end(self, line: SearchInfo) -> None:
        """Print the line for the score of the best move, unless it was printed last."""
        self._best = line.score
        self._speak(line.score)

    def _nag(self, score: int) -> int:
        return position_nag(self._pawns(score), self._x05_cp / 100, self._position)

    def _pawns(self, score: int) -> float:
        """Convert a score to pawns from White's point of view. A mate is infinite."""
        if is_mate(score):
            return self._view * (float("inf") if score > 0 else -float("inf"))
        return self._view * score_cp(score) / 100

    def _speak(self, score: int) -> None:
        nag = self._nag(score)
        self._said_symbol, self._said_ns = nag, time.monotonic_ns()
        text = self._text(score, nag)
        if text != self._said:
            self._said = text
            self._say(text)

    def _text(self, score: int, nag: int) -> str:
        x05 = self._x05_cp / 100
        text = (
            f"relevance x05 {self._x05_cp} eval {self._shown(score)}"
            f" result {result(self._pawns(score), x05):.4f} symbol {nags.ascii_text(nag)} nag {nag}"
        )
        if self._move == OFF or self._pair is None:
            return text
        best, second = map(self._pawns, self._pair)
        mover = "w" if self._view > 0 else "b"
        earned = judge(best, second, best, True, mover, x05, self._move)
        return f"{text} gap {max(0.0, gain(best, second, mover, x05)):.4f} best {nags.ascii_text(earned)}"

    def _shown(self, score: int) -> str:
        if not is_mate(score):
            return str(self._view * score_cp(score))
        sign = "" if (score > 0) == (self._view > 0) else "-"
        return f"#{sign}{abs(mate_moves(score))}"


def follow_search(settings: Settings, black_moves: bool, lines: int, say: Callable[[str], None]) -> LiveSymbols | None:
    """Create the symbols for a search; None if the user has switched them off."""
    if settings["Relevance_Position"] == OFF:
        return None
    return LiveSymbols(settings, black_moves, lines, say)
