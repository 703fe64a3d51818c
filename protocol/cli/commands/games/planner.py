"""`standstill games away`, `plan`, `remind`: what to do before which day, over all games."""

from __future__ import annotations

import json
from datetime import tzinfo
from itertools import pairwise

import click

from standstill.engine.clock.instants import instant_text, instants_in, is_date, now_ms
from standstill.engine.clock.units import days, words_text
from standstill.engine.common.text import plural
from standstill.engine.correspondence.listing import Entry, listing
from standstill.engine.correspondence.planning.absence import Absence, Action, required_actions
from standstill.engine.correspondence.planning.timetable import Step, timetable
from standstill.engine.correspondence.planning.words import action_text, read_absence

from ..messages import tell, warn
from . import json_option, open_store, zone_of, zone_option
from .transfer import output_option, write


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FROM TO [FROM TO]...")
@zone_option
@json_option
@click.pass_obj
def away(path: str | None, words: tuple[str, ...], zone: str | None, as_json: bool) -> int:
    """Print what your games need before an absence FROM - TO.

    Dates are 2026-12-20, 20.12.2026 or 20 Dec 2026, and times of day may follow them. You can give several absences.
    A single date is an absence of one day. The games are sorted by the latest instant at which you can act. A
    date alone as TO includes that day. A clock has to last at least an hour beyond the absence. Where a refill does
    not suffice, the game needs a move. If the opponent answers at once, your clock runs again.

    Exit status: 0 all clocks last, 1 something has to be done.
    """
    where = zone_of(zone)
    absences = _absences(instants_in(" ".join(words)), where)
    now = now_ms()
    entries, problems = _entries(path, now)
    found = required_actions(entries, absences, now)
    own = [entry for entry in entries if entry.status == "running" and entry.own_side is not None]
    if as_json:
        click.echo(json.dumps([_action_json(action, absences, where) for action in found]))
    else:
        for action in found:
            click.echo(action_text(action, absences, where))
        safe = len(own) - len({action.game for action in found})
        click.echo(f"{safe} {plural(safe, 'game')} without anything to do")
    for text in problems:
        warn(text)
    return 2 if problems else 1 if found else 0


def _absences(instants: list[str], where: tzinfo | None) -> list[Absence]:
    """The absences in order.

    Raises UsageError unless each absence ends after it begins, and before the next one begins.
    """
    if len(instants) == 1 and is_date(instants[0]):
        instants = instants * 2
    if len(instants) % 2:
        raise click.UsageError(f"expected pairs FROM TO, found {len(instants)} {plural(len(instants), 'instant')}")
    found = []
    for first, last in zip(instants[::2], instants[1::2], strict=True):
        found.append(read_absence(first, last, where))
        if found[-1].to_ms <= found[-1].from_ms:
            raise click.UsageError(f"expected an absence that ends after it begins, found {first} - {last}")
    found.sort(key=lambda each: each.from_ms)
    if any(before.to_ms > after.from_ms for before, after in pairwise(found)):
        raise click.UsageError("expected absences that do not overlap")
    return found


def _entries(path: str | None, now: int) -> tuple[list[Entry], list[str]]:
    problems: list[str] = []
    with open_store(path, reading=True) as store:
        return listing(store, now, on_damage=problems.append), problems


