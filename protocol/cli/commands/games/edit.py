"""`standstill games new`, `move`, `opponent`, ...: entering events of games."""

from __future__ import annotations

from datetime import tzinfo
from typing import TypedDict, Unpack

import click

from standstill.engine.clock.game_clocks import EventData, GameClocks
from standstill.engine.clock.instants import (
    instant_text,
    is_date,
    parse_instant,
)
from standstill.engine.clock.units import parse_duration, words_text
from standstill.engine.common.errors import GameError
from standstill.engine.correspondence.desk import When, last_claim
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.times import times_text

from . import confirm, open_desk, zone_of

zone_option = click.option("--tz", "zone", help="Time zone of all instants; default: the system's.")
at_option = click.option(
    "--at",
    metavar="INSTANT",
    help="Time of the event (2026-03-02T10:00, with Z for UTC); a date alone means its first moment; default: now.",
)
_SIDES = click.Choice(["white", "black"], case_sensitive=False)


class GameOptions(TypedDict):
    """Values of the options of `new` that go into the game unchanged."""

    white: str
    black: str
    start: str | None
    fen: str | None
    opening: str
    event: str
    no_engines: bool
    rmobility: bool


def _number(side: str) -> int:
    """The number of a side, one of ``_SIDES``."""
    return ("white", "black").index(side.lower())


def when(at: str | None, where: tzinfo | None) -> When:
    return When(None if at is None else parse_instant(at, where))


def say(game: CorrespondenceGame, what: str, where: tzinfo | None, at: str | None = None) -> None:
    """Print what was done, and the deadline or result that follows. at: the instant as the user typed it."""
    state = game.clocks
    text = f"{game.head.name}: {what}"
    if at is not None and is_date(at):
        text += f" (taken as {instant_text(parse_instant(at, where), where)}, as no time of day is given)"
    if game.over:
        text += f"; {game.result}" + (f" ({game.reason})" if game.reason else "")
    elif state.deadline_ms is not None:
        text += f"; {('White', 'Black')[state.to_move]} to move {until(state, where)}"
    click.echo(text)


def until(state: GameClocks, where: tzinfo | None) -> str:
    """``until INSTANT``, or words for an instant that is unknown or a lower bound."""
    deadline_ms = state.deadline_ms
    if deadline_ms is None or not (state.mover.clock_known or state.mover.clock_ms):
        return "until an unknown instant"
    return f"until {instant_text(deadline_ms, where)}" + " at the earliest" * (not state.mover.clock_known)


def state_of(game: CorrespondenceGame, side: int) -> str:
    return times_text(game, side, game.clocks.stamp_ms)


@click.command()
@click.argument("name")
@click.argument("control")
@click.option("--white", default="?", help="Name of White.")
@click.option("--black", default="?", help="Name of Black.")
@click.option("--side", type=_SIDES, help="Your side; without it you only follow the game.")
@click.option("--start", metavar="INSTANT", help="When White's clock starts; default: now.")
@click.option("--fen", help="Start position of the game.")
@click.option(
    "--opening",
    default="",
    metavar="MOVES",
    help="Moves given with the start position; they do not count for the clocks.",
)
@click.option("--event", default="", help="Name of the event.")
@click.option("--no-engines", is_flag=True, help="The event forbids engines: refuse to analyse the game.")
@click.option("--rmobility", is_flag=True, help="The event scores draws by R-Mobility: `show` names the record.")
@zone_option
@click.pass_obj
def new(
    path: str | None,
    name: str,
    control: str,
    zone: str | None,
    side: str | None,
    **given: Unpack[GameOptions],
) -> None:
    """Add the game NAME with the clock CONTROL."""
    from standstill.engine.correspondence.editing import NewGame, head_of

    where = zone_of(zone)
    own_side = None if side is None else _number(side)
    head, start_ms = head_of(NewGame(name, control, own_side=own_side, **given), where)
    game = open_desk(path, create=True).add(head, start_ms)
    say(game, f"stored, {game.clocks.control.words}", where)


