"""Decides whether the engine accepts or offers a draw, or resigns, from the scores of its searches."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK
from standstill.engine.common.info import SCORE_CP, is_mate, score_cp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.play.session import Session

_LEVEL_CP = 12  # maximum absolute score of a position that counts as level
_LEVEL_MOVES = 8  # number of consecutive level moves before the engine offers a draw
_OFFER_AGAIN_MOVES = 20
_OFFER_FROM_MOVE = 40
_LOST_MOVES = 4
_LEAST_EVALUATION = SCORE_CP // 2  # fixed point; a smaller score means a drawn game, ordered by its R-Mobility record


class Offers:
    """The scores of our moves in the game, and the opponent's pending draw offer."""

    def __init__(self, session: Session):
        """session: the session whose options determine whether draws and resigning are allowed."""
        self._session = session
        self.new_game()

    def new_game(self) -> None:
        self._side = BLACK  # the engine's side after the command `new`
        self._forget()

    def _forget(self) -> None:
        self._scores: list[int] = []  # scores of the engine's own moves, fixed point
        self._plies: list[int] = []  # plies of the game before each of the engine's moves
        self._offered_at = -_OFFER_AGAIN_MOVES
        self.draw_offered = False  # whether the opponent has offered a draw

    def play_for(self, side: int) -> None:
        """Make ``side`` the engine's side. Forget the scores of moves for the other side."""
        if side != self._side:
            self._forget()
        self._side = side

    def note_score(self, score: int, ply: int) -> None:
        """Note the score (in fixed point) of the move that we are about to make at this half-move of the game."""
        self._scores.append(score)
        self._plies.append(ply)

    def take_back(self, plies: int) -> None:
        """Drop the scores of moves that were taken back, and the opponent's offer.

        plies: the number of half-moves in the game after the take-back.
        """
        while self._plies and self._plies[-1] >= plies:
            self._plies.pop()
            self._scores.pop()
        self.draw_offered = False

    def shall_accept(self) -> bool:
        """Return whether to accept a draw offer: never in a better position, and never if the record would be ours."""
        return (
            self.draw_offered
            and self._session.knows_draws
            and self._session.settings["Draw Offers"] != "off"
            and bool(self._scores)
            and score_cp(self._scores[-1]) <= 0
            and not self._expects_record()
        )

    def shall_draw(self, fullmove: int) -> bool:
        """Return whether to offer a draw with this move: to accept an offer, or after a long level game."""
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
            or self._expects_record()
        ):
            return False
        self._offered_at = fullmove
        return True

    def _expects_record(self) -> bool:
        """Does the last score stand for a drawn game with our record, which a draw by agreement could lose?"""
        return 0 < self._scores[-1] < _LEAST_EVALUATION

    def shall_resign(self) -> bool:
        limit = self._session.settings["Resign Score"]
        lately = self._scores[-_LOST_MOVES:]
        return (
            limit > 0
            and len(lately) == _LOST_MOVES
            and all(score < 0 and (is_mate(score) or score_cp(score) <= -limit) for score in lately)
        )
