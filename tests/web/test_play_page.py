"""The page Play in a real browser: mouse, touch, keys, phone, reload, dark mode, streaming, accessibility."""

from __future__ import annotations

import io
import re
from pathlib import Path

import chess
import chess.pgn
import pytest

from .conftest import Site, end, served
from .pages import DESKTOP, PHONE, hold_next, opened, settled, violations


def begin(page, **fields: str) -> None:
    """Begin a game with the form. fields: values of its fields. The engine is weak."""
    page.wait_for_selector("body[data-state=setup]")
    for name, value in {"black-level": "700", **fields}.items():
        page.evaluate(
            """([name, value]) => {
              const field = document.forms.setup.elements.namedItem(name);
              field.value = value;
              (field instanceof RadioNodeList ? document.forms.setup : field).dispatchEvent(
                new Event("input", { bubbles: true }));
            }""",
            [name, value],
        )
    page.click("#setup button[type=submit]")
    page.wait_for_selector("body[data-state=game]")


def place(page, square: str, width: int = 8, height: int = 8) -> tuple[float, float]:
    """The screen position of the middle of a square, with White at the bottom."""
    box = page.locator("#board .position").bounding_box()
    column, row = "abcdefghijklmnop".index(square[0]), height - int(square[1:])
    return box["x"] + box["width"] * (column + 0.5) / width, box["y"] + box["height"] * (row + 0.5) / height


def my_turn(page, plies: int) -> None:
    """Wait until this many half-moves are played and it is the user's turn."""
    page.wait_for_function(
        "(plies) => document.querySelectorAll('#moves button').length === plies &&"
        " document.querySelector('#below').dataset.turn === 'true'",
        arg=plies,
    )


def sans(page) -> list[str]:
    return page.locator("#moves button").evaluate_all("(all) => all.map((each) => each.firstChild.textContent)")


def test_a_game_by_mouse_keys_and_letters(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page)
        page.mouse.click(*place(page, "e2"))  # tap, tap
        assert page.locator("#board .target").count() == 2
        page.mouse.click(*place(page, "e4"))
        my_turn(page, 2)
        page.mouse.move(*place(page, "g1"))  # drag
        page.mouse.down()
        page.mouse.move(*place(page, "f3"), steps=4)
        page.mouse.up()
        my_turn(page, 4)
        page.fill("#typed", "Nc3")
        page.press("#typed", "Enter")
        my_turn(page, 6)
        assert [sans(page)[at] for at in (0, 2, 4)] == ["e4", "Nf3", "Nc3"]
        page.click("#back")
        my_turn(page, 4)
        page.keyboard.press("f")
        assert page.locator("#above").inner_text().startswith("You")
        page.click("#resign")
        page.click("#sure button[value=yes]")
        page.wait_for_selector("#end:not([hidden])")
        assert "Black wins" in page.inner_text("#end")
        assert "White resigns" in page.inner_text("#said")


def test_a_pass_has_a_button_and_putting_the_king_back_is_none(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page, game="janggi")
        board = page.locator("#board .position").bounding_box()
        assert board["y"] + board["height"] < DESKTOP["height"]  # ten ranks fit as well
        king = place(page, "e2", 9, 10)
        page.mouse.click(*king)
        page.mouse.click(*king)
        page.mouse.move(*king)
        page.mouse.down()
        page.mouse.move(king[0] + 40, king[1] + 40, steps=4)
        page.mouse.move(*king, steps=4)
        page.mouse.up()
        assert sans(page) == []
        page.click("#pass")
        page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
        assert sans(page)[0] == "Ke2"


