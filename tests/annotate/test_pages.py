"""Generated pages agree with Python; a real browser opens them where scripts matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from standstill.engine.annotate import form
from standstill.engine.annotate.prose import prose
from standstill.engine.archive.standings import Standings, outcome_of
from standstill.engine.relevance import model as relevance
from standstill.engine.relevance.model import MOVE_SCHEMES, POSITION_SCHEMES
from standstill.engine.relevance.nags import MOVE_ORDER, POSITION_ORDER
from standstill.engine.rmobility.goals import Goal
from standstill.engine.web.bands import bands
from standstill.engine.web.event.page import Group
from standstill.engine.web.event.page import page as event_page


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


# ---- without a browser ----


def test_the_form_needs_nothing_from_outside() -> None:
    text = form.page()
    parsed = Balance(text)
    assert parsed.open == [] and all(address.startswith("#") for address in parsed.addresses)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|https?://(?!www\.w3\.org/)", text)


@pytest.mark.parametrize("scheme", POSITION_SCHEMES)
def test_bands_lie_where_the_symbols_change(scheme: str) -> None:
    edges = bands(scheme)
    side = len(edges) // 2
    symbols = [*relevance.BLACK_BETTER[side - 1 :: -1], 10, *relevance.WHITE_BETTER[:side]]
    for (low, high), nag in zip(pairwise([0.0, *edges, 1.0]), symbols, strict=True):
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


# ---- in a browser ----


@pytest.fixture
def open_page(browser, tmp_path: Path) -> Iterator:
    """Show a page, which must report no error."""
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


@pytest.mark.parametrize("width", [360, 1280])
def test_the_form_fits_the_window(browser, tmp_path: Path, width: int) -> None:
    (tmp_path / "page.html").write_text(form.page(), encoding="utf-8")
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


# ---- on paper ----


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
