"""Words about goals and records for people."""

from __future__ import annotations

from ..common.text import plural


def beaten_by(code: int) -> str:
    """The number of moves that a side has to leave its opponent to beat a goal with this code."""
    quiet, checked = (code - 2) // 2, (code - 1) // 2
    if code <= 1:
        return "only mate is lower" if code else "nothing is lower"
    if quiet == checked:
        return f"leave {_at_most(quiet)}" if quiet else "stalemate or mate"
    if not quiet:
        return "stalemate, mate, or 1 move with check"
    return f"leave {_at_most(quiet)}, or {checked} with check"


def _at_most(moves: int) -> str:
    return f"{moves} {plural(moves, 'move')} or fewer"
