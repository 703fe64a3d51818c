"""The page Study in a real browser: keys, addresses, variations, key moments, analysis, phone, accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Site, served
from .pages import DESKTOP, PHONE, follow, hold_next, opened, settled, violations

GAMES = Path(__file__).parent / "games.pgn"


@pytest.fixture(scope="module")
def desk(executable: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with served(executable, GAMES, command="study") as found:
        yield found


def caption(page) -> str:
    return (
        page.inner_text("#caption strong") if page.locator("#caption strong").count() else page.inner_text("#caption")
    )


def press(page, *keys: str) -> str:
    for key in keys:
        page.keyboard.press(key)
    return caption(page)


def choose(page, number: int) -> None:
    follow(page, lambda: page.click(f"#list a[href='#game={number}']"))  # the address may name this game already
    page.wait_for_function("(start) => location.hash.startsWith(start)", arg=f"#game={number}/")


def mark(page, sign: str) -> None:
    """Give the move on the board this sign."""
    page.click(f"#marks [data-sign='{sign}']")
    page.wait_for_selector(f"#marks [data-sign='{sign}'][aria-pressed=true]")


def test_keys_go_through_moves_variations_and_moments(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        assert page.inner_text("#found") == "4 of 4 games"
        choose(page, 1)
        assert caption(page) == "Before the first move"
        assert press(page, "ArrowRight", "ArrowRight", "ArrowRight") == "2. Nf3"
        assert press(page, "n") == "2\u2026 Qh4?"
        assert page.locator("#board .arrow.better").count() == 1
        assert press(page, "ArrowDown") == "2\u2026 Nc6!"
        assert press(page, "ArrowRight", "ArrowDown") == "3. Bc4"
        assert press(page, "ArrowUp") == "3. Bb5"
        assert press(page, "ArrowUp") == "2. Nf3"
        assert press(page, "End") == "4. Nf5" and press(page, "p") == "2\u2026 Qh4?"
        assert page.locator("#moments [data-here]").count() == 1
        before = page.locator("#board .position").inner_html()
        press(page, "f")
        assert page.locator("#board .position").inner_html() != before
        address = page.url
        page.reload()
        page.wait_for_selector("body[data-state=study]")
        assert page.url == address and caption(page) == "2\u2026 Qh4?"


def test_what_the_file_says_stays_text(browser, desk: Site) -> None:
    """Markup in a file is shown as text and never becomes markup of the page."""
    with opened(browser, desk, expected="400 (Bad Request)") as page:
        choose(page, 1)
        assert page.locator("#players").inner_text().endswith("<img src=x onerror=alert(1)> 1\u2060\u2013\u20600")
        assert "good <i>move</i>" in page.inner_text("#score") and page.locator("#score i, main img").count() == 0
        assert "A lead comment." in page.inner_text("#score") and "or" in page.inner_text("#score .variation >> nth=1")
        page.click("#score a:has-text('Bc5')")
        assert caption(page) == "3\u2026 Bc5"
        page.click("#show-games")
        page.click("#list a[href='#game=2']")
        page.wait_for_selector("#notice[data-kind=wrong]:not([hidden])")
        assert "cannot be read" in page.inner_text("#notice")


def test_the_engine_analyses_what_the_board_shows(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        choose(page, 1)
        press(page, "End", "a")
        page.wait_for_function("() => document.querySelectorAll('#lines .line-moves').length === 3")
        assert page.locator("#board .arrow.hint").count() == 1
        press(page, "f")  # draws the board again
        assert page.locator("#board .arrow.hint").count() == 1
        press(page, "Home")
        page.wait_for_function("() => document.querySelector('.line-moves')?.textContent.startsWith('1.\u00a0')")
        press(page, "a")
        assert not page.is_visible("#lines") and page.locator("#board .arrow.hint").count() == 0


def test_late_answers_do_not_replace_newer_ones(browser, desk: Site) -> None:
    """The answers to the first filter and the first choice of a game arrive last, and are ignored."""
    with opened(browser, desk) as page:
        release = hold_next(page, "**/api/study?*", lambda: page.fill("#filter", "definition"))
        with page.expect_response("**/api/study?*"):
            page.fill("#filter", "")
        release()
        assert page.inner_text("#found") == "4 of 4 games"
        release = hold_next(page, "**/api/study/*", lambda: page.evaluate("location.hash = 'game=4'"))
        page.evaluate("location.hash = 'game=3'")
        page.wait_for_function("() => location.hash.startsWith('#game=3/')")
        score = page.inner_text("#score")
        release()
        assert page.inner_text("#score") == score and page.evaluate("location.hash").startswith("#game=3/")


def test_the_list_is_filtered(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        rows = page.locator("#list li").all_inner_texts()
        assert rows[0].split("\n")[-2:] == ["1\u20130", "Annotated <b>by hand</b>, round 1, 2020"]
        page.fill("#filter", "definition")
        page.wait_for_function("() => document.querySelector('#found')?.textContent === '1 of 4 games'")
        choose(page, 3)
        assert page.locator("#board .man").count() == 40


def test_a_game_goes_on_from_play(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        game = desk.begin(moves=["e2e4", "c7c5"])
        page.goto(f"http://127.0.0.1:{desk.port}/study#played={game['id']}")
        page.wait_for_function("() => document.querySelectorAll('#score .move').length === 2")
        assert not page.locator("#games[open]").count()


def test_a_phone_keeps_the_board_in_sight(browser, desk: Site) -> None:
    with opened(browser, desk, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        choose(page, 1)
        press(page, "End")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        box = page.locator("#board .position").bounding_box()
        assert 0 <= box["y"] < 60 and box["height"] <= 0.45 * PHONE["height"]
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_signs_are_read_as_words_and_bad_moves_with_the_better_one(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        choose(page, 1)
        press(page, "n")
        assert page.inner_text("#caption").endswith("; better was Nc6")
        assert page.locator("#board .sign.worse text").text_content() == "?"
        assert [page.locator(f"#board .arrow.{kind}").count() for kind in ("worse", "better")] == [1, 1]
        variation = " ".join(page.inner_text("#score .variation").split())
        assert variation.startswith("2\u2026 Nc6! 3. Bb5 (3. Bc4 Bc5 (3\u2026 Nf6 4. Ng5) 4. c3) 3\u2026 a6")
        for move, sign in (("Qh4", "mistake"), ("Qh4", "moderate advantage for White"), ("Nc6", "good move")):
            link = page.locator(f"#score .move:has-text('{move}')").first
            assert link.get_by_role("img", name=sign, exact=True).count() == 1, (move, sign)
        press(page, "ArrowLeft")
        assert page.locator("#board .sign, #board .arrow.better").count() == 0


def test_a_bad_move_without_evaluations_is_shown_with_the_better_one(browser, executable: Path, tmp_path) -> None:
    (tmp_path / "marked.pgn").write_text('[Result "*"]\n\n1. e4 e5 2. Nf3 f6 $2 ( 2... Nc6 ) 3. Nc3 ( 3. Nxe5 ) *\n')
    with served(executable, tmp_path / "marked.pgn", command="study") as site, opened(browser, site) as page:
        page.wait_for_selector("body[data-state=study]")
        for arrows in (0, 0, 0, 1, 0):  # the sign makes a move bad; another variation does not
            page.keyboard.press("ArrowRight")
            assert page.locator("#board .arrow.better").count() == arrows
        page.keyboard.press("ArrowLeft")
        assert page.inner_text("#caption").split("\n") == ["2\u2026 f6?", "better was Nc6"]


def test_the_panel_grows_with_what_is_opened_in_it(browser, desk: Site) -> None:
    """The moves keep some rows, and nothing reaches beyond the panel."""
    with opened(browser, desk) as page:
        choose(page, 1)
        press(page, "a", "e")
        page.click("#figures summary")
        page.wait_for_selector("#lines .line-moves")
        panel, score, figures = (page.locator(what).bounding_box() for what in (".game", "#score", "#figures"))
        assert figures["y"] + figures["height"] <= panel["y"] + panel["height"]
        assert score["height"] >= 120 and score["y"] + score["height"] <= figures["y"]
        assert page.locator(".line-score").evaluate_all("(all) => all.every((each) => each.offsetHeight < 30)")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, desk: Site, scheme: str, size: dict) -> None:
    with opened(browser, desk, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        found = {"games": violations(page)}
        choose(page, 1)
        press(page, "n", "a")
        page.click("#figures summary")
        page.wait_for_selector("#lines .line-moves")
        found["study"] = violations(page)
        assert [*found.values()] == [[], []], found


def test_without_a_file_the_page_says_what_to_do(browser, site: Site) -> None:
    with opened(browser, site) as page:
        page.click("nav a[href='/study']")
        page.wait_for_selector("body[data-state=nothing]")
        assert "standstill study GAMES.pgn" in page.inner_text("main")


def test_a_variation_is_entered_and_saved(browser, executable: Path, tmp_path: Path) -> None:
    """Moves on the board become a variation with sign and comment; Save changes only that place of the file."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "ArrowRight", "ArrowRight")
        drag(page, "f2", "f4")
        page.wait_for_function("() => document.querySelector('#caption')?.textContent.startsWith('2. f4')")
        press(page, "e")
        mark(page, "!?")
        page.fill("#comment", "the old gambit")
        page.keyboard.press("Enter")
        page.wait_for_selector("#score .variation:has-text('the old gambit')")
        assert page.inner_text("#changed") == "Not saved"
        page.click("#save")
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === 'Saved'")
        assert page.inner_text("#notice") == "Saved in games.pgn. The file before is games.pgn~."
        old, new = GAMES.read_bytes(), file.read_bytes()
        there = b"{[%eval 0.2] good <i>move</i>}"
        assert new == old.replace(there, there + b" (2. f4 $5 {the old gambit})", 1)
        assert (tmp_path / "games.pgn~").read_bytes() == old
        for gone in (":has-text('the old gambit')", ":has-text('!?')", ":has-text('f4')"):
            page.click("#undo")
            page.wait_for_selector(f"#score .variation{gone}", state="detached")
        page.click("#save")
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === 'Saved'")
        page.wait_for_function("() => document.querySelector('#save')?.disabled")
        assert file.read_bytes() == old