def test_palaces_and_rivers_turn_with_the_board(browser, site: Site) -> None:
    """The line from the middle of d1 to that of f3 leads from the lower side to the right, and from the upper to the
    left on a turned board."""
    draw = """async (flipped) => {
        const { squaresDrawing } = await import("./static/drawing.js");
        const lines = { palace: [[3.5, 0.5, 5.5, 2.5]], river: [[0, 4, 9, 4]] };
        return squaresDrawing({ width: 9, height: 10, pictures: {}, lines }, flipped).map((path) => path.outerHTML);
    }"""
    with opened(browser, site) as page:
        assert page.locator("#board .palace, #board .river").count() == 0
        begin(page, game="xiangqi")
        drawn = page.locator("#board .palace, #board .river")
        assert [path.get_attribute("class") for path in drawn.all()] == ["palace", "river"]
        boxes = [path.evaluate("path => [path.getBBox().y, path.getBBox().height]") for path in drawn.all()]
        assert boxes == [[0, 450], [225, 0]]  # from edge to edge, and along the middle
        for flipped, palace, river in (
            (False, "M157.5 427.5L247.5 337.5", 270),
            (True, "M247.5 22.5L157.5 112.5", 180),
        ):
            found = "".join(page.evaluate(draw, flipped))
            assert f'd="{palace}"' in found and re.search(rf'd="M\d+ {river}L\d+ {river}"', found), found


def test_moves_by_the_keyboard_alone(browser, site: Site) -> None:
    """Every step from the page's address to a move, with what a screen reader announces."""
    with opened(browser, site) as page:
        begin(page)
        page.focus("#board .board")
        words = page.locator("#board p").inner_text()
        assert words.startswith("White to move. White: ") and "king e1" in words and "queen d8" in words
        for key in ("ArrowRight", *["ArrowRight"] * 4, "ArrowUp"):  # the first key selects a1
            page.keyboard.press(key)
        assert page.inner_text("#said") == "e2, white pawn"
        page.keyboard.press("Enter")
        assert "picked up" in page.inner_text("#said")
        page.keyboard.press("ArrowUp")
        assert page.inner_text("#said") == "e3, empty, legal, e3"
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowDown")
        for key in ("Enter", "ArrowUp", "ArrowUp", " "):
            page.keyboard.press(key)
        my_turn(page, 2)
        assert sans(page)[0] == "e4"


def test_what_a_pawn_becomes_is_chosen(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page, fen="8/P6k/8/8/8/8/8/K7 w - - 0 1")
        for cancel in (True, False):
            page.mouse.click(*place(page, "a7"))
            page.mouse.click(*place(page, "a8"))
            buttons = page.locator(".chooser button")
            assert [each.split(",")[0] for each in buttons.evaluate_all("(all) => all.map((b) => b.ariaLabel)")] == [
                "queen",
                "rook",
                "bishop",
                "knight",
            ]
            if cancel:
                page.keyboard.press("Escape")
                assert buttons.count() == 0 and sans(page) == []
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        my_turn(page, 2)
        assert sans(page)[0] == "a8=R"


def test_a_reload_and_a_new_server_keep_the_game(browser, executable: Path) -> None:
    """The program is started again on the same port while the page is open, and does not know the game."""
    with served(executable) as site, opened(browser, site, expected="Failed to load resource") as page:
        begin(page, base="5")
        page.fill("#typed", "d4")
        page.press("#typed", "Enter")
        my_turn(page, 2)
        before = sans(page)
        page.reload()
        my_turn(page, 2)
        assert sans(page) == before and page.locator(".clock").count() == 2
        end(site.process)
        with served(executable, "--port", site.port) as again:
            tab = page.context.new_page()  # the program opens its address in a new tab
            tab.goto(again.address)
            my_turn(tab, 2)
            assert sans(tab) == before and tab.locator(".clock").count() == 2
            tab.fill("#typed", "c4")
            tab.press("#typed", "Enter")
            my_turn(tab, 4)
            assert sans(tab)[:2] == before


