"""`standstill games import`, `export`, `calendar`: files in, files out."""

import click

from engine.clock.instants import find_zone, now_ms, parse_instant
from engine.correspondence.listing import listing
from engine.errors import StandstillError, StoreError

from .games import open_desk, open_store, warn

zone_option = click.option("--tz", "zone", help="Time zone of the stamps; UTC if not given.")
output_option = click.option("-o", "--output", metavar="FILE", help="Where to write; standard output if not given.")


@click.command("import")
@click.argument("file")
@click.option("--control", metavar="CLOCK", help="Clock of the games, if their tags do not tell.")
@click.option("--start", metavar="INSTANT", help="When White's clocks started; else each game's date.")
@click.option("--me", metavar="NAME", help="Your name, or a part of it, as it stands in the file.")
@click.option("--prefix", default="", help="Put before the names under which the games are kept.")
@zone_option
@click.pass_obj
def import_(path, file, control, start, me, prefix, zone) -> int:  # noqa: PLR0917 (by name)
    """Keep the games of a PGN file, with stamps [%ccsnt DATE,TIME] or clocks [%clk], [%bank].

    A game that is kept already gets its new moves. What cannot be imported is named, and the others are.
    """
    from engine.correspondence.pgn import read_games
    from engine.correspondence.transfer import ImportOptions, import_game, parse_control_option

    where = find_zone(zone or "UTC")
    options = ImportOptions(
        control=parse_control_option(control),
        start_ms=None if start is None else parse_instant(start, where),
        me=me,
        prefix=prefix,
        zone=where,
    )
    games = list(read_games(file, where))
    if not games:
        raise click.UsageError(f"expected games in {file}, found none")
    desk = open_desk(path, create=True)
    status = 0
    for game in games:
        try:
            name, done = import_game(desk, game, options)
        except StoreError:
            raise
        except StandstillError as error:
            warn(f"{file}, game {game.number}: {error}")
            status = 2
        else:
            click.echo(f"{name}: {done}")
    return status


@click.command()
@click.argument("names", nargs=-1)
@output_option
@click.pass_obj
def export(path: str | None, names: tuple[str, ...], output: str | None) -> None:
    """Write games as PGN with their clocks: those named, or all."""
    from engine.correspondence.pgn import write_game

    desk = open_desk(path)
    games = [desk.load(name) for name in names or desk.names()]
    write("\n".join(write_game(game) for game in games), output)


@click.command()
@click.option("--all", "everything", is_flag=True, help="The opponents' deadlines as well.")
@output_option
@click.pass_obj
def calendar(path: str | None, everything: bool, output: str | None) -> None:
    """Write the deadlines as an iCalendar file, with reminders 7, 3 and 1 days before."""
    from engine.correspondence.deadlines import calendar as make

    now = now_ms()
    with open_store(path) as store:
        entries = listing(store, now)
    write(make(entries, now, not everything), output)


@click.command()
@click.option("--event", help="Games of that event alone.")
@click.option("--order", help="Tie-breaks, such as points,direct,rmobility,sb,wins.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@output_option
@click.pass_obj
def standings(path, event, order, as_json, output) -> None:
    """Print the standings of the games that have ended, with tie-breaks of R-Mobility where games were drawn."""
    from engine.correspondence.table import standings as make

    names = None if order is None else tuple(name.strip() for name in order.split(",") if name.strip())
    table = make(open_desk(path), event, names)
    from engine.rmobility.standings_text import as_json as json_text
    from engine.rmobility.standings_text import header, rows

    if as_json:
        write(json_text(table).rstrip("\n") + "\n", output)
        return
    lines = [header(table), *rows(table)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    write("\n".join(line.rstrip() for line in text.splitlines()) + "\n", output)


def write(data: str | bytes, output: str | None) -> None:
    """Bytes go out as they are: iCalendar has line ends of its own."""
    if output is None:
        click.echo(data, nl=False)
        return
    from engine.files import write_whole

    write_whole(output, data)


COMMANDS = {"import": import_, "export": export, "calendar": calendar, "standings": standings}
