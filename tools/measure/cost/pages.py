"""Measures how long `standstill web` takes to answer, from a click to the engine's first line, and to show its pages.

`python -m tools.measure.cost.pages`, with the interpreter of .venv. The engine's first line is of depth 1 and takes
less than a millisecond, so the second figure is the cost of page, server and connection. The desk has 500 games, and so
has the list of Study, which is scrolled from end to end; the browser says when it draws. The page of a long game is a
file.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.long_game import long_game

ROOT = Path(__file__).resolve().parents[3]
STARTS, MOVES, GAMES = 10, 10, 500
# Notes when the page is complete: its state is `desk` once the games are listed and every button works.
READY = """new MutationObserver(() => {
  if (document.body?.dataset.state === "desk" && !performance.getEntriesByName("desk").length) performance.mark("desk");
}).observe(document, { subtree: true, attributes: true, childList: true })"""


def start(*words: str) -> tuple[float, str, subprocess.Popen[str]]:
    """Start the server; return (milliseconds until it prints its address, the address, the process)."""
    began = time.perf_counter()
    command = [ROOT / "standstill", *(words or ("web",)), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    found = re.search(r"http\S+", process.stdout.readline())
    assert found is not None
    return 1000 * (time.perf_counter() - began), found[0], process


def first_lines(page: Page, address: str) -> list[float]:
    """Play the first moves of some games; return the milliseconds from each move to the engine's first line."""
    found = []
    page.add_init_script("localStorage.setItem('standstill.seen-intro', '1')")
    page.goto(address)
    for _ in range(MOVES):
        page.wait_for_selector("body[data-state=setup]")
        page.evaluate("document.forms.setup.elements.namedItem('black-level').value = '2550'")
        page.click("#setup button[type=submit]")
        page.wait_for_selector("#board .man >> nth=31")
        page.uncheck("#watching")  # so that no other search runs during the measurement
        page.wait_for_timeout(300)
        page.evaluate("performance.clearMarks()")
        box = page.locator("#board .position").bounding_box()
        assert box is not None
        for row in (6.5, 4.5):
            page.mouse.click(box["x"] + box["width"] * 4.5 / 8, box["y"] + box["height"] * row / 8)
        page.wait_for_function("() => performance.getEntriesByName('line').length > 0")
        found.append(
            page.evaluate(
                "performance.getEntriesByName('line')[0].startTime - performance.getEntriesByName('move')[0].startTime"
            )
        )
        page.wait_for_selector("#below[data-turn=true]")  # the search of this move must not run beside the next one
        page.click("#new-game")
    return found


def stored(folder: str) -> str:
    """A store with many games, all running."""
    text, store = Path(folder, "games.pgn"), str(Path(folder, "games.sqlite"))
    day = f"{datetime.now(UTC) - timedelta(days=9):%Y.%m.%d}"
    stamp = f"{datetime.now(UTC) - timedelta(days=5):%Y.%m.%d,%H:%M}"
    tags = '[Event "E{0}"]\n[Date "{1}"]\n[EventDate "{1}"]\n[White "Own, Name"]\n[Black "Player, Number{0}"]\n'
    tags += '[Result "*"]'
    games = [f"{tags.format(number, day)}\n\n1. e4 {{[%ccsnt {stamp}]}} *\n" for number in range(GAMES)]
    text.write_text("\n".join(games), encoding="ascii")
    command = [
        ROOT / "standstill",
        "games",
        "--store",
        store,
        "import",
        text,
        "--control",
        "50/75/1",
        "--me",
        "Own, Name",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return store


def desk(browser: Browser, address: str) -> list[float]:
    """Open the desk in fresh profiles; return the milliseconds until it is interactive."""
    found = []
    for _ in range(STARTS):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(READY)
        page.goto(address)
        page.wait_for_selector(f"#rows li >> nth={GAMES - 1}", state="attached")
        found.append(page.evaluate("performance.getEntriesByName('desk')[0].startTime"))
        context.close()
    return found


def listed(folder: str) -> Path:
    """A file of many games."""
    path = Path(folder, "listed.pgn")
    tags = '[Event "Open of town {0}"]\n[Date "2026.05.{1:02}"]\n'
    tags += '[White "Player, White {0}"]\n[Black "Player, Black {0}"]\n'
    games = [f'{tags.format(number, number % 28 + 1)}[Result "1-0"]\n\n1. e4 1-0\n' for number in range(GAMES)]
    path.write_text("\n".join(games), encoding="ascii")
    return path


# Scrolls the list of games to its end as fast as a mouse wheel; returns the milliseconds between the pictures drawn.
SCROLL = """() => new Promise((resolve) => {
  const list = document.getElementById("list"), times = [];
  const step = (now) => {
    times.push(now);
    const before = list.scrollTop;
    list.scrollTop += 40;
    if (list.scrollTop > before || !document.querySelector(`#list a[href="#game=GAMES"]`)) requestAnimationFrame(step);
    else resolve(times.slice(1).map((time, at) => time - times[at]));
  };
  requestAnimationFrame(step);
})""".replace("GAMES", str(GAMES))


def scrolling(browser: Browser, address: str) -> list[float]:
    """Scroll the list of games a few times; return the milliseconds of each picture."""
    found = []
    for _ in range(STARTS // 2):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("#games[open] #list li >> nth=99", state="attached")
        found += page.evaluate(SCROLL)
        context.close()
    return found


def game_of_moves(folder: str) -> Path:
    """The page of the tests' game of 120 moves, which has evaluations, remarks and variations, as a file."""
    games, out = Path(folder, "long.pgn"), Path(folder, "long.html")
    games.write_text(long_game(), encoding="ascii")
    subprocess.run([ROOT / "standstill", "study", games, "--html", out], check=True)
    return out


def file(browser: Browser, path: Path) -> list[float]:
    """Open a page of Study that is a file in fresh profiles; return the milliseconds until it is interactive."""
    found = []
    for _ in range(STARTS):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_function("() => performance.getEntriesByName('ready').length")
        found.append(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
        context.close()
    return found


def main() -> None:
    ready = []
    for _ in range(STARTS):
        took, address, process = start()
        ready.append(took)
        process.terminate()
        process.wait()
    print(f"server ready: {statistics.median(ready):.0f} ms (median of {STARTS}, at most {max(ready):.0f})")
    _, address, process = start()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        lines = first_lines(browser.new_page(viewport={"width": 1280, "height": 800}), address)
        process.terminate()
        with tempfile.TemporaryDirectory() as folder:
            _, address, process = start("web", "desk", "--store", stored(folder))
            desks = desk(browser, address)
            process.terminate()
            process.wait()
            _, address, process = start("study", str(listed(folder)))
            frames = scrolling(browser, address)
            process.terminate()
            process.wait()
            files = file(browser, game_of_moves(folder))
        browser.close()
    print(f"click to the first line: {statistics.median(lines):.0f} ms (median of {MOVES}, at most {max(lines):.0f})")
    print(f"120 moves as a file: {statistics.median(files):.0f} ms (median of {STARTS}, at most {max(files):.0f})")
    late = sum(frame > 1000 / 50 + 0.5 for frame in frames)
    rate = 1000 / statistics.mean(frames)
    print(f"scrolling {GAMES} games: {rate:.0f} pictures a second, {late} of {len(frames)} late")
    print(f"desk with {GAMES} games: {statistics.median(desks):.0f} ms (median of {STARTS}, at most {max(desks):.0f})")


if __name__ == "__main__":
    main()
