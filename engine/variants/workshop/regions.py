"""Squares and ranks as Fairy-Stockfish's files name them: ``*7 *8``, ``d4 e4``, ``a*``, ``-``; and small helpers."""

from __future__ import annotations

import re

from standstill.cext.base.constants import BLACK

Square = tuple[int, int]  # file and rank, from 0
_SQUARE = re.compile(r"([a-p]|\*)(\d{1,2}|\*)\Z", re.IGNORECASE)


def squares(text: str, width: int, height: int) -> frozenset[Square]:
    """Return the squares of a region; those off the board are left out. Raises ValueError."""
    found: set[Square] = set()
    for word in () if text == "-" else text.split():
        square = _SQUARE.match(word)
        if not square:
            raise ValueError(f"expected squares such as d4 or *8, found {word!r}")
        files = range(width) if square[1] == "*" else [ord(square[1].lower()) - ord("a")]
        ranks = range(height) if square[2] == "*" else [int(square[2]) - 1]
        found |= {(file, rank) for file in files for rank in ranks if file < width and 0 <= rank < height}
    return frozenset(found)


def ranks(region: frozenset[Square], width: int) -> list[int] | None:
    """Return the ranks, from 0, if the region consists of whole ranks; else None."""
    found = sorted({rank for _, rank in region})
    return found if len(region) == width * len(found) else None


def mirrored(region: frozenset[Square], height: int) -> frozenset[Square]:
    """Return the region as the other side sees it."""
    return frozenset((file, height - 1 - rank) for file, rank in region)


def integer(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def file_of(text: str) -> int:
    """Return a file, from 0, that a letter or a number names; -1 for another text."""
    return ord(text.lower()) - ord("a") if len(text) == 1 and text.isalpha() else integer(text) - 1


def file_name(file: int) -> str:
    return chr(ord("a") + file)


def cased(letter: str, side: int) -> str:
    return letter if side == BLACK else letter.upper()


def row_of(text: str) -> str | None:
    """Return the squares of a rank, a dot for an empty one; None if the text has anything but letters and numbers."""
    row = re.sub(r"\d+", lambda found: "." * min(int(found[0]), 99), text)
    return row if re.fullmatch(r"[A-Za-z.]+", row) else None
