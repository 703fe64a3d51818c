"""Endgame tables of three pieces, positions for them, and their results."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.syzygy

from standstill.engine.play.endgames import Endgames
from standstill.engine.variants.notation import move_text

TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"

WON = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
LOST = "8/8/8/3k4/8/8/8/K6R b - - 0 1"


def positions(count: int, seed: int, men: str = "PNBRQ"):
    """Legal positions of three pieces in which a move is legal, as FEN without clocks."""
    chance = random.Random(seed)
    while count:
        board = chess.Board(None)
        squares = chance.sample(range(64), 3)
        board.set_piece_at(squares[0], chess.Piece(chess.KING, True))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, False))
        board.set_piece_at(squares[2], chess.Piece(chess.PIECE_SYMBOLS.index(chance.choice(men).lower()), True))
        board.turn = chance.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield " ".join((board if chance.random() < 0.5 else board.mirror()).fen().split()[:4])


def verdict(tables: Endgames, board, **options):
    return tables.verdict(board, board.legal_moves(), **options)


def kept(tables: Endgames, board, **options) -> set[str]:
    return {move_text(board, move) for move in verdict(tables, board, **options).moves}


def won_starts(reader: chess.syzygy.Tablebase, count: int, seed: int):
    """Won positions with the highest clock at which they are surely won: a table's distance may be one ply too low."""
    for position in positions(1000, seed, "PRQ"):
        board = chess.Board(f"{position} 0 60")
        distance = reader.probe_dtz(board)
        if distance > 1:
            yield f"{position} {99 - distance} 60"
            count -= 1
        if not count:
            return