def _say_move(game: CorrespondenceGame, where: tzinfo | None, at: str | None) -> None:
    from standstill.engine.correspondence.remarks.hints import hints

    mover = 1 - game.clocks.to_move if not game.over else game.board.stm ^ 1
    say(game, f"{game.last_move}, {state_of(game, mover)}", where, at)
    for hint in hints(game):
        click.echo(f"  {hint}")


@click.command()
@click.argument("name")
@click.argument("move")
@click.option("--any", "either", is_flag=True, help="Enter the move for whichever side is to move.")
@at_option
@zone_option
@click.pass_obj
def move(  # noqa: PLR0917 (by name)
    path: str | None, name: str, move: str, either: bool, at: str | None, zone: str | None
) -> None:
    """Enter your MOVE (Nf3 or g1f3) in the game NAME."""
    where = zone_of(zone)
    _say_move(open_desk(path).move(name, move, when(at, where), "any" if either else "own"), where, at)


@click.command()
@click.argument("name")
@click.argument("move")
@at_option
@zone_option
@click.pass_obj
def opponent(path: str | None, name: str, move: str, at: str | None, zone: str | None) -> None:
    """Enter your opponent's MOVE."""
    where = zone_of(zone)
    desk = open_desk(path)
    game = desk.move(name, move, when(at, where), "opponent")
    _say_move(game, where, at)
    from .note import offer_reply

    answered = offer_reply(desk, game)
    if answered is not None:
        _say_move(answered, where, None)


@click.command()
@click.argument("name")
@click.argument("amount", required=False)
@click.option("--any", "either", is_flag=True, help="Enter the refill for whichever side is to move.")
@at_option
@zone_option
@click.pass_obj
def refill(  # noqa: PLR0917 (by name)
    path: str | None, name: str, amount: str | None, either: bool, at: str | None, zone: str | None
) -> None:
    """Enter your manual refill: AMOUNT (45d), or as much as fits.

    A larger AMOUNT is cut to what fits. Only the side to move can refill.
    """
    where = zone_of(zone)
    wanted = None if amount is None else parse_duration(amount, "an amount")
    game, moved = open_desk(path).refill(name, wanted, when(at, where), "any" if either else "own")
    side = game.clocks.to_move
    text = f"{words_text(moved)} from the bank of {game.player_text(side)}, {state_of(game, side)}"
    say(game, text, where, at)


@click.command()
@click.argument("name")
@click.option("--what", type=click.Choice(["draw", "win"]), default="draw", show_default=True, help="Result claimed.")
@click.option(
    "--side", type=_SIDES, help="Side that claims; default: yours, or the side to move in a game that you only follow."
)
@click.option("--accepted", is_flag=True, help="Enter that the claim was accepted.")
@click.option(
    "--rejected", is_flag=True, help="Enter that the claim was rejected: the clock continues from its old value."
)
@click.option("--result", help="Result of an accepted claim, if it differs from the claim.")
@at_option
@zone_option
@click.pass_obj
def claim(  # noqa: PLR0917 (by name)
    path: str | None,
    name: str,
    what: str,
    side: str | None,
    accepted: bool,
    rejected: bool,
    result: str | None,
    at: str | None,
    zone: str | None,
) -> None:
    """Enter a claim, which stops the clock.

    With --accepted or --rejected, enter the decision on the claim. By default the claim is yours, whichever side is
    to move; --side says that it is your opponent's.
    """
    where = zone_of(zone)
    desk = open_desk(path)
    if accepted and rejected:
        raise click.UsageError("expected one of --accepted and --rejected")
    if side is not None and (accepted or rejected):
        raise click.UsageError("expected --side with a claim, not with its decision")
    if accepted or rejected:
        game = desk.decide(name, accepted, result, when(at, where))
        done = f"claim of {_claimant(game)} {'accepted' if accepted else 'rejected'}"
    else:
        game = desk.claim(name, what, when(at, where), None if side is None else _number(side))
        done = f"{_claimant(game)} claims a {what}, the clock is stopped"
    say(game, done, where, at)


