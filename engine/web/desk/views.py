"""Stored games in JSON for the page Desk. Instants and durations are in ms."""

from __future__ import annotations

import contextlib
import json
from functools import cache

from ...clock.game_clocks import CORRECT, MESSAGE, MOVE, REFILL, REPLACE, RUNNING, START, Event
from ...clock.instants import instant_text
from ...clock.parse import parse_control
from ...clock.triple_block import CAP_MS
from ...correspondence.desk import Desk
from ...correspondence.game import UNDO, CorrespondenceGame, standing_events, stored_move
from ...correspondence.listing import Entry, listing, team_turns
from ...correspondence.planning.timetable import timetable
from ...correspondence.remarks.hints import SCORING_TAG, hints
from ...correspondence.remarks.kept import board_after, is_open, planned_reply, remark_text, remarks_of
from ...correspondence.remarks.written import COMMENT, LINE, PLAN, TAG
from ...correspondence.servers.banks import lacking
from ...correspondence.servers.sending import offered, open_offer
from ...correspondence.servers.unsent import as_on_server
from ...correspondence.store import DAMAGE
from ...correspondence.times import bank_most, event_text, reason_of, times_text
from ...variants.boards import new_board
from ...variants.notation import san
from ...variants.variant import CHESS
from ..positions import SIDES, changed_squares, game_of, legal_moves, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.notation import Board

# The values that the page can change in a log entry, besides its instant.
_EDITABLE = {CORRECT: ["clock", "bank"], REFILL: ["amount"], REPLACE: ["player"]}


def today(desk: Desk, now: int) -> dict[str, object]:
    """Return every running game, the most urgent first. ``problems`` names unreadable games."""
    problems: list[str] = []
    entries = listing(desk.store, now, on_damage=problems.append)
    rows = desk.store.rows("SELECT name, tags, server, server_ply FROM games WHERE status != 'over'")
    known = {row["name"]: row for row in rows}
    draws, tags = _offers(desk), _tags(desk)
    games = []
    for entry in entries:
        row = known.get(entry.name)
        games.append(
            entry_view(entry, now)
            | {
                "event": "" if row is None else event_of(row["tags"]),
                "server": row is not None and row["server"] is not None,
                "offered": entry.name in draws,
                "tags": tags.get(entry.name, []),
            }
        )
    over = desk.store.rows("SELECT name, white, black, result, stamp_ms, tags FROM games WHERE status = 'over'")
    ended = [
        {
            "name": r["name"],
            "white": r["white"],
            "black": r["black"],
            "result": r["result"],
            "event": event_of(r["tags"]),
        }
        for r in sorted(over, key=lambda r: -r["stamp_ms"])
    ]
    accounts = desk.store.row("SELECT COUNT(*) AS count FROM accounts")
    return {
        "now": now,
        "games": games,
        "ended": ended,
        "problems": problems,
        "path": str(desk.store.path),
        "accounts": 0 if accounts is None else accounts["count"],
        "banks": len(lacking(desk)),
    }


def event_of(tags: str) -> str:
    """Return the event from the stored tags of a game; "" without one."""
    try:
        found = json.loads(tags)
    except ValueError:
        return ""
    return str(found.get("Event", "")) if isinstance(found, dict) else ""


def _offers(desk: Desk) -> set[str]:
    """Return the names of the games in which the user can accept a draw."""
    rows = desk.store.rows(
        "SELECT DISTINCT id, name, own_side FROM events JOIN games ON games.id = game_id WHERE kind = 'offer'"
        " AND status = 'running' AND to_move = own_side"
    )
    found = set()
    for row in rows:
        with contextlib.suppress(*DAMAGE):  # the report `problems` names an unreadable game
            if open_offer(standing_events(desk.log(row["id"]))) == 1 - row["own_side"]:
                found.add(row["name"])
    return found


def _tags(desk: Desk) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in desk.store.rows("SELECT name, text FROM remarks JOIN games ON games.id = game_id WHERE kind = ?", TAG):
        found.setdefault(row["name"], []).append(row["text"])
    return found


@cache
def _has_bank(control: str) -> bool:
    return parse_control(control).has_bank


