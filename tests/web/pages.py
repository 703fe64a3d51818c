"""Open pages of `standstill web` in a browser, and check them with axe-core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .conftest import Site

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "build/web-tools/node_modules/axe-core/axe.min.js"  # `make lint` puts it there
MOST_FRAMES = 2000  # frames to wait for a request of the page: about a minute
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


@contextmanager
def opened(browser, site: Site, *, seen: bool = True, expected: str | None = None, **options: object) -> Iterator:
    """Open the page in a fresh profile; it must report no error and request nothing from outside.

    seen: this is not the user's first visit. expected: part of an error message that is allowed.
    """
    context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
    if seen:
        context.add_init_script("localStorage.setItem('standstill.seen-intro', '1')")
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    own = f"http://127.0.0.1:{site.port}/"
    page.on("request", lambda asked: None if asked.url.startswith((own, "blob:")) else complaints.append(asked.url))
    page.goto(site.address)
    page.wait_for_selector("body:not([data-state=opening])")
    yield page
    context.close()
    wrong = [text for text in complaints if expected is None or expected not in text]
    assert wrong == [], wrong


def violations(page) -> list[str]:
    """What axe-core finds on the page. Open the page with ``bypass_csp``, because it allows no foreign scripts."""
    if not AXE.exists():
        pytest.skip("axe-core is missing: `make lint` installs it where npm is")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


def settled(page) -> None:
    """Wait until the page has processed what it has received, and has been painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def follow(page, action) -> None:
    """Do an action that changes the fragment of the address, and wait until the page has followed it."""
    page.evaluate(
        """() => { window.followed = new Promise((done) => {
            addEventListener("hashchange", () => setTimeout(done), { once: true }); }); }"""
    )
    action()
    page.evaluate("() => window.followed")


def intercept(page, address: str, handle: Callable[[Any], None]) -> None:
    """Route requests of the page, all from the next one on: Chromium lets some by just after the first route."""
    page.route(address, handle)
    if page.url == "about:blank":
        return  # the first page passes through
    probe = "/static/icon.svg?probe"
    page.route(f"**{probe}", lambda route: route.fulfill(body="held"))  # stays: see `hold_next`
    for _ in range(MOST_FRAMES):
        if page.evaluate("(probe) => fetch(probe).then((answer) => answer.text())", probe) == "held":
            break
        settled(page)


def hold_next(page, address: str, action, *, leaves: bool = False, is_answered: bool = False) -> Callable[[], None]:
    """Do an action that sends a request to the address, and hold the request back.

    The returned function lets it pass, and waits for the answer. leaves: after the answer the page is replaced by
    another one.
    is_answered: hold back the answer, which the server gives at once.
    """
    held: list = []
    is_awaited = False

    def keep(route) -> None:  # Playwright accepts only functions written in Python
        nonlocal is_awaited
        if not is_awaited:  # a request of the page's own, before the action or after the held one
            route.fallback()
            return
        is_awaited = False
        held.append((route, route.fetch() if is_answered else None))

    # When a page loses its last route, Playwright lets all its held requests pass. So a route stays until they pass.
    intercept(page, address, keep)
    is_awaited = True
    action()
    for _ in range(MOST_FRAMES):
        if held:
            break
        settled(page)
    assert held, f"the page sends no request to {address}"

    def release() -> None:
        route, answer = held[0]
        with page.expect_response(route.request.url):
            if is_answered:
                route.fulfill(response=answer)
            else:
                route.continue_()
        page.unroute(address, keep)
        if not leaves:
            settled(page)

    return release
