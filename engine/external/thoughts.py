"""Parses depth and score of an engine's thinking output, into the form of cutechess's PGN comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_POST = re.compile(r"\s*(?P<depth>\d{1,4})\S?\s+(?P<score>[+-]?\d{1,7})\s+\d+\s+\d+(?:\s|$)", re.ASCII)
_BOUND = ("?", "!")  # these mark a bound at the end of a line, in XBoard's protocol
_XBOARD_MATE = 100_000  # scores above this are mates; the excess is the number of moves


@dataclass(frozen=True, slots=True)
class Thought:
    """depth: in plies. score: from the engine's point of view: ``+0.31``, ``0.00`` or, counted in plies, ``-M4``."""

    depth: int
    score: str

    def __str__(self) -> str:
        return f"{self.score}/{self.depth}"


def uci_thought(line: str) -> Thought | None:
    """Parse an ``info`` line. Return None without an exact score and for a MultiPV line after the first."""
    if not line.startswith("info"):
        return None
    words = line.partition(" pv ")[0].split()  # the moves are cut off to save time
    if words[0] != "info":
        return None
    for end in ("string", "pv"):
        words = words[: words.index(end)] if end in words else words
    values = dict(pairwise(words))
    if "lowerbound" in words or "upperbound" in words or values.get("multipv", "1") != "1" or "score" not in words:
        return None
    kind, value = [*words[words.index("score") + 1 :], "", ""][:2]
    if not re.fullmatch(r"[+-]?\d{1,7}", value, re.ASCII) or not re.fullmatch(r"\d{1,4}", values.get("depth", "")):
        return None
    if kind == "mate":
        return Thought(int(values["depth"]), _mate(int(value)))
    return Thought(int(values["depth"]), _pawns(int(value))) if kind == "cp" else None


def xboard_thought(line: str) -> Thought | None:
    """Parse a line with ply, score, time and nodes; None for other lines and for bounds."""
    found = _POST.match(line)
    if found is None or line.rstrip().endswith(_BOUND):
        return None
    score = int(found["score"])
    mate = abs(score) - _XBOARD_MATE
    text = _mate(mate if score > 0 else -mate) if mate >= 0 else _pawns(score)
    return Thought(int(found["depth"]), text)


def _pawns(cp: int) -> str:
    return f"{cp / 100:+.2f}" if cp else "0.00"


def _mate(moves: int) -> str:
    """Write a mate in plies, as cutechess does. The mating side makes the last ply."""
    return f"+M{2 * moves - 1}" if moves > 0 else f"-M{-2 * moves}"
