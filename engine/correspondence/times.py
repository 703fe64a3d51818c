"""Describes the times of a game in words, with the reasons why some of them are unknown."""

from __future__ import annotations

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide
from ..clock.units import words_text
from .game import CorrespondenceGame

MOVE, CLAIM, MISFIT, MISSING = "move", "claim", "misfit", "missing"
REASONS = {
    MOVE: "it is not known when a move was made, or whether a refill followed it",
    CLAIM: "a claim may have stopped the clocks",
    MISFIT: "the clocks of the server do not fit the rules and the time that has passed",
    MISSING: "the server shows clock and bank together, or no clock",
}


def reason_of(game: CorrespondenceGame, side: int) -> str:
    """Return the reason why the clock or bank of a side is unknown."""
    for event in reversed(game.standing):
        if event.kind == clocks.CORRECT and event.data["side"] == side and "why" in event.data:
            return REASONS.get(event.data["why"], REASONS[MOVE])
    return REASONS[MOVE]


def times_text(game: CorrespondenceGame, side: int, at_ms: int) -> str:
    """Return a text such as ``clock 47 d 14 h, bank 39 d 14 h``, with limits for unknown values."""
    left = game.clocks.shown(side, at_ms)
    text = f"clock {least_text(left.clock_ms, left.clock_known)}"
    return f"{text}, bank {bank_text(game, side, left)}" if game.clocks.control.has_bank else text


def least_text(ms: int, known: bool) -> str:
    """Return the time as text, marked as a lower limit unless it is known."""
    return words_text(ms) if known else f"at least {words_text(ms)}"


def bank_text(game: CorrespondenceGame, side: int, left: ClockSide) -> str:
    """Return the bank as text, or its limits if it is unknown. left: the side as it is shown."""
    if left.bank_known:
        return words_text(left.bank_ms)
    most_ms = bank_most(game, side)
    return f"at least {words_text(left.bank_ms)}" + f", at most {words_text(most_ms)}" * (most_ms > left.bank_ms)


def bank_most(game: CorrespondenceGame, side: int) -> int:
    """Return the largest possible bank: its amount when the clock began to run."""
    state = game.clocks.sides[side]
    return state.bank_ms + state.slack_ms * game.clocks.control.has_bank
