"""`standstill games`: a player's running correspondence games."""

import importlib
import sys

import click

# Module of each subcommand, so that none pays for the others' imports: a list of all games is asked for every day.
_MODULES = {
    "games_edit": ("new", "move", "opponent", "refill", "claim", "replace", "correct", "result", "remove"),
    "games_list": ("list", "show", "check", "backup"),
    "games_analyse": ("analyse", "compare"),
    "games_files": ("import", "export", "calendar", "standings"),
    "games_server": ("fetch", "send"),
}
_ORDER = tuple(name for names in _MODULES.values() for name in names)


class Subcommands(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(_ORDER)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        for module, names in _MODULES.items():
            if name in names:
                return importlib.import_module(f".{module}", __package__).COMMANDS[name]
        return None


@click.command(cls=Subcommands)
@click.option(
    "--store",
    metavar="FILE",
    help="Where the games are kept (default: $STANDSTILL_STORE, else in the user's data directory).",
)
@click.pass_context
def command(context: click.Context, store: str | None) -> None:
    """Keep correspondence games: whose move it is, what the clocks show, until when to move or refill.

    Clocks are Triple Block (50/75/1, D350), moves in days (10/50), Fischer (10+3) or days a move (5/move). Instants are
    read in the time zone given by --tz, else the system's; without --at an act happens now.
    """
    context.obj = store


def open_store(path: str | None, *, create: bool = False):
    from engine.correspondence.store import Store, default_path

    return Store(path if path is not None else default_path(), create=create)


def open_desk(path: str | None, *, create: bool = False):
    """A context manager would hide nothing here: the store closes with the process."""
    from engine.correspondence.desk import Desk

    return Desk(open_store(path, create=create), warn)


def warn(text: str) -> None:
    sys.stdout.flush()
    click.echo(f"standstill: {text}", err=True)
