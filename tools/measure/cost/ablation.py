"""The value of each search technique: nodes of ``standstill bench`` with the technique switched off.

    python tools/measure/cost/ablation.py [DEPTH] [--only NAME ...] [--markdown]

Nodes to a fixed depth show how much of the tree a technique saves, not its strength: an extension costs nodes on
purpose. docs/search.md has the latest table.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.cext.bindings.pool import techniques, use
from standstill.engine.play.bench import run


def nodes(depth: int) -> int:
    return run(depth, lambda line: None).nodes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("depth", type=int, nargs="?", default=10)
    parser.add_argument(
        "--only", nargs="+", choices=techniques(), metavar="NAME", help="switch off only these techniques"
    )
    parser.add_argument("--markdown", action="store_true", help="print rows of a Markdown table")
    arguments = parser.parse_args()
    full = nodes(arguments.depth)
    row = "| {:<22} | {:>12,} | {:>6.2f} |" if arguments.markdown else "{:<22} {:>12,} {:>6.2f}"
    print(row.format("all on", full, 1.0), flush=True)
    for name in arguments.only or techniques():
        use(**{name: False})
        print(row.format(name, without := nodes(arguments.depth), without / full), flush=True)
        use(**{name: True})
    return 0


if __name__ == "__main__":
    sys.exit(main())
