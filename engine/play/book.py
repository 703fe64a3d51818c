"""Reads opening books in the Polyglot format, with python-chess."""

from __future__ import annotations

import chess.polyglot

from standstill.cext.base.constants import WHITE

from ..common.errors import BookError
from ..common.regular_files import open_regular
from ..common.text import shown_path
from ..variants.notation import PAWN, fen, from_sq, parse_move, to_sq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from ..variants.notation import Board

# The keys of a book are sorted. In a file of another kind a few records break the order, so a sample is enough.
SAMPLES = 1000


class Book:
    """An open book file. Moves are chosen with a probability proportional to their weight."""

    def __init__(self, path: str):
        """Open the file. Raises BookError if it is missing or not a book."""
        try:
            open_regular(path).close()
            self._reader = chess.polyglot.MemoryMappedReader(path)
        except FileNotFoundError:
            raise BookError(f"expected a Polyglot book, but {shown_path(path)} does not exist") from None
        except OSError as error:
            reason = f"{shown_path(path)} {'cannot be read' if error.errno else 'is not a multiple of 16 bytes long'}"
            raise BookError(f"expected a Polyglot book, but {reason}") from None
        if not len(self._reader):
            self.close()
            raise BookError(f"expected a Polyglot book, but {shown_path(path)} is empty")
        step = max(1, len(self._reader) // SAMPLES)
        keys = [self._reader[at].key for at in range(0, len(self._reader), step)]
        if keys != sorted(keys):
            self.close()
            raise BookError(f"expected a Polyglot book, but {shown_path(path)} is not sorted by key")

    def moves(self, board: Board) -> list[tuple[int, int]]:
        """Return the book's legal moves with their weights, the heaviest first. Moves of weight 0 are never played."""
        weights: dict[int, int] = {}
        for entry in self._reader.find_all(polyglot_key(board), minimum_weight=0):
            try:
                move = parse_move(board, entry.move.uci())
            except (ValueError, IndexError):
                continue  # a key collision, or an invalid book entry, for example with a seventh kind of piece
            weights[move] = weights.get(move, 0) + entry.weight
        return sorted(weights.items(), key=lambda pair: -pair[1])

    def choose(self, board: Board, chance: Random) -> int | None:
        """Choose a move for the position. Returns None if the book has no playable move."""
        found = [(move, weight) for move, weight in self.moves(board) if weight]
        if not found:
            return None
        return chance.choices([move for move, _ in found], [weight for _, weight in found])[0]

    def close(self) -> None:
        self._reader.close()


def polyglot_key(board: Board) -> int:
    """Return the key of the position in Polyglot books (Michel Van den Bergh: Polyglot book format).

    Polyglot hashes the en passant square if any pawn stands beside the passed pawn, even a pinned one. The engine's FEN
    contains the square only if the capture is legal.
    """
    position = chess.Board(fen(board), chess960=True)
    if board.plies and (last := board.move_at(board.plies)):
        start, target = from_sq(last), to_sq(last)
        their_pawn = PAWN + (8 if board.stm == WHITE else 0)
        if abs(start - target) == 16 and board.squares[target] == their_pawn:
            position.ep_square = (start + target) // 2
    return chess.polyglot.zobrist_hash(position)
