"""The page Tables in a real browser, as a file and served, compared with `tables probe` and python-chess."""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from tests import forked
from tests.rmobility.naive import code_of
from tests.web.conftest import Site
from tests.web.pages import opened, violations

from .browsed import drag, fen_of, goal, new_page, probed, seen, set_up, settle, square_xy
from .conftest import Run
from .test_browse import browsing
from .test_tables_command import BISHOP, LONGEST, random_board, random_record

Show = Callable[..., None]


@pytest.fixture(scope="module")
def file(executable: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("page") / "page.html"
    assert forked.run([executable, "tables", "--path", folder, "browse", "-o", target]).returncode == 0
    return target.as_uri()


@pytest.fixture(scope="module")
def site(executable: Path, folder: Path) -> Iterator[Site]:
    pytest.importorskip("uvicorn")
    with browsing(executable, folder) as found:
        yield found


@pytest.fixture(scope="module")
def server(site: Site) -> str:
    return site.address


@pytest.fixture(scope="module")
def page(browser, file: str) -> Iterator:
    """The exported file, opened once for all tests of the module; it must report no error and load nothing."""
    complaints: list[str] = []
    shown = new_page(browser, complaints)
    shown.on("request", lambda request: complaints.append(request.url) if request.url.startswith("http") else None)
    shown.goto(file)
    settle(shown)
    yield shown
    shown.close()
    assert complaints == []


# ---- numbers ----


@pytest.mark.parametrize("form", ["file", "server"])
def test_numbers_are_those_of_probe(browser, tables: Run, folder: Path, request, form: str) -> None:
    rng = random.Random(3)
    boards = [random_board(rng, men) for men in ("", "r", "B", "n", "P", "p")]
    records = [goal(*random_record(rng, board)) for board in boards]
    lines = [f"{board.fen()} ; {record}" for board, record in zip(boards, records, strict=True)]
    complaints: list[str] = []
    shown = new_page(browser, complaints)
    shown.goto(request.getfixturevalue(form))
    settle(shown)
    for board, record, told in zip(boards, records, probed(tables, folder, lines), strict=True):
        set_up(shown, board.fen(), record)
        found = seen(shown)
        assert found == {key: told[key] for key in ("value", "plies", "moves")}, (board.fen(), record)
        shown_sans = set(shown.locator("#moves .move b").all_text_contents())
        assert shown_sans == {board.san(move) for move in board.legal_moves}
    shown.close()
    assert complaints == []


@pytest.fixture(scope="module")
def scripts(browser, site: Site, file: str) -> Iterator:
    """A page of the server, whose tests import the scripts and give them the tables of the file."""
    with opened(browser, site) as shown:
        settle(shown)
        data = re.search(r'id="data">(.*?)</script>', Path(file.removeprefix("file://")).read_text("utf-8"))[1]
        shown.evaluate(
            """async (data) => {
            globalThis.rules = await import("/static/tables_rules.js");
            globalThis.embedded = await import("/static/tables_embedded.js");
            await embedded.open(JSON.parse(data).files); }""",
            data,
        )
        yield shown


def test_tables_in_the_page_are_read_as_the_core_reads_them(scripts, tables: Run, folder: Path) -> None:
    """Compare many states at once, without drawing them."""
    rng = random.Random(11)
    boards = [random_board(rng, men) for men in ("", *"QqRrBbNnPp") for _ in range(25)]
    records = [random_record(rng, board) for board in boards]
    asked = [[board.fen(), code, owner] for board, (code, owner) in zip(boards, records, strict=True)]
    found = scripts.evaluate(
        """(asked) => embedded.lookUp(asked.map(([fen, code, owner]) => (
            { position: rules.readFen(fen), record: { code, owner } })))""",
        asked,
    )
    lines = [f"{board.fen()} ; {goal(*record)}" for board, record in zip(boards, records, strict=True)]
    for one, told in zip(found, probed(tables, folder, lines), strict=True):
        outcome = one["outcome"]
        assert (goal(127 - abs(outcome), outcome < 0), one["plies"]) == (told["value"], told["plies"])


def test_rules_are_those_of_python_chess(scripts) -> None:
    """Moves, notation, goals and positions after each move, with up to five pieces, promotions and en passant."""
    rng, fens = random.Random(2), []
    while len(fens) < 150:
        board = chess.Board(None)
        men = "Kk" + "".join(rng.choices("QRBNPPqrbnpp", k=rng.randrange(4)))
        for square, symbol in zip(rng.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            fens.append(board.fen())
    fens += ["8/8/8/2pP4/8/k7/8/K7 w - c6 0 1", "8/8/8/K1pP3r/8/8/8/k7 w - c6 0 1", "8/8/8/8/k2Pp2Q/8/8/K7 b - d3 0 1"]
    fens += ["8/3p4/8/4P3/8/k7/8/K7 b - - 0 1", "8/8/8/8/4p3/8/3P4/K1k5 w - - 0 1"]
    found = scripts.evaluate(
        """(fens) => fens.map((fen) => {
        const { readFen, legalMoves, fenOf, goalOf, problem, moveText, san } = rules;
        const position = readFen(fen), moves = legalMoves(position);
        return { fen: fenOf(position), code: goalOf(position, moves).code, problem: problem(position),
          moves: Object.fromEntries(moves.map(
            (move) => [moveText(move), [san(position, move, moves), fenOf(move.next)]])) };
      })""",
        fens,
    )
    for fen, told in zip(fens, found, strict=True):
        board = chess.Board(fen)
        assert (told["code"], told["problem"]) == (code_of(board), "")
        assert told["fen"].split()[:4] == board.fen().split()[:4]
        assert {text: san for text, (san, _) in told["moves"].items()} == {
            move.uci(): board.san(move) for move in board.legal_moves
        }
        for text, (_, after) in told["moves"].items():
            board.push_uci(text)
            assert after.split()[:4] == board.fen().split()[:4]
            board.pop()


def test_maps_have_the_value_of_every_square(page, tables: Run, folder: Path) -> None:
    set_up(page, BISHOP, "-G1.5")
    found = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('button.map')].map(
        (map) => [map.dataset.man, Object.fromEntries([...map.querySelectorAll('[data-square]')].map(
            (cell) => [cell.dataset.square, cell.querySelector('title').textContent]))]))""")
    expected, lines = {}, []
    board = chess.Board(BISHOP)
    for man, piece in board.piece_map().items():
        for square in chess.SQUARES:
            there = chess.Board(BISHOP)
            there.remove_piece_at(man)
            if there.piece_at(square) is None:
                there.set_piece_at(square, piece)
                if there.is_valid():
                    expected[chess.square_name(man), chess.square_name(square)] = len(lines)
                    lines.append(f"{there.fen()} ; -G1.5")
    told = probed(tables, folder, lines)
    assert {(man, square) for man, cells in found.items() for square in cells} == set(expected)
    for (man, square), index in expected.items():
        value, plies = told[index]["value"].replace("-", "\u2212"), told[index]["plies"]
        words = {0: "", 1: " in 1 ply"}.get(plies, f" in {plies} plies")
        assert found[man][square] == f"{square}: {value}{words}"


def test_the_staircase_has_the_value_under_every_record(page, tables: Run, folder: Path) -> None:
    set_up(page, BISHOP)
    codes = range(2, code_of(chess.Board(BISHOP)) + 1)
    records = [goal(code, 1) for code in codes] + [goal(code, 0) for code in reversed(codes)]
    told = probed(tables, folder, [f"{BISHOP} ; {record}" for record in records])
    titles = page.locator("#stairs .hit title").all_text_contents()
    for record, each, title in zip(records, told, titles, strict=True):
        stands = "stands" if each["value"] == record else f"{each['value']} in {each['plies']} plies"
        assert title.replace("\u2212", "-") == f"Record {record}: {stands}"
    heights = [float(y) for y in re.findall(r"[ V]([\d.]+)H", page.locator(".reached").get_attribute("d"))]
    assert heights == sorted(heights, reverse=True) and len(heights) == len(records)  # higher is better for White
    page.locator("#stairs .hit").nth(1).click()
    settle(page)
    assert page.input_value("#record") == "-G1.5" and seen(page)["value"] == "G5.5"
    runs = page.locator("#runs li").all_text_contents()
    assert runs[0] == "\u2212G1.0 to \u2212G1.5 G5.5 in 12 plies" and "G1.5 in 4 plies" in runs[1]


@pytest.mark.parametrize("record", ["-G1.5", "\u2013g1.5", "+G3.0", "G2"])
def test_a_record_in_the_fen_is_the_record(page, tables: Run, folder: Path, record: str) -> None:
    """The page once dropped the record silently, unlike all other readers of FEN."""
    (told,) = probed(tables, folder, [f"{BISHOP} {record}"])
    set_up(page, f"{BISHOP} {record}", "-G1.0")
    assert (page.input_value("#record"), seen(page)["value"]) == (told["record"], told["value"])
    set_up(page, LONGEST)
    page.fill("#fen", f"{BISHOP} {record}")
    page.press("#fen", "Enter")
    settle(page)
    assert (page.input_value("#record"), seen(page)["value"]) == (told["record"], told["value"])
    page.fill("#fen", f"{LONGEST} G0.5")
    page.press("#fen", "Enter")
    assert "leaves the game open" in page.inner_text("#fen-problem")
    assert fen_of(page) == f"{LONGEST} G0.5", "to be put right"
    set_up(page, LONGEST)


@pytest.mark.parametrize("typed", [LONGEST, BISHOP], ids=["another", "the-same"])
def test_a_typed_fen_without_a_record_has_its_own(page, tables: Run, folder: Path, typed: str) -> None:
    """The page once kept the record of the previous position."""
    (told,) = probed(tables, folder, [typed])
    set_up(page, BISHOP, "-G1.5")
    page.fill("#fen", typed)
    page.press("#fen", "Enter")
    settle(page)
    assert (page.input_value("#record"), seen(page)["value"]) == ("", told["value"])


def test_a_fen_may_have_the_dashes_of_a_web_page(page) -> None:
    set_up(page, LONGEST)
    for dash in "\u2013\u2212\u2011":
        page.fill("#fen", BISHOP.replace("-", dash) + f" {dash}G1.5")
        page.press("#fen", "Enter")
        settle(page)
        assert (fen_of(page), page.input_value("#record")) == (BISHOP, "-G1.5")
        set_up(page, LONGEST)


def test_the_browser_goes_back_and_forward(page) -> None:
    """Back once left the page."""
    set_up(page, BISHOP, "-G1.5")
    seen_before = [(fen_of(page), page.input_value("#record"))]
    for _ in range(3):
        page.locator("#moves .move").first.click()
        settle(page)
        seen_before.append((fen_of(page), page.input_value("#record")))
    assert len({fen for fen, _ in seen_before}) == 4
    for step, there in ((-1, 2), (-1, 1), (1, 2), (-1, 1)):
        page.evaluate("(step) => history.go(step)", step)
        page.wait_for_function("(fen) => document.querySelector('#fen')?.value === fen", arg=seen_before[there][0])
        settle(page)
        assert (fen_of(page), page.input_value("#record")) == seen_before[there]
    page.click("#back")  # the page's own button
    page.wait_for_function("(fen) => document.querySelector('#fen')?.value === fen", arg=seen_before[0][0])
    settle(page)
    assert (fen_of(page), page.input_value("#record")) == seen_before[0]


@pytest.mark.parametrize(("fen", "record"), [(LONGEST, None), (BISHOP, "-G1.5")])
def test_the_line_is_best_play(page, tables: Run, folder: Path, fen: str, record: str | None) -> None:
    set_up(page, fen, record)
    (told,) = probed(tables, folder, [f"{fen} ; {record or ''}"])
    board, sans = chess.Board(fen), page.locator("#line .ply").all_text_contents()
    assert len(sans) == told["plies"]
    for san in sans:
        assert board.san(board.parse_san(san)) == san
        board.push_san(san)
    assert goal(code_of(board), board.turn) == told["value"]
    page.locator("#line .ply").last.click()
    settle(page)
    assert fen_of(page).split()[:2] == board.fen().split()[:2]


# ---- setting up and playing ----


def test_men_are_dragged_put_and_taken_off(page) -> None:
    set_up(page, BISHOP, "-G1.5")
    drag(page, "f5", "c3")
    assert fen_of(page).startswith("8/8/8/4K1k1/8/2B5/8/8 b")
    page.locator("#palette [data-man=n]").click()  # the first tap selects, the next ones place
    for name in ("c3", "h1"):
        page.mouse.click(*square_xy(page, name))
        settle(page)
    assert fen_of(page).startswith("8/8/8/4K1k1/8/2n5/8/7n b")
    page.locator("#palette [data-man='']").click()
    page.mouse.click(*square_xy(page, "h1"))
    settle(page)
    page.locator("#palette [data-man='']").click()
    assert fen_of(page).startswith("8/8/8/4K1k1/8/2n5/8/8 b")
    page.mouse.click(*square_xy(page, "g5"))
    page.mouse.click(*square_xy(page, "g8"))
    settle(page)
    assert fen_of(page).startswith("6k1/8/8/4K3/8/2n5/8/8 b")
    page.mouse.move(*square_xy(page, "c3"))
    page.mouse.down()
    page.mouse.move(5, 5, steps=2)
    page.mouse.up()
    settle(page)
    assert fen_of(page).startswith("6k1/8/8/4K3/8/8/8/8 b")
    drag(page, "g8", "e5")
    assert "A king stands on e5" in page.inner_text("#notice")
    for _ in range(6):
        before = fen_of(page)
        page.click("#back")
        page.wait_for_function("(before) => document.querySelector('#fen').value !== before", arg=before)
        settle(page)
    assert fen_of(page).startswith("8/8/8/4KBk1/8/8/8/8 b") and page.input_value("#record") == "-G1.5"


def test_a_lifted_man_colours_the_board(page) -> None:
    set_up(page, BISHOP, "-G1.5")
    page.mouse.move(*square_xy(page, "e5"))
    page.mouse.down()
    cells = page.locator("#board .colours > g")
    assert cells.count() == page.locator(".map[data-man=e5] [data-square]").count() > 40
    assert "king a1" in cells.first.text_content()
    page.mouse.up()
    page.keyboard.press("Escape")
    page.locator("#board .board").focus()
    page.keyboard.press("Escape")
    assert cells.count() == 0
    page.locator(".map[data-man=f5]").click()
    assert cells.count() == 62
    page.locator(".map[data-man=f5]").click()


def test_the_keyboard_does_it_all(page) -> None:
    set_up(page, "8/8/8/4k3/8/8/4K3/8 w")
    page.keyboard.press("Tab")
    page.mouse.click(*square_xy(page, "e2"))
    page.keyboard.press("Escape")
    for key in ("Enter", "ArrowLeft", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    settle(page)
    assert fen_of(page).startswith("8/8/8/4k3/8/3K4/8/8 w")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("P")
    settle(page)
    assert fen_of(page).startswith("8/8/8/4k3/8/3K4/3P4/8 w")
    assert "d2, white pawn" in page.text_content("#said")
    page.keyboard.press("Delete")
    settle(page)
    assert fen_of(page).startswith("8/8/8/4k3/8/3K4/8/8 w")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    page.wait_for_selector("#notice:has-text('Each side keeps its king.')")
    assert fen_of(page).startswith("8/8/8/4k3/8/3K4/8/8 w")


def test_fingers_drag_and_tap(browser, file: str) -> None:
    complaints: list[str] = []
    shown = new_page(browser, complaints, 390, has_touch=True, is_mobile=True)
    shown.goto(file)
    settle(shown)
    shown.touchscreen.tap(*square_xy(shown, "f5"))
    shown.touchscreen.tap(*square_xy(shown, "h1"))
    settle(shown)
    assert fen_of(shown).startswith("8/8/8/4K1k1/8/8/8/7B b")
    client = shown.context.new_cdp_session(shown)
    places = [square_xy(shown, name) for name in ("h1", "g2", "e4")]
    for kind, place in zip(("touchStart", "touchMove", "touchMove"), places, strict=True):
        points = [{"x": place[0], "y": place[1]}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(shown)
    assert fen_of(shown).startswith("8/8/8/4K1k1/4B3/8/8/8 b")
    assert shown.evaluate("scrollY") == 0
    shown.close()
    assert complaints == []


def test_moves_are_played_with_the_record(page) -> None:
    set_up(page, BISHOP, "-G1.5")
    page.check("#mode-play")
    drag(page, "g5", "e5")
    assert fen_of(page).startswith("8/8/8/4KBk1")
    drag(page, "g5", "h6")
    assert fen_of(page).startswith("8/8/7k/4KB2/8/8/8/8 w")
    assert (seen(page)["value"], seen(page)["plies"], page.input_value("#record")) == ("G5.5", 11, "-G1.5")
    page.click("#back")
    settle(page)
    page.check("#mode-set")
    assert fen_of(page).startswith("8/8/8/4KBk1")


def test_promotions_are_asked_for(page) -> None:
    set_up(page, "8/P7/8/8/8/4k3/8/4K3 w - - 0 1")
    page.check("#mode-play")
    page.mouse.click(*square_xy(page, "a7"))
    page.mouse.click(*square_xy(page, "a8"))
    page.locator(".chooser button[title='a8=N']").click()
    settle(page)
    page.check("#mode-set")
    assert fen_of(page).startswith("N7/8/8/8/8/4k3/8/4K3 b")


def test_ends_of_games_are_told(page) -> None:
    set_up(page, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert page.inner_text("#headline") == "G0.0 White has mated." and not page.locator("#moves button").count()
    assert page.locator("#stairs-part").is_hidden() and page.input_value("#record") == ""
    set_up(page, "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1")
    assert page.inner_text("#headline") == "G0.5 White has stalemated."


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("8/8/8/3kK3/8/8/8/8 w", "The kings are next to each other."),
        ("8/8/8/3k4/8/8/8/3QK3 w", "Black is in check, and it is White to move."),
        ("8/8/8/3k4/8/8/4K3/3P4 w", "No pawn can stand on d1."),
        ("8/8/8/3k4/8/2QQ4/4K3/8 b", "at most 3 pieces; this position has 4"),
        ("8/8/8/3k4/8/8/8/8 w", "Expected one king of White, found 0."),
        ("8/8/8/3k4/8/8/4KK2/8 w", "Expected one king of White, found 2."),
    ],
)
def test_impossible_positions_are_explained(page, fen: str, found: str) -> None:
    page.fill("#fen", fen)
    page.press("#fen", "Enter")
    settle(page)
    assert found in page.inner_text("#headline") and page.locator("#results").is_hidden()
    set_up(page, BISHOP)
    assert page.locator("#results").is_visible()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "eight rows"),
        ("8/8/8", "found 3"),
        ("8/8/8/3x4/8/8/8/8 w", "found \u201cx\u201d in row 5"),
        ("9/8/8/8/8/8/8/8 w", "found \u201c9\u201d"),
        ("8/8/8/3kk4/8/8/8/8 w", "row 5, found 9"),
        ("8/8/8/3kK3/8/8/8/8 x", "found \u201cx\u201d"),
        ("4k3/8/8/8/8/8/8/4K2R w K -", "castling rights"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6", "No pawn can have passed e6"),
        ("<img src=x onerror=alert(1)>", "found 1"),
    ],
)
def test_text_that_is_no_fen_is_explained(page, text: str, found: str) -> None:
    set_up(page, BISHOP)
    page.fill("#fen", text)
    page.press("#fen", "Enter")
    assert found in page.inner_text("#fen-problem") and page.get_attribute("#fen", "aria-invalid") == "true"
    page.fill("#fen", BISHOP)
    page.press("#fen", "Enter")
    settle(page)
    assert page.get_attribute("#fen", "aria-invalid") is None and page.inner_text("#fen-problem") == ""


# ---- the quiz ----


def test_the_quiz_keeps_the_score(page, tables: Run, folder: Path) -> None:
    page.evaluate("localStorage.clear()")
    page.click("#tab-quiz")
    for right in (True, True, False):
        settle(page)
        assert page.locator("#moves [data-value]").count() == 0 and page.locator("#maps").is_hidden()
        record = re.search(r"record=([^&]+)", page.url)[1]
        (told,) = probed(tables, folder, [f"{fen_of(page)} ; {record}"])
        moves = [text for text, move in told["moves"].items() if (move["value"] == told["value"]) == right]
        assert 0 < len(moves) < len(told["moves"])
        page.locator(f"#moves [data-move={moves[0]}]").click()
        settle(page)
        assert (" is right" if right else " is wrong") in page.inner_text("#verdict")
        assert seen(page)["value"] == told["value"]
        if right:
            page.click("#next")
    assert page.inner_text("#score") == "2 of 3 right, 0 in a row"
    page.reload()
    settle(page)
    page.select_option("#quiz-class", "KPvK") if page.locator("#quiz").is_visible() else page.click("#tab-quiz")
    settle(page)
    assert page.inner_text("#score") == "2 of 3 right, 0 in a row"
    page.select_option("#quiz-class", "KPvK")
    settle(page)
    assert re.search("[Pp]", fen_of(page).split()[0])
    page.click("#tab-quiz")
    settle(page)
    assert page.locator("#palette").is_visible() and page.locator("#quiz").is_hidden()


# ---- states of the program ----


def test_missing_classes_are_named(browser, executable: Path, folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("KBvK.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with browsing(executable, tmp_path) as site, opened(browser, site, expected="ERR_CONNECTION_REFUSED") as shown:
        settle(shown)
        taken = shown.locator("#moves .unknown")
        set_up(shown, "8/8/8/5B2/5k2/8/8/K7 b - - 0 1")
        assert taken.all_text_contents() == ["Kxf5 ?"] and "no table has" in taken.get_attribute("title")
        set_up(shown, "8/8/8/4KRk1/8/8/8/8 b - - 0 1")
        assert "The table of KRvK is missing." in shown.inner_text("#headline")
        assert shown.inner_text("#kind") == "Not proven"
        set_up(shown, BISHOP)
        site.process.send_signal(signal.SIGINT)
        site.process.wait()
        shown.click("label:has(#turn-w)")
        shown.wait_for_selector("#notice:has-text('has ended')")


def test_estimates_never_look_like_proofs(browser, site: Site) -> None:
    """Beyond the tables the engine estimates; moves that lead into tables have their proven outcomes."""
    with opened(browser, site, bypass_csp=True) as shown:
        settle(shown)
        assert shown.inner_text("#kind") == "Proven by tables" and not shown.locator("#estimate-part").is_visible()
        shown.fill("#fen", "7Q/8/8/8/8/5k2/3r4/4K3 w - - 0 1 G4.5")
        shown.press("#fen", "Enter")
        settle(shown)
        assert shown.inner_text("#kind") == "Not proven" and shown.locator("#headline b").count() == 0
        proven = shown.locator("#moves .move[data-value]")
        assert proven.locator("b").all_text_contents() == ["Kxd2"] and proven.get_attribute("data-value") == "G0.0"
        assert shown.locator("#moves .move.open").count() == shown.locator("#moves .move").count() - 1 > 0
        shown.wait_for_selector("#lines li:is(.proven, .estimated)")
        for kind, score in shown.locator("#lines li:is(.proven, .estimated)").evaluate_all(
            "(rows) => rows.map((row) => [row.className, row.querySelector('.line-score').textContent])"
        ):
            assert kind in {"proven", "estimated"} and (kind == "estimated") == score.startswith("\u2248")
        assert violations(shown) == []
        shown.click("#mode-play")
        drag(shown, "e1", "f1")
        assert fen_of(shown) == "7Q/8/8/8/8/5k2/3r4/5K2 b - - 1 1" and shown.input_value("#record") == "G4.5"
        shown.click("#back")
        shown.wait_for_function("() => document.querySelector('#fen')?.value.includes(' w ')")
        settle(shown)
        proven.click()
        shown.wait_for_selector("#kind.proven")
        shown.go_back()
        shown.wait_for_selector("#kind.open")
        assert shown.input_value("#record") == "G4.5"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_fits_the_window(browser, file: str, width: int, scheme: str) -> None:
    complaints: list[str] = []
    shown = new_page(browser, complaints, width, color_scheme=scheme)
    shown.goto(file + "#fen=8/8/8/Q7/8/4k3/8/4K3_w")
    settle(shown)
    assert shown.locator("#moves .move").count() > 20
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    fits = "(what) => [...document.querySelectorAll(what)].every((each) => each.scrollWidth <= each.clientWidth)"
    assert shown.evaluate(fits, ".move, .row button")
    light = shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(244, 242, 238)"
    assert light == (scheme == "light")
    head, results = shown.locator("#headline").bounding_box(), shown.locator("#fen").bounding_box()
    assert (head["y"] < results["y"]) and (head["x"] > 400) == (width == 1280)
    shown.check("#turn-b", force=True)  # the label of this field is bold and thus the widest
    settle(shown)
    assert shown.evaluate(fits, ".choice")
    shown.close()
    assert complaints == []
