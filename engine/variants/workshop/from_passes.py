"""Reads what sections of Fairy-Stockfish say about Janggi's rules: passing, points, cannons and lines of palaces."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..extra_rules import BOTH, SIDES, Zone
from .ini_keys import Keys
from .regions import file_name, mirrored

CANNON = "janggiCannon"
JANGGI_POINTS = {"rook": 13, CANNON: 7, "horse": 5, "janggiElephant": 3, "wazir": 3, "soldier": 2}
JANGGI_SECOND = 3  # half points of the side that moves second
ODDS = {"whitedrawodds": -1, "blackdrawodds": 1}  # half points of Black, which decide all games without a winner
# The moves along diagonal lines of pieces with these names. A king moves along them if it moves like a wazir.
DIAGONALS = {"wazir": "F", "soldier": "fF", "rook": "B", CANNON: "pB"}
_HOPS = re.compile(r"[pg][A-Z]")


def passing(keys: Keys, letters: Iterable[str]) -> dict[str, object]:
    """Return these rules of a section. letters: those of the game's pieces."""
    pieces = {letter: keys.section.pieces[letter] for letter in letters if letter in keys.section.pieces}
    names = {letter: name for letter, (name, _) in pieces.items()}
    found: dict[str, object] = {}
    who = [keys.is_on(f"pass{side.capitalize()}") for side in SIDES]
    if any(who):
        found["passes"] = BOTH if all(who) else SIDES[who.index(True)]
    if keys.is_on("bikjangRule"):
        found["bikjang"] = True
        if not any(who):
            keys.cannot("bikjangRule", "expected pass = true beside it")
    cannons = "".join(letter for letter, name in names.items() if name == CANNON)
    for letter, (name, entry) in pieces.items():
        if cannons and letter not in cannons and _HOPS.search(entry.value):
            keys.fail(entry.line, f"{name} = {letter}: another piece that hops beside {CANNON}")
    immune = set(keys.text("mutuallyImmuneTypes").lower().replace("none", "").replace("-", ""))
    if not immune <= {letter for letter, (name, _) in keys.section.pieces.items() if name not in ("king", "pawn")}:
        keys.cannot("mutuallyImmuneTypes", "expected pieces that are neither kings nor pawns")
    found |= {"immune": "".join(sorted({*immune, *cannons} & names.keys())), "barrier": cannons}
    return found | _points(keys, names) | {"within": tuple(_diagonals(keys, names))}


def _points(keys: Keys, names: dict[str, str]) -> dict[str, object]:
    counting = keys.text("materialCounting").lower()
    if counting == "janggi":
        points = [(letter, 2 * JANGGI_POINTS[name]) for letter, name in names.items() if name in JANGGI_POINTS]
        return {"points": tuple(points), "second_points": JANGGI_SECOND}
    if counting == "unweighted":
        return {"points": tuple((letter, 2) for letter in names), "second_points": 0}
    return {"second_points": ODDS[counting]} if counting in ODDS else {}


def _diagonals(keys: Keys, names: dict[str, str]) -> Iterable[Zone]:
    squares = keys.region("diagonalLines") if keys.text("diagonalLines") else frozenset()
    if squares != mirrored(squares, keys.height):
        keys.cannot("diagonalLines", "expected squares that mirror each other")
    areas = tuple(f"{file_name(file)}{rank + 1}" for file, rank in sorted(squares))
    for letter, name in names.items() if areas else ():
        king = keys.section.pieces[letter][1]
        # The king of the built-in variant is of the type of the wazir; with moves of its own it ignores the lines.
        along = "F" if name == "king" and (king.value, king.line) == ("W", 0) else DIAGONALS.get(name)
        if along:
            yield Zone(letter, areas, (along,))
