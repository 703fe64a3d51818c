"""Generated pages agree with Python; a real browser opens them where scripts matter."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise, permutations
from math import isclose
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.annotate import form
from standstill.engine.annotate.attribution import of_comments, of_engine
from standstill.engine.annotate.charts import Scale, bands
from standstill.engine.annotate.evaluations import Evaluation
from standstill.engine.annotate.report import page
from standstill.engine.annotate.run import annotated
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import JudgedPosition, Style, positions_of_comments
from standstill.engine.annotate.written_game import prose
from standstill.engine.archive.standings import Standings, outcome_of
from standstill.engine.relevance import model as relevance
from standstill.engine.relevance import nags
from standstill.engine.relevance.model import MOVE_SCHEMES, POSITION_SCHEMES
from standstill.engine.relevance.nags import MOVE_ORDER, POSITION_ORDER
from standstill.engine.rmobility.goals import Goal
from standstill.engine.web.event.page import Group
from standstill.engine.web.event.page import page as event_page

GAME = b"""[Event "Caf\xe9 <b>&"]
[White "Anna"]
[Black "Boris"]
[Result "0-1"]

1. e4 { [%eval 0.30] } 1... e5 { [%eval 0.30] best by test } 2. Nf3 { [%eval 0.25] } 2... Nc6 { [%eval 0.30] }
3. Bc4 { [%eval 0.20] } 3... Nd4 { [%eval 0.70] } 4. Nxe5 { [%eval -0.40] } 4... Qg5 { [%eval -0.62] }
5. Nxf7 { [%eval -4.00] } 5... Qxg2 { [%eval -4.10] } 6. Rf1 { [%eval -5.00] } 6... Qxe4+ { [%eval -5.10] }
7. Be2 { [%eval #-1] } 7... Nf3# 0-1

"""
CHESS960 = b"""[White "Anna"]
[Black "Boris"]
[FEN "1k6/pp6/8/8/8/8/8/5KR1 b G - 2 9"]
[Result "*"]

9... a5 10. O-O b5 *
"""


def report(*raws: bytes) -> str:
    style = Style(write_eval=True, variation=6)
    found = []
    for number, raw in enumerate(raws, 1):
        game = SourceGame(number, raw)
        positions = positions_of_comments(game.movetext)
        found.append(annotated(game, positions, of_comments(game.movetext, None), style))
    return page("A title with <tags>", found, style)


class Balance(HTMLParser):
    """Collects unclosed tags, and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes) -> None:
        self.addresses += [value for name, value in attributes if name in {"src", "href", "xlink:href"} and value]
        if tag not in {"meta", "input", "link", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes) -> None:
        self.addresses += [value for name, value in attributes if name in {"src", "href", "xlink:href"} and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module", params=["report", "form"])
def text(request) -> str:
    return report(GAME, CHESS960) if request.param == "report" else form.page()


# ---- without a browser ----


def test_pages_need_nothing_from_outside(text: str) -> None:
    parsed = Balance(text)
    assert parsed.open == [] and all(address.startswith("#") for address in parsed.addresses)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|https?://(?!www\.w3\.org/)", text)


def test_text_of_games_is_no_markup() -> None:
    text = report(GAME)
    assert "A title with &lt;tags&gt;" in text and "Caf\xe9 &lt;b&gt;&amp;" in text


@pytest.mark.slow
def test_twenty_long_games_can_be_mailed() -> None:
    four = "{}. Nf3 {{ [%eval 0.20] }} Nf6 {}. Ng1 Ng8 {{ [%eval -0.10] }}"
    moves = " ".join(four.format(number, number + 1) for number in range(1, 99, 2))
    game = f'[White "Someone"]\n[Black "Someone else"]\n[Result "1/2-1/2"]\n\n{moves} 1/2-1/2\n\n'.encode()
    assert len(report(*[game] * 20).encode()) < 1_000_000


def test_figures_of_a_player_add_up() -> None:
    """Compute losses from the evaluations before and after each move."""
    evaluations = [0.30, 0.30, 0.25, 0.30, 0.20, 0.70, -0.40, -0.62, -4.0, -4.1, -5.0, -5.1, -float("inf")]
    results = [relevance.result(x, 0.62) for x in evaluations]
    losses = [max(0.0, before - after) for before, after in zip(results[1::2], results[2::2], strict=False)]
    cells = re.search(r"Anna</th></tr>\s*<tr>(.*?)</tr>", report(GAME), re.DOTALL)[1]
    values = re.findall(r"<td>(.*?)</td>", cells)
    assert values[0] == str(len(losses)) and values[-3] == f"{sum(losses):.2f}"
    assert values[-1] == f"{100 - 100 * sum(losses) / len(losses):.1f} %"


def test_curve_runs_through_the_expected_results() -> None:
    points = re.search(r'<polyline class="curve" points="([^"]*)"', report(GAME))[1].split()
    heights = [float(point.split(",")[1]) for point in points]
    scale = (heights[0] - heights[12]) / (relevance.result(0.30, 0.62) - 0)
    assert heights[7] == pytest.approx(heights[12] + scale * relevance.result(-0.62, 0.62), abs=0.2)


@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_bands_fill_the_height_in_order(scheme: str) -> None:
    found = bands(scheme)
    assert found[0][0] == 0 and found[-1][1] == 1
    assert all(isclose(below[1], above[0]) for below, above in pairwise(found))
    for low, high, nag in found:
        assert relevance.position_nag(relevance.result_inverse((low + high) / 2, 0.62), 0.62, scheme) == nag


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("[%eval 0.30] best by test", "best by test"),
        ("+0.34/12 1.2s", ""),
        ("-M5/30, 0.1s", ""),
        ("(Nf3 Nc6) +0.34/12 15s", ""),  # as Arena writes
        ("(Nf3 Nc6) was better", "(Nf3 Nc6) was better"),
        ("+M1/5 0.1s, White mates", "White mates"),
        ("d=3, wv=0.1", ""),
        ("d=33, pd=Bh4, mt=00:07:36, pv=e8=Q Bh4, wv=0.15, ", ""),
        ("d=20, wv=-3.2, a move of despair, but what else", "a move of despair, but what else"),
        ("book", ""),
        ("book, mb=+0+0+0+0+0,", ""),
        ("Book until here", "Book until here"),
        ("the pawn runs: e8=Q wins", "the pawn runs: e8=Q wins"),
        ("0.5/10 would be too much said", "0.5/10 would be too much said"),
        ("Elo=2700, he said", "Elo=2700, he said"),
        ("WhiteEngineOptions: Threads=8;", ""),
        ("", ""),
    ],
)
def test_people_s_words_are_told_from_engines_figures(comment: str, words: str) -> None:
    assert prose(comment) == words


