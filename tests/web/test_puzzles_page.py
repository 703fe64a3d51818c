"""The page Puzzles in a real browser: drags, keys, letters, a reload, two tabs, files, phone, accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from .conftest import Site, served
from .pages import DESKTOP, PHONE, hold_next, opened, settled, violations

GAMES = Path(__file__).parent / "puzzles.pgn"
OVER = "body[data-over]"


@pytest.fixture
def trainer(executable: Path, tmp_path: Path) -> Iterator[Site]:
    """A server whose user has not answered anything yet."""
    pytest.importorskip("uvicorn")
    variables = {"STANDSTILL_PUZZLES": str(tmp_path / "p.sqlite")}
    with served(executable, GAMES, command="puzzles", variables=variables) as found:
        yield found


def choose(page, kind: str, name: str) -> None:
    """Train puzzles of one kind. name: the kind's name on the page."""
    with page.expect_response("**/api/puzzles/next"):  # a puzzle of the same kind may be shown already
        page.select_option("#kinds", kind)
    page.wait_for_function("(name) => document.querySelector('#kind')?.textContent === name", arg=name)


def square(page, name: str, flipped: bool = False) -> tuple[float, float]:
    """The middle of a square on the screen."""
    box = page.locator("#board .position").bounding_box()
    file, rank = ord(name[0]) - ord("a"), int(name[1]) - 1
    column, row = (7 - file, rank) if flipped else (file, 7 - rank)
    return box["x"] + (column + 0.5) * box["width"] / 8, box["y"] + (row + 0.5) * box["height"] / 8


def drag(page, start: str, target: str) -> None:
    page.mouse.move(*square(page, start))
    page.mouse.down()
    page.mouse.move(*square(page, target), steps=4)
    page.mouse.up()


def verdict(page, kind: str) -> str:
    page.wait_for_selector(f"#verdict[data-kind={kind}]")
    return page.inner_text("#verdict")


def test_a_wrong_move_by_drag_and_the_right_one_by_taps(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "move", "best move")
        assert page.inner_text("#prompt") == "Find the best move for White."
        before = page.locator("#board .position").get_attribute("viewBox")
        drag(page, "b3", "c3")
        words = verdict(page, "wrong")
        assert "Qc3 loses" in words and "It was the move of the game." in words and "Qb8" not in page.inner_text("main")
        assert page.locator("#board .arrow.worse").count() == 1
        assert page.locator("#board .position").get_attribute("viewBox") == before
        for name in ("b3", "b8"):
            page.mouse.click(*square(page, name))
        assert "Qb8+ is the best move." in verdict(page, "right")
        assert page.inner_text("#game-words").startswith('In the game Müller, "Anna" played Qc3')
        assert page.inner_text("#comes") == "It comes again today."
        assert page.evaluate("document.activeElement.id") == "next"
        page.keyboard.press("End")
        assert page.inner_text("#caption strong") == "17. Rd8#"
        page.click("#lines [data-kind=worse] button >> nth=0")
        assert page.inner_text("#caption strong") == "16. Qc3"
        page.keyboard.press("Home")
        assert page.locator("#board .arrow.better").count() == page.locator("#board .arrow.worse").count() == 1


def test_a_puzzle_is_solved_by_keys_alone(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "fewest", "fewest moves")
        assert page.inner_text("#prompt") == "Which move leaves White the fewest moves?"
        page.keyboard.press("h")
        page.wait_for_selector("#board .ring.hint")
        page.fill("#typed", "Ke2")
        page.keyboard.press("Enter")
        page.wait_for_selector("#notice[data-kind=wrong]:not([hidden])")
        page.fill("#typed", "qb4")
        page.keyboard.press("Enter")
        assert "leaves 8 legal moves and gives check (G8.0)" in verdict(page, "right")
        assert page.inner_text("#comes") == "It comes again today."  # because of the hint
        page.mouse.click(*square(page, "f6", flipped=True))
        page.wait_for_selector("#board .target-goal")
        choose(page, "side", "who leaves fewer")
        page.keyboard.press("w")
        assert "White can leave fewer" in verdict(page, "right")
        assert page.inner_text("#comes") == "It comes again tomorrow."


def test_the_answer_survives_a_reload_and_another_tab_sees_the_progress(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "side", "who leaves fewer")
        page.keyboard.press("b")
        page.wait_for_selector(OVER)
        before = page.inner_text("#task")
        page.reload()
        page.wait_for_selector(OVER)
        assert page.inner_text("#task") == before and page.input_value("#kinds") == "side"
        other = page.context.new_page()
        other.goto(trainer.address)
        other.wait_for_function("() => document.querySelector('#state')?.textContent === 'once more'")
        other.keyboard.press("w")
        other.wait_for_selector(OVER)
        other.keyboard.press("n")
        other.wait_for_selector("#done:not([hidden])")
        assert other.inner_text("#done-title") == "Done for today"
        assert "1 puzzle comes tomorrow." in other.inner_text("#done-words")
        other.click("#extra")
        other.wait_for_selector("#task:not([hidden])")


def test_puzzles_are_skipped_shown_and_saved(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "fewest", "fewest moves")
        first = page.get_attribute("#study", "href")
        page.keyboard.press("k")
        page.wait_for_function("(first) => document.querySelector('#study').getAttribute('href') !== first", arg=first)
        page.keyboard.press("s")
        assert "leaves" in verdict(page, "solution")
        page.select_option("#kinds", "")
        with page.expect_download() as saving:
            page.click("#save-pgn")
        with open(saving.value.path(), encoding="utf-8") as file:
            assert chess.pgn.read_game(file).board().fullmove_number == 10
        with page.expect_download() as saving:
            page.click("#save-epd")
        assert saving.value.suggested_filename == "puzzles.epd"
        boards = [chess.Board.from_epd(line) for line in Path(saving.value.path()).read_text("utf-8").splitlines()]
        assert len(boards) == 4 and all(board.is_valid() for board, _ in boards)


