"""`standstill games fetch`, `send`: the connection to servers that speak Xfcc."""

from __future__ import annotations

from dataclasses import replace

import click

from standstill.engine.clock.game_clocks import MESSAGE, OFFER, Event, EventData
from standstill.engine.clock.instants import find_zone
from standstill.engine.clock.parse import parse_control
from standstill.engine.common.errors import DamagedGameError, GameError, StandstillError, StoreError
from standstill.engine.common.text import plural, shown
from standstill.engine.correspondence.desk import When
from standstill.engine.correspondence.game import plain
from standstill.engine.correspondence.servers.bridge import Fetched, Wishes, unlisted
from standstill.engine.correspondence.servers.bridge import fetch as fetch_game
from standstill.engine.correspondence.servers.xfcc import (
    Server,
    Unreadable,
    XfccError,
    XfccGame,
    XfccUncertain,
    credentials,
)

from ..messages import tell, warn
from . import confirm, open_desk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.correspondence.desk import Desk
    from standstill.engine.correspondence.game import CorrespondenceGame

user_option = click.option("--user", help="Your name on the server; default: $STANDSTILL_XFCC_USER.")


@click.command()
@click.argument("url")
@click.option(
    "--control",
    metavar="CLOCK",
    help="Clock of games that are new in the store, such as 50/75/1, if the server does not give one.",
)
@click.option(
    "--game",
    "named",
    multiple=True,
    metavar="ID=NAME",
    help="Keep the server's game ID under NAME: a game that you have entered by hand, or a new one.",
)
@click.option(
    "--refills-entered",
    is_flag=True,
    help="Every manual refill of yours is in the store: `fetch` then concludes more about the times of moves.",
)
@click.option("--tz", "zone", help="Time zone in which the server's events start at 00:00; default: UTC.")
@user_option
@click.pass_obj
def fetch(  # noqa: PLR0917 (by name)
    path: str | None,
    url: str,
    control: str | None,
    named: tuple[str, ...],
    refills_entered: bool,
    zone: str | None,
    user: str | None,
) -> int:
    """Store your games on the Xfcc server at URL, with their clocks.

    The command prints what has changed. It infers banks and manual refills from the clocks and the time that has
    passed; what cannot be inferred is marked as unknown, with its limits. A game that may be one you have entered by
    hand is refused until --game says which it is. The password comes from $STANDSTILL_XFCC_PASSWORD or from the
    system's keyring. It is never stored or shown.
    """
    wishes = Wishes(
        None if control is None else parse_control(control),
        zone=find_zone(zone or "UTC"),
        refills_entered=refills_entered,
    )
    names = _names(named)
    server = Server(url, *credentials(url, user))
    games = server.games()
    desk = open_desk(path, create=True)
    status = quiet = 0
    for game in games:
        if isinstance(game, Unreadable):
            warn(f"game {game.id or '?'}: {game.problem}")
            status = 2
            continue
        for problem in game.problems:
            warn(f"game {game.id}: {problem}")
            status = 2
        found = _stored(desk, url, game, replace(wishes, name=names.pop(game.id, None)))
        if found is None:
            status = 2
        elif found.done or found.notes:
            for line in (f"{found.name}: {found.done or 'nothing new'}", *(f"  {note}" for note in found.notes)):
                tell(line)
        else:
            quiet += 1
    if quiet:
        tell(f"{quiet} {plural(quiet, 'game')}: nothing new")
    desk.store.place()  # so that the next command finds a store even if no game could be stored
    if not games:
        tell("no games")
    listed = {game.id for game in games}
    if "" not in listed:  # a game without an id may be any of the stored games
        for missing in unlisted(desk, url, listed):
            tell(f"{missing}: the server no longer lists it; if it has ended, enter the result with `games result`")
    for number in names:
        warn(f"--game {shown(number)}: the server has no such game")
        status = 2
    return status


def _stored(desk: Desk, url: str, game: XfccGame, wishes: Wishes) -> Fetched | None:
    """What the fetch of one game has done; None, with a warning, if it cannot be stored."""
    try:
        return fetch_game(desk, url, game, wishes)
    except StandstillError as error:
        if isinstance(error, StoreError) and not isinstance(error, DamagedGameError):
            raise
        warn(f"game {game.id}: {error}")
        return None


