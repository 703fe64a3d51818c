"""Opening books in the Polyglot format, read by python-chess."""

from __future__ import annotations

import chess.polyglot

from .errors import BookError
from .notation import PAWN, WHITE, fen, from_sq, parse_move, shown, to_sq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

RECORD_BYTES = 16
# A file of anything else is out of order within a few records; a book of any size is looked at in no time.
SAMPLES = 1000


class Book:
    """A book file, open; a move is chosen with the chance that its weight gives it."""

    def __init__(self, path: str):
        """Raises BookError for a file that is missing or no book."""
        try:
            self._reader = chess.polyglot.MemoryMappedReader(path)
        except FileNotFoundError:
            raise BookError(f"expected a Polyglot book, found nothing at {shown(path)}") from None
        except OSError as error:
            reason = f"{shown(path)} cannot be read" if error.errno else f"{shown(path)} is no multiple of 16 bytes"
            raise BookError(f"expected a Polyglot book, found that {reason}") from None
        if not len(self._reader):
            self.close()
            raise BookError(f"expected a Polyglot book, found that {shown(path)} is empty")
        step = max(1, len(self._reader) // SAMPLES)
        keys = [self._reader[at].key for at in range(0, len(self._reader), step)]
        if keys != sorted(keys):
            self.close()
            raise BookError(f"expected a Polyglot book, found that {shown(path)} is not in the order of its keys")

    def moves(self, board) -> list[tuple[int, int]]:
        """The book's legal moves here with their weights, the heaviest first. A weight of 0 is never played."""
        weights: dict[int, int] = {}
        for entry in self._reader.find_all(polyglot_key(board), minimum_weight=0):
            try:
                move = parse_move(board, entry.move.uci())
            except ValueError:
                continue  # another position with the same key, or a careless book
            weights[move] = weights.get(move, 0) + entry.weight
        return sorted(weights.items(), key=lambda pair: -pair[1])

    def choose(self, board, chance: Random) -> int | None:
        """A move for the position, or None if the book has none that may be played."""
        found = [(move, weight) for move, weight in self.moves(board) if weight]
        if not found:
            return None
        moves, weights = zip(*found, strict=True)
        return chance.choices(moves, weights)[0]

    def close(self) -> None:
        self._reader.close()


def polyglot_key(board) -> int:
    """Key of the position as Polyglot books have it (Michel Van den Bergh: Polyglot book format).

    There an en passant square counts beside any pawn that could take, be it pinned or not; a FEN of ours names it
    only if the capture is legal.
    """
    position = chess.Board(fen(board), chess960=True)
    if board.plies and (last := board.move_at(board.plies)):
        start, target = from_sq(last), to_sq(last)
        their_pawn = PAWN + (8 if board.stm == WHITE else 0)
        if abs(start - target) == 16 and board.squares[target] == their_pawn:
            position.ep_square = (start + target) // 2
    return chess.polyglot.zobrist_hash(position)
