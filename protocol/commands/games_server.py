"""`standstill games fetch`, `send`: the bridge to servers that speak Xfcc."""

import click

from engine.clock.control import parse_control
from engine.correspondence.bridge import fetch as fetch_game
from engine.correspondence.desk import When
from engine.correspondence.xfcc import Server, credentials
from engine.errors import GameError, StandstillError, StoreError

from .games import open_desk, warn

user_option = click.option("--user", help="Your name on the server; else $STANDSTILL_XFCC_USER.")


@click.command()
@click.argument("url")
@click.option(
    "--control", required=True, metavar="CLOCK", help="Clock of games that are not stored yet, such as 50/75/1."
)
@user_option
@click.pass_obj
def fetch(path: str | None, url: str, control: str, user: str | None) -> int:
    """Bring your games on the Xfcc server at URL into the store, with the clocks that it shows.

    The password comes from $STANDSTILL_XFCC_PASSWORD, or from the system's keyring; it is never stored or shown.
    """
    terms = parse_control(control)
    server = Server(url, *credentials(url, user))
    games = server.games()
    desk = open_desk(path, create=True)
    status = 0
    for game in games:
        try:
            click.echo(fetch_game(desk, server, game, terms))
        except StoreError:
            raise
        except StandstillError as error:
            warn(f"game {game.id}: {error}")
            status = 2
            continue
        if game.draw_offered:
            click.echo("  a draw is offered")
        if game.message:
            click.echo(f"  {' '.join(game.message.split())}")
    if not games:
        click.echo("no games")
    return status


@click.command()
@click.argument("name")
@click.argument("move")
@click.option("--draw", is_flag=True, help="Offer a draw with it.")
@click.option("--message", default="", help="Text for the opponent.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@user_option
@click.pass_obj
def send(path, name, move, draw, message, yes, user) -> None:  # noqa: PLR0917 (by name)
    """Send your MOVE in the game NAME to its server, after a confirmation, and enter it."""
    from engine.clock.instants import now_ms

    desk = open_desk(path)
    game = desk.load(name)
    head = game.head
    if head.server is None:
        raise GameError(f"{head.name} is not played on an Xfcc server: fetch it from there first")
    if game.over or game.clocks.to_move != head.own_side:
        raise GameError(f"it is not your turn in {head.name}")
    event = game.move_event(move, now_ms())
    number = game.board.fullmove
    text = f"{number}{'...' if head.own_side else '.'}{event.data['san']}"
    if not yes:
        click.confirm(f"send {text} in {head.name} to {head.server}?", abort=True)
    server = Server(head.server, *credentials(head.server, user))
    server.send(head.server_id, number, event.data["san"], draw, message)
    desk.move(name, move, When(), "own")
    click.echo(f"{head.name}: {text} sent")


COMMANDS = {"fetch": fetch, "send": send}
