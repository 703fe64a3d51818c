"""En passant squares in FENs: a position set up from its FEN offers the moves of the game that led to it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import LEAPS, MOVES, TAKES, Definition
from standstill.engine.variants.notation import fen, set_fen

PASSED = 10  # number of positions with an en passant square to test in each game


def oblique() -> Definition:
    """A game whose pawns go straight, as they move and capture, and diagonally only in their initial double step."""
    games = Catalog()
    straight, diagonal = games.find("normal"), games.find("berolina")
    pawns = [
        replace(
            straight.piece(man),
            rays=(
                *(ray for ray in diagonal.piece(man).rays if ray.mode == LEAPS),
                *(ray for ray in straight.piece(man).rays if ray.mode == LEAPS | MOVES),
                *(ray for ray in diagonal.piece(man).rays if ray.mode == LEAPS | TAKES),
            ),
        )
        for man in (1, 2)
    ]
    return replace(straight, pieces=(*pawns, *straight.pieces[2:]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["oblique", "normal", "berolina", "capablanca", "grand", "shako", "newzealand"])
def test_a_fen_keeps_the_pawn_that_has_passed(name: str) -> None:
    game = oblique() if name == "oblique" else Catalog().find(name)
    rng, passed = random.Random(name), 0
    while passed < PASSED:
        board = new_board(game=game)
        for _ in range(80):
            legal = board.legal_moves()
            if not legal:
                break
            pawns = [move for move in legal if board.squares[move & 255] & 15 <= 2]
            board.push(rng.choice(pawns if pawns and rng.random() < 0.7 else legal))
            text = fen(board)
            if text.split()[3] == "-":
                continue
            passed += 1
            other = new_board(game=game)
            set_fen(other, text)
            assert (fen(other), set(other.legal_moves())) == (text, set(board.legal_moves()))


@pytest.mark.parametrize("name", ["normal", "berolina", "makruk", "crazyhouse", "5check", "seirawan", "xiangqi"])
def test_a_null_move_only_passes_the_turn(name: str) -> None:
    """The position behind it is that of its FEN: the other side, one more half-move, no en passant."""
    game, rng = Catalog().find(name), random.Random(name)
    board, passed = new_board(game=game), 0
    for _ in range(60):
        legal = board.legal_moves()
        if not legal:
            break
        board.push(rng.choice(legal))
        words = fen(board).split()
        try:
            board.push_null()
        except ValueError:  # in check
            continue
        passed += 1
        board.verify()
        words[1] = "bw"["wb".index(words[1])]
        words[3] = "-"
        words[-2:] = [str(int(words[-2]) + 1), str(int(words[-1]) + (words[1] == "w"))]
        assert fen(board) == " ".join(words)
        assert board.key == new_board(" ".join(words), game=game).key
        board.pop()
    assert passed >= PASSED
