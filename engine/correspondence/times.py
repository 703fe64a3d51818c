"""Describes the times and the log of a game in words, with the reasons why some times are unknown."""

from __future__ import annotations

from collections.abc import Callable

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide
from ..clock.game_clocks import Event, EventData
from ..clock.triple_block import CAP_MS, TripleBlock
from ..clock.units import MINUTE_MS, words_text
from .game import SIDE_NAMES, CorrespondenceGame

MOVE, CLAIM, MISFIT, MISSING, ENDED, LATE = "move", "claim", "misfit", "missing", "ended", "late"
REASONS = {
    MOVE: "it is not known when a move was made, or whether a refill followed it",
    CLAIM: "a claim may have stopped the clocks",
    MISFIT: "the clocks of the server do not fit the rules and the time that has passed",
    ENDED: "it is not known when the game ended",
    LATE: "the game may have started later than at 00:00, or a refill has followed",
    MISSING: "the server shows clock and bank together, or no clock",
}


def reason_of(game: CorrespondenceGame, side: int) -> str:
    """Return the reason why the clock or bank of a side is unknown."""
    for event in reversed(game.standing):
        if event.kind == clocks.CORRECT and event.data["side"] == side and "why" in event.data:
            return REASONS.get(event.data["why"], REASONS[MOVE])
    return REASONS[MOVE]


def times_text(game: CorrespondenceGame, side: int, at_ms: int) -> str:
    """Return a text such as ``clock 47 d 14 h, bank 39 d 14 h``, with the limits of inexact values."""
    left = game.clocks.shown(side, at_ms)
    text = f"clock {least_text(left.clock_ms, left.clock_known)}"
    return f"{text}, bank {bank_text(game, side, left)}" if game.clocks.control.has_bank else text


def least_text(ms: int, known: bool) -> str:
    """Return the time as text, marked as a lower limit unless it is known."""
    return words_text(ms) if known else f"at least {words_text(ms)}"


def bank_text(game: CorrespondenceGame, side: int, left: ClockSide) -> str:
    """Return the bank as text, with its limits if they differ in minutes. left: the side's clock and bank to show."""
    most_ms = bank_most(game, side)
    if left.bank_known:
        return _limits_text(left.bank_ms, most_ms)
    return f"at least {words_text(left.bank_ms)}" + f", at most {words_text(most_ms)}" * (most_ms > left.bank_ms)


def _limits_text(least_ms: int, most_ms: int) -> str:
    least, most = (words_text(ms if ms == least_ms or ms >= MINUTE_MS else 0) for ms in (least_ms, most_ms))
    return least if least == most else f"{least} to {most}"


def bank_most(game: CorrespondenceGame, side: int) -> int:
    """Return the largest possible bank: its amount when the clock began to run."""
    state, control = game.clocks.sides[side], game.clocks.control
    runs = game.running and side == game.clocks.to_move
    if isinstance(control, TripleBlock) and control.auto_refill and state.moves and not runs:
        return max(state.bank_ms, state.total_ms + state.slack_ms - CAP_MS)  # the bank has filled the clock
    return state.bank_ms + state.slack_ms * control.has_bank


def event_text(event: Event) -> str:
    """Return an entry of the log in words."""
    return _EVENT_TEXTS[event.kind](event.data)


def _side(data: EventData) -> str:
    return SIDE_NAMES[data["side"]]


def _decision(data: EventData) -> str:
    return f"claim accepted: {data['result']}" if data["accepted"] else "claim rejected"


def _replacement(data: EventData) -> str:
    return f"{data['name']} takes over for {_side(data)}" + (", with the captain's refill" * ("refill_ms" in data))


def _correction(data: EventData) -> str:
    parts = [f"clock {least_text(data['clock_ms'], not data.get('clock_unknown'))}"] if "clock_ms" in data else []
    if "bank_ms" in data:
        most = f", at most {words_text(data['bank_most_ms'])}" if "bank_most_ms" in data else ""
        parts.append(f"bank {least_text(data['bank_ms'], False)}{most}" if data.get("bank_unknown") else _bank(data))
    parts += [f"moves {data['moves']}"] if "moves" in data else []
    return f"correction for {_side(data)}: {', '.join(parts)}"


def _bank(data: EventData) -> str:
    return f"bank {_limits_text(data['bank_ms'], data.get('bank_most_ms', data['bank_ms']))}"


def _refill(data: EventData) -> str:
    assumed = ", assumed: without it time would have run out" if data.get("assumed") else ""
    assumed += ", made on the server's page" if data.get("seen") else ""
    # A refill on the server's page is a whole number of minutes: the largest possible amount, rounded down to minutes.
    return f"refill of {words_text(data.get('most_ms', data['ms'])) if 'ms' in data else 'all that fits'}{assumed}"


_UNSURE = {
    None: "",
    "at": ", the time when it was received; when it was made is unknown",
    "length": ", how much of the time before it counted is unknown",
}


def _unsent(data: EventData) -> str:
    return ", which the server did not have yet" * bool(data.get("unsent"))


_EVENT_TEXTS: dict[str, Callable[[EventData], str]] = {
    "start": lambda data: "start" + ", at the earliest" * bool(data.get("unsure")),
    "move": lambda data: f"move {data['san']}{_UNSURE[data.get('unsure')]}{_unsent(data)}",
    "refill": _refill,
    "claim": lambda data: f"claim by {_side(data)}: {data.get('what', 'draw')}",
    "decide": _decision,
    "replace": _replacement,
    "correct": _correction,
    "end": lambda data: f"end {data['result']}" + (f" ({data['reason']})" if data.get("reason") else ""),
    "offer": lambda data: f"{_side(data)} offers a draw",
    "message": lambda data: f"{_side(data)} writes: {data['text']}",
    "undo": lambda data: "the previous entry is undone",
}