def test_key_moments_have_the_signs_of_the_file_and_all_are_printed(browser, executable: Path, tmp_path: Path) -> None:
    """The evaluations alone would make all moves but the first blunders."""
    bad = ["1. f3", "f5", "2. g3", "g5", "3. h3", "h5", "4. a3"]
    moves = [f"{move} $6 {{[%eval {8.0 * (at % 2) - 4}]}}" for at, move in enumerate(bad)]
    (tmp_path / "bad.pgn").write_text(f'[Result "*"]\n\n{" ".join(moves)} *\n')
    with served(executable, tmp_path / "bad.pgn", command="study") as site, opened(browser, site) as page:
        page.wait_for_selector("body[data-state=study]")
        cards = page.locator("#moments strong").all_inner_texts()
        assert len(cards) == 6 and all(card.endswith("?!") for card in cards), cards
        page.emulate_media(media="print")
        settled(page)
        edge = page.evaluate("document.querySelector('#moments').getBoundingClientRect().right")
        boxes = [page.locator("#moments li").nth(at).bounding_box() for at in range(6)]
        assert all(box["x"] + box["width"] <= edge for box in boxes)


def test_paper_has_the_light_design_and_no_controls(browser, desk: Site) -> None:
    with opened(browser, desk, color_scheme="dark") as page:
        choose(page, 1)
        page.emulate_media(media="print")
        page.evaluate("document.querySelector('#notice').hidden = false")
        settled(page)
        ink = page.evaluate("getComputedStyle(document.querySelector('#score .move')).color.match(/\\d+/g).map(Number)")
        assert max(ink) < 80
        controls = ("#train", "#finding", "#next", "body > header", "#judging", "#notice")
        assert not any(page.is_visible(what) for what in controls)


