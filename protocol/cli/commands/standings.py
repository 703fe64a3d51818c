"""`standstill standings` prints cross tables of files of games, with the tie-breaks of R-Mobility."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import BinaryIO, Unpack

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from standstill.engine.archive.event.reasons import Reasons
from standstill.engine.archive.standings import DEFAULT_ORDER, MOST_CROSSED, Standings, alike, name_of
from standstill.engine.archive.standings_text import as_csv, as_json, as_markdown, header, rows
from standstill.engine.archive.streams import COMPRESSED, STANDARD, check_apart, open_output
from standstill.engine.common.errors import PgnError
from standstill.engine.common.text import shown
from standstill.engine.variants.boards import named_game

from ..completion_values import criteria
from .event.page import INSIDE, check_games, page_text, write_page
from .event.reader import Reader
from .messages import warn
from .options import listed, partial_option, read_besides, tagged_game_options
from .tag import RuleOptions, rule_options
from .tag_report import dead_text

FORMATS = ("table", "csv", "json", "markdown", "html")
_FIXED = 2  # columns that are repeated in every part: rank and player
_GAP = 2  # blanks between columns
_NO_EDGE = 100_000  # characters
_BY_SUFFIX = {".csv": "csv", ".json": "json", ".md": "markdown", ".html": "html", ".htm": "html"}


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option(
    "--order",
    default=",".join(DEFAULT_ORDER),
    show_default=True,
    shell_complete=criteria,
    help="Ranking criteria, from points, direct, rmobility, sb, wins, blackwins, koya, rm-lex, wg.",
)
@click.option("-o", "--output", default=STANDARD, metavar="OUT", help="File to write; default: standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Output format; default: by the extension of OUT, or a table.",
)
@click.option("--forfeit-points", is_flag=True, help="Give R-Mobility points by the result to games without moves.")
@click.option("--event", multiple=True, help="Count only games of this event; may be given more than once.")
@click.option("--goals", is_flag=True, help="Show the goal of each game in the cross table.")
@click.option("--why", nargs=2, metavar="PLAYER PLAYER", help="Say why one of two players stands above the other.")
@partial_option
@click.option("--html", "page_path", metavar="FILE", help="Also write the page of the event to FILE.")
@click.option(
    "--games",
    "where",
    metavar="WHERE",
    help="Where the games of the page open: inside (in the page), or the address of a page of `study --html`.",
)
@click.option("--title", help="Title of the HTML page; default: the event.")
@tagged_game_options
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    order: str,
    output: str,
    form: str | None,
    forfeit_points: bool,
    event: tuple[str, ...],
    goals: bool,
    why: tuple[str, str] | None,
    partial: bool,
    page_path: str | None,
    where: str | None,
    title: str | None,
    variant: str,
    **chosen: Unpack[RuleOptions],
) -> int:
    """Print the standings of a tournament from its games.

    IN are PGN files, plain or compressed (.gz, .bz2, .zst, .xz); - is standard input.

    Exit status: 0 all games were read, 1 some games could not be read and count by their result alone, 2 a file
    could not be read.
    """
    if variant:
        named_game(variant)  # so that an unknown name is reported once, not for every game
    form = form or form_of(output)
    for option, value in (("--title", title), ("--games", where)):
        if value is not None and form != "html" and page_path is None:
            raise click.UsageError(f"{option} needs --html, --format html or -o NAME.html, found {form}")
    check_games(where)
    outputs = {"-o": output, "--html": page_path}
    check_apart((*inputs, *read_besides(*chosen["syzygy"], *chosen["tables"])), outputs)
    reader = Reader(chosen, forfeit_points, variant, event, keeps_texts=where == INSIDE)
    failed = 0
    for path in inputs:
        try:
            reader.read(path)
        except PgnError as error:
            if output != STANDARD and not partial:
                raise PgnError(f"{error}; nothing is written to {shown(output)} (see --partial)") from None
            failed += 1
            warn(str(error))
    if failed and not reader.outcomes and not reader.unfinished and output == STANDARD:
        return 2  # the error is already reported, and an empty table would look like a result
    reader.check_event()
    table = Standings(reader.outcomes, listed(order))
    tell(reader, table, form)
    page = ""
    if page_path is not None or form == "html":
        page = page_text(title or reader.title or "Standings", table, reader, where, goals)
    if page_path is not None:
        write_page(page_path, page)
    if why:
        click.echo(Reasons(table).between(*map(name_of, why)).text)
    elif form == "table":
        with contextlib.nullcontext() if output == STANDARD else open_output(output) as out:
            show(table, goals, out)
    else:
        write_page(output, page if form == "html" else written(table, form, goals))
    return 2 if failed else 1 if reader.damaged else 0


def tell(reader: Reader, table: Standings, form: str) -> None:
    """Report oddities of the tournament as a whole, and what the table leaves out."""
    if len(reader.events) > 1 and not reader.title and not reader.wanted:
        warn(f"games of {len(reader.events)} events are counted as one tournament (see --event)")
    for group in alike(table.by_name):
        warn(f"{', '.join(map(shown, group))} differ in spelling and count as {len(group)} players")
    if len(table.players) > MOST_CROSSED and form != "json":
        warn(f"{len(table.players)} players are too many for a cross table: only points and tie-breaks are shown")
    if reader.twins:
        others = len(reader.twins) - 1
        more = f", and {others} more duplicates are left out" if others else " and left out"
        warn(reader.twins[0] + more)
    if reader.dead.dead:
        warn(dead_text(reader.dead))
    for count, kind in ((reader.unfinished, "unfinished"), (reader.nameless, "nameless")):
        if count:
            warn(f"{count} {kind} {'game is' if count == 1 else 'games are'} left out")


def form_of(path: str) -> str:
    """The format by the extension of the file, ignoring one for compression."""
    *_, before, last = ("", "", *(suffix.lower() for suffix in Path(path).suffixes))
    return _BY_SUFFIX.get(before if last in COMPRESSED else last, "table")


def written(table: Standings, form: str, goals: bool) -> str:
    if form == "csv":
        return as_csv(table, goals)
    return as_json(table) if form == "json" else as_markdown(table, goals)


def pictures(table: Standings, width: int, goals: bool = False) -> list[Table]:
    """The table for a terminal of this width: in parts, one below the other, if it is too wide for one."""
    head, lines = header(table), rows(table, goals)
    columns = [[name, *(line[at] for line in lines)] for at, name in enumerate(head)]
    sizes = [max(map(cell_len, column)) + _GAP for column in columns]
    parts: list[list[int]] = [[]]
    for at in range(_FIXED, len(head)):
        used = sum(sizes[:_FIXED]) + sum(sizes[other] for other in parts[-1])
        if parts[-1] and used + sizes[at] > width:
            parts.append([])
        parts[-1].append(at)
    return [_picture([columns[at] for at in (*range(_FIXED), *part)]) for part in parts]


def _picture(columns: list[list[str]]) -> Table:
    found = Table(box=None, padding=(0, 1))
    for name, *_ in columns:
        found.add_column(name, justify="left" if name == "Player" else "right", no_wrap=True)
    for line in zip(*(column[1:] for column in columns), strict=True):
        found.add_row(*line)
    return found


def show(table: Standings, goals: bool = False, out: BinaryIO | None = None) -> None:
    """Print the table in parts on a terminal, or in one piece to a file or pipe. out: another file."""
    file = None if out is None else io.TextIOWrapper(out, "utf-8", write_through=True)
    console = Console(highlight=False, markup=False, soft_wrap=True, file=file)
    parts = pictures(table, console.width if console.is_terminal else _NO_EDGE, goals)
    # Never clip: the terminal wraps lines that are still too wide.
    console.width = _NO_EDGE
    for number, part in enumerate(parts):
        if number:
            console.print()
        console.print(part)
