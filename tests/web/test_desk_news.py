"""What a fetch has changed, and the standings of an event, on the page Desk in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.store import Store
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer
from tests.web.desk_store import add, fill

from .conftest import Site, served
from .pages import PHONE, hold_next, opened, settled

NUMBERS = range(30, 38)


@pytest.fixture
def server() -> Iterator[XfccServer]:
    with XfccServer() as found:
        for number in NUMBERS:
            found.add(str(number), "e4 e5", timeControl="50/75/1", black=f"Opponent {number}", event="WT/M/2")
        yield found
        found.shutdown()


@pytest.fixture
def desk(executable: Path, tmp_path: Path, server: XfccServer) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    fill(tmp_path / "games.sqlite")
    words = ("desk", "--store", tmp_path / "games.sqlite")
    variables = {"STANDSTILL_XFCC_USER": USER, "STANDSTILL_XFCC_PASSWORD": PASSWORD}
    with served(executable, *words, variables=variables) as found:
        found.post("/api/desk/account", {"url": server.url, "user": USER, "events": "", "control": "", "refills": True})
        yield found


def test_a_fetch_takes_a_line_for_each_game_and_folds(browser, desk: Site, server: XfccServer) -> None:
    """What the user has to read comes first, and the list of games begins on the first screen."""
    with opened(browser, desk) as page:
        page.click("#fetch")
        page.wait_for_selector("#news-rows li:has-text('new game') >> nth=7", state="attached")
        for number in NUMBERS:
            for san in ("Nf3", "Nc6") if number > NUMBERS[0] else ():
                server.boards[str(number)].push_san(san)
        server.games["37"] |= {"drawOffered": "true", "message": "Peace?"}
        page.click("#fetch")
        page.wait_for_selector("#news-rows li:has-text('2...Nc6') >> nth=6", state="attached")
        rows = page.locator("#news-rows li")
        told = r"Opponent-37_37: 2 new half-moves \(to 2\.\.\.Nc6\) · a draw is offered · message: Peace\?"
        assert re.search(told, rows.first.inner_text())
        assert [row.is_visible() for row in rows.all()] == [True] * 5 + [False] * 2
        assert max(row.bounding_box()["height"] for row in rows.all()[:5]) < 30
        assert page.inner_text("#news-others") == "1 game: nothing new"
        page.click("#news-more:has-text('Show 2 more lines')")
        assert all(row.is_visible() for row in rows.all())
        page.click("#news-more:has-text('Show fewer')")
        assert not rows.nth(5).is_visible()
        page.click("#news-close")
        assert not page.is_visible("#news")


def test_clocks_that_are_as_expected_are_under_the_line_of_their_game(browser, desk: Site) -> None:
    news = {"name": "due", "done": "1 new half-move (2.Nf3)", "notes": ["planned reply d6: `games send due d6`"]}
    news["times"] = ["your clock 49 d, bank 60 d"]
    answer = {"games": [news], "lines": ["2 games: nothing new"], "problems": [], "warnings": ["a warning"]}
    with opened(browser, desk, viewport=PHONE) as page:
        page.route("**/api/desk/fetch", lambda route: route.fulfill(json=answer))
        page.click("#fetch")
        page.wait_for_selector("#news-rows li:has-text('2.Nf3')")
        assert page.inner_text("#news-rows li >> nth=0") == "a warning" and page.is_hidden("#news-more")
        assert "2.Nf3) · planned reply d6\n" in page.inner_text("#news-rows li >> nth=1") + "\n"  # no command
        assert page.is_hidden("#news-rows p")
        page.locator("#news-rows summary").press("Enter")
        page.wait_for_selector("#news-rows p:has-text('your clock 49 d')")
        page.click("#news-rows a")
        page.wait_for_selector("#game-about:has-text('due')")


def test_standings_do_not_show_different_sums_as_equal(browser, desk: Site) -> None:
    exact = [row[8] for row in desk.get("/api/desk/event?name=Club")["standings"]["rows"][1:]]
    assert all(re.fullmatch(r"0\.(50{6,}[1-9]|49{6,}[0-8])", text) for text in exact)  # the draw's record is tiny
    with opened(browser, desk) as page:
        page.evaluate("location.hash = 'event=Club'")
        page.wait_for_selector("#event-body td:has-text('…')")
        cells = page.locator("#event-body td[title]")
        assert [cell.get_attribute("title") for cell in cells.all()] == exact
        assert cells.all_inner_texts() == ["0.500000…", "0.499999…"]


def test_today_is_left_and_entered_again_at_the_same_row_and_is_never_wider_than_the_window(
    browser, desk: Site, server: XfccServer
) -> None:
    with opened(browser, desk) as page:
        page.click("#fetch")
        page.wait_for_selector("#news-rows li:has-text('new game') >> nth=7", state="attached")
        rows = "document.querySelector('#rows')"
        page.evaluate(f"for (let at = 0; at < 60; at++) {rows}.append({rows}.lastElementChild.cloneNode(true))")
        for place in (10_000, 0):  # so that all rows are painted at this width
            page.evaluate("(place) => scrollTo(0, place)", place)
            page.wait_for_timeout(200)
        page.set_viewport_size(PHONE)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0
        page.evaluate(f"[...{rows}.children].slice(12).forEach((row) => row.remove())")
        page.locator("#rows li >> nth=6").scroll_into_view_if_needed()
        left = page.evaluate("scrollY")
        assert left > 500
        page.click("#rows li >> nth=6")
        page.wait_for_selector("#game-about:has-text('·')")
        page.wait_for_function("scrollY === 0")  # the board is at the top
        page.go_back()
        page.wait_for_selector("#view-today:not([hidden])")
        page.wait_for_function("(left) => Math.abs(scrollY - left) < 60", arg=left)


def test_today_is_entered_again_at_its_place_while_the_game_is_drawn_anew(browser, desk: Site, tmp_path: Path) -> None:
    now = now_ms()
    with Store(tmp_path / "games.sqlite") as store:
        for number in range(80):
            add(Desk(store), f"long-{number}", f"Opponent {number}", now - DAY_MS)
    with opened(browser, desk) as page:
        page.locator("#rows li >> nth=82").scroll_into_view_if_needed()
        settled(page)
        left = page.evaluate("scrollY")
        assert left > 3000
        page.click("#rows li >> nth=82")
        page.wait_for_selector("#game-about:has-text('·')")
        page.wait_for_function("scrollY === 0")

        def add_another() -> None:
            with Store(tmp_path / "games.sqlite") as store:
                add(Desk(store), "another", "Opponent 80", now - DAY_MS)

        release = hold_next(page, "**/api/desk/game?*", add_another)
        page.go_back()
        release()
        page.wait_for_selector("#view-today:not([hidden])")
        page.wait_for_function("(left) => Math.abs(scrollY - left) < 200", arg=left)  # rows have been measured
        page.wait_for_selector("#rows li >> nth=83", state="attached")
