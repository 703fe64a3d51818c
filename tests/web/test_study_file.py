"""`standstill study --html`: one file that opens without a server."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from standstill.engine.annotate.verdicts import ALL_MOVE_SCHEMES
from tests import forked

from .conftest import Site
from .long_game import long_game
from .pages import DESKTOP, PHONE, follow, opened, violations

GAMES = Path(__file__).parent / "games.pgn"
LARGEST = 120_000  # bytes of a page with one annotated game of 120 moves


def written(executable: Path, games: Path, out: Path) -> bytes:
    """The page; what the command says goes to standard error."""
    done = forked.run([executable, "study", games, "--html", out])
    assert done.returncode == 0 and done.stdout == b"", done
    return done.stderr


def test_the_page_of_a_long_game_is_small(executable: Path, tmp_path: Path) -> None:
    games, out = tmp_path / "long.pgn", tmp_path / "long.html"
    games.write_text(long_game())
    written(executable, games, out)
    assert len(out.read_bytes()) < LARGEST


def test_games_that_cannot_be_read_are_left_out(executable: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.html"
    assert re.fullmatch(rb"standstill: left out: game 2 cannot be read: [^\n]*\n", written(executable, GAMES, out))
    broken = tmp_path / "broken.pgn"
    broken.write_bytes(b"1. e4 e5 2. Ke3 *\n")
    out.unlink()
    done = forked.run([executable, "study", broken, "--html", out])
    assert done.returncode == 2 and b"no game that can be read" in done.stderr and not out.exists()
    assert forked.run([executable, "study", GAMES, "--html", GAMES]).returncode == 2  # would replace the games


@pytest.mark.parametrize("command", ["study", "puzzles"])
def test_a_page_refuses_standard_input(executable: Path, command: str) -> None:
    done = forked.run([executable, command, "-", "--no-open"], input=GAMES.read_bytes())
    assert done.returncode == 2 and b"expected a file of games, found - (standard input)" in done.stderr, done


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_the_file_is_the_page(browser, executable: Path, tmp_path: Path, size: dict, scheme: str) -> None:
    """Keys, list, variations and moves on the board work; the page sends no request; axe-core finds no fault."""
    out = tmp_path / "games.html"
    written(executable, GAMES, out)
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda asked: None if asked.url == out.as_uri() else complaints.append(asked.url))
    page.goto(out.as_uri())
    page.wait_for_selector("body[data-state=study]")
    assert page.inner_text("#found") == "3 of 3 games"
    page.fill("#filter", "definition")
    page.wait_for_function("() => document.querySelector('#found')?.textContent === '1 of 3 games'")
    page.fill("#filter", "")
    follow(page, lambda: page.click("#list a[href='#game=1']"))
    page.keyboard.press("n")
    assert page.inner_text("#caption strong") == "2\u2026 Qh4?"
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#caption strong") == "2\u2026 Nc6!"
    assert not page.is_visible("#edit") and not page.is_visible("#analyse")
    assert violations(page) == [] and complaints == []
    context.close()


def test_the_policy_of_the_file_holds(browser, executable: Path, tmp_path: Path) -> None:
    """The page runs under its own policy, which names its script and style by their hashes."""
    out = tmp_path / "games.html"
    written(executable, GAMES, out)
    page = browser.new_page()
    page.goto(out.as_uri())
    page.wait_for_selector("body[data-state=study]")
    added = "const added = document.createElement('script'); added.textContent = 'window.ran = true';"
    assert page.evaluate(f"() => {{ {added} document.head.append(added); return window.ran === undefined; }}")
    page.close()


def test_a_copied_move_keeps_its_drawn_symbol(browser, executable: Path, tmp_path: Path) -> None:
    """The symbols of a slight advantage are drawings, because few fonts contain them."""
    games, out = tmp_path / "games.pgn", tmp_path / "games.html"
    games.write_text('[Event "A"]\n[Result "*"]\n\n1. e4 $14 e5 $15 2. d4 $16 *\n')
    written(executable, games, out)
    page = browser.new_page()
    page.goto(out.as_uri())
    page.wait_for_selector("#score .symbol")
    page.evaluate("() => getSelection().selectAllChildren(document.querySelector('#score'))")
    copied = page.evaluate("() => getSelection().toString()")
    assert copied.split() == ["1.", "e4\u2a72", "e5\u2a71", "2.", "d4\u00b1"]
    page.close()


def evaluated_games() -> Iterator[str]:
    """Games with evaluations of one source, of two match players, in centipawns, with mates, gaps and more decimals."""
    rolls = random.Random(41)

    def pawns(digits: int = 2) -> str:
        if rolls.random() < 0.15:
            return f"#{rolls.choice([-7, -5, -1, 1, 3, 5, 6])}"
        return f"{rolls.choice([rolls.gauss(0, 1), rolls.gauss(0, 4), 0]):.{digits}f}"

    forms: list[Callable[[], str]] = [
        lambda: f"[%eval {pawns()}]",
        lambda: f"[%eval {pawns(3)}]",
        lambda: rolls.choice([f"[%eval {pawns()}]", "no evaluation"]),
        lambda: f"[%eval {rolls.randint(-400, 400)}]",
        lambda: f"{rolls.gauss(0, 2):+.2f}/12 1.0s",
    ]
    for number, form in enumerate(forms):
        game = chess.pgn.Game()
        names = ("Stockfish 16", "Standstill") if form is forms[-1] else ("A", "B")
        annotator = "?" if number % 2 else "Stockfish 16 (new), x05 1.00"
        game.headers.update(White=names[0], Black=names[1], Annotator=annotator)
        node: chess.pgn.GameNode = game
        for _ in range(40):
            moves = list(node.board().legal_moves)
            if not moves:
                break
            parent, node = node, node.add_main_variation(rolls.choice(moves))
            node.comment = form()
            if rolls.random() < 0.2:
                parent.add_variation(rolls.choice(moves)).comment = "or"
        yield f"{game}\n"


def test_the_page_judges_as_the_program_does(browser, site: Site) -> None:
    """The script of the file compared with the server, for every scheme and several x05."""
    with opened(browser, site) as page:
        page.goto(f"http://127.0.0.1:{site.port}/study")
        page.wait_for_selector("body[data-state=nothing]")
        again = """async ([game, judging]) => {
            const { rejudged } = await import("/static/judging.js");
            return rejudged(game, judging);
        }"""
        settings: list[dict] = [{}, {"x05": 1.37}, {"x05": 0.05}, {"x05": 9.99, "positions": "1/7"}]
        settings += [{"positions": "1/9"}, *({"moves": name} for name in ALL_MOVE_SCHEMES)]
        for text in evaluated_games():
            game = site.post("/api/study/view", {"text": text})
            for judging in settings:
                wanted = site.post("/api/study/view", {"text": text, **judging})
                assert rounded(page.evaluate(again, [game, judging])) == rounded(wanted), judging


def rounded(value: object) -> object:
    """The value with its numbers to nine decimals."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 9) if isinstance(value, float) else value


