"""How long to think: pure functions of the clock and of what the search reports.

The shape is the usual one (CPW: Time Management): the soft limit is a share of what is left, stretched or cut after
each iteration by how settled the search is; the hard limit is a multiple of it that the clock must survive.
"""

from __future__ import annotations

from .limits import Budget, Limits

# Less is no use: clients add process and pipe delays of this order. With next to nothing left even that is too much.
LEAST_MS = 10
LEAST_SHARE = 1 / 40
# A clock that shows nothing left gets an answer at once, and one that may still make it.
PANIC_MS = 2
# Our clock is missing although the opponent's is there: some test programs do that. Short, and never without end.
BLIND_MS = 1000
# A forced move needs no thought, only a line to show and a reply to ponder on.
FORCED_MS = 10

# First choices, to be tuned in games. Expected moves to the end, which shrinks as the game goes on.
MOVES_LEFT_EARLY = 45
MOVES_LEFT_LATE = 35
LATE_PLY = 160
INC_SHARE = 0.8  # of the increment is spent, the rest heals the clock
RESERVED_MOVES = 8  # whose overhead is put aside
SOFT_SHARE_LIMIT = 0.45  # of the remaining time for one move
HARD_SHARE_LIMIT = 0.7
HARD_FACTOR = 4.0  # hard to soft
PONDER_FACTOR = 1.2  # a guessed reply saves time now and then


def allot(
    limits: Limits,
    stm: int,
    *,
    game_ply: int = 0,
    overhead_ms: int = 50,
    ponder: bool = False,
    forced: bool = False,
) -> Budget:
    """Time for the move of side ``stm`` at ``game_ply``; forced: there is but one legal move.

    Both limits are measured from the `go`, and the overhead is taken out of them.
    """
    if limits.infinite:
        return Budget()
    budget = _allot_clock(limits, stm, game_ply, overhead_ms)
    if budget.soft_ms is not None:
        if ponder:
            budget.soft_ms = min(budget.soft_ms * PONDER_FACTOR, budget.hard_ms)
        if forced:
            budget.soft_ms = min(budget.soft_ms, FORCED_MS)
    if limits.movetime_ms is not None:
        # Exact: no soft limit. Half of a very short time is kept, whatever the overhead.
        movetime = max(limits.movetime_ms - overhead_ms, limits.movetime_ms / 2, PANIC_MS)
        budget.hard_ms = movetime if budget.hard_ms is None else min(budget.hard_ms, movetime)
    return budget


def _allot_clock(limits: Limits, stm: int, game_ply: int, overhead_ms: int) -> Budget:
    remaining = limits.time_ms[stm]
    if remaining is None:
        if limits.time_ms[stm ^ 1] is None:
            return Budget()
        return Budget(hard_ms=BLIND_MS)
    increment = max(0, limits.inc_ms[stm])
    if remaining <= 0:
        return Budget(PANIC_MS, PANIC_MS)
    movestogo = limits.movestogo if limits.movestogo and limits.movestogo > 0 else None
    usable = _usable(remaining, increment, movestogo, overhead_ms)
    soft = usable / (movestogo or _moves_left(game_ply)) if movestogo != 1 else usable * SOFT_SHARE_LIMIT
    if movestogo is None:
        # Where the overhead of a few moves is all that is left, the increment has to refill the clock first.
        safe = overhead_ms * RESERVED_MOVES
        soft += INC_SHARE * increment * (min(1.0, remaining / safe) if safe else 1.0)
    hard = min(HARD_FACTOR * soft, HARD_SHARE_LIMIT * usable)
    soft = min(soft, SOFT_SHARE_LIMIT * usable)
    floor = min(LEAST_MS, remaining * LEAST_SHARE)
    return Budget(max(soft, floor), max(hard, soft, floor))


def _usable(remaining: int, increment: int, movestogo: int | None, overhead_ms: int) -> float:
    """What may be spread over the coming moves: each of them loses the overhead once.

    With a long clock the reserve is the overhead of many moves; a short one keeps at least a part of itself.
    """
    reserved_moves = min(movestogo + 1 if movestogo else RESERVED_MOVES, RESERVED_MOVES)
    reserve = overhead_ms * (2 if increment > overhead_ms else reserved_moves)
    return max(remaining - reserve, 0.35 * remaining if remaining > 2 * overhead_ms else 0.15 * remaining)


def _moves_left(game_ply: int) -> float:
    """Full moves that the rest of the game may take."""
    share = min(max(game_ply, 0), LATE_PLY) / LATE_PLY
    return MOVES_LEFT_EARLY + (MOVES_LEFT_LATE - MOVES_LEFT_EARLY) * share


# What the end of an iteration says about the next: again first choices, each bounded so that none dominates.
STABLE_FACTORS = (1.35, 1.15, 1.0, 0.9, 0.8, 0.72)  # by iterations since the best move changed
DROP_LIMIT_CP = 60
DROP_SHARE = 0.01  # of the soft limit more for each centipawn lost since the last iteration
RISE_SHARE = 0.003
NODE_SHARE_BASE = 1.5  # less the share of nodes the best move took
NODE_SHARE_LEAST = 0.6


def rescale(stable_iterations: int, drop_cp: float, node_share: float) -> float:
    """Factor for the soft limit.

    stable_iterations: since the best move last changed. drop_cp: fall of the score since the iteration before,
    negative for a rise. node_share: part of the nodes spent on the best move, 0 to 1; 0 if nobody counted.
    """
    stability = STABLE_FACTORS[min(stable_iterations, len(STABLE_FACTORS) - 1)]
    drop = max(-DROP_LIMIT_CP, min(drop_cp, DROP_LIMIT_CP))
    trend = 1 + drop * (DROP_SHARE if drop > 0 else RISE_SHARE)
    effort = max(NODE_SHARE_LEAST, NODE_SHARE_BASE - node_share) if node_share > 0 else 1.0
    return stability * trend * effort
