"""Reads the log of a stored game, which is its events in order, from a PGN that this program wrote."""

from __future__ import annotations

from ..clock.game_clocks import AT, DECIDE, END, MOVE, START, Event, EventData
from ..common.errors import GameError
from .pgn import PgnGame

_RESULTS = ("1-0", "0-1", "1/2-1/2")


def is_logged(game: PgnGame) -> bool:
    return game.tags.get("ClockLog") == "1"


def logged(game: PgnGame, start_ms: int) -> list[Event]:
    """Return the log in the file from its start, followed by moves and a result that other programs added.

    start_ms: the instant of the start, if the log lacks it. Raises GameError for a log that is not in order.
    """
    free = free_moves(game)
    entries = first_entries(game)
    events = list(entries) if begins(game) else [Event(START, start_ms), *entries]
    for move in game.moves[free:]:
        own = move.entries[0] if move.entries and move.entries[0].kind == MOVE else None
        data: EventData = {"uci": move.uci, "san": move.san}
        if own is not None:
            events.append(Event(MOVE, own.at_ms, data | own.data))
        elif move.at_ms is not None:
            events.append(Event(MOVE, move.at_ms, data))
        else:
            last_ms = max(event.at_ms for event in events)
            events.append(Event(MOVE, last_ms, data | {"unsure": AT}))
        events += move.entries if own is None else move.entries[1:]
    if any(event.kind in (START, MOVE) for event in entries[1:]):
        raise GameError("the entries of the log in the file are not in order")
    result = game.tags.get("Result", "*")
    if result in _RESULTS and not any(
        event.kind == END or (event.kind == DECIDE and event.data["accepted"]) for event in events
    ):
        last_ms = max(event.at_ms for event in events)
        events.append(Event(END, last_ms, {"result": result, "reason": game.tags.get("Termination", "")}))
    return events


def begins(game: PgnGame) -> bool:
    """Return whether the log itself contains the start. Otherwise a tag contains it."""
    entries = first_entries(game)
    return bool(entries) and entries[0].kind == START


def first_entries(game: PgnGame) -> list[Event]:
    """Return the entries of the log before the first move that counts."""
    return [*game.entries, *(entry for move in game.moves[: free_moves(game)] for entry in move.entries)]


def free_moves(game: PgnGame) -> int:
    """Return the number of half-moves that belong to the start position and do not count."""
    text = game.tags.get("GivenMoves", "0")
    return min(int(text), len(game.moves)) if text.isascii() and text.isdigit() and len(text) < 4 else 0
