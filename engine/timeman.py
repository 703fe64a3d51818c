"""How long to think: functions of the clock and of what the search reports, without a clock of their own.

The shape is the usual one (CPW: Time Management). A move gets a share of what is left as its target, and two limits:
no iteration begins after the soft one, which the search stretches or cuts by how settled it is, and the hard one is
the most that the clock bears, whatever comes. docs/time.md explains the rules and says how they were tested.
"""

from __future__ import annotations

from .limits import Budget, Limits

# A clock that shows nothing left gets an answer at once, and one that may still make it.
PANIC_MS = 2
# Our clock is missing although the opponent's is there: some test programs do that. Short, and never without end.
BLIND_MS = 1000
# A forced move needs no thought, only a line to show and a reply to ponder on.
FORCED_MS = 10

# Full moves that the rest of a game may take; fewer as it goes on.
MOVES_LEFT_EARLY = 40
MOVES_LEFT_LATE = 22
LATE_PLY = 160
# A game may be much longer than expected: what so many moves lose outside the engine stays on the clock.
RESERVED_MOVES = 100
# Moves to go count as this much more than they are: the last one leaves something for the next time control.
SPARE_MOVES = 0.4
# The clock is not run down further than this, or half of it, for thought: once in a game a busy machine loses more.
SAFE_OVERHEADS = 2
INC_SHARE = 0.85  # of the increment is spent, the rest heals the clock

# An iteration takes about 0.6 of the time before it (bench positions, 205 iterations of more than 8 ms: mean 0.59),
# so the one that begins last before the soft limit ends, on average, at 1.27 times that limit.
OVERRUN = 1.27
HARD_FACTOR = 4.0  # hard limit to target
HARD_SHARE = 0.75  # of what the clock bears, at most for one move
PONDER_FACTOR = 1.15  # a guessed reply saves time now and then
CLOCK_LEAN = 0.1  # more or less for a clock that shows far more or far less than the opponent's

# With next to nothing left, a move still gets a look: so much, or so small a share of the clock.
LEAST_MS = 10
LEAST_SHARE = 1 / 400

# Of the overhead, which is the worst that a move is expected to lose: the lag for a start, until it has been seen.
LAG_SHARE = 1 / 5


def allot(
    limits: Limits,
    stm: int,
    *,
    game_ply: int = 0,
    overhead_ms: int = 50,
    lag_ms: float | None = None,
    ponder: bool = False,
    forced: bool = False,
) -> Budget:
    """Time for the move of side ``stm`` at ``game_ply``.

    Both limits are measured from the `go`, and the overhead is taken out of them. lag_ms: what a move loses outside
    the engine on average, if that is known. ponder: the client lets the engine think in the opponent's time. forced:
    there is but one legal move.
    """
    if limits.infinite:
        return Budget()
    budget = _allot_clock(limits, stm, game_ply, overhead_ms, overhead_ms * LAG_SHARE if lag_ms is None else lag_ms)
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


def _allot_clock(limits: Limits, stm: int, game_ply: int, overhead_ms: float, lag_ms: float) -> Budget:
    remaining, opponent = limits.time_ms[stm], limits.time_ms[stm ^ 1]
    if remaining is None:
        return Budget() if opponent is None else Budget(hard_ms=BLIND_MS)
    if remaining <= 0:
        return Budget(PANIC_MS, PANIC_MS)
    increment = max(0, limits.inc_ms[stm])
    movestogo = max(0, limits.movestogo or 0)
    moves = _moves_left(game_ply)
    spendable = remaining - max(overhead_ms, lag_ms, min(SAFE_OVERHEADS * overhead_ms, remaining / 2))
    if movestogo:
        moves = min(movestogo + SPARE_MOVES, moves)  # a control further away than the game may last is none
        spendable -= _kept_for(min(movestogo - 1, RESERVED_MOVES), remaining, increment, overhead_ms, lag_ms)
    else:
        spendable -= RESERVED_MOVES * max(0.0, lag_ms - increment)
    target = spendable / moves
    if movestogo != 1:
        target += INC_SHARE * max(0.0, increment - lag_ms) * min(1.0, max(0.0, spendable) / (increment + 1))
    target *= _lean(remaining, opponent)
    least = min(LEAST_MS, remaining * LEAST_SHARE)
    hard = max(min(HARD_FACTOR * target, HARD_SHARE * spendable), 2 * least)
    return Budget(min(max(target / OVERRUN, least), hard), hard)