def _action_json(action: Action, absences: list[Absence], where: tzinfo | None) -> dict[str, object]:
    return {
        "game": action.game,
        "action": action.kind,
        "from": instant_text(absences[action.absence].from_ms, where),
        "to": instant_text(absences[action.absence].to_ms, where),
        "by": instant_text(action.by_ms, where),
        "flag": instant_text(action.flag_ms, where),
        "until": instant_text(action.until_ms, where),
        "least": days(action.least_ms),
        "most": days(action.most_ms),
        "suffices": action.suffices,
        "known": action.known,
    }


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also show the opponents' clocks.")
@click.option("--ical", is_flag=True, help="Write an iCalendar file with reminders.")
@zone_option
@json_option
@output_option
@click.pass_obj
def plan(  # noqa: PLR0917 (by name)
    path: str | None, everything: bool, ical: bool, zone: str | None, as_json: bool, output: str | None
) -> int:
    """Print the latest refills and deadlines of all games, by date.

    Each refill is as late and as large as possible; after the last refill only a move helps. When a calendar program
    reads a later file, it moves the events.
    """
    where = zone_of(zone)
    now = now_ms()
    problems: list[str] = []
    with open_store(path, reading=True) as store:
        entries = listing(store, now, on_damage=problems.append)
    steps = timetable(entries, now, everything=everything)
    if ical:
        from standstill.engine.correspondence.planning.icalendar_file import steps_file

        data: str | bytes = steps_file(steps, now)
    elif as_json:
        data = json.dumps([_step_json(step, where) for step in steps]) + "\n"
    else:
        data = "".join(f"{_step_text(step, where)}\n" for step in steps) or "nothing to do\n"
    write(data, output, store)
    if late := [entry.name for entry in entries if entry.flagged and entry.own_turn]:
        more = f" and {len(late) - 1} more {plural(len(late) - 1, 'game')}" if len(late) > 1 else ""
        warn(f"your time has run out in {late[0]}{more}: if the game goes on, enter the missing refill or `correct`")
    for text in problems:
        warn(text)
    return 2 if problems else 0


def _step_text(step: Step, where: tzinfo | None) -> str:
    whose = "" if step.own else "opponent: "
    action = f"refill {words_text(step.amount_ms)}, or move" if step.amount_ms else "move"
    unsure = "" if step.known else " (at the earliest)"
    return f"{instant_text(step.at_ms, where)}  {step.game}  {whose}{action}{unsure}"


def _step_json(step: Step, where: tzinfo | None) -> dict[str, object]:
    return {
        "at": instant_text(step.at_ms, where),
        "game": step.game,
        "action": step.action,
        "amount": days(step.amount_ms),
        "own": step.own,
        "known": step.known,
    }


class Days(click.ParamType):  # type: ignore[type-arg] # before click 8.4 the class takes no type argument
    """Numbers of days, ``7,3,1``."""

    name = "days"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> list[int]:
        if isinstance(value, list):
            return value
        words = str(value).split(",")
        if not all(word.isascii() and word.isdigit() and 0 < int(word) < 1000 for word in words):
            self.fail(f"expected numbers of days such as 7,3,1, found {value!r}", parameter, context)
        return sorted({int(word) for word in words})


@click.command()
@click.option("--days", "limits", type=Days(), default="7,3,1", show_default=True, help="Days before a deadline.")
@click.option("--mail", "address", metavar="ADDRESS", help="Send a mail to ADDRESS.")
@click.option("--desktop", is_flag=True, help="Show a notification on the desktop.")
@zone_option
@click.pass_obj
def remind(path: str | None, limits: list[int], address: str | None, desktop: bool, zone: str | None) -> int:
    """Remind you of each deadline of your clocks.

    Each number of --days gives one reminder before each deadline. Without --mail and --desktop the reminders are
    printed, as for a mail by cron. The mail server is $STANDSTILL_SMTP (HOST or HOST:PORT, with TLS), its user
    $STANDSTILL_SMTP_USER; the password comes from $STANDSTILL_SMTP_PASSWORD or the keyring. Reminders that could not be
    delivered are tried again at the next call.
    """
    from standstill.engine.correspondence.planning import reminders
    from standstill.engine.correspondence.planning.words import deliver, reminder_text

    where = zone_of(zone)
    now = now_ms()
    problems: list[str] = []
    with open_store(path) as store:
        due = reminders.due(store, listing(store, now, on_damage=problems.append), limits, now)
        if due:
            lines = [reminder_text(reminder, now, where) for reminder in due]
            if address is None and not desktop:
                for line in lines:
                    tell(line)
            deliver(lines, address, desktop)
            reminders.note(store, due, now)
    for text in problems:
        warn(text)
    return 2 if problems else 0


COMMANDS = {"away": away, "plan": plan, "remind": remind}
