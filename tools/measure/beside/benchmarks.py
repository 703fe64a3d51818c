"""`make benchmarks`: every section of `make bench-peers` in one run, written into docs/benchmarks.

    .venv/bin/python tools/measure/beside/benchmarks.py [--quick] [--out DIR] [SECTION ...]

Writes figures.json (all samples), index.md (tables) and a plot of the ratios as soon as a section is finished. A
section that was not or could not be measured keeps the figures of its last run and names that run. A test compares the
figures that other pages quote with figures.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]  # a script only has its own folder on sys.path

from standstill.engine.common.atomic_files import write_whole
from tools.measure.beside import peers
from tools.measure.beside.client import peer, run_to_end
from tools.measure.beside.report import Unmeasurable, as_json, short

OUT = ROOT / "docs" / "benchmarks"
REPEATS = 3
QUICK = ("work",)

WIDTH, LEFT, RIGHT, LINE = 720, 290, 60, 24  # dimensions of a plot, in pixels


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    names = options.sections or (QUICK if options.quick else tuple(peers.SECTIONS))
    versions = _versions()
    broken = []
    for name in names:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        machine = peers.machine() | {"versions": versions}
        machine["build"] = machine["build"].replace(f"{ROOT}/", "")  # keep local paths out of the page
        section = as_json(peers.measured(name, 1 if options.quick else options.repeats))
        if section["rows"]:
            write(with_section(last_run(options.out), section | {"machine": machine}), options.out)
        else:
            broken += [f"{name}: {gap['why']}" for gap in section["gaps"]]
    if broken:
        print(f"benchmarks: could not be measured: {'; '.join(broken)}", file=sys.stderr)
        return 2
    return 0


def last_run(out: Path) -> dict[str, Any]:
    """Return the figures measured so far."""
    try:
        run: dict[str, Any] = json.loads((out / "figures.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        run = {"sections": []}
    return run


def with_section(run: dict[str, Any], section: dict[str, Any]) -> dict[str, Any]:
    """Return the run with this section in place of its older version, in the order of the sections."""
    found = {one["name"]: one for one in run["sections"]} | {section["name"]: section}
    return {"sections": [found[name] for name in peers.SECTIONS if name in found]}


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measures all, and writes a page of it.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(peers.SECTIONS))
    parser.add_argument("--quick", action="store_true", help=f"once, and only {', '.join(QUICK)}")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"samples of each figure ({REPEATS})")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help="where to write (docs/benchmarks)")
    options = parser.parse_args(arguments)
    for name in options.sections:
        if name not in peers.SECTIONS:
            parser.error(f"no section {name!r}; there are {', '.join(peers.SECTIONS)}")
    if options.repeats < 1:
        parser.error(f"at least one repeat, not {options.repeats}")
    return options


def _versions() -> str:
    """Return the names and versions of the installed peer programs."""
    import chess

    found = [f"python-chess {chess.__version__}"]
    for name in ("stockfish", "fairy-stockfish"):
        try:
            text, _ = run_to_end(peer(name), told="uci\nquit\n")
        except (Unmeasurable, OSError):
            continue
        found += [line.removeprefix("id name ") for line in text.splitlines() if line.startswith("id name ")]
    return ", ".join(found)


def write(run: dict[str, Any], out: Path) -> None:
    """Write a run in its three forms. `figures.json` comes last, because the next run continues from it."""
    out.mkdir(parents=True, exist_ok=True)
    for section in run["sections"]:
        drawing = plot(section)
        if drawing:
            write_whole(str(out / f"{section['name']}.svg"), drawing)
    write_whole(str(out / "index.md"), page(run))
    write_whole(str(out / "figures.json"), json.dumps(run, indent=1) + "\n")


def page(run: dict[str, Any]) -> str:
    """Return the run as Markdown."""
    machines = [section["machine"] for section in run["sections"]]
    shared = [pair for pair in machines[0].items() if all(pair in machine.items() for machine in machines)]
    parts = [
        "# Benchmarks",
        "The figures of `make benchmarks`, which writes this page section by section.\n"
        "[Measurements](../measurements.md) says what is measured, and how. A figure is a median, with the range of "
        "its\nsamples. Trust ratios more than figures, and waiting times (milliseconds) only where the load is lower "
        "than the\nnumber of cores.",
        _rows([("", ""), *shared]),
    ]
    for section in run["sections"]:
        own = [f"{name} {value}" for name, value in section["machine"].items() if (name, value) not in shared]
        parts += [f"## {section['title'][0].upper()}{section['title'][1:]}", f"{section['method']}."]
        parts += [f"Measured: {', '.join(own)}."] if own else []
        lines = [("what", "unit", "ours", "peer", "peer's", "ratio")]
        lines += [_cells(row) for row in section["rows"]]
        parts.append(_rows(lines))
        if any(row["ratio"] for row in section["rows"]):
            parts.append(f"![ratios, ours / peer's]({section['name']}.svg)")
        parts += [f"Not measured: {gap['what']} ({gap['why']})." for gap in section["gaps"]]
    return "\n\n".join(parts) + "\n"


def _rows(lines: list[tuple[str, ...]]) -> str:
    rule = ("---",) * len(lines[0])
    return "\n".join(
        f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in [lines[0], rule, *lines[1:]]
    )


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    return (
        row["what"],
        row["unit"],
        _spread(row["ours_samples"], row["ours"]),
        row["peer_name"],
        "" if row["peer"] is None else _spread(row["peer_samples"], row["peer"]),
        ratio,
    )


def _spread(samples: list[float], median: float) -> str:
    if len(samples) < 2:
        return short(median)
    return f"{short(median)} ({short(min(samples))} to {short(max(samples))})"


def plot(section: dict[str, Any]) -> str:
    """Return an SVG with the ratios ours / peer's as bars from 1, on a logarithmic scale; empty without ratios."""
    rows = [row for row in section["rows"] if row["ratio"]]
    if not rows:
        return ""
    logs = [math.log10(row["ratio"]) for row in rows]
    low, high = min(0.0, *logs), max(0.1, *logs)
    scale = (WIDTH - LEFT - RIGHT) / (high - low)
    one = LEFT - low * scale
    height = LINE * len(rows) + 10
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        ' font-family="sans-serif" font-size="12">',
        f"<title>{escape(section['title'])}: ours / peer's</title>",
    ]
    for at, (row, log) in enumerate(zip(rows, logs, strict=True)):
        top = 5 + LINE * at
        begin, length = min(one, one + log * scale), abs(log * scale)
        text += [
            f'<text x="{LEFT - 8}" y="{top + 15}" text-anchor="end">{escape(row["what"])}</text>',
            f'<rect x="{begin:.1f}" y="{top + 3}" width="{length:.1f}" height="{LINE - 8}" fill="#2a9d8f"/>',
            f'<text x="{begin + length + 5:.1f}" y="{top + 15}">{row["ratio"]:.2f}</text>',
        ]
    text += [f'<path d="M{one:.1f} 0V{height}" stroke="#333"/>', "</svg>"]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
