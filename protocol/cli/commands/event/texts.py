"""Standings of groups, brackets and reasons as text."""

from __future__ import annotations

import json

import click

from standstill.engine.archive.event.bracket import BY_ARMAGEDDON, BY_MOBILITY, BY_PROGRESS, Bracket, Match
from standstill.engine.archive.event.breakdown import breakdown
from standstill.engine.archive.event.crosstable import as_crosstable
from standstill.engine.archive.event.fair_komi import komi_table
from standstill.engine.archive.event.reasons import Reasons
from standstill.engine.archive.standings import Standings, name_of
from standstill.engine.archive.standings_text import (
    WORDS,
    as_csv,
    as_json,
    as_markdown,
    csv_cell,
    csv_header,
    csv_text,
    markdown_text,
    rows,
    short,
)
from standstill.engine.common.errors import ConfigError
from standstill.engine.common.text import visible

from .options import EventOptions

_KEYS = {"%": "percent", "R-Mobility": "rmobility"}  # of JSON
_GOALS = {"Komi", "From", "To"}  # titles of columns with goals
_BY = {BY_ARMAGEDDON: ", by draw odds", BY_MOBILITY: ", by R-Mobility", BY_PROGRESS: ", advanced"}


def written(tables: list[tuple[str, Standings]], form: str, goals: bool, event: str = "") -> str:
    """Return the tables as CSV, JSON, Markdown or a cross table of cutechess.

    Depending on the format, groups become a column, a list, or headings.

    event: the name of the event, for a cross table.
    """
    if form == "crosstable":
        return as_crosstable(tables[0][1], event)
    if len(tables) == 1 and not tables[0][0]:
        table = tables[0][1]
        return (
            as_csv(table, goals) if form == "csv" else as_json(table) if form == "json" else as_markdown(table, goals)
        )
    if form == "json":
        groups = [f'{{"group": {json.dumps(name)}, "standings": {as_json(table).strip()}}}' for name, table in tables]
        return f"[{','.join(groups)}]\n"
    if form == "markdown":
        return "\n".join(f"## {visible(name)}\n\n{as_markdown(table, goals)}" for name, table in tables)
    heads = max((csv_header(table) for _, table in tables), key=len, default=[])
    lines = [["Group", *heads]]
    for name, table in tables:
        for row in rows(table, goals, csv_cell):
            lines.append([visible(name), *row, *[""] * (len(heads) - len(row))])
    return csv_text(lines)


def why(tables: list[tuple[str, Standings]], names: tuple[str, str]) -> str:
    """Return the reason why one of two players ranks above the other in a table."""
    one, other = map(name_of, names)
    problem: ConfigError | None = None
    for _, table in tables:
        try:
            return Reasons(table).between(one, other).text
        except ConfigError as error:
            problem = problem or error
    raise problem or ConfigError("expected games, found none")


def check_kind(chosen: EventOptions, form: str) -> None:
    """Raise UsageError if options ask for several things, or for a format that does not suit them."""
    names = ("bracket", "groups", "by", "fair_komi", "why")
    asked = ["--" + name.replace("_", "-") for name in names if chosen[name]]  # type: ignore[literal-required]
    others = [name for name in asked if name not in ("--groups", "--why")]
    if len(others) > 1 or (others and len(asked) > 1):
        raise click.UsageError(f"expected one of these options, found {' and '.join(asked)}")
    plain = ("table", "csv", "json", "markdown")
    forms = {"--bracket": ("table", "json", "html"), "--by": plain, "--fair-komi": plain}
    for name in others:
        if form not in forms[name]:
            raise click.UsageError(f"expected {name} with one of the formats {', '.join(forms[name])}, found {form}")
    if form == "crosstable" and asked:
        raise click.UsageError(f"expected the format crosstable without other outputs, found {asked[0]}")


def parts(table: Standings, chosen: EventOptions, form: str) -> list[list[str]] | None:
    """Return the rows of --by or --fair-komi; the first row has the titles. None without them."""
    if chosen["by"]:
        return breakdown(table, chosen["by"])
    return komi_table(table, signed=form != "csv") if chosen["fair_komi"] else None


def grid_text(found: list[list[str]], form: str) -> str:
    """Return rows as CSV, JSON (an object for each, an empty cell as null) or Markdown."""
    head, *lines = found
    if form == "csv":
        return csv_text(found)
    if form == "markdown":
        return markdown_text(head, lines)
    keys = [_KEYS.get(title, title.lower()) for title in head]
    texts = [title in WORDS or title in _GOALS for title in head]
    rows_ = [
        {
            key: cell or None if is_text else json.loads(cell or "null")
            for key, cell, is_text in zip(keys, line, texts, strict=True)
        }
        for line in lines
    ]
    return json.dumps(rows_, indent=1) + "\n"


def cup_text(cup: Bracket, form: str) -> str:
    """Return the bracket of a cup as lines, one for each match, or as JSON."""
    rounds = [(name, [match for match in matches if match is not None]) for name, matches in cup.rounds]
    if cup.others:
        rounds.append(("Third place" if len(cup.others) == 1 else "Other matches", cup.others))
    if form == "json":
        found = [{"round": name, "matches": [_fields(match) for match in matches]} for name, matches in rounds]
        return json.dumps(found, indent=1) + "\n"
    return "\n".join(f"{name}\n" + "".join(f"  {_line(match)}\n" for match in matches) for name, matches in rounds)


def _line(match: Match) -> str:
    first, second = map(visible, match.players)
    points = match.points
    winner = "" if match.winner is None else f": {visible(match.players[match.winner])}{_BY.get(match.by, '')}"
    return f"{first} - {second}  {short(points[0])}-{short(points[1])}{winner}"


def _fields(match: Match) -> dict[str, object]:
    return {
        "players": list(match.players),
        "points": [short(points) for points in match.points],
        "rmobility": [str(points) for points in match.mobility],
        "winner": None if match.winner is None else match.players[match.winner],
        "by": match.by or None,
        "games": [game.facts.number for game in match.games],
    }
