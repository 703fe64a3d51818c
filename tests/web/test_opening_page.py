"""Opening games on the pages Study and Puzzles in a real browser: chosen, dropped and pasted, and saved."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Site, served
from .pages import DESKTOP, PHONE, hold_next, opened, violations
from .test_study_page import GAMES, choose, drag, press

TEXT = '[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. d4 d5 2. c4 *\n'


@pytest.fixture(scope="module")
def home(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Path]]:
    """A program without a file, and the folder of its copies."""
    pytest.importorskip("uvicorn")
    place = tmp_path_factory.mktemp("data")
    folder = place / "opened"
    own = {"STANDSTILL_OPENED": str(folder), "STANDSTILL_PUZZLES": str(place / "puzzles.sqlite")}
    with served(executable, "study", variables=own) as site:
        yield site, folder


def shown(page, words: str) -> None:
    """Wait until the page of another file shows this."""
    page.wait_for_function("(words) => document.querySelector('#players')?.textContent.includes(words)", arg=words)


def saved(page) -> None:
    page.click("#save")
    page.wait_for_function("() => document.querySelector('#changed')?.textContent === 'Saved'")


def test_a_chosen_file_is_studied_saved_and_downloaded(browser, home) -> None:
    site, folder = home
    with opened(browser, site) as page:
        page.set_input_files("#open-picker", {"name": "club.pgn.gz", "mimeType": "", "buffer": gz(GAMES)})
        page.wait_for_selector("#games[open]")
        choose(page, 3)
        page.wait_for_selector("#file-name:has-text('club.pgn')")
        press(page, "m")
        page.fill("#comment", "mine")
        page.keyboard.press("Enter")
        page.wait_for_selector("#save:enabled")
        page.reload()  # keeps the file, the game and what is not saved
        page.wait_for_selector("#save:enabled")
        saved(page)
        assert page.inner_text("#notice").startswith("Saved in your copy of club.pgn.")
        (copy,) = folder.glob("*/club.pgn")
        assert b"{mine}" in copy.read_bytes()
        with page.expect_download() as download:
            page.click("#download")
        assert download.value.suggested_filename == "club.pgn"
        assert Path(download.value.path()).read_bytes() == copy.read_bytes()
        page.click("#train")
        page.wait_for_selector("body[data-page=puzzles][data-state=puzzles]")
        page.wait_for_selector("#pile-title:has-text('Puzzles of club.pgn')")


def test_pasted_and_dropped_games_are_offered_again(browser, home) -> None:
    """Each tab has its own file; what was entered in one file waits for it."""
    site, folder = home
    with opened(browser, site, expected="400 (Bad Request)") as page:
        page.fill("#open-words", TEXT)
        page.click("#open-text")
        shown(page, "Ann")
        press(page, "End")
        drag(page, "e7", "e6")
        page.wait_for_selector("#save:enabled")
        one, two = TEXT.replace("Ann", "Cleo"), TEXT.replace("Ann", "Dan")
        drop(page, {"one.pgn": one, "bad.pgn": "no game", "two.pgn": two})
        shown(page, "Cleo")
        told = (
            "2 files opened; the others are under \u201cOpen\u2026\u201d. "
            "'bad.pgn': expected games in PGN, found 'no game' in line 1"
        )
        page.wait_for_function("(told) => document.querySelector('#notice')?.textContent === told", arg=told)
        page.click("#open")
        names = page.locator("#open-recent .name")
        assert {"Ann - Bob.pgn", "one.pgn", "two.pgn"} <= set(names.all_inner_texts())
        page.click("#open-recent .name:has-text('Ann')")
        shown(page, "Ann")
        page.wait_for_selector("#score .move:has-text('e6')")  # the change that was not saved
        # Set on the new page, because a request of this one could still use it.
        old = "sessionStorage.setItem('standstill.token', 'of an earlier run')"
        page.add_init_script(f"if (location.hash.startsWith('#token=')) {old}")
        page.goto(f"http://127.0.0.1:{site.port}/puzzles#token={site.token}")
        page.wait_for_selector("body[data-state=nothing]")  # this run was started without a file
        page.click("#open-recent .name:has-text('Ann')")
        page.wait_for_selector("body[data-state=puzzles]")
        page.click("nav a[href='/study']")
        shown(page, "Ann")
        page.click("#open")
        page.on("dialog", lambda dialog: dialog.accept())
        page.click("[aria-label='Remove two.pgn']")
        page.wait_for_selector("[aria-label='Remove two.pgn']", state="detached")
        assert list(folder.glob("*/one.pgn")) and not list(folder.glob("*/two.pgn"))


def test_two_files_of_one_name_keep_their_own_changes(browser, home) -> None:
    site, _ = home
    with opened(browser, site) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        for white in ("Gil", "Hal"):
            data = TEXT.replace("Ann", white).encode()
            page.set_input_files("#open-picker", {"name": "same.pgn", "mimeType": "", "buffer": data})
            shown(page, white)
            assert page.locator("#changes").is_hidden()
            press(page, "End")
            drag(page, "e7", "e6")
            page.wait_for_selector("#save:enabled")
        page.click("#open")
        page.locator("#open-recent .name:has-text('same.pgn')").nth(1).click()
        shown(page, "Gil")
        page.wait_for_selector("#score .move:has-text('e6')")


def test_a_file_that_is_refused_leaves_the_page_as_it_is(browser, home) -> None:
    site, folder = home
    with opened(browser, site, expected="400 (Bad Request)") as page:
        paste(page, "hello you")
        page.wait_for_selector("#notice[data-kind=wrong]:not([hidden])")
        assert page.inner_text("#notice") == "'Pasted games.pgn': expected games in PGN, found 'hello you' in line 1"
        page.evaluate("Object.defineProperty(File.prototype, 'size', { get: () => 73e6 })")
        page.set_input_files("#open-picker", {"name": "big.pgn", "mimeType": "", "buffer": b"x"})
        page.wait_for_function("() => document.querySelector('#notice')?.textContent.startsWith('big.pgn')")
        assert "expected at most 50 MB, found 73 MB" in page.inner_text("#notice")
        assert page.is_visible("#opening") and not list(folder.glob("*/big.pgn"))
        paste(page, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")
        page.wait_for_selector("body[data-state=study]")
        assert page.locator("#board .man").count() == 3


def test_a_new_game_and_a_game_of_play_are_saved_in_my_games(browser, home) -> None:
    site, folder = home
    with opened(browser, site) as page:
        page.click("#new-game")
        page.wait_for_selector("body[data-state=study]")
        drag(page, "e2", "e4")
        page.wait_for_selector("#score .move:has-text('e4')")
        assert page.inner_text("#changed") == "In no file yet"
        press(page, "e")
        page.click("#names")
        page.fill("#names-form [name=white]", "Zoe")
        page.select_option("#names-form [name=result]", "1-0")
        page.click("#names-form .main")
        shown(page, "Zoe")
        page.click("#save")
        page.wait_for_function("() => location.hash.startsWith('#game=1/')")
        game = site.begin(moves=["d2d4", "d7d5"])
        page.goto(f"http://127.0.0.1:{site.port}/play")
        page.goto(f"http://127.0.0.1:{site.port}/study#played={game['id']}")
        page.wait_for_selector("#score .move:has-text('d5')")
        page.click("#save")  # although nothing was changed
        page.wait_for_function("() => location.hash.startsWith('#game=2/')")
        page.wait_for_selector("#notice:not([hidden])")
        assert page.inner_text("#notice") == "Saved as game 2 of My games.pgn."
        text = (folder / "mine" / "My games.pgn").read_text()
        assert "1. e4" in text and "1. d4 {[%rm G20.5]} 1... d5" in text


def test_what_is_being_entered_is_kept_when_another_file_opens(browser, home) -> None:
    """The answer to an edit comes only after another file was chosen."""
    site, _folder = home
    text = TEXT.replace("Ann", "Eva")
    with opened(browser, site) as page:
        page.fill("#open-words", text)
        page.click("#open-text")
        shown(page, "Eva")
        press(page, "End")
        release = hold_next(page, "**/api/study/view", lambda: drag(page, "e7", "e6"), leaves=True)
        with page.expect_response("**/api/files/open"):
            paste(page, TEXT.replace("Ann", "Cleo"))
        assert "Eva" in page.inner_text("#players")
        release()
        shown(page, "Cleo")
        page.click("#open")
        page.click("#open-recent .name:has-text('Eva')")
        shown(page, "Eva")
        page.wait_for_selector("#score .move:has-text('e6')")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, home, scheme: str, size: dict) -> None:
    site, _folder = home
    with opened(browser, site, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        found = {"nothing": violations(page)}
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.click("#open-example")
        shown(page, "Morphy")
        page.click("#open")
        page.wait_for_selector("#open-recent .name")
        found["dialog"] = violations(page)
        assert [*found.values()] == [[], []], found


def gz(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())


def paste(page, text: str) -> None:
    page.evaluate(
        """(text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const told = { clipboardData, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new ClipboardEvent("paste", told));
        }""",
        text,
    )


def drop(page, files: dict[str, str]) -> None:
    page.evaluate(
        """(files) => {
            const dataTransfer = new DataTransfer();
            for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
            for (const kind of ["dragenter", "dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        files,
    )
