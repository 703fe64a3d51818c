"""Set up positions on the page Tables, and read what it shows."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run


def new_page(browser, complaints: list[str], width: int = 1280, **options: object):
    shown = browser.new_page(viewport={"width": width, "height": 900}, **options)
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("console", lambda message: complaints.append(message.text))
    return shown


def settle(shown) -> None:
    shown.locator("#main[aria-busy=false]").wait_for(timeout=90_000)  # a long line takes a request for each ply


def goal(code: int, owner: int) -> str:
    return f"{'-' if owner else ''}G{code // 2}.{5 * (code % 2)}"


def set_up(shown, fen: str, record: str | None = None) -> None:
    """Set up a position through the page's address, as a link does."""
    words = f"fen={fen.replace(' ', '_')}" + (f"&record={record}" if record else "")
    begin = """(words) => {
        main.setAttribute("aria-busy", "true");
        history.replaceState(null, "", `#${words}`);
        dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href })); }"""
    shown.evaluate(begin, words)
    settle(shown)


def seen(shown) -> dict[str, object]:
    """The values that the page shows for its position, in the form of `tables probe --json`."""
    return shown.evaluate("""() => ({
      value: headline.dataset.value, plies: Number(headline.dataset.plies),
      moves: Object.fromEntries([...document.querySelectorAll('#moves .move')].map(
        (each) => [each.dataset.move, { value: each.dataset.value, plies: Number(each.dataset.plies) }])) })""")


def probed(tables: Run, folder: Path, lines: list[str]) -> list[dict]:
    done = tables(folder, "probe", "--batch", "-", told="\n".join(lines) + "\n")
    return [json.loads(line) for line in done.stdout.splitlines()]


def square_xy(shown, name: str) -> tuple[float, float]:
    box = shown.locator("#board .position").bounding_box()
    unit = box["width"] / 8
    column, row = "abcdefgh".index(name[0]), 8 - int(name[1])
    return box["x"] + unit * (column + 0.5), box["y"] + unit * (row + 0.5)


def drag(shown, start: str, end: str) -> None:
    shown.mouse.move(*square_xy(shown, start))
    shown.mouse.down()
    shown.mouse.move(*square_xy(shown, end), steps=2)
    shown.mouse.up()
    settle(shown)


def fen_of(shown) -> str:
    return shown.input_value("#fen")
