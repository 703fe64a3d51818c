"""Sends moves and other actions to the server of a game.

An action is first described in words, then sent as described, then stored.

Xfcc's MakeAMove carries a move with or without an offer of a draw, a resignation, the acceptance of a draw, and the
claim of a draw. Xfcc has no field to decline a draw, because the next move declines it, and no field to claim a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...clock import game_clocks as clocks
from ...clock.game_clocks import Event, EventData
from ...clock.instants import now_ms
from ...common.errors import GameError, StandstillError
from ...common.text import shown
from ...variants.boards import new_board
from ...variants.notation import parse_move
from ..desk import Desk, When
from ..game import CorrespondenceGame, plain, read_line
from ..remarks.hints import claims
from .accounts import user_of
from .unsent import as_on_server, restamped
from .xfcc import Made, Server, XfccError, XfccUncertain

MOVE, RESIGN, ACCEPT, CLAIM = "move", "resign", "accept", "claim"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants to send.

    action: MOVE, RESIGN, ACCEPT or CLAIM. move: the move for MOVE and CLAIM, otherwise None.

    draw: whether to offer a draw with the move. user: overrides the account of the game.
    """

    action: str
    move: str | None = None
    draw: bool = False
    message: str = ""
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Sending:
    """An action that can be sent. summary: in one line. details: every value that the server gets, as (name, value).

    made: these values. move: the move in the user's notation; None if the store already has the move or no move is
    sent.
    moves: the moves of the game when the action was prepared; another process may change the game before the user
    agrees.
    """

    name: str
    url: str
    user: str | None
    action: str
    summary: str
    done: str
    details: tuple[tuple[str, str], ...]
    made: Made
    move: str | None
    moves: tuple[str, ...]


def prepare(desk: Desk, name: str, wanted: Wanted) -> Sending:
    """Return what would be sent. Raises GameError if the action is impossible, and the errors of an unreadable move."""
    game = desk.load(name)
    head = game.head
    if head.server is None or head.server_id is None or head.own_side is None:
        raise GameError(f"{head.name} is not linked to a game of an Xfcc server: fetch it first")
    if game.over and as_on_server(desk.store, game).over:
        raise GameError(f"{head.name} is over, {game.result}")
    move, unsent, san = _move(desk, game, wanted)
    made = Made(
        head.server_id,
        game.board.fullmove - (unsent and game.board.stm == 0),
        san,
        resign=wanted.action == RESIGN,
        accept_draw=wanted.action == ACCEPT,
        offer_draw=wanted.draw,
        claim_draw=wanted.action == CLAIM,
        message=wanted.message,
    )
    _check(game, wanted, made, [*game.moves, *(() if unsent or not san else read_line(game.board, san))])
    user = wanted.user or user_of(desk, game)
    text, done = _words(game, wanted, made)
    where = f" to {head.server}" + (f" as {user}" if user else "")
    verb = "send " if san and wanted.action == MOVE else ""
    summary = f"{verb}{text} in {head.name}{where}"
    return Sending(
        head.name, head.server, user, wanted.action, summary, done, _details(game, made, user), made,
        None if unsent else move, tuple(game.moves),
    )  # fmt: skip


def _move(desk: Desk, game: CorrespondenceGame, wanted: Wanted) -> tuple[str | None, bool, str]:
    """Return the move to send, whether the store already has it, and its SAN; ``(None, False, "")`` without a move."""
    if wanted.action in (RESIGN, ACCEPT):
        if wanted.move is not None or wanted.draw:
            raise GameError("expected neither a move nor an offer of a draw with --resign or --accept-draw")
        return None, False, ""
    stored = _unsent(desk, game, wanted.move)
    if stored is not None:
        return stored, True, game.sans[-1]
    if wanted.move is None:
        if wanted.action == CLAIM and not wanted.draw:
            return None, False, ""
        raise GameError(f"expected a move: {game.head.name} has no unsent move")
    if game.clocks.to_move != game.head.own_side:
        raise GameError(f"it is not your turn in {game.head.name}")
    return wanted.move, False, desk.planned(game, wanted.move).data["san"]


def _check(game: CorrespondenceGame, wanted: Wanted, made: Made, moves: list[str]) -> None:
    """Raise GameError if the rules or the store exclude the action. moves: all moves, including the move to be sent."""
    name = game.head.name
    if wanted.action == ACCEPT and not offered(game):
        raise GameError(f"no draw is offered in {name}: fetch the games to see a new offer")
    if wanted.action != CLAIM:
        return
    if not made.san and game.clocks.to_move != game.head.own_side:
        raise GameError(f"it is not your turn in {name}: a draw can be claimed only then")
    if not claims(game, moves):
        raise GameError(
            f"no draw to claim in {name}: expected a threefold repetition, fifty moves without a capture or pawn move,"
            " or seven men or fewer"
        )


def offered(game: CorrespondenceGame) -> bool:
    """Return whether the user, who is to move, can accept a draw that the opponent has offered with the last move."""
    if game.over or game.head.own_side is None or game.clocks.to_move != game.head.own_side:
        return False
    return open_offer(game.standing) == 1 - game.head.own_side


def open_offer(standing: Sequence[Event]) -> int | None:
    """Return the side that has offered a draw since the last move; None without an offer. standing: of the log."""
    for event in reversed(standing):
        if event.kind == clocks.OFFER:
            return event.data["side"]
        if event.kind == clocks.MOVE:
            return None
    return None


