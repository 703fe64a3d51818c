"""Draws clock, bank and total over the moves of a game as an SVG picture."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from .control import ClockSide
from .units import DAY_MS

_WIDTH, _HEIGHT = 720, 300  # the size of one panel, in pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 96, 34, 40
# Colours that colour-blind people can distinguish (Okabe and Ito 2008), and dash patterns for prints without colour.
_SERIES = (("total", "#0072b2", ""), ("clock", "#d55e00", "6 3"), ("bank", "#009e73", "2 3"))
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Panel:
    """One player's game. points: pairs (moves made, state after them), starting with the initial state.

    flag: whether the player lost on time at the last point.
    """

    title: str
    points: list[tuple[int, ClockSide]]
    flag: bool = False


def plot(panels: list[Panel]) -> str:
    """Return an SVG document with the panels one below the other."""
    height = _HEIGHT * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"'
        f' viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate(0 {number * _HEIGHT})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel) -> list[str]:
    first = panel.points[0][0]
    moves = max(panel.points[-1][0] - first, 1)
    most = max(DAY_MS, *(side.total_ms for _, side in panel.points)) / DAY_MS

    def x(move: float) -> float:
        return _LEFT + (move - first) * (_WIDTH - _LEFT - _RIGHT) / moves

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM) / most

    parts = [f'<text x="{_LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>']
    for value in _ticks(most):
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
        )
    for value in _ticks(moves):
        parts.append(
            f'<text x="{x(first + value):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{first + value}</text>'
        )
    parts.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">moves made</text>')
    parts.append(f'<text x="10" y="{_TOP - 8}">days</text>')
    for at, (name, colour, dashes) in enumerate(_SERIES):
        values = [(move, getattr(side, f"{name}_ms") / DAY_MS) for move, side in panel.points]
        line = " ".join(f"{x(move):.1f},{y(value):.1f}" for move, value in values)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
            f'<text x="{_WIDTH - _RIGHT + 10}" y="{_TOP + 18 * at}" fill="{colour}">{name} {values[-1][1]:.1f}</text>'
        )
    if panel.flag:
        parts.append(f'<text x="{x(panel.points[-1][0]):.1f}" y="{y(0) - 6:.1f}" text-anchor="end">time ran out</text>')
    return parts


def _ticks(most: float) -> list[int]:
    """Return round values from 0 to ``most``, in at most ten steps."""
    size = 1
    while True:
        for step in _STEPS:
            if most / (step * size) <= 10:
                return list(range(0, int(most) + 1, step * size))
        size *= 10
