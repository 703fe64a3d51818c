"""Each event in each state of a game: what it leads to, or why it is refused; when the flag matters, and to whom."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standstill.engine.clock.control import ClockSide, Fischer, PerMove, Sessions, TimeUp
from standstill.engine.clock.game_clocks import ClaimPending, Event, GameClocks, opening
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.triple_block import TripleBlock
from standstill.engine.clock.units import DAY_MS, MINUTE_MS, parse_duration
from standstill.engine.common.errors import ClockError

DAY = DAY_MS
HAPPENED = {  # what each state begins with: the instant in days, the event
    "waiting": [],
    "running": [(0, "start", {})],
    "claimed": [(0, "start", {}), (2, "claim", {"side": 0})],
    "over": [(0, "start", {}), (2, "end", {})],
}
EVENTS = {
    "start": {},
    "move": {},
    "refill": {},
    "claim": {"side": 0},
    "decide": {"accepted": True},
    "replace": {"side": 1},
    "end": {},
    "offer": {"side": 0},
    "message": {"side": 0},
}
CLAIM_WAITS = "the game waits for the decision of a claim"
RESULTS = {  # the state after each event, or the error
    "waiting": {
        "start": "running",
        "move": "no move: the game has not started",
        "refill": "no refill: the game has not started",
        "claim": "no claim: the game has not started",
        "decide": "no claim to decide",
        "replace": "waiting",
        "end": "over",
    },
    "running": {
        "start": "the game has started already",
        "move": "running",
        "refill": "running",
        "claim": "claimed",
        "decide": "no claim to decide",
        "replace": "running",
        "end": "over",
    },
    "claimed": {
        "start": "the game has started already",
        "move": f"no move: {CLAIM_WAITS}",
        "refill": f"no refill: {CLAIM_WAITS}",
        "claim": f"no claim: {CLAIM_WAITS}",
        "decide": "over",
        "replace": "claimed",
        "end": "over",
    },
    "over": {
        "start": "the game has started already",
        "move": "no move: the game is over",
        "refill": "no refill: the game is over",
        "claim": "no claim: the game is over",
        "decide": "no claim to decide",
        "replace": "no replacement: the game is over",
        "end": "the game is over already",
    },
}


def state(name: str) -> GameClocks:
    clocks = opening(parse_control("50/75/1"))
    for days, kind, data in HAPPENED[name]:
        clocks = clocks.apply(Event(kind, days * DAY, data))  # type: ignore[arg-type]
    assert clocks.status == name
    return clocks


@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("name", RESULTS)
def test_what_an_event_leads_to(name: str, kind: str) -> None:
    before, event = state(name), Event(kind, 5 * DAY, EVENTS[kind])  # type: ignore[arg-type]
    result = RESULTS[name].get(kind, name)
    if result not in RESULTS:
        with pytest.raises(ClockError) as error:
            before.apply(event)
        assert str(error.value) == result
        assert isinstance(error.value, ClaimPending) == (CLAIM_WAITS in result)
        return
    after = before.apply(event)
    assert (after.status, after.stamp_ms, after.problems()) == (result, 5 * DAY, [])
    # White's clock runs from the start to the claim or the end of the game, and then stops.
    spent = {"waiting": 0, "running": 5, "claimed": 2, "over": 2}[name]
    assert after.shown(0, 5 * DAY).used_ms == spent * DAY
    assert after.shown(1, 9 * DAY) == (before.sides[1] if kind != "move" else after.shown(1, 9 * DAY))
    assert after.to_move == (1 if kind == "move" else 0)
    runs = 9 * DAY if after.status == "running" else 5 * DAY
    assert after.shown(after.to_move, 9 * DAY).used_ms - after.shown(after.to_move, 5 * DAY).used_ms == runs - 5 * DAY
    assert (after.deadline_ms is not None) == (after.status == "running")


def test_a_rejected_claim_starts_the_clock_again() -> None:
    after = state("claimed").apply(Event("decide", 5 * DAY, {"accepted": False}))
    assert (after.status, after.deadline_ms, after.last_deadline_ms) == ("running", 53 * DAY, 128 * DAY)


@pytest.mark.parametrize(
    ("kind", "data", "free"),
    [
        ("move", {}, False),
        ("move", {"unsure": "at"}, True),
        ("refill", {}, False),
        ("claim", {"side": 0}, False),
        ("claim", {"side": 1}, True),  # the opponent claims the win on time
        ("replace", {"side": 1}, False),
        ("end", {}, True),
        ("offer", {"side": 0}, True),
        ("message", {"side": 0}, True),
    ],
)
def test_what_comes_in_time(kind: str, data: dict, free: bool) -> None:
    """The flag falls as the clock reaches zero; a millisecond earlier everything is in time."""
    running = state("running")
    assert running.deadline_ms == 50 * DAY
    running.apply(Event(kind, 50 * DAY - 1, data))  # type: ignore[arg-type]
    for late_ms, told in ((0, ""), (999, ""), (1000, ", 1 s earlier"), (2 * DAY, ", 2 d earlier")):
        event = Event(kind, 50 * DAY + late_ms, data)  # type: ignore[arg-type]
        if free:
            running.apply(event)
            continue
        with pytest.raises(TimeUp, match=r"^White's time ran out ") as error:
            running.apply(event)
        assert str(error.value).endswith(" earlier") == bool(told) and str(error.value).endswith(told)


def test_an_event_before_the_last_counts_as_at_the_same_time() -> None:
    claimed = state("claimed")
    decided = claimed.apply(Event("decide", DAY, {"accepted": False}))
    assert (decided.stamp_ms, decided.since_ms) == (2 * DAY, 2 * DAY)
    with pytest.raises(ClockError, match=r"^unknown event 'moves'$"):
        claimed.apply(Event("moves", 3 * DAY))


@pytest.mark.parametrize("bank_known", [True, False])
@pytest.mark.parametrize("clock_known", [True, False])
def test_a_clock_on_display_says_what_may_be_higher(clock_known: bool, bank_known: bool) -> None:
    """White's 50 days may have begun later, or unknown refills may have lengthened them; the bank holds 75 days."""
    clocks = state("running")
    side = replace(clocks.sides[0], clock_known=clock_known, bank_known=bank_known)
    clocks = replace(clocks, sides=(side, clocks.sides[1]))
    for day in (0, 49, 50, 51, 125, 200):
        shown = clocks.shown(0, day * DAY)
        spent = min(day, 50)
        drawn = 0 if clock_known else min(day - spent, 75)  # a known clock stands at 0: its flag has fallen
        assert (shown.clock_ms, shown.bank_ms, shown.used_ms) == (
            (50 - spent) * DAY, (75 - drawn) * DAY, (spent + drawn) * DAY
        )  # fmt: skip
        # The bank may still hold time that a refill may have taken from it.
        assert (shown.clock_known, shown.bank_known) == (clock_known, bank_known and not drawn)
        assert shown.slack_ms == (0 if clock_known else (spent + drawn) * DAY)


