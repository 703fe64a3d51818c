"""The tables of the four modes: what the search plays for (docs/objective.md).

An outcome is a record and its owner. All outcomes of a mode are ordered without ties, and one formula makes the scores:
a gain in whole centipawns, and below the centipawn a fraction that falls with the goal code (``fine``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypedDict, Unpack

from cext.objective import Objective, RMobilityObjective, preset_record

from ..notation import BLACK, WHITE

CP = 1 << 16  # internal units of a centipawn
CODES = 512  # goal codes told apart
MATE_CP = 16000
BAND_CP = 15000  # Decisive: a goal code k is a band of its own, BAND_CP - k
LOST_BAND_CP = 13501  # Decisive with komi: the holder's loss, by goal code, below all that the other side holds
FINE_TOP, FINE_STEP, FINE_LAST = 32000, 64, 499

HALF_CP = 62  # evaluation at which half the games are won and the rest drawn: a guess until measured

__all__ = ("classic", "decisive", "points", "preset_record", "tiebreak")

Table = list[list[int]]  # [owner][code]


class Rules(TypedDict, total=False):
    """Rules every mode has.

    whole_game: captures and pawn moves reset nothing.
    limit: goal code; weaker goals are no records.
    fifty: "fide", "iccf", "record" (an improved record zeroes the 50-move counter) or "off".
    keep_trigger: the position that ends the game by the 50-move rule may set a record without mate or stalemate.
    """

    whole_game: bool
    limit: int | None
    fifty: str
    keep_trigger: bool


def classic() -> Objective:
    """Off: mate wins, everything else is a draw, and nobody counts."""
    return Objective()


def tiebreak(**rules: Unpack[Rules]) -> RMobilityObjective:
    """Win, draw, loss first; among draws the better record. Only dead material and draws on the path are counted."""
    limit = limit_of(rules)
    outcome = outcomes(lambda _: 0, limit)
    return build(outcome, fold_of(living=0, dead=limit), no_hold(), rules)


def points(**rules: Unpack[Rules]) -> RMobilityObjective:
    """Expected points: a goal is worth what an evaluation of the same expectation is, stalemate ``HALF_CP``.

    Records that are worth less than a centipawn share their table entries while the material lives.
    """
    limit = limit_of(rules)
    outcome = outcomes(points_cp, limit)
    living = min(limit, max(code for code in range(1, CODES) if points_cp(code)))
    hold = [[round_to_zero(score) for score in row] for row in outcome]
    hold[WHITE][0] = hold[BLACK][0] = 0
    return build(outcome, fold_of(living=living, dead=limit), hold, rules)


def decisive(komi: str | None = None, **rules: Unpack[Rules]) -> RMobilityObjective:
    """The holder of the final record wins, or with komi whoever the komi says; there are no draws but an exact hit.

    komi: None, or like "G3.75": White wins with a goal of his below it, Black with anything else; "-G3.75" is the
    same for Black. Raises NotationError if it is neither.
    """
    limit = limit_of(rules)
    outcome = outcomes(lambda code: BAND_CP - code, limit)
    if komi is not None:
        from .scoring import parse_komi  # fractions are imported with it, and few play with komi

        outcome = with_komi(outcome, *parse_komi(komi), limit)
    hold = [[hold_cp(code) * sign(score) for code, score in enumerate(row)] for row in outcome]
    return build(outcome, fold_of(living=limit, dead=limit), hold, rules)


# ---- outcomes ----


def fine(code: int) -> int:
    """The part of a score below the centipawn: positive, under half a centipawn, better for lower codes."""
    return FINE_TOP - FINE_STEP * min(code, FINE_LAST)


def outcomes(gain_cp: Callable[[int], int], limit: int) -> Table:
    """Scores [owner][code], White's view: the gain of the code, below it ``fine``; mate is the same everywhere."""
    white = [MATE_CP * CP, *(gain_cp(code) * CP + fine(code) for code in range(1, CODES))]
    for code in range(limit + 1, CODES):
        white[code] = 0
    return [white, [-score for score in white]]


def points_cp(code: int) -> int:
    """Evaluation with the expected result of the points for a goal: 1/2 + 1/2^(code + 1), through the Laplace curve."""
    return round(-HALF_CP * math.log2(1 - 2.0**-code)) if code < 53 else 0


def with_komi(outcome: Table, quarters: int, side: int, limit: int) -> Table:
    """Turn what does not reach the komi into a loss of the side that has to; an exact hit is a draw.

    Order is kept: weaker goals of that side lose by more, and the other side's own goals win by more still.
    """
    direction = 1 if side == WHITE else -1
    result = [list(row) for row in outcome]
    for code in range(1, CODES):
        if code > limit:  # no record at all: not reached either
            result[WHITE][code] = result[BLACK][code] = -direction * (LOST_BAND_CP + CODES) * CP
        elif 2 * code == quarters:
            result[side][code] = 0
        elif 2 * code > quarters:
            result[side][code] = -direction * ((LOST_BAND_CP + code) * CP + fine(code))
    return result


# ---- what a standing record is worth in the middle of a game ----


def hold_cp(code: int) -> int:
    """Decisive: centipawns for holding a record of this code, if it lasts.

    In 200 games of level endings at 3000 nodes a move, each against Off, records were held in 78.5 % with 2000, 90.0 %
    with 400, 88.0 % with 150, 86.5 % with 60 (+- 5 each): more is paid for with pawns.
    """
    return 400 // (code + 2)


def no_hold() -> Table:
    return [[0] * CODES, [0] * CODES]


def round_to_zero(score: int) -> int:
    """Whole centipawns of a score, its fraction dropped."""
    return abs(score) // CP * sign(score)


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


# ---- filling in ----


def limit_of(rules: Rules) -> int:
    limit = rules.get("limit")
    return CODES - 1 if limit is None else max(1, min(limit, CODES - 1))


def fold_of(living: int, dead: int) -> list[Table]:
    """Group numbers [dead][owner][code]: each code up to ``living`` or ``dead`` has a table entry of its own."""

    def groups(last: int) -> Table:
        return [
            [1 + owner * CODES + code if 0 < code <= last else 0 for code in range(CODES)] for owner in (WHITE, BLACK)
        ]

    return [groups(living), groups(dead)]


def build(outcome: Table, fold: list[Table], hold: Table, rules: Rules) -> RMobilityObjective:
    fifty = rules.get("fifty", "fide")
    if fifty not in ("fide", "iccf", "record", "off"):
        raise ValueError(f"expected a 50-move rule fide, iccf, record or off, found {fifty!r}")
    objective = RMobilityObjective()
    objective.fill(
        outcome,
        fold,
        whole_game=rules.get("whole_game", False),
        keep_trigger=rules.get("keep_trigger", False) or fifty == "record",
        record_zeroes_clock=fifty == "record",
        limit=limit_of(rules),
    )
    objective.fill_hold(hold)
    return objective
