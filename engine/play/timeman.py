"""Manages time. All functions are pure: they depend only on the clock and on the search's reports.

The method is the usual one (Chess Programming Wiki: Time Management). A move gets a share of the remaining time as its
target, and two limits. No iteration begins after the soft limit, which the search adjusts to the stability of its best
move. The hard limit is the maximum that the clock allows. docs/time.md explains the rules and how they were tested.
"""

from __future__ import annotations

from ..common.limits import Budget, Limits

# Time for a move if the clock shows 0, because an immediate answer may still be in time.
PANIC_MS = 2
# Time for a move if only the opponent's clock is known, which happens with some test programs.
BLIND_MS = 1000
# Delay from the time limit to the answer: the search polls the clock, ends and writes.
ANSWER_MS = 2
# A forced move needs only a line to show and a reply to ponder on.
FORCED_MS = 10

# Expected number of remaining full moves, which falls during the game.
MOVES_LEFT_EARLY = 40
MOVES_LEFT_LATE = 22
LATE_PLY = 160
# With an increment the clock is spent sooner: up to this share fewer moves are expected. All of the share applies if
# the increments of SOONER_MOVES are worth the clock. A clock of LOW_INCREMENTS or less is kept for losses of time.
SOONER_SHARE = 0.55
SOONER_MOVES = 60
LOW_INCREMENTS, FULL_INCREMENTS = 10, 30
# The lag of this many moves is reserved, because a game may be much longer than expected.
RESERVED_MOVES = 100
# Added to the moves to go, so that the last move before a time control leaves time for the next one.
SPARE_MOVES = 0.4
# Reserve in multiples of the overhead, at most half of the clock, because a busy machine sometimes loses more than one
# overhead.
SAFE_OVERHEADS = 2
# Reserve in multiples of the largest loss that this game has seen, and its limit as a share of the clock.
SAFE_LOSSES = 3
SAFE_SHARE = 0.8
INC_SHARE = 0.85  # the part of the increment that is spent; the rest lets the clock recover

# An iteration takes about 0.6 of the time before it (bench positions, 205 iterations of more than 8 ms: mean 0.59), so
# the last iteration that begins before the soft limit ends on average at 1.27 times that limit.
OVERRUN = 1.27
HARD_FACTOR = 4.0  # hard limit as a multiple of the target
HARD_SHARE = 0.75  # largest share of the available time for one move
PONDER_FACTOR = 1.15  # a correctly guessed reply sometimes saves time
CLOCK_LEAN = 0.1  # largest adjustment for a clock that is far ahead of or behind the opponent's

# Minimum time for a move on a nearly empty clock: this many ms or this share of the clock, whichever is less.
LEAST_MS = 10
LEAST_SHARE = 1 / 400

# Lag that is assumed until it is measured, as a share of the overhead, which is the maximum loss.
LAG_SHARE = 1 / 5


def allot(
    limits: Limits,
    stm: int,
    *,
    game_ply: int = 0,
    overhead_ms: int = 50,
    lag_ms: float | None = None,
    largest_ms: float = 0,
    ponder: bool = False,
    forced: bool = False,
) -> Budget:
    """Return the time for the move of side ``stm`` at ``game_ply``.

    Both limits count from the `go` and exclude the overhead. lag_ms: the average time that a move loses outside the
    engine; None if unknown. largest_ms: the largest such loss. ponder: whether the client lets the engine think in the
    opponent's time. forced: whether only one move is legal.
    """
    if limits.infinite:
        return Budget()
    lag = overhead_ms * LAG_SHARE if lag_ms is None else lag_ms
    budget = _allot_clock(limits, stm, game_ply, overhead_ms, lag_ms=lag, largest_ms=largest_ms)
    if budget.soft_ms is not None and budget.hard_ms is not None:
        if ponder:
            budget.soft_ms = min(budget.soft_ms * PONDER_FACTOR, budget.hard_ms)
        if forced:
            budget.soft_ms = min(budget.soft_ms, FORCED_MS)
    if limits.movetime_ms is not None:
        # The search uses the whole time, so it needs no soft limit. Without a clock, only earlier moves tell the lag.
        lost_ms = max(min(ANSWER_MS, overhead_ms), 0.0 if lag_ms is None else lag_ms)
        movetime = max(limits.movetime_ms - lost_ms, limits.movetime_ms / 2, PANIC_MS)
        budget.hard_ms = movetime if budget.hard_ms is None else min(budget.hard_ms, movetime)
    return budget


