"""`standstill games new`, `move`, `opponent`, ...: entering what has happened."""

import click

from engine.clock.control import parse_control
from engine.clock.instants import find_zone, instant_text, now_ms, parse_instant
from engine.clock.units import days_text, parse_duration
from engine.correspondence.desk import When
from engine.correspondence.game import Game, Head, read_line
from engine.errors import GameError

from .games import open_desk

zone_option = click.option("--tz", "zone", help="Time zone of what is read and shown; the system's if not given.")
at_option = click.option(
    "--at", metavar="INSTANT", help="When it happened (2026-03-02T10:00, Z for UTC); now if not given."
)
_SIDES = click.Choice(["white", "black"], case_sensitive=False)


def when(at: str | None, where) -> When:
    return When(None if at is None else parse_instant(at, where))


def say(game: Game, what: str, where) -> None:
    """What was done, and what follows from it."""
    state = game.clocks
    text = f"{game.head.name}: {what}"
    if game.over:
        text += f"; {game.result}" + (f" ({game.reason})" if game.reason else "")
    elif state.deadline_ms is not None:
        text += f"; {('White', 'Black')[state.to_move]} to move until {instant_text(state.deadline_ms, where)}"
    click.echo(text)


def state_of(game: Game, side: int) -> str:
    left = game.clocks.sides[side]
    bank = f", bank {days_text(left.bank_ms)}" if game.clocks.control.has_bank else ""
    return f"clock {days_text(left.clock_ms)}{bank}"


@click.command()
@click.argument("name")
@click.argument("control")
@click.option("--white", default="?", help="Name of the player.")
@click.option("--black", default="?", help="Name of the player.")
@click.option("--side", type=_SIDES, help="The side that is you; without it the game is only watched.")
@click.option("--start", metavar="INSTANT", help="When White's clock starts; now if not given.")
@click.option("--fen", help="Position that the game starts from.")
@click.option("--opening", default="", metavar="MOVES", help="Moves given with the start, which do not count.")
@click.option("--event", default="", help="Name of the event.")
@click.option("--no-engines", is_flag=True, help="The event forbids engines: this one refuses to analyse the game.")
@zone_option
@click.pass_obj
def new(path: str | None, name: str, control: str, zone: str | None, start: str | None, **given) -> None:
    """Begin to keep the game NAME under the clock CONTROL."""
    from engine.board import new_board

    where = find_zone(zone)
    board = new_board(given["fen"])
    head = Head(
        name=name,
        control=parse_control(control).text,
        white=given["white"],
        black=given["black"],
        own_side=None if given["side"] is None else ("white", "black").index(given["side"].lower()),
        fen=given["fen"],
        opening=read_line(board, given["opening"]),
        tags={"Event": given["event"]} if given["event"] else {},
        no_engines=given["no_engines"],
    )
    start_ms = now_ms() if start is None else parse_instant(start, where)
    say(open_desk(path, create=True).add(head, start_ms), "kept from now on", where)


def _say_move(game: Game, where) -> None:
    mover = 1 - game.clocks.to_move if not game.over else game.board.stm ^ 1
    say(game, f"{game.last_move}, {state_of(game, mover)}", where)


@click.command()
@click.argument("name")
@click.argument("move")
@click.option("--any", "anybody", is_flag=True, help="Whoever is to move.")
@at_option
@zone_option
@click.pass_obj
def move(path, name, move, anybody, at, zone) -> None:  # noqa: PLR0917 (by name)
    """Enter your MOVE (Nf3 or g1f3) in the game NAME."""
    where = find_zone(zone)
    _say_move(open_desk(path).move(name, move, when(at, where), "any" if anybody else "own"), where)


@click.command()
@click.argument("name")
@click.argument("move")
@at_option
@zone_option
@click.pass_obj
def opponent(path: str | None, name: str, move: str, at: str | None, zone: str | None) -> None:
    """Enter your opponent's MOVE."""
    where = find_zone(zone)
    _say_move(open_desk(path).move(name, move, when(at, where), "opponent"), where)


