"""The values of a variant's pieces as one HTML file: intervals, and the scores of the imbalances behind them."""

from __future__ import annotations

from ...common.text import visible
from ...match.values import Values, Worth, words_of
from .report import report_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...variants.variant import Variant

_WIDTH, _ROW = 400, 26  # width of the drawing, and height of a row
_RIGHT, _TOP, _BOTTOM = 12, 6, 20
_LETTER = 10  # width of a letter on a narrow screen, where letters are drawn larger
_STEPS = (50, 100, 200, 250, 500, 1000, 2000, 5000)  # possible distances between lines of the scale, in centipawns
_MOST_LINES = 7


def values_page(game: Variant, found: Values, order: Sequence[str], limit: str) -> str:
    """The page.

    order: the kinds in the order that ``words_of`` needs. limit: the engine's limit for a move, in words.
    """
    return report_page(
        "values",
        game,
        limit,
        title=f"Values of {visible(game.name)}",
        games=found.games,
        results=found.results,
        pawn=found.pawn,
        unit=found.unit,
        pawn_score=f"{100 * found.pawn_score:.0f} %",
        plot=_plot(found.worths),
        pieces=[
            (
                each.label,
                "?" if each.value is None else f"{each.value:.0f}",
                "" if each.error is None else f"± {each.error:.0f}",
                each.stated,
                each.games,
                each.doubts,
            )
            for each in found.worths
        ],
        trials=[
            (
                words_of(trial.imbalance, order),
                trial.results,
                f"{100 * trial.score:.1f} %",
                f"{100 * trial.expected:.1f} %",
                trial.contradicts,
            )
            for trial in found.trials
        ],
    )


def _plot(worths: Sequence[Worth]) -> dict[str, object]:
    """Return the marks of the drawing, in its units: for each piece its interval, its value and its stated value."""
    ends = [each.stated if each.value is None else each.value + (each.error or 0) for each in worths]
    top = max(100.0, *ends, *(float(each.stated) for each in worths)) * 1.03
    # A value without enough games may have an interval of any length.
    top = min(top, 2.5 * max(100, *(each.stated for each in worths)))
    left = 20 + _LETTER * max(len(each.label) for each in worths)
    step = next((each for each in _STEPS if top / each <= _MOST_LINES), _STEPS[-1])

    def across(centipawns: float) -> float:
        return round(left + (_WIDTH - left - _RIGHT) * min(1.0, max(0.0, centipawns / top)), 1)

    rows = []
    for at, each in enumerate(worths):
        y = _TOP + _ROW * at + _ROW / 2
        known = None
        if each.value is not None and each.error is not None:
            low, high = across(each.value - each.error), across(each.value + each.error)
            known = (low, round(high - low, 1), across(each.value))
        rows.append((each.label, y, known, across(each.stated)))
    return {
        "width": _WIDTH,
        "height": _TOP + _ROW * len(worths) + _BOTTOM,
        "left": left,
        "floor": _TOP + _ROW * len(worths),
        "rows": rows,
        "grid": [(across(mark), mark) for mark in range(0, int(top) + 1, step)],
    }
