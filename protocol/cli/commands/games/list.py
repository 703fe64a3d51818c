"""`standstill games list`, `show`, `check`, `backup`: reading the store.

The list is printed in plain columns, because rich tables are slow for thousands of games.
"""

from __future__ import annotations

import json
from datetime import tzinfo

import click

from standstill.engine.clock.game_clocks import RUNNING, START
from standstill.engine.clock.instants import instant_text, now_ms
from standstill.engine.clock.units import DAY_MS, HOUR_MS, LONGEST_MS, MINUTE_MS, days, words_text
from standstill.engine.common.errors import TablebaseError
from standstill.engine.common.text import plural
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.listing import Entry, ahead, listing
from standstill.engine.correspondence.times import bank_most, event_text, reason_of, times_text
from standstill.engine.tablebases.material import MOST_MEN

from ...painting import cells, in_cells, painted_board, room
from ..messages import warn
from ..renamed import Duration, WasArgument
from . import json_option, open_desk, open_store, zone_of, zone_option
from .edit import until

# A running clock with at most this much time is shown in this colour.
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
        click.echo(json.dumps([_entry_json(entry, where) for entry in entries]))
    elif not entries:
        click.echo(_nothing(everything, mine) if due_ms is None else f"no games due within {words_text(due_ms)}")
    else:
        click.echo("\n".join(_lines(entries, where, room())))
    if late := ahead(entries, now):
        more = f" and {len(late) - 1} more" if len(late) > 1 else ""
        _warn_of_clock(now, late[0].stamp_ms, late[0].name + more, where)
    for text in problems:
        warn(text)
    return 2 if problems else 1 if due_ms is not None and entries else 0


def _nothing(everything: bool, mine: bool) -> str:
    """The text for an empty list; it mentions games that the list leaves out."""
    if mine:
        return "no games in which it is your turn"
    return "no games" if everything else "no running games; `list --all` has those that have ended"


def _warn_of_clock(now: int, stamp_ms: int, names: str, where: tzinfo | None) -> None:
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
# What a narrow terminal does without, the least important first.
_SPARE = ("last", "opponent", "move", "bank")
_WIDEST = 32


def _lines(entries: list[Entry], where: tzinfo | None, most: int | None) -> list[str]:
    """most: columns of the terminal, None if the output is not a terminal."""
    rows = [_COLUMNS, *(_cells(entry, where) for entry in entries)]
    columns: dict[str, tuple[str, ...]] = dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True))
    # The name of a game is never cut, because other commands need it.
    widths = {name: max(map(len if "".join(column).isascii() else cells, column)) for name, column in columns.items()}
    widths = {name: width if name == "game" else min(width, _WIDEST) for name, width in widths.items()}
    if most is not None:
        too_wide = max(0, _width(widths) - most)
        widths["opponent"] = max(min(widths["opponent"], len("opponent")), widths["opponent"] - too_wide)
        for name in _SPARE:
            if _width(widths) > most:
                del widths[name]
    padded = [_padded(columns[name], width, name in _RIGHT) for name, width in widths.items()]
    heading, *lines = ("  ".join(row).rstrip() for row in zip(*padded, strict=True))
    return [click.style(heading, bold=True), *map(_coloured, lines, entries)]


def _padded(column: tuple[str, ...], width: int, right: bool) -> list[str]:
    """The texts of a column, each filled up or cut to the width."""
    form = f"%{'' if right else '-'}{width}s"  # faster, which counts for thousands of games
    return [
        form % text if text.isascii() and len(text) <= width else in_cells(text, width, right=right) for text in column
    ]


def _width(widths: dict[str, int]) -> int:
    return sum(widths.values()) + 2 * (len(widths) - 1)


def _local(ms: int, where: tzinfo | None) -> str:
    """The instant to the minute; only in UTC with its zone, which is the same in every row."""
    text = instant_text(ms, where)
    return text if text.endswith("Z") else text[:-6].replace("T", " ")


