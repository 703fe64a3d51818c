"""`standstill games list`, `show`, `check`, `backup`: looking at the store.

Plain columns instead of rich tables: a list of thousands is printed in a blink.
"""

import json

import click

from engine.clock.instants import find_zone, instant_text, now_ms
from engine.clock.units import DAY_MS, days, days_text
from engine.correspondence.listing import Entry, listing

from ..painting import painted_board
from .games import open_desk, open_store

# Colours by what is left on the running clock.
_RED_MS = 3 * DAY_MS
_YELLOW_MS = 10 * DAY_MS

zone_option = click.option("--tz", "zone", help="Time zone of what is shown; the system's if not given.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Finished games as well.")
@click.option("--mine", is_flag=True, help="Only games in which it is your turn.")
@zone_option
@json_option
@click.pass_obj
def list_games(path: str | None, everything: bool, mine: bool, zone: str | None, as_json: bool) -> None:
    """List the games, the most urgent first."""
    where = find_zone(zone)
    now = now_ms()
    with open_store(path) as store:
        entries = [entry for entry in listing(store, now, everything=everything) if entry.own_turn or not mine]
    if as_json:
        click.echo(json.dumps([_entry_json(entry, where) for entry in entries]))
    elif not entries:
        click.echo("no games")
    else:
        click.echo("\n".join(_lines(entries, where)))


def _entry_json(entry: Entry, where) -> dict[str, object]:
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
        "flagged": entry.flagged,
        "last_move": entry.last_move,
        "result": entry.result,
        "no_engines": entry.no_engines,
    }


def _lines(entries: list[Entry], where) -> list[str]:
    rows = [("game", "opponent", "turn", "move", "left", "bank", "deadline", "last")]
    rows += [_cells(entry, where) for entry in entries]
    widths = [min(max(map(len, column)), 32) for column in zip(*rows, strict=True)]
    lines = []
    for at, row in enumerate(rows):
        cells = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            text = cell if len(cell) <= width else cell[: width - 1] + "\u2026"
            cells.append(text.rjust(width) if number in (3, 4, 5) else text.ljust(width))
        line = "  ".join(cells).rstrip()
        lines.append(click.style(line, bold=True) if at == 0 else _coloured(line, entries[at - 1]))
    return lines


def _cells(entry: Entry, where) -> tuple[str, ...]:
    left = "-" if entry.left_ms is None else "time up" if entry.flagged else _short(entry.left_ms)
    deadline = "-" if entry.deadline_ms is None else instant_text(entry.deadline_ms, where)
    return (
        entry.name,
        entry.opponent,
        entry.whose,
        str(entry.move),
        left,
        _short(entry.bank_ms),
        deadline,
        entry.last_move,
    )


def _short(ms: int) -> str:
    """Two places are enough at a glance; down, so that nothing looks longer than it is."""
    return f"{ms * 100 // DAY_MS / 100:.2f}d"


def _coloured(line: str, entry: Entry) -> str:
    if entry.left_ms is None:
        return click.style(line, dim=True) if entry.status == "over" else line
    return _urgent(line, entry.left_ms, entry.own_turn)


def _urgent(line: str, left_ms: int, own_turn: bool) -> str:
    """In the colour of what is left on the running clock."""
    colour = "red" if left_ms <= _RED_MS else "yellow" if left_ms <= _YELLOW_MS else None
    return click.style(line, fg=colour, bold=own_turn) if colour or own_turn else line


@click.command()
@click.argument("name")
@zone_option
@json_option
@click.pass_obj
def show(path: str | None, name: str, zone: str | None, as_json: bool) -> None:
    """Show a game: board, clocks, log, stored analysis."""
    where = find_zone(zone)
    desk = open_desk(path)
    game = desk.load(name)
    now = now_ms()
    if as_json:
        click.echo(json.dumps(_game_json(game, where, now)))
        return
    lines = _game_lines(game, where, now)
    if desk.store.row("SELECT 1 FROM nodes WHERE game_id = ?", game.head.id):
        from .games_analyse import tree_lines

        lines += ["", click.style("analysis (White's view)", bold=True), *tree_lines(desk, game)]
    click.echo("\n".join(lines))


def _game_json(game, where, now: int) -> dict[str, object]:
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
        }
    return {
        "name": game.head.name,
        "control": game.head.control,
        "status": state.status,
        "to_move": ("white", "black")[state.to_move],
        "fen": game.fen,
        "moves": game.moves,
        "deadline": None if state.deadline_ms is None else instant_text(state.deadline_ms, where),
        "result": game.result,
        "log": [
            {"number": at, "kind": event.kind, "at": instant_text(event.at_ms, where)} | event.data
            for at, event in enumerate(game.log, 1)
        ],
        **sides,
    }