def _kept_for(moves: int, remaining: int, increment: int, overhead_ms: float, lag_ms: float) -> float:
    """What so many moves up to the time control may lose outside the engine.

    They have to be made, and with few of them the worst is not far from the average: so more than the lag that was
    seen is kept while there is enough. It comes free again as the control comes near.
    """
    seen = moves * max(0.0, lag_ms - increment)
    feared = moves * max(0.0, (lag_ms + overhead_ms) / 2 - increment)
    return min(feared, max(seen, remaining / 2))


def _moves_left(game_ply: int) -> float:
    share = min(max(game_ply, 0), LATE_PLY) / LATE_PLY
    return MOVES_LEFT_EARLY + (MOVES_LEFT_LATE - MOVES_LEFT_EARLY) * share


def _lean(remaining: int, opponent: int | None) -> float:
    """Whoever has more time than the opponent can afford to think, and the other way round."""
    if opponent is None or opponent <= 0:
        return 1.0
    return 1.0 + CLOCK_LEAN * (remaining - opponent) / (remaining + opponent)


# What the end of an iteration says about the next, each factor bounded so that none dominates. Over the bench
# positions, 400,000 nodes each, the product is 1 on average.
STABLE_FACTORS = (1.6, 1.35, 1.2, 1.05, 0.95, 0.88)  # by iterations since the best move changed
DROP_LIMIT_CP = 60
DROP_SHARE = 0.01  # of the soft limit more for each centipawn lost since the last iteration
RISE_SHARE = 0.003
NODE_SHARE_BASE = 1.6  # less the share of nodes the best move took
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


class Lag:
    """What a move loses between the engine and its clock, seen from one of our moves to the next.

    The reserve for a long game depends on it: a few milliseconds in most clients, a fifth of the overhead until the
    game has shown it.
    """

    # It rises faster than it falls, because a flag costs more than a little thought.
    RISE = 0.3
    FALL = 0.1
    OUTLIER = 4  # times the overhead: a client that was put to sleep says nothing about the next move
    STANDING_MS = 20  # a clock that shows so much more than it can does not run with our thoughts

    def __init__(self):
        self.ms: float | None = None  # None: nothing seen yet
        self.last_ms: float | None = None  # of the last move alone, None if its clock does not tell
        self._runs = True  # does the clock that we are told count our thoughts?
        self._ply = -1
        self._due_ms = 0.0  # the clock after our move if nothing were lost
        self._movestogo: int | None = None

    def asked(self, limits: Limits, stm: int, game_ply: int, overhead_ms: float, thought_ms: float) -> None:
        """A `go` has come, after ``thought_ms`` of thought for the one before."""
        remaining = limits.time_ms[stm]
        # Elsewhere in the game, or across a time control, the two clocks have nothing to do with each other.
        follows = game_ply == self._ply + 2 and (self._movestogo is None) == (limits.movestogo is None)
        if self._movestogo is not None and limits.movestogo is not None and limits.movestogo >= self._movestogo:
            follows = False
        self.last_ms = None
        if remaining is None:
            self._ply = -1
            return
        if follows:
            missing = self._due_ms - thought_ms - remaining
            self._runs = self._runs and missing >= -self.STANDING_MS
            self.last_ms = missing if self._runs else None
            lost = max(0.0, min(missing, self.OUTLIER * overhead_ms))
            before = overhead_ms * LAG_SHARE if self.ms is None else self.ms
            self.ms = before + (self.RISE if lost > before else self.FALL) * (lost - before)
        self._ply, self._movestogo = game_ply, limits.movestogo
        self._due_ms = remaining + max(0, limits.inc_ms[stm])
