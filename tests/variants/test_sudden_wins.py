"""Wins by a rule other than mate, as seen at depth 1: the last check, the king on the hill."""

from __future__ import annotations

import random

import pytest

from standstill.cext.base.constants import RULE_LOSS
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.notation import fen, move_text, parse_move
from tests.uci.client import Client

CATALOG = Catalog()


def wins(board) -> list[int]:
    """Moves after which the opponent has lost by such a rule."""
    found = []
    for move in board.legal_moves():
        board.push(move)
        if board.rule_result() == RULE_LOSS:
            found.append(move)
        board.pop()
    return found


def allowing(board) -> tuple[list[str], list[str]]:
    """The moves that allow the opponent such a win, and the others."""
    bad, good = [], []
    for move in board.legal_moves():
        text = move_text(board, move)
        board.push(move)
        (bad if wins(board) else good).append(text)
        board.pop()
    return bad, good


def asked(name: str, seed: int, number: int) -> list[tuple[str, list[str]]]:
    """Positions of random games without a win, in which some moves, but not all, allow one: (FEN, bad moves)."""
    rng, game, found = random.Random(seed), CATALOG.find(name), []
    while len(found) < number:
        board = new_board(game=game)
        for _ in range(80):
            moves = board.legal_moves()
            if not moves or board.rule_result() == RULE_LOSS:
                break
            checks = [move for move in moves if board.checks(move)]
            royal = [move for move in moves if move_text(board, move)[:2] == "e1"]
            board.push(rng.choice(checks if checks and rng.random() < 0.4 else royal or moves))
            if board.rule_result() == RULE_LOSS or not board.legal_moves() or wins(board):
                continue
            bad, good = allowing(board)
            if bad and good:
                found.append((fen(board), bad))
    return found[:number]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["3check", "5check", "kingofthehill"])
def test_no_win_is_allowed_at_depth_one(engine: Client, name: str) -> None:
    engine.send(f"setoption name UCI_Variant value {name}")
    for position, bad in asked(name, 1, 40):
        engine.send("ucinewgame")
        best = engine.search("go depth 1", f"fen {position}")[-1].split()[1]
        assert best not in bad, (position, best, bad)


def test_no_mate_is_given_where_it_loses(engine: Client) -> None:
    """In `losers` the mated side wins, even if only the quiescence search sees the mate."""
    engine.send("setoption name UCI_Variant value losers")
    lines = engine.search("go depth 1", "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert lines[-1].split()[1] != "a1a8"


EXCHANGES = [
    # White gives the queen for a pawn and a check, which is the first of three, the second or the last.
    ("4k3/3p4/8/8/8/8/8/3QK3 w - - 3+3 0 1", "d1d7", 100 - 950 + 50),
    ("4k3/3p4/8/8/8/8/8/3QK3 w - - 2+3 0 1", "d1d7", 100 - 950 + 270),
    ("4k3/3p4/8/8/8/8/8/3QK3 w - - 1+3 0 1", "d1d7", None),
    ("4k3/3p4/8/8/8/8/8/2Q1K3 w - - 2+3 0 1", "c1c6", -950),  # not check: the pawn takes the queen
]


@pytest.mark.parametrize(("position", "move", "value"), EXCHANGES)
def test_a_check_counts_in_exchanges(position: str, move: str, value: int | None) -> None:
    board = new_board(position, game=CATALOG.find("3check"))
    bits = parse_move(board, move)
    if value is None:
        assert board.exchange_gains(bits, 10000)
    else:
        assert [board.exchange_gains(bits, cp) for cp in (value, value + 1)] == [True, False]


def test_the_hill_is_worth_more_than_all_men() -> None:
    board = new_board("4k3/8/8/8/8/4K3/8/q7 w - - 0 1", game=CATALOG.find("kingofthehill"))
    gains = {move_text(board, move): board.exchange_gains(move, 10000) for move in board.legal_moves()}
    assert {text for text, gain in gains.items() if gain} == {"e3e4"}