PEOPLE = b"""[White "Anna"]
[Black "Boris"]
[SetUp "1"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 31"]
[Result "0-1"]

{By <i>Carl</i>} 31. Nf3 $146 {Book until here [%eval 0.30]} Nc6 $6 {33. e7 and e8=Q [%eval 0.30]}
32. Bc4 {[%eval 0.20]} (32. Bb5 $1 a6 {the main line} (32... Nf6 $5 33. O-O!? {or so}) 33. Ba4 $14) (32. d4)
32... Nd4 $11 {[%eval 0.70]} 33. Nxe5 $40 {[%eval -0.40]} Qg5 {[%eval -0.62]} 34. Nxf7 {[%eval -4.00] a mistake}
Qxg2 {[%eval -4.10]} 35. Rf1 {[%eval -5.00]} Qxe4+ {[%eval -5.10]} 36. Be2 $8 {[%eval #-1]} Nf3# {mate} 0-1

"""


def visible_text(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", markup)).split())


def retold(game: chess.pgn.Game) -> str:
    """All moves, symbols and comments in file order, as python-chess reads them."""

    def words(node: chess.pgn.GameNode) -> str:
        return " ".join(re.sub(r"\[%[^]]*\]", "", node.comment).split())

    def told(node: chess.pgn.ChildNode, numbered: bool) -> list[str]:
        white = node.parent.turn() == chess.WHITE
        number = [f"{node.parent.board().fullmove_number}{'.' if white else '...'}"] if white or numbered else []
        own = "".join(SIGNS[nag] for nag in node.nags if nag <= 6)
        return [*number, node.san() + own, *(SIGNS[nag] for nag in sorted(node.nags) if nag > 6), *words(node).split()]

    def line(node: chess.pgn.GameNode, numbered: bool = True) -> list[str]:
        found: list[str] = []
        while node.variations:
            main, *others = node.variations
            found += told(main, numbered)
            numbered = bool(words(main) or others)
            for other in others:
                found += ["(", *told(other, True), *line(other, bool(words(other))), ")"]
            node = main
        return found

    return " ".join([*words(game).split(), *line(game)]).replace("( ", "(").replace(" )", ")")


SIGNS = {nag: nags.text(nag) for nag in range(1, 22)} | {146: "N", 8: "\u25a1", 11: "=", 40: "\u2192"}


def test_the_page_tells_what_the_file_tells() -> None:
    """The page shows the symbols, comments and variations that python-chess reads from the annotated file."""
    game = SourceGame(1, PEOPLE)
    judge = of_comments(game.movetext, None)
    style = Style(variation=4)
    found = annotated(game, positions_of_comments(game.movetext), judge, style)
    moves = re.search(r'<p class="moves">(.*?)<span class="outcome">', page("x", [found], style), re.DOTALL)[1]
    theirs = retold(chess.pgn.read_game(io.StringIO(found.text)))
    assert "$4" in found.text and "Nxe5??" in theirs
    assert visible_text(moves).replace("\u2026", "...") == theirs


def test_moves_are_numbered_as_in_the_game() -> None:
    for number, expected in ((31, ["35"] * 2), (1, ["5"] * 2)):
        text = report(PEOPLE.replace(b" 0 31", f" 0 {number}".encode()))
        assert re.findall(r'<text class="number"[^>]*>(\d+)<', text) == expected


def test_what_is_plotted_written_and_judged_is_one_number() -> None:
    """The search before the move evaluates it as -0.40, the search after it as +0.10."""
    game = SourceGame(1, b"1. e4 e5 *")
    before = JudgedPosition(Evaluation(0.9), Evaluation(0.1), Evaluation(-0.4), line=["d4"])
    positions = [before, JudgedPosition(Evaluation(0.1)), JudgedPosition(Evaluation(0.2))]
    style = Style(write_eval=True)
    found = annotated(game, positions, of_engine("Stockfish 16", "9 nodes", None), style)
    text = page("x", [found], style)
    assert "1. e4 $2 $15 { [%eval -0.40] }" in found.text and 'title="-0.40, best +0.90, ' in text
    zero, one = (float(y) for y in re.findall(r'class="scale"[^>]* y="([\d.]+)">[10]<', text)[1::-1])

    def height(x: float) -> float:
        return zero + (one - zero) * relevance.result(x, 1.0) - 4

    start = re.search(r'class="curve" points="[\d.]+,([\d.]+) ', text)[1]
    stroke = re.search(r'class="gap" d="M[\d.]+ ([\d.]+)V([\d.]+)"', text)
    assert float(start) == pytest.approx(height(-0.4), abs=0.2)
    assert [float(y) for y in stroke.groups()] == pytest.approx([height(0.9), height(-0.4)], abs=0.2)
    loss = relevance.gap(0.9, -0.4, 1.0)
    assert f"<td>{loss:.2f}</td>" in text


# ---- in a browser ----


@pytest.fixture(scope="module")
def browser(client_program) -> Iterator:
    """Debian's chromium, driven by playwright."""
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a browser does not bear a preloaded sanitizer")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=client_program("chromium"), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def open_page(browser, tmp_path: Path) -> Iterator:
    """Show a page. It must report no error."""
    complaints: list[str] = []
    shown = browser.new_page(viewport={"width": 1280, "height": 900})
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)

    def call(text: str):
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        shown.goto((tmp_path / "page.html").as_uri())
        return shown

    yield call
    shown.close()
    assert complaints == []