def entry_view(entry: Entry, now: int) -> dict[str, object]:
    return {
        "name": entry.name,
        "white": entry.white,
        "black": entry.black,
        "side": None if entry.own_side is None else SIDES[entry.own_side],
        "opponent": entry.opponent,
        "player": (entry.white, entry.black)[entry.to_move],
        "turn": SIDES[entry.to_move],
        "whose": entry.whose,
        "mine": entry.own_turn,
        "status": entry.status,
        "control": entry.control,
        "move": entry.move,
        "last": entry.last_move,
        "left": entry.left_ms,
        "bank": entry.bank_ms,
        "hasBank": _has_bank(entry.control),
        "clockKnown": entry.clock_known,
        "bankKnown": entry.bank_known,
        "deadline": entry.deadline_ms,
        "flagged": entry.flagged,
        "silent": max(0, now - entry.stamp_ms),
        "unsent": entry.unsent,
        "noEngines": entry.no_engines,
    }


def game_view(desk: Desk, name: str, now: int) -> dict[str, object]:
    """Return a game with everything that is stored about it. Raises GameError."""
    game = desk.load(name)
    row = desk.store.row("SELECT server_ply FROM games WHERE id = ?", game.head.id)
    sent = None if row is None else row["server_ply"]
    own_last = bool(game.sans) and game.board.stm ^ 1 == game.head.own_side
    timed = as_on_server(desk.store, game)
    head, standing = game.head, set(map(id, game.standing))
    return {
        "now": now,
        "name": head.name,
        "players": [*game.players],
        "side": None if head.own_side is None else SIDES[head.own_side],
        "mine": game.running and game.clocks.to_move == head.own_side,
        "event": head.tags.get("Event", ""),
        "control": head.control,
        "controlWords": game.clocks.control.words,
        "server": head.server,
        "noEngines": head.no_engines,
        "head": {
            "newName": head.name,
            "white": head.white,
            "black": head.black,
            "side": "none" if head.own_side is None else SIDES[head.own_side],
            "event": head.tags.get("Event", ""),
            "control": head.control,
            "server": head.server or "",
            "serverId": head.server_id or "",
            "engines": not head.no_engines,
            "rmobility": head.tags.get(SCORING_TAG) == "yes",
        },
        "status": game.clocks.status,
        "result": game.result,
        "reason": game.reason,
        "game": game_of(CHESS, "Chess"),
        "positions": positions(game),
        "legal": [] if game.over else legal_moves(game.board, None),
        "clocks": [side_view(timed, side, now) for side in (0, 1)],
        "running": running_view(timed, now),
        "hints": hints(game),
        "offered": offered(game),
        "message": message_of(game),
        "unsent": game.last_move if head.server and own_last and (sent is None or sent < len(game.moves)) else "",
        "planned": planned_reply(desk, game),
        "log": [log_view(number, entry, standing) for number, entry in enumerate(game.log, 1)],
        "remarks": remark_views(desk, game),
        "next": next_own(desk, head.name, now),
    }


def next_own(desk: Desk, name: str, now: int) -> str:
    """Return the next game, by urgency, in which the user is to move; after the last such game, the first one; "" for
    none.
    """
    found = [entry.name for entry in listing(desk.store, now, on_damage=desk.warn) if entry.own_turn]
    following = found[found.index(name) + 1 :] + found if name in found else found
    return next((other for other in following if other != name), "")


def message_of(game: CorrespondenceGame) -> str:
    """Return the message sent with the opponent's last move, with its author; "" without one."""
    for event in reversed(game.standing):
        if event.kind == MESSAGE and event.data["side"] != game.head.own_side:
            return f"{game.players[event.data['side']]} writes: {event.data['text']}"
        if event.kind == MOVE:
            break
    return ""


def positions(game: CorrespondenceGame) -> list[dict[str, object]]:
    """Return the first position and the position after each half-move."""
    board = new_board(game.head.fen, game.board.notation.chess960)
    found: list[dict[str, object]] = [{**placed(board), "last": [], "text": "", "at": None}]
    for text, name, at_ms in zip(game.moves, game.sans, game.stamps, strict=True):
        found.append(_after(board, text, name) | {"at": at_ms})
    return found