def _words(game: CorrespondenceGame, wanted: Wanted, made: Made) -> tuple[str, str]:
    """Return the action in words, before and after it has been sent."""
    number = f"{made.move_number}{'...' if game.head.own_side else '.'}{made.san}"
    extras = []
    if wanted.draw:
        extras.append("a draw offer")
    if wanted.action == CLAIM and made.san:
        extras.append("the claim of a draw")
    if wanted.message:
        extras.append(f"the message {shown(wanted.message)}")
    extra = f" with {' and '.join(extras)}" if extras else ""
    if wanted.action == RESIGN:
        return f"resign{extra}", f"resigned{extra}"
    if wanted.action == ACCEPT:
        return f"accept the draw{extra}", f"draw accepted{extra}"
    if not made.san:
        return f"claim a draw{extra}", f"draw claimed{extra}"
    declines = ", which declines the draw that is offered," if offered(game) else ""
    return f"{number}{extra}{declines}", f"{number}{extra} sent"


def _details(game: CorrespondenceGame, made: Made, user: str | None) -> tuple[tuple[str, str], ...]:
    """Return every value that the server gets."""
    event = game.head.tags.get("Event", "")
    values = [
        ("server", str(game.head.server)),
        ("account", user or "the user of $STANDSTILL_XFCC_USER"),
        ("game", f"{made.game_id}, {game.players[0]} - {game.players[1]}" + (f", {event}" if event else "")),
        ("move", f"{made.move_number}{'...' if game.head.own_side else '.'}{made.san}" if made.san else ""),
        ("resign", "yes" if made.resign else ""),
        ("accept the draw", "yes" if made.accept_draw else ""),
        ("draw that is offered", "declined by the move" if made.san and offered(game) else ""),
        ("offer a draw", "yes" if made.offer_draw else ""),
        ("claim a draw", "yes" if made.claim_draw else ""),
        ("message", made.message),
    ]
    return tuple((name, value) for name, value in values if value)


def send(desk: Desk, sending: Sending, server: Server) -> str:
    """Send a prepared action, and store it. Return a line that says what was done.

    A move is stored first, and taken back if the server refuses it. So the program sends no move that the store would
    refuse. The other actions are stored after the server has accepted them. Raises GameError if the game has changed
    since, XfccError if the server refuses the action, and XfccUncertain if the server may have accepted it.
    """
    game = desk.load(sending.name)
    if tuple(game.moves) != sending.moves:
        raise GameError(f"{sending.name} has changed in the meantime: look at it again")
    if sending.move is not None:
        game = desk.move(sending.name, sending.made.san, When(), "own", after=[*sending.moves])
    else:
        for event in _entries(game, sending):
            game.clocks.apply(event)  # raises an error before anything is sent
    try:
        server.make(sending.made)
    except XfccUncertain as error:
        stored = f"{_subject(sending)} is stored, but the server may not have it"
        what = stored if sending.made.san else "nothing is stored, but the server may have it"
        raise XfccUncertain(f"{error}; {what}: run `games fetch` to find out") from None
    except XfccError as error:
        if sending.move is not None:
            _take_back(desk, game, sending, error)
        raise
    if sending.move is None and sending.made.san:
        _restamp(desk, sending)
    columns: dict[str, object] = {"server_ply": len(game.moves)} if sending.made.san else {}
    if sending.user is not None:
        columns["server_user"] = sending.user
    try:
        desk.add_events(sending.name, lambda stored: _entries(stored, sending), columns)
    except StandstillError as error:
        desk.warn(f"{sending.name}: {_subject(sending)} is sent, but cannot be marked as sent ({error})")
    return f"{sending.name}: {sending.done}"


def _restamp(desk: Desk, sending: Sending) -> None:
    """Enter a move of the log again with the current instant: the clock ran until the move was sent."""
    try:
        desk.rewrite(sending.name, lambda game: restamped(game, now_ms(), sent=True))
    except StandstillError as error:
        desk.warn(
            f"{sending.name}: {_subject(sending)} is sent, but the store has the time at which it was entered ({error})"
        )


def _subject(sending: Sending) -> str:
    return sending.done.removesuffix(" sent").partition(" with ")[0]


def _entries(game: CorrespondenceGame, sending: Sending) -> list[Event]:
    """Return the log entries for all parts of the action except the move."""
    side, made = _own_side(game), sending.made
    at_ms = max(now_ms() // 1000 * 1000, game.clocks.stamp_ms)
    own: EventData = {"side": side}
    text = plain(made.message)
    entries = [Event(clocks.OFFER, game.clocks.stamp_ms, own)] if made.offer_draw else []
    if text:
        entries.append(Event(clocks.MESSAGE, game.clocks.stamp_ms, {**own, "text": text}))
    if made.claim_draw:
        entries.append(Event(clocks.CLAIM, at_ms, {**own, "what": "draw"}))
    if made.resign:
        entries.append(Event(clocks.END, at_ms, {"result": ("0-1", "1-0")[side], "reason": "resignation"}))
    if made.accept_draw:
        entries.append(Event(clocks.END, at_ms, {"result": "1/2-1/2", "reason": "agreement"}))
    return entries if not game.over else []


def _own_side(game: CorrespondenceGame) -> int:
    assert game.head.own_side is not None  # `prepare` refuses other games
    return game.head.own_side


def _unsent(desk: Desk, game: CorrespondenceGame, move: str | None) -> str | None:
    """Return the last move of the log if it is the user's own and the server does not have it, else None."""
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
        if read_line(board, move) != (game.moves[-1],):
            raise GameError(f"{game.last_move} is entered and not sent yet: `correct --undo` undoes it")
    return game.moves[-1]


def _take_back(desk: Desk, game: CorrespondenceGame, sending: Sending, error: XfccError) -> None:
    try:
        desk.undo_move(game.head.name, game.moves)
    except StandstillError as trouble:
        raise XfccError(f"{error}; {_subject(sending)} stays in the store, not sent ({trouble})") from None