def _allot_clock(
    limits: Limits, stm: int, game_ply: int, overhead_ms: float, *, lag_ms: float, largest_ms: float
) -> Budget:
    remaining, opponent = limits.time_ms[stm], limits.time_ms[stm ^ 1]
    if remaining is None:
        return Budget() if opponent is None else Budget(hard_ms=BLIND_MS)
    if remaining <= 0:
        return Budget(PANIC_MS, PANIC_MS)
    increment = max(0, limits.inc_ms[stm])
    movestogo = max(0, limits.movestogo or 0)
    moves = _moves_left(game_ply)
    feared = min(SAFE_OVERHEADS * overhead_ms, remaining / 2)
    if largest_ms > overhead_ms:
        feared = max(feared, min(SAFE_LOSSES * largest_ms, remaining * SAFE_SHARE))
    spendable = remaining - max(overhead_ms, lag_ms, feared)
    if movestogo:
        moves = min(movestogo + SPARE_MOVES, moves)  # ignore a time control beyond the expected length of the game
        spendable -= _kept_for(min(movestogo - 1, RESERVED_MOVES), remaining, increment, overhead_ms, lag_ms)
    else:
        spendable -= RESERVED_MOVES * max(0.0, lag_ms - increment)
        moves *= 1 - SOONER_SHARE * _sooner(remaining, increment - lag_ms)
    target = spendable / moves
    if movestogo != 1:
        target += INC_SHARE * max(0.0, increment - lag_ms) * min(1.0, max(0.0, spendable) / (increment + 1))
    target *= _lean(remaining, opponent)
    least = min(LEAST_MS, remaining * LEAST_SHARE)
    hard = max(min(HARD_FACTOR * target, HARD_SHARE * spendable), 2 * least)
    return Budget(min(max(target / OVERRUN, least), hard), hard)


def _kept_for(moves: int, remaining: int, increment: int, overhead_ms: float, lag_ms: float) -> float:
    """Return the reserve for lag: time that is lost outside the engine in the ``moves`` left to the time control.

    With few moves left, a single large loss weighs as much as the average of many, so the reserve exceeds the measured
    lag while the clock allows it. The reserve shrinks as the time control approaches.
    """
    seen = moves * max(0.0, lag_ms - increment)
    feared = moves * max(0.0, (lag_ms + overhead_ms) / 2 - increment)
    return min(feared, max(seen, remaining / 2))


def _sooner(remaining: int, gain: float) -> float:
    """Return the part of ``SOONER_SHARE`` that applies. gain: what each move gains on the clock, in ms."""
    if gain <= 0:
        return 0.0
    reserve = (remaining / gain - LOW_INCREMENTS) / (FULL_INCREMENTS - LOW_INCREMENTS)
    return max(0.0, min(1.0, SOONER_MOVES * gain / remaining, reserve))


def _moves_left(game_ply: int) -> float:
    share = min(max(game_ply, 0), LATE_PLY) / LATE_PLY
    return MOVES_LEFT_EARLY + (MOVES_LEFT_LATE - MOVES_LEFT_EARLY) * share


def _lean(remaining: int, opponent: int | None) -> float:
    """Return the factor for the opponent's clock. A side with more time than the opponent can think longer."""
    if opponent is None or opponent <= 0:
        return 1.0
    return 1.0 + CLOCK_LEAN * (remaining - opponent) / (remaining + opponent)