def test_the_evaluation_streams_and_can_be_hidden(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page, fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        page.wait_for_function("() => document.querySelector('#expected')?.textContent === '100 % for White'")
        assert page.inner_text("#pv").startswith("1.\u00a0Ra8#")
        assert page.inner_text("#meaning") == "Extreme advantage for White, #1, proven"
        page.click("#hint")
        page.wait_for_selector("#board .arrow.hint")
        page.uncheck("#watching")
        page.wait_for_selector("#expected", state="hidden")
        page.reload()
        page.wait_for_selector("body[data-state=game]")


def test_drawn_symbols_can_be_seen(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page)
        painted = page.evaluate(
            """async () => {
              const { symbolDrawing } = await import("/static/symbols.js");
              return ["\u2a72", "\u2a71"].map((symbol) => {
                const drawing = symbolDrawing(symbol);
                document.getElementById("symbol").replaceChildren(drawing);
                return drawing.querySelector("path").getBoundingClientRect().height > 5;
              });
            }"""
        )
        assert painted == [True, True]


def test_the_bar_turns_with_the_board(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page, fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        page.wait_for_function("() => document.querySelector('#expected')?.textContent === '100 % for White'")
        page.click("#resign")
        page.click("#sure button[value=yes]")
        page.wait_for_selector("#end:not([hidden])")
        for key, is_top in (("f", True), ("f", False)):
            page.keyboard.press(key)
            middle = page.evaluate(
                """() => {
                  const bar = document.getElementById("bar");
                  bar.style.setProperty("--white", "20%");
                  const [all, white] = [bar, bar.firstChild].map((each) => each.getBoundingClientRect());
                  return (white.top + white.bottom) / 2 < (all.top + all.bottom) / 2;
                }"""
            )
            assert middle == is_top


def test_a_hint_belongs_to_its_position(browser, site: Site) -> None:
    """The hint is shown although the program has sent the game again, and only while its position is on the board."""
    with opened(browser, site) as page:
        begin(page, fen="6k1/5ppp/8/8/8/8/5PPP/R3K3 w - - 0 1")
        release = hold_next(page, "**/hint", lambda: page.click("#hint"))
        page.click("#draw")  # the program declines, and sends the game
        page.wait_for_selector("#notice:has-text('declines')")
        settled(page)
        release()
        page.wait_for_selector("#board .arrow.hint")
        release = hold_next(page, "**/hint", lambda: page.click("#hint"))
        page.fill("#typed", "h3")
        page.press("#typed", "Enter")
        my_turn(page, 2)
        assert page.locator("#board .arrow.hint").count() == 0
        release()
        assert page.locator("#board .arrow.hint").count() == 0
        page.keyboard.press("Home")
        assert page.locator("#board .arrow.hint").count() == 0


def test_the_end_fills_the_bar_and_leaves_the_last_move_in_sight(browser, site: Site) -> None:
    with opened(browser, site, viewport={"width": 1280, "height": 640}) as page:
        words = "a2a3 a7a6 a3a4 a6a5 b2b3 b7b6 c2c3 c7c6 c3c4 c6c5 b1c3 b8c6 c3b1 c6b8 b1a3 b8a6 e2e4 f7f6 d2d3 g7g5"
        resume(page, site, "chess", words.split())
        page.fill("#typed", "Qh5#")
        page.press("#typed", "Enter")
        page.wait_for_selector("#end:not([hidden])")
        assert page.evaluate("document.querySelector('#bar').style.getPropertyValue('--white')") == "100%"
        last, moves_box = (page.locator(what).bounding_box() for what in ("#moves [aria-current]", "#moves"))
        assert last["y"] + last["height"] <= moves_box["y"] + moves_box["height"]
        page.keyboard.press("ArrowLeft")
        assert page.get_attribute("#bar", "data-empty") == "true"


def test_the_saved_pgn_is_the_game(browser, site: Site) -> None:
    with opened(browser, site) as page:
        begin(page, side="watch", **{"white-level": "700"})
        page.wait_for_function("() => document.querySelectorAll('#moves button').length >= 3")
        page.click("#pause")
        page.wait_for_function("() => document.querySelector('#pause')?.textContent === 'Go on'")
        with page.expect_download() as found:
            page.click("#save")
        read = chess.pgn.read_game(io.StringIO(Path(found.value.path()).read_text()))
        assert not read.errors and read.headers["White"] == "Standstill 700"
        board, played = read.board(), []
        for move in read.mainline_moves():
            played.append(board.san_and_push(move))
        assert played == sans(page)


@pytest.mark.parametrize(("name", "men", "files", "ranks"), [("courier", 48, 12, 8), ("grande-acedrex", 48, 12, 12)])
def test_large_boards(browser, site: Site, name: str, men: int, files: int, ranks: int) -> None:
    with opened(browser, site) as page:
        begin(page, game=name)
        page.wait_for_function("(men) => document.querySelectorAll('#board .man').length === men", arg=men)
        box = page.locator("#board .position").bounding_box()
        assert abs(box["width"] / box["height"] - files / ranks) < 0.01
        assert box["y"] + box["height"] <= DESKTOP["height"]


def test_the_links_to_the_pages_fit_a_phone(browser, site: Site) -> None:
    with opened(browser, site, viewport=PHONE) as page:
        pages = page.locator("nav a").evaluate_all("(links) => links.map((link) => link.href)")
        assert len(pages) == 6
        for address in pages:
            page.goto(address)
            page.wait_for_selector("body:not([data-state=opening])")
            nav = "document.querySelector('header nav')"
            assert page.evaluate(f"{nav}.scrollWidth <= {nav}.clientWidth"), address
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


def test_a_phone_shows_the_whole_board_and_does_not_scroll_aside(browser, site: Site) -> None:
    with opened(browser, site, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        begin(page)
        page.wait_for_function("() => document.querySelectorAll('#board .man').length === 32")
        for x, y in (place(page, "e2"), place(page, "e4")):
            page.touchscreen.tap(x, y)
        my_turn(page, 2)
        box = page.locator("#board .position").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["width"] >= 310
        assert box["y"] + box["height"] <= PHONE["height"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        small = page.locator("button:visible").evaluate_all(
            "(all) => all.filter((b) => Math.min(b.offsetWidth, b.offsetHeight) < 24).map((b) => b.textContent)"
        )
        assert small == []


@pytest.mark.parametrize("size", [(320, 568), (740, 360), (844, 390)], ids=["small", "lying", "lying-large"])
def test_the_pages_fit_small_windows(browser, site: Site, size: tuple[int, int]) -> None:
    """Every page fits the width of the window, and the whole board fits into the window."""
    width, height = size
    with opened(browser, site, viewport={"width": width, "height": height}) as page:
        root = site.address.split("/play")[0]
        for name in ("play", "game", "study", "puzzles", "desk", "tables", "workshop"):
            if name == "game":
                begin(page)
            else:
                page.goto(f"{root}/{name}#token={site.token}")
                page.wait_for_selector("body:not([data-state=opening])")
                settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            box = page.locator("#board").bounding_box() if name in ("game", "tables") else None
            assert box is None or box["height"] <= height, (name, box)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_accessibility(browser, site: Site, scheme: str, size: dict) -> None:
    """axe-core finds nothing in any state of the page."""
    # The page does not allow foreign scripts, so the test's script needs ``bypass_csp``.
    with opened(browser, site, seen=False, viewport=size, color_scheme=scheme, bypass_csp=True) as page:
        page.wait_for_selector("#lessons li")
        found = {"intro": violations(page)}
        page.click("#intro button")
        page.click("summary")
        with page.expect_response(lambda asked: "/api/preview" in asked.url):  # the preview changes the form
            page.check("input[value=Decisive]", force=True)
        found["setup"] = violations(page)
        begin(page, base="5", mode="Decisive")
        page.fill("#typed", "Nf3")
        page.press("#typed", "Enter")
        my_turn(page, 2)
        page.wait_for_function("() => document.querySelector('#expected')?.textContent.includes('%')")
        page.mouse.click(*place(page, "e2"))
        found["game"] = violations(page)
        page.click("#resign")
        found["sure"] = violations(page)
        page.click("#sure button[value=yes]")
        page.wait_for_selector("#end:not([hidden])")
        found["end"] = violations(page)
        assert [*found.values()] == [[]] * 5, found


def test_a_stranger_is_told_what_to_do(browser, site: Site) -> None:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{site.port}/play")
    page.wait_for_selector("body[data-state=refused]")
    assert "Open the address that the program prints" in page.inner_text("#refused")
    page.close()


def test_the_token_leaves_the_address_and_stays_in_the_tab(browser, site: Site) -> None:
    with opened(browser, site) as page:
        assert page.url == f"http://127.0.0.1:{site.port}/play"
        assert page.evaluate("sessionStorage.getItem('standstill.token')") == site.token
        assert page.evaluate("[document.cookie, Object.values(localStorage).join()]") == ["", "1"]
        page.reload()
        page.wait_for_selector("body[data-state=setup]")


def test_a_position_is_set_up_and_studied(browser, site: Site) -> None:
    """Pieces by tap, drag and key, side to move, castling and en passant become a FEN; faults are explained."""
    with opened(browser, site, expected="400 (Bad Request)", bypass_csp=True) as page:
        page.click("#other summary")
        page.click("#arrange")
        page.wait_for_selector("#palette [data-man=q]")
        page.click("#clear-board")
        page.wait_for_selector("#setup-problem:has-text('king')")
        for man, squares in {"K": ["e1"], "k": ["e8"], "R": ["a1", "h1"], "P": ["e5"]}.items():
            page.click(f"#palette [data-man={man}]")
            for name in squares:
                page.mouse.click(*square_xy(page, name))
        page.wait_for_function("() => document.querySelector('#setup-problem').textContent === ''")  # it moves the page
        drag_man(page, "p", "c5")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("p")
        for right in "KQ":
            page.check(f"[name=castling][value={right}]")
        assert page.is_disabled("[name=castling][value=k]")
        fen = "4k3/8/8/2ppP3/8/8/8/R3K2R w KQ d6 0 1"
        with page.expect_response(lambda answer: (answer.request.post_data_json or {}).get("fen") == fen):
            page.select_option("#passed", "d6")
        assert page.input_value("[name=fen]") == fen and chess.Board(fen).is_valid()
        settled(page)
        assert page.inner_text("#setup-problem") == ""
        assert violations(page) == []
        page.mouse.click(*square_xy(page, "c5"))
        page.keyboard.press("Delete")
        assert page.input_value("[name=fen]") == "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1"
        page.click("#study-position")
        page.wait_for_selector("body[data-state=study]")
        page.wait_for_function("() => document.querySelectorAll('#board .man').length === 6")
        page.wait_for_selector("#board .board[data-movable]")
        for name in ("e1", "g1"):
            page.mouse.click(*square_xy(page, name))
        page.wait_for_selector("#score .move:has-text('O-O')")
        page.on("dialog", lambda dialog: dialog.accept())
        page.reload()
        page.wait_for_selector("#score .move:has-text('O-O')")


def test_a_late_answer_does_not_undo_a_change(browser, site: Site) -> None:
    """The answer to the first change of a position arrives after a second change."""
    with opened(browser, site) as page:
        page.click("#other summary")
        page.click("#arrange")
        page.wait_for_selector("#palette [data-man=q]")
        settled(page)
        page.mouse.click(*square_xy(page, "e2"))
        release = hold_next(page, "**/api/preview", lambda: page.keyboard.press("Delete"))
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Delete")
        release()
        assert page.input_value("[name=fen]").split()[0] == "rnbqkbnr/pppppppp/8/8/8/8/PPPP2PP/RNBQKBNR"
        assert page.locator("#board .man").count() == 30


def square_xy(page, name: str, size: int = 8) -> tuple[float, float]:
    page.locator("#board .position").scroll_into_view_if_needed()
    box = page.locator("#board .position").bounding_box()
    return (
        box["x"] + box["width"] * ("abcdefgh".index(name[0]) + 0.5) / size,
        box["y"] + box["height"] * (size - int(name[1]) + 0.5) / size,
    )


def drag_man(page, letter: str, to: str) -> None:
    """Drag a piece from the palette to a square."""
    page.hover(f"#palette [data-man={letter}]")
    page.mouse.down()
    page.mouse.move(*square_xy(page, to), steps=4)
    page.mouse.up()


def test_men_in_hand_are_dropped_and_explosions_shown(browser, site: Site) -> None:
    """A piece in hand is dropped by dragging or by two taps; a capture in atomic chess marks its victims."""
    moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]
    with opened(browser, site) as page:
        for drags in (True, False):
            resume(page, site, "crazyhouse", moves)
            page.wait_for_selector("#board .board[data-movable]")
            man = page.locator("#below .in-hand").first
            if drags:
                man.hover(position={"x": 8, "y": 8})  # which waits until the hand is drawn and stays
                page.mouse.down()
                page.mouse.move(*square_xy(page, "e5"), steps=4)
                page.mouse.up()
            else:
                man.click()
                assert man.get_attribute("aria-pressed") == "true"
                page.mouse.click(*square_xy(page, "e5"))
            page.wait_for_selector("#moves button:has-text('P@e5')")
        resume(page, site, "atomic", ["g1f3", "f7f6", "f3e5", "a7a6", "e5d7"])
        assert page.locator("#board .burst").count() == 4  # the pawn, and the pieces beside it except pawns
        assert page.inner_text("#end").endswith("King exploded.")
        page.keyboard.press("ArrowLeft")
        assert page.locator("#board .burst").count() == 0


def test_promoted_forms(browser, site: Site) -> None:
    """In Shogi a piece may decline its promotion. A promoted piece has its own letter behind a +."""
    with opened(browser, site) as page:
        resume(page, site, "minishogi", ["d1a4", "c5c4"])
        for square in ("a4", "b5"):
            page.mouse.click(*square_xy(page, square, 5))
        choices = page.locator(".chooser button")
        assert [each.get_attribute("aria-label") for each in choices.all()] == ["+B, Bxb5=+B", "no promotion, Bxb5"]
        assert choices.last.locator("svg").count() == 1  # the unpromoted piece
        choices.first.click()
        page.wait_for_selector("#moves button:has-text('Bxb5=+B')")
        assert page.locator("#board text:has-text('+B')").count() == 1
        # In Kyoto shogi a piece in hand may be dropped with either side up.
        resume(page, site, "kyotoshogi", ["a1a2-", "d5e4+", "a2a5+", "b5a5-"])
        page.locator(".in-hand").first.click()
        page.mouse.click(*square_xy(page, "c3", 5))
        labels = [each.get_attribute("aria-label") for each in page.locator(".chooser button").all()]
        assert labels == ["P, P@c3", "+P, +P@c3+"]
        page.locator(".chooser button").last.click()
        page.wait_for_selector("#moves button:has-text('+P@c3+')")


def test_coordinates_of_a_large_board_can_be_read(browser, site: Site) -> None:
    """On a phone the coordinates are at least as high as those of chess, and pieces do not cover them."""
    height = "() => document.querySelector('#board .coordinate').getBoundingClientRect().height"
    with opened(browser, site, viewport=PHONE) as page:
        resume(page, site, "chess", ["e2e4"])
        chess = page.evaluate(height)
        resume(page, site, "grande-acedrex", ["a4a5"])
        assert page.evaluate(height) >= chess
        assert page.locator("#board g:has(.man) ~ g text.large").count() == 24


def resume(page, site: Site, game: str, moves: list[str]) -> None:
    """Show a game between two people that has begun with these moves."""
    setup = {"game": game, "moves": moves}
    kept = {"id": site.begin(**setup)["id"], "setup": setup, "moves": moves}
    keep = "(kept) => addEventListener('pagehide', () => { sessionStorage['standstill.game'] = JSON.stringify(kept); })"
    page.evaluate(keep, kept)  # when the page can no longer store its own game
    page.reload()
    page.wait_for_function("(count) => document.querySelectorAll('#moves [data-ply]').length === count", arg=len(moves))
