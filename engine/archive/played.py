"""The moves of one game in a file, whatever spelling they have."""

from __future__ import annotations

from ..games.board import new_board
from ..games.definition import Definition
from ..games.notation import NULL_MOVE, fen, move_text, whole_fields
from ..words.errors import NotationError
from .games import decoded
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
    first = _beginning(game)
    return game, None if first is None else " ".join(whole_fields(first.split())), moves_of(game)[1]


def moves_of(game: ScoredGame) -> tuple[str, list[str]]:
    """(FEN of the first position, moves in coordinate notation, castling as king takes rook) of a game with details."""
    board = new_board(_beginning(game), chess960=True, game=game.game)
    first = fen(board, shredder=True)
    moves = []
    for move in game.details.line:
        moves.append(move_text(board, move) if move else NULL_MOVE)
        if move:
            board.push(move)
        else:
            board.push_null()
    return first, moves


def _beginning(game: ScoredGame) -> str | None:
    """The FEN among the tags, as the scorer has read it."""
    first = None if game.head.fen is None else decoded(game.head.fen)
    if first is None or not isinstance(game.game, Definition):
        return first
    from .fairy import readable_beginning

    return readable_beginning(game.game, first)
