"""Builds the zip and the wheel for Windows on Debian, into dist: ``make windows``.

``--quick`` compiles one level without much optimization, starts it under Wine and packs nothing: ``make try-windows``.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ..building.flags import X86_LEVELS
from ..building.refusal import failing_in_one_line
from . import wine
from .core import build
from .interpreter import provided
from .needs import COMPILING, RUNNING, ensure, wanting
from .pack import lay_out, packed, whole
from .wheel import wheel

WORK = Path("build/windows")
DIST = Path("dist")


def check(root: Path) -> None:
    """Exit with a message unless the program answers under Wine and searches the same tree as on Linux."""
    settings = wine.environment(WORK / "wine")
    status, said = wine.run(root / "standstill.exe", [], "uci\nquit\n", settings=settings)
    if status or "uciok" not in said.split():
        sys.exit(f"standstill.exe under Wine: expected uciok, found status {status} and {said[-500:]!r}")
    status, said = wine.run(root / "standstill.exe", ["bench"], settings=settings)
    if f"Nodes searched: {wine.NODES}" not in said:
        sys.exit(f"standstill.exe bench under Wine: expected {wine.NODES} nodes, found {said[-500:]!r}")
    print(f"standstill.exe says uciok, and bench searches {wine.NODES} nodes")


def positive(word: str) -> int:
    """Return the number of an argument that must be at least 1."""
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, found {word!r}")
    return int(word)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.windows", description=__doc__)
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="modules to compile at a time")
    parser.add_argument(
        "--levels", nargs="+", choices=list(X86_LEVELS), default=list(X86_LEVELS), help="processor levels; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="only check that the program builds and starts")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    if not arguments.quick:
        ensure(COMPILING)
        python = provided(WORK)
        program = whole(build(python, WORK, arguments.jobs, arguments.levels))
        packed(lay_out(python, program, WORK), DIST)
        wheel(program, WORK, DIST)
        return
    if lacking := wanting(COMPILING | RUNNING):
        print(f"skipped: {lacking}")
        return
    python = provided(WORK)
    work = WORK / "quick"
    work.mkdir(exist_ok=True)
    check(lay_out(python, whole(build(python, work, arguments.jobs, ["portable"], ["-O1"])), work))


if __name__ == "__main__":
    with failing_in_one_line("windows"):
        main()
