"""The two clocks of a game with a person: ``engine.clock`` does the arithmetic, and the system gives the time."""

from __future__ import annotations

import time

from ..clock.control import ClockSide, Fischer, TimeUp, spend


class Clocks:
    """Two clocks, which start after the first move, because until then players may still be reading the page."""

    def __init__(self, control: Fischer):
        self.control = control
        self.sides: list[ClockSide] = [control.opening(), control.opening()]
        self.running: int | None = None  # the side whose clock runs
        self._since_ns = 0

    def spent_ms(self) -> int:
        """Return the time since the running clock was started."""
        return 0 if self.running is None else (time.monotonic_ns() - self._since_ns) // 1_000_000

    def left_ms(self, side: int) -> int:
        """Return the time left to a side now, at least 0."""
        left = self.sides[side].clock_ms
        return max(0, left - self.spent_ms()) if side == self.running else left

    def start(self, side: int) -> None:
        self.running, self._since_ns = side, time.monotonic_ns()

    def stop(self) -> None:
        """Stop both clocks; the time since the last move counts."""
        side = self.running
        if side is not None:
            try:
                self.sides[side] = spend(self.sides[side], self.spent_ms())
            except TimeUp:
                self.sides[side] = ClockSide(0, credit_ms=self.sides[side].credit_ms)
        self.running = None

    def press(self, side: int) -> None:
        """Record that the side has moved. Raises TimeUp if the time of the side ran out before the move."""
        if self.running == side:
            self.sides[side] = self.control.complete(self.sides[side], self.spent_ms())
        self.start(1 - side)

    def view(self) -> dict[str, object]:
        return {
            "left": [self.left_ms(0), self.left_ms(1)],
            "running": self.running,
            "increment": self.control.increment_ms,
        }
