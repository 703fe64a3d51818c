"""Measures the cost of the R-Mobility modes: nodes per CPU second, or one run of one mode for an instruction counter.

    .venv/bin/python -P tools/measure/cost/modes.py
    valgrind --tool=callgrind --callgrind-out-file=/dev/null .venv/bin/python -P tools/measure/cost/modes.py --once off

A run with ``--once nothing`` counts the interpreter's own instructions. Subtract them from those of another run, and
divide by the nodes that it prints.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

HASH_MB = 16
NODES = 100_000  # per position
REPEATS = 5


class Silent:
    """A listener that keeps the node count of the last line."""

    nodes = 0

    def info(self, depth, seldepth, multipv, score, bound, nodes, nanoseconds, hashfull, pv) -> None:
        self.nodes = nodes

    def current_move(self, depth, move, number) -> None:
        pass

    def rescale(self, depth, score, best_move_changes, node_share, nanoseconds) -> float:
        return 1.0

    def bestmove(self, move, ponder) -> None:
        pass


def search_all(mode: str, nodes: int) -> tuple[int, float]:
    """Search all bench positions, each from an empty table, with the networks that the engine uses by default.

    Returns (nodes, CPU seconds).
    """
    from standstill.cext.bindings.pool import SearchPool
    from standstill.engine.network.loading import load
    from standstill.engine.network.shipped import AUTO, DEFAULT, path_of, path_of_records
    from standstill.engine.play.bench import POSITIONS
    from standstill.engine.rmobility import objectives
    from standstill.engine.variants.boards import new_board, searching_evaluator
    from standstill.engine.variants.variant import CHESS

    makers = {"off": objectives.classic, "tiebreak": objectives.tiebreak, "points": objectives.points}
    objective = makers.get(mode, objectives.decisive)()
    network = load(path_of(DEFAULT) or "")
    records = load(path_of_records(AUTO) or "", records=True) if mode == "decisive" else None
    pool = SearchPool(searching_evaluator(CHESS, mode != "decisive", network, records), HASH_MB)
    total, seconds = 0, 0.0
    for fen in POSITIONS:
        board = new_board(fen)
        pool.clear()
        listener = Silent()
        started = time.process_time()
        if mode != "nothing":
            pool.go(board, objective, listener, nodes=nodes)
            pool.wait()
        seconds += time.process_time() - started
        total += listener.nodes
    return total, seconds


def compare(repeats: int, nodes: int) -> None:
    """Print each mode's speed, and its ratio to the speed of Off, as medians of interleaved runs."""
    modes = ("off", "tiebreak", "points", "decisive")
    speeds: dict[str, list[float]] = {mode: [] for mode in modes}
    for _ in range(repeats):
        for mode in modes:
            searched, seconds = search_all(mode, nodes)
            speeds[mode].append(searched / seconds)
    for mode in modes:
        shares = [own / off for own, off in zip(speeds[mode], speeds["off"], strict=True)]
        print(
            f"{mode:<9} {statistics.median(speeds[mode]) / 1000:7.0f} thousand nodes a CPU second, "
            f"{statistics.median(shares):.3f} of Off [{min(shares):.3f}, {max(shares):.3f}]"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--once", choices=("off", "tiebreak", "points", "decisive", "nothing"))
    parser.add_argument("--nodes", type=int, default=NODES, help="nodes for each position")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    arguments = parser.parse_args()
    if arguments.once:
        print(search_all(arguments.once, arguments.nodes)[0])
    else:
        compare(arguments.repeats, arguments.nodes)


if __name__ == "__main__":
    main()