def _after(board: Board, text: str, name: str) -> dict[str, object]:
    """Make a move on the board, and return the new position with the move in SAN."""
    number = f"{board.fullmove}{'.' if board.stm == 0 else '...'}"
    move = stored_move(board, text)
    last = changed_squares(board, move) if move else []
    if move:
        board.push(move)
    else:
        board.push_null()
    return {**placed(board), "last": last, "text": f"{number}{name}"}


def line_positions(game: CorrespondenceGame, ply: int, moves: list[str]) -> list[dict[str, object]]:
    """Return the positions of a line, with its moves in SAN."""
    board = board_after(game, ply)
    found = []
    for text in moves:
        move = stored_move(board, text)
        found.append(_after(board, text, san(board, move)))
    return found


def side_view(game: CorrespondenceGame, side: int, now: int) -> dict[str, object]:
    left = game.clocks.shown(side, now)
    known = left.clock_known and left.bank_known
    return {
        "player": game.players[side],
        "clock": left.clock_ms,
        "bank": left.bank_ms,
        "bankMost": bank_most(game, side),
        "clockKnown": left.clock_known,
        "bankKnown": left.bank_known,
        "hasBank": game.clocks.control.has_bank,
        "moves": left.moves,
        "words": times_text(game, side, now),
        "reason": "" if known else reason_of(game, side),
        "flagged": side == game.clocks.to_move and game.clocks.flagged(now),
    }


def running_view(game: CorrespondenceGame, now: int) -> dict[str, object] | None:
    """Return how long the running clock lasts: without a refill, with one refill now, and with all refills.

    None if no clock runs.
    """
    state = game.clocks
    if state.status != RUNNING or state.deadline_ms is None:
        return None
    shown = state.shown(state.to_move, now)
    room = min(shown.bank_ms, CAP_MS - shown.clock_ms) if state.control.has_bank else 0
    return {
        "side": SIDES[state.to_move],
        "known": state.mover.clock_known,
        "deadline": state.deadline_ms,
        "refill": max(0, room),
        "refilled": state.deadline_ms + max(0, room),
        "last": state.last_deadline_ms,
    }


def log_view(number: int, entry: Event, standing: set[int]) -> dict[str, object]:
    return {
        "number": number,
        "at": entry.at_ms,
        "instant": instant_text(entry.at_ms, None),
        "text": event_text(entry),
        "kind": entry.kind,
        "undone": id(entry) not in standing and entry.kind != UNDO,
        "fields": _EDITABLE.get(entry.kind, []),
        "removable": entry.kind != START,
    }


def remark_views(desk: Desk, game: CorrespondenceGame) -> list[dict[str, object]]:
    """Return the remarks. Replies to moves that the opponent has not made, or that have been answered, are left out."""
    found = []
    for each in remarks_of(desk, game.head.id):
        if each.kind == PLAN and not is_open(game, each):
            continue
        line = line_positions(game, each.ply, each.moves) if each.kind in (LINE, PLAN) else []
        text = each.text if each.kind in (TAG, COMMENT) else each.comment
        found.append(
            {
                "id": each.id, "kind": each.kind, "ply": each.ply, "text": text, "line": line,
                "words": remark_text(game, each),
            }
        )  # fmt: skip
    return found


def team(desk: Desk, now: int) -> dict[str, object]:
    """Return the games in which a player of the team is to move; the player silent for longest comes first."""
    problems: list[str] = []
    entries = team_turns(listing(desk.store, now, on_damage=problems.append))
    rows = desk.store.rows("SELECT name, tags FROM games WHERE status = 'running'")
    events = {row["name"]: event_of(row["tags"]) for row in rows}
    return {
        "now": now,
        "games": [entry_view(entry, now) | {"event": events.get(entry.name, "")} for entry in entries],
        "events": sorted({event for event in events.values() if event}),
        "problems": problems,
    }


def plan(desk: Desk, now: int) -> dict[str, object]:
    """The latest refills and the deadlines of the user's games, in order of time."""
    problems: list[str] = []
    steps = timetable(listing(desk.store, now, on_damage=problems.append), now)
    return {
        "now": now,
        "steps": [
            {"at": step.at_ms, "game": step.game, "amount": step.amount_ms, "known": step.known} for step in steps
        ],
        "problems": problems,
    }
