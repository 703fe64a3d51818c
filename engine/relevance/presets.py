"""x05 by engine, because the evaluations of programs are on different scales (docs/relevance.md, "Presets")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .. import NAME
from ..common.info import HALF_CP
from .model import DEFAULT_X05


@dataclass(frozen=True, slots=True)
class Preset:
    """A value of x05, and where it applies.

    :ivar x05: the value in pawns.
    :ivar reason: a text that names the engine or the games to which the value applies.

    >>> relevance.preset("Stockfish 17").reason
    'measured for Stockfish since 15.1'
    """

    x05: float
    reason: str


OWN = Preset(HALF_CP / 100, f"measured for {NAME}")
# Stockfish scales +1.00 to a win rate of one half. docs/lab/scores.md compares this with Stockfish's games.
STOCKFISH = Preset(1.00, "measured for Stockfish since 15.1")
UNKNOWN = Preset(DEFAULT_X05, "for engines that have not been measured")
# The value of the best players, from the world championship matches of 1984 to 1990 (docs/relevance.md).
PEOPLE = Preset(1.00, "for games of people")
LICHESS = Preset(STOCKFISH.x05, "of Stockfish, by which lichess.org evaluates")
LICHESS_NAME = "Stockfish of lichess.org"

# Release numbers, or dates of development versions in six or eight digits. The name of an engine in a file may
# contain several such numbers.
_STOCKFISH = re.compile(r"stockfish[ _-]*(?:dev[ _-]*)?v?(\d{1,8})(?:\.(\d{1,8}))?(?![\d])", re.IGNORECASE | re.ASCII)
_SCALED_RELEASE = (15, 1)
_SCALED_DATE = 20221105


def preset(engine: str) -> Preset:
    """Return the preset for an engine by its name, such as ``Stockfish 15.1``."""
    name = engine.strip()
    if name == LICHESS_NAME:
        return LICHESS
    if re.match(rf"{NAME}\b", name, re.IGNORECASE):
        return OWN
    found = _STOCKFISH.match(name)
    return STOCKFISH if found is not None and _is_scaled(found[1], found[2]) else UNKNOWN


def _is_scaled(number: str, minor: str | None) -> bool:
    if len(number) >= 6:
        return int(number if len(number) == 8 else f"20{number}") >= _SCALED_DATE
    return (int(number), int(minor or 0)) >= _SCALED_RELEASE
