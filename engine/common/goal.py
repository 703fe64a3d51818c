"""Reads and writes R-Mobility goals as text."""

from standstill.cext.base.constants import BLACK, NO_GOAL, WHITE

from .errors import NotationError

STALEMATE = 1  # goal code
MOST_CODE = 2 * 9999 + 1  # a goal has at most four digits before its decimal point


def goal_text(code: int, owner: int = WHITE) -> str:
    """Return a goal as text: ``G1.5`` for White, ``-G1.5`` for Black. code: twice the goal number, or NO_GOAL for an
    empty text."""
    return "" if code == NO_GOAL else f"{'-' if owner == BLACK else ''}G{code // 2}.{5 * (code % 2)}"


def parse_goal(text: str) -> tuple[int, int]:
    """Parse a goal such as ``G1.5``, ``-G8.5`` or ``+g2``. Return ``(owner, code)``. Raises NotationError."""
    owner = BLACK if text[:1] in ("-", "\u2212", "\u2013") else WHITE
    digits = text[1:] if text[:1] in ("-", "\u2212", "\u2013", "+") else text
    whole, point, half = digits[1:].partition(".")
    if (
        digits[:1] in ("G", "g")
        and whole.isascii()
        and whole.isdigit()
        and len(whole) <= 4
        and (half in ("0", "5") if point else not half)
    ):
        return owner, 2 * int(whole) + (half == "5")
    raise NotationError(f"expected a goal such as G1.5 or -G8.5, found {text!a}")


def parse_record(text: str) -> tuple[int, int]:
    """Parse a record like ``parse_goal``, but refuse mate and stalemate, because both would have ended the game."""
    owner, code = parse_goal(text)
    if code <= STALEMATE:
        raise NotationError(f"expected a record that leaves the game open, found {goal_text(code, owner)}")
    return owner, code


def parse_weakest(text: str) -> int:
    """Return the code of a goal that applies to both sides and so has no minus sign. Raises NotationError."""
    owner, code = parse_goal(text)
    if owner == BLACK:
        raise NotationError(f"expected a goal for both sides such as {goal_text(code)}, found {text!a}")
    return code
