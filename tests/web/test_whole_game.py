"""The analysis of a whole game in Study: what it finds and keeps, and the page while it runs and afterwards."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from standstill.engine.annotate.analysis import Analyst
from standstill.engine.annotate.engines import Setup
from standstill.engine.annotate.movetext import Movetext
from standstill.engine.annotate.replay import PlayedMove, Position
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import JudgedPosition
from standstill.engine.common.errors import ArgumentError, EngineUseError
from standstill.engine.external import process
from standstill.engine.web.puzzles.progress import Progress
from standstill.engine.web.study import whole_game
from standstill.engine.web.study.foreign import name_of
from standstill.engine.web.study.score import study
from standstill.engine.web.study.whole_game import WholeGames, Work, written
from standstill.protocol.cli.commands.annotate import command as annotate
from tests.uci.client import PATIENCE_S

from .conftest import Site, served
from .pages import hold_next, opened, settled
from .test_study_page import press

HEAD = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n'
PLAIN = HEAD + "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n"
MARKED = HEAD + "1. e4 $1 {mine} e5 2. Qh5 $3 Nc6 $10 3. Bc4 Nf6 $1 {fine} (3... g6 {holds}) 4. Qxf7# $5 1-0\n\n"
QUICK = Setup(nodes=2000)
SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]  # an engine that reads and never answers


def source(text: str) -> SourceGame:
    return SourceGame(1, text.encode())


def finished(work: Work) -> Work:
    work.thread.join(60)
    assert not work.found.is_running and not work.problem
    return work


@pytest.fixture
def games(tmp_path: Path) -> WholeGames:
    return WholeGames(Progress(tmp_path / "puzzles.sqlite"))


def test_what_is_written_into_the_game_is_what_annotate_writes(games: WholeGames, tmp_path: Path) -> None:
    file, out = tmp_path / "a.pgn", tmp_path / "b.pgn"
    file.write_text(PLAIN)
    words = [str(file), "-o", str(out), "--nodes", "2000", "--eval", "--variation", "8", "--jobs", "1"]
    assert CliRunner().invoke(annotate, words, standalone_mode=False).exception is None
    found = finished(games.begin(source(PLAIN), QUICK)).found
    assert written(source(PLAIN), found) == out.read_bytes() and b"$4" in out.read_bytes()


def test_signs_and_words_of_people_stay(games: WholeGames) -> None:
    found = finished(games.begin(source(MARKED), QUICK)).found
    text = " ".join(written(source(MARKED), found).decode().split())
    for own in (
        "1. e4 $1",
        "{mine [%eval",
        "2. Qh5 $3",
        "Nc6 $10 {",
        "3... Nf6 $1",
        "{fine [%eval",
        "(3... g6 {holds})",
    ):
        assert own in text, text
    judged = study(1, MARKED.encode(), known=games.of)["judged"]
    assert judged[6]["sign"] == "??"  # shown beside the sign of the file


def test_findings_are_kept_until_they_are_removed(games: WholeGames, tmp_path: Path) -> None:
    """Another process finds them, too, whatever the comments of the game say."""
    assert games.of(source(PLAIN)) is None
    found = finished(games.begin(source(PLAIN), QUICK)).found
    other = WholeGames(Progress(tmp_path / "puzzles.sqlite"))
    known = other.of(source(MARKED))
    assert known == found
    assert known.view() == {"done": 8, "of": 8, "running": False, "engine": known.engine, "limit": "2000 nodes"}
    assert other.of(source(HEAD + "1. e4 e5 1-0\n")) is None
    assert set(Progress(tmp_path / "puzzles.sqlite").findings("game")) == set(
        Progress(tmp_path / "puzzles.sqlite").findings("evaluations")
    )
    other.forget(source(PLAIN))
    assert other.of(source(PLAIN)) is None
    assert "evaluated" not in study(1, PLAIN.encode(), known=other.of)


def test_one_game_at_a_time_which_can_be_stopped(games: WholeGames) -> None:
    with pytest.raises(ArgumentError, match="expected a game with moves"):
        games.begin(source(HEAD + "*\n"), QUICK)
    work = games.begin(source(PLAIN), Setup(seconds=0.2))
    assert games.is_busy and games.begin(source(MARKED), QUICK) is work  # the same moves
    with pytest.raises(EngineUseError, match="another game is being analysed"):
        games.begin(source(HEAD + "1. e4 e5 1-0\n"), QUICK)
    games.stop(source(HEAD + "1. e4 e5 1-0\n"))
    assert games.is_busy
    games.stop(source(PLAIN))
    assert not games.is_busy and not work.problem


def test_what_a_stopped_analysis_has_found_is_kept(
    games: WholeGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The analysis goes on where it stopped; with another limit it starts again, and must find more than before."""
    going_on, most = whole_game._continue, 3
    search, searched = Analyst._position, list[int]()

    def count(analyst: Analyst, game: Movetext, board: Position, index: int, move: PlayedMove | None) -> JudgedPosition:
        searched.append(index)
        return search(analyst, game, board, index, move)

    def stop_after(work: Work) -> None:
        work.is_stopped = work.found.done >= most
        going_on(work)

    monkeypatch.setattr(whole_game, "_continue", stop_after)
    monkeypatch.setattr(Analyst, "_position", count)
    games.begin(source(PLAIN), QUICK).thread.join(60)
    found = games.of(source(PLAIN))
    assert found.view()["done"] == 3 and not found.is_whole and not found.is_running
    assert [each.best is not None for each in found.positions] == 5 * [False] + 3 * [True]
    other = WholeGames(Progress(tmp_path / "puzzles.sqlite"))
    assert other.of(source(PLAIN)) == found and not Progress(tmp_path / "puzzles.sqlite").findings("game")
    judged = study(1, PLAIN.encode(), known=other.of)["judged"]
    assert [each is not None for each in judged] == 5 * [False] + 3 * [True]
    assert b"[%eval #0]" in written(source(PLAIN), found)
    most = 2
    dropped = other.begin(source(PLAIN), Setup(nodes=1000))
    dropped.thread.join(60)
    assert dropped.is_dropped and other.of(source(PLAIN)) == found
    most = 9
    searched.clear()
    again = finished(other.begin(source(PLAIN), QUICK)).found
    assert again.is_whole and searched == [4, 3, 2, 1, 0] and again.positions[0].best is not None
    joined = other.join(source(PLAIN))
    assert joined.found is again and not joined.found.is_running and not other.is_busy
    assert other.join(source(HEAD + "1. e4 e5 1-0\n")).is_dropped


