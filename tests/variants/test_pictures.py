"""Pictures of games: labels, marks compared with the slow rules, a file's page, `variants show` as a process."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from standstill.engine.variants.catalog import OWN_FILE, Catalog
from standstill.engine.variants.definition import HOPS, Definition, Ray, step_of
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.picture import LEGEND, board_svg, captions, game_svg, mark_svg, moves_svg, page
from standstill.engine.variants.show import REACH, move_grid
from tests import forked
from tests.variants import reference
from tests.variants.files import block, text_of, written

DEBIAN = Path("/usr/share/games/fairymax/fmax.ini")
OWN = list(Catalog())
FILES = [OWN_FILE, *([pytest.param(str(DEBIAN), marks=pytest.mark.slow)] if DEBIAN.exists() else [])]
SVG = "{http://www.w3.org/2000/svg}"
MIDDLE = 8  # file and rank of a square of 16x16 from which no diagram reaches an edge


def walked(game: Definition, number: int, virgin: bool) -> dict[tuple[int, int], str]:
    """The marks of a diagram by the slow rules, on an empty board."""
    at = (MIDDLE, MIDDLE)
    # A diagram shows the moves without zones.
    free = replace(game, width=16, height=16, extra=replace(game.extra, zones=(), within=()), within=())
    state = reference.State(free, {at: (0, number)}, {at} if virgin else set())
    box = range(-REACH, REACH + 1)
    moves = {target for target, _, _ in reference.walk(state, at)}
    found = {}
    for right, up in ((right, up) for right in box for up in box if (right, up) != (0, 0)):
        target = (MIDDLE + right, MIDDLE + up)
        takes = any(taken == target for _, taken, _ in reference.walk(state, at, target))
        if takes or target in moves:
            found[right, up] = "*" if takes and target in moves else "x" if takes else "o"
    return found


@pytest.mark.parametrize("file", FILES)
def test_diagrams_show_what_the_slow_rules_allow(file: str) -> None:
    seen = set()
    for game in read_file(file).games:
        for number, piece in enumerate(game.pieces, 1):
            if piece.rays in seen or any(ray.mode & HOPS for ray in piece.rays):
                continue
            seen.add(piece.rays)
            moved, unmoved = walked(game, number, virgin=False), walked(game, number, virgin=True)
            expected = moved | {square: "i" for square in unmoved if square not in moved}
            rows = move_grid(game, number)
            signs = {(x - REACH, REACH - y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
            shown = {square: sign for square, sign in signs.items() if sign not in ".@"}
            assert shown == expected, (game.name, number)


HOPPERS = {"cannon": 0x0BA, "grasshopper": 0x0F8, "slider behind a platform": 0x0B8, "leaper over a neighbour": 0x0BC}
LEGS = ((0, 1), (1, 1), (1, 0))  # each leg has eight squares from (7, 7) on a board of 16x16
TURNS = {"straight": lambda right, up: (right, up), "back": lambda right, up: (up - right, -right - up)}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("rights", HOPPERS.values(), ids=HOPPERS)
def test_diagrams_of_hoppers_show_what_some_platform_allows(rights: int, turn: str) -> None:
    """The second leg may come back from a platform beyond the edge of the diagram."""
    shako = Catalog().find("shako")
    rays = []
    for right, up in LEGS:
        more, higher = (max(-1, min(1, part)) for part in TURNS[turn](right, up))
        rays.append(Ray(step_of(right, up), rights, step_of(right, up) ^ step_of(more, higher)))
    number = 9
    pieces = list(shako.pieces)
    pieces[number - 1] = replace(pieces[number - 1], rays=tuple(rays))
    game = replace(shako, pieces=tuple(pieces))
    found: dict[tuple[int, int], int] = {}
    at = (7, 7)
    platforms = {(7 + n * right, 7 + n * up) for right, up in LEGS for n in range(1, 9)}
    for platform in (square for square in platforms if max(square) < 16):
        state = reference.State(replace(game, width=16, height=16), {at: (0, number), platform: (0, number)}, set())
        box = range(7 - REACH, 8 + REACH)
        targets = [(x, y) for x in box for y in box if (x, y) not in (at, platform)]
        moves = {target for target, taken, _ in reference.walk(state, at) if taken is None}
        for target in targets:
            takes = any(taken == target for _, taken, _ in reference.walk(state, at, target))
            found[target] = found.get(target, 0) | takes | (target in moves) << 1
    rows = move_grid(game, number)
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != "@":
                assert sign == ".xo*"[found[7 + x - REACH, 7 + REACH - y]], (x, y, rows)


@pytest.mark.parametrize("file", FILES)
def test_arrows_mark_the_pieces_that_reach_the_edge(file: str) -> None:
    """A limited path has no arrow, however long it is; a board of 16x16 shows even the end of an unlimited one."""
    seen: dict[object, bool] = {}
    for game in read_file(file).games:
        for number, piece in enumerate(game.pieces, 1):
            if piece.rays in seen or any(ray.mode & HOPS for ray in piece.rays):
                continue
            at = (MIDDLE, MIDDLE)
            state = reference.State(replace(game, width=16, height=16), {at: (0, number)}, set())
            edge = {(x, y) for x in range(16) for y in range(16) if {x, y} & {0, 15}}
            far = any(target in edge for target, _, _ in reference.walk(state, at)) or any(
                taken == target for target in edge for _, taken, _ in reference.walk(state, at, target)
            )
            seen[piece.rays] = far
            assert ("#goes-on" in moves_svg(game, number)) == far, (game.name, number)
    assert len(set(seen.values())) == 2


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_board_has_labels_on_all_sides() -> None:
    found = texts(board_svg(Catalog().find("courier")))
    assert [found.count(label) for label in ("a", "l", "1", "8")] == [2] * 4 and "9" not in found
    assert texts(board_svg(Catalog().find("grand"))).count("10") == 2
    assert found.count("R") == 4 and found.count("P") == 24


def shapes(rays: str, number: int = 8) -> tuple[int, int, int, int]:
    """Count (circles, diamonds, crosses, lines) in a piece's diagram."""
    game = parse(text_of(block("Game: mine", f"x:300 {rays}"))).games[0]
    root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{moves_svg(game, number)}</svg>')
    paths = [element.get("d", "") for element in root.iter(f"{SVG}path")]
    circles = len(list(root.iter(f"{SVG}circle"))) - 1  # without the piece's own circle
    diamonds = sum(path.endswith("z") for path in paths)
    return circles, diamonds, len(paths) - diamonds, len(list(root.iter(f"{SVG}polyline")))


