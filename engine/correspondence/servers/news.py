"""Describes in words the changes that a fetch has made in a game."""

from __future__ import annotations

from ...clock import game_clocks as clocks
from ...clock.game_clocks import Event
from ...clock.units import words_text
from ..game import SIDE_NAMES, CorrespondenceGame
from ..times import MOVE, REASONS, times_text


def news_of(before: CorrespondenceGame, game: CorrespondenceGame, new: list[Event]) -> list[str]:
    """Return one line for each change. new: the entries that the fetch has added to the log."""
    lines = [
        f"{player} plays in place of {known}"
        for known, player in zip(before.players, game.players, strict=True)
        if player != known
    ]
    lines += [line for event in new if (line := _line(game, event))]
    return lines


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
    if not (event.data.get("bank_unknown") or event.data.get("clock_unknown")):
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
