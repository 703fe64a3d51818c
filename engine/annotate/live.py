"""The engine's own evaluation with its symbol: one line at the end of a search, and when it changes in a long one."""

from __future__ import annotations

import time

from ..info import is_mate, mate_moves, score_cp
from . import symbols
from .relevance import gain, judge, position_nag, result

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..info import SearchInfo
    from ..options import Settings

OFF = "off"
_SECOND_NS = 10**9


class LiveSymbols:
    """Follows one search and puts its evaluation into words.

    Scores are those that the client was shown, in whole centipawns: who computes the symbol again finds the same.
    """

    def __init__(self, settings: Settings, black_moves: bool, lines: int, say: Callable[[str], None]):
        """lines: how many are searched at once; say: takes a text for the user."""
        self._x05_cp = settings["Relevance_x05"]
        self._position = settings["Relevance_Position"]
        self._move = settings["Relevance_Move"]
        self._view = -1 if black_moves else 1
        self._lines = lines
        self._say = say
        self._best: int | None = None  # scores as the search gave them
        self._pair: tuple[int, int] | None = None  # best and next best of one depth
        self._said_symbol: int | None = None
        self._said_ns = time.monotonic_ns()

    def follow(self, line: SearchInfo) -> None:
        """Take note of an exact line."""
        if line.multipv == 1:
            self._best = line.score
        elif line.multipv == 2 and self._best is not None:
            self._pair = (self._best, line.score)
        if line.multipv == min(2, self._lines):
            self.tick()

    def tick(self) -> None:
        """Speak if the symbol has changed and a second has gone by since the last time, or since the start."""
        if self._best is None or time.monotonic_ns() - self._said_ns < _SECOND_NS:
            return
        if self._nag() != self._said_symbol:
            self._speak()

    def end(self, line: SearchInfo) -> None:
        """The line that the best move stands on."""
        self._best = line.score
        self._speak()

    def _nag(self) -> int:
        return position_nag(self._pawns(self._best), self._x05_cp / 100, self._position)

    def _pawns(self, score: int) -> float:
        """White's view; a mate is infinite."""
        if is_mate(score):
            return self._view * (float("inf") if score > 0 else -float("inf"))
        return self._view * score_cp(score) / 100

    def _speak(self) -> None:
        self._said_symbol, self._said_ns = self._nag(), time.monotonic_ns()
        self._say(self._text())

    def _text(self) -> str:
        x05 = self._x05_cp / 100
        nag = self._said_symbol
        text = (
            f"relevance x05 {self._x05_cp} eval {self._shown(self._best)}"
            f" result {result(self._pawns(self._best), x05):.4f} symbol {symbols.ascii_text(nag)} nag {nag}"
        )
        if self._move == OFF or self._pair is None:
            return text
        best, second = map(self._pawns, self._pair)
        mover = "w" if self._view > 0 else "b"
        earned = judge(best, second, best, True, mover, x05, self._move)
        return f"{text} gap {max(0.0, gain(best, second, mover, x05)):.4f} best {symbols.ascii_text(earned)}"

    def _shown(self, score: int) -> str:
        if not is_mate(score):
            return str(self._view * score_cp(score))
        sign = "" if (score > 0) == (self._view > 0) else "-"
        return f"#{sign}{abs(mate_moves(score))}"


def follow_search(settings: Settings, black_moves: bool, lines: int, say: Callable[[str], None]) -> LiveSymbols | None:
    """None if the user does not want to hear of it."""
    if settings["Relevance_Position"] == OFF:
        return None
    return LiveSymbols(settings, black_moves, lines, say)
