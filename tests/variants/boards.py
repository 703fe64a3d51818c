"""Boards of built-in games by definition, and the ends of their games as Fairy-Stockfish's library gives them."""

from __future__ import annotations

from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.game_over import game_end

CATALOG = Catalog()


def board_of(name: str, text: str | None = None) -> FairyBoard:
    board = new_board(text, game=CATALOG.find(name))
    assert isinstance(board, FairyBoard)
    return board


def outcome(board: FairyBoard) -> int | None:
    """The end of the game as the other library gives it: -1, 0 or 1 for the side to move."""
    end = game_end(board)
    if end is None or end[0] == "1/2-1/2":
        return None if end is None else 0
    return 1 if (end[0] == "1-0") == (board.stm == 0) else -1
