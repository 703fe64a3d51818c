"""Classes of material such as KQvKR: their names, their pieces, and the classes that they need."""

from __future__ import annotations

import math
from itertools import combinations, combinations_with_replacement

from standstill.cext.base.constants import BLACK, KING, PAWN, WHITE

from ..common.errors import StandstillError

MOST_MEN = 5
SLICE_BYTES = 60  # the solver needs at most this much memory per position of the current slice
LETTERS = "PNBRQK"  # letters by piece number
STRENGTH = "KQRBNP"  # the order of the letters in the name of a class


class ClassNameError(StandstillError, ValueError):
    """The text is not the name of a class."""


def class_name(text: str) -> str:
    """Return the usual name of a class: the side with more, or stronger, pieces first. ``krpvk`` is ``KRPvK``.

    Raises ClassNameError.
    """
    sides = text.strip().upper().split("V")
    if len(sides) != 2 or not all(set(side) <= set(STRENGTH) and side.count("K") == 1 for side in sides):
        raise ClassNameError(f"expected a class such as KQvKR, found {text!a}")
    if sum(map(len, sides)) > MOST_MEN:
        raise ClassNameError(f"expected at most {MOST_MEN} pieces, found {text!a}")
    return _joined(*sides)


def _joined(*sides: str) -> str:
    ordered = ["".join(sorted(side, key=STRENGTH.index)) for side in sides]
    return "v".join(sorted(ordered, key=lambda side: (-len(side), [STRENGTH.index(letter) for letter in side])))


def men_of(name: str) -> list[tuple[int, int]]:
    """Return the (colour, kind) of each piece in the core's order.

    The order is: both kings, White's pieces, Black's pieces, White's pawns, Black's pawns.
    """
    sides = name.split("v")
    men = [(colour, LETTERS.index(letter)) for colour in (WHITE, BLACK) for letter in sides[colour]]
    return sorted(men, key=lambda man: (man[1] != KING, man[1] == PAWN))  # sorted is stable: White remains first


def classes(most_men: int) -> list[str]:
    """Return all classes of up to this many pieces, each after the classes that it needs."""
    found = set()
    for count in range(most_men - 1):
        for men in combinations_with_replacement(STRENGTH[1:], count):
            for size in range(count + 1):
                for own in combinations(range(count), size):
                    mine = "".join(men[i] for i in own)
                    other = "".join(men[i] for i in range(count) if i not in own)
                    found.add(_joined("K" + mine, "K" + other))
    return sorted(found, key=_order)


def _order(name: str) -> tuple[int, int, list[int]]:
    return len(name), name.count("P"), [("v" + STRENGTH).index(letter) for letter in name]


def needed(name: str) -> list[str]:
    """Return the class and all classes that captures and promotions can reach, each after the classes that it needs."""
    found, rest = set(), [name]
    while rest:
        current = rest.pop()
        if current not in found:
            found.add(current)
            rest += _next(current)
    return sorted(found, key=_order)


def _next(name: str) -> list[str]:
    """Return the classes that one capture or promotion can reach."""
    sides = name.split("v")
    result = []
    for colour in (WHITE, BLACK):
        for place, letter in enumerate(sides[colour]):
            without = sides[colour][:place] + sides[colour][place + 1 :]
            if letter != "K":
                result.append(_joined(without, sides[1 - colour]))
            if letter == "P":
                result += [_joined(without + promoted, sides[1 - colour]) for promoted in "QRBN"]
    return result


def numbers(name: str) -> int:
    """Return the number of placements for which the solver allocates memory, a measure of its work."""
    return slices(name) * slice_numbers(name)


def slice_numbers(name: str) -> int:
    """Return the number of placements for which the solver allocates memory in one slice (placement of the pawns)."""
    kings = 64 * 64 if "P" in name else 16 * 64
    return 2 * kings * math.prod(math.comb(64, size) for size in _groups(name, "QRBN"))


def slices(name: str) -> int:
    """Return the number of placements of the pawns (slices), counting mirror images once."""
    left, on_centre = 48, 1  # free squares; number of placements that are their own mirror images
    placements = 1
    for size in _groups(name, "P"):
        placements *= math.comb(left, size)
        left -= size
        on_centre = 0
    pawns = _groups(name, "P")
    if pawns == [2]:
        on_centre = 24  # mirror-symmetric placements: the two pawns on one rank, on squares that mirror each other
    return (placements + on_centre) // 2 if pawns else 1


def _groups(name: str, men: str) -> list[int]:
    """Return the number of pieces of each side and kind, without zeros."""
    return [count for side in name.split("v") for man in men if (count := side.count(man))]