def test_the_file_is_judged_by_other_settings(browser, executable: Path, tmp_path: Path) -> None:
    """The symbols follow x05 and scheme at once; the settings hold for the next game, until Reset."""
    games, out = tmp_path / "games.pgn", tmp_path / "games.html"
    game = '[Annotator "Stockfish 16"]\n\n1. e4 {[%eval 0.8]} e5 {[%eval 0.8]} 2. Ke2 {[%eval 0.0]} *\n'
    games.write_text(f"{game}\n{game}")
    written(executable, games, out)
    page = browser.new_page()
    page.goto(out.as_uri())
    follow(page, lambda: page.click("#list a[href='#game=1']"))
    page.keyboard.press("End")
    page.click("#figures summary")
    assert "x05 1.00" in page.inner_text("#judge") and page.inner_text("#caption strong") == "2. Ke2?!"
    page.fill("#x05", "0.4")
    page.keyboard.press("Tab")
    page.wait_for_selector("#judge:has-text('x05 0.40 (as given)')")
    assert page.inner_text("#caption strong") == "2. Ke2??"
    assert page.evaluate("document.activeElement.id") == "positions"
    page.select_option("#move-marks", "generous-12")
    follow(page, lambda: page.evaluate("location.hash = 'game=2/3'"))
    assert page.inner_text("#caption strong") == "2. Ke2??" and page.input_value("#x05") == "0.4"
    page.click("#unjudge")
    page.wait_for_selector("#judge:has-text('x05 1.00')")
    assert page.inner_text("#caption strong") == "2. Ke2?!" and page.input_value("#move-marks") == "trainer"
    page.close()
