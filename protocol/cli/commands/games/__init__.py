"""`standstill games` keeps a player's running correspondence games."""

from __future__ import annotations

import importlib

import click

from ...sections import SectionedGroup
from .. import options
from ..messages import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

    from standstill.engine.correspondence.desk import Desk
    from standstill.engine.correspondence.store import Store

# The module of each subcommand. Only the one in use is imported, so that `list`, used every day, starts fast.
_MODULES = {
    "edit": ("new", "move", "opponent", "refill", "claim", "replace", "correct", "result", "remove"),
    "note": ("note",),
    "amend": ("edit", "enter", "banks", "restore", "team"),
    "list": ("list",),
    "show": ("show", "check", "backup"),
    "analyse": ("analyse", "compare"),
    "transfer": ("import", "export", "calendar", "standings"),
    "planner": ("away", "plan", "remind"),
    "server": ("fetch", "send", "account"),
}
json_option = options.json_option("Print JSON.")
zone_option = click.option("--tz", "zone", help="Time zone of the instants shown; default: the system's.")

_SECTIONS = {
    "At a glance": ("list", "show", "team", "away", "plan", "calendar", "remind"),
    "Games": ("new", "edit", "result", "remove"),
    "Moves and clocks": ("move", "opponent", "enter", "refill", "claim", "replace", "correct", "banks"),
    "Notes and analyses": ("note", "analyse", "compare"),
    "Servers": ("account", "fetch", "send"),
    "Files": ("import", "export", "standings", "backup", "restore", "check"),
}


class Subcommands(SectionedGroup):
    sections = _SECTIONS

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        for module, names in _MODULES.items():
            if name in names:
                commands: dict[str, click.Command] = importlib.import_module(f".{module}", __package__).COMMANDS
                return commands[name]
        return None


@click.command(cls=Subcommands)
@click.option(
    "--store",
    metavar="FILE",
    help="File that stores the games; default: $STANDSTILL_STORE, or a file in the user's data directory.",
)
@click.pass_context
def command(context: click.Context, store: str | None) -> None:
    """Keep correspondence games, their clocks and deadlines.

    A clock is Triple Block (50/75/1, D350), moves in days (10/50), Fischer (10+3) or days per move (5/move).
    Instants are read in the time zone of --tz, or in the system's. Without --at an event happens now.
    """
    context.obj = store
    from standstill.engine.clock.instants import set_message_zone

    set_message_zone(None)


def zone_of(name: str | None) -> tzinfo | None:
    """The time zone of ``--tz``, None for the system's; messages name instants in it as well."""
    from standstill.engine.clock.instants import find_zone, set_message_zone

    zone = find_zone(name)
    set_message_zone(zone)
    return zone


def confirm(question: str, otherwise: str) -> None:
    """Ask for confirmation. Unless the answer is yes, say what has not been done, and abort."""
    try:
        agreed = click.confirm(question)
    except click.Abort:
        click.echo()  # the cursor is still on the line of the question
        agreed = False
    if not agreed:
        warn(otherwise)
        raise click.Abort


def open_store(path: str | None, *, create: bool = False, reading: bool = False) -> Store:
    from standstill.engine.correspondence.store import Store, default_path

    return Store(path if path is not None else default_path(), create=create, reading=reading)


def open_desk(path: str | None, *, create: bool = False, reading: bool = False) -> Desk:
    """Open the store. The store closes when the process ends, so it needs no context manager."""
    from standstill.engine.correspondence.desk import Desk

    return Desk(open_store(path, create=create, reading=reading), warn)
