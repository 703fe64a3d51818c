"""Palaces and rivers of boards: compared with the squares that pieces can reach, on pages and in pictures."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from standstill.engine.variants.boards import rules_of
from standstill.engine.variants.definition import MOVES, TAKES
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.picture import board_svg
from standstill.engine.variants.zoning.lines import board_lines
from standstill.engine.web.positions import game_of
from standstill.engine.web.study.book import diagram
from tests.variants.boards import CATALOG
from tests.variants.files import block, text_of

Edge = tuple[tuple[float, float], tuple[float, float]]


def edges(lines) -> set[Edge]:
    """The ends of lines, cut into pieces of one square."""
    found = set()
    for x, y, x2, y2 in lines:
        count = int(max(abs(x2 - x), abs(y2 - y)))
        step = (x2 - x) / count, (y2 - y) / count
        points = [(x + at * step[0], y + at * step[1]) for at in range(count + 1)]
        found |= {tuple(sorted(pair)) for pair in pairwise(points)}
    return found


def steps(name: str, letter: str) -> set[Edge]:
    """The steps that the pieces of this letter can make one after another from their squares in the array."""
    game = CATALOG.find(name)
    rules, found, squares = rules_of(game), set(), [*enumerate(game.start)]
    waiting = [(sq, man) for sq, man in squares if man and game.piece(man & 15).letter.lower() == letter]
    seen = set(waiting)
    while waiting:
        sq, man = waiting.pop()
        for to, rights, *_ in rules.paths(man & 15, sq):
            if rights & (MOVES | TAKES):
                ends = [(at % game.width + 0.5, at // game.width + 0.5) for at in (sq, to)]
                found.add(tuple(sorted(ends)))
                if (to, man) not in seen:
                    seen.add((to, man))
                    waiting.append((to, man))
    return found


def is_diagonal(edge: Edge) -> bool:
    return all(edge[0][at] != edge[1][at] for at in (0, 1))


@pytest.mark.parametrize(("name", "letter"), [("xiangqi", "a"), ("janggi", "k"), ("janggi", "a")])
def test_the_diagonals_are_those_on_which_pieces_move(name: str, letter: str) -> None:
    drawn = {edge for edge in edges(board_lines(CATALOG.find(name))["palace"]) if is_diagonal(edge)}
    assert drawn == {edge for edge in steps(name, letter) if is_diagonal(edge)} and len(drawn) == 8


@pytest.mark.parametrize("name", ["xiangqi", "janggi", "minixiangqi"])
def test_palaces_end_where_kings_cannot_go(name: str) -> None:
    """The steps of kings cross no edge of a palace, and each edge lies between a king's square and another one."""
    game = CATALOG.find(name)
    reached = {point for edge in steps(name, "k") for point in edge}
    outline = {edge for edge in edges(board_lines(game)["palace"]) if not is_diagonal(edge)}
    expected = set()
    for x, y in reached:
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = x + right, y + up
            if other not in reached and 0 < other[0] < game.width and 0 < other[1] < game.height:
                middle = x + right / 2, y + up / 2
                ends = [(middle[0] - sign * up / 2, middle[1] - sign * right / 2) for sign in (-1, 1)]
                expected.add(tuple(sorted(ends)))
    assert outline == expected and outline


def test_the_river_is_where_elephants_stop() -> None:
    lines = board_lines(CATALOG.find("xiangqi"))["river"]
    ranks = sorted({y for edge in steps("xiangqi", "b") for _, y in edge})
    assert lines == [(0, 5, 9, 5)] and all(abs(y - 5) > 0.4 for y in ranks) and {4.5, 5.5} <= set(ranks)


def test_other_boards_have_no_lines() -> None:
    assert {game.name for game in CATALOG if board_lines(game)} == {"xiangqi", "janggi", "minixiangqi"}


PARTS = {
    "whole ranks": (("# zone n a1-h3",), {"river": [(0, 3, 8, 3), (0, 5, 8, 5)]}),
    "most of a rank": (("# zone n a1-g3",), {}),
    "small palace": (("# zone k d1-e2",), 12),
    "long palace": (("# zone k d1-f2",), 14),
    "palace at the edge": (("# zone k d1-h3",), 16),
}


@pytest.mark.parametrize("part", PARTS)
def test_lines_of_other_zones(part: str) -> None:
    """Diagonals belong to square palaces of three squares or more; the edge of the board is not drawn."""
    lines, expected = PARTS[part]
    if " n " in lines[0]:
        pieces = {"knight": "n:303 N\nn:303 N", "array": "7 4 6 8 3 6 4 7", "black": "7 5 6 8 3 6 5 7"}
    else:
        pieces = {"king": "k:-1 K\nk:-1 K", "array": "7 5 6 8 3 6 5 7", "black": "7 5 6 8 4 6 5 7"}
    text = text_of(block("Game: mine", *lines, **pieces))
    found = board_lines(parse(text).games[0])
    if isinstance(expected, int):
        assert len(found["palace"]) == expected and not any(map(is_diagonal, edges(found["palace"])))
    else:
        assert found == expected


def test_pictures_of_boards_have_the_lines() -> None:
    game = CATALOG.find("xiangqi")
    size, margin = 32, 22
    for drawing, unit, start in (
        (board_svg(game), size, margin),
        (diagram(game_of(game, ""), "9/9/9/9/9/9/9/9/9/9 w", "white"), 45, 0),
    ):
        paths = [path.get("d", "") for path in ElementTree.fromstring(drawing).iter() if path.tag.endswith("path")]
        river = f"M{start} {start + 5 * unit}L{start + 9 * unit} {start + 5 * unit}"
        assert river in paths
        (palace,) = (path for path in paths if path.count("L") > 8)
        assert len(re.findall("M", palace)) == len(board_lines(game)["palace"])
