"""R-Mobility: the side that came nearest to stalemating the other is ahead in a drawn game (docs/rmobility.md).

The rules as a Python API. Any board will do that has ``stm``, ``clock`` and ``goal()`` (``GameBoard``):

    goals = Goals(board)               # the record of a game, by the rules that are asked for
    goals.push(board)                  # after each move
    goals.record                       # a Goal: code, owner, ply; str() gives "-G8.5"
    settle(goals.record, ...)          # the result, wins that are not on the board included
    points(goal.code)                  # exact fractions for achiever and opponent
    komi_points(goal, *parse_komi("G3.75"))

Files of games: ``engine.rmobility.archive`` (scores) and ``engine.rmobility.tagging`` (writes the scores into them).
"""

from __future__ import annotations

# Imported when first asked for: the engine looks into this package before it plays, and needs none of these.
_HOMES = {
    "Goal": "goals",
    "GameBoard": "goals",
    "Goals": "goals",
    "settle": "goals",
    "SCHEMES": "scoring",
    "komi_points": "scoring",
    "parse_komi": "scoring",
    "points": "scoring",
    "points_text": "scoring",
    "white_points": "scoring",
    "Rules": "archive",
    "ScoredGame": "archive",
    "Scorer": "archive",
    "Outcome": "standings",
    "Standings": "standings",
    "outcome_of": "standings",
}

__all__ = tuple(_HOMES)


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
