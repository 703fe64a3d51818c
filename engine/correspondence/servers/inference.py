"""Infers the time on both clocks and in both banks from the clocks that a server shows.

A server shows clocks to the minute, no banks, often no times of moves, and never a refill. But the totals of both
sides (clock and bank) depend on each other: of the time that has passed, one side has used the part that the other
side has not used. So every value is an interval that contains the true value, and every fact makes the interval
narrower:

* The side to move used the time that has passed since the last known state; moves that are not in the log divide this
  time in some way.
* Both totals add up to what the rules gave, less the time since the start.
  A pending claim stops the clocks, and so does the end of the game.
* A clock at rest shows less than 50 days only if its bank is empty.
* The bank of a running clock is never fuller than when the clock began to run: refills only draw from it.

A jump of a running clock needs no rule of its own: its total is known, so a higher clock means a smaller bank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...clock import game_clocks as clocks
from ...clock.game_clocks import Event, GameClocks
from ...clock.triple_block import CAP_MS, PAID_MOVES, PROTECTED_MS, TripleBlock
from ...clock.units import HOUR_MS, MINUTE_MS, SECOND_MS
from ..times import CLAIM, ENDED, LATE, MISFIT, MOVE

# Servers show whole minutes, and their system clock and this machine's may differ a little.
TOLERANCE_MS = 2 * MINUTE_MS
# A bank counts as known if its limits are at most this far apart: each move stamped in minutes adds a minute.
KNOWN_MS = HOUR_MS
_ENDLESS_MS = 1 << 50


@dataclass(frozen=True, slots=True)
class Range:
    """A value in ms whose limits are known."""

    least: int
    most: int

    @property
    def width(self) -> int:
        return self.most - self.least

    def moved(self, by: int, more: int = 0) -> Range:
        """Return the range with both limits moved, and the upper limit moved by ``more`` in addition."""
        return Range(self.least + by, self.most + by + more)

    def meet(self, other: Range) -> Range:
        """Return the intersection of two ranges.

        The result has ``least`` above ``most`` if the ranges have no value in common.
        """
        return Range(max(self.least, other.least), min(self.most, other.most))

    @property
    def ordered(self) -> Range:
        """The limits in order and not negative; slightly contradictory data may have exchanged them, or passed 0."""
        return Range(max(0, min(self.least, self.most)), max(0, self.least, self.most))

    @property
    def contradicts(self) -> bool:
        return self.width < -TOLERANCE_MS


@dataclass(frozen=True, slots=True)
class Sight:
    """The values that a server shows for a game whose last known state is ``before``.

    both: the sum of both totals at before.stamp_ms. played: the possible instants of each move since ``before``.
    shown_ms: the clocks of White and Black; None for a missing clock. stops: the stretches between moves in which a
    claim may have stopped the clocks; stretch 0 begins at the known state. entered: the sides whose refills and
    claims are all in the log. ended: whether the game has ended since ``before``, at an unknown instant, which also
    stopped the clocks. late: whether the game may have started later than ``before`` says, as if its first clock had
    been stopped.
    """

    before: GameClocks
    both: Range
    played: tuple[Range, ...]
    now_ms: int
    shown_ms: tuple[int | None, int | None]
    stops: tuple[int, ...] = ()
    entered: frozenset[int] = frozenset()
    ended: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Inferred:
    """The inferred totals.

    totals: the totals of White and Black at the instant of the server's answer. both: their sum. why: a key of
    REASONS, or empty. predicted: the sum that follows from the log alone.
    """

    totals: tuple[Range, Range]
    both: Range
    why: str
    predicted: Range


def both_totals(control: TripleBlock, standing: Sequence[Event], opening: GameClocks) -> Range:
    """Return the sum of both totals at the last event.

    The sum is the time that the rules gave, less the time in which a clock ran.

    standing: the log without entries that were taken back. opening: the state of the clocks before the log.
    """
    state, both = opening, Range(0, 0)
    for event in standing:
        after = state.apply(event)
        if state.status == clocks.RUNNING:
            both = both.moved(state.stamp_ms - after.stamp_ms)
        if event.kind == clocks.START:
            given = sum(side.total_ms for side in after.sides)
            both = Range(given, _ENDLESS_MS if event.data.get("unsure") else given)
        elif event.kind == clocks.MOVE:
            both = _with_gains(both, control, after.sides[state.to_move].moves)
        elif event.kind == clocks.CORRECT:
            both = _corrected(both, event, after)
        state = after
    return both


def _with_gains(both: Range, control: TripleBlock, number: int) -> Range:
    """Return the sum of both totals after a player's move of that number.

    Sudden-death protection may have added up to three days.
    """
    if number <= PAID_MOVES:
        return both.moved(control.increment_ms)
    return both.moved(0, PROTECTED_MS if control.protection else 0)


def _corrected(both: Range, event: Event, after: GameClocks) -> Range:
    if "both_ms" in event.data:
        return Range(event.data["both_ms"], event.data.get("both_most_ms", event.data["both_ms"]))
    if not all(side.clock_known and side.bank_known for side in after.sides):
        return both
    # The user has read both clocks on the server's page, and these readings are more precise than any sum.
    shown = [after.shown(side, after.stamp_ms) for side in (0, 1)]
    total = sum(side.total_ms for side in shown)
    return Range(total, total + sum(side.slack_ms for side in shown))


def infer(sight: Sight) -> Inferred:
    """Return all values that the server's clocks determine."""
    before, now = sight.before, sight.now_ms
    control = before.control
    assert isinstance(control, TripleBlock)
    base, mover, runner = before.stamp_ms, before.to_move, _runner(sight)
    count = len(sight.played)
    sides = [before.shown(side, base) for side in (0, 1)]
    stop_ms = _longest_stop(sight, sight.stops)
    predicted = sight.both.moved(base - now)
    ranges = []
    for side in (0, 1):
        # the stretches between moves in which this clock ran
        own = [at for at in range(count + 1) if (mover + at) % 2 == side]
        used = _used(sight, own)
        first = Range(sides[side].total_ms, sides[side].total_ms + sides[side].slack_ms)
        made = [at for at in own if at < count]
        gained = last_ms = 0
        for number in range(sides[side].moves + 1, sides[side].moves + len(made) + 1):
            last_ms = control.increment_ms if number <= PAID_MOVES else 0
            gained += last_ms
            predicted = _with_gains(predicted, control, number)
        # The last move has left at least its own increment; the increments of earlier moves may have been used since.
        total = _less(first.moved(gained), used, 0 if side == runner else last_ms)
        began = _less(first.moved(gained), _used(sight, made), last_ms)
        if control.protection and sides[side].moves + len(made) > PAID_MOVES and made:
            total, began = (Range(each.least, max(each.most, PROTECTED_MS)) for each in (total, began))
        moves, shown_ms = sides[side].moves + len(made), sight.shown_ms[side]
        total = total.meet(Range(0, control.most_total(moves)))
        if shown_ms is not None:
            limit = _running_limit if side == runner else _resting_limit
            total = total.meet(limit(sight, side, shown_ms, moves, began))
        ranges.append(total)
    both = predicted.moved(0, stop_ms)
    for _ in range(2):
        for side in (0, 1):
            other = ranges[1 - side]
            ranges[side] = ranges[side].meet(Range(both.least - other.most, both.most - other.least))
    if any(each.contradicts for each in ranges) or both.contradicts:
        return _misfit(sight, control, [side.moves for side in sides], predicted)
    totals = [each.ordered for each in ranges]
    both = both.meet(Range(totals[0].least + totals[1].least, totals[0].most + totals[1].most)).ordered
    stopped = ENDED if sight.ended else LATE if sight.late else CLAIM
    why = stopped if stop_ms > KNOWN_MS else MOVE if count else ""
    return Inferred((totals[0], totals[1]), both, why, predicted)