@pytest.mark.parametrize(
    ("rays", "expected"),
    [
        ("N", (8, 0, 0, 0)),
        ("R", (16, 0, 0, 4)),
        ("R3", (12, 0, 0, 4)),
        ("mR", (16, 0, 0, 4)),
        ("cR", (0, 0, 16, 4)),
        ("mRcpR", (16, 12, 12, 8)),
        ("gR", (0, 12, 0, 4)),
        ("nD", (4, 0, 0, 4)),
        ("jD", (0, 4, 0, 4)),
        ("mNcK", (8, 0, 8, 0)),
        ("oR", (16, 0, 0, 4)),
    ],
)
def test_marks_tell_moves_apart(rays: str, expected: tuple[int, int, int, int]) -> None:
    assert shapes(rays) == expected


def strokes(rays: str) -> list[tuple[str, str]]:
    """(dashes, points) of each line in a piece's diagram."""
    game = parse(text_of(block("Game: mine", f"x:300 {rays}"))).games[0]
    root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{moves_svg(game, 8)}</svg>')
    lines = root.iter(f"{SVG}polyline")
    return [(line.get("stroke-dasharray", ""), line.get("points", "")) for line in lines]


def test_a_line_over_squares_that_may_be_occupied_is_dotted() -> None:
    """Squares are 18 wide, and the piece is in the middle of nine by nine."""
    assert strokes("fD0") == [("1 3", "81,81 81,45 81,9 81,0")]  # continues to the edge
    assert strokes("fR2") == [("", "81,81 81,63 81,45")]
    assert strokes("fpR")[0][0] == "3 3"
    assert {dashes for dashes, _ in strokes("NN")} == {"1 3"}
    # A knight's leap over any pieces, then square by square.
    assert strokes("-31,70,-16") == [("1 3", "81,81 99,45"), ("", "99,45 99,27")]


