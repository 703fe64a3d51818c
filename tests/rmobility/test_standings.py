"""Standings compared with a table made by hand, and sums that hold in any tournament."""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from rich.console import Console

from standstill.engine.archive.standings import (
    KEYS,
    MOST_CROSSED,
    GameFacts,
    Outcome,
    Standings,
    alike,
    name_of,
    outcome_of,
)
from standstill.engine.archive.standings_text import as_csv, as_json, as_markdown, cell, header, note, rows
from standstill.engine.common.errors import ConfigError
from standstill.engine.rmobility.goals import Goal
from standstill.engine.rmobility.scoring import Terms
from standstill.engine.web.event.page import Group, page
from standstill.protocol.cli.commands.standings import pictures

POINTS = {"1-0": Fraction(1), "0-1": Fraction(0), "1/2-1/2": Fraction(1, 2)}
EVERY = ("points", "direct", *(name for name in KEYS if name != "points"))

# Anna and Bert have 2 points of 3, Carl and Dora 1. Anna drew with Bert by stalemating him.
GAMES = [
    ("Anna", "Bert", "1/2-1/2", "G0.5"),
    ("Carl", "Dora", "1/2-1/2", "-G1.0"),
    ("Anna", "Carl", "1/2-1/2", "-G1.5"),
    ("Dora", "Bert", "1/2-1/2", "-G2.0"),
    ("Dora", "Anna", "0-1", "-G0.0"),
    ("Bert", "Carl", "1-0", "G0.0"),
]


def outcomes(games=GAMES, **more) -> list[Outcome]:
    return [
        outcome_of(white, black, result, goal and Goal.parse(goal), goal and Goal.parse(goal), **more)
        for white, black, result, goal in games
    ]


def test_exactly_half_of_the_points_are_enough_for_koya() -> None:
    games = [("A", "B", "1/2-1/2"), ("A", "C", "1-0"), ("B", "C", "1/2-1/2")]
    table = Standings(outcome_of(white, black, result, None, None) for white, black, result in games)
    assert {name: table.koya(player) for name, player in table.by_name.items()} == {
        "A": Fraction(1, 2), "B": Fraction(1, 2), "C": Fraction(1, 2),
    }  # fmt: skip


def order(names: str, games=GAMES) -> list[tuple[str, int]]:
    return [(player.name, player.rank) for player in Standings(outcomes(games), tuple(names.split(","))).players]


def test_worked_table() -> None:
    table = Standings(outcomes(), EVERY)
    by_name = table.by_name
    assert {name: player.points for name, player in by_name.items()} == {
        "Anna": 2,
        "Bert": 2,
        "Carl": 1,
        "Dora": 1,
    }
    # Anna 3/4 + 7/16 + 1, Bert 1/4 + 17/32 + 1, Carl 3/8 + 9/16 + 0, Dora 5/8 + 15/32 + 0
    assert {name: player.rmobility for name, player in by_name.items()} == {
        "Anna": Fraction(35, 16),
        "Bert": Fraction(57, 32),
        "Carl": Fraction(15, 16),
        "Dora": Fraction(35, 32),
    }
    # Anna 2/2 + 1/2 + 1, Bert 2/2 + 1/2 + 1, Carl 1/2 + 2/2 + 0, Dora the same
    assert [table.sonneborn_berger(by_name[name]) for name in ("Anna", "Bert", "Carl", "Dora")] == [
        Fraction(5, 2),
        Fraction(5, 2),
        Fraction(3, 2),
        Fraction(3, 2),
    ]
    # Only Anna and Bert have half of three points.
    assert [table.koya(by_name[name]) for name in ("Anna", "Bert", "Carl", "Dora")] == [
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
    ]
    assert [by_name[name].blackwins for name in ("Anna", "Bert", "Carl", "Dora")] == [1, 0, 0, 0]
    # Stalemate, G1.0, G1.5, G2.0
    assert [table.goals(by_name[name]) for name in ("Anna", "Bert", "Carl", "Dora")] == [
        (1, 0, -1, 0),
        (-1, 0, 0, 1),
        (0, -1, 1, 0),
        (0, 1, 0, -1),
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("points", [("Anna", 1), ("Bert", 1), ("Carl", 3), ("Dora", 3)]),
        ("points,direct", [("Anna", 1), ("Bert", 1), ("Carl", 3), ("Dora", 3)]),
        ("points,direct,rmobility", [("Anna", 1), ("Bert", 2), ("Dora", 3), ("Carl", 4)]),
        ("points,rm-lex", [("Anna", 1), ("Bert", 2), ("Dora", 3), ("Carl", 4)]),
        ("points,blackwins", [("Anna", 1), ("Bert", 2), ("Carl", 3), ("Dora", 3)]),
        ("rmobility", [("Anna", 1), ("Bert", 2), ("Dora", 3), ("Carl", 4)]),
    ],
)
def test_order_is_the_one_named(names: str, expected: list) -> None:
    assert order(names) == expected