def _cells(entry: Entry, where: tzinfo | None) -> tuple[str, ...]:
    left = "-" if entry.left_ms is None else "time up" if entry.flagged else _short(entry.left_ms, entry.clock_known)
    deadline = "-" if entry.deadline_ms is None else _local(entry.deadline_ms, where)
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
        number, hours = divmod(ms // HOUR_MS, 24)
        text = f"{number} d {hours} h" if hours else f"{number} d"
    return text if known else f">={text}"


def _coloured(line: str, entry: Entry) -> str:
    if entry.left_ms is None or (entry.left_ms <= 0 and not entry.clock_known):
        return click.style(line, dim=True) if entry.status == "over" else line
    return _urgent(line, entry.left_ms, entry.own_turn)


def _urgent(line: str, left_ms: int, own_turn: bool) -> str:
    """The line, coloured by the time left on the running clock."""
    colour = "red" if left_ms <= _RED_MS else "yellow" if left_ms <= _YELLOW_MS else None
    return click.style(line, fg=colour, bold=own_turn) if colour or own_turn else line


@click.command()
@click.argument("name")
@zone_option
@json_option
@click.pass_obj
def show(path: str | None, name: str, zone: str | None, as_json: bool) -> None:
    """Show the game NAME: board, clocks, log, stored analyses."""
    where = zone_of(zone)
    desk = open_desk(path, reading=True)
    game = desk.load(name)
    now = now_ms()
    state = game.clocks
    if state.status == RUNNING and state.stamp_ms > now and game.log[-1].kind != START:
        _warn_of_clock(now, state.stamp_ms, game.head.name, where)
    if as_json:
        click.echo(json.dumps(_game_json(game, where, now)))
        return
    from standstill.engine.correspondence.remarks.hints import hints

    from .note import note_lines

    lines = _game_lines(game, where, now)
    if found := hints(game):
        lines += ["", *found]
    if remarks := note_lines(desk, game):
        lines += ["", click.style("remarks", bold=True), *remarks]
    if desk.store.row("SELECT 1 FROM nodes WHERE game_id = ?", game.head.id):
        from .analyse import tree_lines

        lines += ["", click.style("analysis (White's view)", bold=True), *tree_lines(desk, game)]
    click.echo("\n".join(lines))


def _game_json(game: CorrespondenceGame, where: tzinfo | None, now: int) -> dict[str, object]:
    state = game.clocks
    sides = {}
    for number, side_name in enumerate(("white", "black")):
        side = state.shown(number, now)
        sides[side_name] = {
            "player": game.players[number],
            "clock": days(side.clock_ms),
            "bank": days(side.bank_ms),
            "moves": side.moves,
            "used": days(side.used_ms),
            "clock_known": side.clock_known,
            "bank_known": side.bank_known,
            "bank_most": days(bank_most(game, number)),
        }
    return {
        "name": game.head.name,
        "control": game.head.control,
        "status": state.status,
        "to_move": ("white", "black")[state.to_move],
        "fen": game.fen,
        "tables": _tables_say(game),
        "moves": game.moves,
        "deadline": None if state.deadline_ms is None else instant_text(state.deadline_ms, where),
        "result": game.result,
        "log": [
            {"number": at, "kind": event.kind, "at": instant_text(event.at_ms, where), **event.data}
            for at, event in enumerate(game.log, 1)
        ],
        **sides,
    }


def _game_lines(game: CorrespondenceGame, where: tzinfo | None, now: int) -> list[str]:
    from standstill.engine.variants.notation import diagram

    state = game.clocks
    head = game.head
    lines = [click.style(f"{head.name}: {game.players[0]} - {game.players[1]}, {head.control}", bold=True)]
    if event := head.tags.get("Event"):
        lines.append(event)
    lines += ["", painted_board(diagram(game.board), _last_squares(game)), "", f"Fen: {game.fen}"]
    if game.sans:
        lines.append(f"last move {game.last_move}")
    if found := _tables_say(game):
        plies = "" if found["plies"] is None else " in 1 ply" if found["plies"] == 1 else f" in {found['plies']} plies"
        lines.append(f"R-Mobility tables: {found['value']}{plies}")
    lines.append("")
    for number, side_name in enumerate(("White", "Black")):
        side = state.shown(number, now)
        own = ", you" if number == head.own_side else ""
        made = f"{side.moves} {plural(side.moves, 'move')} made"
        lines.append(f"{side_name}{own}: {times_text(game, number, now)}, {made}")
        if not side.bank_known or not side.clock_known:
            lines.append(f"  unknown, because {reason_of(game, number)}")
    lines += [*_state_lines(game, where, now), "", click.style("log", bold=True)]
    for at, entry in enumerate(game.log, 1):
        lines.append(f"{at:4}  {instant_text(entry.at_ms, where):<22}  {event_text(entry)}")
    return lines


def _tables_say(game: CorrespondenceGame) -> dict[str, object] | None:
    """The result that R-Mobility tables give for the position of a running game; None if they do not contain it."""
    if game.over or 64 - game.board.squares.count(0) > MOST_MEN:
        return None
    from standstill.engine.rmobility.objectives import decisive
    from standstill.engine.settings.config import load, table_folders
    from standstill.engine.tablebases.adjudication import Adjudicator

    record = decisive().record_of(game.board.copy())
    try:
        adjudicator = Adjudicator(table_folders(load()[0]))
    except TablebaseError as error:
        warn(f"{error}; only the built-in tables are used")
        adjudicator = Adjudicator()
    found = adjudicator.value(game.board, None if record is None else record[:2])
    if found is None:
        return None
    return {"value": found.text, "plies": found.plies if adjudicator.knows_plies(game.board) else None}


def _last_squares(game: CorrespondenceGame) -> tuple[str, ...]:
    """The two squares of the last move; these games are always chess."""
    return (game.moves[-1][:2], game.moves[-1][2:4]) if game.moves else ()


def _state_lines(game: CorrespondenceGame, where: tzinfo | None, now: int) -> list[str]:
    state = game.clocks
    if game.over:
        return [f"result {game.result}" + (f" ({game.reason})" if game.reason else "")]
    fall_ms, last_ms = state.deadline_ms, state.last_deadline_ms
    if fall_ms is None or last_ms is None:
        return ["a claim is pending: no clock runs" if state.status == "claimed" else state.status]
    mover = ("White", "Black")[state.to_move]
    if state.flagged(now):
        return [click.style(f"{mover}'s time ran out {instant_text(fall_ms, where)}", fg="red")]
    if not state.mover.clock_known:
        return [f"{mover} is to move {until(state, where)}"]
    lines = [f"{mover} must move before {instant_text(fall_ms, where)}"]
    if state.mover.bank_ms:
        lines[0] += f", or refill; before {instant_text(last_ms, where)} with every refill"
    return [_urgent(lines[0], fall_ms - now, state.to_move == game.head.own_side)]


@click.command()
@json_option
@click.pass_obj
def check(path: str | None, as_json: bool) -> int:
    """Check the store: replaying each game's log must give its state.

    Exit status: 0 no problems, 1 there are problems.
    """
    from standstill.engine.correspondence.desk import check as find_problems

    desk = open_desk(path, reading=True)
    problems = find_problems(desk)
    count = len(desk.names())
    if as_json:
        click.echo(json.dumps({"games": count, "problems": problems}))
    else:
        for text in problems:
            click.echo(text)
        click.echo(f"{count} {plural(count, 'game')}, {len(problems)} {plural(len(problems), 'problem')}")
    return 1 if problems else 0


@click.command()
@click.option("-o", "--output", "file", cls=WasArgument, required=True, metavar="FILE", help="File to write.")
@click.pass_obj
def backup(path: str | None, file: str) -> None:
    """Copy the store to FILE, even while other programs write to it."""
    with open_store(path, reading=True) as store:
        store.backup(file)


COMMANDS = {"list": list_games, "show": show, "check": check, "backup": backup}
