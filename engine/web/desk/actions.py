"""The actions of the page Desk. Each action calls the operation of ``correspondence`` that the command line uses."""

from __future__ import annotations

from collections.abc import Callable

from ...clock.game_clocks import EventData
from ...clock.instants import parse_instant
from ...clock.units import parse_duration, words_text
from ...common.errors import ArgumentError, GameError
from ...correspondence.desk import Desk, When
from ...correspondence.editing import EntryChange, HeadChange, changed_head, changes, edited, store_edited
from ...correspondence.game import CorrespondenceGame, Head
from ...correspondence.remarks.hints import SCORING_TAG
from ...correspondence.remarks.kept import board_after, drop, keep, line, tag
from ...correspondence.remarks.written import COMMENT, LINE, PLAN, Remark, comment_text
from ...correspondence.servers.sending import ACCEPT, CLAIM, MOVE, RESIGN, Sending, Wanted, prepare, send
from ...correspondence.servers.xfcc import Server, credentials
from .. import fields
from ..fields import Fields

_SIDES = ("white", "black")
_MOST_PLIES = 5000


def perform(desk: Desk, data: Fields) -> tuple[str, str]:
    """Perform the action for which the page asks.

    Return a line that says what was done, and the name of the game; "" if the game is gone.

    ``seen`` is the number of log entries that the page shows. If the game has more entries by now, nothing is done.
    Raises the errors of the operation, and GameError if the game has changed.
    """
    name = fields.text(data, "name")
    what = fields.choice(data, "action", tuple(_ACTIONS), "")
    with desk.store.transaction():
        game = desk.load(name)
        seen = fields.whole(data, "seen", 0, 10**6)
        if seen is not None and seen != len(game.log):
            raise GameError(f"{name} has changed in the meantime: look at it again")
        done = _ACTIONS[what](desk, game, data)
        row = desk.store.row("SELECT name FROM games WHERE id = ?", game.head.id)
        return done, "" if row is None else row["name"]


def _when(data: Fields) -> When:
    text = fields.text(data, "at").strip()
    return When(parse_instant(text, None) if text else None)


