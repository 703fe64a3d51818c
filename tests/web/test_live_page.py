"""The page Live and the overlays in a real browser: moves as they come, faults, a new game, transparency, restart."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import Site, served
from .pages import PHONE, opened, violations

HEAD = '[Event "Cup"]\n[White "Alpha"]\n[Black "Beta"]\n[Result "*"]\n'
BARE = '[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]\n\n'

pytest.importorskip("uvicorn")


class Followed:
    """A followed file and its site."""

    def __init__(self, path: Path, site: Site):
        self.path, self.site = path, site

    def write(self, text: str) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, self.path)


@pytest.fixture(scope="module")
def followed(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Followed]:
    folder = tmp_path_factory.mktemp("live")
    path = folder / "game.pgn"
    with served(executable, path, "--serve", "--time", "100ms", "--token", folder / "token", command="follow") as site:
        lines = [site.process.stdout.readline().decode() for _ in range(2)]
        assert lines == [
            f"Overlay, a bar of 1280 x 96: http://127.0.0.1:{site.port}/overlay#token={site.token}\n",
            f"Overlay, a card of 480 x 640: http://127.0.0.1:{site.port}/overlay?size=card#token={site.token}\n",
        ]
        yield Followed(path, site)


def text_of(page, selector: str) -> str:
    return " ".join(page.inner_text(selector).split())


def label_of_bar(page) -> str:
    return page.evaluate("getComputedStyle(document.querySelector('#bar'), '::after').content")


def test_the_page_follows_the_game(browser, followed: Followed) -> None:
    with opened(browser, followed.site) as page:
        page.wait_for_selector("body[data-state=waiting]")
        page.wait_for_function("() => document.querySelector('#fault')?.textContent.includes('does not exist')")
        followed.write(f"{HEAD}{BARE}1. Kd5 ")
        page.wait_for_selector("body[data-state=game]")
        assert page.locator("#fault").is_hidden()
        assert text_of(page, "#record-card .headline") == "\u2212G8.5 Black holds the record"
        assert text_of(page, "#record-moves") == "Possible now: Kf4, Kf5, Kf6."
        assert text_of(page, "#above") == "Beta 8 moves lowest goal \u2212G8.5"
        assert "best play, proven by tables, \u2212G5.5 in 1 ply" in text_of(page, "#stake")
        followed.write(f"{HEAD}{BARE}1. Kd5 Kf5 ")
        page.wait_for_selector("#moves button[data-ply='2'][aria-current]")
        assert text_of(page, "#record-card .headline") == "\u2212G5.5 Black holds the record"
        assert text_of(page, "#said") == "Black: Kf5. New record, -G5.5."
        page.wait_for_function("() => document.querySelector('#pv')?.textContent.startsWith('2.\u00a0')")
        proven = (text_of(page, "#expected"), text_of(page, "#meaning"), text_of(page, "#forecast"))
        assert proven == ("Black holds G5.5", "Drawn, proven", "")  # and no share that looks like an estimate
        assert label_of_bar(page) == '"\u2212G5.5"'
        page.keyboard.press("ArrowLeft")
        assert text_of(page, "#expected") == "Shown for the newest position only."
        assert label_of_bar(page) == "none"
        followed.write(f"{HEAD}{BARE}1. Kd5 Kf5 2. Kd4 1/2-1/2\n")  # the page stays at the move that the user chose
        page.wait_for_selector("#end:not([hidden])")
        assert text_of(page, "#end") == "\u00bd\u2013\u00bd Beta has \u2212G5.5: 0.499756 \u2013 0.500244"
        assert page.locator("#moves [aria-current]").inner_text() == "Kd5"
        followed.write(f"{HEAD.replace('Alpha', 'Gamma')}{BARE}1. Kb5 ")
        page.wait_for_function("() => document.querySelector('#below')?.textContent.includes('Gamma')")
        assert page.locator("#end").is_hidden()
        followed.path.unlink()
        page.wait_for_function("() => document.querySelector('#fault')?.textContent.includes('does not exist')")


def first_alpha(png: bytes) -> int:
    """The opacity of the picture's first pixel, which no filter of PNG changes."""
    at, data = 8, b""
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        data += png[at + 8 : at + 8 + size] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += size + 12
    assert png[24:26] == b"\x08\x06"  # eight bits each for red, green, blue and opacity
    return zlib.decompress(data)[4]


SIZES = [("", 1280, 96), ("?size=card", 480, 640)]