def _claimant(game: CorrespondenceGame) -> str:
    return game.player_text(last_claim(game).data["side"])


@click.command()
@click.argument("name")
@click.argument("side", type=_SIDES)
@click.argument("player")
@click.option("--refill", "amount", metavar="AMOUNT", help="Refill by the team captain: an amount, or `all`.")
@at_option
@zone_option
@click.pass_obj
def replace(  # noqa: PLR0917 (by name)
    path: str | None, name: str, side: str, player: str, amount: str | None, at: str | None, zone: str | None
) -> None:
    """Enter a substitution: PLAYER takes over SIDE.

    The clock keeps running. Only after the substitution may a team captain refill the player's clock.
    """
    where = zone_of(zone)
    wanted = None if amount is None else 0 if amount == "all" else parse_duration(amount, "an amount or all")
    if wanted == 0 and amount != "all":
        raise GameError("expected a refill of more than 0")
    number = _number(side)
    game = open_desk(path).replace(name, number, player, wanted, when(at, where))
    say(game, f"{game.players[number]} takes over for {side}, {state_of(game, number)}", where, at)


@click.command()
@click.argument("name")
@click.argument("side", type=_SIDES, required=False)
@click.option("--clock", help="Time on the clock as the server shows it, such as 41d6h.")
@click.option("--bank", help="Time in the bank as the server shows it.")
@click.option("--moves", type=click.IntRange(0, 9999), help="Number of moves that SIDE has made.")
@click.option("--undo", is_flag=True, help="Undo the last entry instead.")
@at_option
@zone_option
@click.pass_obj
def correct(  # noqa: PLR0917 (by name)
    path: str | None,
    name: str,
    side: str | None,
    clock: str | None,
    bank: str | None,
    moves: int | None,
    undo: bool,
    at: str | None,
    zone: str | None,
) -> None:
    """Set the clock of SIDE as the server shows it, or undo an entry."""
    where = zone_of(zone)
    values: EventData = {} if moves is None else {"moves": moves}
    if clock is not None:
        values["clock_ms"] = parse_duration(clock, "a clock")
    if bank is not None:
        values["bank_ms"] = parse_duration(bank, "a bank")
    if undo != (not values) or undo != (side is None):
        raise click.UsageError("expected a side with --clock, --bank or --moves, or else --undo alone")
    desk = open_desk(path)
    if side is None:
        say(desk.undo(name), "the last entry is undone", where)
        return
    number = _number(side)
    game = desk.correct(name, number, values, when(at, where))
    say(game, f"{side} corrected, {state_of(game, number)}", where, at)


@click.command()
@click.argument("name")
@click.argument("result")
@click.option("--reason", default="", help="Reason of the result: resignation, agreement, time, ...")
@at_option
@zone_option
@click.pass_obj
def result(  # noqa: PLR0917 (by name)
    path: str | None, name: str, result: str, reason: str, at: str | None, zone: str | None
) -> None:
    """Enter the RESULT of the game NAME: 1-0, 0-1 or 1/2-1/2."""
    where = zone_of(zone)
    say(open_desk(path).end(name, result, reason, when(at, where)), "ended", where, at)


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def remove(path: str | None, name: str, yes: bool) -> None:
    """Delete the game NAME with its log and its analyses.

    A damaged game can be deleted as well.
    """
    desk = open_desk(path)
    name = desk.named(name)
    if not yes:
        confirm(f"delete {name} for good?", f"{name}: not deleted")
    desk.remove(name)
    click.echo(f"{name}: removed")


COMMANDS = {
    "new": new,
    "move": move,
    "opponent": opponent,
    "refill": refill,
    "claim": claim,
    "replace": replace,
    "correct": correct,
    "result": result,
    "remove": remove,
}
