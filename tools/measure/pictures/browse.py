"""Photographs the page of docs/tables.md: `make screenshots`, or by hand with the interpreter of .venv."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "docs" / "images" / "tables-browse.png"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        command = [ROOT / "standstill", "tables", "--path", folder]
        subprocess.run([*command, "build", "--men", "3"], check=True, stdout=subprocess.DEVNULL)
        page = Path(folder, "page.html")
        subprocess.run([*command, "browse", "-o", page], check=True)
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 1280, "height": 900})
        shown.goto(page.as_uri())
        shown.locator("#main[aria-busy=false]").wait_for()
        shown.locator(".map[data-man=e5]").click()
        shown.evaluate("scrollTo(0, 0)")  # the click has scrolled to the map
        shown.screenshot(path=OUT)
        browser.close()


if __name__ == "__main__":
    main()
