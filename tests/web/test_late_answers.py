"""Answers of the program that arrive late, or after the answer to a later request: the pages show what the user
wants."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.variants.files import block, text_of

from .conftest import Site, served
from .pages import hold_next, intercept, opened, settled
from .test_play_page import begin, my_turn, sans
from .test_study_page import GAMES, caption, choose, drag, mark, press
from .test_workshop_page import BALANCE_MS, SHOWN, fill, marks, see
from .test_workshop_page import place as place_of_piece

pytestmark = pytest.mark.slow

TINY = text_of(block("Game: tiny", "The end.", board="5x6", array="6 4 5 7 3", king="k:-1 K",
                     white_pawn="p:100 fmWfcF", black_pawn="p:100 bmWbcF"))  # fmt: skip


@pytest.fixture(scope="module")
def pages(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    own = {"STANDSTILL_OPENED": str(tmp_path_factory.mktemp("opened"))}
    with served(executable, variables=own) as found:
        yield found


@pytest.fixture(scope="module")
def games(executable: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, GAMES, command="study") as found:
        yield found


def test_a_link_of_the_score_is_followed_although_the_page_is_drawn_anew(browser, games: Site) -> None:
    """Between a click on a move and its event, results of the program are drawn, which writes the old address again."""
    with opened(browser, games) as page:
        choose(page, 1)
        page.evaluate("() => { location.hash = '3'; history.replaceState(null, '', '#game=1/0'); }")
        page.wait_for_function("() => location.hash === '#game=1/3'")
        assert caption(page) == "2. Nf3"


def test_an_address_is_followed_while_the_page_opens(browser, games: Site) -> None:
    """The game of the address arrives, and keeps the name of its file for unsaved changes."""
    with opened(browser, games) as page:
        page.goto(f"http://127.0.0.1:{games.port}/study#game=1")
        release = hold_next(page, "**/api/study/engines", page.reload, is_answered=True)
        page.evaluate("location.hash = 'game=3'")
        settled(page)
        release()
        page.wait_for_function("() => location.hash.startsWith('#game=3/')")
        press(page, "e", "ArrowRight")
        mark(page, "!!")
        page.on("dialog", lambda dialog: dialog.accept())
        page.reload()
        page.wait_for_selector("#notice:has-text('unsaved changes are back')")


def test_a_move_that_is_refused_goes_back(browser, games: Site) -> None:
    with opened(browser, games, expected="400 (Bad Request)") as page:
        choose(page, 1)
        places = "(men) => men.map((each) => each.style.transform).sort()"
        before = page.locator("#board .man").evaluate_all(places)
        refusal = {"status": 400, "json": {"error": "no room"}}
        intercept(page, "**/api/study/view", lambda route: route.fulfill(**refusal))
        drag(page, "a2", "a3")
        page.wait_for_selector("#notice:has-text('no room')")
        settled(page)
        assert page.locator("#board .man").evaluate_all(places) == before


def test_undo_leaves_a_reader_who_has_gone_on(browser, games: Site) -> None:
    with opened(browser, games) as page:
        choose(page, 1)
        press(page, "End", "e")
        mark(page, "!?")
        release = hold_next(page, "**/api/study/view", lambda: page.click("#undo"), is_answered=True)
        press(page, "Home", "ArrowRight")
        release()
        page.wait_for_selector("#changes", state="hidden")
        assert caption(page) == "1. e4"


def go(page, site: Site, name: str) -> None:
    page.goto(f"http://127.0.0.1:{site.port}/{name}")
    page.wait_for_selector("body:not([data-state=opening])")


def test_workshop_shows_the_squares_of_the_text_as_it_is(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        go(page, pages, "workshop")
        page.wait_for_function(SHOWN)
        see(page, "b1")
        release = hold_next(page, "**/reach", lambda: page.mouse.click(*place_of_piece(page, "d4")), is_answered=True)
        content = page.input_value("#text")
        fill(page, content.replace("n:325 N 0,-4", "n:325 W 0,-4"))
        page.wait_for_function("() => document.querySelectorAll('#board .mark').length === 4")
        release()
        assert marks(page) == {"c4", "e4", "d3", "d5"}


def test_workshop_keeps_the_text_if_the_new_game_is_cancelled(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        go(page, pages, "workshop")
        page.wait_for_function(SHOWN)
        content = page.input_value("#text")
        page.click("#new")
        page.fill("#make [name=name]", "late")
        release = hold_next(page, "**/workshop/new", lambda: page.click("#make .main"), is_answered=True)
        page.click("#make-cancel")
        release()
        assert page.input_value("#text") == content


def test_a_balance_is_shown_as_its_stream_tells(browser, pages: Site) -> None:
    """The answer to the request that begins a measurement may arrive after the event that ends it."""
    with opened(browser, pages) as page:
        go(page, pages, "workshop")
        page.wait_for_function(SHOWN)
        fill(page, TINY)
        page.fill("#balance [name=games]", "2")
        page.fill("#balance [name=nodes]", "10")
        release = hold_next(page, "**/workshop/balance", lambda: page.click("#balance-start"), is_answered=True)
        page.wait_for_selector("body[data-balance=done]", timeout=BALANCE_MS)
        release()
        assert page.get_attribute("body", "data-balance") == "done"
        assert page.inner_text("#balance-state") == "2 of 2 games of tiny"


def test_a_double_click_begins_one_game(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        asked: list[str] = []
        page.on("request", lambda each: each.url.endswith("/api/games") and asked.append(each.method))
        button = "document.querySelector('#setup button[type=submit]').click()"
        release = hold_next(
            page, "**/api/games", lambda: page.evaluate(f"() => {{ {button}; {button} }}"), is_answered=True
        )
        release()
        page.wait_for_selector("body[data-state=game]")
        assert asked == ["POST"]


def test_a_game_keeps_its_own_settings_until_another_begins(browser, pages: Site) -> None:
    """Reports of the previous game must not be stored with the settings of the new one."""
    kept = "JSON.parse(localStorage.getItem('standstill.game'))"
    with opened(browser, pages) as page:
        begin(page)
        page.click("#new-game")
        page.wait_for_selector("body[data-state=setup]")
        page.select_option("#game", "atomic")
        release = hold_next(page, "**/api/games", lambda: page.click("#setup button[type=submit]"), is_answered=True)
        pages.post(f"/api/games/{page.evaluate(kept)['id']}/move", {"move": "e2e4"})
        page.wait_for_function(f"() => {kept}.moves.length > 0")
        assert page.evaluate(f"{kept}.setup.game") == "chess"
        release()
        page.wait_for_function(f"() => {kept}.setup.game !== 'chess'")


def test_a_hint_is_not_shown_in_another_position_of_the_same_length(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        begin(page, fen="6k1/5ppp/8/8/8/8/5PPP/R3K3 w - - 0 1")
        for move in ("h3", "g3"):
            page.fill("#typed", move)
            page.press("#typed", "Enter")
            my_turn(page, 2)
            if move == "h3":
                release = hold_next(page, "**/hint", lambda: page.click("#hint"), is_answered=True)
                page.click("#back")
                my_turn(page, 0)
        release()
        assert sans(page)[0] == "g3" and page.locator("#board .arrow.hint").count() == 0


def test_back_twice_does_not_leave_the_tables(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        go(page, pages, "tables")
        page.wait_for_selector("#main[aria-busy=false]")
        first = page.input_value("#fen")
        page.click("#clear")
        page.wait_for_function("(first) => document.querySelector('#fen').value !== first", arg=first)
        page.evaluate("() => { for (let i = 0; i < 2; i++) document.querySelector('#back').click(); }")
        page.wait_for_function("(first) => document.querySelector('#fen')?.value === first", arg=first)
        settled(page)
        assert page.url.split("#")[0].endswith("/tables") and page.input_value("#fen") == first


def test_the_list_of_opened_files_is_the_newest(browser, pages: Site) -> None:
    game = '[White "Ann"]\n[Black "{}"]\n\n1. d4 d5 *\n'
    for name in ("one", "two"):
        pages.post("/api/files/open", {"text": game.format(name), "name": f"{name}.pgn"})
    with opened(browser, pages) as page:
        go(page, pages, "study")
        page.click("#open-recent .name:has-text('one')")
        page.wait_for_selector("body[data-state=study]")
        release = hold_next(page, "**/api/files", lambda: page.click("#open"), is_answered=True)
        page.on("dialog", lambda dialog: dialog.accept())
        page.wait_for_selector("[aria-label='Remove two.pgn']", state="attached")
        page.click("[aria-label='Remove two.pgn']")
        page.wait_for_selector("[aria-label='Remove two.pgn']", state="detached")
        release()
        assert page.locator("[aria-label='Remove two.pgn']").count() == 0
