"""Games of the engine against itself: how they end."""

from __future__ import annotations

import pytest

from standstill.engine.common.limits import Limits
from standstill.engine.play.selfplay import SelfplayGame
from standstill.engine.play.session import Session


@pytest.mark.parametrize(
    ("fen", "result", "goal"),
    [
        ("6k1/8/5K2/5B2/8/8/8/8 b - - 0 1", "1/2-1/2", "G2.5"),  # ends in stalemate, a draw
        ("8/8/8/8/8/k7/8/1K1QQ3 w - - 0 1", "1-0", "G0.0"),
    ],
)
def test_the_move_limit_of_a_game_for_the_record(fen: str, result: str, goal: str) -> None:
    session = Session()
    session.set_option("RMobility", "Decisive")
    limits = Limits()
    limits.depth = 4
    game = SelfplayGame(session, limits, 0, fen)
    assert not list(game.play())
    assert (game.result, str(game.goal)) == (result, goal) and "at the limit" in game.reason