def test_games_without_evaluations_are_analysed_on_demand(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        assert page.inner_text("#games") == "From 2 of 3 games: 1 cannot be read."
        page.wait_for_selector("#unjudged")  # which is hidden while the engine checks the puzzles of the other games
        assert page.inner_text("#unjudged-words").startswith("1 game has no evaluations")
        page.click("#analyse")
        page.wait_for_function("() => document.querySelector('#work-words')?.textContent === 'Analysing game 1 of 1'")
        page.wait_for_selector("#work", state="hidden", timeout=120_000)
        assert page.is_hidden("#unjudged")


def test_what_the_file_says_stays_text(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "move", "best move")
        assert page.inner_text("#origin").endswith("<img src=x onerror=alert(1)>, Club <b>evening</b>, 2025")
        assert page.locator("main img, main b").count() == 0


def test_study_leads_to_the_puzzles_of_its_file_and_back(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        page.click("#study[href*=game]")  # without a puzzle there is no address yet
        page.wait_for_selector("body[data-state=study]")
        assert re.search(r"/study#game=1/\d+$", page.url)
        page.click("#train")
        page.wait_for_selector("body[data-state=puzzles]")


def test_nothing_is_asked_before_there_is_a_puzzle(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        page.wait_for_selector("#kind:not(:empty)")
        release = hold_next(page, "**/api/puzzles/show", page.reload)
        assert page.inner_text("#prompt") == "Looking for a puzzle\u2026"
        assert not page.is_visible("#hint") and not page.is_visible("#typed")
        release()
        page.wait_for_selector("#hint, #show", state="visible")


def test_a_damaged_progress_is_one_message(browser, trainer: Site, tmp_path: Path) -> None:
    (tmp_path / "p.sqlite").write_bytes(b"no database " * 400)
    with opened(browser, trainer, expected="400 (Bad Request)") as page:
        page.wait_for_selector("body[data-state=refused]")
        assert "move the file away to start over" in page.inner_text("#refused")


def test_without_a_file_the_page_says_what_to_do(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.goto(f"http://127.0.0.1:{site.port}/puzzles")
        page.wait_for_selector("body[data-state=nothing]")
        assert "standstill puzzles GAMES.pgn" in page.inner_text("#nothing")


def test_a_dropped_puzzle_is_gone_and_the_owner_of_a_file_is_chosen(browser, executable: Path, tmp_path: Path) -> None:
    games = tmp_path / "own.pgn"
    text = GAMES.read_text("utf-8").partition('\n[Event "Broken')[0]
    games.write_text(text + "\n" + text.partition("\n\n[Event")[0].replace("<img", "Carl <img"), "utf-8")
    variables = {"STANDSTILL_PUZZLES": str(tmp_path / "p.sqlite")}
    with served(executable, games, command="puzzles", variables=variables) as site, opened(browser, site) as page:
        assert page.input_value("#player") == 'Müller, "Anna"' and page.is_visible("#whose")
        choose(page, "side", "who leaves fewer")
        page.keyboard.press("s")
        page.wait_for_selector(OVER)
        page.click("#drop")
        page.wait_for_selector("#drop[aria-pressed=true]")
        page.wait_for_function("() => document.querySelector('.legend')?.textContent === '0 learnt0 learning0 new'")
        page.reload()
        page.wait_for_selector("#drop[aria-pressed=true]")
        page.keyboard.press("n")
        page.wait_for_selector("#done:not([hidden])")
        assert page.inner_text("#done-title") == "No puzzles here"


def test_a_late_hint_does_not_mark_another_puzzle(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "fewest", "fewest moves")
        release = hold_next(page, "**/api/puzzles/hint", lambda: page.keyboard.press("h"))
        choose(page, "move", "best move")
        release()
        assert page.locator("#board .ring.hint").count() == 0


def test_a_second_try_need_not_wait_for_the_overview(browser, trainer: Site) -> None:
    with opened(browser, trainer) as page:
        choose(page, "move", "best move")
        release = hold_next(page, "**/overview", lambda: drag(page, "b3", "c3"))
        verdict(page, "wrong")
        for name in ("b3", "b8"):
            page.mouse.click(*square(page, name))
        assert "Qb8+ is the best move." in verdict(page, "right")
        release()


@pytest.mark.parametrize("late", ["show", "next"])
def test_late_answers_of_the_program_keep_the_solution(browser, trainer: Site, late: str) -> None:
    with opened(browser, trainer) as page:
        choose(page, "side", "who leaves fewer")
        if late == "show":  # the page loads again, and its user already chooses other puzzles
            release = hold_next(page, "**/api/puzzles/show", page.reload)
            choose(page, "move", "best move")
        else:
            release = hold_next(page, "**/api/puzzles/next", lambda: page.select_option("#kinds", "move"))
        page.keyboard.press("s")
        page.wait_for_selector(OVER)
        page.wait_for_function("() => document.querySelector('#today')?.textContent.includes('answers right')")
        words = page.inner_text("#verdict")
        last = "/show" if late == "show" else "/overview"
        with page.expect_request_finished(lambda asked: asked.url.endswith(last)):
            release()
        settled(page)
        assert page.is_visible("#drop") and page.inner_text("#verdict") == words


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, trainer: Site, scheme: str, size: dict) -> None:
    with opened(browser, trainer, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        choose(page, "move", "best move")
        assert violations(page) == []
        page.keyboard.press("s")
        page.wait_for_selector(OVER)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        choose(page, "side", "who leaves fewer")
        assert violations(page) == []
