"""Reads games of a plain text format, one per line: ``START|OPENING|RESULT|MOVES`` (docs/training-data.md)."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from standstill.cext.training.samples import encode

from ..common.errors import NotationError, TrainingError
from ..common.text import shown, shown_path
from ..variants.boards import new_board
from ..variants.notation import FILES

if TYPE_CHECKING:
    from standstill.cext.chess.chess_board import ChessBoard

RESULTS = ("0-1", "1/2-1/2", "1-0")
USUAL = "-"
_SQUARES = {f"{FILES[sq % 8]}{sq // 8 + 1}": sq for sq in range(64)}
_MOVES = {a + b: _SQUARES[a] | _SQUARES[b] << 6 for a in _SQUARES for b in _SQUARES}
_MOVES |= {
    move + letter: number | man << 12
    for move, number in list(_MOVES.items())
    if move[3] in "18"
    for man, letter in enumerate("nbrq", 1)
}


def games_of_lines(lines: Iterable[bytes], path: str) -> Iterator[bytes]:
    """Yield the bytes of each game. Raises TrainingError, with the line number, for a malformed or illegal game."""
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(codecs.BOM_UTF8).decode("ascii", "replace").strip()
        if text:
            try:
                yield game_of_line(text)
            except (ValueError, NotationError) as error:
                raise TrainingError(f"{shown_path(path)}: line {number}: {error}") from None


def game_of_line(text: str) -> bytes:
    """Return the bytes of a game. Raises ValueError or NotationError."""
    fields = text.split("|")
    if len(fields) != 4:
        raise ValueError(f"expected START|OPENING|RESULT|MOVES, found {shown(text, 40)}")
    start, opening, result, moves = fields
    if result not in RESULTS:
        raise ValueError(f"expected a result, found {shown(result, 20)}")
    board = new_board(None if start == USUAL else start)
    if TYPE_CHECKING:
        assert isinstance(board, ChessBoard)
    words = opening.split()
    played = [_move(word) for word in words]
    scores: list[int | None] = []
    for word in moves.split():
        move, _, cp = word.partition(":")
        played.append(_move(move))
        try:
            scores.append(int(cp))
        except ValueError:
            raise ValueError(f"expected move:centipawns, found {shown(word, 20)}") from None
    return encode(board, start == USUAL, played, len(words), scores, RESULTS.index(result))


def _move(word: str) -> int:
    move = _MOVES.get(word)
    if move is None:
        raise ValueError(f"expected a move in coordinates, found {shown(word, 20)}")
    return move