def men_of(shown) -> dict[str, str]:
    """The men on the first board, by name of the square."""
    read = """() => [...document.querySelector('.board .men').querySelectorAll('use')].map(
        (use) => [use.getAttribute('href'), ...use.getAttribute('transform').match(/[\\d.]+/g).map(Number)])"""
    return {f"{'abcdefgh'[int(x - 15) // 45]}{8 - int(y - 15) // 45}": name for name, x, y in shown.evaluate(read)}


def expected_men(board: chess.Board) -> dict[str, str]:
    return {
        chess.square_name(square): f"#{chess.COLOR_NAMES[man.color]}-{chess.PIECE_NAMES[man.piece_type]}"
        for square, man in board.piece_map().items()
    }


def test_board_can_be_stepped_through(open_page) -> None:
    """Keys, buttons and clicks on moves and on the curve change the position."""
    shown = open_page(report(GAME))
    board = chess.Board()
    shown.keyboard.press("Home")
    assert men_of(shown) == expected_men(board)
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
        shown.keyboard.press("ArrowRight")
        assert men_of(shown) == expected_men(board)
    shown.click("button[data-go=back]")
    board.pop()
    assert men_of(shown) == expected_men(board)
    shown.click(".move[data-ply='12']")
    for san in ("Nf3", "Nc6", "Bc4", "Nd4", "Nxe5", "Qg5", "Nxf7", "Qxg2", "Rf1", "Qxe4+"):
        board.push_san(san)
    assert men_of(shown) == expected_men(board)
    box = shown.locator(".chart").first.bounding_box()
    shown.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    board.push_san("Be2")
    board.push_san("Nf3#")
    assert men_of(shown) == expected_men(board)
    assert "7\u2026Nf3#" in shown.locator(".left figcaption").inner_text()


