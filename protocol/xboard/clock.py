"""The clocks of an XBoard game: turns `level`, `st`, `sd`, `nps`, `time` and `otim` into the limits of a search."""

from __future__ import annotations

from standstill.engine.common.errors import ClockError
from standstill.engine.common.limits import Limits
from standstill.engine.common.text import shown

# Before any `level`: XBoard's own default.
_DEFAULT_MOVES, _DEFAULT_MS = 40, 5 * 60 * 1000
# Larger numbers can only come from a faulty client.
_LARGEST = 2.0**53
_HALF_CENTISECOND_MS = 5


class Clock:
    """Both clocks of a game, in ms. The engine's own clock runs even if the client never sends `time`."""

    def __init__(self) -> None:
        self._moves_a_control = _DEFAULT_MOVES  # 0 stands for one control for the whole game
        self._base_ms = _DEFAULT_MS
        self._increment_ms = 0
        self._move_ms: int | None = None  # set by `st`; 0: `time` gives the exact time
        self._depth: int | None = None
        self._nps: int | None = None
        self._first_ply = 0  # ply at which the first control begins
        self._left_ms = self._base_ms
        self._opponent_ms: int | None = None
        self._told = False  # whether `time` has been sent since the control was set
        self._fresh = False  # whether `time` has been sent since our last move; our own clock misses delays elsewhere

    def new_game(self) -> None:
        """`new`: keep the level, but remove the limits of depth and nodes."""
        self._depth = self._nps = None
        self.new_position()

    def new_position(self) -> None:
        """`setboard`: the time controls begin at this position."""
        self._first_ply = 0
        self._left_ms = self._base_ms
        self._opponent_ms = None
        self._told = self._fresh = False

    def set_level(self, text: str, ply: int) -> None:
        """`level MOVES BASE INCREMENT`. ply: the current ply of the game. Raises ClockError."""
        words = text.split()
        if len(words) < 3:
            raise ClockError(f"expected level with moves, base and increment, found {shown(text)}")
        moves, base_ms, increment_ms = _number(words[0]), _base_ms(words[1]), _ms(words[2], 1000)
        self._moves_a_control = max(0, int(moves))
        self._base_ms = self._left_ms = base_ms
        self._increment_ms = max(0, increment_ms)
        self._move_ms = None
        self._first_ply = ply
        self._told = self._fresh = False

    def set_move_time(self, text: str) -> None:
        """`st SECONDS`. Raises ClockError."""
        self._move_ms = max(0, _ms(text, 1000))
        self._told = False

    def set_depth(self, text: str) -> None:
        """`sd PLIES`; 0 removes the limit, as with `nps`. Raises ClockError."""
        depth = _number(text)
        self._depth = max(1, int(depth)) if depth > 0 else None

    def set_nodes_a_second(self, text: str) -> None:
        """`nps N`. 0 asks for processor time; the engine uses wall time instead. Raises ClockError."""
        self._nps = max(0, int(_number(text))) or None

    def set_left(self, text: str) -> None:
        """`time CENTISECONDS`. Raises ClockError."""
        # Clients truncate to centiseconds: a clock that shows 0 has half a centisecond left on average.
        self._left_ms = _ms(text, 10) or _HALF_CENTISECOND_MS
        self._told = self._fresh = True

    def set_opponent_left(self, text: str) -> None:
        """`otim CENTISECONDS`. Raises ClockError."""
        self._opponent_ms = _ms(text, 10)

    def spend(self, ms: int, moves_made: int) -> None:
        """Count another move of the engine. moves_made: the engine's moves since the start of the time control."""
        self._left_ms += self._increment_ms - ms
        self._fresh = False
        if self._moves_a_control and moves_made and moves_made % self._moves_a_control == 0:
            self._left_ms += self._base_ms

    def moves_since_control(self, first_side: int, plies: int, side: int) -> int:
        """Moves of ``side`` since the time control began. first_side: the side that made the first ply of the game."""
        start = min(self._first_ply, plies)
        starter = first_side ^ (start & 1)
        return (plies - start + (starter == side)) // 2

    def limits(self, side: int, moves_made: int) -> Limits:
        """The search limits for the next move of ``side``, the engine's side."""
        limits = Limits()
        limits.depth = self._depth
        limits.nps = self._nps
        if self._move_ms is not None:
            limits.movetime_ms = self._time_a_move(self._move_ms)
            return limits
        limits.clocks_sent = self._fresh
        limits.time_ms[side] = self._left_ms
        limits.time_ms[side ^ 1] = self._opponent_ms
        limits.inc_ms = [self._increment_ms, self._increment_ms]
        if self._moves_a_control:
            limits.movestogo = self._moves_a_control - moves_made % self._moves_a_control
        return limits

    def _time_a_move(self, move_ms: int) -> int:
        """The time per move that `st` sets.

        Some clients round the time of `st` to whole seconds, or send `st 0`, and send the exact time by `time`.
        """
        if self._nps or not self._told:
            return move_ms
        return self._left_ms if move_ms == 0 else min(move_ms, self._left_ms)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ClockError(f"expected a number, found {shown(text)}") from None
    if value != value:  # noqa: PLR0124 (the float that is not a number)
        raise ClockError(f"expected a number, found {shown(text)}")
    return max(-_LARGEST, min(value, _LARGEST))


def _ms(text: str, unit_ms: int) -> int:
    return int(_number(text) * unit_ms)


def _base_ms(text: str) -> int:
    """Milliseconds of ``MINUTES`` or ``MINUTES:SECONDS``; a suffix such as ``+5`` in ``25+5`` is ignored."""
    minutes, colon, seconds = text.partition("+")[0].partition(":")
    return _ms(minutes, 60_000) + (_ms(seconds, 1000) if colon else 0)