def test_a_move_is_marked_and_explained_by_the_keyboard_alone(browser, executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "End", "e", "Tab", "Enter")
        page.wait_for_selector("#marks [data-sign='!'][aria-pressed=true]")
        press(page, "ArrowLeft", "m")
        page.keyboard.type("ends the attack")
        assert press(page, "Escape", "m") == "3\u2026 g5" and page.input_value("#comment") == ""
        page.keyboard.type("weakens f5")
        press(page, "Enter")
        page.wait_for_selector("#score:has-text('weakens f5')")
        assert press(page, "e", "ArrowLeft") == "3. Nxh4" and page.evaluate("document.activeElement.id") == "edit"
        with page.expect_response("**/api/study/save"):
            page.keyboard.press("Control+s")
        new = GAMES.read_bytes().replace(b"{[%eval 5.0]}", b"{[%eval 5.0] weakens f5}", 1)
        assert file.read_bytes() == new.replace(b"Nf5 {", b"Nf5 $1 {", 1)


def test_edits_made_before_an_answer_are_kept(browser, executable: Path, tmp_path: Path) -> None:
    """Each edit applies to the result of the previous one; an answer does not move a reader who has gone elsewhere."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    view = "**/api/study/view"
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "e", "End")
        release = hold_next(page, view, lambda: page.click("#marks [data-sign='!!']"))
        page.click("#symbols [data-sign='=']")
        page.fill("#comment", "far too far")
        page.keyboard.press("Enter")
        press(page, "ArrowLeft")
        page.keyboard.press("Control+s")
        release()
        page.wait_for_function("() => document.querySelector('#notice')?.textContent.startsWith('Saved in ')")
        assert caption(page).startswith("3\u2026 ")
        written = GAMES.read_bytes().replace(b"Nf5 {[%eval 5.1]", b"Nf5 $3 $10 {[%eval 5.1] far too far", 1)
        assert file.read_bytes() == written

        # The first edit adds a move to the main line, which moves the numbers of all variations.
        press(page, "End")
        release = hold_next(page, view, lambda: drag(page, "d7", "d5"))
        page.click("#score a:has-text('Bc5')")
        page.click("#marks [data-sign='?!']")
        page.fill("#comment", "too early")
        page.keyboard.press("Control+s")
        with page.expect_response("**/api/study/save"):
            release()
        page.wait_for_function("() => document.querySelector('#changed')?.textContent === 'Saved'")
        assert caption(page).startswith("3\u2026 Bc5") and page.input_value("#comment") == "too early"
        written = written.replace(b"too far}", b"too far} 4... d5", 1)
        written = written.replace(b"Bc5", b"Bc5 $6 {too early}", 1)
        assert file.read_bytes() == written


def test_changes_stay_with_their_game(browser, executable: Path, tmp_path: Path) -> None:
    """The reader chooses another game before an edit or Save is answered, and returns before that game arrives."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    good = "#marks [data-sign='!'][aria-pressed=true]"

    def go(number: int) -> None:
        page.evaluate(f"location.hash = 'game={number}'")

    def shows(number: int) -> None:
        page.wait_for_function(f"() => location.hash.startsWith('#game={number}/')")

    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "e", "ArrowRight")
        release = hold_next(page, "**/api/study/view", lambda: page.click("#marks [data-sign='!']"))
        with page.expect_response("**/api/study/3"):
            go(3)
        release()
        shows(3)
        assert page.locator("#changes").is_hidden()
        release = hold_next(page, "**/api/study/view", lambda: go(1))
        go(3)
        release()
        press(page, "ArrowRight")
        assert page.evaluate("location.hash") == "#game=3/1"
        go(1)
        page.wait_for_selector("#notice:has-text('unsaved changes are back')")
        press(page, "ArrowRight")
        page.wait_for_selector(good)
        release = hold_next(page, "**/api/study/save", lambda: page.click("#save"))
        with page.expect_response("**/api/study/3"):
            go(3)
        release()
        shows(3)
        press(page, "ArrowRight")
        page.click("#marks [data-sign='!']")
        page.wait_for_selector(good)
        with page.expect_response("**/api/study/save"):
            page.click("#save")
        assert file.read_bytes().count(b"$1") == GAMES.read_bytes().count(b"$1") + 2


