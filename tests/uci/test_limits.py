"""The words of a `go`, read without an engine: each number reaches its own limit."""

from __future__ import annotations

import random

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.limits import Limits
from standstill.protocol.uci.protocol import integer, parse_limits, split_option

NUMBERS = {
    "wtime": lambda limits: limits.time_ms[WHITE],
    "btime": lambda limits: limits.time_ms[BLACK],
    "winc": lambda limits: limits.inc_ms[WHITE],
    "binc": lambda limits: limits.inc_ms[BLACK],
    "movestogo": lambda limits: limits.movestogo,
    "movetime": lambda limits: limits.movetime_ms,
    "depth": lambda limits: limits.depth,
    "nodes": lambda limits: limits.nodes,
    "mate": lambda limits: limits.mate,
}


def read(text: str) -> Limits:
    return parse_limits(text.split())


@pytest.mark.parametrize("seed", range(4))
def test_each_number_reaches_its_own_limit_in_any_order(seed: int) -> None:
    words = random.Random(seed).sample(sorted(NUMBERS), len(NUMBERS))
    limits = read(" ".join(f"{word} {number}" for number, word in enumerate(words, 11)))
    assert {word: get(limits) for word, get in NUMBERS.items()} == {word: at for at, word in enumerate(words, 11)}
    assert (limits.infinite, limits.ponder, limits.root_moves) == (False, False, None)


@pytest.mark.parametrize("word", NUMBERS)
def test_a_number_that_is_missing_takes_no_other_word(word: str) -> None:
    limits = read(f"{word} ponder {word}")
    assert limits.ponder and not NUMBERS[word](limits)


def test_a_limit_that_is_not_given_is_none() -> None:
    limits = read("infinite")
    assert limits.infinite and not limits.ponder
    assert [get(limits) for get in NUMBERS.values()] == [None, None, 0, 0, None, None, None, None, None]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("searchmoves e2e4 d2d4 depth 3", ["e2e4", "d2d4"]),
        ("depth 3 searchmoves a7a8q", ["a7a8q"]),
        ("searchmoves depth 3", None),
    ],
)
def test_searchmoves_end_where_another_word_begins(text: str, moves: list[str] | None) -> None:
    limits = read(text)
    assert (limits.root_moves, limits.depth) == (moves, 3)


@pytest.mark.parametrize(
    ("word", "number"),
    [("300", 300), ("300.9", 300), ("-5", -5), ("1e3", 1000), ("99999999999999999999", 2**53), ("x", None)],
)
def test_numbers_lose_their_fraction_and_what_no_double_holds(word: str, number: int | None) -> None:
    assert integer(word) == number


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("name Hash value 64", "Hash", "64"),
        ("name Clear Hash", "Clear Hash", ""),
        ("name SyzygyPath value /a b/c  d", "SyzygyPath", "/a b/c  d"),
        ("name BookFile value value of a book", "BookFile", "value of a book"),
        ("name BookFile value", "BookFile", ""),
    ],
)
def test_an_option_is_split_at_the_first_value(text: str, name: str, value: str) -> None:
    assert split_option(text) == (name, value)
