"""Draw the curves of docs/relevance.md from the model: `python -P tools/measure/pictures/relevance_curves.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.relevance.model import BLACK_BETTER, WHITE_BETTER, result, sigmoid, weight
from standstill.engine.relevance.nags import ascii_text
from standstill.engine.web.bands import bands

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 36, 48, 10, 24
WIDEST = 4.0  # the axis ends at this evaluation, in x05, on either side
STEPS = 320


def x_of(x05s: float) -> float:
    return LEFT + (x05s + WIDEST) / (2 * WIDEST) * (WIDTH - LEFT - RIGHT)


def y_of(value: float) -> float:
    return TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)


def curve(function, style: str) -> str:
    """Draw a function of the evaluation in x05, with values from 0 to 1."""
    steps = (2 * WIDEST * at / STEPS - WIDEST for at in range(STEPS + 1))
    points = " ".join(f"{x_of(x):.1f},{y_of(function(x, 1.0)):.1f}" for x in steps)
    return f'<polyline fill="none" {style} points="{points}"/>'


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def frame(*parts: str) -> str:
    scale = [text(x_of(at), HEIGHT - 7, f"{at} x05" if at else "0") for at in range(-3, 4)]
    scale += [text(LEFT - 5, y_of(value) + 4, label, "end") for value, label in ((0, "0"), (0.5, "1/2"), (1, "1"))]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(parts)}{"".join(scale)}</svg>\n'
    )


def weight_curve() -> str:
    lines = [f'<path stroke="#bbb" d="M{x_of(at):.1f} {TOP}V{y_of(0):.1f}"/>' for at in (-1, 0, 1)]
    return frame(*lines, curve(weight, 'stroke="#111" stroke-width="2"'))


def result_curve() -> str:
    parts = []
    edges = [0.0, *bands("5/40"), 1.0]
    symbols = [*reversed(BLACK_BETTER), 10, *WHITE_BETTER]
    for low, high, nag in zip(edges, edges[1:], symbols, strict=True):
        strength = 0.08 if nag == 10 else 0.12 + 0.11 * ((nag - 14) // 2)
        colour = "#888" if nag == 10 else "#e3a008" if nag % 2 == 0 else "#3d5a99"
        top, bottom = y_of(high), y_of(low)
        parts.append(
            f'<rect x="{LEFT}" y="{top:.1f}" width="{WIDTH - LEFT - RIGHT}" height="{bottom - top:.1f}" fill="{colour}"'
            f' fill-opacity="{strength:.2f}"/>'
        )
        parts.append(text(WIDTH - RIGHT + 6, (top + bottom) / 2 + 4, ascii_text(nag), "start"))
    parts.append(curve(sigmoid, 'stroke="#b42318" stroke-width="1.2" stroke-dasharray="5 4"'))
    return frame(*parts, curve(result, 'stroke="#111" stroke-width="2"'))


if __name__ == "__main__":
    (ROOT / "docs/relevance-weight.svg").write_text(weight_curve(), encoding="ascii")
    (ROOT / "docs/relevance-result.svg").write_text(result_curve(), encoding="ascii")
