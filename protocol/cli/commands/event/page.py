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
    from standstill.engine.archive.event.bracket import Bracket
    from standstill.engine.archive.standings import Standings
    from standstill.engine.web.event.page import Games

    from .options import EventOptions
    from .reader import Reader

    Tables = list[tuple[str, Standings]]

INSIDE = "inside"
_SCHEMES = ("http://", "https://", "file://")
_MOST_INSIDE = 5000  # maximum number of games; each one adds some 5 kB to the page


def check_page(chosen: EventOptions, form: str) -> None:
    """Raise UsageError for options of the page without a page, or with values that the page cannot use."""
    where = chosen["where"]
    for option, value in (("--title", chosen["title"]), ("--games", where)):
        if value is not None and form != "html" and chosen["page_path"] is None:
            raise click.UsageError(f"{option} needs --html, --format html or -o NAME.html, found {form}")
    if where is None or where == INSIDE:
        return
    if "#" in where:
        raise click.UsageError(f"expected --games with an address without #, found {shown(where)}")
    if not where.startswith(_SCHEMES) and not where.endswith((".html", ".htm")):
        raise click.UsageError(f"expected --games inside, NAME.html or an address (http://...), found {shown(where)}")


def page_text(tables: Tables, reader: Reader, chosen: EventOptions, cup: Bracket | None) -> str:
    """Return the page. tables: (name, standings) of each group."""
    from standstill.engine.web.event.page import Group, page

    groups = [
        Group(table, name, note(table, reader.scoring, reader.unfinished, reader.nameless, is_rounded=True))
        for name, table in tables
    ]
    title = chosen["title"] or reader.title or "Standings"
    return page(title, groups, _games(reader, tables, chosen["where"]), chosen["goals"], cup)


def write_page(path: str, text: str) -> None:
    with open_output(path) as out:
        out.write(text.encode())


def _games(reader: Reader, tables: Tables, where: str | None) -> Games:
    from standstill.engine.web.event.page import Games
    from standstill.engine.web.study.score import study

    if where is None:
        return Games()
    if where != INSIDE:
        return Games(address=where)
    numbers = sorted(game.facts.number for _, table in tables for game in table.outcomes if game.facts.plies)
    if len(numbers) > _MOST_INSIDE:
        raise PgnError(f"expected at most {_MOST_INSIDE} games for --games inside, found {len(numbers)}")
    found = []
    for number in numbers:
        try:
            game = study(number, (reader.texts or {})[number])
            game["text"] = ""  # the text is long, and useless without a server
            found.append(game)
        except PgnError as error:
            warn(f"left out of the page: {error}")
    return Games(inside=tuple(found))