def test_a_silent_engine_is_named_and_holds_up_no_other_request(
    games: WholeGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the page waited thirty seconds for each answer, Stop included."""
    monkeypatch.setattr(process, "NOTICE_S", 0.0)
    work = games.begin(source(PLAIN), Setup(command=tuple(SILENT), seconds=0.1))
    assert games.of(source(HEAD + "1. e4 e5 1-0\n")) is None and games.of(source(PLAIN)) is work.found
    deadline = time.monotonic() + PATIENCE_S
    while "uci" not in work.waiting and time.monotonic() < deadline:
        time.sleep(0.01)
    assert work.waiting == f"{name_of(SILENT)}: waiting for the answer to uci, 30 s at most"
    games.stop(source(PLAIN))
    assert not games.is_busy and not work.problem and games.of(source(PLAIN)) is None


def test_an_engine_that_does_not_start_is_reported_after_the_request(games: WholeGames) -> None:
    work = games.begin(source(PLAIN), Setup(command=("/no/such/engine",), seconds=0.1))
    work.thread.join(PATIENCE_S)
    assert work.problem.startswith("cannot start the engine '/no/such/engine': ") and work.is_dropped
    assert not games.is_busy and games.of(source(PLAIN)) is None


@pytest.fixture(scope="module")
def home(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    place = tmp_path_factory.mktemp("data")
    own = {"STANDSTILL_OPENED": str(place), "STANDSTILL_PUZZLES": str(place / "puzzles.sqlite")}
    with served(executable, "study", variables=own) as site:
        yield site


def open_text(page, text: str) -> None:
    page.fill("#open-words", text)
    page.click("#open-text")
    page.wait_for_selector("body[data-state=study]")


def test_a_game_is_analysed_kept_and_taken_back(browser, home: Site) -> None:
    with opened(browser, home) as page:
        open_text(page, MARKED)
        assert page.inner_text("#whole-words") == "about 5 seconds"
        press(page, "End")
        page.select_option("#whole-time", "0.1")
        page.click("#whole-begin")
        page.wait_for_selector("#whole-keep:visible")
        assert "Nf6" in page.inner_text("#moments") and page.locator("#curve svg").count() == 1
        assert page.inner_text("#caption strong") == "4. Qxf7#!?"  # the reader still sees the same move
        assert "Not saved" not in page.inner_text("main")
        page.reload()
        page.wait_for_selector("#whole-keep:visible")
        page.click("#whole-keep")
        page.wait_for_selector("#save:enabled")
        assert not page.is_visible("#whole-keep")
        assert page.inner_text("#caption strong") == "4. Qxf7#!?"
        page.wait_for_selector("#score .variation:has-text('holds')")
        page.click("#undo")
        page.wait_for_selector("#whole-keep:visible")
        # An answer that was given before Remove, and arrives later, must not bring the findings back.
        press(page, "m")
        page.fill("#comment", "in time")
        release = hold_next(page, "**/api/study/view", lambda: page.keyboard.press("Enter"), is_answered=True)
        page.click("#whole-remove")
        settled(page)
        release()
        page.wait_for_selector("#score .comment:has-text('in time')")
        page.wait_for_selector("#judge:has-text('no evaluations')")
        assert page.inner_text("#whole-begin") == "Analyse the game" and not page.is_visible("#whole-keep")


def test_edits_go_on_while_a_game_is_analysed(browser, home: Site) -> None:
    """A reloaded page joins the analysis; an edit whose answer arrives late, and Stop, keep what was found."""
    with opened(browser, home) as page:
        open_text(page, PLAIN.replace("4. Qxf7#", "4. d3 Be7 5. Qd1").replace('"A"', '"C"'))
        page.select_option("#whole-time", "3")  # long enough for a slow machine
        page.click("#whole-begin")
        page.wait_for_selector("#whole-stop:visible")
        page.reload()
        page.wait_for_selector("#whole-stop:visible")
        press(page, "End", "m")
        page.fill("#comment", "slow")
        release = hold_next(page, "**/api/study/view", lambda: page.keyboard.press("Enter"))
        found = page.evaluate("document.querySelector('#whole-bar').value")
        page.wait_for_function("(found) => document.querySelector('#whole-bar')?.value > found", arg=found)
        release()
        page.wait_for_selector("#score .comment:has-text('slow')")
        page.wait_for_function("() => document.querySelectorAll('#score .eval').length >= 1")
        # If findings arrive before the legal moves, a move can still be made on the board.
        release = hold_next(page, "**/api/preview", lambda: press(page, "Home"), is_answered=True)
        found = page.evaluate("document.querySelector('#whole-bar').value")
        page.wait_for_function("(found) => document.querySelector('#whole-bar')?.value > found", arg=found)
        release()
        page.wait_for_selector("#board .board[data-movable]")
        page.click("#whole-stop")
        page.wait_for_selector("#whole-begin:visible")
        assert page.inner_text("#whole-begin") == "Go on" and page.locator("#score .eval").count() >= 1
        assert page.inner_text("#whole-words").endswith(" of 10 positions")
        page.click("#whole-remove")
        page.wait_for_selector("#judge:has-text('no evaluations')")
        assert page.locator("#score .comment:has-text('slow')").count() == 1 and page.is_enabled("#save")