def _game_lines(game, where, now: int) -> list[str]:
    from engine.notation import diagram

    state = game.clocks
    head = game.head
    lines = [click.style(f"{head.name}: {game.players[0]} - {game.players[1]}, {head.control}", bold=True)]
    if event := head.tags.get("Event"):
        lines.append(event)
    lines += ["", painted_board(diagram(game.board), _last_squares(game)), "", f"Fen: {game.fen}"]
    if game.sans:
        lines.append(f"last move {game.last_move}")
    lines.append("")
    for number, side_name in enumerate(("White", "Black")):
        side = state.shown(number, now)
        own = ", you" if number == head.own_side else ""
        lines.append(
            f"{side_name}{own}: clock {days_text(side.clock_ms)}, bank {days_text(side.bank_ms)},"
            f" {side.moves} move{'s' * (side.moves != 1)} made"
        )
    lines += [*_state_lines(game, where, now), "", click.style("log", bold=True)]
    for at, event in enumerate(game.log, 1):
        lines.append(f"{at:4}  {instant_text(event.at_ms, where):<22}  {_event_text(event)}")
    return lines


def _last_squares(game) -> tuple[str, ...]:
    """From where and to where the last move went; boards here are of chess."""
    return (game.moves[-1][:2], game.moves[-1][2:4]) if game.moves else ()


def _state_lines(game, where, now: int) -> list[str]:
    state = game.clocks
    if game.over:
        return [f"result {game.result}" + (f" ({game.reason})" if game.reason else "")]
    if not game.running:
        return ["a claim waits for its decision: no clock runs" if state.status == "claimed" else state.status]
    mover = ("White", "Black")[state.to_move]
    if state.flagged(now):
        return [click.style(f"{mover}'s time ran out {instant_text(state.deadline_ms, where)}", fg="red")]
    lines = [f"{mover} must move by {instant_text(state.deadline_ms, where)}"]
    if state.mover.bank_ms:
        lines[0] += f", or refill; by {instant_text(state.last_deadline_ms, where)} with every refill"
    return [_urgent(lines[0], state.deadline_ms - now, state.to_move == game.head.own_side)]


def _event_text(event) -> str:
    return _EVENT_TEXTS[event.kind](event.data)


def _side(data: dict) -> str:
    return ("White", "Black")[data["side"]]


def _decision(data: dict) -> str:
    return f"claim accepted: {data['result']}" if data["accepted"] else "claim rejected"


def _replacement(data: dict) -> str:
    return f"{data['name']} takes over for {_side(data)}" + (", with the captain's refill" * ("refill_ms" in data))


def _correction(data: dict) -> str:
    parts = [f"{key.removesuffix('_ms')} {days_text(data[key])}" for key in ("clock_ms", "bank_ms") if key in data]
    parts += [f"moves {data['moves']}"] if "moves" in data else []
    return f"correction for {_side(data)}: {', '.join(parts)}"


_EVENT_TEXTS = {
    "start": lambda data: "start",
    "move": lambda data: f"move {data['san']}",
    "refill": lambda data: f"refill of {days_text(data['ms']) if 'ms' in data else 'all that fits'}",
    "claim": lambda data: f"claim by {_side(data)}: {data.get('what', 'draw')}",
    "decide": _decision,
    "replace": _replacement,
    "correct": _correction,
    "end": lambda data: f"end {data['result']}" + (f" ({data['reason']})" if data.get("reason") else ""),
    "undo": lambda data: "the entry before is taken back",
}


@click.command()
@json_option
@click.pass_obj
def check(path: str | None, as_json: bool) -> int:
    """Check the store: the file itself, and that every game's log leads to its stored state. Exit status 1 if not."""
    from engine.correspondence.desk import check as find_problems

    desk = open_desk(path)
    problems = find_problems(desk)
    count = len(desk.names())
    if as_json:
        click.echo(json.dumps({"games": count, "problems": problems}))
    else:
        for text in problems:
            click.echo(text)
        click.echo(f"{count} games, {len(problems)} problems")
    return 1 if problems else 0


@click.command()
@click.argument("file")
@click.pass_obj
def backup(path: str | None, file: str) -> None:
    """Copy the store to FILE, also while others write to it."""
    with open_store(path) as store:
        store.backup(file)


COMMANDS = {"list": list_games, "show": show, "check": check, "backup": backup}
