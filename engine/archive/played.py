"""Reads the moves of one game in a file, in any spelling."""

from __future__ import annotations

from standstill.cext.bindings.pgn_games import tokens

from ..common.errors import MovetextError
from ..common.goal import goal_text
from ..variants.boards import new_board
from ..variants.notation import NULL_MOVE, fen, hyphened, move_text, position_fields, whole_fields
from .pgn import worded
from .scorer import ScoredGame, Scorer


def played(text: bytes, variant: str = "") -> tuple[ScoredGame, str | None, list[str]]:
    """Return (the game, its first position or None for the standard one, its moves in coordinate notation).

    A record in force at the first position is the last field of its FEN.

    variant: overrides the Variant tag; empty to use the tag.
    Raises MovetextError for a game that cannot be read.
    """
    game = Scorer(variant=variant).score(text, 0, len(text), detail=True)
    check_read(game)
    first, (array, moves) = game.first_fen, moves_of(game)
    if first is not None:
        first = " ".join(whole_fields(hyphened(first).split()))
    if game.given is not None:
        owner, code = game.given
        first = " ".join([*position_fields(array if first is None else first), goal_text(code, owner)])
    return game, first, moves


def check_read(game: ScoredGame) -> None:
    """Raise MovetextError, with the half-move, for a game that could not be read."""
    if game.problem is not None:
        raise MovetextError((f"ply {game.fault_ply}: " if game.fault_ply else "") + game.problem)


def comments_of(game: ScoredGame) -> list[str]:
    """Return the comments before the first move and after each move, joined by spaces, without those in variations.

    game: a game of chess, scored with details.
    """
    body, offset = (game.text, 0) if game.respelt is None else (game.respelt.body, game.head.moves)
    found: list[list[str]] = [[]]
    over = False
    for kind, start, end in tokens(body, 0 if offset else game.head.moves, game.moves_end - offset):
        text = game.text[start + offset : end + offset]
        if kind in ("word", "result"):
            over = kind == "result"
            found += [] if over else [[]]
        elif kind == "comment" and not over:
            found[-1].append(worded(text[1:-1]).strip())
        elif text[:1] == b";" and not over:
            found[-1].append(worded(text[1:]).strip())
    return [" ".join(part) for part in found]


def moves_of(game: ScoredGame) -> tuple[str, list[str]]:
    """Return (FEN of the first position, moves as coordinates, castling as king takes rook). game: with details."""
    board = new_board(game.first_fen, chess960=True, game=game.game)
    first = fen(board, shredder=True)
    moves = []
    for move in game.details.line:
        moves.append(move_text(board, move) if move else NULL_MOVE)
        if move:
            board.push(move)
        else:
            board.push_null()
    return first, moves
