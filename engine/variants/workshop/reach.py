"""Where a piece goes from a square of an empty board, for the page on which games are made.

A page shows these squares while the author types, so they are worked out from the rays alone; the tests compare them
with the core's move generator.
"""

from __future__ import annotations

from typing import NamedTuple

from standstill.cext.base.constants import BLACK

from ..definition import (
    BEFORE_PLATFORM,
    BLACK_PAWN,
    CYLINDER,
    DELAY_SHIFT,
    HOPS,
    LEAPS,
    MOVES,
    MULTI_PATH,
    STRAIGHT_FIRST,
    TAKES,
    THIRD_RANK_DELAY,
    Definition,
    Ray,
    displacement,
)
from ..placement import BLACK_MAN

_THIRD_RANK = 2  # counted from 0, on the side's own half
_LONGEST = 40  # steps of a path, as in the core


class Mark(NamedTuple):
    """A square that a piece can reach. Squares are numbered from a1, rank by rank."""

    square: int
    modes: int  # TAKES, MOVES or both
    is_hop: bool = False  # reached only behind a piece over which the mover hops
    is_first: bool = False  # reached only with a piece that has not moved
    is_castling: bool = False


class Reach(NamedTuple):
    """All that a piece can reach from a square, and the lines that have to be empty on the way, with their origin."""

    marks: list[Mark]
    lines: list[list[int]]


def reach(game: Definition, number: int, square: int, colour: int) -> Reach:
    """Return where piece ``number`` of a side goes from ``square`` if all other squares are empty.

    For a capture, a single enemy piece stands on the target square. For a hop, a piece stands anywhere on the way.
    A piece on a square of its start position has not moved. The marks are in the order of the squares.
    """
    is_unmoved = game.is_unmoved(number + BLACK_MAN * (colour == BLACK), square)
    found: dict[tuple[int, bool, bool], int] = {}
    lines: list[list[int]] = []
    everywhere = (1 << game.squares) - 1
    own = [(everywhere, game.rays_of(number, colour)), *game.areas_of(number)]
    for inside, ray in [(bits, ray) for bits, rays in own if bits >> square & 1 for ray in rays]:
        walk = _Walk(game, ray, square, inside)
        if ray.is_initial:
            for to, modes in _initial(walk, number, colour, is_unmoved):
                found[to, False, True] = found.get((to, False, True), 0) | modes
            continue
        for to, modes, is_hop in walk.steps():
            found[to, is_hop, False] = found.get((to, is_hop, False), 0) | modes
        lines += walk.lines
    for to, is_hop, is_first in list(found):
        plain = found.get((to, False, False), 0)
        if (is_hop or is_first) and found[to, is_hop, is_first] & ~plain == 0:
            del found[to, is_hop, is_first]  # the piece can do the same without hopping, or after its first move
    zone = game.zones.get(number)
    marks = [
        Mark(to, modes, is_hop, is_first)
        for (to, is_hop, is_first), modes in found.items()
        if modes and (zone is None or zone >> to & 1)
    ]
    marks += _castlings(game, number, square) if is_unmoved and number > BLACK_PAWN else []
    return Reach(sorted(marks), lines)


def _castlings(game: Definition, number: int, square: int) -> list[Mark]:
    file = square % game.width
    targets = {square + files for _, files in game.castlings[number - 1] if 0 <= file + files < game.width}
    return [Mark(to, MOVES, is_first=True, is_castling=True) for to in targets]


def _initial(walk: _Walk, number: int, colour: int, is_unmoved: bool) -> list[tuple[int, int]]:
    """Return (square, modes) for an initial ray; empty if the piece has moved or the ray is castling."""
    ray, game = walk.ray, walk.game
    if number > BLACK_PAWN and ray.toggle == TAKES | MOVES:
        return []  # castling
    delay = ray.extra >> DELAY_SHIFT
    if delay == THIRD_RANK_DELAY:
        rank = walk.origin // game.width
        own_rank = game.height - 1 - rank if colour == BLACK else rank
        is_third = number <= BLACK_PAWN and own_rank == _THIRD_RANK
        delay = 1 if is_unmoved else 0 if is_third else -1
    elif not is_unmoved:
        delay = -1
    if delay < 0:
        return []
    here: int | None = walk.origin
    for step in (*[ray.step] * (delay + 1), ray.second):
        here = walk.shifted(here, step) if here is not None else None
    return [] if here is None else [(here, ray.toggle & (TAKES | MOVES))]