def _names(named: tuple[str, ...]) -> dict[str, str]:
    """The names given with --game, by the server's id."""
    names: dict[str, str] = {}
    for text in named:
        number, equals, name = text.partition("=")
        if not (number and equals and name):
            raise click.UsageError(f"--game: expected ID=NAME, found {shown(text)}")
        if number in names:
            raise click.UsageError(f"--game: {shown(number)} is named twice")
        names[number] = name
    return names


@click.command()
@click.argument("name")
@click.argument("move", required=False)
@click.option("--draw", is_flag=True, help="Offer a draw with the move.")
@click.option("--message", default="", help="Text for the opponent.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@user_option
@click.pass_obj
def send(  # noqa: PLR0917 (by name)
    path: str | None, name: str, move: str | None, draw: bool, message: str, yes: bool, user: str | None
) -> None:
    """Send your MOVE in the game NAME to its server.

    The command asks for confirmation and enters the move in the store. Without MOVE it sends the one that you have
    entered with `move`. The move is stored before it is sent, and removed if the server refuses it.
    """
    desk = open_desk(path)
    game = desk.load(name)
    head = game.head
    if head.server is None or head.server_id is None or head.own_side is None:
        raise GameError(f"{head.name} is not linked to a game of an Xfcc server: fetch it first")
    stored = _unsent(desk, game, move)
    if stored is None:
        if move is None:
            raise GameError(f"expected a move: {head.name} has no unsent move")
        if game.over or game.clocks.to_move != head.own_side:
            raise GameError(f"it is not your turn in {head.name}")
        san, number = desk.planned(game, move).data["san"], game.board.fullmove
    else:
        san, number = game.sans[-1], game.board.fullmove - (game.board.stm == 0)
    text = f"{number}{'...' if head.own_side else '.'}{san}"
    extras = [*(["a draw offer"] if draw else []), *([f"the message {shown(message)}"] if message else [])]
    extra = f" with {' and '.join(extras)}" if extras else ""
    if not yes:
        confirm(f"send {text}{extra} in {head.name} to {head.server}?", f"{head.name}: not sent")
    server = Server(head.server, *credentials(head.server, user))
    if stored is None:
        game = desk.move(name, san, When(), "own", after=game.moves)
    try:
        server.send(head.server_id, number, san, draw, message)
    except XfccUncertain as error:
        raise XfccError(
            f"{error}; {text} is stored, but the server may not have it: run `games fetch` to find out"
        ) from None
    except XfccError as error:
        if stored is not None:
            raise
        _take_back(desk, game, text, error)
        raise
    tell(f"{head.name}: {text}{extra} sent")
    try:
        desk.act(name, lambda stored: _sent_words(stored, draw, message), {"server_ply": len(game.moves)})
    except StandstillError as error:
        warn(f"{head.name}: {text} is sent and stored, but cannot be marked as sent ({error})")


def _sent_words(game: CorrespondenceGame, draw: bool, message: str) -> list[Event]:
    """The draw offer and the message that went with a move."""
    data: EventData = {"side": game.board.stm ^ 1}
    at_ms = game.clocks.stamp_ms
    offer = [Event(OFFER, at_ms, data)] if draw else []
    return offer + ([Event(MESSAGE, at_ms, {**data, "text": plain(message)})] if plain(message) else [])


def _unsent(desk: Desk, game: CorrespondenceGame, move: str | None) -> str | None:
    """The last move of the log if it is the user's own and the server does not have it, else None."""
    from standstill.engine.correspondence.game import read_line
    from standstill.engine.variants.boards import new_board
    from standstill.engine.variants.notation import parse_move

    if not game.sans or game.board.stm ^ 1 != game.head.own_side or game.stamps[-1] is None:
        return None
    row = desk.store.row("SELECT server_ply FROM games WHERE id = ?", game.head.id)
    if row is None:
        raise GameError(f"{game.head.name} was removed in the meantime")
    sent = row["server_ply"]
    if sent is not None and sent >= len(game.moves):
        return None
    if move is not None:
        board = new_board(game.head.fen, game.board.notation.chess960)
        for played in game.moves[:-1]:
            board.push(parse_move(board, played))
        same = read_line(board, move) == (game.moves[-1],)
        if not same:
            raise GameError(f"{game.last_move} is entered and not sent yet: `correct --undo` undoes it")
    return game.moves[-1]


def _take_back(desk: Desk, game: CorrespondenceGame, text: str, error: XfccError) -> None:
    try:
        desk.undo_move(game.head.name, game.moves)
    except StandstillError as trouble:
        raise XfccError(f"{error}; {text} stays in the store, not sent ({trouble})") from None


COMMANDS = {"fetch": fetch, "send": send}
