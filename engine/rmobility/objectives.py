"""The score tables of the four modes, which define the objective of the search (docs/objective.md).

An outcome is a record and its owner. Each mode orders all outcomes. A score is a gain in whole centipawns plus a
fraction of a centipawn, which falls as the goal code rises (``fine``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypedDict, Unpack

from standstill.cext.base.constants import (
    BAND_CP,
    BLACK,
    CODES,
    CP,
    FINE_LAST,
    FINE_STEP,
    FINE_TOP,
    MATE_CP,
    WHITE,
)
from standstill.cext.value.objective import Objective, RMobilityObjective, preset_record

LOST_BAND_CP = 13501  # Decisive: base score of losses by a missed komi, which are smaller than all others
# Points: the evaluation equivalent to stalemate. It follows from the Laplace curve of the relevance model with an
# assumed x05 of 0.62; the modes were measured with it. HALF_CP in engine/common/info.py is a different number: it is
# about wins.
STALEMATE_CP = 62

__all__ = ("Objective", "classic", "decisive", "points", "preset_record", "tiebreak")

Table = list[list[int]]  # [owner][code]


class ObjectiveRules(TypedDict, total=False):
    """Rules that every mode has.

    whole_game: captures and pawn moves do not reset the record.
    limit: a goal code; weaker goals do not count as records.
    fifty: "fide", "iccf", "record" (an improved record resets the 50-move counter) or "off".
    keep_trigger: the position that ends the game by the 50-move rule may set a record without mate or stalemate.
    """

    whole_game: bool
    limit: int | None
    fifty: str
    keep_trigger: bool


def classic() -> Objective:
    """Off: mate wins, everything else is a draw, and goals do not count."""
    return Objective()


def tiebreak(**rules: Unpack[ObjectiveRules]) -> RMobilityObjective:
    """Tiebreak: the result counts first, then the better record, which scores only in dead material and drawn lines."""
    limit = limit_of(rules)
    outcome = outcomes(lambda _: 0, limit)
    return build(outcome, fold_of(living=0, dead=limit), no_hold(), rules)


def points(**rules: Unpack[ObjectiveRules]) -> RMobilityObjective:
    """Points: a goal scores like the evaluation with the same expected result; stalemate scores ``STALEMATE_CP``.

    In living material, records worth less than a centipawn share their hash table entries. A record in force adds
    nothing to the evaluation, because a bonus lost more in games than it gained in draws (docs/lab/records.md).
    """
    limit = limit_of(rules)
    outcome = outcomes(points_cp, limit)
    living = min(limit, max(code for code in range(1, CODES) if points_cp(code)))
    return build(outcome, fold_of(living=living, dead=limit), no_hold(), rules)


def decisive(komi: str | None = None, **rules: Unpack[ObjectiveRules]) -> RMobilityObjective:
    """Decisive: the holder of the final record wins, or the side that the komi favours; only an exact hit is a draw.

    komi: None, or a text. "G3.75": White wins by holding a lower goal, else Black wins; "-G3.75": with swapped sides.
    Raises NotationError for any other text.
    """
    limit = limit_of(rules)
    outcome = outcomes(lambda code: BAND_CP - code, limit)
    if komi is not None:
        from .scoring import parse_komi  # imported here, because the module loads fractions and few games have a komi

        outcome = with_komi(outcome, *parse_komi(komi), limit)
    hold = [[hold_cp(code) * sign(score) for code, score in enumerate(row)] for row in outcome]
    return build(outcome, fold_of(living=limit, dead=limit), hold, rules)


# ---- outcomes ----


def fine(code: int) -> int:
    """Return the part of a score below a centipawn: positive, less than half a centipawn, larger for lower codes."""
    return FINE_TOP - FINE_STEP * min(code, FINE_LAST)


def outcomes(gain_cp: Callable[[int], int], limit: int) -> Table:
    """Return scores [owner][code] from White's point of view: the gain of the code plus ``fine``.

    Mate has the same score in all modes.
    """
    white = [MATE_CP * CP, *(gain_cp(code) * CP + fine(code) for code in range(1, CODES))]
    for code in range(limit + 1, CODES):
        white[code] = 0
    return [white, [-score for score in white]]


def points_cp(code: int) -> int:
    """Return the evaluation whose expected result on the Laplace curve is the goal's points, 1/2 + 1/2^(code + 1)."""
    return round(-STALEMATE_CP * math.log2(1 - 2.0**-code)) if code < 53 else 0


def with_komi(outcome: Table, quarters: int, side: int, limit: int) -> Table:
    """Turn goals that miss the komi into losses for the side that must reach it; an exact hit is a draw.

    Losses remain ordered: a weaker goal of the side with the komi scores worse, and goals of the other side score
    worst.
    """
    direction = 1 if side == WHITE else -1
    result = [list(row) for row in outcome]
    for code in range(1, CODES):
        if code > limit:  # a goal beyond the limit is no record, so the komi is missed
            result[WHITE][code] = result[BLACK][code] = -direction * (LOST_BAND_CP + CODES) * CP
        elif 2 * code == quarters:
            result[side][code] = 0
        elif 2 * code > quarters:
            result[side][code] = -direction * ((LOST_BAND_CP + code) * CP + fine(code))
    return result


# ---- the value of a record in the middle of a game ----


def hold_cp(code: int) -> int:
    """Return the bonus in centipawns, in Decisive, for a standing record of this code that lasts to the end.

    In 200 games of level endings at 3000 nodes a move against Off, 90.0 % of the records were held with 400 in the
    formula below, 78.5 % with 2000, 88.0 % with 150 and 86.5 % with 60 (+- 5 each). With a larger value the engine
    gives up pawns for the record.
    """
    return 400 // (code + 2)


def no_hold() -> Table:
    return [[0] * CODES, [0] * CODES]


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


# ---- filling in ----


def limit_of(rules: ObjectiveRules) -> int:
    limit = rules.get("limit")
    return CODES - 1 if limit is None else max(1, min(limit, CODES - 1))


def fold_of(living: int, dead: int) -> list[Table]:
    """Return group numbers [dead][owner][code]: each code up to ``living`` or ``dead`` has its own table entry."""

    def groups(last: int) -> Table:
        return [
            [1 + owner * CODES + code if 0 < code <= last else 0 for code in range(CODES)] for owner in (WHITE, BLACK)
        ]

    return [groups(living), groups(dead)]


def build(outcome: Table, fold: list[Table], hold: Table, rules: ObjectiveRules) -> RMobilityObjective:
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
