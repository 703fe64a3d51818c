"""Draws curves as SVG: the expected result with the bands of its symbols, and R-Mobility goals with their record.

The page's style sheet sets the colours by class. No information depends on colour alone: bands carry their symbols,
and the goals of the two sides have different strokes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from standstill.cext.base.constants import NO_GOAL

from ..relevance import nags
from ..relevance.model import BLACK_BETTER, POSITION_SCHEMES, WHITE_BETTER
from .verdicts import Verdict

WIDTH = 640
_HEIGHT = 220
_GOAL_HEIGHT = 130
_LEFT, _RIGHT, _TOP, _BOTTOM = 30, 44, 8, 18  # margins in pixels
_LEAST_BAND = 9  # height in pixels that the symbol of a band needs
_MARKED = (3, 4, 2, 1)  # NAGs of the move symbols that the curve shows


@dataclass(frozen=True, slots=True)
class Scale:
    """The horizontal axis of a game: one step for each ply. shown: the ply at which the cursor is."""

    plies: int
    first_number: int = 1
    black_first: bool = False
    shown: int = 0

    def x(self, ply: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * ply / max(1, self.plies)

    def numbers(self, height: int) -> str:
        """Return the numbers of full moves along the bottom, at round intervals, each where its move was completed."""
        sizes = (factor * 10**power for power in count() for factor in (1, 2, 5))
        distance = next(size for size in sizes if size >= 5 and self.plies / 2 / size <= 12)
        parts = []
        for ply in range(1, self.plies + 1):
            number, of_white = divmod(ply - 1 + self.black_first, 2)
            number += self.first_number
            if of_white and number % distance == 0:
                parts.append(_text("number", self.x(ply), height - 5, str(number)))
        return "".join(parts)

    def cursor(self, height: int) -> str:
        """Return the marker of the current move, which the script moves."""
        at = f"translate({self.x(self.shown):.1f} 0)"
        return f'<path class="cursor" d="M0 {_TOP}V{height - _BOTTOM}" transform="{at}"/>'


def result_chart(verdicts: Sequence[Verdict], scheme: str | None, scale: Scale) -> str:
    """Return a chart of White's expected result after each move, with 0 at the bottom and 1 at the top.

    If a move has a symbol, a stroke connects its evaluation with the evaluation of the move to which it was compared.
    """
    height = _HEIGHT - _TOP - _BOTTOM

    def y(p: float) -> float:
        return _TOP + (1 - p) * height

    parts = [_open(_HEIGHT, "Expected result of White after each move"), *_bands(scheme, y)]
    for p, label in ((1, "1"), (0.5, "\u00bd"), (0, "0")):
        parts.append(_text("scale", _LEFT - 5, y(p) + 4, label))
    for ply, verdict in enumerate(verdicts, 1):
        if verdict.move_nag and verdict.expected is not None and verdict.expected_else is not None:
            ends = f"V{y(verdict.expected):.1f}"
            parts.append(f'<path class="gap" d="M{scale.x(ply):.1f} {y(verdict.expected_else):.1f}{ends}"/>')
    points = [(ply, verdict.expected) for ply, verdict in enumerate(verdicts, 1) if verdict.expected is not None]
    for run in _runs(points):
        drawn = " ".join(f"{scale.x(ply):.1f},{y(p):.1f}" for ply, p in run)
        parts.append(f'<polyline class="curve" points="{drawn}"/>')
    for ply, p in points:
        nag = verdicts[ply - 1].move_nag
        if nag in _MARKED:
            above = y(p) - 5 if p < 0.93 else y(p) + 13
            parts.append(_text("mark", scale.x(ply), above, nags.text(nag)))
    parts += [scale.numbers(_HEIGHT), scale.cursor(_HEIGHT)]
    return "".join(parts) + "</svg>"


def _bands(scheme: str | None, y: Callable[[float], float]) -> Iterator[str]:
    """Yield the bands of the symbols with their names. There are no bands if positions get no symbols."""
    for low, high, nag in bands(scheme) if scheme else []:
        top, bottom = y(high), y(low)
        yield (
            f'<rect class="band b{nag}" x="{_LEFT}" y="{top:.1f}" width="{WIDTH - _LEFT - _RIGHT}"'
            f' height="{bottom - top:.1f}"/>'
        )
        if low > 0:
            yield _line("edge", bottom)
        if bottom - top >= _LEAST_BAND:
            yield _band_name(nag, (top + bottom) / 2)


def goal_chart(codes: list[int], records: list[int], scale: Scale) -> str:
    """Return a chart of both sides' goals after each move, and of the record. codes: NO_GOAL for a null move."""
    height = _GOAL_HEIGHT - _TOP - _BOTTOM
    known = [code for code in codes if code != NO_GOAL]
    highest = max([*known, 20])

    def y(code: int) -> float:
        return _TOP + (1 - code / highest) * height

    parts = [_open(_GOAL_HEIGHT, "R-Mobility goals after each move, and the record")]
    for goal in range(0, highest // 2 + 1, 20):
        parts.append(_line("edge", y(2 * goal)))
        parts.append(_text("scale", _LEFT - 5, y(2 * goal) + 4, str(goal)))
    for name, first in (("white", 1), ("black", 2)):
        start = first if not scale.black_first else 3 - first
        own = [(at, codes[at]) for at in range(start, len(codes), 2) if codes[at] != NO_GOAL]
        drawn = " ".join(f"{scale.x(at):.1f},{y(code):.1f}" for at, code in own)
        parts.append(f'<polyline class="goal {name}" points="{drawn}"/>')
    drawn = f"M{_LEFT} {y(records[0]):.1f}"
    for at, code in enumerate(records[1:], 1):
        if code != records[at - 1]:
            drawn += f"H{scale.x(at):.1f}V{y(code):.1f}"
    parts.append(f'<path class="record" d="{drawn}H{scale.x(len(records) - 1):.1f}"/>')
    parts += [scale.numbers(_GOAL_HEIGHT), scale.cursor(_GOAL_HEIGHT)]
    return "".join(parts) + "</svg>"


# Few fonts have the symbols for a slight advantage, so they are drawn: a plus above or below an equals sign.
NAG_DEFS = (
    '<symbol id="nag14" viewBox="0 0 10 12"><title>\u2a72</title>'
    '<path class="drawn" d="M5 .5v5M2.5 3h5M1 8h8M1 11h8"/></symbol>'
    '<symbol id="nag15" viewBox="0 0 10 12"><title>\u2a71</title>'
    '<path class="drawn" d="M5 6.5v5M2.5 9h5M1 1h8M1 4h8"/></symbol>'
)
_DRAWN = (14, 15)


def nag_markup(nag: int) -> str:
    """Return the markup of a symbol, for a page that contains ``NAG_DEFS``.

    Few fonts have ⩲ and ⩱, so they are drawn. Invisible text beside the drawing serves captions and copied text;
    screen readers read the meaning.
    """
    if nag not in _DRAWN:
        return nags.text(nag)
    return (
        f'<b role="img" aria-label="{nags.meaning(nag)}"><svg class="nag"><use href="#nag{nag}"/></svg>'
        f"<i>{nags.text(nag)}</i></b>"
    )


def _band_name(nag: int, y: float) -> str:
    x = WIDTH - _RIGHT + 5
    if nag in _DRAWN:
        return f'<use href="#nag{nag}" x="{x}" y="{y - 6:.1f}" width="10" height="12"/>'
    return _text("name", x, y + 4, nags.text(nag))


def bands(scheme: str) -> list[tuple[float, float, int]]:
    """Return (lowest, highest expected result, symbol) for each band, Black's best first."""
    edges = [over / under for over, under in POSITION_SCHEMES[scheme]]
    outwards = list(zip(edges, [*edges[1:], 0.5], strict=True))
    black = [(0.5 - far, 0.5 - near, nag) for (near, far), nag in zip(outwards, BLACK_BETTER, strict=False)]
    white = [(0.5 + near, 0.5 + far, nag) for (near, far), nag in zip(outwards, WHITE_BETTER, strict=False)]
    return [*reversed(black), (0.5 - edges[0], 0.5 + edges[0], 10), *white]


def _open(height: int, label: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" data-left="{_LEFT}" data-right="{_RIGHT}"'
        f' role="img" aria-label="{label}">'
    )


def _line(name: str, y: float) -> str:
    return f'<path class="{name}" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>'


def _text(name: str, x: float, y: float, text: str) -> str:
    return f'<text class="{name}" x="{x:.1f}" y="{y:.1f}">{text}</text>'


def _runs(points: list[tuple[int, float]]) -> list[list[tuple[int, float]]]:
    """Group the points into unbroken curves. A gap of more than one move breaks a curve."""
    runs: list[list[tuple[int, float]]] = []
    for point in points:
        if runs and point[0] - runs[-1][-1][0] <= 2:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs
