"""What arrives from the program, or from another tab, leaves alone what the user is doing: typing, pressing, dragging,
choosing, reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.store import Store
from tests.variants.files import block, text_of

from . import test_puzzles_page as puzzles
from .conftest import Site, end, served
from .desk_store import fill as fill_store
from .pages import hold_next, opened, settled
from .test_desk_page import answer, go, open_game
from .test_late_answers import TINY
from .test_late_answers import go as show_page
from .test_play_page import begin, my_turn, resume, sans
from .test_study_page import GAMES, choose, press
from .test_workshop_page import SHOWN, fill, text

pytestmark = pytest.mark.slow

FOCUS = "document.activeElement"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.fixture(scope="module")
def pages(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    own = {"STANDSTILL_OPENED": str(tmp_path_factory.mktemp("opened"))}
    with served(executable, variables=own) as found:
        yield found


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    fill_store(path)
    return path


@pytest.fixture
def desk(executable: Path, store: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, "desk", "--store", store) as found:
        yield found


# ---- the page Tables ----


def typed(page, fen: str, *keys: str) -> None:
    page.fill("#fen", fen)
    for key in keys:
        page.press("#fen", key)


def shows(page, fen: str) -> None:
    """Wait until the board has the position, which the address names."""
    page.wait_for_function("(fen) => location.hash.includes(fen.split(' ')[0])", arg=fen)


def test_a_fen_and_a_record_are_taken_as_they_were_entered(browser, pages: Site) -> None:
    """The answer about another position arrives while a FEN is typed, and after it was entered."""
    explore = "**/api/tables/explore"
    with opened(browser, pages) as page:
        show_page(page, pages, "tables")
        page.wait_for_selector("#main[aria-busy=false]")
        release = hold_next(page, explore, lambda: typed(page, f"{START} w KQkq - 0 1", "Enter"))
        page.fill("#fen", "8/8/8/4k3/8/8/4K3/7R w")
        release()
        shows(page, START)
        assert page.input_value("#fen") == "8/8/8/4k3/8/8/4K3/7R w"
        page.press("#fen", "Enter")
        shows(page, "8/8/8/4k3/8/8/4K3/7R")
        assert page.input_value("#fen") == "8/8/8/4k3/8/8/4K3/7R w - - 0 1"
        release = hold_next(page, explore, lambda: typed(page, f"{START} w KQkq - 0 1", "Enter"))
        typed(page, "8/8/8/4k3/8/8/4K3/6Q1 b", "Enter")
        release()
        shows(page, "8/8/8/4k3/8/8/4K3/6Q1")
        page.wait_for_function("() => document.querySelector('#fen')?.value === '8/8/8/4k3/8/8/4K3/6Q1 b - - 0 1'")
        page.wait_for_selector("#main[aria-busy=false]")
        other = START.replace("PPPPPPPP", "PPPPPPP1")
        release = hold_next(page, explore, lambda: typed(page, f"{other} w KQkq - 0 1", "Enter"))
        page.select_option("#record", "G2.0")
        release()
        page.wait_for_function("() => location.hash.includes('record=G2.0')")
        assert page.input_value("#record") == "G2.0"


def test_a_piece_that_has_moved_is_not_put_twice(browser, pages: Site) -> None:
    """The user picks up a piece that the position on its way has moved."""
    with opened(browser, pages) as page:
        show_page(page, pages, "tables")
        page.wait_for_selector("#main[aria-busy=false]")
        typed(page, f"{START} w KQkq - 0 1", "Enter")
        shows(page, START)
        page.wait_for_selector("#main[aria-busy=false]")
        box = page.locator("#board .position").bounding_box()

        def click(square: str) -> None:
            column, row = ord(square[0]) - 97, 8 - int(square[1])
            page.mouse.click(box["x"] + (column + 0.5) * box["width"] / 8, box["y"] + (row + 0.5) * box["width"] / 8)

        click("a2")
        release = hold_next(page, "**/api/tables/explore", lambda: click("a4"))
        click("a2")
        release()
        shows(page, "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR")
        click("a5")
        page.click("#turn-b", force=True)
        page.wait_for_function("() => location.hash.includes('_b_')")
        assert page.input_value("#fen").startswith("rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b")


def test_the_list_of_records_stays_under_the_hand(browser, pages: Site) -> None:
    """It is not rebuilt if it stays the same, nor while the mouse is down on it."""
    mark = "document.querySelector('#record').options[1]"
    with opened(browser, pages) as page:
        show_page(page, pages, "tables")
        page.wait_for_selector("#main[aria-busy=false]")
        typed(page, f"{START} w KQkq - 0 1", "Enter")
        shows(page, START)
        page.evaluate(f"() => {{ {mark}.isOld = true; }}")
        page.select_option("#record", "G2.0")
        page.wait_for_function("() => location.hash.includes('record=G2.0')")
        assert page.evaluate(f"{mark}.isOld")
        other = START.replace("PPPPPPPP", "PPPPPPP1")
        explore = "**/api/tables/explore"
        release = hold_next(page, explore, lambda: typed(page, f"{other} w KQkq - 0 1", "Enter"), is_answered=True)
        page.dispatch_event("#record", "pointerdown", {"button": 0})
        release()
        assert page.evaluate(f"{mark}.isOld") and START in page.evaluate("location.hash")
        page.mouse.move(5, 5)
        shows(page, other)
        assert not page.evaluate(f"{mark}.isOld")


# ---- the page Study ----


def test_names_go_to_the_game_that_they_were_asked_for(browser, executable: Path, tmp_path: Path) -> None:
    """Another game arrives while the dialogue with the names is open, and waits for it."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "e")
        release = hold_next(page, "**/api/study/3", lambda: page.evaluate("location.hash = 'game=3'"), is_answered=True)
        page.click("#names")
        page.fill("#names-form [name=white]", "Zoe")
        release()
        assert page.is_visible("#names-form") and page.input_value("#names-form [name=white]") == "Zoe"
        page.click("#names-form .main")
        page.wait_for_function("() => location.hash.startsWith('#game=3/')")
        assert "Zoe" not in page.inner_text("#players")
        page.evaluate("location.hash = 'game=1'")
        page.wait_for_function("() => location.hash.startsWith('#game=1/')")
        assert "Zoe" in page.inner_text("#players")