@pytest.mark.parametrize("unknown", [True, False])
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("known", [True, False])
def test_a_correction_makes_known_what_it_gives(known: bool, given: bool, unknown: bool) -> None:
    """A value given to `correct` is known unless the server says that it may be higher; other values do not change."""
    clocks = state("running")
    side = replace(clocks.sides[0], clock_known=known, bank_known=known)
    clocks = replace(clocks, sides=(side, clocks.sides[1]))
    expected = not unknown and (given or known)
    for name in ("clock", "bank"):
        value = {"clock": 45, "bank": 75}[name] * DAY
        data = {f"{name}_ms": value} if given else {}
        after = clocks.apply(Event("correct", 5 * DAY, {"side": 0, f"{name}_unknown": unknown, **data}))  # type: ignore[typeddict-item]
        found = {"clock": after.sides[0].clock_known, "bank": after.sides[0].bank_known}
        assert found == {**dict.fromkeys(("clock", "bank"), known), name: expected}


@pytest.mark.parametrize("unknown", ["clock", "bank"])
@pytest.mark.parametrize("below", [0, 1, 7 * DAY])
def test_after_a_correction_only_the_rules_limit_what_is_unknown(unknown: str, below: int) -> None:
    """Clock and bank begin with 50 and 75 days. They cannot hold more, so nothing is uncertain if they are full."""
    data = {"clock_ms": 50 * DAY, "bank_ms": 75 * DAY - below, f"{unknown}_unknown": True}
    after = state("running").apply(Event("correct", 0, {"side": 0, **data}))  # type: ignore[typeddict-item]
    assert after.sides[0].slack_ms == below


