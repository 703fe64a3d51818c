"""Reads the squares that pieces may not leave (``mobilityRegion...``) from Fairy-Stockfish's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..extra_rules import Zone
from .ini import Section
from .regions import Square, file_name, mirrored


def zones(section: Section, region: Callable[[str], frozenset[Square]], height: int) -> tuple[list[Zone], list[str]]:
    """Return the zones of a section's pieces, and its keys ``mobilityRegion...`` that zones cannot express.

    region: a function that returns the squares of a key. Black's region must be the mirror image of White's.
    """
    found: list[Zone] = []
    wrong = [key for key in section.keys if key.startswith("mobilityRegion")]
    for letter, (name, _) in section.pieces.items():
        white, black = (f"mobilityRegion{side}{name[0].upper()}{name[1:]}" for side in ("White", "Black"))
        if white in wrong and black in wrong and region(black) == mirrored(region(white), height) != frozenset():
            wrong.remove(white)
            wrong.remove(black)
            found.append(Zone(letter, tuple(f"{file_name(file)}{rank + 1}" for file, rank in sorted(region(white)))))
    return found, wrong


def kings_meet(found: Iterable[Zone], kings: set[str], height: int) -> bool:
    """Return whether the kings of both sides can stand on one rank."""
    rows = {int(area[1:]) for zone in found if zone.letters in kings for area in zone.areas}
    return not rows or any(height + 1 - row in rows for row in rows)