@pytest.mark.parametrize("script", [True, False])
def test_the_page_opens_with_list_board_and_curve_in_step(browser, tmp_path: Path, script: bool) -> None:
    """The page opens after the largest loss, 4. Nxe5; the first key continues from there."""
    (tmp_path / "page.html").write_text(report(GAME), encoding="utf-8")
    shown = browser.new_page(java_script_enabled=script)
    shown.goto((tmp_path / "page.html").as_uri())
    board = chess.Board()
    for san in ("e4", "e5", "Nf3", "Nc6", "Bc4", "Nd4", "Nxe5"):
        board.push_san(san)
    assert shown.locator(".move.here").all_text_contents()[0].startswith("Nxe5")
    x = float(re.search(r"[\d.]+", shown.locator(".cursor").first.get_attribute("transform"))[0])
    assert x == pytest.approx(30 + (640 - 30 - 44) * 7 / 14, abs=0.1)
    if script:
        assert men_of(shown) == expected_men(board)
        shown.keyboard.press("ArrowRight")
        board.push_san("Qg5")
        assert men_of(shown) == expected_men(board)
        assert shown.locator(".move.here").all_text_contents()[0].startswith("Qg5")
    shown.close()


SLIGHT = b"1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Nf3 {[%eval 0.28]} *\n"


def test_drawn_symbols_have_their_text(open_page) -> None:
    """Captions and copied text use the symbols; a screen reader gets their meaning."""
    shown = open_page(report(SLIGHT))
    shown.keyboard.press("Home")
    shown.keyboard.press("ArrowRight")
    assert "e4 \u2a72" in shown.locator(".left figcaption").inner_text()
    copied = shown.evaluate("""() => {
        getSelection().selectAllChildren(document.querySelector('.moves'));
        return getSelection().toString();
    }""")
    assert "e4 \u2a72" in " ".join(copied.split())
    sign = shown.locator(".moves [role=img]").first
    assert sign.get_attribute("role") == "img" and sign.get_attribute("aria-label") == nags.meaning(14)
    assert shown.locator(".moves [role=img] > i").first.bounding_box()["width"] <= 1


