"""Compares two threads with one: the time to a depth over many positions, and nodes per second.

    .venv/bin/python -P tools/measure/cost/threads.py [--positions 100] [--depth 16] [--threads 2] [--engine COMMAND]

The positions are those of tests/data/openings/balanced.epd. Each position is searched from an empty table, once with
one thread and once with more. Run it on an idle machine: other work on its cores makes the ratio meaningless.
"""

from __future__ import annotations

import argparse
import math
import shlex
import statistics
from pathlib import Path
from time import monotonic

import chess.engine

ROOT = Path(__file__).resolve().parents[3]
OPENINGS = ROOT / "tests/data/openings/balanced.epd"


def searched(engine: chess.engine.SimpleEngine, board: chess.Board, depth: int, game: object) -> tuple[float, int]:
    """Search to the depth; return (seconds, nodes)."""
    began = monotonic()
    found = engine.analyse(board, chess.engine.Limit(depth=depth), game=game)
    return monotonic() - began, found["nodes"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--depth", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hash", type=int, default=64, help="MB")
    parser.add_argument("--engine", default=str(ROOT / "standstill"))
    args = parser.parse_args()
    lines = OPENINGS.read_text(encoding="utf-8").splitlines()
    boards = [chess.Board.from_epd(line)[0] for line in lines if line and not line.startswith("#")][: args.positions]
    engines = []
    for threads in (1, args.threads):
        engine = chess.engine.SimpleEngine.popen_uci(shlex.split(args.engine), timeout=600)
        engine.configure({"Threads": threads, "Hash": args.hash})
        engines.append(engine)
    seconds: list[list[float]] = [[], []]
    nodes = [0, 0]
    try:
        for number, board in enumerate(boards):
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                took, count = searched(engines[side], board, args.depth, number)
                seconds[side].append(took)
                nodes[side] += count
    finally:
        for engine in engines:
            engine.quit()
    ratios = [one / more for one, more in zip(*seconds, strict=True)]
    speeds = [count / sum(times) for count, times in zip(nodes, seconds, strict=True)]
    print(f"{len(boards)} positions to depth {args.depth}, 1 thread and {args.threads}")
    one, more = map(sum, seconds)
    print(f"seconds: {one:.1f}, {more:.1f}; ratio of the sums {one / more:.2f}")
    mean, median = math.exp(statistics.fmean(map(math.log, ratios))), statistics.median(ratios)
    print(f"ratio of a position: geometric mean {mean:.2f}, median {median:.2f}")
    print(f"nodes a second: {speeds[0]:,.0f}, {speeds[1]:,.0f}; ratio {speeds[1] / speeds[0]:.2f}")


if __name__ == "__main__":
    main()