def _runner(sight: Sight) -> int:
    return (sight.before.to_move + len(sight.played)) % 2


def _longest_stop(sight: Sight, stops: Sequence[int]) -> int:
    """Return the longest time for which claims can have stopped the clocks in these stretches between moves."""
    passed = max(0, sight.now_ms - sight.before.stamp_ms)
    if not stops:
        return 0
    side = sight.before.to_move
    shown_ms = sight.shown_ms[side]
    here = sight.before.shown(side, sight.now_ms)
    if sight.played:
        return _extreme(sight, stops, max)
    if shown_ms is None or shown_ms > CAP_MS or not here.clock_known:
        return passed
    # A clock that was stopped shows more than it would otherwise, as after a refill.
    return min(passed, max(0, shown_ms + MINUTE_MS - here.clock_ms))


def _less(total: Range, used: Range, least_ms: int) -> Range:
    return Range(max(least_ms, total.least - used.most), total.most - used.least)


def _used(sight: Sight, stretches: Sequence[int]) -> Range:
    """Return the least and the greatest time in these stretches between moves, for any possible instants of the moves.

    Stretch 0 begins at the last known state, stretch i with the i-th move since then; the last stretch ends now.
    """
    if not stretches:
        return Range(0, 0)
    # A claim may have stopped the clock for any part of a stretch in which a claim was possible. The other player's
    # clock stood still in that stretch anyway, so a claim does not make that player's time uncertain.
    stop_ms = _longest_stop(sight, [at for at in stretches if at in sight.stops])
    return Range(max(0, _extreme(sight, stretches, min) - stop_ms), _extreme(sight, stretches, max))


