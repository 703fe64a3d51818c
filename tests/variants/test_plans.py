"""Moves by masks compared with single steps; stages of moves, and checks, compared with making the moves."""

from __future__ import annotations

import random

import pytest

from standstill.cext.base.constants import NOISY, QUIET, QUIET_CHECKS
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.notation import fen, move_text
from tests.variants.files import block, text_of

CATALOG = Catalog()
GAMES = ("capablanca", "cylinder", "makruk", "tall-capablanca", "newzealand", "seirawan", "spartan", "kingofthehill")


def walked(rules, type: int, sq: int, occupied: int) -> tuple[int, int]:
    """Squares to capture on and to move to, found step by step, whatever is on them."""
    steps = rules.paths(type, sq)
    takes = moves = 0
    at = 1 if steps else 0
    while at:
        to, rights, if_empty, if_enemy, _ = steps[at - 1]
        takes |= (rights & 1) << to
        moves |= (rights >> 1 & 1) << to
        at = if_enemy if occupied >> to & 1 else if_empty
    return takes, moves


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
def test_plans_reach_the_squares_of_the_steps(name: str) -> None:
    rng = random.Random(name)
    rules = new_board(game=CATALOG.find(name)).rules
    plain = 0
    for _ in range(12):
        occupied = sum(1 << sq for sq in range(rules.squares) if rng.random() < rng.choice((0.1, 0.3, 0.6)))
        for type in range(1, rules.types + 1):
            for sq in range(rules.squares):
                found = rules.planned(type, sq, occupied)
                plain += found is not None
                assert found in (None, walked(rules, type, sq, occupied)), (type, sq, hex(occupied))
    assert plain


def test_what_only_the_steps_can_tell_has_no_plan() -> None:
    rules = new_board(game=CATALOG.find("cylinder")).rules
    rook = next(type for type in range(3, rules.types + 1) if rules.planned(type, 27, 0) is None)
    assert walked(rules, rook, 27, 0)[0]


# Pawns that may capture with their first move, and promote on three ranks.
OWN_GAME = block(
    "Game: own", "# promotion 6", white_pawn="p:100 -16,F4 -16,6 -15,5 -17,5", black_pawn="p:100 16,F4 16,6 15,5 17,5"
)


@pytest.mark.parametrize("name", [*GAMES, "own"])
def test_stages_and_checks_agree_with_making_the_move(name: str) -> None:
    rng = random.Random(name)
    for _ in range(2):
        board = new_board(game=parse(text_of(OWN_GAME)).games[0] if name == "own" else CATALOG.find(name))
        for _ in range(70):
            moves = board.legal_moves()
            if not moves or board.rule_result():
                break
            checks = set()
            for move in moves:
                claimed = board.checks(move)
                board.push(move)
                assert bool(board.checkers) == claimed, (fen(board), move)
                board.pop()
                checks |= {move} if claimed else set()
            noisy = {move for move in moves if board.noisy(move)}
            assert sorted(board.stage_moves(NOISY)) == sorted(noisy), fen(board)
            assert sorted(board.stage_moves(QUIET)) == sorted(set(moves) - noisy), fen(board)
            castles = {move for move in moves if "O" in move_text(board, move)}
            assert set(board.stage_moves(QUIET_CHECKS)) | castles >= checks - noisy, fen(board)
            assert set(board.stage_moves(QUIET_CHECKS)) <= checks - noisy, fen(board)
            board.push(rng.choice([move for move in moves if move in checks | noisy] or moves))
