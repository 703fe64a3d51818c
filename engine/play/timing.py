"""Finds the time for a move, from the client's clocks and their lag or from the engine's Triple Block clock."""

from __future__ import annotations

from ..common.errors import StandstillError
from .timeman import ANSWER_MS, Lag, allot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..common.limits import Budget, Limits
    from ..common.notice import Notice
    from ..settings.options import Settings
    from ..variants.notation import Board
    from .engine_clock import EngineClock, StoredClock
    from .listener import Listener
    from .position import PlayedPosition


class Timing:
    """Measures the lag from one `go` to the next, and runs the Triple Block clock if there is one."""

    def __init__(self, settings: Settings, notice: Notice, stored_clock: StoredClock | None = None):
        self._settings = settings
        self._notice = notice
        self._stored_clock = stored_clock
        self._lag = Lag()
        self._hard_ms: float | None = None  # hard limit of the last move
        self._engine_clock: EngineClock | None = None

    @property
    def lag_ms(self) -> float | None:
        """The lag of a move in ms; None until a client's clock allows a measurement."""
        return self._lag.ms

    def new_game(self) -> None:
        self._lag = Lag()
        if self._engine_clock is not None:
            self._engine_clock.new_game()

    def set_clock(self, name: str, text: str) -> bool:
        """Set an option of the Triple Block clock. An invalid text is reported; then the result is False."""
        from .engine_clock import EngineClock

        if self._engine_clock is None:
            self._engine_clock = EngineClock(self._settings, self._notice, self._stored_clock)
        try:
            self._engine_clock.change(name, text)
        except StandstillError as error:
            self._notice(f"{name}: {error}", warning=True)
            return False
        return True

    def report(self, board: Board) -> list[str]:
        """Return lines that describe the Triple Block clock in this position; empty without such a clock."""
        return [] if self._engine_clock is None else self._engine_clock.report(board)

    def begin(self, limits: Limits, position: PlayedPosition, listener: Listener) -> Listener:
        """Record the start of a search. Return the listener to use for it."""
        if self._engine_clock is None:
            return listener
        return self._engine_clock.begin(limits, position.board, position.set_up_text, position.played, listener)

    def ponderhit(self) -> None:
        if self._engine_clock is not None:
            self._engine_clock.ponderhit()

    def give_up(self) -> None:
        """Record that the running search does not count as a move."""
        if self._engine_clock is not None:
            self._engine_clock.give_up()

    def allot(self, limits: Limits, board: Board, n_moves: int, thought_ms: float) -> Budget:
        """Return the time for the move. n_moves: number of moves to choose from. thought_ms: time of the last move."""
        game_ply = 2 * board.fullmove - 2 + board.stm
        overhead_ms = 0 if limits.nps else self._settings["Move Overhead"]
        if limits.clocks_sent:
            late_ms = 0.0 if self._hard_ms is None else max(0.0, thought_ms - self._hard_ms - ANSWER_MS)
            self._lag.asked(limits, board.stm, game_ply, overhead_ms, thought_ms, late_ms=late_ms)
        else:
            self._lag.skip()
        engine_clock = self._engine_clock if self._engine_clock is not None and self._engine_clock.keeping else None
        longest_ms = None
        if engine_clock is not None and engine_clock.outdone(limits, overhead_ms, self._lag):
            engine_clock, longest_ms = None, self._settings["TripleBlockMaxThink"] * 1000
        budget = allot(
            limits if engine_clock is None else limits.without_clocks(),
            board.stm,
            game_ply=game_ply,
            overhead_ms=overhead_ms,
            lag_ms=0 if limits.nps else self._lag.ms,
            largest_ms=0 if limits.nps else self._lag.largest_ms,
            ponder=self._settings["Ponder"],
            forced=n_moves == 1,
        )
        if longest_ms:
            budget.hard_ms = longest_ms if budget.hard_ms is None else min(budget.hard_ms, longest_ms)
            budget.soft_ms = longest_ms if budget.soft_ms is None else min(budget.soft_ms, longest_ms)
        self._hard_ms = budget.hard_ms
        if engine_clock is None:
            return budget
        return engine_clock.restrict(budget, limits, overhead_ms, self._lag, n_moves == 1)