# Factors of the soft limit that depend on the last iteration. Each is bounded so that none of them dominates. Over the
# bench positions, with 400,000 nodes each, their product is 1 on average.
STABLE_FACTORS = (1.6, 1.35, 1.2, 1.05, 0.95, 0.88)  # by iterations since the best move changed
DROP_LIMIT_CP = 60
DROP_SHARE = 0.01  # share of the soft limit added for each centipawn lost since the last iteration
RISE_SHARE = 0.003
NODE_SHARE_BASE = 1.6  # the share of nodes spent on the best move is subtracted from this
NODE_SHARE_LEAST = 0.6


def rescale(stable_iterations: int, drop_cp: float, node_share: float) -> float:
    """Return the factor for the soft limit.

    stable_iterations: the number of iterations since the best move last changed. drop_cp: the fall of the score since
    the last iteration; negative for a rise. node_share: the share of the nodes spent on the best move, 0 to 1; 0 if it
    was not counted.
    """
    stability = STABLE_FACTORS[min(stable_iterations, len(STABLE_FACTORS) - 1)]
    drop = max(-DROP_LIMIT_CP, min(drop_cp, DROP_LIMIT_CP))
    trend = 1 + drop * (DROP_SHARE if drop > 0 else RISE_SHARE)
    effort = max(NODE_SHARE_LEAST, NODE_SHARE_BASE - node_share) if node_share > 0 else 1.0
    return stability * trend * effort


class Lag:
    """The lag: time lost between engine and clock, measured from one of the engine's moves to the next.

    It determines the reserve for a long game. With most clients it is a few milliseconds. Until it is measured, a fifth
    of the overhead is assumed.
    """

    # The estimate rises faster than it falls, because a lost game costs more than a little thinking time.
    RISE = 0.3
    FALL = 0.1
    OUTLIER = 4  # maximum lag in multiples of the overhead, because a suspended client causes a single large lag
    FADE = 0.98  # the largest loss counts for less with every move without another such loss
    STANDING_MS = 20  # a clock that shows this much more than possible does not run while the engine thinks

    def __init__(self) -> None:
        self.ms: float | None = None  # None: not measured yet
        self.last_ms: float | None = None  # lag of the last move alone; None if unknown
        self.largest_ms = 0.0  # the largest loss of the last moves, the search's own delay included
        self._runs = True  # whether the client's clock runs while the engine thinks
        self._ply: int | None = None  # ply of the engine's last move
        self._due_ms = 0.0  # what the clock would show after the engine's move without lag
        self._movestogo: int | None = None

    def skip(self) -> None:
        """Record a `go` whose clocks the engine counted itself, so that no lag can be measured."""
        self.last_ms = None

    def asked(
        self,
        limits: Limits,
        stm: int,
        game_ply: int,
        overhead_ms: float,
        thought_ms: float,
        *,
        late_ms: float = 0,
    ) -> None:
        """Record a `go` and measure the lag.

        thought_ms: the time of the engine's move before it. late_ms: the part of this time beyond the hard limit, which
        a busy machine took from the search.
        """
        remaining = limits.time_ms[stm]
        # In another part of the game, or across a time control, the two clocks cannot be compared.
        follows = self._ply == game_ply - 2 and (self._movestogo is None) == (limits.movestogo is None)
        if self._movestogo is not None and limits.movestogo is not None and limits.movestogo >= self._movestogo:
            follows = False
        self.last_ms = None
        if remaining is None:
            self._ply = None
            return
        if follows:
            missing = self._due_ms - thought_ms - remaining
            self._runs = self._runs and missing >= -self.STANDING_MS
            self.last_ms = missing if self._runs else None
            lost = max(0.0, min(missing + late_ms, self.OUTLIER * overhead_ms))
            self.largest_ms = max(lost, self.largest_ms * self.FADE)
            before = overhead_ms * LAG_SHARE if self.ms is None else self.ms
            self.ms = before + (self.RISE if lost > before else self.FALL) * (lost - before)
        self._ply, self._movestogo = game_ply, limits.movestogo
        self._due_ms = remaining + max(0, limits.inc_ms[stm])
