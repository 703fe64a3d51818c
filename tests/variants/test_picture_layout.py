"""Where pictures of games put pieces, marks and labels; nothing may overlap."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import chess
import pytest

from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import HOPS, MOVES
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.picture import board_svg, game_svg, mark_svg, moves_svg
from standstill.engine.variants.show import REACH
from tests.variants.files import block, text_of
from tests.variants.test_pictures import walked

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]  # left, top, right, bottom
Point = tuple[float, float]
DIGIT_WIDTH = 0.62  # mean width of a character in sans-serif, as a part of its height


def numbers(element: ET.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name, "nan")) for name in names)


def root_of(svg: str) -> ET.Element:
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{svg}</svg>')


# ---- the start position ----


def test_the_men_of_chess_stand_on_their_squares_between_the_labels() -> None:
    root = ET.fromstring(board_svg(Catalog().find("normal")))
    squares = {numbers(rect, "x", "y"): rect for rect in root.iter(f"{SVG}rect")}
    [side] = {numbers(rect, "width", "height") for rect in squares.values()}
    columns, rows = ([*sorted({place[axis] for place in squares})] for axis in (0, 1))
    assert len(squares) == 64 and side[0] == side[1]
    for starts, size in ((columns, "width"), (rows, "height")):
        assert {after - before for before, after in pairwise(starts)} == {side[0]}, "the squares leave no gap"
        assert starts[0] == float(root.get(size, "nan")) - starts[-1] - side[0], "the margins are equal"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    middles = {
        (columns[chess.square_file(at)] + side[0] / 2, rows[7 - chess.square_rank(at)] + side[0] / 2): at
        for at in chess.SQUARES
    }
    for middle, at in middles.items():
        fill = squares[middle[0] - side[0] / 2, middle[1] - side[0] / 2].get("fill")
        is_light = bool(chess.BB_SQUARES[at] & chess.BB_LIGHT_SQUARES)
        assert fill == ("#f4ecdf" if is_light else "#d8c3a5"), chess.square_name(at)
    men = {middles[numbers(man, "cx", "cy")]: man for man in root.iter(f"{SVG}circle")}
    assert all(0.3 * side[0] < float(man.get("r", "nan")) < 0.5 * side[0] for man in men.values())
    written = {middles.get(numbers(text, "x", "y")): text.text for text in root.iter(f"{SVG}text")}
    for at, piece in chess.Board().piece_map().items():
        assert written[at] == piece.symbol().upper()
        assert (men[at].get("fill") == "#fff") == piece.color, chess.square_name(at)
    assert len(men) == 32
    check_labels(root, [*sorted({x for x, _ in middles})], [*sorted({y for _, y in middles}, reverse=True)])


def check_labels(root: ET.Element, files: list[float], ranks: list[float]) -> None:
    """Each file has its letter above and below the middle of its squares, each rank its number on both sides."""
    width, height = (float(root.get(size, "nan")) for size in ("width", "height"))
    labels: dict[str, list[Point]] = {}
    for text in root.iter(f"{SVG}text"):
        if text.get("font-size") == "13":
            x, y = numbers(text, "x", "y")
            labels.setdefault(text.text or "", []).append((x, y))
    assert [*labels] == [*"abcdefgh12345678"]
    for letter, middle in zip("abcdefgh", files, strict=True):
        (x, top), (below_x, bottom) = sorted(labels[letter], key=lambda place: place[1])
        assert x == below_x == middle
        assert 8 < top == height - bottom < ranks[-1] - 16 - 8, "in the margin, half a letter away from its edges"
    for number, middle in zip("12345678", ranks, strict=True):
        (left, y), (right, right_y) = sorted(labels[number])
        assert y == right_y == middle
        assert 5 < left == width - right < files[0] - 16 - 5


# ---- the diagrams of moves ----


def marks(svg: str) -> dict[Point, str]:
    """The marks by the middles of their squares, counted from the piece: "o" a circle, "x" a cross, "*" a solid mark.

    A diamond adds "d".
    """
    found: dict[Point, str] = {}
    root = root_of(svg)
    shown = {float(rect.get("width", "nan")) for rect in root.iter(f"{SVG}rect")}
    assert not shown, "the squares are defined once for all diagrams"
    half = (2 * REACH + 1) * 18 / 2
    for circle in [*root.iter(f"{SVG}circle")]:
        x, y = numbers(circle, "cx", "cy")
        if circle.get("stroke") == "#333":  # the piece itself
            assert (x, y) == (half, half)
            continue
        assert 0 < float(circle.get("r", "nan")) < 9
        found[(x - half) / 18, (half - y) / 18] = "o" if circle.get("fill") == "none" else "*"
    for path in root.iter(f"{SVG}path"):
        x, y, *steps = map(float, re.findall(r"-?[\d.]+", path.get("d", "")))
        is_diamond = path.get("d", "").endswith("z")
        if not is_diamond:
            x, y = x + steps[0] / 2, y + steps[0] / 2  # the arms cross in the middle
            assert steps == [steps[0], steps[0], 0, -steps[0], -steps[0], steps[0]] and 0 < steps[0] < 18
        else:
            assert steps == [steps[0], steps[0], -steps[0], steps[0], -steps[0], -steps[0]] and 0 < steps[0] < 9
            y += steps[0]
        sign = "x" if not is_diamond else "d" if path.get("fill") == "none" else "*d"
        at = round((x - half) / 18, 6), round((half - y) / 18, 6)
        found[at] = found.get(at, "") + sign
    return found


def test_the_marks_of_a_diagram_are_where_the_slow_rules_go() -> None:
    seen = set()
    for game in Catalog():
        for number, piece in enumerate(game.pieces, 1):
            if piece.rays in seen or any(ray.mode & HOPS for ray in piece.rays):
                continue
            seen.add(piece.rays)
            first = dict.fromkeys(walked(game, number, virgin=True), "o")
            expected = first | walked(game, number, virgin=False)
            assert marks(moves_svg(game, number)) == expected, (game.name, number)


def diagram(rays: str) -> dict[Point, str]:
    return marks(moves_svg(parse(text_of(block("Game: mine", f"x:300 {rays}"))).games[0], 8))


def test_marks_behind_a_piece_to_hop_over_are_diamonds() -> None:
    lines = ((1, 0), (-1, 0), (0, 1), (0, -1))
    assert diagram("gR") == {(x * n, y * n): "*d" for x, y in lines for n in (2, 3, 4)}
    # Where the cannon may also move, the circle is shifted to the lower left, and the diamond to the upper right.
    expected = dict.fromkeys(lines, "o")
    for x, y in ((x * n, y * n) for x, y in lines for n in (2, 3, 4)):
        expected |= {(x - 3.5 / 18, y - 3.5 / 18): "o", (x + 3.5 / 18, y + 3.5 / 18): "dx"}
    assert {place(*at): sign for at, sign in expected.items()} == {
        place(*at): sign for at, sign in diagram("mRcpR").items()
    }


def place(x: float, y: float) -> Point:
    """The place is rounded, because the picture's numbers have six digits."""
    return round(x, 3), round(y, 3)


