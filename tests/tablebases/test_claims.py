"""Every claim about endings in docs/tables.md, counted again."""

from __future__ import annotations

import re
from functools import cache

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.goal import parse_goal
from standstill.engine.tablebases.solving import solve_class
from standstill.engine.tablebases.store import SUPPLIED, TableStore

from . import claims
from .test_solver import counts, outcome, planes, solved
from .test_tables_page import PAGE

TEXT = " ".join(PAGE.read_text(encoding="utf-8").split())


def rows_of(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading; the first row has the column names."""
    section = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n", 1)[1].split("\n#", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:1] + lines[2:]]


@pytest.fixture(scope="module")
def store() -> TableStore:
    return TableStore(SUPPLIED)


@cache
def under_records(name: str, stm: int) -> dict[tuple[int, int], tuple[int, int]]:
    return claims.owners_under(TableStore(SUPPLIED), name, stm)


def share(name: str, stm: int, record: str) -> float:
    """The percentage of positions in which White has the final record."""
    owner, code = parse_goal(record)
    total, white = under_records(name, stm)[code, owner]
    return 100 * white / total


def test_who_wins_under_which_record() -> None:
    head, *rows = rows_of("Who wins under which record")
    assert {row[0] for row in rows} == {"KvK", "KBvK", "KNvK"}
    for name, *cells in rows:
        for record, cell in zip(head[1:], cells, strict=True):
            assert cell == f"{share(name, WHITE, record):.1f} %", (name, record)


def test_a_bishop_overturns_every_record_and_a_knight_those_from_two_moves_on() -> None:
    assert all(white == total for (_, owner), (total, white) in under_records("KBvK", WHITE).items() if owner == BLACK)
    for (code, owner), (total, white) in under_records("KNvK", WHITE).items():
        if owner == BLACK:
            assert (white == total) == (code >= 4), code
    assert f"{share('KNvK', WHITE, '-G1.0'):.1f}" == f"{share('KNvK', WHITE, '-G1.5'):.1f}" == "1.6"
    assert f"{100 - share('KBvK', BLACK, '-G1.5'):.1f}" == "6.2"


def test_the_border_of_two_kings() -> None:
    for (code, owner), (total, white) in under_records("KvK", WHITE).items():
        if owner == BLACK:
            assert white / total > 0.71 if code > 11 else 1 - white / total > 0.81


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "name", ["KvK", "KNvK", *(pytest.param(f"K{man}vK", marks=pytest.mark.slow) for man in "QRBP")]
)
def test_the_value_of_the_move(store: TableStore, name: str) -> None:
    _, *rows = rows_of("The value of the move")
    assert {row[0] for row in rows} == {"KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"}
    (cells,) = [cells for row, *cells in rows if row == name]
    found = claims.balance(store, name)
    owners = [found.owners.get(who, 0) for who in ("WW", "WB", "BW", "BB")]
    assert [int(cell.replace(",", "")) for cell in cells] == [found.placements, *owners, found.worse]


@pytest.mark.parametrize(("name", "words"), [("KvK", "14 plies"), ("KBvK", "46 plies"), ("KNvK", "40 plies")])
def test_longest_fights(store: TableStore, name: str, words: str) -> None:
    longest = max(plies for side in store.statistics(name).values() for _, plies in side.values())
    assert f"{longest} plies" == words
    assert re.search(rf"longest fight[^.]*\b{words}", TEXT)


# ---- four pieces: only what these classes need is built ----


def shares(found: dict[int, tuple[int, int]]) -> dict[int, float]:
    total = sum(count for count, _ in found.values())
    return {value: 100 * count / total for value, (count, _) in found.items()}


@pytest.mark.slow
def test_rook_against_rook_is_no_dead_draw() -> None:
    found = shares(counts(solve_class("KRvKR", solved()[0]), WHITE))
    assert f"{found[outcome('G0.0')]:.0f}" == "29"
    assert f"{found[outcome('-G0.0')]:.1f}" == "0.7"
    common = sorted(found, key=lambda value: -found[value])[1:5]
    assert common == [outcome(text) for text in ("G3.0", "G4.0", "G6.0", "G5.0")]


@pytest.mark.slow
def test_two_bishops() -> None:
    found = counts(solve_class("KBBvK", solved()[0]), WHITE)
    assert found[outcome("G0.0")] == (2503608, 37)
    assert found[outcome("G0.5")][0] == 2578420


@pytest.mark.slow
def test_queen_against_queen() -> None:
    solver = solve_class("KQvKQ", solved()[0])
    assert planes(solver)[0][2] == 7166
    found = counts(solver, WHITE)
    assert max((plies, value) for value, (_, plies) in found.items()) == (197, outcome("G5.5"))
