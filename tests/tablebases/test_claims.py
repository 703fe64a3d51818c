"""Every claim about endings in docs/tables.md and the tables of docs/rmobility-endings.md, counted again."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import chess
import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.goal import parse_goal
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.listing import placed
from standstill.engine.tablebases.solving import solve_class
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from tests.rmobility.naive import code_of
from tools.measure.tables import fifty, questions

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


# ---- docs/rmobility-endings.md ----

ENDINGS_PAGE = PAGE.with_name("rmobility-endings.md").read_text(encoding="utf-8")


def test_fortresses_with_three_pieces(store: TableStore) -> None:
    """The tables of four pieces take minutes, so longer rows are not probed."""
    rows = [line.strip("|").split("|") for line in ENDINGS_PAGE.splitlines() if line.count("|") == 5 and "`" in line]
    probed = 0
    for _, position, outcome_text, plies in ([cell.strip() for cell in row] for row in rows):
        board = probing.chess_board(position.strip("`"))
        if sum(man != 0 for man in board.squares) <= 3:
            value = probing.look_up(store, board, probing.record_of(board, None))
            assert (value.text, str(value.plies)) == (outcome_text, plies), position
            probed += 1
    assert probed >= 3


@pytest.mark.parametrize("name", ["KvK", "KBvK", "KNvK", "KPvK"])
def test_tables_of_the_page_on_endings(store: TableStore, name: str) -> None:
    sides, plies = questions.outcomes(store, name)
    both = Counter(sides[0]) + Counter(sides[1])
    draws = {value: count for value, count in both.items() if abs(value) != questions.TOP}
    most = max((n, value) for side in plies for value, n in side.items())
    mates = max((n for side in plies for value, n in side.items() if abs(value) == questions.TOP), default=0)
    found = questions.Zugzwang(store, name)
    counts = [f"{found.count[part]:,}" for part in ("all", "any", "owner", "mate")]
    for cells in (
        [name, *questions.shares(sides[0])],
        [name, questions.fair_komi(both), questions.fair_komi(draws)],
        [name, str(most[0]), questions.text(most[1]), str(mates)],
        [name, *counts, found.example],
    ):
        assert f"| {' | '.join(cells)} |" in ENDINGS_PAGE, cells


def test_the_50_move_rule_between_bare_kings(store: TableStore) -> None:
    kings = fifty.Ending(store, "KvK", {})
    # With the outcomes of the tables after each improvement, a long clock gives those of the tables.
    assert (kings.with_rule(60, True, kings.without.astype("int8")) == kings.without).all()
    for keep_trigger, changed, owner in ((False, 196, 196), (True, 60, 0)):
        found = kings.with_rule(fifty.CLOCK, keep_trigger)
        for stm in range(2):
            differs = (found != kings.without) & (kings.stm == stm)
            assert kings.weight[differs].sum() == changed
            assert kings.weight[differs & ((found < 0) != (kings.without < 0))].sum() == owner
    assert "| KvK, either side | 3,612 | 196 (5.4 %) | 196 | 60 (1.7 %), no owner |" in ENDINGS_PAGE


@pytest.mark.parametrize("keep_trigger", [False, True])
def test_the_50_move_rule_is_solved_like_a_slow_search(store: TableStore, keep_trigger: bool) -> None:
    """With a clock of four plies, a search with python-chess finds the same outcomes."""
    kings = fifty.Ending(store, "KvK", {})
    found = kings.with_rule(4, keep_trigger)

    def best(board: chess.Board, record: tuple[int, bool], left: int) -> int:
        value = fifty.TOP - record[0] if record[1] else record[0] - fifty.TOP
        if left == 0:
            return value
        values = []
        for move in board.legal_moves:
            board.push(move)
            own = code_of(board), not board.turn
            improves = own[0] < record[0] and (left > 1 or keep_trigger)
            values.append(best(board, own if improves else record, left - 1))
            board.pop()
        return max(values) if board.turn else min(values)

    for place in range(0, len(found), 301):
        board = chess.Board(placed(kings.men, kings.squares[place], int(kings.stm[place])))
        assert best(board, (code_of(board), not board.turn), 4) == found[place], board.fen()