def test_what_the_value_of_a_royal_says() -> None:
    """The values -1 and -2 state rules; others are the value of a spare royal (docs/variants.md)."""
    hill, chess, spartan = (Catalog().find(name) for name in ("kingofthehill", "normal", "spartan"))
    assert captions(hill, 3)[0] == "K  royal, wins on the hill"
    assert captions(chess, 3)[0] == "K  royal"
    assert captions(spartan, 12)[0] == "K  royal, spare worth 435"
    last = parse(text_of(block("Game: mine", "x:300 W", "k:-2 K", array="6 4 5 7 9 5 4 6"))).games[0]
    assert captions(last, 9)[0] == "K  royal"


def test_initial_moves_are_marked() -> None:
    game = Catalog().find("normal")
    assert "1" in texts(moves_svg(game, 1)) and "1" not in texts(moves_svg(game, 4))


@pytest.mark.parametrize(("modes", "is_hop", "is_first"), [mark for _, *mark in LEGEND])
def test_the_legend_shows_its_marks_in_full(modes: int, is_hop: bool, is_first: bool) -> None:
    """Browsers cut off what is outside a picture. A bold digit is 0.7 times as wide as high."""
    mark = ET.fromstring(mark_svg(modes, is_hop, is_first))
    for text in mark.iter(f"{SVG}text"):
        assert float(text.get("x")) + 0.7 * float(text.get("font-size")) <= float(mark.get("width"))


@pytest.mark.sampled(11)
@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_every_picture_is_a_document(game: Definition) -> None:
    found = texts(game_svg(game))
    assert " ".join(found).startswith(game.description or game.name)
    assert all(any(text.startswith(piece.letter.upper()) for text in found) for piece in game.pieces)


class _Page(HTMLParser):
    """Counts elements, and checks that they are closed in the right order."""

    def __init__(self, text: str):
        super().__init__()
        self.count: dict[str, int] = {}
        self._stack: list[str] = []
        self.feed(text)
        self.close()
        assert not self._stack

    def handle_starttag(self, tag, attrs) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag != "meta":
            self._stack.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag) -> None:
        assert self._stack.pop() == tag


@pytest.mark.parametrize("file", FILES)
def test_a_page_has_all_games_of_a_file(file: str) -> None:
    games = read_file(file).games
    found = _Page(page(games, "Games"))
    assert found.count["section"] == len(games)
    assert found.count["figure"] == sum(len(game.pieces) for game in games)


def test_names_and_descriptions_are_text() -> None:
    game = replace(Catalog().find("normal"), name="<b>", description="<script>alert(1)</script> & more")
    text = page([game], "<title>")
    assert "<script>" not in text and "&lt;script&gt;" in text
    ET.fromstring(game_svg(game))


def test_the_command_writes_a_page(executable: Path, tmp_path: Path) -> None:
    file, target = written(tmp_path, block("Game: mine"), block("Game: other")), tmp_path / "page.html"
    command = [str(executable), "variants", "show", "--file", str(file), "--html"]
    forked.run([*command, str(target)], check=True)
    text = target.read_text("utf-8")
    assert _Page(text).count["section"] == 2 and "<title>mine.ini</title>" in text
    assert 'name="viewport"' in text
    printed = forked.run([*command, "-", "other"], capture_output=True, text=True, check=True).stdout
    assert _Page(printed).count["section"] == 1 and "<title>other</title>" in printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.ini", "page.html"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument 'NAME'; only --html shows all variants of a file."),
        (["--svg", "-"], "Missing argument 'NAME'"),
        (["normal", "--svg", "-", "--html", "-"], "--svg and --html cannot be used together"),
        (["nothing", "--html", "-"], "found 'nothing'"),
        (["--html", "-", "--file", "/nonexistent"], "cannot read /nonexistent"),
        (["--html", "/nonexistent/page.html"], "/nonexistent/page.html: No such file or directory"),
    ],
)
def test_a_page_that_cannot_be(executable: Path, words: list[str], message: str) -> None:
    command = [str(executable), "variants", "show", *words]
    done = forked.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
