"""Limits of a search in the forms of the Python API: by name, or as a ``chess.engine.Limit``."""

from __future__ import annotations

from dataclasses import dataclass

from standstill.arguments import as_real, as_whole, wrong
from standstill.engine.common.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess.engine

_MOST = 2**62  # a number that fits into the 64 bits of the core


@dataclass(frozen=True, slots=True)
class Clocks:
    """Two clocks in seconds, White's first. moves: the number of moves until the next time control."""

    left: tuple[float | None, float | None]
    increments: tuple[float, float]
    moves: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Checked limits. A search ends at the first limit that it reaches. mate: the length of a mate in moves."""

    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    mate: int | None = None
    clocks: Clocks | None = None

    def check_any(self) -> None:
        """Raise ArgumentError if there is no limit."""
        if self == Wanted():
            raise wrong("a limit: a chess.engine.Limit, nodes, depth or seconds", None)

    def limits(self) -> Limits:
        """Convert the limits to the engine's form. Without any limit the search is infinite."""
        limits = Limits()
        limits.nodes = None if self.nodes is None else min(self.nodes, _MOST)
        limits.depth, limits.mate = self.depth, self.mate
        limits.movetime_ms = None if self.seconds is None else max(1, _ms(self.seconds))
        limits.infinite = self == Wanted()
        if self.clocks is not None:
            limits.time_ms = [None if left is None else _ms(left) for left in self.clocks.left]
            limits.inc_ms = [_ms(increment) for increment in self.clocks.increments]
            limits.movestogo = self.clocks.moves
        return limits


def wanted(
    limit: chess.engine.Limit | None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
) -> Wanted:
    """Check the limits of a call, given by name or as a ``chess.engine.Limit``. Raises ArgumentError."""
    mate = clocks = None
    if limit is not None:
        import chess.engine

        if not isinstance(limit, chess.engine.Limit):
            raise wrong("a chess.engine.Limit, or nodes, depth or seconds by name", limit)
        if any(each is not None for each in (nodes, depth, seconds)):
            raise wrong("limits in one of the two ways", (limit, {"nodes": nodes, "depth": depth, "seconds": seconds}))
        nodes, depth, seconds, mate = limit.nodes, limit.depth, limit.time, limit.mate
        clocks = _clocks(limit)
    return Wanted(
        None if nodes is None else as_whole(nodes, "a number of nodes"),
        None if depth is None else as_whole(depth, "a depth"),
        None if seconds is None else as_real(seconds, "a number of seconds", 0.001),
        None if mate is None else as_whole(mate, "a number of moves to a mate"),
        clocks,
    )


def _clocks(limit: chess.engine.Limit) -> Clocks | None:
    """Return the clocks of the limit; None without clocks. Increments alone do not limit a search."""
    left = [
        None if seconds is None else as_real(seconds, f"{side}'s clock in seconds", 0)
        for side, seconds in (("White", limit.white_clock), ("Black", limit.black_clock))
    ]
    increments = [
        0.0 if seconds is None else as_real(seconds, f"{side}'s increment in seconds", 0)
        for side, seconds in (("White", limit.white_inc), ("Black", limit.black_inc))
    ]
    moves = limit.remaining_moves
    moves = None if moves is None else as_whole(moves, "a number of moves to the time control", 0)
    if left == [None, None]:
        return None
    return Clocks((left[0], left[1]), (increments[0], increments[1]), moves)


def _ms(seconds: float) -> int:
    return round(1000 * seconds)
