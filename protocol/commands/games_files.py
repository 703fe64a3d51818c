"""`standstill games import`, `export`, `calendar`: files in, files out."""

import sys

import click

from engine.clock.instants import find_zone, parse_instant
from engine.errors import StandstillError, StoreError

from .games import open_desk, warn

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


def write(text: str, output: str | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    from engine.files import write_whole

    write_whole(output, text)


COMMANDS = {"import": import_, "export": export}
