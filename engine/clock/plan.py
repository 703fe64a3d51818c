"""Simulates the clock over whole games, and advises on the time for the next move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .control import ClockSide, Control
from .triple_block import CAP_MS, PAID_MOVES, PROTECTED_MS, State, TripleBlock
from .units import DAY_MS

# The reserve, which neither the search nor the advice plans to use: three days, or this part of the total if that is
# shorter.
RESERVE_MS = 3 * DAY_MS
RESERVE_PART = 10
# The expected number of the player's moves after the last move that earns the increment, and the fewest moves to plan
# for.
MOVES_AFTER = 20
FEWEST_MOVES = 10


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the player in a simulated game.

    side: the clock after the move, or when the flag fell. flag_ms: the thinking time at which the flag fell, or None.
    """

    move: int
    think_ms: int
    side: ClockSide
    refills: int
    flag_ms: int | None = None


def think(control: Control, side: ClockSide, think_ms: int) -> tuple[ClockSide, int, int]:
    """Simulate ``think_ms`` of thought, with manual refills as late and as large as possible.

    Returns (side, refills, rest): the clock after the last refill, the number of refills, and the time of thought since
    the last refill. If even the bank does not suffice, ``rest`` is at least the whole clock.
    """
    refills, rest = 0, think_ms
    # A clock that shows 0 at the start has run out: a refill would be too late.
    while rest >= side.clock_ms > 0 and side.bank_ms:
        rest -= side.clock_ms
        spent = replace(side, clock_ms=0, used_ms=side.used_ms + side.clock_ms)
        side, _ = control.refill(spent)
        refills += 1
    return side, refills, rest


def simulate(control: Control, side: ClockSide, thinks_ms: Iterable[int]) -> list[Step]:
    """Return the state after each move. If the time runs out, the last step is the move on which the flag falls."""
    steps = []
    for think_ms in thinks_ms:
        number = side.moves + 1
        side, refills, rest = think(control, side, think_ms)
        if rest >= side.clock_ms:
            flag_ms = think_ms - rest + side.clock_ms
            side = replace(side, clock_ms=0, used_ms=side.used_ms + side.clock_ms)
            steps.append(Step(number, think_ms, side, refills, flag_ms))
            break
        side = control.complete(side, rest)
        steps.append(Step(number, think_ms, side, refills))
    return steps


def reserve_ms(total_ms: int) -> int:
    """Return three days or a tenth of the total, whichever is shorter."""
    return min(RESERVE_MS, total_ms // RESERVE_PART)


def moves_to_plan(move: int) -> int:
    """Return the number of the player's moves, including the next one, for which the total has to last."""
    return max(FEWEST_MOVES, PAID_MOVES - move + 1 + MOVES_AFTER)


def share_ms(state: State) -> int:
    """Return the time for the next move: an equal share of the total less the reserve, plus the increment if due."""
    total = state.side.total_ms
    share = (total - reserve_ms(total)) // moves_to_plan(state.move)
    return share + (state.terms.increment_ms if state.move <= PAID_MOVES else 0)


@dataclass(frozen=True, slots=True)
class RefillAdvice:
    """Advice for the next move. All times are in ms.

    average_limit_ms: the average time per move up to move 50 must stay below this; None after move 50. clock_ms: the
    time until the flag falls without a refill; 0 if time has run out. after_refill_ms: the time until the flag falls
    with one refill at the last moment. refill_ms: the time that a refill now could transfer. latest_refill_ms: the
    time that a refill at the last moment could transfer. later_average_ms: for each number of moves, the limit of the
    average time per move.
    """

    share_ms: int
    average_limit_ms: int | None
    clock_ms: int
    total_ms: int
    refill_ms: int
    latest_refill_ms: int
    after_refill_ms: int
    refills_to_use_all: int
    later_average_ms: dict[int, int]

    @property
    def last_ms(self) -> int:
        """The time until the flag falls if every possible refill is used."""
        return self.total_ms if self.clock_ms else 0


def advise(state: State) -> RefillAdvice:
    """Return the advice for the player to move."""
    side, terms = state.side, state.terms
    total = side.total_ms
    if not side.clock_ms:
        return RefillAdvice(0, None, 0, total, 0, 0, 0, 0, {})
    latest = min(CAP_MS, side.bank_ms)
    paid_left = PAID_MOVES - side.moves
    return RefillAdvice(
        share_ms=share_ms(state),
        average_limit_ms=(total + terms.increment_ms * (paid_left - 1)) // paid_left if paid_left > 0 else None,
        clock_ms=side.clock_ms,
        total_ms=total,
        refill_ms=min(CAP_MS - side.clock_ms, side.bank_ms),
        latest_refill_ms=latest,
        after_refill_ms=side.clock_ms + latest,
        refills_to_use_all=-(-side.bank_ms // CAP_MS),
        later_average_ms={moves: _sustained(terms, side, moves) for moves in (10, 20, 40, 60, 80)},
    )


def _sustained(terms: TripleBlock, side: ClockSide, moves: int) -> int:
    """Return the limit of the average time per move over the next ``moves`` moves.

    The increment of the last move comes too late for the player to use it. With sudden-death protection, a player who
    has used all time gets three days for each move after the last move that earns the increment.
    """
    paid_left = max(0, PAID_MOVES - side.moves)
    given = terms.increment_ms * min(moves - 1, paid_left)
    if terms.protection:
        given += PROTECTED_MS * max(0, moves - 1 - paid_left)
    return (side.total_ms + given) // moves
