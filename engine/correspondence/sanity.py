"""Checks clocks that a person has entered against the rules and the moves."""

from __future__ import annotations

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide
from ..clock.game_clocks import Event, GameClocks
from ..clock.triple_block import CAP_MS, TripleBlock
from ..clock.units import MINUTE_MS, words_text
from ..common.errors import GameError
from ..common.text import plural
from .game import SIDE_NAMES, CorrespondenceGame

_TOLERANCE_MS = 2 * MINUTE_MS  # servers show minutes


def check_correction(game: CorrespondenceGame, event: Event) -> None:
    """Raise GameError for a correction that the rules or the moves of the game exclude."""
    side = event.data["side"]
    found = _problems(game, game.clocks.apply(event), side)
    if found:
        raise GameError(f"{game.head.name}: {found[0]}")


def contradictions(game: CorrespondenceGame, state: GameClocks) -> list[str]:
    """Return a line for each contradiction between the clocks and the rules; empty for a valid state."""
    return [text for side in (0, 1) for text in _problems(game, state, side)]


def _problems(game: CorrespondenceGame, state: GameClocks, at: int) -> list[str]:
    side, who = state.sides[at], SIDE_NAMES[at]
    found = []
    most = _made(game, at) + _before_start(game)
    if side.moves > most:
        made, counted = (f"{count} {plural(count, 'move')}" for count in (most, side.moves))
        return [f"{who} has made {made} in the game, but the clock counts {counted}"]
    control = state.control
    if isinstance(control, TripleBlock) and side.clock_known and side.bank_known:
        found += _triple_block(control, side, who, state.status != clocks.OVER and at != state.to_move)
    return found


def _triple_block(control: TripleBlock, side: ClockSide, who: str, resting: bool) -> list[str]:
    most_ms = control.most_total(side.moves)
    if side.total_ms > most_ms + _TOLERANCE_MS:
        return [f"{words_text(side.total_ms)} in all for {who}, but the rules give {words_text(most_ms)} at most"]
    low = side.clock_ms < CAP_MS - _TOLERANCE_MS and side.bank_ms > _TOLERANCE_MS
    if resting and low and side.moves and control.auto_refill:
        return [
            f"{words_text(side.clock_ms)} on the clock of {who} at rest, with {words_text(side.bank_ms)} in the bank:"
            " after a move the bank fills the clock"
        ]
    return []


def _made(game: CorrespondenceGame, at: int) -> int:
    """Return the number of a side's moves that count."""
    first = len(game.head.opening)
    movers = range(first, len(game.moves))
    last = game.board.stm ^ 1
    return sum((last if (len(game.moves) - 1 - ply) % 2 == 0 else 1 - last) == at for ply in movers)


def _before_start(game: CorrespondenceGame) -> int:
    """Return the largest number of moves that a side can have made before the start position."""
    if game.head.fen is None:
        return 0
    number = game.head.fen.split()[-1]
    return max(0, int(number) - 1) if number.isdigit() else 0
