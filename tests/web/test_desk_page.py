"""The page Desk in a real browser: every button, two tabs and a terminal at the same time, phone, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from standstill.engine.clock.instants import now_ms
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.long_analysis.sitting import BEAT_MS
from standstill.engine.correspondence.remarks.kept import keep, line
from standstill.engine.correspondence.store import Store
from tests import forked
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer
from tests.uci.client import PATIENCE_S, clean_environment
from tests.web.desk_store import add, analyse, fill

from .conftest import Site, served
from .pages import PHONE, hold_next, intercept, opened, settled, violations

VARIABLES = {"STANDSTILL_XFCC_USER": USER, "STANDSTILL_XFCC_PASSWORD": PASSWORD}
LINKED = "WT-M-1_Nowak_Smith-Sons_17"


@pytest.fixture
def server() -> Iterator[XfccServer]:
    with XfccServer() as found:
        found.add("17", "e4 e5", drawOffered="true", timeControl="50/75/1", message="Peace?")
        yield found
        found.shutdown()


@pytest.fixture
def store(executable: Path, tmp_path: Path, server: XfccServer) -> Path:
    path = tmp_path / "games.sqlite"
    fill(path)
    forked.run(
        [executable, "games", "--store", path, "fetch", server.url],
        capture_output=True, timeout=PATIENCE_S, check=True, env=clean_environment() | VARIABLES,
    )  # fmt: skip
    return path


@pytest.fixture
def desk(executable: Path, store: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, "desk", "--store", store, variables=VARIABLES) as found:
        yield found


def go(page, place: str, wait: str) -> None:
    page.evaluate("(place) => { location.hash = place; }", place)
    page.wait_for_selector(wait)


def open_game(page, name: str) -> None:
    go(page, f"game={name}", f"#game-about:has-text('{name}')")


def answer(page, fields: dict[str, str], *buttons: str) -> None:
    """Fill in the dialogue and press its buttons, one after the other."""
    for name, value in fields.items():
        field = page.locator(f"#ask [name={name}]")
        kind = field.evaluate("(field) => field.type")
        if kind == "checkbox":
            field.check()
        elif kind == "select-one":
            field.select_option(value)
        else:
            field.fill(value)
    for button in buttons:
        page.click(f"#ask button:has-text('{button}'):not([disabled])")
    page.wait_for_selector("#ask", state="hidden")


def names(page) -> list[str]:
    # All at once, because a page that draws the rows again removes the old ones. Rows that the browser has not painted
    # yet (content-visibility) have no innerText.
    read = "[...document.querySelectorAll('#rows .who .dim')].map((each) => each.textContent)"
    return [text.split(" · ")[0] for text in page.evaluate(read)]


def test_today_filters_searches_and_fetches(browser, desk: Site, server: XfccServer) -> None:
    with opened(browser, desk) as page:
        assert names(page)[0] == "due" and len(names(page)) == 4
        expected = {
            "mine": {"due", "offer", LINKED}, "due": {"due"}, "empty": {"due", LINKED}, "offered": {"offer", LINKED},
            "silent": {"silent"},
        }  # fmt: skip
        for name, games in expected.items():
            page.click(f"[data-filter={name}]")
            assert set(names(page)) <= games and names(page), name
            page.click(f"[data-filter={name}]")
        page.fill("#search", "müller")
        assert names(page) == ["silent"]
        page.fill("#search", "")
        page.click("#ended summary")
        assert "Smith" in page.inner_text("#ended")
        server.boards["17"].push_san("Nf3")
        server.boards["17"].push_san("Nc6")
        page.click("#fetch")
        page.wait_for_selector("#news:not([hidden])")
        assert f"{LINKED}: 2 new half-moves" in page.inner_text("#news")
        page.click("#news-close")
        assert not page.is_visible("#news")
        page.wait_for_selector("#rows li:has-text('2...Nc6')")  # the rows are drawn again
        page.click("#rows a >> nth=0")
        page.wait_for_selector("#game-about:has-text('due')")
        assert page.locator("#board .man").count() == 32


def test_a_move_by_mouse_is_entered_after_a_question(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        open_game(page, "offer")
        drag(page, "c2", "c4")
        assert page.inner_text("#ask-title") == "Enter c4"
        page.click("#ask-no")
        assert page.locator("#score button").count() == 2
        drag(page, "c2", "c4")
        answer(page, {}, "Enter c4")
        page.wait_for_selector("#score button:has-text('2.c4')")
        assert "2.c4" in page.inner_text("#caption")
        told = page.inner_text("#runs")
        assert "without a refill" in told and "0 m now" not in told  # the clock has run for less than a minute
        for button, shown in (("first", "Start position"), ("next", "1.d4"), ("last", "2.c4"), ("previous", "1...d5")):
            page.click(f"#{button}")
            assert shown in page.inner_text("#caption"), button
        page.keyboard.press("ArrowLeft")
        assert page.inner_text("#caption") == "1.d4"
        before = page.locator("#board .position").inner_html()
        page.click("#flip")
        assert page.locator("#board .position").inner_html() != before


def drag(page, start: str, target: str) -> None:
    box = page.locator("#board .board").bounding_box()
    size = box["width"] / 8
    points = [
        (box["x"] + (ord(square[0]) - 96.5) * size, box["y"] + (8.5 - int(square[1])) * size)
        for square in (start, target)
    ]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=4)
    page.mouse.up()
    page.wait_for_selector("#ask[open]")


def test_every_act_of_a_game(browser, desk: Site, store: Path) -> None:
    with opened(browser, desk) as page:
        open_game(page, "offer")
        page.click("[data-action=refill]")
        answer(page, {"amount": "30m"}, "Enter the refill")
        page.wait_for_selector("#log li:has-text('refill of 30 m')")
        page.click("[data-action=claim]")
        answer(page, {"what": "draw"}, "Enter the claim")
        page.wait_for_selector("#runs:has-text('claim is pending')")
        page.click("[data-action=rejected]")
        answer(page, {}, "Enter the decision")
        page.click("[data-action=replace]")
        answer(page, {"side": "black", "player": "Taylor, Ann", "refill": ""}, "Replace")
        page.wait_for_selector("#game-title:has-text('Taylor, Ann')")
        page.click("[data-action=correct]")
        answer(page, {"side": "black", "clock": "50d", "bank": "60d"}, "Correct")
        page.wait_for_selector("#log li:has-text('correction for Black')")
        page.click("#undo")
        answer(page, {}, "Undo")
        page.wait_for_selector("#log [data-undone]")
        page.click("#add-note")
        answer(page, {"text": "The plan is b4."}, "Keep")
        page.click("#add-line")
        answer(page, {"moves": "c4 e6 Nc3", "text": "usual"}, "Keep")
        page.click("#add-tag")
        answer(page, {"text": "slav"}, "Keep")
        page.wait_for_selector("#tags:has-text('slav')")
        page.click("#remarks button.move:has-text('3.Nc3')")
        assert page.inner_text("#caption") == "line, 3.Nc3"
        # A change of the store draws the game again, and keeps the line.
        desk.post("/api/desk/action", {"name": "offer", "action": "note", "kind": "comment", "text": "late"})
        page.wait_for_selector("#view-game:has-text('late')")
        assert page.inner_text("#caption") == "line, 3.Nc3"
        page.click("#tags .cross")
        answer(page, {}, "Remove")
        page.wait_for_selector("#tags:empty", state="attached")
        page.click("[data-action=result]")
        answer(page, {"result": "0-1", "reason": "time"}, "Enter the result")
        page.wait_for_selector("#game-about:has-text('0-1 (time)')")
        assert page.locator("[data-action]").count() == 0
    with Store(store, reading=True) as found:
        game = Desk(found).load("offer")
        assert (game.result, game.players[1]) == ("0-1", "Taylor, Ann")


def test_an_entry_is_corrected_after_a_preview(browser, desk: Site) -> None:
    with opened(browser, desk, expected="400 (Bad Request)") as page:
        open_game(page, "silent")
        start = page.locator("#log .when >> nth=0").get_attribute("title")
        page.click("[data-entry='2']")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-problem:not(:empty)")
        page.fill("#ask [name=at]", start[:16])
        page.click("#ask-yes")
        page.wait_for_selector("#ask-preview:has-text('entries changed')")
        page.click("#ask-yes:has-text('Store')")
        page.wait_for_selector("#ask", state="hidden")
        assert page.locator("#log .when >> nth=1").get_attribute("title") == start


def test_nothing_is_sent_before_its_preview(browser, desk: Site, server: XfccServer) -> None:
    with opened(browser, desk) as page:
        open_game(page, LINKED)
        assert "offers a draw" in page.inner_text("#hints") and "Smith & Sons writes: Peace?" in page.inner_text(
            "#hints"
        )
        drag(page, "g1", "f3")
        answer(page, {}, "Only enter it")
        page.wait_for_selector("[data-action=send]")
        assert server.actions == []
        page.click("#undo")
        answer(page, {}, "Undo")
        drag(page, "g1", "f3")
        page.check("#ask [name=draw]")
        page.fill("#ask [name=message]", "Greetings")
        page.click("#ask-yes:has-text('Preview')")
        page.wait_for_selector("#ask-preview:has-text('2.Nf3')")
        told = page.inner_text("#ask-preview")
        assert server.url in told and USER in told and "Greetings" in told and server.actions == []
        assert "declined by the move" in told
        page.fill("#ask [name=message]", "Greetings!")
        assert page.inner_text("#ask-yes") == "Preview" and not page.is_visible("#ask-preview")
        answer(page, {}, "Preview", "Send")
        assert [(action["myMove"], action["offerDraw"]) for action in server.actions] == [("Nf3", "true")]
        assert page.locator("#score button").count() == 3


@pytest.mark.parametrize(
    ("button", "field", "label"), [("accept", "acceptDraw", "Accept the draw"), ("resign", "resign", "Resign")]
)
def test_draws_and_resignations_are_sent(
    browser, desk: Site, server: XfccServer, button: str, field: str, label: str
) -> None:
    with opened(browser, desk) as page:
        open_game(page, LINKED)
        page.click(f"[data-action={button}]")
        answer(page, {"message": "Thank you"}, "Preview", label)
        page.wait_for_selector("#game-about:has-text('1/2-1/2'), #game-about:has-text('0-1')")
        assert server.actions[-1][field] == "true" and server.actions[-1]["myMessage"] == "Thank you"


def test_a_claim_without_ground_is_not_sent(browser, desk: Site, server: XfccServer) -> None:
    with opened(browser, desk, expected="400 (Bad Request)") as page:
        open_game(page, LINKED)
        page.click("[data-action=claim-server]")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-problem:has-text('no draw to claim')")
        page.click("#ask-no")
        assert server.actions == []


def test_an_absence_is_chosen_by_days_or_dragged(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        go(page, "away", "#calendar [data-day]")
        page.wait_for_selector("#plan li")  # from here on the layout does not shift
        first, last = (str(date.today() + timedelta(days=days)) for days in (3, 24))
        page.fill("[name=from]", first)
        page.fill("[name=to]", last)
        page.click("#away-form button")
        page.wait_for_selector("#away-answer li")
        assert "due" in page.inner_text("#away-answer")
        assert page.locator("#calendar [aria-pressed=true]").count() == 22
        other = str(date.today() + timedelta(days=10))
        boxes = [page.locator(f"[data-day='{day}']").bounding_box() for day in (first, other)]
        page.mouse.move(boxes[0]["x"] + 9, boxes[0]["y"] + 9)
        page.mouse.down()
        page.mouse.move(boxes[1]["x"] + 9, boxes[1]["y"] + 9, steps=5)
        page.mouse.up()
        page.wait_for_selector("#away-answer:has-text('8 days away')")  # it replaces the absence that it overlaps
        page.click(f"[data-day='{last}']")  # two clicks instead of dragging, for touch screens
        page.click(f"[data-day='{date.fromisoformat(last) + timedelta(days=2)}']")
        page.wait_for_selector("#away-answer:has-text('2 absences, 11 days')")
        assert page.locator("#calendar [aria-pressed=true]").count() == 11
        page.reload()
        page.wait_for_selector("#away-list li >> nth=1")
        page.click("#away-list button >> nth=1")
        page.wait_for_selector("#away-answer:has-text('8 days away')")
        page.wait_for_selector("#plan li:has-text('due')")


def test_team_and_event(browser, desk: Site, store: Path) -> None:
    with Store(store) as found:
        add(Desk(found), "club", "Brown, Joan", now_ms(), event="Club")
    with opened(browser, desk) as page:
        go(page, "team", "#team-table tr:has-text('club')")
        assert page.inner_text("#team-table tbody tr >> nth=0").startswith("Nowak, Jan")
        page.select_option("#team-order", "deadline")
        page.select_option("#team-event", "WT/M/1")
        page.wait_for_selector("#team-table tr:has-text('club')", state="detached")
        assert page.locator("#team-table tbody tr:has-text('silent')").count() == 0  # the opponent is to move
        page.click("#team-table tr:has-text('offer') button")
        answer(page, {"player": "Taylor, Ann", "refill": ""}, "Replace")
        page.wait_for_selector("#team-table tr:has-text('Taylor, Ann')")
        go(page, "event", "#view-event:not([hidden])")
        page.select_option("#event-name", "WT/M/1")
        page.wait_for_selector("#event-body pre")
        assert "Triple Block" in page.inner_text("#event-body") and "Standings" in page.inner_text("#event-body")
        page.click("#event-body summary:has-text('Polski')")
        assert "Tempo gry" in page.inner_text("#event-body")
        with Store(store) as found:
            Desk(found).replace("silent", 1, "Brown, Joan", None, When())
        page.wait_for_selector("#event-body :text('Brown, Joan')")
        assert "Tempo gry" in page.inner_text("#event-body")


def test_analyses_are_shown_and_their_lines_go_to_the_notes(browser, desk: Site, store: Path) -> None:
    analyse(store)
    with opened(browser, desk) as page:
        go(page, "analysis", "#analysis-live.live")
        assert "Deep: offer" in page.inner_text("#analysis-live.live")
        assert "+0.45" in page.inner_text("#analyses li:has-text('Smith, Adam')")
        page.click("#analyses .queue a:has-text('offer')")
        page.wait_for_selector("#game-tree li")
        rows = page.locator("#game-tree li").all_inner_texts()
        assert len(rows) == 2 and "+0.45" in rows[0] and "alone +0.31" in rows[0] and "2.c4" in rows[1]
        page.click("#game-tree button:has-text('2.c4')")
        assert page.inner_text("#caption") == "line, 2.c4"
        page.click("#game-tree .keep")
        page.wait_for_selector("#remarks li:has-text('2.c4'):has-text('+0.45')")


def test_the_page_finds_out_that_an_analysis_was_killed(browser, desk: Site, store: Path) -> None:
    """A process that is killed leaves the store unchanged, so no event tells the page."""
    analyse(store, 2 * BEAT_MS)
    shown: list[str] = []

    def answer_late(route) -> None:
        """Let the page ask for the first time just before the sitting counts as ended."""
        answer = route.fetch()
        found = answer.json()
        if not shown:
            found |= {"running": "Deep: offer", "silence": 0}
        shown.append(found["running"])
        route.fulfill(response=answer, json=found)

    with opened(browser, desk) as page:
        intercept(page, "**/api/desk/analyses", answer_late)
        go(page, "analysis", "#analysis-start:not([hidden])")
        assert shown[0] == "Deep: offer" and shown[1:] and not any(shown[1:])  # events may make the page ask again
        assert page.inner_text("#analysis-live") == "No analysis is running."


def test_an_analysis_is_begun_paused_and_stopped_on_the_page(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        go(page, "analysis", "#analysis-start:not([hidden])")
        page.click("#analysis-start")
        answer(page, {"time": "1h", "slice": "0.2s", "hash": "16", "threads": "1"}, "Start")
        page.wait_for_selector("#analysis-live:has-text('positions so far')")
        page.click("#analysis-pause")
        page.wait_for_selector("#analysis-pause:has-text('Continue')")
        page.click("#analysis-pause")
        page.wait_for_selector("#analysis-pause:has-text('Pause')")
        page.wait_for_selector("#analyses .report li")
        again = lambda: page.evaluate("dispatchEvent(new Event('hashchange'))")  # noqa: E731
        release = hold_next(page, "**/api/desk/analyses", again, is_answered=True)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("analyses") else None)
        with page.expect_response("**/api/desk/direct"):
            page.click("#analysis-stop")
        page.wait_for_selector("#notice:has-text('stopped')")
        settled(page)
        assert asked == []  # two answers might arrive in the wrong order
        release()
        page.wait_for_selector("#analysis-start:not([hidden])")
        open_game(page, "due")
        page.click("#analyse-game")
        answer(page, {"time": "0.5s", "slice": "0.2s"}, "Start")
        page.wait_for_selector("#game-tree li")


def test_heads_moves_and_files_are_entered_and_saved(browser, desk: Site, store: Path) -> None:
    with opened(browser, desk) as page:
        open_game(page, "offer")
        page.click("#edit-game")
        page.fill("#ask [name=newName]", "WS-1")
        page.fill("#ask [name=control]", "50/50/5")
        page.uncheck("#ask [name=engines]")
        page.click("#ask-yes:has-text('Preview')")
        page.wait_for_selector("#ask-preview:has-text('50/75/1 → 50/50/5')")
        answer(page, {}, "Store")
        page.wait_for_selector("#game-about:has-text('WS-1 · 50/50/5 · no engines')")
        assert page.url.endswith("#game=WS-1") and page.is_disabled("#analyse-game")
        with page.expect_download() as download:
            page.click("#save-game")
        assert '[GameName "WS-1"]' in download.value.path().read_text()
        go(page, "today", "#rows li")
        page.click("[data-enter=moves]")
        answer(page, {"lines": "WS-1 c4\nsilent e5\n"}, "Preview", "Enter the moves")
        page.wait_for_selector("#rows li:has-text('2.c4')")
        page.click("#view-today .menu summary")
        with page.expect_download() as download:
            page.click("[data-enter=pgn]")
        assert download.value.path().read_text().count("[Event ") == 5
        page.wait_for_selector(".menu:not([open])")
        open_game(page, "WS-1")
        page.click("#remove-game")
        answer(page, {"confirmed": "WS-1"}, "Remove")
        page.wait_for_selector("#rows li")
        assert "WS-1" not in names(page)
    with Store(store, reading=True) as found:
        assert "WS-1" not in Desk(found).names()


def test_two_tabs_and_a_terminal_see_each_other(browser, desk: Site, store: Path) -> None:
    with opened(browser, desk) as page:
        open_game(page, "silent")
        other = page.context.new_page()
        hear = hold_next(other, "**/api/desk/changes", lambda: other.goto(desk.address))
        other.wait_for_selector("#rows li")
        with Store(store) as found:  # a terminal changes the store before the other tab hears of it
            Desk(found).move("silent", "e5", When())
        hear()
        page.wait_for_selector("#score button:has-text('e5')")
        other.wait_for_selector("#rows li:has-text('1...e5')")
        drag(page, "b1", "c3")
        answer(page, {}, "Enter Nc3")
        other.wait_for_selector("#rows li:has-text('2.Nc3')")
        other.evaluate("location.hash = 'game=silent'")
        other.wait_for_selector("#score button:has-text('2.Nc3')")
        with Store(store) as found:
            assert Desk(found).load("silent").moves == ["c2c4", "e7e5", "b1c3"]


def test_changes_elsewhere_leave_a_line_on_the_board(browser, desk: Site, store: Path) -> None:
    with Store(store) as found:
        other = Desk(found)
        game = other.load("offer")
        keep(other, game.head.id, [line(game, 2, "c4 e6 Nc3", "usual")])
    with opened(browser, desk) as page:
        open_game(page, "offer")
        page.click("#remarks button.move:has-text('3.Nc3')")
        page.click("#log [data-entry='1']")  # any button: it must keep the focus
        page.click("#ask-no")
        for kept in (
            lambda desk: desk.move("silent", "e5", When()),
            lambda desk: desk.end("due", "0-1", "time", When()),
        ):
            with Store(store) as found, page.expect_response(lambda asked: "/api/desk/game" in asked.url):
                kept(Desk(found))
        page.keyboard.press("ArrowLeft")  # the page handles the key after it has drawn the change
        assert page.inner_text("#caption") == "line, 2...e6"
        assert page.evaluate("document.activeElement.dataset.entry") == "1"
        page.keyboard.press("n")
        page.wait_for_selector("#game-about:has-text('silent')")


@pytest.mark.slow
def test_a_question_concerns_the_game_and_the_state_that_it_names(browser, desk: Site, store: Path) -> None:
    """The user goes back to another game, or the store changes, while the question is open."""
    with opened(browser, desk, expected="400 (Bad Request)") as page:
        open_game(page, "silent")
        open_game(page, "offer")
        page.click("[data-action=claim]")
        page.go_back()
        page.wait_for_selector("#game-about:has-text('silent')", state="attached")
        answer(page, {"what": "draw"}, "Enter the claim")
        page.wait_for_selector("#notice:has-text('the claim of a draw is entered')")
        assert "silent" in page.inner_text("#game-about") and page.url.endswith("#game=silent")
        page.click("#undo")
        with Store(store) as found, page.expect_response(lambda asked: "/api/desk/game" in asked.url):
            Desk(found).move("silent", "e5", When())
        page.wait_for_selector("#score button:has-text('e5')", state="attached")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-problem:has-text('silent has changed in the meantime')")
    with Store(store, reading=True) as found:
        assert Desk(found).load("offer").log[-1].kind == "claim" and Desk(found).load("silent").moves[-1] == "e7e5"


@pytest.mark.slow
def test_a_question_that_was_left_does_not_close_the_next_one(browser, desk: Site) -> None:
    """The user leaves a question before its answer, an error, arrives, and is typing in another question by then."""
    with opened(browser, desk, expected="400 (Bad Request)") as page:
        open_game(page, "offer")
        page.click("[data-action=refill]")
        page.fill("#ask [name=amount]", "much")
        release = hold_next(page, "**/api/desk/action", lambda: page.click("#ask-yes"), is_answered=True)
        page.keyboard.press("Escape")
        page.click("#add-note")
        page.fill("#ask [name=text]", "The plan is b4.")
        release()
        page.wait_for_selector("#notice:has-text('expected an amount')")
        assert page.input_value("#ask [name=text]") == "The plan is b4." and page.inner_text("#ask-problem") == ""
        answer(page, {}, "Keep")
        page.wait_for_selector("#score:has-text('The plan is b4.')")


@pytest.mark.slow
def test_the_answer_about_the_last_absences_is_shown(browser, desk: Site) -> None:
    """Answers about fewer absences arrive last."""
    with opened(browser, desk) as page:
        go(page, "away", "#calendar [data-day]")

        def be_away(days: int) -> None:
            for name in ("from", "to"):
                page.fill(f"[name={name}]", str(date.today() + timedelta(days=days)))
            page.click("#away-form button")

        release = hold_next(page, "**/api/desk/away", lambda: be_away(3), is_answered=True)
        be_away(9)
        page.wait_for_selector("#away-answer:has-text('2 absences, 2 days')")
        release()
        assert "2 absences, 2 days" in page.inner_text("#away-answer")
        release = hold_next(
            page, "**/api/desk/away", lambda: page.click("#away-list button >> nth=1"), is_answered=True
        )
        page.click("#away-list button")
        release()
        assert page.inner_text("#away-answer") == ""


def test_texts_of_games_never_become_markup(browser, desk: Site, store: Path) -> None:
    with Store(store) as found:
        Desk(found).replace("silent", 1, "<img src=x onerror=alert(1)>", None, When())
    with opened(browser, desk) as page:
        assert "<img src=x" in page.text_content("#rows") and page.locator("main img").count() == 0
        open_game(page, "silent")
        assert "<img src=x" in page.inner_text("#game-title") and page.locator("main img").count() == 0


@pytest.mark.parametrize("place", ["today", "game=due", "away", "team", "event=Club", "analysis"])
def test_the_views_fit_a_phone_and_are_accessible(browser, desk: Site, place: str) -> None:
    with opened(browser, desk, viewport=PHONE, bypass_csp=True) as page:
        go(page, place, f"#view-{place.partition('=')[0]}:not([hidden])")
        page.wait_for_function(
            """() => [...document.querySelectorAll("main section:not([hidden]) .wide")].every(
                (table) => table.offsetHeight > 0 || table.closest("[hidden]"))"""
        )
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []


def test_games_are_begun_and_imported_on_an_empty_desk(browser, executable: Path, tmp_path: Path) -> None:
    file, store = tmp_path / "club.pgn", tmp_path / "games.sqlite"
    file.write_text('[White "Smith"]\n[Black "Nowak"]\n[Date "2026.03.01"]\n\n1. e4 {[%ccsnt 2026.03.01,06:00]} *\n')
    refusal = {"expected": "status of 400", "bypass_csp": True}
    with (
        served(executable, "desk", "--store", store) as desk,
        opened(browser, desk, **refusal) as page,
    ):
        page.click("#missing [data-enter=game]")
        page.fill("#ask [name=name]", "two words")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-problem:has-text('expected a name')")
        assert violations(page) == []
        answer(page, {"name": "WS-12", "white": "Nowak", "black": "Müller", "noEngines": "yes"}, "Keep the game")
        page.wait_for_selector("#game-about:has-text('WS-12')")
        go(page, "today", "#rows li")
        page.click("#view-today .menu summary")
        page.click("#view-today [data-enter=file]")
        page.set_input_files("#ask [name=file]", file)
        answer(page, {"me": "Nowak", "control": "50/75/1"}, "Import")
        page.wait_for_selector("#news li:has-text('1 half-move')")
        page.wait_for_function("() => document.querySelectorAll('#rows li').length === 2")


def test_a_backup_is_saved_and_restored_after_a_preview(browser, desk: Site, store: Path, tmp_path: Path) -> None:
    def choose(page, what: str) -> None:
        page.click("#view-today .menu summary")
        page.click(f"#view-today [data-enter={what}]")

    with opened(browser, desk) as page:
        choose(page, "check")
        page.wait_for_selector("#news:has-text('5 games checked')")
        with page.expect_download() as saved:
            choose(page, "backup")
        saved.value.save_as(tmp_path / "backup.sqlite")
        with Store(store) as found:
            Desk(found).remove("silent")
        page.wait_for_selector("#rows a[href='#game=silent']", state="detached")
        choose(page, "restore")
        page.set_input_files("#ask [name=file]", tmp_path / "backup.sqlite")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-preview:has-text('before-restore')")
        assert page.inner_text("#ask-yes") == "Replace all games"
        page.click("#ask-yes")
        page.wait_for_selector("#news:has-text('5 games restored')")
        page.wait_for_selector("#rows a[href='#game=silent']", state="attached")
        choose(page, "remind")
        page.click("#ask-yes")
        page.wait_for_selector("#ask-preview:has-text('due')")
        release = hold_next(
            page, "**/api/desk/remind", lambda: page.fill("#ask [name=days]", "2") or page.click("#ask-yes")
        )
        page.fill("#ask [name=days]", "1")  # the preview on its way shows the old values
        release()
        assert page.is_hidden("#ask-preview") and page.inner_text("#ask-yes") == "Preview"
