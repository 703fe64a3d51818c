"""The Triple Block clock in XBoard's protocol, which has no command for it."""

from __future__ import annotations

import re
from collections.abc import Callable

from standstill.engine.settings.table import OPTIONS
from tests.uci.client import Client
from tests.xboard.support import options, pong


def moves_counted(lines: list[str]) -> list[int]:
    """The number of the next move in every comment about the clock."""
    return [int(found[1]) for line in lines if (found := re.match(r"# tripleblock clock .* move (\d+) total", line))]


def test_the_options_are_declared(start: Callable[..., Client]) -> None:
    declared = {tuple(text.split()[:2]) for text in options(start())}
    wanted = {(spec.name, f"-{spec.kind}") for spec in OPTIONS if spec.name.startswith("TripleBlock")}
    assert len(wanted) == 4 and wanted <= declared


def test_it_plays_on_the_clock(xboard: Client) -> None:
    xboard.send("option TripleBlock=50/75/1", "sd 1", "st 0.05")
    for number, move in ((2, "e2e4"), (3, "d2d4")):
        lines = xboard.ask(f"usermove {move}", "move")
        assert moves_counted(lines) == [number]


def test_it_is_told_about_bad_text_and_refills(xboard: Client) -> None:
    xboard.send("option TripleBlock=rubbish")
    (line,) = pong(xboard)
    assert line.startswith("tellusererror TripleBlock: expected")
    xboard.send("option TripleBlock=2/75/1@17", "sd 1")
    assert [
        line
        for line in xboard.ask("usermove e2e4", "move")
        if line.startswith("telluser tripleblock refill 48d before")
    ]


def test_it_forgets_a_search_that_was_given_up(xboard: Client) -> None:
    xboard.send("option TripleBlock=50/75/1", "st 30", "usermove e2e4", "force")
    assert moves_counted(pong(xboard)) == []