def test_direct_encounter_is_among_the_tied_alone() -> None:
    """B beat A, A beat C and C beat B: each of the three has one point. If two players are tied, the winner of their
    game comes first."""
    circle = [("A", "C", "1-0", "G0.0"), ("C", "B", "1-0", "G0.0"), ("B", "A", "1-0", "G0.0")]
    assert [rank for _, rank in order("points,direct", circle)] == [1, 1, 1]
    results = ["AB 0-1 -G0.0", "AC 1-0 G0.0", "BD 0-1 -G0.0", "CD 0-1 -G0.0"]
    two = [(*names, result, goal) for names, result, goal in map(str.split, results)]
    assert order("points,direct", two) == [("D", 1), ("B", 2), ("A", 3), ("C", 4)]


def test_forfeits_and_byes() -> None:
    games = [("A", "B", "1-0", None), ("A", "bye", "1-0", None), ("B", "A", "1/2-1/2", "G1.5")]
    table = Standings(outcomes(games))
    assert set(table.by_name) == {"A", "B"}
    assert (table.by_name["A"].points, table.by_name["A"].rmobility) == (Fraction(5, 2), Fraction(7, 16))
    table = Standings(outcomes(games, forfeit_points=True))
    assert table.by_name["A"].rmobility == Fraction(7, 16) + 2
    assert outcome_of("A", "B", "*", None, None) is None


def test_results_that_give_less_than_a_point() -> None:
    """Results like FIDE's 0-0: the points count as written, without R-Mobility points, whatever the board shows."""
    games = [("A", "B", "0-0", None), ("A", "B", "1/2-0", "G3.5"), ("A", "B", "0-1/2", "G9.5"), ("B", "A", "0-0", "G9")]
    table = Standings(outcomes(games * 2, forfeit_points=True), ("points", "rmobility"))
    found = {name: (player.points, player.rmobility, player.losses) for name, player in table.by_name.items()}
    assert found == {"A": (1, 0, 6), "B": (1, 0, 6)}
    assert rows(table)[0][-1] == "1-1"


@pytest.mark.parametrize(("count", "cells"), [(1, ("1", "0")), (4, ("10=1", "01=0")), (5, ("3-2", "2-3"))])
def test_more_than_four_games_of_two_players_are_a_sum(count: int, cells: tuple[str, str]) -> None:
    results = ["1-0", "0-1", "1/2-1/2", "1-0", "1/2-1/2"][:count]
    table = Standings(outcomes([("A", "B", result, None) for result in results]))
    lines = {row[1]: row[-2:] for row in rows(table)}
    assert (lines["A"][1], lines["B"][0]) == cells


@pytest.mark.slow
def test_a_table_of_many_players_has_no_cross_table() -> None:
    """Such a table would have millions of columns; JSON still lists the games of each player."""
    games = [(f"P{number}", f"P{number + 1}", "1-0", "G0.0") for number in range(MOST_CROSSED)]
    small, large = Standings(outcomes(games[:-1])), Standings(outcomes(games))
    for table, columns in ((small, MOST_CROSSED), (large, 0)):
        for text in (as_csv(table), as_markdown(table).replace(" | ", ",")):
            assert len(text.splitlines()[-1].split(",")) == len(rows(table)[0]) == 6 + len(table.order) + columns
        assert ("too many for a cross table" in note(table)) == (columns == 0)
        found = {player["name"]: player["opponents"] for player in json.loads(as_json(table))["players"]}
        assert found["P0"] == {"P1": ["1"]} and found["P7"] == {"P6": ["0"], "P8": ["1"]}


