"""The games' moves on python-chess boards, for engines and diagrams. The core has read the games before."""

from __future__ import annotations

import chess

from ..archive.played import moves_of
from ..archive.scorer import CHESS960
from .movetext import Movetext


def moves(game: Movetext) -> tuple[chess.Board, list[chess.Move]]:
    """The first position and the moves of the main line."""
    fen, texts = moves_of(game.game)
    first = chess.Board(fen, chess960=game.tags.get("Variant", "").strip().lower() in CHESS960)
    first.chess960 = first.chess960 or first.has_chess960_castling_rights()
    board = first.copy()
    played = []
    for text in texts:
        played.append(board.parse_uci(text))
        board.push(played[-1])
    return first, played
