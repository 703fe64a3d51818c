"""Finds the lines that a board shows over its squares, palaces and rivers, in the rules about squares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..definition import Definition

    Segment = tuple[float, float, float, float]  # x and y of both ends, in squares from the lower left corner

PALACE, RIVER = "palace", "river"
_LEAST_CROSSED = 3  # files and ranks of the smallest square palace with diagonals


def board_lines(game: Definition) -> dict[str, list[Segment]]:
    """Return the lines of a board by their kind.

    palace: around the squares that a royal piece may not leave, except along the edge of the board, and the diagonals
    of a square palace. river: the border of whole ranks that other pieces may not leave, or where they have moves of
    their own.
    """
    palaces: set[int] = set()  # as bits of squares
    rivers: set[int] = set()  # as numbers of ranks below them
    for number, piece in enumerate(game.own_pieces, 1):
        zone = [game.zones[number]] if number in game.zones else []
        if piece.is_royal:
            palaces.update(zone)
            continue
        for bits in (*zone, *(bits for bits, _ in game.areas_of(number))):
            rivers.update(_border(bits, game.width, game.squares))
    found: dict[str, list[Segment]] = {
        PALACE: [line for bits in sorted(palaces) for line in (*_outline(bits, game), *_diagonals(bits, game))],
        RIVER: [(0, rank, game.width, rank) for rank in sorted(rivers)],
    }
    return {kind: lines for kind, lines in found.items() if lines}


def path_of(lines: Iterable[Segment], height: int, unit: int, margin: int = 0) -> str:
    """Return the lines as the path of a drawing with White below.

    height: the ranks of the board. unit: the width of a square. margin: the distance of the board from the upper left.
    """
    return "".join(
        f"{letter}{margin + x * unit:g} {margin + (height - y) * unit:g}"
        for line in lines
        for letter, x, y in (("M", *line[:2]), ("L", *line[2:]))
    )


def _border(bits: int, width: int, squares: int) -> Iterator[int]:
    """Yield the number of ranks below the border if the squares are all ranks on one side of it."""
    for count in range(width, squares, width):
        lower = (1 << count) - 1
        if bits in (lower, (1 << squares) - 1 - lower):
            yield count // width


def _outline(bits: int, game: Definition) -> Iterator[Segment]:
    """Yield the edges between these squares and the other squares of the board, each as long as a square."""
    width, height = game.width, game.height
    for sq in range(game.squares):
        file, rank = sq % width, sq // width
        is_inside = bits >> sq & 1
        if file + 1 < width and is_inside != bits >> sq + 1 & 1:
            yield file + 1, rank, file + 1, rank + 1
        if rank + 1 < height and is_inside != bits >> sq + width & 1:
            yield file, rank + 1, file + 1, rank + 1


def _diagonals(bits: int, game: Definition) -> Iterator[Segment]:
    """Yield the diagonals of a square palace, between the middles of its corner squares."""
    inside = [(sq % game.width, sq // game.width) for sq in range(game.squares) if bits >> sq & 1]
    (left, right), (low, high) = [(min(ends), max(ends)) for ends in zip(*inside, strict=True)]
    side = right - left + 1
    if side == high - low + 1 >= _LEAST_CROSSED and len(inside) == side * side:
        yield left + 0.5, low + 0.5, right + 0.5, high + 0.5
        yield left + 0.5, high + 0.5, right + 0.5, low + 0.5