def test_moves_are_reached_by_tab_and_have_addresses(browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(report(GAME), encoding="utf-8")
    shown = browser.new_page()
    shown.goto((tmp_path / "page.html").as_uri() + "#game1-3")
    current = shown.locator("[aria-current=true]")
    assert shown.locator("main section").count() == 1 and current.get_attribute("data-ply") == "3"
    shown.locator("button[data-go=flip]").focus()
    reached = []
    for _ in range(4):
        shown.keyboard.press("Tab")
        reached.append(shown.evaluate("document.activeElement.dataset.ply"))
    assert reached == ["1", "2", "3", "4"]
    shown.keyboard.press("Enter")
    assert current.get_attribute("data-ply") == "4" and shown.url.endswith("#game1-4")
    shown.close()


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 36)])
def test_moves_are_large_enough_to_hit(browser, tmp_path: Path, touch: bool, least: int) -> None:
    """Sizes in CSS pixels: 24 is the minimum target size of WCAG 2.2."""
    (tmp_path / "page.html").write_text(report(GAME), encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=touch, is_mobile=touch)
    shown = context.new_page()
    shown.goto((tmp_path / "page.html").as_uri())
    boxes = [move.bounding_box() for move in shown.locator(".move").all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= min(24, least)
    assert min(box["height"] for box in boxes) >= least
    context.close()


def test_curve_tells_the_evaluation_under_the_mouse(open_page) -> None:
    shown = open_page(report(GAME))
    box = shown.locator(".chart").first.bounding_box()
    shown.mouse.move(box["x"] + 2, box["y"] + 20)
    shown.mouse.move(box["x"] + 30 / 640 * box["width"] + 566 / 640 * box["width"] * 6 / 14, box["y"] + 20)
    assert shown.locator(".chart title").first.text_content().startswith("3\u2026Nd4")
    assert "+0.70" in shown.locator(".chart title").first.text_content()


def test_castling_of_chess960_lands_where_it_should(open_page) -> None:
    shown = open_page(report(CHESS960))
    shown.click(".move[data-ply='2']")
    men = men_of(shown)
    assert (men["g1"], men["f1"]) == ("#white-king", "#white-rook")


def test_turned_board_has_white_above(open_page) -> None:
    shown = open_page(report(GAME))
    shown.keyboard.press("Home")
    shown.click("button[data-go=flip]")
    assert men_of(shown)["d8"] == "#white-king"


def test_report_can_be_read_without_script(browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(report(GAME), encoding="utf-8")
    shown = browser.new_page(java_script_enabled=False)
    shown.goto((tmp_path / "page.html").as_uri())
    assert shown.locator(".board .men use").count() == 31 and "After" in shown.locator("figcaption").first.inner_text()
    assert shown.locator("polyline.curve").count() == 1 and not shown.locator(".controls").is_visible()
    shown.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_fit_the_window(browser, tmp_path: Path, text: str, width: int) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    shown = browser.new_page(viewport={"width": width, "height": 800})
    shown.goto((tmp_path / "page.html").as_uri())
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    # All symbols of moves are visible, and no number runs into its neighbour.
    assert shown.evaluate("""[...document.querySelectorAll('.grid:not(.nine)')].every(
        (grid) => grid.parentElement.scrollWidth <= grid.parentElement.clientWidth)""")
    cells = ".grid th, .between td:not([colspan]), .between output"
    fits = "(cell) => cell.scrollWidth <= cell.clientWidth + 1"
    assert shown.evaluate(f"(cells) => [...document.querySelectorAll(cells)].every({fits})", cells)
    shown.close()


READ_FORM = """() => ({
  values: Object.fromEntries(['absolute', 'relevant', 'share', 'result-correct', 'result-faulty'].map(
    (id) => [id, Number(document.getElementById(id).dataset.value)])),
  positions: Object.fromEntries([...document.querySelectorAll('[data-positions]')].map(
    (row) => [row.dataset.positions, [...row.querySelectorAll('td')].map((cell) => cell.textContent)])),
  edges: Object.fromEntries([...document.querySelectorAll('[data-edges]')].map(
    (row) => [row.dataset.edges, [...row.querySelectorAll('output')].map((cell) => cell.dataset.value ?? null)])),
  moves: [...document.querySelectorAll('[data-move]')].map(
    (row) => [row.dataset.move, row.dataset.scheme, [...row.querySelectorAll('td')].map((cell) => cell.textContent)]),
  boundaries: [...document.querySelectorAll('[data-boundaries]')].map((row) => [row.dataset.boundaries,
    row.dataset.scheme, [...row.querySelectorAll('output')].map((cell) => cell.dataset.value ?? null)]),
})"""


@pytest.mark.parametrize(
    ("x05", "correct", "faulty"),
    [
        ("0.62", "0.62", "-0.30"),
        ("0.62", "0.62", "0"),
        ("0,62", "1,24", "0,62"),
        ("0.62", "-0.62", "0.00"),
        ("1,00", "-1.5", "0,25"),
        ("0.52", "-10", "-100"),
        ("2.98", "99.99", "-99.99"),
        ("0.62", "\u22120.3", "0.4"),
        ("0.6", "0.3", "0.3"),
    ],
)
def test_form_shows_what_python_computes(open_page, x05: str, correct: str, faulty: str) -> None:
    shown = open_page(form.page())
    for name, text in (("x05", x05), ("correct", correct), ("faulty", faulty)):
        shown.fill(f"#{name}", text)
    found = shown.evaluate(READ_FORM)
    h, c, f = (float(text.replace(",", ".").replace("\u2212", "-")) for text in (x05, correct, faulty))
    mover = "w" if c > f else "b"
    expected = {
        "absolute": abs(c - f),
        "relevant": relevance.difference(c, f, h),
        "share": 100 * relevance.gap(c, f, h),
        "result-correct": relevance.result(c, h),
        "result-faulty": relevance.result(f, h),
    }
    assert found["values"] == pytest.approx(expected, rel=1e-12, abs=1e-15)
    for scheme, cells in found["positions"].items():
        marks = dict.fromkeys(POSITION_ORDER, "")
        for letter, x in (("c", c), ("f", f)):
            nag = relevance.position_nag(x, h, scheme)
            marks[nag] = f"{marks[nag]} {letter}".strip()
        assert cells == list(marks.values())
        white = relevance.position_edges(h, scheme)
        edges = [float(text) for text in found["edges"][scheme] if text is not None]
        assert edges == pytest.approx([*reversed(white), *(-x for x in white)], rel=1e-12)
    assert len(found["moves"]) == len(found["boundaries"]) == 2 * len(MOVE_SCHEMES)
    for move, scheme, cells in found["moves"]:
        own, other = (c, f) if move == "correct" else (f, c)
        nag = relevance.move_nag(own, other, mover, h, scheme)
        assert [bool(text) for text in cells] == [each == nag for each in MOVE_ORDER]
    for move, scheme, texts in found["boundaries"]:
        values = relevance.boundaries(c if move == "correct" else f, h, mover, scheme)
        for text, value in zip(texts, values, strict=True):
            assert (text is None) == (value is None)
            assert value is None or float(text) == pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "text"),
    [("x05", "0"), ("x05", "-1"), ("x05", ""), ("correct", "good"), ("faulty", "1,2,3"), ("faulty", "")],
)
def test_form_empties_its_outputs_for_bad_input(open_page, name: str, text: str) -> None:
    shown = open_page(form.page())
    assert shown.locator("#relevant").inner_text() != ""
    shown.fill(f"#{name}", text)
    assert shown.evaluate("[...document.querySelectorAll('output')].every((each) => each.textContent === '')")
    assert shown.locator(f"#{name}").get_attribute("aria-invalid") == "true"
    shown.fill(f"#{name}", "0.5")
    assert shown.locator("#relevant").inner_text() != ""


