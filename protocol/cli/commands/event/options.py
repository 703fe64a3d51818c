"""The options of `standstill standings` that concern players, groups and the page."""

from __future__ import annotations

import click

from standstill.engine.archive.event.breakdown import PARTS
from standstill.engine.archive.event.groups import GROUPINGS

from ..options import Function
from ..tag import RuleOptions

JOINS = ("spellings", "versions")


class EventOptions(RuleOptions):
    """Values of the options that ``event_options`` adds to a command, and of the options of the rules."""

    goals: bool
    why: tuple[str, str] | None
    alias: tuple[str, ...]
    aliases: str | None
    join: tuple[str, ...]
    groups: str | None
    bracket: bool
    by: str | None
    fair_komi: bool
    page_path: str | None
    where: str | None
    title: str | None


def event_options(function: Function) -> Function:
    """Add the options to a command."""
    options = (
        click.option("--goals", is_flag=True, help="Show the goal of each game in the cross table."),
        click.option("--why", nargs=2, metavar="A B", help="Explain why one of two players ranks above the other."),
        click.option(
            "--alias",
            multiple=True,
            metavar="NAME=OTHER",
            help="Count OTHER as NAME; OTHER may be several names with | between them, * means any characters.",
        ),
        click.option("--aliases", metavar="FILE", help="Read such aliases from FILE, one per line."),
        click.option(
            "--join",
            multiple=True,
            type=click.Choice(JOINS),
            help="Count names that differ in spelling, or in the version of an engine, as one player.",
        ),
        click.option(
            "--groups",
            type=click.Choice(GROUPINGS),
            help="Print a table for each Event tag, Section tag, or group of players connected by games.",
        ),
        click.option("--bracket", is_flag=True, help="Print the matches of a cup by rounds."),
        click.option(
            "--by",
            type=click.Choice(PARTS),
            help="Print each player's results by opening, colour or time control, as CSV.",
        ),
        click.option("--fair-komi", is_flag=True, help="Print the komi that makes each pairing fair, as CSV."),
        click.option("--html", "page_path", metavar="FILE", help="Also write the page of the event to FILE."),
        click.option(
            "--games",
            "where",
            metavar="WHERE",
            help="Where the games of the page open: inside (in the page), or the address of a page of `study --html`.",
        ),
        click.option("--title", help="Title of the HTML page; default: the event."),
    )
    for option in reversed(options):
        function = option(function)
    return function
