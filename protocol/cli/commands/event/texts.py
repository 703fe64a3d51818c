"""Standings of groups, brackets and reasons as text."""

from __future__ import annotations

import json

import click

from standstill.engine.archive.event.bracket import BY_MOBILITY, BY_PROGRESS, Bracket, Match
from standstill.engine.archive.event.reasons import Reasons
from standstill.engine.archive.standings import Standings, name_of
from standstill.engine.archive.standings_text import as_csv, as_json, as_markdown, csv_header, csv_text, rows, short
from standstill.engine.common.errors import ConfigError
from standstill.engine.common.text import visible

from .options import EventOptions

_BY = {BY_MOBILITY: ", by R-Mobility", BY_PROGRESS: ", advanced"}


def written(tables: list[tuple[str, Standings]], form: str, goals: bool) -> str:
    """Return the tables as CSV, JSON or Markdown. Groups are a column, a list, or headings."""
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
        for row in rows(table, goals):
            lines.append([visible(name), *row, *[""] * (len(heads) - len(row))])
    return csv_text(lines)


def why(tables: list[tuple[str, Standings]], names: tuple[str, str]) -> str:
    """Return the reason for the order of two players of one table."""
    one, other = map(name_of, names)
    problem: ConfigError | None = None
    for _, table in tables:
        try:
            return Reasons(table).between(one, other).text
        except ConfigError as error:
            problem = problem or error
    raise problem or ConfigError("expected games, found none")


def check_bracket(chosen: EventOptions, form: str) -> None:
    """Raise UsageError for options and formats that a bracket does not go with."""
    if not chosen["bracket"]:
        return
    if form not in ("table", "json", "html"):
        raise click.UsageError(f"expected --bracket with a table, json or html, found {form}")
    if chosen["groups"]:
        raise click.UsageError("expected --bracket or --groups, found both")


def cup_text(cup: Bracket, form: str) -> str:
    """Return a bracket as lines, one for each match, or as JSON."""
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
