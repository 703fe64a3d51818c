"""Describes in words the changes that a fetch has made in a game."""

from __future__ import annotations

from ...clock import game_clocks as clocks
from ...clock.game_clocks import Event
from ...clock.units import words_text
from ..game import SIDE_NAMES, CorrespondenceGame
from ..times import CLAIM, MOVE, REASONS, times_text
from .inference import TOLERANCE_MS


def news_of(
    before: CorrespondenceGame, game: CorrespondenceGame, new: list[Event], *, is_new: bool
) -> tuple[list[str], list[str]]:
    """Return one line for each change, and one for each clock that is only brought up to date.

    new: the entries that the fetch has added to the log. is_new: whether the fetch has stored the game. An unknown bank
    is not reported again with each move.
    """
    times: list[str] = []
    lines = [
        f"{player} plays in place of {known}"
        for known, player in zip(before.players, game.players, strict=True)
        if player != known
    ]
    has_moved = any(event.kind == clocks.MOVE for event in new)
    for event in new:
        stale = leaves_bank_unknown(event) and (is_new or _was_unknown(before, event, has_moved))
        if not stale and (line := _line(game, event)):
            (times if _is_update(event) else lines).append(line)
    return lines, times


def leaves_bank_unknown(event: Event) -> bool:
    """Return whether a bank is unknown for a usual reason: the server does not show everything."""
    return event.kind == clocks.CORRECT and event.data.get("why") in (MOVE, CLAIM)


def _is_update(event: Event) -> bool:
    """Return whether a correction leaves nothing unknown."""
    return event.kind == clocks.CORRECT and not (event.data.get("bank_unknown") or event.data.get("clock_unknown"))


def _was_unknown(before: CorrespondenceGame, event: Event, has_moved: bool) -> bool:
    """Return whether a correction says only that a bank is still unknown."""
    shown = before.clocks.shown(event.data["side"], event.at_ms)
    is_expected = abs(shown.clock_ms - event.data.get("clock_ms", shown.clock_ms)) <= TOLERANCE_MS
    return not shown.bank_known and (has_moved or is_expected)


def _line(game: CorrespondenceGame, event: Event) -> str:
    if event.kind == clocks.OFFER:
        return "a draw is offered"
    if event.kind == clocks.MESSAGE:
        return f"message: {event.data['text']}"
    if not game.over and event.kind == clocks.REFILL and event.data.get("seen"):
        side = game.clocks.to_move
        done = f"clock was refilled on the server by {words_text(event.data.get('most_ms', event.data['ms']))}"
        return f"{_whose(game, side)} {done}: {times_text(game, side, event.at_ms)}"
    return "" if game.over or event.kind != clocks.CORRECT else _correction(game, event)


def _correction(game: CorrespondenceGame, event: Event) -> str:
    side = event.data["side"]
    line = f"{_whose(game, side)} {times_text(game, side, event.at_ms)}"
    if _is_update(event):
        return line
    where = "on", "clock"
    if not event.data.get("clock_unknown"):
        where = "in", "bank"
    whose = "your" if side == game.head.own_side else "that"
    reason = REASONS.get(event.data.get("why", ""), REASONS[MOVE])
    return f"{line}; the time {where[0]} {whose} {where[1]} is unknown, because {reason}: enter it with `correct`"


def _whose(game: CorrespondenceGame, side: int) -> str:
    if side == game.head.own_side:
        return "your"
    name = game.players[side]
    return f"{SIDE_NAMES[side]}'s" if name == "?" else f"{name}'s"