def _extreme(sight: Sight, stretches: Sequence[int], best: Callable[..., int]) -> int:
    """Return the least (``min``) or greatest (``max``) possible sum of the stretches between moves.

    The instants of the moves may vary within their limits, but stay in order. The sum is linear in the
    instants, so in an extreme each instant is at one of its own limits or at a limit of another instant. A walk over
    these candidates finds the extreme.
    """
    base, now, count = sight.before.stamp_ms, sight.now_ms, len(sight.played)
    signs = [0] * (count + 2)
    for at in stretches:
        signs[at] -= 1
        signs[at + 1] += 1
    limits = [Range(base, base), *(each.meet(Range(base, now)) for each in sight.played), Range(now, now)]
    limits = [each if each.least <= each.most else Range(base, now) for each in limits]
    points = sorted({limit for each in limits for limit in (each.least, each.most)})
    reached: list[int | None] = [0] * len(points)
    for sign, allowed in zip(signs, limits, strict=True):
        so_far: int | None = None
        for number, point in enumerate(points):
            here = reached[number]
            if here is not None:
                so_far = here if so_far is None else best(so_far, here)
            inside = allowed.least <= point <= allowed.most
            reached[number] = so_far + sign * point if inside and so_far is not None else None
    found = [each for each in reached if each is not None]
    # Stamps that are out of order allow no solution. Then assume that the time may be divided in any way.
    return best(found) if found else best(0, now - base)


def _resting_limit(sight: Sight, side: int, shown_ms: int, moves: int, began: Range) -> Range:
    """Return the limits of the total of the side that is not to move, from its clock."""
    control = sight.before.control
    assert isinstance(control, TripleBlock)
    if shown_ms > CAP_MS:  # some servers show clock and bank together
        return Range(shown_ms, shown_ms + MINUTE_MS - 1)
    filled = moves > 0 and control.auto_refill and shown_ms < CAP_MS
    return Range(shown_ms, shown_ms + MINUTE_MS - 1 if filled else _ENDLESS_MS)


def _running_limit(sight: Sight, side: int, shown_ms: int, moves: int, began: Range) -> Range:
    """Return the limits of the total of the side to move, from its clock.

    began: the total when the clock began to run.
    """
    if shown_ms > CAP_MS:
        return Range(shown_ms, shown_ms + MINUTE_MS - 1)
    control = sight.before.control
    assert isinstance(control, TripleBlock)
    if moves and not control.auto_refill:
        return Range(shown_ms, _ENDLESS_MS)
    if not sight.played:
        bank = sight.before.shown(side, sight.before.stamp_ms)
        # The stored clock may contain up to a minute that belongs to the stored bank.
        return Range(shown_ms, shown_ms + 2 * MINUTE_MS + bank.bank_ms + bank.slack_ms)
    full = CAP_MS if moves else control.initial_ms
    bank_most = max(0, began.most - full)
    bank_least = max(0, began.least - full) if side in sight.entered else 0
    return Range(shown_ms + bank_least, shown_ms + MINUTE_MS + bank_most)


def _misfit(sight: Sight, control: TripleBlock, moves: list[int], predicted: Range) -> Inferred:
    """Return the values that follow from the clocks alone, if they contradict all earlier values."""
    mover, count = sight.before.to_move, len(sight.played)
    totals = []
    for side, shown_ms in enumerate(sight.shown_ms):
        made = moves[side] + sum((mover + at) % 2 == side for at in range(count))
        total = Range(0, max(control.most_total(made), shown_ms or 0))
        if shown_ms is not None:
            resting = side != _runner(sight)
            seen = _resting_limit(sight, side, shown_ms, made, total) if resting else Range(shown_ms, _ENDLESS_MS)
            total = Range(seen.least, max(seen.least, min(seen.most, total.most)))
            if resting and not made:  # the clock of this side has never run
                total = Range(control.most_total(0), control.most_total(0))
        totals.append(total)
    both = Range(sum(each.least for each in totals), sum(each.most for each in totals))
    return Inferred((totals[0], totals[1]), both, MISFIT, predicted)


def instants_of(moves: Sequence[Event], base_ms: int, now_ms: int, first_ms: int = 0) -> tuple[Range, ...]:
    """Return the possible instants of the moves: any instant for a move without a stamp.

    Stamps are in minutes or seconds.

    first_ms: the earliest possible instant of the first move.
    """
    found = []
    before_ms = base_ms
    for event in moves:
        if event.data.get("unsure"):
            found.append(Range(min(max(base_ms, first_ms), now_ms), now_ms))
        else:
            # A stamp in minutes that lies before the preceding event has been moved to the instant of that event.
            rounded = event.at_ms % MINUTE_MS == 0 or event.at_ms == before_ms
            exact = MINUTE_MS if rounded else SECOND_MS
            found.append(Range(event.at_ms, min(event.at_ms // exact * exact + exact - 1, now_ms)))
        before_ms = event.at_ms
    return tuple(found)
