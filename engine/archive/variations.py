"""Reads the variations of a game, in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from standstill.cext.bindings.pgn_games import tokens

from ..common.errors import IllegalMoveError, NotationError
from ..variants.boards import new_board
from ..variants.notation import move_text, parse_san
from .pgn import decoded, worded
from .respelling import Letters, with_dots
from .scorer import CHESS960, ScoredGame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.notation import Board

_SIGNS = re.compile(r"(?:[!?]+|(?<=\d)e\.?p\.?[!?]*)$")
_NO_MOVES = ("N", "TN", "D")  # marks of a novelty and of a diagram


@dataclass(frozen=True, slots=True)
class Variation:
    """A line from the position after ``ply`` half-moves of the game: its moves in UCI notation, and its comments.

    The line of an inner variation includes the moves of the outer variation before it.
    """

    ply: int
    moves: tuple[str, ...]
    comments: tuple[str, ...]


@dataclass(slots=True)
class _Waiting:
    """A variation that is still to be read: its place in the text, and the position and moves before it."""

    ply: int
    start: int
    end: int
    board: Board
    before: tuple[str, ...] = ()


def variations_of(game: ScoredGame) -> Iterator[Variation]:
    """Yield the variations in order, each before its inner variations, and up to its first illegal or null move.

    game: scored with details.
    """
    body, offset = (game.text, 0) if game.respelt is None else (game.respelt.body, game.head.moves)
    letters = Letters(
        game.respelt.language if game.respelt else "English",
        game.text[game.head.moves : game.moves_end].decode("latin-1"),
    )
    is_chess960 = decoded(game.head.variant or b"").strip().lower() in CHESS960
    board = new_board(game.first_fen, is_chess960, game.game)
    text = game.text
    if offset:
        text = text[:offset] + (with_dots(text[offset:]) if game.is_chess else body)
    ply = 0
    for kind, start, end in tokens(body, 0 if offset else game.head.moves, game.moves_end - offset):
        if kind == "result" or (kind == "word" and ply == game.plies):
            return
        if kind == "word":
            previous = _copy(board)
            if move := game.details.line[ply]:
                board.push(move)
            else:
                board.push_null()
            ply += 1
        elif ply and body[start : start + 1] == b"(":
            yield from _read(text, _Waiting(ply - 1, start + offset + 1, end + offset - 1, previous), letters)


def _read(text: bytes, first: _Waiting, letters: Letters) -> Iterator[Variation]:
    """Yield a variation and its inner variations."""
    pending = [first]
    while pending:
        here = pending.pop(0)
        board, previous, moves = _copy(here.board), here.board, list(here.before)
        comments: list[str] = []
        inner: list[_Waiting] = []
        for kind, start, end in tokens(text, here.start, here.end):
            if kind == "comment" or text[start : start + 1] == b";":
                comments.append(worded(text[start + 1 : end - (kind == "comment")]).strip())
            elif text[start : start + 1] == b"(" and len(moves) > len(here.before):
                inner.append(_Waiting(here.ply, start + 1, end - 1, previous, tuple(moves[:-1])))
            elif kind == "word":
                word = _SIGNS.sub("", text[start:end].decode("latin-1"))
                if word in _NO_MOVES:
                    continue
                move = next(filter(None, (_legal(board, reading) for reading in letters.readings(word))), None)
                if move is None:
                    break
                previous = _copy(board)
                moves.append(move_text(board, move))
                board.push(move)
            elif kind in ("result", "unclosed"):
                break
        if len(moves) > len(here.before):
            yield Variation(here.ply, tuple(moves), tuple(comments))
        pending = inner + pending


def _copy(board: Board) -> Board:
    other = board.copy()
    other.notation = board.notation
    return other


def _legal(board: Board, word: str) -> int | None:
    try:
        return parse_san(board, word.replace("0", "O") if word[:1] == "0" else word)
    except (NotationError, IllegalMoveError):
        return None
