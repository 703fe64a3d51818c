"""Draws the figures of docs/tables.md from the three-piece tables: `python tools/measure/pictures/tables.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "build" / "tree"), str(ROOT)]

from standstill.engine.common.goal import goal_text
from standstill.engine.tablebases.probing import Value
from standstill.engine.tablebases.store import SUPPLIED, TableStore
from tests.tablebases.claims import owners_under

OUT = ROOT / "docs" / "images"
WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 20, 44
COLOURS = {"KvK": "#555555", "KBvK": "#b5541c", "KNvK": "#1c5fb5"}
WIDTHS = {"KvK": 2.5, "KBvK": 6, "KNvK": 2.5}  # so that overlapping curves both stay visible
STYLE = "text{font:13px sans-serif;fill:#222}line,path{fill:none}.axis{stroke:#222}.grid{stroke:#ddd}"


def text(x: float, y: float, words: str, anchor: str = "middle", colour: str = "") -> str:
    fill = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{words}</text>'


def framed(parts: list[str], title: str) -> str:
    """Return an SVG on a white background, which can also be read on dark pages."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>{title}</title><style>{STYLE}</style>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            *parts,
            "</svg>\n",
        ]
    )


def grid(labels: list[str]) -> tuple[list[str], float]:
    """Draw the axes and a label below each column; return them with the width of a column."""
    step = (WIDTH - LEFT - RIGHT) / len(labels)
    parts = []
    for share in range(0, 101, 25):
        y = y_of(share / 100)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(text(LEFT - 6, y + 4, f"{share} %", "end"))
    parts += [text(LEFT + (at + 0.5) * step, HEIGHT - BOTTOM + 17, label) for at, label in enumerate(labels)]
    return parts, step


def y_of(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)


def records(store: TableStore) -> str:
    """Plot, against Black's record, the share of positions in which White, to move, ends with the record."""
    codes = range(2, 18)
    parts, step = grid([goal_text(code, 1).replace("-", "\N{MINUS SIGN}") if code % 2 else "" for code in codes])
    for name, colour in COLOURS.items():
        found = owners_under(store, name, 0)
        points = []
        for at, code in enumerate(codes):
            total, white = found[code, 1]
            y = y_of(white / total)
            points += [f"{LEFT + at * step:.1f} {y:.1f}", f"{LEFT + (at + 1) * step:.1f} {y:.1f}"]
        parts.append(f'<path d="M{" L".join(points)}" stroke="{colour}" stroke-width="{WIDTHS[name]}"/>')
    for name, x, share in (("KBvK", 0.01, 0.93), ("KNvK", 0.14, 0.5), ("KvK", 0.5, 0.24)):
        parts.append(text(LEFT + x * (WIDTH - LEFT - RIGHT), y_of(share), name, "start", COLOURS[name]))
    parts.append(text(WIDTH / 2, HEIGHT - 6, "Black's record when White is on move"))
    return framed(parts, "Share of positions in which White ends with the record")


def outcomes(store: TableStore) -> str:
    """Plot the outcomes directly after a reset as stacked columns, with White's best at the bottom."""
    names = ["KQvK", "KRvK", "KPvK", "KBvK", "KNvK", "KvK"]
    parts, step = grid(["White", "Black"] * len(names))
    for at, name in enumerate(names):
        parts.append(text(LEFT + (2 * at + 1) * step, HEIGHT - BOTTOM + 36, name))
    at = 0
    for name in names:
        for stm in ("0", "1"):
            counts = store.statistics(name)[stm]
            total, below = sum(count for count, _ in counts.values()), 0
            for value in sorted(counts, key=int, reverse=True):
                count = counts[value][0]
                top, bottom = y_of((below + count) / total), y_of(below / total)
                below += count
                x = LEFT + at * step + 4
                parts.append(
                    f'<rect x="{x:.1f}" y="{top:.1f}" width="{step - 8:.1f}" height="{bottom - top:.2f}" '
                    f'fill="{shade(int(value))}"><title>{Value(int(value), 0).text}: {count}</title></rect>'
                )
                if bottom - top > 14:
                    colour = "#fff" if abs(int(value)) > 122 else "#222"
                    words = Value(int(value), 0).text
                    parts.append(text(x + step / 2 - 4, (top + bottom) / 2 + 4, words, "middle", colour))
            at += 1
    return framed(parts, "Outcomes right after a reset")


def shade(outcome: int) -> str:
    """Return the colour of an outcome: White's are green, Black's violet, and lower goals are darker."""
    code = 127 - abs(outcome)
    light = min(88, 28 + 7 * code // 2)
    return f"hsl({150 if outcome > 0 else 270},45%,{light}%)"


def main() -> None:
    store = TableStore(SUPPLIED)
    OUT.joinpath("tables-records.svg").write_text(records(store), encoding="utf-8")
    OUT.joinpath("tables-outcomes.svg").write_text(outcomes(store), encoding="utf-8")


if __name__ == "__main__":
    main()
