"""Whether the engine accepts or offers a draw, and whether it resigns, by what its searches thought of the game."""

from __future__ import annotations

from engine.info import is_mate, score_cp

_LEVEL_CP = 12  # no better than this, either way
_LEVEL_MOVES = 8  # in so many moves running, before we offer
_OFFER_AGAIN_MOVES = 20
_OFFER_FROM_MOVE = 40
_LOST_MOVES = 4


class Offers:
    """The scores of our moves so far, and the opponent's offer that waits for an answer."""

    def __init__(self, session):
        """session: whose options say whether draws and resigning are wanted."""
        self._session = session
        self.new_game()

    def new_game(self) -> None:
        self._scores: list[int] = []  # of our own moves, fixed point
        self._offered_at = -_OFFER_AGAIN_MOVES
        self.draw_offered = False  # by the opponent

    def note_score(self, score: int) -> None:
        """The score, fixed point, of the move that we are about to make."""
        self._scores.append(score)

    def shall_accept(self) -> bool:
        """Not from a position that is better for us."""
        return (
            self.draw_offered
            and self._session.knows_draws
            and self._session.settings["Draw Offers"] != "off"
            and bool(self._scores)
            and score_cp(self._scores[-1]) <= 0
        )

    def shall_draw(self, fullmove: int) -> bool:
        """Say so with this move: to accept, or to offer after a long time without anything to gain."""
        if self.shall_accept():
            return True
        lately = self._scores[-_LEVEL_MOVES:]
        if (
            self._session.settings["Draw Offers"] != "offer"
            or not self._session.knows_draws
            or fullmove < _OFFER_FROM_MOVE
            or fullmove < self._offered_at + _OFFER_AGAIN_MOVES
            or len(lately) < _LEVEL_MOVES
            or any(abs(score_cp(score)) > _LEVEL_CP for score in lately)
        ):
            return False
        self._offered_at = fullmove
        return True

    def shall_resign(self) -> bool:
        limit = self._session.settings["Resign Score"]
        lately = self._scores[-_LOST_MOVES:]
        return (
            limit > 0
            and len(lately) == _LOST_MOVES
            and all(score < 0 and (is_mate(score) or score_cp(score) <= -limit) for score in lately)
        )
