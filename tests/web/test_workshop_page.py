"""The page Workshop in a real browser: typing, marks, moves of pieces, playing, files, reload, phone, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from tests.variants.files import block, text_of

from .conftest import Site, served
from .pages import DESKTOP, PHONE, hold_next, opened, settled, violations

BALANCE_MS = 180_000  # longest wait for a measurement, which another process makes
SHOWN = "() => document.body.dataset.current === 'true'"


@pytest.fixture(scope="module")
def site(executable: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, "workshop") as found:
        yield found


def text(page) -> str:
    return page.locator("#text").input_value()


def fill(page, content: str) -> None:
    """Put another text into the field, and wait until it is checked."""
    # The text is replaced in one step, so that the check of an older text cannot end in between.
    write = """(field, content) => {
        field.value = content;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        return Number(document.body.dataset.checked);
    }"""
    before = page.locator("#text").evaluate(write, content)
    page.wait_for_function("(before) => Number(document.body?.dataset.checked) > before", arg=before)


def place(page, square: str, width: int = 8, height: int = 8) -> tuple[float, float]:
    box = page.locator("#board .position").bounding_box()
    column, row = "abcdefghij".index(square[0]), height - int(square[1:])
    return box["x"] + box["width"] * (column + 0.5) / width, box["y"] + box["height"] * (row + 0.5) / height


def marks(page, how: str = "") -> set[str]:
    """The squares with marks of this kind: both, moves, takes."""
    found = page.locator(f"#board .mark{'.' + how if how else ''}")
    return set(found.evaluate_all("(all) => all.map((each) => each.parentNode.dataset.square)"))


def see(page, square: str) -> None:
    """Click the square, and wait until the page describes the piece on it."""
    page.mouse.click(*place(page, square))
    page.wait_for_function("(on) => document.querySelector('#about')?.textContent.includes(` on ${on}: `)", arg=square)


def test_mistakes_are_marked_while_typing_and_corrected(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        assert page.inner_text("#state") == "No mistakes"
        content = text(page)
        fill(page, content.replace("n:325 N 0,-4", "n:325 1.7 0,-4"))  # a mistake in both games of the text
        assert page.inner_text("#state") == "2 mistakes" and page.locator("#play").is_disabled()
        assert page.locator("#shade span.mistake").all_inner_texts() == ["1.7", "1.7"]
        assert page.locator("#gutter .mistake").count() == 2
        page.click(".findings li:nth-child(2) .finding")
        selected = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
        assert page.locator("#text").evaluate(selected) == "1.7"
        page.keyboard.type("N")
        page.wait_for_function("() => document.querySelector('#state')?.textContent === '1 mistake'")
        page.click(".fix")
        page.wait_for_function("() => document.querySelector('#state')?.textContent === 'No mistakes'")
        assert "n:325 1,7 0,-4" in text(page)
        page.keyboard.press("Control+z")
        page.wait_for_function("() => document.querySelector('#state')?.textContent === '1 mistake'")


def test_a_text_that_is_too_long_has_no_marks_of_the_text_before(browser, site: Site) -> None:
    with opened(browser, site, expected="400 (Bad Request)") as page:
        page.wait_for_function(SHOWN)
        fill(page, text(page).replace("n:325 N 0,-4", "n:325 1.7 0,-4"))
        assert page.locator("#findings li").count() == 2
        page.fill("#text", "x" * ((1 << 16) + 1))
        page.wait_for_function(
            "() => document.querySelector('#state')?.textContent?.includes('65536 bytes, found 65537')"
        )
        assert page.locator("#findings li").count() == 0


def test_the_moves_of_chess_from_every_square_clicked(browser, site: Site) -> None:
    """The squares are those of python-chess for a lone piece; captures are its attacks."""
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        for home, others in (
            ("b1", "a8 e4"),
            ("c1", "h6"),
            ("a1", "d5"),
            ("d8", "b3"),
            ("e1", "h8"),
            ("e2", "e5"),
            ("a7", "h3"),
        ):
            piece = chess.Board().piece_at(chess.parse_square(home))
            see(page, home)
            for square in others.split():
                see(page, square)
                board = chess.Board(None)
                board.set_piece_at(chess.parse_square(square), piece)
                board.turn = piece.color
                takes = {chess.square_name(to) for to in board.attacks(chess.parse_square(square))}
                moves = {chess.square_name(move.to_square) for move in board.pseudo_legal_moves}
                if piece.piece_type == chess.PAWN:
                    assert (marks(page, "moves"), marks(page, "takes")) == (moves, takes)
                else:
                    assert marks(page, "both") == takes == moves and marks(page) == takes
            page.keyboard.press("Escape")
            assert page.locator("#board .man").count() == 32


def test_edits_move_the_marks_of_the_piece_that_is_shown(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        fill(page, text_of(block("Game: mine", "The end.", knight="n:300 mWcF")))
        page.click(".kind[data-number='4']")
        page.wait_for_selector("#board .mark.takes")
        assert marks(page, "moves") == {"d3", "d5", "c4", "e4"} and marks(page, "takes") == {"c3", "c5", "e3", "e5"}
        fill(page, text_of(block("Game: mine", "The end.", board="6x6", array="6 4 7 3 4 6", knight="n:300 pR",
                                 white_pawn="p:100 fmWfcF", black_pawn="p:100 bmWbcF", king="k:-1 K")))  # fmt: skip
        page.wait_for_function("() => document.querySelector('#about')?.textContent.includes('pR')")
        assert page.locator("#board .mark").count() and page.locator("#board .way").count() == 4
        page.click("#array")
        page.wait_for_function("() => document.querySelectorAll('#board .man').length === 24")


def test_games_are_chosen_by_the_caret_and_by_name(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        fill(page, text_of(block("Game: one"), block("Game: two", board="8x10"), "The end."))
        assert page.inner_text("#game-title") == page.input_value("#game") == "one"
        for name, height in (("two", 10), ("one", 8), ("two", 10)):
            page.select_option("#game", name)
            page.wait_for_function("(name) => document.querySelector('#game-title')?.textContent === name", arg=name)
            with page.expect_response("**/check"):  # another check leaves the choice as it is
                page.locator("#text").evaluate("(field) => field.dispatchEvent(new Event('input'))")
            settled(page)
            assert page.inner_text("#game-title") == page.input_value("#game") == name
            box = page.locator("#board .position").bounding_box()
            assert abs(box["height"] / box["width"] - height / 8) < 0.01
        page.locator("#text").evaluate("(field) => field.setSelectionRange(150, 150)")
        page.keyboard.press("ArrowLeft")
        page.focus("#text")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => document.querySelector('#game-title')?.textContent === 'one'")


def test_an_inventors_first_steps(browser, site: Site) -> None:
    """The board keeps its place when a piece is chosen, a misspelt rule is corrected, and the first visit of Play from
    here begins with the game, not with an introduction.
    """
    with opened(browser, site, seen=False) as page:
        page.wait_for_function(SHOWN)
        title = "// A name of many words, which needs two lines beside the buttons of the board\nGame: mine"
        fill(page, text_of(block(title, "# gaol 8 1"), "The end."))
        before = page.locator("#board .position").bounding_box()
        see(page, "b1")
        assert page.locator("#array").is_visible() and page.locator("#board .position").bounding_box() == before
        page.click(".findings .warning .fix")
        page.wait_for_selector("#rules code:text-is('# goal 8 1')")
        assert "A royal piece wins by reaching rank 8 for White and rank 1 for Black." in page.inner_text("#rules")
        page.click("#play")
        page.wait_for_selector("body[data-page=play][data-state=setup]")
        assert page.locator("#intro").is_hidden()


def test_a_new_game_is_played_against_the_engine(browser, site: Site) -> None:
    with opened(browser, site, expected="400 (Bad Request)") as page:
        page.wait_for_function(SHOWN)
        page.click("#new")
        page.fill("#make [name=name]", "broad")
        page.fill("#make [name=size]", "10x8")
        page.fill("#make [name=army]", "xx")
        page.click("#make .main")
        page.wait_for_function("() => document.querySelector('#make-problem')?.textContent.includes('10 letters')")
        page.fill("#make [name=army]", "")
        page.click("#make .main")
        page.wait_for_function("() => document.querySelector('#game-title')?.textContent.startsWith('broad')")
        page.wait_for_function(SHOWN)
        page.click("#play")
        page.wait_for_selector("body[data-page=play][data-state=setup]")
        page.wait_for_function("() => document.querySelectorAll('#board .man').length === 40")
        page.evaluate("document.forms.setup.elements.namedItem('black-level').value = '700'")
        page.click("#setup button[type=submit]")
        page.wait_for_selector("body[data-state=game]")
        page.mouse.click(*place(page, "f2", 10))
        page.mouse.click(*place(page, "f4", 10))
        page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
        page.reload()
        page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")


def test_a_draft_survives_a_reload_and_a_download_saves_it(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        content = text_of(block("Game: kept", "The end."))
        fill(page, content)
        page.reload()
        page.wait_for_function("() => document.querySelector('#game-title')?.textContent === 'kept'")
        assert text(page) == content and page.inner_text("#changed") == "not saved"
        with page.expect_download() as found:
            page.keyboard.press("Control+s")
        assert Path(found.value.path()).read_text() == content and found.value.suggested_filename == "mygame.ini"
        assert page.inner_text("#changed") == ""


def test_pictures_and_the_page_are_downloads(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        see(page, "b1")
        starts = {
            "game-svg": b"<svg",
            "game-png": b"\x89PNG",
            "piece-svg": b"<svg",
            "piece-png": b"\x89PNG",
            "page": b"<!DOCTYPE html>",
        }
        for what, start in starts.items():
            page.click("#export summary")
            with page.expect_download() as found:
                page.click(f"[data-export={what}]")
            assert Path(found.value.path()).read_bytes().startswith(start), what


def test_a_file_is_opened_and_saved_where_the_command_says(browser, executable: Path, tmp_path: Path) -> None:
    path, other = tmp_path / "mine.ini", tmp_path / "other.ini"
    path.write_text(text_of(block("Game: mine", "The end.")))
    other.write_bytes(text_of(block("Game: other", "The end.")).replace("\n", "\r\n").encode())
    with served(executable, "edit", path, command="variants") as site, opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        assert page.inner_text("#file-name") == "mine.ini" and page.locator("#save").is_disabled()
        page.set_input_files("#open", other)
        page.wait_for_function("() => document.querySelector('#game-title')?.textContent === 'other'")
        page.click("#save")
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === ''")
        assert "Game: other\n" in path.read_text() and "Game: mine\n" in (tmp_path / "mine.ini~").read_text()
        fill(page, text(page) + "more\n")
        page.click("#revert")
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === ''")
        assert not text(page).endswith("more\n")

        # Requests about the file wait for the answer to the one before.
        fill(page, text(page) + "one\n")
        release = hold_next(page, "**/save", lambda: page.keyboard.press("Control+s"))
        fill(page, text(page) + "two\n")
        page.keyboard.press("Control+s")
        page.click("#revert")
        with page.expect_response("**/api/workshop"):
            release()
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === ''")
        assert path.read_text() == text(page) and text(page).endswith("one\ntwo\n")


def test_the_balance_grows_and_survives_a_reload(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.wait_for_function(SHOWN)
        fill(page, text_of(block("Game: tiny", "The end.", board="5x6", array="6 4 5 7 3", king="k:-1 K",
                                 white_pawn="p:100 fmWfcF", black_pawn="p:100 bmWbcF")))  # fmt: skip
        page.fill("#balance [name=games]", "4")
        page.fill("#balance [name=nodes]", "10")
        page.click("#balance-start")
        page.wait_for_selector("body[data-balance=done]", timeout=BALANCE_MS)
        assert page.inner_text("#balance-state") == "4 of 4 games of tiny"
        table = page.inner_text(".figures >> nth=0")
        page.reload()
        page.wait_for_selector("body[data-balance=done]")
        assert page.inner_text(".figures >> nth=0") == table
        assert page.inner_text(".verdict").startswith("White scores ")
        assert page.locator(".balance-curve .score").get_attribute("d").count("L") == 3


def test_a_phone_shows_everything_without_scrolling_aside(browser, site: Site) -> None:
    with opened(browser, site, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.wait_for_function(SHOWN)
        page.tap(".kind[data-number='4']")
        page.wait_for_selector("#board .mark")
        box = page.locator("#board .position").bounding_box()
        # The page has scrolled to the board, at most a part of a pixel too far.
        assert box["y"] > -1 and box["y"] + box["height"] < PHONE["height"] + 1
        page.click("#array")
        page.touchscreen.tap(*place(page, "b1"))
        page.wait_for_selector("#board .mark")
        assert marks(page) == {"a3", "c3", "d2"}
        page.click("#new")
        for part in ("#letters", "#make [name=numbers]", "#make .main"):
            assert page.locator(part).is_visible(), part
        page.click("#make-cancel")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, site: Site, scheme: str, size: dict) -> None:
    """axe-core finds nothing in any state of the page."""
    with opened(browser, site, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        page.wait_for_function(SHOWN)
        found = {"start": violations(page)}
        page.click(".kind[data-number='1']")
        page.wait_for_selector("#board .mark")
        found["reach"] = violations(page)
        page.click("#export summary")
        found["menu"] = violations(page)
        page.click("#export summary")
        page.click("#new")
        found["new"] = violations(page)
        page.click("#make-cancel")
        fill(page, text_of(block("Game: mine", "# chek 3", "The end.")))
        found["warning"] = violations(page)
        fill(page, text_of(block("Game: mine", "# stalemate loose", "The end.")))
        found["mistake"] = violations(page)
        assert [*found.values()] == [[]] * 6, found
