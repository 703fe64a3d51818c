"""`standstill games list`, in plain columns, because rich tables are slow for thousands of games.

The list needs neither logs nor boards, and does not import them, so that it starts fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta, tzinfo

import click

from standstill.engine.clock.instants import instant_text, now_ms, to_datetime
from standstill.engine.clock.units import DAY_MS, HOUR_MS, LONGEST_MS, MINUTE_MS, days, words_text
from standstill.engine.correspondence.listing import Entry, ahead, listing

from ...painting import cells, in_cells, room, writable
from ..messages import warn
from ..renamed import Duration
from . import json_option, open_store, zone_of, zone_option

# A running clock that shows at most this much time is printed in this colour.
_RED_MS = 3 * DAY_MS
_YELLOW_MS = 10 * DAY_MS


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Also list finished games.")
@click.option("--mine", is_flag=True, help="List only games in which you are to move.")
@click.option("--tag", metavar="WORD", help="List only games with this tag.")
@click.option(
    "--due",
    "due_ms",
    type=Duration("d", most=LONGEST_MS),
    metavar="TIME",
    help="List only games in which your clock has at most this much time: 7d, 36h.",
)
@zone_option
@json_option
@click.pass_obj
def list_games(  # noqa: PLR0917 (by name)
    path: str | None,
    everything: bool,
    mine: bool,
    tag: str | None,
    due_ms: int | None,
    zone: str | None,
    as_json: bool,
) -> int:
    """List the games, the most urgent first.

    Exit status: with --due, 0 no game is due, 1 games are due.
    """
    where = zone_of(zone)
    now = now_ms()
    problems: list[str] = []
    with open_store(path, reading=True) as store:
        found = listing(store, now, everything=everything, on_damage=problems.append)
        if tag is not None:
            rows = store.rows(
                "SELECT uid FROM games JOIN remarks ON game_id = games.id WHERE kind = 'tag' AND text = ?", tag
            )
            tagged = {row["uid"] for row in rows}
            found = [entry for entry in found if entry.uid in tagged]
    entries = [entry for entry in found if entry.own_turn or not (mine or due_ms is not None)]
    if due_ms is not None:
        entries = [entry for entry in entries if entry.left_ms is not None and entry.left_ms <= due_ms]
    if as_json:
        import json

        click.echo(json.dumps([_entry_json(entry, where) for entry in entries]))
    elif not entries:
        click.echo(_nothing(everything, mine) if due_ms is None else f"no games due within {words_text(due_ms)}")
    else:
        click.echo("\n".join(_lines(entries, where, room())))
    if late := ahead(entries, now):
        more = f" and {len(late) - 1} more" if len(late) > 1 else ""
        warn_of_clock(now, late[0].stamp_ms, late[0].name + more, where)
    for text in problems:
        warn(text)
    return 2 if problems else 1 if due_ms is not None and entries else 0


def _nothing(everything: bool, mine: bool) -> str:
    """The text printed for an empty list; it mentions games that the list leaves out."""
    if mine:
        return "no games in which it is your turn"
    return "no games" if everything else "no running games; `list --all` also shows ended games"


def warn_of_clock(now: int, stamp_ms: int, names: str, where: tzinfo | None) -> None:
    """Warn that clocks show too much time because the system clock is wrong."""
    shows, last = instant_text(now, where), instant_text(stamp_ms, where)
    warn(f"the system clock shows {shows}, before the last entry of {names}, {last}: no time is counted")


def _entry_json(entry: Entry, where: tzinfo | None) -> dict[str, object]:
    return {
        "name": entry.name,
        "white": entry.white,
        "black": entry.black,
        "side": None if entry.own_side is None else ("white", "black")[entry.own_side],
        "control": entry.control,
        "status": entry.status,
        "to_move": ("white", "black")[entry.to_move],
        "whose": entry.whose,
        "move": entry.move,
        "left": None if entry.left_ms is None else days(max(0, entry.left_ms)),
        "bank": days(entry.bank_ms),
        "deadline": None if entry.deadline_ms is None else instant_text(entry.deadline_ms, where),
        "clock_known": entry.clock_known,
        "bank_known": entry.bank_known,
        "flagged": entry.flagged,
        "last_move": entry.last_move,
        "result": entry.result,
        "no_engines": entry.no_engines,
    }


_COLUMNS = ("game", "opponent", "turn", "move", "left", "bank", "deadline", "last")
_RIGHT = ("move", "left", "bank")
# Columns that a narrow terminal leaves out, the least important first.
_SPARE = ("last", "opponent", "move", "bank")
_WIDEST = 32
# The text that a style adds before and after a line, stored because `click.style` takes longer than the rest of a line.
_STYLES: dict[tuple[str | None, bool], tuple[str, str]] = {}
_HOURS: dict[int, str] = {}  # times of whole hours in words


def _lines(entries: list[Entry], where: tzinfo | None, most: int | None) -> list[str]:
    """most: the number of columns of the terminal; None if the output is not a terminal."""
    local = local_texts(where)
    rows = [_COLUMNS, *(_cells(entry, local) for entry in entries)]
    columns: dict[str, tuple[str, ...]] = dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True))
    # The name of a game is never cut, because other commands need it.
    plain = {name: "".join(column).isascii() for name, column in columns.items()}
    columns |= {name: tuple(map(writable, column)) for name, column in columns.items() if not plain[name]}
    widest = {name: max(map(len if plain[name] else cells, column)) for name, column in columns.items()}
    widths = {name: width if name == "game" else min(width, _WIDEST) for name, width in widest.items()}
    if most is not None:
        too_wide = max(0, _width(widths) - most)
        widths["opponent"] = max(min(widths["opponent"], len("opponent")), widths["opponent"] - too_wide)
        for name in _SPARE:
            if _width(widths) > most:
                del widths[name]
    # One format string pads a whole line, because there may be thousands of games. The format string counts
    # characters, not cells of the terminal.
    texts: list[Iterable[str]] = []
    forms = []
    for name, width in widths.items():
        right = name in _RIGHT
        if plain[name] and widest[name] <= width:
            texts.append(columns[name])
            forms.append(f"%{'' if right else '-'}{width}s")
        else:
            texts.append([in_cells(text, width, right=right) for text in columns[name]])
            forms.append("%s")
    form = "  ".join(forms)
    heading, *lines = ((form % row).rstrip() for row in zip(*texts, strict=True))
    return [click.style(heading, bold=True), *map(_coloured, lines, entries)]


def _width(widths: dict[str, int]) -> int:
    return sum(widths.values()) + 2 * (len(widths) - 1)


def _local(ms: int, where: tzinfo | None) -> str:
    """The instant to the minute. The zone is named only if it is UTC, because all rows have the same zone."""
    text = instant_text(ms, where)
    return text if text.endswith("Z") else text[:-6].replace("T", " ")


def local_texts(where: tzinfo | None) -> Callable[[int], str]:
    """Return `_local` of one zone, made fast for thousands of instants: most days have one offset from UTC."""
    offsets: dict[int, int | None] = {}  # by day of UTC; None if daylight saving begins or ends on that day
    dates: dict[int, str] = {}

    def text(ms: int) -> str:
        day = ms // DAY_MS
        if day not in offsets:
            ends = {to_datetime(at, where).utcoffset() for at in (day * DAY_MS, (day + 1) * DAY_MS - MINUTE_MS)}
            offset_ms = round((ends.pop() or timedelta()).total_seconds()) * 1000
            offsets[day] = None if ends or offset_ms % MINUTE_MS else offset_ms
        offset = offsets[day]
        if offset is None:
            return _local(ms, where)
        local_day, rest_ms = divmod(ms + offset, DAY_MS)
        if local_day not in dates:
            dates[local_day] = to_datetime(local_day * DAY_MS).isoformat()[:10]
        hours, minutes = divmod(rest_ms // MINUTE_MS, 60)
        mark, end = (" ", "") if offset else ("T", "Z")
        return f"{dates[local_day]}{mark}{hours:02}:{minutes:02}{end}"

    return text


def _cells(entry: Entry, local: Callable[[int], str]) -> tuple[str, ...]:
    left = "-" if entry.left_ms is None else "time up" if entry.flagged else _short(entry.left_ms, entry.clock_known)
    deadline = "-" if entry.deadline_ms is None else local(entry.deadline_ms)
    if left == "?":
        deadline = "?"
    return (
        entry.name,
        entry.opponent,
        entry.whose,
        str(entry.move),
        left,
        _short(entry.bank_ms, entry.bank_known),
        deadline,
        entry.last_move,
    )


def _short(ms: int, known: bool) -> str:
    """A time in two units, rounded down so that it never looks longer than it is. ``?``: unknown, ``>=``: at least."""
    if not known and ms <= 0:
        return "?"
    if ms < DAY_MS:
        text = words_text(ms // MINUTE_MS * MINUTE_MS if ms >= MINUTE_MS else ms)
    else:
        hour = ms // HOUR_MS
        text = _HOURS.get(hour) or _HOURS.setdefault(hour, words_text(hour * HOUR_MS))
    return text if known else f">={text}"


def _coloured(line: str, entry: Entry) -> str:
    if entry.left_ms is None or (entry.left_ms <= 0 and not entry.clock_known):
        return click.style(line, dim=True) if entry.status == "over" else line
    return urgent(line, entry.left_ms, entry.own_turn)


def urgent(line: str, left_ms: int, own_turn: bool) -> str:
    """The line, coloured by the time left on the running clock."""
    colour = "red" if left_ms <= _RED_MS else "yellow" if left_ms <= _YELLOW_MS else None
    if not (colour or own_turn):
        return line
    style = colour, own_turn
    if style not in _STYLES:
        before, _, after = click.style("\0", fg=colour, bold=own_turn).partition("\0")
        _STYLES[style] = before, after
    before, after = _STYLES[style]
    return f"{before}{line}{after}"


COMMANDS = {"list": list_games}
