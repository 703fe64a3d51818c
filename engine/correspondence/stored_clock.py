"""Reads the Triple Block clock of a stored game, for a session that plays it.

The engine imports this module when it starts, and the store itself only when a clock is read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..clock.triple_block import State


def stored_clock(name: str) -> tuple[State, int]:
    """Return the current clock of the owner's side in the stored game, and the key of the game's position.

    Raises StandstillError if the store cannot be read, has no such game, or the game has no known Triple Block clock.
    """
    from ..clock.instants import now_ms
    from ..clock.triple_block import State, TripleBlock
    from ..common.errors import GameError
    from .desk import Desk
    from .store import Store, default_path

    with Store(default_path()) as store:
        game = Desk(store).load(name)
    if game.head.no_engines:
        raise GameError(f"the event of {name} forbids engines")
    terms = game.clocks.control
    if not isinstance(terms, TripleBlock):
        raise GameError(f"expected a game under Triple Block, found {name} under {terms.text}")
    side = game.clocks.to_move if game.head.own_side is None else game.head.own_side
    if not game.clocks.sides[side].clock_known:
        raise GameError(f"the clock of {name} is unknown: enter it with `games correct`")
    return State(terms, game.clocks.shown(side, now_ms()), given_move=True), game.board.key
