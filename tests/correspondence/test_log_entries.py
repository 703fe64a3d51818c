"""Log entries in comments of a PGN: what is written is read again, and each key takes only the values of its kind."""

from __future__ import annotations

import itertools

import pytest

from standstill.engine.common.errors import ClockError
from standstill.engine.correspondence.log_entries import entry_text, read_entries

AT = "2026-11-20T08:00:00Z"
# What a key may hold, by kind of value: (text, value).
SIDE = {"white": 0, "black": 1}
FLAG = {"yes": True, "no": False}
TIME = {"20d": 20 * 86_400_000, "1h": 3_600_000}
COUNT = {"0": 0, "12": 12, "9999": 9999}
WHAT = {"at": "at", "length": "length"}
RESULT = {"1-0": "1-0", "0-1": "0-1", "1%2F2-1%2F2": "1/2-1/2", "%2A": "*"}
TEXT = {"a%20b": "a b", "": ""}
KINDS = (SIDE, FLAG, TIME, COUNT, WHAT, RESULT)
ENTRIES = {
    "start": ({"unsure": WHAT}, ["unsure"]),
    "refill": ({"ms": TIME, "most_ms": TIME, "assumed": FLAG, "seen": FLAG}, []),
    "claim": ({"side": SIDE, "what": TEXT}, ["side"]),
    "decide": ({"accepted": FLAG, "result": RESULT, "reason": TEXT}, ["accepted"]),
    "replace": ({"side": SIDE, "name": TEXT, "refill_ms": TIME}, ["side", "name"]),
    "correct": (
        {
            "side": SIDE, "clock_ms": TIME, "bank_ms": TIME, "bank_most_ms": TIME, "both_ms": TIME,
            "both_most_ms": TIME,
            "moves": COUNT, "clock_unknown": FLAG, "bank_unknown": FLAG, "why": TEXT,
        },
        ["side"],
    ),
    "end": ({"result": RESULT, "reason": TEXT}, ["result"]),
    "offer": ({"side": SIDE}, ["side"]),
    "message": ({"side": SIDE, "text": TEXT}, ["side", "text"]),
}  # fmt: skip


def read(kind: str, words: dict[str, str]):
    (event,) = read_entries(f"before [%log {' '.join([kind, AT, *(f'{k}={v}' for k, v in words.items())])}] behind")
    return event


def least(kind: str) -> dict[str, str]:
    keys, needed = ENTRIES[kind]
    return {key: next(iter(keys[key])) for key in needed}


@pytest.mark.parametrize("kind", ENTRIES)
def test_each_key_takes_the_values_of_its_kind_and_no_others(kind: str) -> None:
    keys, _ = ENTRIES[kind]
    foreign = {*itertools.chain.from_iterable(KINDS), "", "Yes", "WHITE", "12345", "-1", "1.5", "soon", "\u0661"}
    for key, values in keys.items():
        for text, value in values.items():
            event = read(kind, {**least(kind), key: text})
            assert (event.kind, event.data[key]) == (kind, value)
            (again,) = read_entries(entry_text(event))
            assert again == event
        if values is not TEXT:
            for text in foreign - {*values}:
                if values is TIME and text.isascii() and text.replace(".", "").isdigit():
                    continue  # a number of days
                with pytest.raises(ClockError, match=r"expected .*found"):
                    read(kind, {**least(kind), key: text})


@pytest.mark.parametrize("kind", ENTRIES)
def test_each_entry_has_the_keys_that_it_needs_and_no_foreign_ones(kind: str) -> None:
    keys, needed = ENTRIES[kind]
    assert read(kind, least(kind)).at_ms == 1_795_161_600_000
    for key in needed:
        words = {other: text for other, text in least(kind).items() if other != key}
        with pytest.raises(ClockError, match=f"expected {key} in the entry"):
            read(kind, words)
    for key in {key for other, _ in ENTRIES.values() for key in other} - {*keys}:
        with pytest.raises(ClockError, match=f"expected keys of a {kind} entry, found"):
            read(kind, {**least(kind), key: "yes"})


@pytest.mark.parametrize(
    "words", [{"unsure": "at"}, {"unsure": "length"}, {"unsent": "yes"}, {"unsent": "no"}, {}], ids=str
)
def test_a_move_has_an_entry_only_for_what_its_stamp_lacks(words: dict[str, str]) -> None:
    if words:
        ((key, text),) = words.items()
        assert read("move", words).data == {key: {"yes": True, "no": False}.get(text, text)}
    else:
        with pytest.raises(ClockError, match="expected unsure or unsent"):
            read("move", words)


@pytest.mark.parametrize("text", ["", "refill", "undo 2026-11-20T08:00:00Z", "refill soon"])
def test_other_text_is_no_entry(text: str) -> None:
    with pytest.raises(ClockError, match="expected"):
        read_entries(f"[%log {text}]")


def test_a_comment_holds_any_number_of_entries() -> None:
    one = f"[%log refill {AT} ms=1d]"
    assert read_entries("no entry [%clk 0:00:01]") == ()
    assert [event.data["ms"] for event in read_entries(f"{one} and {one}{one}")] == [86_400_000] * 3