def test_form_answers_a_comma_with_commas(open_page) -> None:
    shown = open_page(form.page(1.0))
    assert shown.locator("#x05").input_value() == "1"
    shown.fill("#correct", "0,5")
    assert "," in shown.locator("#relevant").inner_text()


def test_position_without_evaluation_leaves_a_gap() -> None:
    game = SourceGame(1, b"1. e4 e5 2. Nf3 *")
    positions = [JudgedPosition(), JudgedPosition(Evaluation(0.2)), JudgedPosition(), JudgedPosition()]
    found = annotated(game, positions, of_comments(game.movetext, None), Style())
    assert 'class="curve"' in page("x", [found], Style())


# ---- on paper ----


@pytest.mark.parametrize("games", [1, 2])
def test_every_game_is_printed_on_a_page_of_its_own_and_none_is_left_empty(open_page, games: int) -> None:
    paper = open_page(report(*[GAME] * games)).pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == games


def test_standings_are_printed_whole(browser, tmp_path: Path) -> None:
    names = [f"Engine number {number}" for number in range(16)]
    drawn = Goal.parse("-G29.5")
    games = [outcome_of(one, other, "1/2-1/2", drawn, drawn) for one, other in permutations(names, 2)]
    (tmp_path / "page.html").write_text(event_page("Cup", [Group(Standings(games))], goals=True), encoding="utf-8")
    shown = browser.new_page(viewport={"width": 1046, "height": 718})  # landscape A4 with margins of 1 cm
    shown.goto((tmp_path / "page.html").as_uri())
    shown.emulate_media(media="print")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 1046
    assert shown.evaluate("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible"
    assert shown.locator(".crossed td:nth-child(12) .mark").all_inner_texts()[:2] == ["-G29.5", "G29.5"]
    shown.close()


@pytest.mark.parametrize("plies", [0, 1, 7, 120, 121, 2400, 24_001, 60_000, 10**6])
def test_a_curve_has_few_numbers_however_long_the_game_is(plies: int) -> None:
    assert Scale(plies).numbers(100).count("<text") <= 12
