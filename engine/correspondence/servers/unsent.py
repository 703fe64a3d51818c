"""The owner's moves that the store has, and the server of the game does not.

On the server the player's clock runs on until the move is sent, so the clocks before the move are the valid ones.
"""

from __future__ import annotations

from ...clock import game_clocks as clocks
from ...clock.game_clocks import Event, EventData
from ..game import CorrespondenceGame
from ..store import Store


def draft_of(game: CorrespondenceGame) -> Event | None:
    """Return the last entry of the log, or the entry before an end, if it is a move of the owner; else None."""
    tail = game.log[-2:] if game.over else game.log[-1:]
    is_own = game.head.own_side is not None and game.board.stm ^ 1 == game.head.own_side
    return tail[0] if is_own and tail[0].kind == clocks.MOVE else None


def without_draft(game: CorrespondenceGame) -> CorrespondenceGame:
    """Return the game without its draft, which must exist."""
    return CorrespondenceGame(game.head, game.log[: -2 if game.over else -1])


def as_on_server(store: Store, game: CorrespondenceGame) -> CorrespondenceGame:
    """Return the game without a last move that has not been sent; otherwise the game itself."""
    draft = draft_of(game)
    if draft is None or game.head.server is None:
        return game
    row = store.row("SELECT server_ply FROM games WHERE id = ?", game.head.id)
    is_unsent = row is not None and row["server_ply"] == len(game.moves) - 1
    return without_draft(game) if is_unsent else game


def restamped(game: CorrespondenceGame, at_ms: int, *, sent: bool) -> list[Event]:
    """Return the log with the last move made at that instant, because the server did not have the move before.

    sent: whether the server has the move now. Without a last move of the owner the log is unchanged.
    """
    draft = draft_of(game)
    if draft is None:
        return game.log
    before = without_draft(game)
    return [*before.log, remade(before, draft, at_ms, sent=sent)]


def remade(game: CorrespondenceGame, draft: Event, at_ms: int, *, sent: bool) -> Event:
    """Return the entry of a move that is made at that instant. game: the game before the move."""
    at_ms = max(at_ms // 1000 * 1000, game.clocks.stamp_ms)
    data: EventData = {"uci": draft.data["uci"], "san": draft.data["san"]}
    if not sent:
        data["unsent"] = True
    if game.clocks.flagged(at_ms):  # the game continues on the server, so the clock was refilled there
        data["unsure"] = clocks.LENGTH
    return Event(clocks.MOVE, at_ms, data)