def test_a_second_tab_does_not_overwrite(browser, executable: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    with (
        served(executable, file, command="study") as site,
        opened(browser, site) as first,
        opened(browser, site, expected="409 (Conflict)") as second,
    ):
        for page in (first, second):
            choose(page, 1)
            press(page, "End", "e")
            mark(page, "??")
        first.click("#save")
        first.wait_for_function("() => document.querySelector('#changed')?.textContent === 'Saved'")
        after = file.read_bytes()
        second.click("#save")
        second.wait_for_selector("#notice[data-kind=wrong]:not([hidden])")
        assert "has changed since this game was read" in second.inner_text("#notice")
        assert file.read_bytes() == after


def test_unsaved_changes_survive_a_reload_and_do_not_overwrite(browser, executable: Path, tmp_path: Path) -> None:
    """Leaving asks first; the reloaded page has the changes, and refuses to save them over a file that has changed."""
    file = tmp_path / "games.pgn"
    file.write_bytes(GAMES.read_bytes())
    brilliant = "#marks [data-sign='!!'][aria-pressed=true]"
    with (
        served(executable, file, command="study") as site,
        opened(browser, site, expected="409 (Conflict)") as page,
    ):
        asked: list[str] = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        choose(page, 1)
        press(page, "End", "e")
        page.click("#marks [data-sign='!!']")
        page.wait_for_selector(brilliant)
        page.reload()
        page.wait_for_selector("#notice:has-text('unsaved changes are back')")
        assert (asked, page.inner_text("#changed")) == (["beforeunload"], "Not saved")
        press(page, "End", "e")
        page.wait_for_selector(brilliant)
        file.write_bytes(GAMES.read_bytes().replace(b"good <i>", b"fine <i>"))
        page.reload()
        page.wait_for_selector("#notice:has-text('another version')")
        press(page, "End", "e")
        page.click("#save")
        page.wait_for_selector("#notice:has-text('has changed since this game was read')")
        assert b"fine <i>" in file.read_bytes() and b"$3" not in file.read_bytes()
        page.click("#undo")
        page.wait_for_function("() => document.querySelector('#save')?.disabled")
        page.reload()
        page.wait_for_selector("body[data-state=study]")
        assert page.locator("#changes").is_hidden() and "fine <i>" in page.inner_text("#score")


def test_a_line_of_the_engine_is_kept(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        choose(page, 1)
        press(page, "ArrowRight", "a")
        page.select_option("#line-count", "1")
        page.wait_for_function("() => document.querySelectorAll('#lines button').length === 1")
        count = page.locator("#score .move").count()
        page.click("#lines button")
        page.wait_for_function("(count) => document.querySelectorAll('#score .move').length > count", arg=count)
        assert "Standstill" in page.inner_text("#score") and caption(page) == "1. e4"
        press(page, "Control+z")
        page.wait_for_function("(count) => document.querySelectorAll('#score .move').length === count", arg=count)


def test_scrolling_brings_the_rest_of_a_long_list(browser, executable: Path, tmp_path: Path) -> None:
    """The page asks for the games of a long list in parts; with another filter it starts again."""
    games = tmp_path / "many.pgn"
    results = ["1-0", "0-1"] * 325
    games.write_text("\n".join(f'[Result "{result}"]\n\n1. e4 {result}\n' for result in results))
    with served(executable, games, command="study") as site, opened(browser, site) as page:
        assert page.inner_text("#found") == "650 of 650 games"
        rows = "document.querySelectorAll('#list li').length"
        for wanted in (600, 650):
            page.evaluate("() => { const list = document.getElementById('list'); list.scrollTop = list.scrollHeight; }")
            page.wait_for_function(f"() => {rows} >= {wanted}")
        addresses = "Array.from(document.querySelectorAll('#list a'), (link) => link.hash)"
        assert page.evaluate(addresses) == [f"#game={number}" for number in range(1, 651)]
        page.select_option("#outcome", "1-0")
        page.wait_for_function(f"() => {rows} === 300 && document.getElementById('list').scrollTop === 0")
        assert page.inner_text("#found") == "325 of 650 games"


def test_players_and_filters(browser, desk: Site) -> None:
    with opened(browser, desk, bypass_csp=True) as page:
        page.select_option("#outcome", "1-0")
        page.wait_for_function("() => document.querySelector('#found')?.textContent === '1 of 4 games'")
        page.select_option("#order", "swing")
        page.wait_for_selector("#list .outcome .dim")
        choose(page, 1)
        page.click("#show-players")
        page.click("#player-table button >> nth=0")
        page.wait_for_selector("#openings .opening-tree")
        assert page.inner_text("#openings .opening-tree").startswith("1.\u00a0")
        assert violations(page) == []
        openings = page.text_content("#openings")
        answered = "**/api/study/survey?player=*"
        release = hold_next(page, answered, lambda: page.click("#player-table button >> nth=1"))
        with page.expect_response(answered):
            page.click("#player-table button >> nth=0")
        release()  # the openings of the player chosen first arrive last
        assert page.text_content("#openings") == openings


def test_other_settings_hold_for_the_next_game(browser, executable: Path, tmp_path: Path) -> None:
    """A changed scheme leaves the x05 as it is, also one that is being typed; Reset brings the file's settings back."""
    file = tmp_path / "match.pgn"
    game = '[White "Stockfish 16"]\n[Black "Houdini 5"]\n\n1. e4 {+0.80/12 1.0s} e5 {-0.80/12 1.0s} *\n'
    file.write_text(f'[Event "One"]\n{game}\n[Event "Two"]\n{game}')
    with served(executable, file, command="study") as site, opened(browser, site) as page:
        choose(page, 1)
        press(page, "End")
        x05s = page.inner_text("#judge").split("x05 ")[1].split(" (")[0]
        assert " and " in x05s
        page.click("#figures summary")
        edges = "[...document.querySelectorAll('#bar path')].map((each) => each.getAttribute('d')).join()"
        before = page.evaluate(edges)
        release = hold_next(page, "**/view", lambda: page.select_option("#positions", "1/9"))
        page.fill("#x05", "2")
        release()
        page.wait_for_function(f"(before) => {edges} !== before", arg=before)
        assert page.evaluate("document.activeElement.id") == "x05" and page.input_value("#x05") == "2"
        assert f"x05 {x05s}" in page.inner_text("#judge")
        page.press("#x05", "Enter")
        page.wait_for_selector("#judge:has-text('x05 2.00 (as given)')")
        symbol = page.get_attribute("#caption .symbol", "aria-label")
        page.evaluate("location.hash = 'game=2/2'")
        page.wait_for_selector("#about:has-text('Two')")
        page.wait_for_selector("#score [aria-current]:has-text('e5')")
        assert page.get_attribute("#caption .symbol", "aria-label") == symbol == "slight advantage for White"
        assert page.input_value("#positions") == "1/9" and "x05 2.00" in page.inner_text("#judge")
        # The settings change while another game is on its way.
        to_first = lambda: page.evaluate("location.hash = 'game=1'")  # noqa: E731
        release = hold_next(page, "**/view", to_first, is_answered=True)
        page.click("#unjudge")
        release()
        page.wait_for_selector("#about:has-text('One')")
        page.wait_for_selector(f"#judge:has-text('x05 {x05s}')")
        assert page.input_value("#positions") == "5/40"


def test_find_better_hides_the_line_until_it_is_found(browser, desk: Site) -> None:
    with opened(browser, desk) as page:
        choose(page, 1)
        page.check("#finding")
        line = page.locator("#score .variation", has_text="Nc6")
        assert not line.is_visible() and page.locator("#score .variation").count() == 2
        assert press(page, "n") == "Black to move" and "better move than Qh4" in page.inner_text("#caption")
        assert page.locator("#board .arrow.better").count() == 0
        for start, end, told in (("d8", "h4", "Qh4 was played"), ("a7", "a6", "does not contain this move")):
            drag(page, start, end)
            page.wait_for_selector(f"#notice:has-text('{told}')")
            assert not line.is_visible() and page.inner_text("#caption").startswith("Black to move")
        drag(page, "b8", "c6")
        page.wait_for_function("() => document.querySelector('#caption strong')?.textContent.includes('Nc6')")
        assert line.is_visible() and page.locator("#changes").is_hidden()
        page.uncheck("#finding")
        page.check("#finding")
        page.click("text=Show the better line")
        assert line.is_visible()


def drag(page, start: str, end: str) -> None:
    """Move a piece on the board, seen from White's side."""
    page.wait_for_selector("#board .board[data-movable]")
    box = page.locator("#board .position").bounding_box()
    for at, name in enumerate((start, end)):
        x = box["x"] + box["width"] * ("abcdefgh".index(name[0]) + 0.5) / 8
        y = box["y"] + box["height"] * (8 - int(name[1]) + 0.5) / 8
        page.mouse.move(x, y, steps=3)
        (page.mouse.up if at else page.mouse.down)()