def test_names_in_several_spellings() -> None:
    names = ["Smith, A", "A. Smith", "smith,a", "Smith, B", "Núñez", "Nunez", "Stockfish 1.5", "Stockfish 15", "?"]
    assert alike(names) == [["A. Smith", "Smith, A", "smith,a"], ["Nunez", "Núñez"]]
    # Letters that some people write as two letters, in any order of the names; Bauer and Baur are different names.
    people = ["Muller, Jorg", "Müller, Jörg", "Mueller, Joerg", "O'Neill", "O\u2019Neill", "ONeill", "Bauer", "Baur"]
    people += ["Bjørn", "Bjoern", "Wałęsa", "Walesa", "Åse", "Aase", "Groß", "Gross"]
    pairs = [["Aase", "Åse"], ["Bjoern", "Bjørn"], ["Gross", "Groß"], ["Walesa", "Wałęsa"]]
    for order in (people, people[::-1], sorted(people)):
        assert sorted(alike(order)) == sorted([sorted(people[:3]), sorted(people[3:6]), *pairs])
    assert alike(["Muller", "Mueller"]) == []
    assert name_of("  Nu\u0301n\u0303ez  X ") == "Núñez X"


def random_tournament(seed: int) -> list[Outcome]:
    rng = random.Random(seed)
    names = [f"P{number}" for number in range(rng.randint(2, 9))]
    games = []
    for _ in range(rng.randint(1, 60)):
        white, black = rng.sample(names, 2)
        result = rng.choice(["1-0", "0-1", "1/2-1/2", "1/2-1/2"])
        goal = {"1-0": "G0.0", "0-1": "-G0.0"}.get(result) or rng.choice(["", "-"]) + f"G{rng.randint(1, 40) / 2}"
        games.append((white, black, result, goal))
    return outcomes(games)


@pytest.mark.parametrize("seed", range(20))
def test_sums(seed: int) -> None:
    games = random_tournament(seed)
    table = Standings(games, EVERY)
    players = table.players
    assert sum(player.points for player in players) == len(games)
    assert sum(player.rmobility for player in players) == len(games)
    assert sum(player.games for player in players) == 2 * len(games)
    assert all(sum(column) == 0 for column in zip(*(table.goals(player) for player in players), strict=True))
    assert [player.rank for player in players] == sorted(player.rank for player in players)
    points = [player.points for player in players]
    assert points == sorted(points, reverse=True)
    assert sorted(player.name for player in players) == sorted(table.by_name)


def test_unknown_tie_break_is_named() -> None:
    with pytest.raises(ConfigError, match="found 'luck'"):
        Standings([], ("points", "luck"))


# ---- written down ----


def test_csv_and_json() -> None:
    table = Standings(outcomes(), EVERY)
    lines = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert [line["Player"] for line in lines] == ["Anna", "Bert", "Dora", "Carl"]
    assert (lines[0]["R-Mobility"], lines[0]["1"], lines[0]["2"]) == ("2.187500", "*", "0.5")
    with_goals = list(csv.DictReader(io.StringIO(as_csv(table, goals=True))))
    # No spreadsheet takes a cell for a formula (=1, -G3.5), a date (7-6) or a number with another meaning (01).
    ours = [line[str(at)] for line in lines + with_goals for at in range(1, 5)]
    assert {re.sub(r"(1|0(\.5)?)( -?G\d+\.[05])?|; | ", "", cell) for cell in ours} == {"", "*"}
    assert not [cell for cell in ours if re.match(r"[=+-]|0\d", cell)]
    scored = " ".join(lines[1][at] for at in "1234").replace("*", "").split()
    assert float(lines[1]["Points"]) == sum(map(float, scored))
    found = json.loads(as_json(table))
    assert found["players"][0]["exact"]["rmobility"] == "35/16"
    assert found["players"][0]["opponents"]["Dora"] == ["1"]


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.foreign += [value for name, value in attributes if name in ("src", "href")]
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_markdown_and_html_take_any_name() -> None:
    evil = '<b>|"A" & B</b>'
    table = Standings(outcomes([(evil, "C", "1/2-1/2", "G1.5")]))
    found = Cells()
    found.feed(page(evil, [Group(table)]))
    assert evil.split(" ", maxsplit=1)[0] in "".join(found.cells)
    assert not found.foreign
    lines = as_markdown(table).splitlines()
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    assert '\\<b\\>\\|"A" \\& B\\</b\\>' in lines[2]
    assert not re.search(r"(?<!\\)[<>*_`]", "".join(lines))


