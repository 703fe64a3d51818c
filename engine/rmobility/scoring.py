"""Points for an R-Mobility result by four schemes and by komi, as exact fractions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from operator import index

from standstill.cext.base.constants import BLACK, WHITE

from ..common.errors import NotationError
from ..common.goal import goal_text
from ..common.text import shown
from .goals import MATE, Goal

HALF = Fraction(1, 2)
PLACES = 6  # decimal places in texts


def tcec(code: int) -> Fraction:
    """Return 1/2 + 1/2^(1 + 2G) for the achiever: 1 for mate, 3/4 for stalemate, 5/8 for G1.0."""
    return HALF + Fraction(1, 1 << code + 1)


def harmonic(code: int) -> Fraction:
    """Return 1/2 + 1/2 / (1 + 2G)."""
    return HALF + Fraction(1, 2 * (1 + code))


def classical(code: int) -> Fraction:
    """Return 1 for mate, 1/2 for everything else."""
    return Fraction(1) if code == MATE else HALF


def decisive(code: int) -> Fraction:
    """Return 1: the achiever wins."""
    return Fraction(1)


SCHEMES: dict[str, Callable[[int], Fraction]] = {
    "tcec": tcec,
    "harmonic": harmonic,
    "classical": classical,
    "decisive": decisive,
}


def points(code: int, scheme: str = "tcec") -> tuple[Fraction, Fraction]:
    """Return the shares of the point for the achiever of a goal and for the opponent; they sum to 1.

    code: twice the goal number, 0 for mate. scheme: a key of ``SCHEMES``.
    Raises ValueError for a negative code or an unknown scheme.
    """
    code = index(code)  # converted to int, because numpy's 8-bit integers would overflow in the powers
    if code < 0:
        raise ValueError(f"expected a goal code from 0, found {code}")
    if scheme not in SCHEMES:
        raise ValueError(f"expected a scheme {', '.join(SCHEMES)}, found {scheme!r}")
    share = SCHEMES[scheme](code)
    return share, 1 - share


def white_points(goal: Goal | None, scheme: str = "tcec") -> Fraction:
    """Return White's share of the point for this R-Mobility result; 1/2 if there is no result (over the board)."""
    if goal is None:
        return HALF
    achiever, opponent = points(goal.code, scheme)
    return achiever if goal.owner == WHITE else opponent


def parse_komi(text: str) -> tuple[int, int]:
    """Return (four times the komi, the side that must reach it): (15, WHITE) for "G3.75", (15, BLACK) for "-G3.75".

    Raises NotationError if the text is not a komi in quarter steps.
    """
    found = re.fullmatch(r"\s*([-+\u2212\u2013]?)[Gg](\d{1,3})(?:\.(0|00|25|5|50|75))?\s*", text)
    if found is None:
        raise NotationError(f"expected a komi like G3.75 or -G3.75, found {shown(text)}")
    sign, whole, fraction = found.groups()
    quarters = 4 * int(whole) + {"2": 1, "5": 2, "7": 3}.get((fraction or "0")[0], 0)
    return quarters, BLACK if sign not in ("", "+") else WHITE


def komi_text(quarters: int, side: int) -> str:
    """Return a komi in the form that ``parse_komi`` reads: ``G3.75``, ``-G3.5``."""
    return f"{'-' if side == BLACK else ''}G{quarters / 4:g}"


def komi_points(goal: Goal | None, quarters: int, side: int) -> Fraction:
    """Return White's point under a komi. ``side`` wins by holding a lower goal, draws on an exact hit, else loses.

    quarters, side: as ``parse_komi`` returns them. A goal never equals a komi that ends in .25 or .75.
    """
    reached = HALF
    if goal is None or goal.owner != side or 2 * goal.code > quarters:
        reached = Fraction(0)
    elif 2 * goal.code < quarters:
        reached = Fraction(1)
    return reached if side == WHITE else 1 - reached


@dataclass(frozen=True, slots=True)
class Terms:
    """How the record decides a drawn game.

    komi: a result of ``parse_komi``; None without a komi. cut_off: a goal code; this goal and all weaker
    goals are plain draws, also under a komi. None without a cut-off.
    """

    komi: tuple[int, int] | None = None
    cut_off: int | None = None

    def white(self, goal: Goal | None, scheme: str = "tcec") -> Fraction:
        """Return White's share of the point for this R-Mobility result. Without a komi the scheme decides."""
        if self.cut_off is not None and (goal is None or goal.code >= self.cut_off):
            return HALF
        return white_points(goal, scheme) if self.komi is None else komi_points(goal, *self.komi)

    def result(self, goal: Goal | None) -> str:
        """Return the result of a drawn game with this record: ``1-0`` or ``0-1`` if the komi decides it."""
        return _RESULTS[self.white(goal)] if self.komi is not None else _RESULTS[HALF]

    def decided(self, result: str, goal: Goal | None) -> str:
        """Return the result of a game with this record. If the game is drawn, the komi decides it."""
        return self.result(goal) if result == _RESULTS[HALF] and goal is not None else result

    def ending(self, reason: str, goal: Goal | None) -> str:
        """Return how a drawn game with this record ended, with the komi if it decides the game.

        Such as ``threefold repetition, komi G3.75``. reason: why the game was drawn, or "" if unknown.
        """
        if self.komi is None or self.result(goal) == _RESULTS[HALF]:
            return reason
        return ", ".join(filter(None, [reason, f"komi {komi_text(*self.komi)}"]))


_RESULTS = {Fraction(1): "1-0", HALF: "1/2-1/2", Fraction(0): "0-1"}


def sentence(used: Collection[Terms], scheme: str) -> str:
    """Return a sentence that says how the drawn games of an event count. used: the terms of its games."""
    if len(used) > 1:
        return f"Drawn games count by the komi and cut-off in their tags, otherwise by the scheme {scheme}."
    terms = next(iter(used), Terms())
    weak = "" if terms.cut_off is None else f"; {goal_text(terms.cut_off)} and weaker goals are plain draws"
    if terms.komi is None:
        return f"R-Mobility points by the scheme {scheme}{weak}."
    return f"Komi {komi_text(*terms.komi)} decides drawn games{weak}."


def komi_sentence(used: Collection[Terms], scheme: str) -> str:
    """Return ``sentence`` if a komi decides drawn games; otherwise ""."""
    return sentence(used, scheme) if any(terms.komi is not None for terms in used) else ""


def points_text(value: Fraction, places: int = PLACES) -> str:
    """Return points in decimals, rounded half to even: 0.507812 for 0.5078125."""
    units = round(value * 10**places)  # round() of a fraction rounds half to even
    whole, rest = divmod(abs(units), 10**places)
    return f"{'-' if units < 0 else ''}{whole}.{rest:0{places}}"
