"""`make bench-peers`: our figures compared with those of other programs, in one run.

    .venv/bin/python tools/measure/beside/peers.py [--json] [--repeats N] [--build DIR] [SECTION ...]

Sections are perft, fairy, counter, start, speed, memory and work; the default is all. Missing programs are listed and
left out. A ratio is the median of the ratios of neighbouring samples. Trust ratios from one run
more than absolute figures from two runs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]  # a script only has its own folder on sys.path

from tools.measure.beside import client, counter, memory, perft, perft_fairy, speed, start, work
from tools.measure.beside.report import Gap, Section, as_json, table

SECTIONS: dict[str, Callable[[int], Section]] = {
    "perft": perft.measure,
    "fairy": perft_fairy.measure,
    "counter": counter.measure,
    "start": start.measure,
    "speed": speed.measure,
    "memory": memory.measure,
    "work": work.measure,
}
REPEATS = 9


def main() -> int:
    options = _options()
    if options.build:
        _use(options.build)
    here = machine()
    if not options.json:
        print("\n".join(f"{name}: {value}" for name, value in here.items()))
    sections = []
    for name in options.sections or SECTIONS:
        section = measured(name, options.repeats)
        sections.append(as_json(section))
        if not options.json:
            print("\n" + table(section), flush=True)
    if options.json:
        print(json.dumps({"machine": here, "sections": sections}, indent=1))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure our figures beside those of other programs.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"interleaved repeats ({REPEATS})")
    parser.add_argument("--build", type=Path, metavar="DIR", help="a build outside the tree, such as build/portable")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    options = parser.parse_args()
    for name in options.sections:
        if name not in SECTIONS:
            parser.error(f"no section {name!r}; there are {', '.join(SECTIONS)}")
    if options.repeats < 1:
        parser.error(f"at least one repeat, not {options.repeats}")
    return options


def _use(build: Path) -> None:
    """Measure a build outside the tree, with its packages in `lib` beside its launcher."""
    client.STANDSTILL = build.absolute() / "standstill"
    sys.path.insert(0, str(build.absolute() / "lib"))


def measured(name: str, repeats: int) -> Section:
    """Return the table of a section. An error in one section is shown in its place, and the other sections go on."""
    try:
        return SECTIONS[name](repeats)
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        return Section(name, "broken off", "", [Gap("everything", f"{type(error).__name__}: {error}")])


def machine() -> dict[str, str]:
    """Describe the machine on which the figures were measured."""
    git = ["git", "-C", str(ROOT)]
    commit = _output([*git, "rev-parse", "--short", "HEAD"])
    changed = _output([*git, "status", "--porcelain", "--untracked-files=no"])
    return {
        "build": _build(),
        "date": time.strftime("%Y-%m-%d %H:%M:%S"),
        "commit": (commit or "none") + (" with changes" if changed else ""),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _build() -> str:
    """Name the compiler of the modules and their instruction set."""
    try:
        from standstill.cext.chess import chess_board
    except ImportError as error:
        return f"none: {error}"
    return f"{Path(chess_board.__file__).parent} ({chess_board.SIMD_LEVEL})"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
