"""`standstill games edit`, `enter`, `banks`, `restore`, `team`: changes, many entries at once, team view."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import tzinfo
from typing import TypedDict, Unpack

import click

from standstill.engine.clock.game_clocks import REPLACE, EventData
from standstill.engine.clock.instants import instant_text, now_ms, parse_instant
from standstill.engine.clock.units import DAY_MS, HOUR_MS, days, parse_duration, words_text
from standstill.engine.common.errors import GameError
from standstill.engine.common.text import plural
from standstill.engine.correspondence.editing import (
    EntryChange,
    HeadChange,
    changed_head,
    changes,
    edited,
    enter_moves,
    store_edited,
)
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.listing import Entry, listing, team_turns
from standstill.engine.correspondence.servers.banks import banks_of, enter_banks, lacking

from ...painting import cells, in_cells, writable
from ..messages import tell, warn
from . import confirm, json_option, open_desk, open_store, zone_of, zone_option


class HeadOptions(TypedDict):
    """The options of `edit` that change the head of a game."""

    new_name: str | None
    white: str | None
    black: str | None
    side: str | None
    event: str | None
    control: str | None
    link: tuple[str, str] | None
    unlink: bool
    engines: bool | None
    rmobility: bool | None


class EntryOptions(TypedDict):
    """The options of `edit` that change one entry of the log."""

    at: str | None
    clock: str | None
    bank: str | None
    amount: str | None
    player: str | None
    remove: bool


class _AllOptions(HeadOptions, EntryOptions):
    """All options of `edit` that change something."""


@click.command()
@click.argument("name")
@click.option("--name", "new_name", help="New name of the game.")
@click.option("--white", help="Name of White at the start.")
@click.option("--black", help="Name of Black at the start.")
@click.option(
    "--side", type=click.Choice(["white", "black", "none"]), help="Your side; `none` if you only follow the game."
)
@click.option("--event", help="Name of the event; an empty name removes it.")
@click.option("--control", metavar="CLOCK", help="Clock, such as 50/75/1.")
@click.option("--link", nargs=2, metavar="URL ID", help="Server of the game, and its id there.")
@click.option("--unlink", is_flag=True, help="Remove the link to a server.")
@click.option("--engines/--no-engines", default=None, help="Whether the event allows engines.")
@click.option("--rmobility/--no-rmobility", default=None, help="Whether the event scores draws by R-Mobility.")
@click.option("--entry", type=click.IntRange(1), metavar="N", help="Entry of the log to change, numbered as in `show`.")
@click.option("--at", metavar="INSTANT", help="With --entry: when it happened.")
@click.option("--clock", metavar="TIME", help="With --entry of a correction: the clock.")
@click.option("--bank", metavar="TIME", help="With --entry of a correction: the bank.")
@click.option("--amount", metavar="TIME", help="With --entry of a refill: the amount.")
@click.option("--player", metavar="NAME", help="With --entry of a substitution: the player.")
@click.option("--remove", is_flag=True, help="With --entry: remove it.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@zone_option
@click.pass_obj
def edit(
    path: str | None, name: str, entry: int | None, yes: bool, zone: str | None, **given: Unpack[_AllOptions]
) -> None:
    """Change the game NAME or an older entry of its log.

    The clocks and all later entries are recomputed, and shown before the change is stored. A change that a later
    entry contradicts is refused.
    """
    where = zone_of(zone)
    desk = open_desk(path)
    before = desk.load(name)
    head = changed_head(before, _head_change(given))
    after = edited(before, head, _entry_change(before, entry, given, where))
    differences = changes(before, after, where)
    if not differences:
        raise GameError(f"expected a change of {before.head.name}, found none")
    for line in differences:
        tell(line)
    if not yes:
        confirm(f"store this in {before.head.name}?", f"{before.head.name}: unchanged")
    store_edited(desk, before, after)
    tell(f"{after.head.name}: stored")


def _head_change(given: _AllOptions) -> HeadChange:
    """The change of the head of the game that the options describe. Raises UsageError."""
    if given["unlink"] and given["link"]:
        raise click.UsageError("expected one of --link and --unlink")
    return HeadChange(
        given["new_name"], given["white"], given["black"], given["side"], given["event"], given["control"],
        given["link"], given["unlink"], given["engines"], given["rmobility"],
    )  # fmt: skip


def _entry_change(
    game: CorrespondenceGame, number: int | None, given: _AllOptions, where: tzinfo | None
) -> EntryChange | None:
    """The change of an entry. Raises ClockError, GameError or UsageError."""
    values: EventData = {}
    for option, key in (("clock", "clock_ms"), ("bank", "bank_ms"), ("amount", "ms")):
        if (text := given[option]) is not None:  # type: ignore[literal-required]
            values[key] = parse_duration(text, option)  # type: ignore[literal-required]
    if given["player"] is not None:
        values["name"] = given["player"]
    at, remove = given["at"], given["remove"]
    if number is None:
        if values or at is not None or remove:
            raise click.UsageError("expected --entry with --at, --clock, --bank, --amount, --player or --remove")
        return None
    if remove == bool(values or at is not None):
        raise click.UsageError("expected --remove or values together with --entry")
    kinds = {"clock_ms": "correct", "bank_ms": "correct", "ms": "refill", "name": REPLACE}
    if number <= len(game.log):
        kind = game.log[number - 1].kind
        wrong = [key for key in values if kinds[key] != kind]
        if wrong:
            raise GameError(f"entry {number} is a {kind}, which has no such value")
    if "bank_ms" in values:
        values |= {"bank_unknown": False, "bank_most_ms": values["bank_ms"]}
    if "clock_ms" in values:
        values["clock_unknown"] = False
    return EntryChange(number, None if at is None else parse_instant(at, where), values or None, remove)


# ---- many entries at once ----


@click.command()
@click.argument("file", default="-", type=click.File("r", encoding="utf-8", errors="replace"))
@zone_option
@click.pass_obj
def enter(path: str | None, file: Iterable[str], zone: str | None) -> None:
    """Enter many moves at once from FILE or standard input.

    Each line is NAME MOVE [INSTANT], with a move of either side in any notation. Empty lines and lines that begin with
    # are skipped. If a line cannot be entered, nothing is stored.
    """
    where = zone_of(zone)
    desk = open_desk(path)
    count = len(enter_moves(desk, file, where))
    tell(f"{count} {plural(count, 'move')} stored")


@click.command()
@click.argument("file", required=False, type=click.File("r", encoding="utf-8", errors="replace"))
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def banks(path: str | None, file: Iterable[str] | None, yes: bool) -> int:
    """Enter the banks of many games from FILE or standard input.

    Each line is NAME BANK [BANK]: your bank as the server's page shows it, then the opponent's, such as 74d12h. In a
    game that you only follow, the banks are White's and Black's; - leaves a bank as it is. A bank that the clocks
    exclude is refused. If a line cannot be entered, nothing is stored. Without FILE the games with an unknown bank are
    printed, ready to be filled in.
    """
    desk = open_desk(path, reading=file is None)
    if file is None:
        names = lacking(desk)
        for name in names:
            found = banks_of(desk.load(name))
            click.echo(
                "\n".join([*(f"# {whose}: {limits}" for whose, limits in found), " ".join([name, *"-" * len(found)])])
            )
        if not names:
            tell("every bank is known")
        return 0
    lines = list(file)
    if getattr(file, "name", "") == "<stdin>" and not yes:
        raise click.UsageError("expected --yes together with -, because the answer would be read from the same input")
    done, problems = enter_banks(desk, lines, preview=True)
    for text in problems:
        warn(text)
    if problems or not done:
        warn("nothing was stored")
        return 2
    for line in done:
        tell(line)
    if not yes:
        confirm(f"store {len(done)} {plural(len(done), 'bank')}?", "nothing was stored")
    done, problems = enter_banks(desk, lines)
    for text in problems:  # the store has changed in the meantime
        warn(text)
    tell(f"{len(done)} {plural(len(done), 'bank')} stored" if not problems else "nothing was stored")
    return 2 if problems else 0


@click.command()
@click.argument("file")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def restore(path: str | None, file: str, yes: bool) -> int:
    """Restore the games of the backup FILE.

    The restored games replace all games in the store. The current games are first written to a file beside the store,
    whose name ends in .before-restore.
    """
    from standstill.engine.correspondence.desk import check as find_problems

    backup = open_desk(file, reading=True)
    problems = find_problems(backup)
    for text in problems:
        warn(text)
    if problems:
        raise GameError(f"{file}: not restored, because it has problems")
    count = len(backup.names())
    with open_store(path, create=True) as store:
        store.place()
        if not yes:
            confirm(f"replace the games of {store.path} by {count} of {file}?", "not restored")
        kept = store.restore(backup.store)
    tell(f"{count} {plural(count, 'game')} restored; the previous games are in {kept}")
    return 0


# ---- teams ----


@click.command()
@click.option("--event", help="Only games of this event.")
@zone_option
@json_option
@click.pass_obj
def team(path: str | None, event: str | None, zone: str | None, as_json: bool) -> int:
    """List a team's players to move, the longest silent first.

    This view is for team captains. Opponents are left out of games whose side you have named. A player's silence is
    the time since the last entry of the game.
    """
    where = zone_of(zone)
    now = now_ms()
    problems: list[str] = []
    with open_store(path, reading=True) as store:
        entries = team_turns(listing(store, now, on_damage=problems.append))
        if event is not None:
            rows = store.rows("SELECT name, tags FROM games WHERE tags LIKE '%Event%'")
            names = {row["name"] for row in rows if json.loads(row["tags"]).get("Event") == event}
            entries = [entry for entry in entries if entry.name in names]
    if as_json:
        click.echo(json.dumps([_player_json(entry, now, where) for entry in entries]))
    else:
        rows_: list[tuple[str, ...]] = [("player", "game", "silent", "left", "bank", "deadline")]
        rows_ += [tuple(map(writable, _player_cells(entry, now, where))) for entry in entries]
        widths = [max(map(cells, column)) for column in zip(*rows_, strict=True)]
        click.echo("\n".join("  ".join(map(in_cells, row, widths)).rstrip() for row in rows_))
    for text in problems:
        warn(text)
    return 2 if problems else 0


def _player(entry: Entry) -> str:
    return (entry.white, entry.black)[entry.to_move]


def _player_cells(entry: Entry, now: int, where: tzinfo | None) -> tuple[str, ...]:
    silent_ms, left_ms = max(0, now - entry.stamp_ms), max(0, entry.left_ms or 0)
    size = DAY_MS if silent_ms >= DAY_MS else HOUR_MS
    left = words_text(left_ms // HOUR_MS * HOUR_MS)
    return (
        _player(entry),
        entry.name,
        words_text(silent_ms // size * size),
        left if entry.clock_known else f">={left}",
        words_text(entry.bank_ms // HOUR_MS * HOUR_MS) if entry.bank_known else f">={words_text(entry.bank_ms)}",
        "-" if entry.deadline_ms is None else instant_text(entry.deadline_ms, where),
    )


def _player_json(entry: Entry, now: int, where: tzinfo | None) -> dict[str, object]:
    return {
        "player": _player(entry),
        "game": entry.name,
        "silent": days(max(0, now - entry.stamp_ms)),
        "left": days(max(0, entry.left_ms or 0)),
        "bank": days(entry.bank_ms),
        "clock_known": entry.clock_known,
        "bank_known": entry.bank_known,
        "deadline": None if entry.deadline_ms is None else instant_text(entry.deadline_ms, where),
    }


COMMANDS = {"banks": banks, "edit": edit, "enter": enter, "restore": restore, "team": team}