def test_sums_that_differ_are_shown_differently() -> None:
    """A drew with B, and C with D; the points differ by 2^-62, far beyond the sixth decimal."""
    games = [("A", "B", "1/2-1/2", "G30.0"), ("C", "D", "1/2-1/2", "G30.5"), ("E", "F", "1/2-1/2", "G30.5")]
    table = Standings(outcomes(games), ("points", "rmobility"))
    found = {line["Player"]: line["R-Mobility"] for line in csv.DictReader(io.StringIO(as_csv(table)))}
    shown = {name: Fraction(text) for name, text in found.items()}
    assert [player.name for player in table.players] == ["A", "C", "E", "D", "F", "B"]
    assert shown["A"] > shown["C"] == shown["E"] > shown["D"] == shown["F"] > shown["B"]
    for player in table.players:
        places = len(found[player.name].partition(".")[2])
        assert abs(shown[player.name] - player.rmobility) <= Fraction(1, 2 * 10**places)


def test_the_table_cuts_sums_that_differ_beyond_the_sixth_decimal() -> None:
    """Once a row showed 0.500000000000000000217 to tell it from 0.5."""
    games = [("A", "B", "1/2-1/2", "G30.0"), ("C", "D", "1/2-1/2", "G30.5"), ("E", "F", "1-0", "G0.0")]
    table = Standings(outcomes(games), ("points", "rmobility"))
    found = {row[1]: row[7] for row in rows(table)}
    above = {"E": "1.000000", "A": "0.500000…", "C": "0.500000…"}
    assert found == above | {"D": "0.499999…", "B": "0.499999…", "F": "0.000000"}
    assert [row[0] for row in rows(table)] == ["1", "2", "3", "4", "5", "6"]
    assert "0.500000…" in as_markdown(table) and "…" not in as_csv(table) + as_json(table)


def test_games_stand_in_the_cross_table_in_the_order_of_their_rounds() -> None:
    """Games that were played side by side are in the file in the order in which they ended."""
    played = [("1.2", "1-0"), ("1.1", "0-1"), ("10.1", "1-0"), ("2.1", "1/2-1/2")]
    games = [Outcome("A", "B", result, facts=GameFacts(round=number)) for number, result in played]
    assert rows(Standings(games))[0][-1] == "01=1"
    unnumbered = Outcome("A", "B", "1-0", facts=GameFacts(round="?"))
    assert rows(Standings([unnumbered, *games[1:]]))[0][-1] == "101="
    events = [Outcome("A", "B", result, facts=GameFacts(event=event, round="1")) for event, result in
              (("Late", "1-0"), ("Early", "0-1"), ("Late", "1/2-1/2"))]  # fmt: skip
    assert rows(Standings(events))[0][-1] == "1=0"


def test_r_mobility_points_that_repeat_the_points_are_left_out_with_a_komi() -> None:
    terms = Terms(komi=(0, 7))
    games = [("A", "B", "1-0", "G2.0"), ("B", "A", "1-0", "G0.0")]
    with_komi = Standings(outcomes(games, points=terms.white, by_komi=True))
    assert with_komi.columns == ("points", "direct", "sb", "wins")
    head = ["Rank", "Player", "Games", "+", "=", "-", "Points", "Direct", "SB", "Wins", "1", "2"]
    assert header(with_komi) == head and [len(row) for row in rows(with_komi)] == [len(head)] * 2
    assert "R-Mobility" not in page("x", [Group(with_komi)]) + as_markdown(with_komi) + note(with_komi)
    assert "R-Mobility" in as_csv(with_komi) and '"rmobility"' in as_json(with_komi)
    for kept in (
        Standings(outcomes(games, points=terms.white)),  # without a komi
        Standings(outcomes(games, by_komi=True)),  # the sums differ
        Standings(outcomes(games, points=terms.white, by_komi=True), ("rmobility",)),
    ):
        assert "rmobility" in kept.columns


