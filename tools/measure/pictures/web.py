"""Photographs the pages of `standstill web` for docs/web.md: `make screenshots`, or with the interpreter of .venv."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "docs" / "images"
# A Berlin ending, as a page brings a game back that the server does not know.
MOVES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6 b5c6 d7c6 d4e5 d6f5 d1d8 e8d8 b1c3 d8e8 h2h3 h7h5 c1f4 f8e7 "
    "a1d1 c8e6 f3g5 e8f8"
)
GAME = {
    "id": "none",
    "setup": {"white": {"engine": False}, "black": {"engine": True}, "clock": {"base": 900000, "increment": 5000}},
    "moves": MOVES.split(),
}


@contextmanager
def served() -> Iterator[str]:
    """The address of a running server."""
    command = [ROOT / "standstill", "web", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.terminate()


def opened(browser: Browser, address: str, width: int, height: int, scheme: str) -> Page:
    """The page with the game and the engine's view of it."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page.add_init_script("localStorage.setItem('standstill.seen-intro', '1')")
    page.add_init_script(f"localStorage.setItem('standstill.game', {json.dumps(json.dumps(GAME))})")
    page.goto(address)
    page.wait_for_selector("body[data-state=game]")
    page.wait_for_function("() => document.querySelector('#expected').textContent.includes('%')")
    page.wait_for_timeout(2000)  # until the analysis has ended
    return page


def main() -> None:
    with served() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, width, height, scheme in (
            ("web-play", 1280, 800, "light"),
            ("web-play-dark", 1280, 800, "dark"),
            ("web-play-phone", 390, 844, "light"),
        ):
            page = opened(browser, address, width, height, scheme)
            page.screenshot(path=OUT / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
