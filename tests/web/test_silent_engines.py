"""What the pages Study and Desk show while an engine that they have started does not answer."""

from __future__ import annotations

import shlex
from pathlib import Path

from standstill.engine.web.study.foreign import name_of
from tests.web.desk_store import fill

from .conftest import served
from .pages import opened
from .test_study_page import press
from .test_whole_game import SILENT

AWAITED = "waiting for the answer to uci, 30 s at most"


def test_study_says_which_answer_of_an_engine_is_awaited(browser, executable: Path) -> None:
    """In the lines of the position on the board, and for the whole game, whose analysis can be stopped meanwhile."""
    with served(executable, "study", "--engine", shlex.join(SILENT)) as site, opened(browser, site) as page:
        page.fill("#open-words", "1. e4 e5 2. Nf3 Nc6 *")
        page.click("#open-text")
        page.wait_for_selector("body[data-state=study]")
        page.click("#analyse")
        page.select_option("#engine", "1")
        page.click("#whole-begin")
        page.wait_for_selector(f"#whole-words:has-text('{name_of(SILENT)}: {AWAITED}')")
        page.wait_for_selector(f"#lines:has-text('The engine is starting: {AWAITED}.')")
        page.click("#analyse")
        press(page, "m")
        page.fill("#comment", "meanwhile")
        page.keyboard.press("Enter")
        page.wait_for_selector("#score .comment:has-text('meanwhile')")
        page.click("#whole-stop")
        page.wait_for_selector("#whole-begin:visible")
        assert page.inner_text("#whole-begin") == "Analyse the game"


def test_desk_says_which_answer_of_an_engine_is_awaited(browser, executable: Path, tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    fill(store)
    options = ["--store", store, "--engine", shlex.join(SILENT)]
    with served(executable, "desk", *options) as site, opened(browser, site) as page:
        page.evaluate("() => { location.hash = 'analysis'; }")
        page.wait_for_selector("#analysis-start:not([hidden])")
        page.click("#analysis-start")
        page.select_option("#ask [name=engine]", "1")
        words = page.inner_text("#ask-words")
        page.click("#ask-yes")
        page.wait_for_selector(f"#ask-words:has-text('The engine is starting: {AWAITED}.')")
        assert words.startswith("The tree of each game") and page.inner_text("#ask-problem") == ""
        page.click("#ask-no:text-is('Close')")  # the engine goes on starting, and its failure is told on the page
        page.wait_for_selector("#ask:not([open])", state="attached")
        page.click("#analysis-start")
        page.wait_for_selector("#ask[open] #ask-no:text-is('Cancel')")
        assert page.is_enabled("#ask-yes")
