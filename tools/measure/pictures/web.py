"""Photographs the pages of `standstill web` for the documentation: `make screenshots`, or by hand with .venv."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "docs" / "images"
# An endgame of the Berlin Defence, sent as a page sends a game that the server does not know.
MOVES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6 b5c6 d7c6 d4e5 d6f5 d1d8 e8d8 b1c3 d8e8 h2h3 h7h5 c1f4 f8e7 "
    "a1d1 c8e6 f3g5 e8f8"
)
GAME = {
    "id": "none",
    "setup": {"white": {"engine": False}, "black": {"engine": True}, "clock": {"base": 900000, "increment": 5000}},
    "moves": MOVES.split(),
}
OPERA = """\
[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Paul Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def served(*words: str, **variables: str) -> AbstractContextManager[str]:
    """Run a server of this program; the context is its address. variables: of its environment."""
    return serving([str(ROOT / "standstill"), *words, "--no-open"], {**os.environ, **variables})


@contextmanager
def serving(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Run the command, which starts a server, and yield the address that it prints."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.terminate()


def play(browser: Browser, address: str, width: int, height: int, scheme: str) -> Page:
    """Open the page Play with the game, and wait for the engine's analysis."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page.add_init_script("localStorage.setItem('standstill.seen-intro', '1')")
    page.add_init_script(f"localStorage.setItem('standstill.game', {json.dumps(json.dumps(GAME))})")
    page.goto(address)
    page.wait_for_selector("body[data-state=game]")
    page.wait_for_function("() => document.querySelector('#expected').textContent.includes('%')")
    page.wait_for_timeout(2000)  # by then the analysis has ended
    return page


def study(browser: Browser, address: str) -> Page:
    """The page Study at the last key moment."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.wait_for_selector("body[data-state=study]")
    page.keyboard.press("End")
    page.keyboard.press("p")
    page.wait_for_timeout(500)
    return page


def puzzles(browser: Browser, address: str) -> Page:
    """A puzzle of the page Puzzles that has been solved, with the progress of some days."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.wait_for_selector("#prompt:not(:empty)")
    page.select_option("#kinds", "move")
    page.wait_for_function("() => document.querySelector('#kind').textContent === 'best move'")
    page.fill("#typed", "Qb8")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-over]")
    page.wait_for_timeout(500)
    return page


# Games of the desk: name, clock, opponent, event, days ago of the start and of each move.
STORED = (
    ("WS-12", "50/75/1", "Rossi, Giulia", "WT/M/1543", 60, ("e4", 58), ("e5", 49)),
    ("WS-13", "50/0/3", "Kowalczyk, Piotr", "EU/TC11/bd2", 70, ("d4", 66), ("Nf6", 45)),
    ("WS-14", "50/75/1", "Müller, Jürgen", "WT/M/1543", 30, ("c4", 28), ("e5", 8), ("Nc3", 7), ("Nf6", 2)),
    ("WS-15", "50/75/1", "O'Brien, Niamh", "WC44/SF/3", 40, ("e4", 26)),
    ("WS-16", "50/50/5", "Tanaka, Ken", "WC44/SF/3", 20, ("Nf3", 19), ("d5", 5), ("g3", 4)),
)


def stored(folder: str) -> Path:
    """A store of correspondence games."""
    path, now = Path(folder, "games.sqlite"), datetime.now(UTC)
    for name, clock, opponent, event, start, *moves in STORED:
        command = [ROOT / "standstill", "games", "--store", path]
        ago = f"{now - timedelta(days=start):%Y-%m-%dT%H:%MZ}"
        players = ["--white", "Nowak, Jan", "--black", opponent, "--side", "white", "--event", event]
        subprocess.run([*command, "new", name, clock, *players, "--start", ago], check=True, stdout=subprocess.DEVNULL)
        for move, days in moves:
            at = f"{now - timedelta(days=days):%Y-%m-%dT%H:%MZ}"
            words = ["move", name, move, "--any", "--at", at]
            subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL)
    return path


def desk(browser: Browser, address: str) -> Page:
    """The page Desk with the games of today."""
    page = browser.new_page(viewport={"width": 1280, "height": 600})
    page.goto(address)
    page.wait_for_selector("#rows li")
    return page


# A bishop against a bare king: the tables prove what best play gives.
RUNNING = """[Event "Club match"]
[Round "3"]
[White "Anderssen"]
[Black "Kieseritzky"]
[FEN "6k1/8/5K2/5B2/8/8/8/8 b - - 30 71"]
[Result "*"]

71... Kf8 72. Bd7 Kg8 73. Be6+ Kh7 """


def running(folder: str) -> Path:
    """A file with a game in progress."""
    path = Path(folder, "running.pgn")
    path.write_text(RUNNING, encoding="ascii")
    return path


def live(browser: Browser, address: str, width: int, height: int) -> Page:
    """The page Live or an overlay, after the search for the forecast."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    page.wait_for_selector("body[data-state=game]")
    page.wait_for_timeout(2500)
    return page


def judged(folder: str) -> Path:
    """The game of the club with evaluations and better lines by our engine."""
    bare, found = missed(folder), Path(folder, "judged.pgn")
    options = ["--nodes", "20000", "--eval", "--variation", "8"]
    command = [ROOT / "standstill", "annotate", bare, "-o", found, *options]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return found


def missed(folder: str) -> Path:
    """The Opera game as a club player might have lost it, with signs."""
    path, text = Path(folder, "club.pgn"), OPERA.replace("16. Qb8+ Nxb8 17. Rd8# 1-0", "16. Qc3 $4 f6 0-1")
    for old, new in (("Paul Morphy", "Anna"), ("Duke Karl and Count Isouard", "Ben"), ("1858", "2026")):
        text = text.replace(old, new)
    path.write_text(text.replace('"Opera"', '"Club evening"').replace('"1-0"', '"0-1"'), encoding="ascii")
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with served("web") as address:
            for name, width, height, scheme in (
                ("web-play", 1280, 800, "light"),
                ("web-play-dark", 1280, 800, "dark"),
                ("web-play-phone", 390, 844, "light"),
            ):
                play(browser, address, width, height, scheme).screenshot(path=OUT / f"{name}.png")
        with served("study", str(judged(folder))) as address:
            study(browser, address).screenshot(path=OUT / "web-study.png")
        with served("puzzles", str(missed(folder)), STANDSTILL_PUZZLES=str(Path(folder, "puzzles.sqlite"))) as address:
            puzzles(browser, address).screenshot(path=OUT / "web-puzzles.png")
        with served("web", "desk", "--store", str(stored(folder))) as address:
            desk(browser, address).screenshot(path=OUT / "web-desk.png")
        with served("follow", str(running(folder)), "--serve") as address:
            live(browser, address, 1280, 800).screenshot(path=OUT / "web-live.png")
            bar = live(browser, address.replace("/live#", "/overlay#"), 1280, 96)
            bar.screenshot(path=OUT / "live-overlay.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
