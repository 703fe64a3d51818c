"""The games' moves on python-chess boards, for engines and diagrams. The games have been replayed before."""

from __future__ import annotations

import chess

from ..words.errors import MovetextError
from .movetext import Movetext
from .source import CHESS960


def moves(game: Movetext) -> tuple[chess.Board, list[chess.Move]]:
    """The first position and the moves of the main line. Raises MovetextError if python-chess rejects a move."""
    fen = game.tags.get("FEN")
    try:
        first = chess.Board(fen or chess.STARTING_FEN, chess960=game.tags.get("Variant", "").lower() in CHESS960)
    except ValueError as error:
        raise MovetextError(f"FEN: {error}") from None
    first.chess960 = first.chess960 or first.has_chess960_castling_rights()
    board = first.copy()
    played = []
    for index, ply in enumerate(game.plies):
        try:
            move: chess.Move | None = board.parse_san(ply.san)
        except ValueError:
            move = _coordinates(board, ply.san)
        if move is None:
            raise MovetextError(f"{game.place(index)}: the move cannot be played")
        played.append(move)
        board.push(move)
    return first, played


def _coordinates(board: chess.Board, text: str) -> chess.Move | None:
    """A move in long or coordinate notation: ``e2e4``, ``Ng1-f3``, ``e7e8q``."""
    letters = text.rstrip("+#").replace("-", "").replace("x", "").replace("=", "").lstrip("KQRBNP")
    try:
        return board.parse_uci(letters.lower())
    except ValueError:
        return None