# ---- the whole picture ----


def box_of(element: ET.Element) -> Box:
    if element.tag == f"{SVG}text":
        x, y = numbers(element, "x", "y")
        size = float(element.get("font-size", "12"))
        return x, y - 0.8 * size, x + DIGIT_WIDTH * size * len(element.text or ""), y + 0.25 * size
    if element.tag == f"{SVG}svg":
        x, y, width, height = numbers(element, "x", "y", "width", "height")
        assert element.get("viewBox") == f"0 0 {width:g} {height:g}", "drawn in its own size"
        return x, y, x + width, y + height
    if element.tag == f"{SVG}circle":
        x, y, r = numbers(element, "cx", "cy", "r")
        return x - r, y - r, x + r, y + r
    x, y, side, *_ = map(float, re.findall(r"-?[\d.]+", element.get("d", "")))
    left = x - side if element.get("d", "").endswith("z") else x
    return left, y, left + (x - left) + side, y + (2 if left < x else 1) * side


@pytest.mark.parametrize("name", ["normal", "courier", "seirawan", "xiangqi"])
def test_nothing_covers_anything_or_leaves_the_picture(name: str) -> None:
    root = ET.fromstring(game_svg(Catalog().find(name)))
    width, height = numbers(root, "width", "height")
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    title, _, background, *shown = root
    assert title.text == name and numbers(background, "width", "height") == (width, height)
    assert background.get("fill") == "white"
    boxes = [(box_of(element), element) for element in shown]
    for (left, top, right, bottom), element in boxes:
        inside = left >= 16 and top >= 8 and right <= width - 8 and bottom <= height - 6
        assert inside, (element.tag, element.text, left, top, right, bottom)
    for (one, a), (other, b) in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (a.tag, a.text, one, b.tag, b.text, other)
    right, bottom = (max(box[axis] for box, _ in boxes) for axis in (2, 3))
    assert width - right < 30 and height - bottom < 40, "no empty space"
    check_captions(boxes)


def check_captions(boxes: list[tuple[Box, ET.Element]]) -> None:
    """Each diagram has a bold caption closely above its left edge, and other lines evenly spaced below."""
    texts = [(box, element) for box, element in boxes if element.tag == f"{SVG}text"]
    diagrams = [box for box, element in boxes if element.tag == f"{SVG}svg"][1:]
    assert len({box[2] - box[0] for box in diagrams}) == 1
    for diagram in diagrams:
        above = [box for box, text in texts if text.get("font-weight") and box[0] == diagram[0]]
        assert any(0 <= diagram[1] - box[3] < 6 for box in above)
        below = sorted(box[1] for box, _ in texts if box[0] == diagram[0] and 0 <= box[1] - diagram[3] < 60)
        assert below and below[0] - diagram[3] < 12
    assert len({box[0] for box in diagrams}) == min(4, len(diagrams)), "four diagrams in a row"


def test_a_mark_of_the_legend_is_in_the_middle_of_its_height() -> None:
    root = ET.fromstring(mark_svg(MOVES, False, False))
    [circle] = root.iter(f"{SVG}circle")
    assert numbers(circle, "cx", "cy") == tuple(size / 2 for size in numbers(root, "width", "height"))