MINUTES = {"d": 24 * 60, "h": 60, "m": 1}


@settings(max_examples=60)
@given(st.lists(st.integers(1, 90 * 24 * 60), min_size=3, max_size=3), st.booleans(), st.booleans(), st.integers(1, 99))
def test_the_words_of_a_control_name_its_durations_and_flags(minutes: list[int], protection, refill, moves) -> None:
    """The durations are read back from the words with a pattern of the test."""
    first, second, third = (count * MINUTE_MS for count in minutes)
    block = TripleBlock(first, second, third, protection=protection, auto_refill=refill)
    for control, expected in (
        (block, minutes),
        (Fischer(first, second), minutes[:2]),
        (Sessions(moves, first), minutes[:1]),
        (PerMove(first), minutes[:1]),
    ):
        said = re.findall(r"(?:\d+ [dhm]\b ?)+", control.words)
        read = [sum(int(n) * MINUTES[unit] for n, unit in re.findall(r"(\d+) ([dhm])", each)) for each in said]
        assert read == expected, control.words
        assert parse_control(control.text) == control
    assert ("protection" in block.words, "without automatic refills" in block.words) == (protection, not refill)
    assert str(moves) in Sessions(moves, first).words.split()


@pytest.mark.parametrize("protection", [False, True])
@pytest.mark.parametrize("terms", [(50, 75, 1), (10, 0, 0), (1, 20, 2)], ids=str)
def test_the_time_given_grows_with_each_of_the_first_fifty_moves(terms: tuple[int, ...], protection: bool) -> None:
    """Compared with a side that makes its moves at once, refilling as soon as there is room."""
    control = TripleBlock(*(days * DAY_MS for days in terms), protection=protection)
    side = control.opening()
    for moves in range(54):
        known = moves <= 50 or not protection
        assert control.expected_credit(moves) == (side.credit_ms if known else None)
        assert control.most_total(moves) >= side.total_ms
        assert control.most_total(moves) == max(
            DAY_MS * (terms[0] + terms[1] + terms[2] * min(moves, 50)), 3 * DAY_MS * protection
        )
        assert control.problems(side) == []
        side = control.complete(side, 0)


def test_a_refill_is_of_what_is_wanted_if_there_is_room_and_time_for_it() -> None:
    control = TripleBlock(50 * DAY_MS, 75 * DAY_MS, DAY_MS)
    for clock_days, bank_days in ((50, 75), (49, 75), (45, 75), (45, 3), (45, 0), (0, 75)):
        side = ClockSide(clock_days * DAY_MS, bank_days * DAY_MS)
        room = min(50 - clock_days, bank_days) * DAY_MS
        for wanted in (None, -1, 0, 1, room - 1, room, room + 1, 99 * DAY_MS):
            if (wanted is not None and wanted <= 0) or not room:
                with pytest.raises(ClockError, match=r"more than 0|is full|is empty"):
                    control.refill(side, wanted)
                continue
            after, moved = control.refill(side, wanted)
            assert moved == min(room, room if wanted is None else wanted)
            assert (after.clock_ms - side.clock_ms, side.bank_ms - after.bank_ms) == (moved, moved)


@pytest.mark.parametrize("text", ["1000000", "1000000d", "999999d24h", "1000000.00000000"])
def test_the_longest_duration_is_a_million_days(text: str) -> None:
    assert parse_duration(text) == 1_000_000 * DAY_MS
    for more in (f"{text}d1m".replace("dd", "d").replace("hd", "h"), "1000000.00001", "1000001", "1000000d0h1m"):
        with pytest.raises(ClockError, match=r"of a million days at most|such as"):
            parse_duration(more)