@click.command()
@click.argument("name")
@click.argument("amount", required=False)
@at_option
@zone_option
@click.pass_obj
def refill(path: str | None, name: str, amount: str | None, at: str | None, zone: str | None) -> None:
    """Enter a manual refill of the side to move: AMOUNT (45d), or all that fits. Too much is cut to what fits."""
    where = find_zone(zone)
    wanted = None if amount is None else parse_duration(amount, "an amount")
    game, moved = open_desk(path).refill(name, wanted, when(at, where))
    say(game, f"{days_text(moved)} from the bank, {state_of(game, game.clocks.to_move)}", where)


@click.command()
@click.argument("name")
@click.option("--what", type=click.Choice(["draw", "win"]), default="draw", show_default=True, help="What is claimed.")
@click.option("--accepted", is_flag=True, help="The claim was accepted.")
@click.option("--rejected", is_flag=True, help="The claim was rejected: the clock runs on with its old value.")
@click.option("--result", help="Of an accepted claim, if it is another than claimed.")
@at_option
@zone_option
@click.pass_obj
def claim(path, name, what, accepted, rejected, result, at, zone) -> None:  # noqa: PLR0917 (by name)
    """Enter a claim, which stops the clock, or with --accepted or --rejected its decision."""
    where = find_zone(zone)
    desk = open_desk(path)
    if accepted and rejected:
        raise click.UsageError("expected one of --accepted and --rejected")
    if accepted or rejected:
        say(
            desk.decide(name, accepted, result, when(at, where)),
            f"claim {'accepted' if accepted else 'rejected'}",
            where,
        )
    else:
        say(desk.claim(name, what, when(at, where)), f"{what} claimed, the clock stands", where)


@click.command()
@click.argument("name")
@click.argument("side", type=_SIDES)
@click.argument("player")
@click.option("--refill", "amount", metavar="AMOUNT", help="The captain's refill: an amount, or all.")
@at_option
@zone_option
@click.pass_obj
def replace(path, name, side, player, amount, at, zone) -> None:  # noqa: PLR0917 (by name)
    """Enter that PLAYER takes over SIDE. The clock runs on; only with this may a team's captain refill it."""
    where = find_zone(zone)
    wanted = None if amount is None else 0 if amount == "all" else parse_duration(amount, "an amount or all")
    if wanted == 0 and amount != "all":
        raise GameError("expected a refill of more than 0")
    number = ("white", "black").index(side.lower())
    game = open_desk(path).replace(name, number, player, wanted, when(at, where))
    say(game, f"{game.players[number]} takes over for {side}, {state_of(game, number)}", where)


@click.command()
@click.argument("name")
@click.argument("side", type=_SIDES, required=False)
@click.option("--clock", help="What the server shows on the clock, such as 41d6h.")
@click.option("--bank", help="What it shows in the bank.")
@click.option("--moves", type=click.IntRange(0, 9999), help="Own moves made.")
@click.option("--undo", is_flag=True, help="Take the last entry back instead.")
@at_option
@zone_option
@click.pass_obj
def correct(path, name, side, clock, bank, moves, undo, at, zone) -> None:  # noqa: PLR0917 (by name)
    """Correct the clock of SIDE after the server's display, or take the last entry back."""
    where = find_zone(zone)
    values = {} if moves is None else {"moves": moves}
    if clock is not None:
        values["clock_ms"] = parse_duration(clock, "a clock")
    if bank is not None:
        values["bank_ms"] = parse_duration(bank, "a bank")
    if undo != (not values) or undo != (side is None):
        raise click.UsageError("expected a side with --clock, --bank or --moves, or else --undo alone")
    desk = open_desk(path)
    if undo:
        say(desk.undo(name), "the last entry is taken back", where)
        return
    number = ("white", "black").index(side.lower())
    game = desk.correct(name, number, values, when(at, where))
    say(game, f"{side} corrected, {state_of(game, number)}", where)


@click.command()
@click.argument("name")
@click.argument("result")
@click.option("--reason", default="", help="Such as resignation, agreement, time.")
@at_option
@zone_option
@click.pass_obj
def result(path, name, result, reason, at, zone) -> None:  # noqa: PLR0917 (by name)
    """Enter the RESULT of a game: 1-0, 0-1 or 1/2-1/2."""
    where = find_zone(zone)
    say(open_desk(path).end(name, result, reason, when(at, where)), "ended", where)


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def remove(path: str | None, name: str, yes: bool) -> None:
    """Forget a game with its log and its analyses."""
    desk = open_desk(path)
    desk.load(name)
    if not yes:
        click.confirm(f"forget {name} for good?", abort=True)
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
