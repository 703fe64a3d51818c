"""The limits of a search request, and the time that the clock allows."""

from __future__ import annotations

_NS_PER_MS = 1_000_000
# More than any game needs; a longer time would exceed the 64 bits of the core.
_LONGEST_MS = 10**12


class Limits:
    """A search request. Absent limits are None or False. Clock times are in ms, one for White and one for Black."""

    __slots__ = (
        "clocks_sent",
        "depth",
        "inc_ms",
        "infinite",
        "mate",
        "movestogo",
        "movetime_ms",
        "nodes",
        "nps",
        "ponder",
        "root_moves",
        "time_ms",
    )

    def __init__(self) -> None:
        self.time_ms: list[int | None] = [None, None]  # the time left on the clocks
        self.inc_ms: list[int] = [0, 0]
        # Whether the client sent the clock times. The engine's own count of time misses delays elsewhere
        self.clocks_sent = True
        self.movestogo: int | None = None  # number of moves until the next time control
        self.movetime_ms: int | None = None
        self.depth: int | None = None
        self.nodes: int | None = None
        self.nps: int | None = None  # this many nodes count as a second on the clock, whatever the real time
        self.mate: int | None = None  # the length of a mate in full moves
        self.infinite = False
        self.ponder = False
        # None for all moves; the moves are text, because the position is set later
        self.root_moves: list[str] | None = None

    def without_clocks(self) -> Limits:
        """Return a copy without clock times, increments and moves to the next time control."""
        copy = Limits()
        for name in ("depth", "nodes", "nps", "mate", "movetime_ms", "infinite", "ponder", "root_moves"):
            setattr(copy, name, getattr(self, name))
        return copy

    @property
    def only_movetime(self) -> bool:
        """Whether a time for this move is the only limit."""
        others = (self.depth, self.nodes, self.mate, *self.time_ms)
        return (
            self.movetime_ms is not None
            and not self.infinite
            and not self.nps
            and all(other is None for other in others)
        )

    def nodes_instead(self, budget: Budget) -> int | None:
        """Return the node limit: ``nodes``, or the nodes that fit into the budget at ``nps``, whichever is lower."""
        ms = budget.hard_ms if budget.soft_ms is None else budget.soft_ms
        if ms is None or self.nps is None:
            return self.nodes
        nodes = int(ms * self.nps / 1000)
        return nodes if self.nodes is None else min(nodes, self.nodes)


class Budget:
    """Time for one move in ms; None means no limit."""

    __slots__ = ("hard_ms", "soft_ms")

    def __init__(self, soft_ms: float | None = None, hard_ms: float | None = None):
        self.soft_ms = soft_ms  # start no new iteration after this time, which ``timeman.rescale`` adjusts
        self.hard_ms = hard_ms  # stop the search after this time

    def __repr__(self) -> str:
        return f"Budget(soft_ms={self.soft_ms}, hard_ms={self.hard_ms})"


def core_ns(ms: float | None, spent_ns: int = 0) -> int:
    """Convert a limit from ms to ns for the core, less the time since the `go` was read. 0 means no limit."""
    return 0 if ms is None else max(1, int(min(ms, _LONGEST_MS) * _NS_PER_MS) - spent_ns)
