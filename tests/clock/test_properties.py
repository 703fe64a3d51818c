"""Triple Block over random games: the real model compared with the naive one, and invariants."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from standstill.engine.clock.control import ClockSide, Fischer, PerMove, Sessions, TimeUp
from standstill.engine.clock.game_clocks import CLAIMED, OVER, RUNNING, Event, GameClocks, opening
from standstill.engine.clock.organiser import notice
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.plan import RefillAdvice, advise, simulate, think
from standstill.engine.clock.plot import _ticks
from standstill.engine.clock.triple_block import (
    CAP_MS,
    TABLE_DAYS,
    State,
    TripleBlock,
    duration_days,
    from_duration,
    parse_state,
)
from standstill.engine.clock.units import (
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    SECOND_MS,
    duration_text,
    parse_duration,
    words_text,
)
from standstill.engine.common.errors import ClockError
from tests.amounts import LONG
from tests.clock.naive import NaiveGame, random_events, random_terms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def begin(clock: int, bank: int, increment: int, protection: bool, auto_refill: bool) -> GameClocks:
    terms = TripleBlock(clock * HOUR_MS, bank * HOUR_MS, increment * HOUR_MS, protection, auto_refill)
    return opening(terms).apply(Event("start", 0))


def hours(clocks: GameClocks, at: int) -> list[dict[str, int]]:
    found = []
    for number in range(2):
        side = clocks.shown(number, at * HOUR_MS)
        values = {"clock": side.clock_ms, "bank": side.bank_ms, "used": side.used_ms}
        found.append({name: ms // HOUR_MS for name, ms in values.items()} | {"moves": side.moves})
        assert not any(ms % HOUR_MS for ms in values.values())
    return found


def check_invariants(clocks: GameClocks, moved: int | None) -> None:
    terms = clocks.control
    assert not clocks.problems()
    for side in clocks.sides:
        credit = terms.expected_credit(side.moves)
        assert credit is None or side.credit_ms == credit
        assert credit is not None or side.credit_ms >= terms.initial_ms + terms.bank_ms
    if moved is not None and terms.auto_refill:
        side = clocks.sides[moved]
        assert side.clock_ms == min(CAP_MS, side.total_ms)


def play(source: random.Random, naive: bool) -> None:
    """Play one random game in the real model, and compare it with the naive one if requested."""
    terms = random_terms(source)
    clocks = begin(*terms)
    other = NaiveGame(*terms) if naive else None
    now = 0
    for kind, wait, wanted in random_events(source, source.randrange(60)):
        now += wait
        if other is not None:
            other.wait(wait)
            assert clocks.flagged(now * HOUR_MS) == other.lost
        mover = clocks.to_move
        data = {}
        if kind == "refill" and wanted:
            data = {"ms": wanted * HOUR_MS}
        elif kind == "decide":
            data = {"accepted": False}
        elif kind == "replace":
            data = {"side": mover} | ({"refill_ms": 0} if wanted else {})
        fallen = clocks.flagged(now * HOUR_MS)
        try:
            clocks = clocks.apply(Event(kind, now * HOUR_MS, data))
        except TimeUp:
            assert fallen
            return
        except ClockError:
            continue  # refused: nothing has changed
        check_invariants(clocks, mover if kind == "move" else None)
        if other is None:
            continue
        if kind == "move":
            other.move()
        elif kind == "refill" or (kind == "replace" and wanted):
            other.refill(wanted if kind == "refill" and wanted else 50 * 24)
        elif kind in ("claim", "decide"):
            other.stopped = kind == "claim"
        assert hours(clocks, now) == other.sides


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(20))
def test_the_naive_model_agrees(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(75):
        play(source, naive=True)


def test_invariants_hold_over_random_events() -> None:
    source = random.Random(7)
    for _ in range(1000):
        play(source, naive=False)


@pytest.mark.slow
def test_invariants_hold_over_many_random_sequences() -> None:
    source = random.Random(8)
    for _ in range(1_000_000 if LONG else 25_000):
        play(source, naive=False)


terms = st.builds(
    TripleBlock,
    st.integers(1, CAP_MS),
    st.integers(0, 200 * DAY_MS),
    st.integers(0, 20 * DAY_MS),
    st.booleans(),
    st.booleans(),
)


@given(terms, st.lists(st.integers(0, 60 * DAY_MS), max_size=80))
def test_the_total_decides_whether_a_simulated_game_flags(control: TripleBlock, thinks: list[int]) -> None:
    """If refills come as late as possible, a move can take the whole total, but not a millisecond more."""
    total = control.opening().total_ms
    steps = simulate(control, control.opening(), thinks)
    for made, (step, think_ms) in enumerate(zip(steps, thinks, strict=False), 1):
        assert (step.flag_ms is None) == (think_ms < total)
        if step.flag_ms is not None:
            assert step.flag_ms == total
            return
        total += (control.increment_ms if made <= 50 else 0) - think_ms
        if control.protection and made > 50:
            total = max(total, 3 * DAY_MS)
        assert step.side.total_ms == total
    assert len(steps) == len(thinks)


@given(st.integers(1, CAP_MS), st.integers(0, 200 * DAY_MS))
def test_the_longest_thought_needs_the_fewest_refills(clock_ms: int, bank_ms: int) -> None:
    control = TripleBlock(CAP_MS, 0, 0)
    side = ClockSide(clock_ms, bank_ms, credit_ms=clock_ms + bank_ms)
    _, refills, rest = think(control, side, side.total_ms - 1)
    assert (refills, rest < side.clock_ms or refills > 0) == (-(-bank_ms // CAP_MS), True)


def test_a_full_clock_needs_a_refill_fewer_than_the_total_has_blocks() -> None:
    control = from_duration(350)
    assert think(control, control.opening(), 125 * DAY_MS - 1)[1] == 2


@given(terms)
def test_the_average_that_cannot_be_kept_up(control: TripleBlock) -> None:
    """The limit of ``advise`` is exact: moves of that length lose on time by move 50; moves a millisecond shorter do
    not."""
    limit = advise(State(control, control.opening())).average_limit_ms
    exact = (control.opening().total_ms + 49 * control.increment_ms) % 50 == 0
    assert simulate(control, control.opening(), [limit + (not exact)] * 50)[-1].flag_ms is not None
    if limit > 0 and control.increment_ms <= limit:
        assert simulate(control, control.opening(), [limit - exact] * 50)[-1].flag_ms is None


@pytest.mark.parametrize("moves", [10, 20, 40, 60, 80])
@pytest.mark.parametrize("made", [0, 7, 30, 45, 49, 50, 70])
def test_the_later_averages_that_cannot_be_kept_up(made: int, moves: int) -> None:
    """The same limit, from the middle of a game: the increment of the last move comes too late to help."""
    control = TripleBlock(50 * DAY_MS, 75 * DAY_MS, DAY_MS + 1)
    side = ClockSide(30 * DAY_MS + 17, 11 * DAY_MS, made, credit_ms=41 * DAY_MS + 17)
    limit = advise(State(control, side)).later_average_ms[moves]
    assert simulate(control, side, [limit + 1] * moves)[-1].flag_ms is not None
    kept = simulate(control, side, [limit - 1] * moves)
    assert len(kept) == moves and kept[-1].flag_ms is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        # A player can use the time available now, and then three days after each of nine moves.
        ("0.5/0/5@51:p", (0.5 + 9 * 3) / 10),
        ("50/50/5@51:p", (100 + 9 * 3) / 10),
        # Moves 46 to 50 earn the increment; after moves 51 to 54 three days are left.
        ("0.5/0/5@46:p", (0.5 + 5 * 5 + 4 * 3) / 10),
        ("0.5/0/5@40:p", (0.5 + 9 * 5) / 10),
        ("0.5/0/5@51", 0.5 / 10),
    ],
)
def test_protection_counts_in_the_later_averages(text: str, days: float) -> None:
    state = parse_state(text)
    limit = advise(state).later_average_ms[10]
    assert limit == days * DAY_MS
    # A player who uses nearly all the time at each move comes within milliseconds of the limit.
    side, thinks = state.side, []
    for _ in range(10):
        thinks.append(side.total_ms - 1)
        side = simulate(state.terms, side, thinks[-1:])[-1].side
    kept = simulate(state.terms, state.side, thinks)
    assert kept[-1].flag_ms is None and 10 * limit - sum(thinks) in range(1, 11)


@given(st.lists(st.integers(0, 4 * DAY_MS), min_size=10, max_size=10))
def test_no_thoughts_that_last_average_more_than_the_limit(thinks: list[int]) -> None:
    state = parse_state("0.5/1/1@47:p")
    limit = advise(state).later_average_ms[10]
    if simulate(state.terms, state.side, thinks)[-1].flag_ms is None:
        assert sum(thinks) < 10 * (limit + 1)


def test_the_limit_of_the_average_in_a_700_day_event() -> None:
    control = from_duration(700)
    assert advise(State(control, control.opening())).average_limit_ms == 6.9 * DAY_MS


def test_a_clock_that_has_run_out_has_no_share_and_no_refill() -> None:
    """The bank can no longer be used, but still counts in the total."""
    found = advise(parse_state("0/75/1@17"))
    assert found == RefillAdvice(0, None, 0, 75 * DAY_MS, 0, 0, 0, 0, {})
    assert found.last_ms == 0


# ---- corrections ----


@pytest.mark.parametrize(("control", "takes_bank"), [("50/75/1", True), ("10/50", False), ("10+3", False)])
def test_only_a_control_with_a_bank_takes_a_correction_of_it(control: str, takes_bank: bool) -> None:
    clocks = opening(parse_control(control)).apply(Event("start", 0))
    clock_ms = clocks.sides[0].clock_ms // 2
    corrected = clocks.apply(Event("correct", 0, {"side": 0, "clock_ms": clock_ms, "bank_ms": 0}))
    assert (corrected.sides[0].clock_ms, corrected.sides[0].bank_ms) == (clock_ms, 0)
    bank = Event("correct", 0, {"side": 0, "bank_ms": HOUR_MS})
    if takes_bank:
        assert clocks.apply(bank).sides[0].bank_ms == HOUR_MS
    else:
        with pytest.raises(ClockError):
            clocks.apply(bank)


# ---- table ----

PUBLISHED = {
    300: (50, 1), 350: (75, 1), 400: (50, 2), 450: (75, 2), 500: (50, 3), 550: (75, 3), 600: (50, 4), 650: (75, 4),
    700: (50, 5), 750: (75, 5), 800: (50, 6), 850: (75, 6), 900: (50, 7), 950: (75, 7), 1000: (50, 8), 1050: (75, 8),
    1100: (50, 9),
}  # fmt: skip


def test_the_published_durations() -> None:
    found = {days: from_duration(days) for days in TABLE_DAYS}
    assert {at: (row.bank_ms // DAY_MS, row.increment_ms // DAY_MS) for at, row in found.items()} == PUBLISHED


@given(st.integers(300, 5000))
def test_duration_and_terms_are_inverse(wanted: int) -> None:
    assert duration_days(from_duration(wanted)) == wanted - wanted % 50


@pytest.mark.parametrize("wanted", [-1, 0, 299])
def test_no_event_is_shorter_than_300_days(wanted: int) -> None:
    with pytest.raises(ClockError):
        from_duration(wanted)


# ---- text ----


@given(st.integers(0, 10**13))
def test_durations_are_read_as_they_are_written(ms: int) -> None:
    assert parse_duration(duration_text(ms)) == ms


@given(st.integers(0, 999))
def test_every_unit_of_a_duration_counts(number: int) -> None:
    units = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds", "ms": "milliseconds"}
    for unit, name in units.items():
        assert parse_duration(f"{number}{unit}") == timedelta(**{name: number}) // timedelta(milliseconds=1)
    whole = timedelta(**dict.fromkeys(units.values(), number))
    assert parse_duration("".join(f"{number}{unit}" for unit in units)) == whole // timedelta(milliseconds=1)


@given(st.integers(0, 10**6) | st.integers(0, 10**13))
@example(0)
@example(999)
@example(MINUTE_MS)
def test_durations_in_words_are_rounded_down(ms: int) -> None:
    """A time is rounded to minutes, a time below a minute to seconds, and no positive time is printed as 0."""
    is_short = 0 < ms < MINUTE_MS
    assert parse_duration(words_text(ms)) == ms - ms % (SECOND_MS if is_short else MINUTE_MS)
    assert words_text(ms).endswith(" s") == is_short
    assert words_text(-ms) == (f"-{words_text(ms)}" if ms else "0 d")


@pytest.mark.parametrize(("text", "ms"), [("0.0000000058", 1), ("0.0000000057", 0), ("0.0000000175", 2)])
def test_a_duration_is_rounded_to_the_next_millisecond(text: str, ms: int) -> None:
    assert parse_duration(text) == ms


@given(terms, st.integers(0, 9998))
def test_states_are_read_as_they_are_written(control: TripleBlock, moves: int) -> None:
    text = State(control, ClockSide(control.initial_ms, control.bank_ms, moves)).text
    found = parse_state(text)
    assert (found.terms, found.side.moves) == (control, moves)


@pytest.mark.parametrize(
    ("text", "clock", "bank", "increment", "moves"),
    [
        ("50/75/1", 50, 75, 1, 0),
        ("41.25/60/1@17", 41.25, 60, 1, 16),
        ("41d6h/60/1@17", 41.25, 60, 1, 16),
        ("0/0/0", 0, 0, 0, 0),
        ("50/50/5@51:p", 50, 50, 5, 50),
        ("D350", 50, 75, 1, 0),
        ("D700@12:p", 50, 50, 5, 11),
        ("90m/36h/.5", 0.0625, 1.5, 0.5, 0),
    ],
)
def test_states_that_players_write(text: str, clock: float, bank: float, increment: float, moves: int) -> None:
    found = parse_state(text)
    side, given = found.side, found.terms.increment_ms
    assert (side.clock_ms, side.bank_ms, given) == tuple(round(at * DAY_MS) for at in (clock, bank, increment))
    assert side.moves == moves


@pytest.mark.parametrize(
    "text",
    [
        "", "50", "50/75", "50/75/1/2", "51/75/1", "50.0001/75/1", "-1/75/1", "50/-75/1", "50/75/-1", "50//1", "a/b/c",
        "50/75/1@0", "50/75/1@-3", "50/75/1@x", "50/75/1@", "50/75/1:", "50/75/1:q", "50/75/1:p:", "D299", "D", "Dx",
        "50/75/1 ", "1e3/75/1", "50/nan/1", "50/inf/1", "6h41d/60/1", "50/99999999999/1", "5\u0665/75/1",
        "50/75/1@99999", "9" * 5000 + "/1/1",
    ],
)  # fmt: skip
def test_states_that_mean_nothing(text: str) -> None:
    with pytest.raises(ClockError, match="found"):
        parse_state(text)


@pytest.mark.parametrize("text", ["50/75/1", "50/75/1:p", "50/75/1:r", "10/50", "10+3", "5/move", "10/30", "7d12h+6h"])
def test_controls_are_read_as_they_are_written(text: str) -> None:
    assert parse_control(text).text == text


SMALLEST = {
    Fischer: {"base_ms": 0, "increment_ms": 0},
    Sessions: {"session_ms": 0, "moves": 1},
    PerMove: {"move_ms": 0},
    TripleBlock: {"initial_ms": 0, "bank_ms": 0, "increment_ms": 0},
}


@pytest.mark.parametrize("control", SMALLEST, ids=lambda control: control.__name__)
def test_the_least_of_each_field(control: type) -> None:
    control(**SMALLEST[control])
    for name, least in SMALLEST[control].items():
        with pytest.raises(ClockError, match=f"^expected {name} of {least} or more, found {least - 1}$"):
            control(**SMALLEST[control] | {name: least - 1})


@pytest.mark.parametrize(
    "text", ["", "x", "50/75/1@3", "0/75/1", "0+1", "+1", "10+", "10/0", "0/10", "/move", "0/move", "10/", "a/b"]
)
def test_controls_that_mean_nothing(text: str) -> None:
    with pytest.raises(ClockError):
        parse_control(text)


# ---- the other clocks, compared with sums computed here ----


@given(st.lists(st.integers(0, 3 * DAY_MS - 1), max_size=60))
def test_fischer_is_base_and_increments_less_the_time_used(thinks: list[int]) -> None:
    side = Fischer(10 * DAY_MS, 3 * DAY_MS).opening()
    for think_ms in thinks:
        side = Fischer(10 * DAY_MS, 3 * DAY_MS).complete(side, think_ms)
    assert side.clock_ms == (10 + 3 * len(thinks)) * DAY_MS - sum(thinks)


@given(st.lists(st.integers(0, 5 * DAY_MS - 1), max_size=60))
def test_a_session_is_added_every_ten_moves(thinks: list[int]) -> None:
    control = Sessions(10, 50 * DAY_MS)
    side = control.opening()
    for think_ms in thinks:
        side = control.complete(side, think_ms)
    assert side.clock_ms == 50 * DAY_MS * (1 + len(thinks) // 10) - sum(thinks)


def test_the_last_move_of_a_session_may_not_be_late() -> None:
    control = Sessions(10, 50 * DAY_MS)
    side = control.opening()
    for _ in range(9):
        side = control.complete(side, 5 * DAY_MS)
    with pytest.raises(TimeUp):
        control.complete(side, 5 * DAY_MS)


@given(st.lists(st.integers(0, 5 * DAY_MS - 1), max_size=20))
def test_days_per_move_carry_nothing_over(thinks: list[int]) -> None:
    control = PerMove(5 * DAY_MS)
    side = control.opening()
    for think_ms in thinks:
        side = control.complete(side, think_ms)
        assert (side.clock_ms, control.problems(side)) == (5 * DAY_MS, [])


@pytest.mark.parametrize(("state", "left"), [("1/20/0@60:pr", (1, 20)), ("1/1/0@60:pr", (3, 0))])
def test_protection_looks_at_clock_and_bank(state: str, left: tuple[int, int]) -> None:
    given = parse_state(state)
    side = given.terms.complete(given.side, 0)
    assert (side.clock_ms, side.bank_ms) == (left[0] * DAY_MS, left[1] * DAY_MS)


# ---- two sides ----


def test_a_claim_stops_the_clock_and_a_rejected_one_lets_it_run_on() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 0)).apply(Event("claim", 10 * DAY_MS))
    assert (clocks.status, clocks.deadline_ms, clocks.flagged(10**15)) == (CLAIMED, None, False)
    with pytest.raises(ClockError):
        clocks.apply(Event("move", 11 * DAY_MS))
    clocks = clocks.apply(Event("decide", 100 * DAY_MS, {"accepted": False}))
    assert (clocks.status, clocks.deadline_ms) == (RUNNING, 140 * DAY_MS)


def test_an_accepted_claim_ends_the_game() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 0)).apply(Event("claim", DAY_MS))
    assert clocks.apply(Event("decide", 2 * DAY_MS, {"accepted": True})).status == OVER


def test_the_clock_runs_on_while_a_player_is_replaced() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 0))
    assert clocks.apply(Event("replace", 9 * DAY_MS, {"side": 0})).deadline_ms == 50 * DAY_MS


def test_the_captain_refills_from_the_bank_of_the_player_who_goes() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 0))
    clocks = clocks.apply(Event("replace", 40 * DAY_MS, {"side": 0, "refill_ms": 0}))
    assert (clocks.mover.clock_ms, clocks.mover.bank_ms) == (50 * DAY_MS, 35 * DAY_MS)


@pytest.mark.parametrize("data", [{"side": 1, "refill_ms": 0}, {"side": 0, "refill_ms": -1}])
def test_no_captain_refills_a_clock_that_does_not_run(data: dict) -> None:
    with pytest.raises(ClockError):
        opening(from_duration(350)).apply(Event("start", 0)).apply(Event("replace", 40 * DAY_MS, data))


def test_no_captain_refills_from_an_empty_bank() -> None:
    clocks = opening(TripleBlock(CAP_MS, 0, 0)).apply(Event("start", 0))
    with pytest.raises(ClockError, match="empty"):
        clocks.apply(Event("replace", DAY_MS, {"side": 0, "refill_ms": 0}))


def test_a_correction_is_the_truth_even_after_the_flag() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 0))
    fixed = {"side": 0, "clock_ms": 7 * DAY_MS, "bank_ms": 3 * DAY_MS, "moves": 4}
    clocks = clocks.apply(Event("correct", 55 * DAY_MS, fixed))
    assert (clocks.deadline_ms, clocks.mover.bank_ms, clocks.mover.moves) == (62 * DAY_MS, 3 * DAY_MS, 4)
    assert not clocks.problems()


@pytest.mark.parametrize("to_move", [0, 1])
def test_a_correction_of_the_idle_side_lets_the_other_clock_run_on(to_move: int) -> None:
    clocks = opening(from_duration(350), black_begins=bool(to_move)).apply(Event("start", 0))
    fixed = clocks.apply(Event("correct", 5 * DAY_MS, {"side": 1 - to_move, "clock_ms": 7 * DAY_MS, "bank_ms": 0}))
    assert fixed.deadline_ms == 50 * DAY_MS
    assert fixed.shown(to_move, 6 * DAY_MS).used_ms == 6 * DAY_MS
    idle = fixed.sides[1 - to_move]
    assert (idle.clock_ms, idle.used_ms) == (7 * DAY_MS, 0)


@pytest.mark.parametrize("data", [{"clock_ms": 51 * DAY_MS}, {"clock_ms": -1}, {"bank_ms": -1}, {"moves": -1}])
def test_a_correction_may_not_break_the_rules(data: dict) -> None:
    with pytest.raises(ClockError):
        opening(from_duration(350)).apply(Event("correct", 0, {"side": 0} | data))


def test_a_system_clock_that_goes_back_adds_no_time() -> None:
    clocks = opening(from_duration(350)).apply(Event("start", 10 * DAY_MS)).apply(Event("move", 20 * DAY_MS))
    later = clocks.apply(Event("move", 5 * DAY_MS))
    assert (later.stamp_ms, later.sides[1].used_ms) == (20 * DAY_MS, 0)
    assert clocks.shown(1, 0) == clocks.sides[1]


@pytest.mark.parametrize("kind", ["move", "refill", "claim"])
def test_before_the_start_and_after_the_end_nothing_happens(kind: str) -> None:
    clocks = opening(from_duration(350))
    with pytest.raises(ClockError):
        clocks.apply(Event(kind, 0))
    with pytest.raises(ClockError):
        clocks.apply(Event("start", 0)).apply(Event("end", 0)).apply(Event(kind, 0))


@settings(max_examples=30)
@given(st.integers(0, 5000), st.integers(0, 400))
def test_no_game_outlasts_its_duration(seed: int, moves: int) -> None:
    """A game in which all time is used ends by 2 x (C + B + 50 x I)."""
    source = random.Random(seed)
    control = from_duration(source.choice(TABLE_DAYS))
    clocks, now = opening(control).apply(Event("start", 0)), 0
    for _ in range(moves):
        now += source.randrange(clocks.mover.clock_ms)
        clocks = clocks.apply(Event("move", now))
    assert clocks.last_deadline_ms <= control.longest_game_ms()


@pytest.mark.parametrize("auto_refill", [True, False])
def test_a_clock_is_called_known_only_where_every_bank_leads_to_it(auto_refill: bool) -> None:
    """The bank holds at least the known amount; with any larger amount the clock must be the same."""
    random_ = random.Random(auto_refill)
    terms = TripleBlock(50 * DAY_MS, 75 * DAY_MS, DAY_MS, auto_refill=auto_refill)
    claimed = 0
    for _ in range(2000):
        least = random_.choice([0, random_.randrange(60)]) * DAY_MS
        side = ClockSide(random_.randrange(1, 51) * DAY_MS, least, moves=random_.randrange(60), bank_known=False)
        think_ms = random_.randrange(side.clock_ms)
        after = terms.complete(side, think_ms)
        if after.clock_known:
            claimed += 1
            for more in (1, DAY_MS, 100 * DAY_MS):
                assert terms.complete(replace(side, bank_ms=least + more), think_ms).clock_ms == after.clock_ms
    assert claimed


@given(st.integers(1, 50 * DAY_MS), st.integers(0, 75 * DAY_MS), st.integers(0, 200 * DAY_MS))
def test_a_move_of_unknown_length_may_have_used_clock_and_bank(clock_ms: int, bank_ms: int, most_ms: int) -> None:
    """For an unknown thinking time the longest possible time is deducted, but no more than the player had."""
    control = parse_control("50/75/1")
    before = replace(control.opening(), clock_ms=clock_ms, bank_ms=bank_ms)
    after = control.complete_unsure(before, most_ms)
    assert after.used_ms - before.used_ms == min(most_ms, clock_ms + bank_ms)


def test_a_notice_has_one_day_and_several_days() -> None:
    text = notice(TripleBlock(50 * DAY_MS, 2 * DAY_MS, DAY_MS), date(2026, 3, 2), date(2027, 3, 2))
    assert "50 days" in text and "2 days" in text
    assert "1 day" in text and "1 days" not in text


@given(st.floats(0.01, 10**7))
def test_the_numbers_at_an_axis_are_round_and_few(most: float) -> None:
    """Steps of 1, 2 or 5 with zeros: the smallest of them that needs at most ten."""
    steps = [number * 10**zeros for zeros in range(8) for number in (1, 2, 5)]
    step = next(step for step in steps if most / step <= 10)
    assert _ticks(most) == list(range(0, int(most) + 1, step))
