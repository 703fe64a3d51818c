"""Positions of random games with rules beyond Fairy-Max's format, compared with Fairy-Stockfish's library.

    .venv/bin/python tests/measure/beside/laws.py [--positions N] [GAME ...]

Of every position moves, check, result, goal and FEN in both directions are compared (``compare`` of
tests/variants/test_laws.py). Prints a row for each game; the first difference ends the run with the position.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import pyffish

from tests.variants.test_laws import SHARED, compare

PLIES = 200


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(SHARED)}")
    parser.add_argument("--positions", type=int, default=25_000, help="of each game; default %(default)s")
    arguments = parser.parse_args()
    if unknown := set(arguments.games) - set(SHARED):
        parser.error(f"expected games among {', '.join(SHARED)}, found {', '.join(sorted(unknown))}")
    for name in arguments.games or SHARED:
        positions = games = 0
        while positions < arguments.positions:
            positions += compare(name, pyffish.start_fen(name), PLIES, random.Random(games))
            games += 1
        print(f"| {name} | {games:,} | {positions:,} | 0 |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
