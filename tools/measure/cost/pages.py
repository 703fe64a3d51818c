"""Measures how long `standstill web` takes to answer, and the time from a click to the engine's first line on the page.

`python tools/measure/cost/pages.py`, with the interpreter of .venv. The engine's first line is of depth 1 and takes
less than a millisecond, so the second figure is the cost of page, server and connection.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
STARTS, MOVES = 10, 10


def start() -> tuple[float, str, subprocess.Popen[str]]:
    """Start the server; return (milliseconds until it prints its address, the address, the process)."""
    began = time.perf_counter()
    process = subprocess.Popen([ROOT / "standstill", "web", "--no-open"], stdout=subprocess.PIPE, encoding="utf-8")
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
        page.uncheck("#watching")  # so that no other search runs meanwhile
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
        page.click("#new-game")
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
        browser.close()
    process.terminate()
    print(f"click to the first line: {statistics.median(lines):.0f} ms (median of {MOVES}, at most {max(lines):.0f})")


if __name__ == "__main__":
    main()
