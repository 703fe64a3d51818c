"""`standstill games show`, `check`, `backup`: reading the store."""

from __future__ import annotations

import json
from datetime import tzinfo

import click

from standstill.engine.clock.game_clocks import RUNNING, START
from standstill.engine.clock.instants import instant_text, now_ms
from standstill.engine.clock.units import days
from standstill.engine.common.errors import TablebaseError
from standstill.engine.common.text import plural
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.servers.unsent import as_on_server
from standstill.engine.correspondence.times import bank_most, event_text, reason_of, times_text
from standstill.engine.tablebases.material import MOST_MEN

from ...painting import painted_board
from ..messages import warn
from ..renamed import WasArgument
from . import json_option, open_desk, open_store, zone_of, zone_option
from .edit import until
from .list import urgent, warn_of_clock


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
    timed = as_on_server(desk.store, game)
    now = now_ms()
    state = game.clocks
    if state.status == RUNNING and state.stamp_ms > now and game.log[-1].kind != START:
        warn_of_clock(now, state.stamp_ms, game.head.name, where)
    if as_json:
        click.echo(json.dumps(_game_json(game, timed, where, now)))
        return
    from standstill.engine.correspondence.remarks.hints import hints

    from .note import note_lines

    lines = _game_lines(game, timed, where, now)
    if found := hints(game):
        lines += ["", *found]
    if remarks := note_lines(desk, game):
        lines += ["", click.style("remarks", bold=True), *remarks]
    if desk.store.row("SELECT 1 FROM nodes WHERE game_id = ?", game.head.id):
        from .analyse import tree_lines

        lines += ["", click.style("analysis (White's view)", bold=True), *tree_lines(desk, game)]
    click.echo("\n".join(lines))


def _game_json(
    game: CorrespondenceGame, timed: CorrespondenceGame, where: tzinfo | None, now: int
) -> dict[str, object]:
    """timed: the game whose clocks count, without a move that has not been sent yet."""
    state = timed.clocks
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
            "bank_most": days(bank_most(timed, number)),
        }
    return {
        "name": game.head.name,
        "unsent": "" if timed is game else game.last_move,
        "control": game.head.control,
        "status": game.clocks.status,
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


def _game_lines(game: CorrespondenceGame, timed: CorrespondenceGame, where: tzinfo | None, now: int) -> list[str]:
    from standstill.engine.variants.notation import diagram

    state = timed.clocks
    head = game.head
    lines = [click.style(f"{head.name}: {game.players[0]} - {game.players[1]}, {head.control}", bold=True)]
    if event := head.tags.get("Event"):
        lines.append(event)
    lines += ["", painted_board(diagram(game.board), _last_squares(game)), "", f"Fen: {game.fen}"]
    if game.sans:
        unsent = "" if timed is game else ", not sent yet: on the server your clock runs on"
        lines.append(f"last move {game.last_move}{unsent}")
    if found := _tables_say(game):
        plies = "" if found["plies"] is None else " in 1 ply" if found["plies"] == 1 else f" in {found['plies']} plies"
        lines.append(f"R-Mobility tables: {found['value']}{plies}")
    lines.append("")
    for number, side_name in enumerate(("White", "Black")):
        side = state.shown(number, now)
        own = ", you" if number == head.own_side else ""
        made = f"{side.moves} {plural(side.moves, 'move')} made"
        lines.append(f"{side_name}{own}: {times_text(timed, number, now)}, {made}")
        if not side.bank_known or not side.clock_known:
            lines.append(f"  unknown, because {reason_of(timed, number)}")
    lines += [*_state_lines(timed, where, now), "", click.style("log", bold=True)]
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
    return [urgent(lines[0], fall_ms - now, state.to_move == game.head.own_side)]


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


COMMANDS = {"show": show, "check": check, "backup": backup}