def test_a_piece_in_the_hand_stays_there(browser, executable: Path, tmp_path: Path) -> None:
    """The same position is drawn again while a piece is dragged; in another position the drag ends."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    held = "document.querySelector('#board .dragging .man[style*=none]')?.style.transform"
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "e", "ArrowRight")
        page.wait_for_selector("#board .board[data-movable]")
        box = page.locator("#board .position").bounding_box()
        unit = box["width"] / 8
        release = hold_next(page, "**/api/study/view", lambda: page.click("#marks [data-sign='!']"), is_answered=True)
        page.mouse.move(box["x"] + 0.5 * unit, box["y"] + 1.5 * unit)
        page.mouse.down()
        page.mouse.move(box["x"] + 2.5 * unit, box["y"] + 4.5 * unit, steps=3)
        before = page.evaluate(held)
        assert before
        release()
        page.wait_for_selector("#marks [data-sign='!'][aria-pressed=true]")
        assert page.evaluate(held) == before
        page.keyboard.press("End")
        assert page.evaluate(held) is None
        page.mouse.up()
        assert page.inner_text("#caption strong") == "4. Nf5"


# ---- the pages Play and Puzzles ----


def test_the_moves_stay_where_the_reader_has_scrolled_them(browser, pages: Site) -> None:
    """Each line of the engine draws the cards above the moves again. The engine may have no more lines to tell."""
    words = "a2a3 a7a6 a3a4 a6a5 b2b3 b7b6 c2c3 c7c6 c3c4 c6c5 b1c3 b8c6 c3b1 c6b8 b1a3 b8a6 e2e4 f7f6 d2d3 g7g5"
    draw = """async (from) => {
        const { keepInView } = await import("/static/panel.js");
        const list = document.querySelector("#moves");
        list.scrollTop = from;
        keepInView(() => (list.style.paddingTop = "9px"));
        return list.scrollTop;
    }"""
    with opened(browser, pages, viewport={"width": 1280, "height": 480}) as page:
        resume(page, pages, "chess", words.split())
        at_end = page.evaluate("document.querySelector('#moves').scrollTop")
        assert at_end > 0 == page.evaluate(draw, 0)
        assert page.evaluate(draw, at_end) >= at_end


def test_two_tabs_share_a_game_until_one_begins_another(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        begin(page)
        other = page.context.new_page()
        other.goto(pages.address)
        my_turn(other, 0)
        for tab, move, plies in ((page, "e4", 2), (other, "d4", 4)):
            tab.fill("#typed", move)
            tab.press("#typed", "Enter")
            for each in (page, other):
                my_turn(each, plies)
        other.click("#swap")
        for each in (page, other):
            each.wait_for_selector("#below[data-side=black]")
            my_turn(each, 5)
        shared = sans(page)
        other.click("#new-game")
        begin(other, game="atomic")
        page.reload()
        my_turn(page, 5)
        assert sans(page) == shared
        page.click("#back")  # the last change of any game in this browser
        my_turn(page, 3)
        other.reload()
        my_turn(other, 0)


def test_two_tabs_still_share_their_game_after_a_restart_of_the_program(browser, executable: Path) -> None:
    with served(executable) as site, opened(browser, site, expected="Failed to load resource") as page:
        resume(page, site, "chess", ["f2f3", "e7e5"])
        other = page.context.new_page()
        other.goto(site.address)
        other.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
        end(site.process)
        with served(executable, "--port", site.port) as again:  # it does not know the game
            for tab in (page, other):
                tab.goto(again.address)  # differs from the address before only behind the #, so nothing is loaded
                tab.reload()
                tab.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
            page.fill("#typed", "g4")
            page.press("#typed", "Enter")
            other.wait_for_function("() => document.querySelectorAll('#moves button').length === 3")


def test_evaluations_hidden_in_one_tab_are_shown_in_the_other(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        resume(page, pages, "chess", ["f2f3", "e7e5"])
        other = page.context.new_page()
        other.goto(pages.address)
        other.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
        other.uncheck("#watching")
        other.wait_for_selector("#view-body", state="hidden")
        page.fill("#typed", "g4")
        page.press("#typed", "Enter")
        page.wait_for_selector("#pv:has-text('Qh4#')")


def test_an_analysis_leaves_the_solution_on_the_page(browser, executable: Path, tmp_path: Path) -> None:
    variables = {"STANDSTILL_PUZZLES": str(tmp_path / "p.sqlite")}
    with (
        served(executable, puzzles.GAMES, command="puzzles", variables=variables) as site,
        opened(browser, site) as page,
    ):
        puzzles.choose(page, "move", "best move")
        page.keyboard.press("s")
        page.wait_for_selector(puzzles.OVER)
        page.wait_for_selector("#unjudged")
        asked: list[str] = []
        page.on("request", lambda each: asked.append(each.url.rpartition("/")[2]))
        with page.expect_response("**/overview", timeout=120_000):
            page.click("#analyse")
        page.select_option("#kinds", "fewest")
        page.wait_for_function("() => document.querySelector('#kind')?.textContent === 'fewest moves'")
        assert asked.count("next") == 1  # for the kind


# ---- the page Workshop ----


def test_each_tab_of_workshop_keeps_its_text(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        show_page(page, pages, "workshop")
        page.wait_for_function(SHOWN)
        own = text_of(block("Game: own", "The end."))
        fill(page, own)
        other = page.context.new_page()
        other.goto(pages.address.replace("/play", "/workshop"))
        other.wait_for_function(SHOWN)
        assert text(other) == own  # as on the next visit
        page.goto(f"http://127.0.0.1:{pages.port}/play")
        fill(other, TINY)
        show_page(page, pages, "workshop")
        for each, content in ((page, own), (other, TINY)):
            each.wait_for_function(SHOWN)
            assert text(each) == content


def test_revert_keeps_what_is_typed_meanwhile(browser, executable: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.ini"
    path.write_text(text_of(block("Game: mine", "The end.")))
    with served(executable, "edit", path, command="variants") as site, opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        fill(page, text(page) + "one\n")
        release = hold_next(page, "**/api/workshop", lambda: page.click("#revert"))
        fill(page, text(page) + "two\n")
        release()
        page.wait_for_selector("#notice:has-text('has changed in the meantime')")
        assert text(page).endswith("one\ntwo\n")


def test_a_measurement_of_another_tab_leaves_the_numbers_that_are_typed(browser, pages: Site) -> None:
    with opened(browser, pages) as page:
        show_page(page, pages, "workshop")
        page.wait_for_function(SHOWN)
        page.fill("#balance [name=games]", "77")
        pages.post("/api/workshop/balance", {"text": TINY, "game": "tiny", "games": 2, "nodes": 10})
        page.wait_for_function("() => document.querySelector('#balance [name=nodes]')?.value === '10'")
        assert page.input_value("#balance [name=games]") == "77"
        page.wait_for_selector("body[data-balance=done]", timeout=180_000)


# ---- the page Desk ----


def test_a_button_is_pressed_and_has_the_focus_while_the_game_changes(browser, desk: Site, store: Path) -> None:
    """A terminal enters a move while the user presses a button of the log."""
    with opened(browser, desk) as page:
        open_game(page, "silent")
        page.hover("#log [data-entry='1']")
        page.mouse.down()
        with Store(store) as found, page.expect_response(lambda asked: "/api/desk/game" in asked.url):
            Desk(found).move("silent", "e5", When())
        settled(page)
        page.mouse.up()
        page.wait_for_selector("#ask[open]")
        page.wait_for_selector("#score button:has-text('e5')", state="attached")
        page.click("#ask-no")
        page.wait_for_function(f"() => {FOCUS}.dataset.entry === '1'")  # after the dialogue
        with Store(store) as found:
            Desk(found).move("silent", "Nf3", When())
        page.wait_for_selector("#score button:has-text('Nf3')")
        assert page.evaluate(f"{FOCUS}.dataset.entry") == "1"
        go(page, "today", "#rows li")
        page.focus("#rows a[href='#game=silent']")
        with Store(store) as found:
            Desk(found).move("silent", "Nc6", When())
        page.wait_for_selector("#rows li:has-text('2...Nc6')")
        assert page.evaluate(f"{FOCUS}.getAttribute('href')") == "#game=silent"


def test_a_question_is_answered_by_the_keyboard_alone(browser, desk: Site) -> None:
    """The button that shows a preview sends it next, but not before; what is on its way cannot be changed."""
    with opened(browser, desk) as page:
        page.click("[data-enter=moves]")
        page.fill("#ask [name=lines]", "silent e5")
        page.press("#ask [name=lines]", "Tab")
        assert page.evaluate(f"{FOCUS}.id") == "ask-yes"
        release = hold_next(page, "**/api/desk/enter", lambda: page.keyboard.press("Enter"))
        page.keyboard.press("Enter")
        assert page.evaluate(f"{FOCUS}.id") == "ask-yes" and page.is_hidden("#ask-preview")
        release()
        page.wait_for_selector("#ask-preview:visible")
        assert re.search(r"1\.\.\.e5, \w{3}, \d+ \w{3} \d{4}, \d\d:\d\d", page.inner_text("#ask-preview"))
        release = hold_next(page, "**/api/desk/enter", lambda: page.keyboard.press("Enter"))
        assert page.evaluate("document.querySelector('#ask-fields').inert")
        release()
        page.wait_for_selector("#rows li:has-text('1...e5')")
        page.wait_for_selector("#ask", state="hidden")


def test_an_answer_does_not_move_a_user_who_has_left_its_question(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        page.click("[data-enter=moves]")
        page.fill("#ask [name=lines]", "silent e5")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-preview:visible")
        release = hold_next(page, "**/api/desk/enter", lambda: page.click("#ask-yes"), is_answered=True)
        page.keyboard.press("Escape")
        open_game(page, "offer")
        release()
        page.wait_for_selector("#notice:has-text('entered')")
        assert page.url.endswith("#game=offer")


def test_absences_of_two_tabs_are_kept_and_a_half_chosen_one_stays(browser, desk: Site, store: Path) -> None:
    days = [str(date.today() + timedelta(days=each)) for each in (3, 9, 12)]
    with opened(browser, desk) as page:
        go(page, "away", "#calendar [data-day]")
        other = page.context.new_page()
        other.goto(desk.address.partition("#")[0] + f"#token={desk.token}")
        other.wait_for_selector("body[data-state=desk]")
        go(other, "away", "#calendar [data-day]")
        for each, day, count in ((page, days[0], 1), (other, days[1], 2)):
            for name in ("from", "to"):
                each.fill(f"[name={name}]", day)
            each.click("#away-form button")
            for tab in (page, other):
                tab.wait_for_function(
                    "(count) => document.querySelectorAll('#away-list li').length === count", arg=count
                )
        page.wait_for_selector("#plan li:has-text('due')")
        page.click(f"[data-day='{days[1]}']")
        with Store(store) as found:
            Desk(found).end("due", "0-1", "time", When())
        page.wait_for_function("() => !document.querySelector('#plan').textContent.includes('due')")
        assert page.inner_text("#away-problem").startswith("Now choose the last day")
        page.click(f"[data-day='{days[2]}']")
        page.wait_for_selector("#away-answer:has-text('2 absences, 5 days')")


def test_the_next_game_begins_with_the_values_of_the_last_one(browser, desk: Site) -> None:
    def add(name: str, opponent: str) -> dict[str, str]:
        page.click("#view-today .menu summary")
        page.click("#view-today [data-enter=game]")
        page.wait_for_selector("#ask[open]")  # which has the values of the question before until then
        found = {each: page.input_value(f"#ask [name={each}]") for each in ("name", "event", "white", "black", "side")}
        answer(page, {"name": name, "white": opponent, "black": "Nowak, Jan", "event": "WS/1", "side": "black"}, "Keep")
        page.wait_for_selector(f"#game-about:has-text('{name}')")
        go(page, "today", "#rows li")
        return found

    with opened(browser, desk) as page:
        assert add("WS-12", "Brown") == {"name": "", "event": "", "white": "", "black": "", "side": "white"}
        kept = {"event": "WS/1", "black": "Nowak, Jan", "side": "black"}
        assert add("WS-13", "Green") == {"name": "", "white": "", **kept}
