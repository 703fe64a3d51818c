"""Compares positions of random games, with rules beyond Fairy-Max's format, with Fairy-Stockfish.

    .venv/bin/python tools/measure/beside/laws.py [--positions N] [--engine COMMAND] [GAME ...]

The moves, check, result, goal and FEN (in both directions) of every position are compared (``compare`` of
tests/variants/test_laws.py). Prints a row for each game; the first difference ends the run with the position. Progress
goes to standard error: a line after the game in which ten more seconds of CPU time have passed.

The library (pyffish) prepares its tables in every call, which takes about 2 ms. With ``--engine``, a Fairy-Stockfish
engine is asked first. The library then only decides how games end, and decides positions where the engine disagrees
with us, because an older engine may have faults that have been fixed since. The last column counts the positions where
the engine was overruled. The forms of shogi and Janggi are always compared with the library alone, by
tests/variants/test_shogi.py and test_janggi.py.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import pyffish

from tests.variants import test_janggi, test_shogi
from tests.variants.test_laws import SHARED, Library, compare

PLIES = 200
PROGRESS_S = 10.0


class Engine(Library):
    """Fairy-Stockfish as a UCI engine."""

    def __init__(self, command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True)

        self.tell("uci\n")
        lines = iter(self.process.stdout.readline, "uciok\n")
        self.games = {word for line in lines if "UCI_Variant" in line for word in line.split()}

    def choose(self, variant: str) -> None:
        super().__init__(variant)
        self.overruled = 0
        self.tell(f"setoption name UCI_Variant value {variant}\n")

    def tell(self, text: str) -> None:
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def position(self, text: str, moves: list[str]) -> tuple[str, list[str], bool]:
        self.tell(f"position fen {text} moves {' '.join(moves)}\nd\ngo perft 1\n")
        found, legal, check = "", [], False
        for line in self.process.stdout:
            word, _, rest = line.partition(":")
            if word == "Fen":
                found = rest.strip()
            elif word == "Checkers":
                check = bool(rest.strip())
            elif word == "Nodes searched":
                return found, legal, check
            elif rest == " 1\n":
                legal.append(word)
        raise EOFError(f"Fairy-Stockfish ended at {text} {moves}")

    def referee(self) -> Library:
        self.overruled += 1
        return Library(self.variant)

    def quit(self) -> None:
        self.tell("quit\n")
        self.process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [*SHARED, *test_shogi.NAMES, test_janggi.NAME]
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(known)}")
    parser.add_argument("--positions", type=int, default=25_000, help="number for each game; default %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game; default %(default)s")
    parser.add_argument("--engine", metavar="COMMAND", help="a Fairy-Stockfish engine; default: the library")
    arguments = parser.parse_args()
    if unknown := set(arguments.games) - set(known):
        parser.error(f"expected games among {', '.join(known)}, found {', '.join(sorted(unknown))}")
    engine = Engine(arguments.engine) if arguments.engine else None
    for name in arguments.games or known:
        # An older engine lacks some games; in Shogi it also allows mates by dropping a pawn.
        peer = engine if engine and name in engine.games and name in SHARED else None
        if peer:
            peer.choose(name)
        positions = games = 0
        told_s = time.process_time()
        while positions < arguments.positions:
            if name == test_janggi.NAME:
                rng = random.Random(arguments.seed + games)
                start = rng.choice([pyffish.start_fen(name), *test_janggi.LATE])
                positions += test_janggi.play(start, PLIES, rng, rng.choice((0, 0.02, 0.2)))
            elif name in SHARED:
                positions += compare(name, pyffish.start_fen(name), PLIES, random.Random(arguments.seed + games), peer)
            else:
                positions += test_shogi.compare(name, PLIES, random.Random(arguments.seed + games))
            games += 1
            if time.process_time() - told_s >= PROGRESS_S:
                told_s = time.process_time()
                print(f"{name}: {positions:,} of {arguments.positions:,} positions", file=sys.stderr, flush=True)
        print(f"| {name} | {games:,} | {positions:,} | 0 | {peer.overruled if peer else ''} |", flush=True)
    if engine:
        engine.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