class _Walk:
    """The squares of one ray from one square. inside: the squares that the ray may touch, a1 as bit 0."""

    def __init__(self, game: Definition, ray: Ray, origin: int, inside: int):
        self.game, self.ray, self.origin, self.inside = game, ray, origin, inside
        self.lines: list[list[int]] = []

    def shifted(self, square: int, step: int) -> int | None:
        """Return the square to which a step leads, or None outside the board."""
        width = self.game.width
        right, up = displacement(step)
        file, rank = square % width + right, square // width + up
        if self.ray.extra & CYLINDER and not 0 <= file < width:
            file += width if file < 0 else -width
        if not 0 <= file < width or not 0 <= rank < self.game.height:
            return None
        return rank * width + file if self.inside >> rank * width + file & 1 else None

    def steps(self) -> list[tuple[int, int, bool]]:
        """Return (square, modes, whether by a hop)."""
        if self.ray.extra & MULTI_PATH:
            return self._any_path()
        return self._hopping() if self.ray.mode & HOPS else self._straight()

    def _straight(self) -> list[tuple[int, int, bool]]:
        ray, here, step, mode = self.ray, self.origin, self.ray.step, self.ray.mode
        count = ray.extra >> DELAY_SHIFT
        found: list[tuple[int, int, bool]] = []
        path = [here]
        while len(path) <= _LONGEST:
            to = self.shifted(here, step)
            if to is None or to == self.origin:
                break
            here = to
            path.append(here)
            found.append((here, mode & (TAKES | MOVES), False))
            if mode & LEAPS:
                break
            if not ray.toggle & HOPS:
                if count == 0:
                    step, mode = ray.second, mode ^ ray.toggle
                count -= 1
        if len(path) > 2:
            self.lines.append(path)
        return found

    def _any_path(self) -> list[tuple[int, int, bool]]:
        """Return the end of a ray that takes three single steps in any order, or with the straight ones first.

        At least one of these ways must stay on the board.
        """
        ray, width = self.ray, self.game.width
        (right, up), (twice_right, twice_up) = displacement(ray.step), displacement(ray.bend)
        twice, once = (twice_right, twice_up), (right - 2 * twice_right, up - 2 * twice_up)
        orders = [(twice, twice, once), (twice, once, twice), (once, twice, twice)]
        if ray.extra & STRAIGHT_FIRST:
            orders = orders[2:] if 0 in once else orders[:1]
        for order in orders:
            file, rank = self.origin % width, self.origin // width
            for more, higher in order:
                file, rank = file + more, rank + higher
                if not (0 <= file < width and 0 <= rank < self.game.height):
                    break
                if not self.inside >> rank * width + file & 1:
                    break
            else:
                return [(rank * width + file, ray.mode & (TAKES | MOVES), False)]
        return []

    def _hopping(self) -> list[tuple[int, int, bool]]:
        """Return the squares of the first leg, each with the squares behind a platform on it."""
        ray = self.ray
        found: list[tuple[int, int, bool]] = []
        path = [self.origin]
        while len(path) <= _LONGEST:
            to = self.shifted(path[-1], ray.step)
            if to is None or to == self.origin:
                break
            found.append((to, ray.mode & (TAKES | MOVES), False))
            found += self._behind(path[-1] if ray.extra & BEFORE_PLATFORM else to, to)
            path.append(to)
            if ray.mode & LEAPS:
                break
        if len(path) > 2:
            self.lines.append(path)
        return found

    def _behind(self, here: int, platform: int) -> list[tuple[int, int, bool]]:
        mode = self.ray.mode ^ self.ray.toggle
        found: list[tuple[int, int, bool]] = []
        while len(found) < _LONGEST:
            to = self.shifted(here, self.ray.second)
            if to is None or to in (self.origin, platform):
                break
            found.append((to, mode & (TAKES | MOVES), True))
            if mode & LEAPS:
                break
            here = to
        return found
