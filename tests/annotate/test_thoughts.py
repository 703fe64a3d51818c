"""Analyses as PGN: lines with move numbers, positions as games, commands in comments; read again by python-chess."""

from __future__ import annotations

import io
import random
from types import SimpleNamespace

import chess
import chess.engine
import chess.pgn
import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.annotate.evaluations import Evaluation
from standstill.engine.annotate.thoughts import as_game, commands, numbered
from standstill.engine.common.goal import goal_text
from standstill.engine.variants.boards import new_board


def random_line(rng: random.Random, before: int, plies: int) -> tuple[chess.Board, list[chess.Move]]:
    board = chess.Board()
    for _ in range(before):
        board.push(rng.choice(list(board.legal_moves)))
    start, moves = chess.Board(board.fen()), []
    for _ in range(plies):
        moves.append(rng.choice(list(board.legal_moves)))
        board.push(moves[-1])
    return start, moves


def sans(start: chess.Board, moves: list[chess.Move]) -> list[str]:
    board, found = start.copy(), []
    for move in moves:
        found.append(board.san(move))
        board.push(move)
    return found


@pytest.mark.parametrize("before", range(6))
def test_lines_are_numbered_as_python_chess_numbers_them(before: int) -> None:
    rng = random.Random(before)
    for plies in range(8):
        start, moves = random_line(rng, before, plies)
        said = numbered(sans(start, moves), start.fullmove_number, start.turn == chess.BLACK)
        assert said.replace("... ", "...").replace(". ", ".") == start.variation_san(moves).replace(". ", ".")
        assert not moves or said.split()[0] == f"{start.fullmove_number}{'.' if start.turn else '...'}"


def thought(**named: object) -> SimpleNamespace:
    nothing = {"verdict": None, "outlook": None, "promised": None, "is_proven": False, "white_score": 0, "pv": ()}
    return SimpleNamespace(**{"ply": 0, "number": 1, "black_to_move": False, **nothing, **named})


@pytest.mark.parametrize("before", [0, 1, 8, 13])
@pytest.mark.parametrize("variant", ["", "shatranj"])
def test_a_position_and_its_line_are_an_unfinished_game(before: int, variant: str) -> None:
    start, moves = random_line(random.Random(before), before, 6)
    line = thought(pv=tuple(sans(start, moves)), number=start.fullmove_number, black_to_move=not start.turn)
    text = as_game(new_board(start.fen()), line, variant)
    assert text.endswith(" *\n\n")
    game = chess.pgn.read_game(io.StringIO(text.replace('"shatranj"', '"chess"')))
    assert not game.errors
    assert game.board().epd() == start.epd()
    assert list(game.mainline_moves()) == moves
    assert game.headers["Result"] == "*"
    assert game.headers.get("Variant") == ("chess" if variant else None)
    assert game.eval() is not None
    empty = as_game(new_board(start.fen()), thought(verdict="mate"), variant)
    assert empty.split("\n\n")[1] == "*"


@pytest.mark.parametrize("code", [3, 7, 40])
@pytest.mark.parametrize("owner", [WHITE, BLACK])
def test_a_record_is_told_only_where_it_was_set(code: int, owner: int) -> None:
    for set_at in range(4):
        found = commands(thought(ply=2, outlook=SimpleNamespace(record=(code, owner, set_at))))
        assert found.get("%rm") == (f"[%rm {goal_text(code, owner)}]" if set_at == 2 else None)
    assert "%rm" not in commands(thought(outlook=SimpleNamespace(record=None)))
    for is_proven, name in ((False, "%rmforecast"), (True, "%rmproven")):
        found = commands(thought(promised=(code, owner), is_proven=is_proven, verdict="record"))
        assert found == {name: f"[{name} {goal_text(code, owner)}]"}


@pytest.mark.parametrize("depth", [None, 1, 24])
def test_evaluations_are_read_by_python_chess(depth: int | None) -> None:
    cases = [(Evaluation(cp / 100, depth=depth), chess.engine.Cp(cp)) for cp in (-1205, -17, -1, 0, 1, 50, 999)]
    cases += [(Evaluation.of_mate(n, 1, depth), chess.engine.Mate(n)) for n in (-9, -1, 1, 30)]
    cases += [(Evaluation.of_mate(n, -1, depth), chess.engine.Mate(-n)) for n in (-9, -1, 1, 30)]
    node = chess.pgn.Game()
    for evaluation, score in cases:
        node.comment = evaluation.command()
        assert node.eval().white() == score, evaluation
        assert node.eval_depth() == depth
    values = [evaluation for evaluation, _ in cases]
    for one in values:
        same = Evaluation(one.pawns, one.mate, one.depth)
        assert (one, hash(one), repr(one)) == (same, hash(same), repr(same))
        assert one != Evaluation(one.pawns, one.mate, 99)
        assert one != one.text()
    assert Evaluation(-0.001, depth=depth).text() == "0.00"