@pytest.mark.parametrize(("size", "width", "height"), SIZES)
def test_the_pages_name_the_komi(browser, followed: Followed, size: str, width: int, height: int) -> None:
    """It explains points of 1 - 0 for a drawn game."""
    address = f"http://127.0.0.1:{followed.site.port}/overlay{size}#token={followed.site.token}"
    followed.write(f'{HEAD}[Komi "-G5.75"]\n{BARE}1. Kd5 Kf5 ')
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    page.wait_for_function("() => document.querySelector('#overlay')?.textContent.includes('Kf5')")
    assert "If drawn now, komi \u2212G5.75 0 \u2013 1" in text_of(page, "#overlay")
    heights = page.evaluate("[...document.querySelectorAll('#overlay h2')].map((label) => label.offsetHeight)")
    assert len(heights) == 3 and len({*heights}) == 1, "each label is one line"
    page.close()
    with opened(browser, followed.site) as page:
        page.wait_for_selector("body[data-state=game]")
        assert text_of(page, "#komi") == "komi \u2212G5.75"
        followed.write(f'{HEAD}[Komi "-G5.75"]\n{BARE}1. Kd5 Kf5 1/2-1/2\n')
        page.wait_for_selector("#end:not([hidden])")
        assert text_of(page, "#end") == "\u00bd\u2013\u00bd Komi \u2212G5.75. Beta has \u2212G5.5: 0 \u2013 1"
        followed.write(f"{HEAD}{BARE}1. Kd5 Kf5 2. Kd4 ")
        page.wait_for_selector("#end", state="hidden")
        assert text_of(page, "#komi") == ""


@pytest.mark.parametrize(("size", "width", "height"), SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_overlays(browser, followed: Followed, size: str, width: int, height: int, scheme: str) -> None:
    """The overlays fit their size, stay transparent, and have what a commentator needs."""
    followed.write(f"{HEAD}{BARE}1. Kd5 Kf5 2. Kd4 ")
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{followed.site.port}/overlay{size}#token={followed.site.token}")
    page.wait_for_function("() => document.querySelector('#overlay')?.textContent.includes('Kd4')")
    told = text_of(page, "#overlay")
    for part in ("Alpha", "Beta", "R-Mobility record \u2212G5.5 Black, move 1", "To beat it, leave 4 moves or fewer",
                 "2. Kd4", "0.499756 \u2013 0.500244", "Proven: \u2212G5.5"):  # fmt: skip
        assert part in told, (part, told)
    box = page.locator("#overlay").bounding_box()
    assert (box["x"], box["y"], box["width"]) == (0, 0, width) and box["height"] <= height
    hidden = page.evaluate(
        "[...document.querySelectorAll('#overlay .value')].filter((each) => each.scrollWidth > each.clientWidth).length"
    )
    assert hidden == 0
    assert first_alpha(page.screenshot(omit_background=True)) == 0  # the corner outside the rounded edge
    context.close()


def test_accessibility_on_desktop_and_phone(browser, followed: Followed) -> None:
    followed.write(f"{HEAD}{BARE}1. Kd5 Kf5 2. Kd4 ")
    for viewport in (None, PHONE):
        options = {} if viewport is None else {"viewport": viewport}
        with opened(browser, followed.site, bypass_csp=True, **options) as page:
            page.wait_for_selector("body[data-state=game]")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert violations(page) == []


def test_requests_without_the_token_are_refused(followed: Followed) -> None:
    for path in ("/api/live", "/api/live/events"):
        assert followed.site.ask("GET", path, authorization=None)[0] == 401
    assert followed.site.ask("GET", "/overlay", authorization=None)[0] == 200
    assert json.loads(followed.site.ask("GET", "/api/live")[1])["source"] == str(followed.path)


@pytest.mark.slow
def test_the_token_is_kept_for_the_user_alone(executable: Path, tmp_path: Path, followed: Followed) -> None:
    kept = followed.path.parent / "token"
    assert kept.read_text(encoding="ascii") == f"{followed.site.token}\n"
    assert os.name == "nt" or kept.stat().st_mode & 0o777 == 0o600
    with served(executable, followed.path, "--serve", "--token", kept, command="follow") as again:
        assert again.token == followed.site.token
        again.process.stdout.readline()
        again.process.stdout.readline()


def test_pages_without_a_followed_game(site: Site) -> None:
    """`standstill web` does not show the page Live."""
    assert [site.ask("GET", path)[0] for path in ("/live", "/overlay", "/api/live")] == [404, 404, 404]
    assert "/live" not in site.ask("GET", "/play")[1]
