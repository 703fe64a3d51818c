"""The moves of one game in a file, whatever spelling they have."""

from __future__ import annotations

from ..games.board import new_board
from ..games.notation import NULL_MOVE, move_text, parse_san
from ..words.errors import NotationError
from .fairy import FairyScore
from .games import tags_of
from .scorer import ScoredGame, Scorer


def played(text: bytes, variant: str = "") -> tuple[ScoredGame, str | None, list[str]]:
    """(the game, its first position or None for the usual one, its moves in coordinate notation).

    variant: the game, whatever the Variant tag says; empty: what the tag says.
    Raises NotationError for a game that cannot be read.
    """
    game = Scorer(variant=variant).score(text, 0, len(text), detail=True)
    if game.problem is not None:
        where = f"ply {game.fault_ply}: " if game.fault_ply else ""
        raise NotationError(where + game.problem)
    fen = tags_of(text).get("FEN")
    board = new_board(fen, chess960=True, game=game.game)
    moves = []
    for ply in range(1, game.plies + 1):
        if not game.details.moves[ply - 1][2]:
            moves.append(NULL_MOVE)
            board.push_null()
            continue
        # The core reads chess, and everything else is read with its line.
        score = game.details
        move = score.line[ply - 1] if isinstance(score, FairyScore) else parse_san(board, game.word(ply))
        moves.append(move_text(board, move))
        board.push(move)
    return game, fen, moves
