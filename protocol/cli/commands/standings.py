"""`standstill standings` prints cross tables of files of games, with the tie-breaks of R-Mobility."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Unpack

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from standstill.engine.archive.event.bracket import bracket
from standstill.engine.archive.event.groups import grouped
from standstill.engine.archive.standings import DEFAULT_ORDER, MOST_CROSSED, Standings, alike
from standstill.engine.archive.standings_text import WORDS, header, rows
from standstill.engine.archive.streams import COMPRESSED, STANDARD, check_apart, open_output
from standstill.engine.common.errors import PgnError
from standstill.engine.common.text import shown, visible
from standstill.engine.variants.boards import named_game

from ..completion_values import criteria
from ..painting import writable
from .event.options import EventOptions, event_options
from .event.page import INSIDE, check_page, page_text, write_page
from .event.players import rename, rules_of
from .event.reader import Reader
from .event.texts import check_kind, cup_text, grid_text, parts, why, written
from .messages import warn
from .options import listed, partial_option, read_besides, tagged_game_options
from .tag import rule_options
from .tag_report import dead_text

FORMATS = ("table", "csv", "json", "markdown", "html", "crosstable")
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
@click.option("--forfeit-points", is_flag=True, help="Give games without moves the R-Mobility points of their result.")
@click.option("--event", multiple=True, help="Count only games of this event; may be given more than once.")
@partial_option
@event_options
@tagged_game_options
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    order: str,
    output: str,
    form: str | None,
    forfeit_points: bool,
    event: tuple[str, ...],
    partial: bool,
    variant: str,
    **chosen: Unpack[EventOptions],
) -> int:
    """Print the standings of a tournament from its games.

    IN are PGN files, plain or compressed (.gz, .bz2, .zst, .xz), or cross tables of cutechess (.json); - is standard
    input.

    Exit status: 0 all games were read, 1 some games could not be read and count by their result alone, 2 a file
    could not be read.
    """
    if variant:
        named_game(variant)  # so that an unknown name is reported once, not for every game
    form = form or form_of(output, "csv" if chosen["by"] or chosen["fair_komi"] else "table")
    check_page(chosen, form)
    check_kind(chosen, form)
    names = rules_of(chosen)
    outputs = {"-o": output, "--html": chosen["page_path"]}
    read_too = (*chosen["syzygy"], *chosen["tables"], *filter(None, [chosen["aliases"]]))
    check_apart((*inputs, *read_besides(*read_too)), outputs)
    reader = Reader(chosen, forfeit_points, variant, event, keeps_texts=chosen["where"] == INSIDE)
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
    rename(reader, names, chosen)
    divided = grouped(reader.outcomes, chosen["groups"]) if chosen["groups"] else [("", reader.outcomes)]
    tables = [(name, Standings(outcomes, listed(order), reader.known)) for name, outcomes in divided or [("", [])]]
    tell(reader, tables, form, is_divided=bool(chosen["groups"] or chosen["bracket"]))
    put(reader, tables, output, form, chosen)
    return 2 if failed else 1 if reader.damaged else 0


def put(reader: Reader, tables: list[tuple[str, Standings]], output: str, form: str, chosen: EventOptions) -> None:
    """Write what the options ask for."""
    cup = bracket(reader.outcomes) if chosen["bracket"] else None
    page = page_text(tables, reader, chosen, cup) if chosen["page_path"] is not None or form == "html" else ""
    if chosen["page_path"] is not None:
        write_page(chosen["page_path"], page)
    if chosen["why"]:
        click.echo(why(tables, chosen["why"]))
    elif (found := parts(tables[0][1], chosen, form)) is not None:
        if form == "table":
            with contextlib.nullcontext() if output == STANDARD else open_output(output) as out:
                show_grid(found, out)
        else:
            write_page(output, grid_text(found, form))
    elif form == "table" and cup is None:
        with contextlib.nullcontext() if output == STANDARD else open_output(output) as out:
            for name, table in tables:
                show(table, chosen["goals"], out, name)
            if reader.komi:
                show_note(reader.komi, out, is_apart=not tables[-1][0])
    else:
        title = chosen["title"] or reader.title
        plain = cup_text(cup, form) if cup else written(tables, form, chosen["goals"], title)
        if form == "markdown" and reader.komi:
            plain += f"\n{reader.komi}\n"
        write_page(output, page if form == "html" else plain)


def tell(reader: Reader, tables: list[tuple[str, Standings]], form: str, *, is_divided: bool) -> None:
    """Report oddities of the tournament as a whole, and what the tables leave out."""
    if len(reader.events) > 1 and not reader.wanted and not is_divided:
        warn(f"games of {len(reader.events)} events are counted as one tournament (see --event and --groups)")
    for _, table in tables:
        for group in alike(table.by_name):
            warn(f"{', '.join(map(shown, group))} differ in spelling and count as {len(group)} players (see --join)")
        if len(table.players) > MOST_CROSSED and form not in ("json", "html"):
            warn(f"{len(table.players)} players are too many for a cross table: only points and tie-breaks are shown")
    if reader.twins:
        others = len(reader.twins) - 1
        more = f", and {others} more duplicates are left out" if others else " and left out"
        warn(reader.twins[0] + more)
    if reader.dead.dead:
        warn(dead_text(reader.dead))
    if not reader.outcomes and not reader.known:
        warn("no finished game to rank")
    for count, kind in ((reader.unfinished, "unfinished"), (reader.nameless, "nameless")):
        if count:
            warn(f"{count} {kind} {'game is' if count == 1 else 'games are'} left out")


def form_of(path: str, otherwise: str = "table") -> str:
    """The format by the extension of the file, ignoring one for compression. otherwise: for other extensions."""
    *_, before, last = ("", "", *(suffix.lower() for suffix in Path(path).suffixes))
    return _BY_SUFFIX.get(before if last in COMPRESSED else last, otherwise)


def pictures(table: Standings, width: int, goals: bool = False, form: Callable[[str], str] = writable) -> list[Table]:
    """The table for a terminal of this width: in parts, one below the other, if it is too wide for one.

    form: makes each cell fit the encoding of the output.
    """
    head, *lines = [[form(cell) for cell in line] for line in (header(table), *rows(table, goals))]
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
        found.add_column(name, justify="left" if name in WORDS else "right", no_wrap=True)
    for line in zip(*(column[1:] for column in columns), strict=True):
        found.add_row(*line)
    return found


def show(table: Standings, goals: bool = False, out: BinaryIO | None = None, name: str = "") -> None:
    """Print the table in parts on a terminal, or in one piece to a file or pipe.

    out: another file. name: the name of the group, printed above its table.
    """
    with _console(out) as console:
        form = writable if out is None else str
        parts = pictures(table, console.width if console.is_terminal else _NO_EDGE, goals, form)
        # Never clip: the terminal wraps lines that are still too wide.
        console.width = _NO_EDGE
        if name:
            console.print(visible(name), style="bold")
        for number, part in enumerate(parts):
            if number:
                console.print()
            console.print(part)
        if name:
            console.print()


def show_note(text: str, out: BinaryIO | None, *, is_apart: bool) -> None:
    """Print a sentence below the table. is_apart: whether a blank line precedes it."""
    with _console(out) as console:
        console.width = _NO_EDGE
        console.print(f"\n{text}" if is_apart else text)


def show_grid(found: list[list[str]], out: BinaryIO | None = None) -> None:
    """Print rows of cells as one table. The first row has the titles."""
    form = writable if out is None else str
    with _console(out) as console:
        console.width = _NO_EDGE
        console.print(_picture([[form(cell) for cell in column] for column in zip(*found, strict=True)]))


@contextlib.contextmanager
def _console(out: BinaryIO | None) -> Iterator[Console]:
    """A console on a file, or on standard output. The file stays open."""
    file = None if out is None else io.TextIOWrapper(out, "utf-8", write_through=True)
    yield Console(highlight=False, markup=False, soft_wrap=True, file=file)
    if file is not None:
        file.detach()
