"""The core's solution of two bare kings, compared with the tests' solver, and used in searches."""

from __future__ import annotations

import random

import chess
import pytest

from standstill.cext.endings.bare_kings import bare_kings
from tools.measure.play.defence import Referee, goal, random_fen, root

from . import solver
from .naive import code_of


def test_every_state_is_the_solvers() -> None:
    """All positions with all records: values, and plies to reach them."""
    kings = solver.solved("")
    for mine in range(64):
        for other in range(64):
            own = int(kings.codes[0, mine, 0, other])
            if own < 0:
                with pytest.raises(ValueError, match="do not touch"):
                    bare_kings(mine, other)
                continue
            code, plies = bare_kings(mine, other)
            for record in range(2, own + 1):
                for white in (True, False):
                    value, left = solver.outcome(record, white), 0
                    if code and abs(code) < record:
                        value, left = solver.outcome(abs(code), code > 0), plies
                    score = kings.score((0, mine, 0, other), (record, white))
                    assert (int(solver.score_of(score)), abs(score - solver.PLY * value)) == (value, left)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", ["Points", *(pytest.param(mode, marks=pytest.mark.slow) for mode in ("Tiebreak", "Decisive"))]
)
def test_search_keeps_and_says_the_value(mode: str) -> None:
    rng = random.Random(mode)
    for _ in range(15 if mode == "Points" else 60):
        fen = random_fen(rng, "")
        record = (rng.randint(2, code_of(chess.Board(fen))), rng.random() < 0.5)
        state, move, keeps, says = root((fen, mode, 20_000, record))
        assert (state, move, keeps, says) == (state, move, True, True)


def test_fifty_move_rule_comes_before_the_end_of_the_fight() -> None:
    """An outcome 13 plies away does not count if only 8 plies are left: the record stands."""
    fen = "8/8/8/8/4k3/8/1K6/8 w - - 92 60"
    game = Referee(fen)
    assert goal(int(solver.score_of(solver.score(game.board, game.record)))) == "G5.5"
    state, _, _, says = root((fen, "Tiebreak", 20_000, game.record))
    assert not says, state
