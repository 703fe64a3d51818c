"""`standstill games import`, `export`, `calendar`, `standings`: reading and writing files."""

from __future__ import annotations

import click

from standstill.engine.clock.instants import now_ms, parse_instant
from standstill.engine.common.errors import StoreError
from standstill.engine.correspondence.listing import listing
from standstill.engine.correspondence.store import damage_named

from ...completion_values import criteria
from ...painting import cells, in_cells, writable
from ..messages import tell, warn
from ..options import listed
from . import json_option, open_desk, open_store, zone_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.correspondence.store import Store

zone_option = click.option("--tz", "zone", help="Time zone of the stamps; default: UTC.")
output_option = click.option("-o", "--output", metavar="FILE", help="File to write; default: standard output.")


@click.command("import")
@click.argument("file")
@click.option("--control", metavar="CLOCK", help="Clock of the games, if their tags do not give it.")
@click.option("--start", metavar="INSTANT", help="Instant at which White's clocks started; default: each game's date.")
@click.option("--me", metavar="NAME", help="Your name in the file, or part of it.")
@click.option("--prefix", default="", help="Text to put before the names of the stored games.")
@zone_option
@click.pass_obj
def import_(  # noqa: PLR0917 (by name)
    path: str | None,
    file: str,
    control: str | None,
    start: str | None,
    me: str | None,
    prefix: str,
    zone: str | None,
) -> int:
    """Store the games of a PGN file with time stamps or clocks.

    The times are stamps [%ccsnt DATE,TIME] or clocks [%clk] and [%bank]. A game that is already stored gets its new
    moves. A game is recognised by its server and id; in a file written by `export` by name, clock and start;
    otherwise by full names, event, date and the moves so far. A game that cannot be imported, or matches several
    stored games, is reported and left out. An instant that the file does not give is marked as unknown.
    """
    from standstill.engine.correspondence.pgn import read_games
    from standstill.engine.correspondence.transfer import ImportOptions, import_games, parse_control_option

    where = zone_of(zone or "UTC")
    options = ImportOptions(
        control=parse_control_option(control),
        start_ms=None if start is None else parse_instant(start, where),
        me=me,
        prefix=prefix,
        zone=where,
    )
    problems: list[str] = []
    games = list(read_games(file, where, problems.append, on_note=warn))
    if not games and not problems:
        raise click.UsageError(f"expected games in {file}, found none")
    for text in problems:
        warn(text)
    status = 2 if problems else 0
    if not games:
        return status
    desk = open_desk(path, create=True)
    for game, done, problem in import_games(desk, games, options):
        if problem:
            warn(f"{file}, game {game.number}: {problem}")
            status = 2
        else:
            tell(done)
    return status


@click.command()
@click.argument("names", nargs=-1)
@output_option
@click.pass_obj
def export(path: str | None, names: tuple[str, ...], output: str | None) -> int:
    """Write games as PGN with their clocks and their whole log.

    The games are NAMES, or all games. `import` reads them back unchanged.
    """
    from standstill.engine.correspondence.pgn import write_game
    from standstill.engine.correspondence.remarks.kept import remarks_of

    desk = open_desk(path, reading=True)
    texts, status = [], 0
    for name in names or desk.names():
        try:
            game = desk.load(name)
            with damage_named(desk.store, name):
                texts.append(write_game(game, remarks=remarks_of(desk, game.head.id)))
        except StoreError as error:
            warn(str(error))
            status = 2
    if texts or not status:
        write("\n".join(texts), output, desk.store)
    return status


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also write the opponents' deadlines.")
@output_option
@click.pass_obj
def calendar(path: str | None, everything: bool, output: str | None) -> int:
    """Write the deadlines as an iCalendar file with reminders.

    The reminders are 7, 3 and 1 days before each deadline. When a calendar program reads a later file, it moves the
    events, and removes events that no longer apply.
    """
    from standstill.engine.correspondence.deadlines import calendar as make
    from standstill.engine.correspondence.deadlines import has_event

    now = now_ms()
    problems: list[str] = []
    with open_store(path, reading=True) as store:
        entries = listing(store, now, everything=True, on_damage=problems.append)
        forgotten = [(row["uid"], row["name"]) for row in store.rows("SELECT uid, name FROM forgotten ORDER BY uid")]
    for entry in entries:
        if entry.own_turn and not has_event(entry, now, True):
            warn(f"{entry.name}: the time on your clock is unknown, so its deadline is missing: use `correct`")
    write(make(entries, now, not everything, forgotten), output, store)
    for text in problems:
        warn(text)
    return 2 if problems else 0


@click.command()
@click.option("--event", help="Count only games of this event.")
@click.option("--order", shell_complete=criteria, help="Ranking criteria, such as points,direct,rmobility,sb,wins.")
@json_option
@output_option
@click.pass_obj
def standings(path: str | None, event: str | None, order: str | None, as_json: bool, output: str | None) -> int:
    """Print the standings of the games that have ended.

    Drawn games count for the tie-breaks of R-Mobility.
    """
    from standstill.engine.archive.standings_text import as_json as json_text
    from standstill.engine.archive.standings_text import header, rows
    from standstill.engine.correspondence.standings import standings as make

    desk = open_desk(path, reading=True)
    problems: list[str] = []
    table, komi = make(desk, event, None if order is None else listed(order), problems.append)
    if as_json:
        text = json_text(table).rstrip("\n")
    else:
        form = writable if output is None else str
        lines = [[form(cell) for cell in line] for line in (header(table), *rows(table))]
        widths = [max(map(cells, column)) for column in zip(*lines, strict=True)]
        padded = ["  ".join(map(in_cells, line, widths)) for line in lines]
        text = "\n".join([*(line.rstrip() for line in padded), *(["", komi] if komi else [])])
    if output is None and not as_json:
        click.echo(text)
    else:
        write(text + "\n", output, desk.store)
    for problem in problems:
        warn(problem)
    return 2 if problems else 0


def write(data: str | bytes, output: str | None, store: Store) -> None:
    """Write the data unchanged: iCalendar has its own line ends, and games may hold control characters.

    Raises an error instead of replacing the store that the data come from.
    """
    if output is None:
        click.echo(data.encode() if isinstance(data, str) else data, nl=False)
        return
    from standstill.engine.archive.streams import check_apart
    from standstill.engine.common.atomic_files import write_whole

    check_apart(store.files, {"-o": output})
    write_whole(output, data)


COMMANDS = {"import": import_, "export": export, "calendar": calendar, "standings": standings}
