"""Writes the page of an event."""

from __future__ import annotations

import click

from standstill.engine.archive.standings_text import note
from standstill.engine.archive.streams import open_output
from standstill.engine.common.errors import PgnError
from standstill.engine.common.text import shown

from ..messages import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.archive.standings import Standings
    from standstill.engine.web.event.page import Games

    from .reader import Reader

INSIDE = "inside"
_SCHEMES = ("http://", "https://", "file://")
_MOST_INSIDE = 5000  # games; the page has some 5 kB for each


def check_games(where: str | None) -> None:
    """Raise UsageError unless --games has a value that a page can use."""
    if where is None or where == INSIDE:
        return
    if "#" in where:
        raise click.UsageError(f"expected --games with an address without #, found {shown(where)}")
    if not where.startswith(_SCHEMES) and not where.endswith((".html", ".htm")):
        raise click.UsageError(f"expected --games inside, NAME.html or an address (http://...), found {shown(where)}")


def page_text(title: str, table: Standings, reader: Reader, where: str | None, goals: bool) -> str:
    """Return the page. where: the value of --games."""
    from standstill.engine.web.event.page import Group, page

    text = note(table, reader.scoring, reader.unfinished, reader.nameless, is_rounded=True)
    return page(title, [Group(table, "", text)], _games(reader, table, where), goals)


def write_page(path: str, text: str) -> None:
    with open_output(path) as out:
        out.write(text.encode())


def _games(reader: Reader, table: Standings, where: str | None) -> Games:
    from standstill.engine.web.event.page import Games
    from standstill.engine.web.study.score import study

    if where is None:
        return Games()
    if where != INSIDE:
        return Games(address=where)
    numbers = [outcome.facts.number for outcome in table.outcomes if outcome.facts.plies]
    if len(numbers) > _MOST_INSIDE:
        raise PgnError(f"expected at most {_MOST_INSIDE} games for --games inside, found {len(numbers)}")
    found = []
    for number in numbers:
        try:
            game = study(number, (reader.texts or {})[number])
            game["text"] = ""  # of no use without a server, and long
            found.append(game)
        except PgnError as error:
            warn(f"left out of the page: {error}")
    return Games(inside=tuple(found))