def _move(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    found = desk.move(game.head.name, fields.text(data, "move"), _when(data))
    return f"{found.last_move} is entered"


def _refill(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    text = fields.text(data, "amount").strip()
    _, moved = desk.refill(game.head.name, parse_duration(text, "an amount") if text else None, _when(data))
    return f"{words_text(moved)} refilled"


def _claim(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    what = fields.choice(data, "what", ("draw", "win"), "draw")
    desk.claim(game.head.name, what, _when(data))
    return f"the claim of a {what} is entered: no clock runs until its decision"


def _decide(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    accepted = fields.truth(data, "accepted")
    desk.decide(game.head.name, accepted, None, _when(data))
    return f"the claim is {'accepted' if accepted else 'rejected'}"


def _result(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    found = desk.end(game.head.name, fields.text(data, "result"), fields.text(data, "reason"), _when(data))
    return f"ended {found.result}"


def _replace(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    side = _SIDES.index(fields.choice(data, "side", _SIDES, "white"))
    player = fields.text(data, "player").strip()
    if not player:
        raise GameError("expected the name of the new player")
    amount = fields.text(data, "refill").strip()
    refill_ms = 0 if amount == "all" else parse_duration(amount, "a refill") if amount else None
    desk.replace(game.head.name, side, player, refill_ms, _when(data))
    return f"{player} takes over"


def _correct(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    side = _SIDES.index(fields.choice(data, "side", _SIDES, "white"))
    values: EventData = {}
    if text := fields.text(data, "clock").strip():
        values["clock_ms"] = parse_duration(text, "a clock")
    if text := fields.text(data, "bank").strip():
        values["bank_ms"] = parse_duration(text, "a bank")
    if not values:
        raise GameError("expected a clock or a bank")
    desk.correct(game.head.name, side, values, _when(data))
    return f"{_SIDES[side]} corrected"


def _undo(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    desk.undo(game.head.name)
    return "the last entry is undone"


def _note(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    kind = fields.choice(data, "kind", ("comment", "line", "plan", "tag"), "comment")
    ply = fields.whole(data, "ply", 0, _MOST_PLIES)
    ply = len(game.moves) if ply is None else ply
    text = fields.text(data, "text").strip()
    board_after(game, ply)  # raises an error for a ply beyond the game
    if kind == "tag":
        found = tag(text)
    elif kind == "comment":
        if not comment_text(text):
            raise GameError("expected the text of a comment")
        found = Remark(COMMENT, ply, comment_text(text))
    else:
        found = line(game, ply, fields.text(data, "moves"), text, LINE if kind == "line" else PLAN)
    return "kept" if keep(desk, game.head.id, [found]) else "the game has this remark already"


def _drop(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    drop(desk, game.head.id, fields.whole(data, "id", 0, 10**12) or 0)
    return "removed"


def _edit(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    store_edited(desk, game, corrected(game, data))
    return "the game is changed" if data.get("entry") is None else "the log is corrected"


def _remove(desk: Desk, game: CorrespondenceGame, data: Fields) -> str:
    if fields.text(data, "confirmed") != game.head.name:
        raise GameError(f"expected the name of the game, {game.head.name}, as confirmation")
    desk.remove(game.head.name)
    return f"{game.head.name} is removed"


_ACTIONS: dict[str, Callable[[Desk, CorrespondenceGame, Fields], str]] = {
    "move": _move,
    "refill": _refill,
    "claim": _claim,
    "decide": _decide,
    "result": _result,
    "replace": _replace,
    "correct": _correct,
    "undo": _undo,
    "note": _note,
    "drop": _drop,
    "edit": _edit,
    "remove": _remove,
}


def corrected(game: CorrespondenceGame, data: Fields) -> CorrespondenceGame:
    """Return the game with log entry ``entry`` changed or removed; without ``entry``, with its head changed.

    Raises GameError if later entries no longer fit, or if the request changes nothing.
    """
    number = fields.whole(data, "entry", 1, 10**6)
    if number is None:
        return edited(game, changed_head(game, _head_change(game, data)))
    if number > len(game.log):
        raise ArgumentError(f"entry: expected a number from 1 to {len(game.log)}")
    if fields.truth(data, "remove"):
        return edited(game, game.head, EntryChange(number, remove=True))
    values: EventData = {}
    if text := fields.text(data, "clock").strip():
        values |= {"clock_ms": parse_duration(text, "a clock"), "clock_unknown": False}
    if text := fields.text(data, "bank").strip():
        bank_ms = parse_duration(text, "a bank")
        values |= {"bank_ms": bank_ms, "bank_unknown": False, "bank_most_ms": bank_ms}
    if text := fields.text(data, "amount").strip():
        values["ms"] = parse_duration(text, "an amount")
    if text := fields.text(data, "player").strip():
        values["name"] = text
    at = fields.text(data, "at").strip()
    if not (values or at):
        raise GameError("expected a value to change")
    return edited(game, game.head, EntryChange(number, parse_instant(at, None) if at else None, values or None))


def _head_change(game: CorrespondenceGame, data: Fields) -> HeadChange:
    """Return the values of the head that the form has changed. Raises ArgumentError."""
    head = game.head

    def given(name: str, now: str) -> str | None:
        text = fields.text(data, name, now).strip()
        return None if text == now else text

    def switched(name: str, now: bool) -> bool | None:
        wanted = fields.truth(data, name, now)
        return None if wanted == now else wanted

    server, number = (fields.text(data, name, now or "").strip() for name, now in _links(head))
    is_same = (server, number) == (head.server or "", head.server_id or "")
    if not is_same and bool(server) != bool(number):
        raise GameError("expected the address of the server and the number of the game there, or neither")
    side = _SIDES[head.own_side] if head.own_side is not None else "none"
    return HeadChange(
        name=given("newName", head.name),
        white=given("white", head.white),
        black=given("black", head.black),
        side=given("side", side),
        event=given("event", head.tags.get("Event", "")),
        control=given("control", head.control),
        link=None if is_same or not server else (server, number),
        unlink=not is_same and not server,
        engines=switched("engines", not head.no_engines),
        rmobility=switched("rmobility", head.tags.get(SCORING_TAG) == "yes"),
    )


def _links(head: Head) -> tuple[tuple[str, str | None], tuple[str, str | None]]:
    return ("server", head.server), ("serverId", head.server_id)


def preview_of_edit(desk: Desk, data: Fields) -> dict[str, object]:
    """Describe the changes that the correction of an entry would make."""
    game = desk.load(fields.text(data, "name"))
    return {"changes": changes(game, corrected(game, data), None)}


# ---- the server ----

_SENT = {"move": MOVE, "resign": RESIGN, "accept": ACCEPT, "claim": CLAIM}


def prepared(desk: Desk, data: Fields) -> Sending:
    wanted = Wanted(
        _SENT[fields.choice(data, "action", tuple(_SENT), "move")],
        fields.text(data, "move") or None,
        fields.truth(data, "draw"),
        fields.text(data, "message").strip(),
    )
    return prepare(desk, fields.text(data, "name"), wanted)


def sending_view(sending: Sending) -> dict[str, object]:
    return {"summary": sending.summary, "details": [*map(list, sending.details)]}


def send_confirmed(desk: Desk, data: Fields) -> str:
    """Send a confirmed action.

    Raises GameError if the correction differs from the preview that the user has confirmed.
    """
    sending = prepared(desk, data)
    if fields.text(data, "summary") != sending.summary:
        raise GameError(f"{sending.name} has changed in the meantime: look at it again")
    return send(desk, sending, Server(sending.url, *credentials(sending.url, sending.user)))