def test_goals_that_differ_are_shown_however_many_there_are() -> None:
    codes = range(2, 12)
    games = [(name, "Z", "1/2-1/2", f"G{code / 2}") for name in "AB" for code in codes]
    table = Standings(outcomes([*games, ("A", "Z", "1/2-1/2", "G6.0")]), ("rm-lex",))
    lines = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert lines[0]["Goals"] != lines[1]["Goals"]


def test_cells_show_the_goal_of_each_game_from_the_player_s_view() -> None:
    games = [("A", "B", "1/2-1/2", "G1.5"), ("B", "A", "1/2-1/2", "G3.0"), ("A", "B", "1-0", "G0.0")]
    table = Standings(outcomes([*games, ("B", "A", "0-1", None), ("A", "B", "1/2-1/2", None)]))
    assert [row[-2:] for row in rows(table, goals=True)] == [["*", "G1.5 -G3.0 1 1 ="], ["-G1.5 G3.0 0 0 =", "*"]]
    assert json.loads(as_json(table))["players"][1]["goals"]["A"] == ["-G1.5", "G3.0", "0", "0", "="]


def test_the_footer_says_what_is_counted() -> None:
    table = Standings(outcomes([("A", "B", "1-0", None)]), ("points", "wins"))
    assert note(table, unfinished=2).startswith(
        "1 game, 1 of them by the result alone. 2 games without a result omitted. Ranked by Points, then Wins. "
    )
    assert "Direct" not in note(table) and "decimal" not in note(table)
    assert html.escape(note(table, is_rounded=True)) in page("x", [Group(table)])


@pytest.mark.sampled(1)
@pytest.mark.parametrize("width", [20, 80, 133, 100_000])
def test_nothing_is_clipped_at_any_width(width: int) -> None:
    names = [f"Player number {at} of the tournament" for at in range(40)]
    games = [(one, other, "1/2-1/2", "G8.5") for one in names for other in names if one < other]
    table = Standings(outcomes(games))
    out = io.StringIO()
    console = Console(file=out, width=100_000, highlight=False, soft_wrap=True)
    for part in pictures(table, width, goals=True):
        console.print(part)
    printed = out.getvalue()
    lines = printed.splitlines()
    assert "\u2026" not in printed
    assert printed.count("G8.5") == 40 * 39
    assert len(lines) % 41 == 0 and all(printed.count(f"{name} ") >= len(lines) // 41 for name in names)
    if width == 133:
        assert max(len(line.rstrip()) for line in lines) <= width
    assert (len(lines) == 41) == (width == 100_000)


@pytest.mark.parametrize(
    ("result", "goal", "white", "black"),
    [
        ("1-0", "G3.5", "1 G3.5", "0 -G3.5"),  # won, for example by resignation
        ("0-1", "G3.5", "0 G3.5", "1 -G3.5"),
        ("1-0", "-G2.0", "1 -G2.0", "0 G2.0"),
        ("1-0", "G0.0", "1", "0"),  # the result already implies mate
        ("0-1", "-G0.0", "0", "1"),
        ("1/2-1/2", "G0.5", "G0.5", "-G0.5"),
    ],
)
def test_cells_show_who_has_won_and_whose_the_goal_is(result: str, goal: str, white: str, black: str) -> None:
    table = Standings(outcomes([("Anna", "Bert", result, goal)], points=lambda _: POINTS[result]))
    anna, bert = (table.by_name[name] for name in ("Anna", "Bert"))
    assert (cell(table, anna, bert, True), cell(table, bert, anna, True)) == (white, black)


def test_names_without_a_letter_are_no_one_player_s() -> None:
    assert alike(["???", "...", "- -", "\u2658"]) == []
