"""Definition files for tests: orthodox chess, changed in one place."""

from __future__ import annotations

from pathlib import Path

BOARD = "8x8"
ARRAY = "6 4 5 7 3 5 4 6"
WHITE_PAWN = "p:100 -16,24 -16,6 -15,5 -17,5"
BLACK_PAWN = "p:100 16,24 16,6 15,5 17,5"
KING = "k:-1 1,34 -1,34 1,7 16,7 15,7 17,7 -1,7 -16,7 -15,7 -17,7"
KNIGHT = "n:325 14,7 31,7 33,7 18,7 -14,7 -31,7 -33,7 -18,7"
BISHOP = "b:325 15,3 17,3 -15,3 -17,3"
ROOK = "R:500 1,3 16,3 -1,3 -16,3"
QUEEN = "Q:950 1,3 16,3 -1,3 -16,3 15,3 17,3 -15,3 -17,3"
CHESS = "\n".join([BOARD, ARRAY, ARRAY, WHITE_PAWN, BLACK_PAWN, KING, KNIGHT, BISHOP, ROOK, QUEEN, ""])
END = "Fairy-Max needs a line of text after the last game.\n"


def text_of(*blocks: str) -> str:
    """A file with these blocks, each from its title line on."""
    return "\n".join(["version 4.8(w)", CHESS, *blocks])


def written(folder: Path, *blocks: str) -> Path:
    """The path of a file with these blocks."""
    path = folder / "mine.ini"
    path.write_text(text_of(*blocks), encoding="utf-8")
    return path


def block(title: str, *more: str, array: str = ARRAY, black: str = "", board: str = BOARD, **changed: str) -> str:
    """A game of orthodox pieces. more: lines after the pieces. changed: other lines for white_pawn, king, ..."""
    lines = {
        "white_pawn": WHITE_PAWN,
        "black_pawn": BLACK_PAWN,
        "king": KING,
        "knight": KNIGHT,
        "bishop": BISHOP,
        "rook": ROOK,
        "queen": QUEEN,
    } | changed
    return "\n".join([title, board, array, black or array, *lines.values(), *more, ""])
