"""Measures nanoseconds per evaluation of a network, and nodes per CPU second, beside the hand-crafted evaluation.

    .venv/bin/python -P tools/measure/cost/networks.py [DEPTH [NET ...]]

Without network files the script generates some that mostly evaluate material, so that the search trees are like those
of a real evaluation.
"""

from __future__ import annotations

import array
import random
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.engine.network.file import BUCKETS, FEATURES, Network, write_network
from standstill.engine.network.loading import load
from standstill.engine.play.bench import POSITIONS, Bench
from standstill.engine.variants.boards import new_board

WIDTHS = (32, 128, 256, 512, 1024)
RUNS = 5
VALUES_CP = (100, 320, 330, 500, 950, 0)
FORWARD_CP, CENTRE_CP = (8, 3, 3, 2, 1, -6), (3, 8, 6, 2, 3, -8)
UNIT_CP = 25  # centipawns of material that change a hidden number by 1
COUNTING = 8  # number of hidden numbers that sum the material; the others are noise


def centre(sq: int) -> float:
    """Return the distance from the centre: 0 on the four central squares, 3 on the edge."""
    return (max(abs(2 * (sq & 7) - 7), abs(2 * (sq >> 3) - 7)) - 1) / 2


def material_network(width: int) -> Network:
    """Make a network that mostly counts material: for a side's material m, (128 + m)² - (128 - m)² is 512 m, linear in
    m.
    """
    chance = random.Random(width)
    features = array.array("h", bytes(2 * FEATURES * width))
    for place in range(FEATURES):
        side, man, sq = place // 384, place // 64 % 6, place % 64
        rank = sq >> 3 if side == 0 else 7 - (sq >> 3)
        value = VALUES_CP[man] + FORWARD_CP[man] * rank - CENTRE_CP[man] * centre(sq)
        for number in range(width):
            size = value / UNIT_CP + chance.uniform(-0.5, 0.5) if number < COUNTING else chance.uniform(-9, 9)
            features[place * width + number] = round(-size if side else size)
    half = [127 if number < COUNTING else chance.choice((-1, 0, 1)) for number in range(width)]
    outputs = array.array("h", (half + [-weight for weight in half]) * BUCKETS)
    scale = UNIT_CP * 255 * 64 // (COUNTING * 127 * 2)
    about = {"name": f"material {width}", "licence": "CC0-1.0", "origin": "a measurement"}
    biases = array.array("h", [128] * width)
    return Network(width, scale, about, features, biases, outputs, array.array("i", [500] * BUCKETS))


def measure(name: str, evaluator: ChessEvaluator | NetworkEvaluator, eval_file: str, depth: int) -> None:
    boards = [new_board(fen) for fen in POSITIONS[:24]]
    times = [evaluator.nanoseconds(boards, 300) for _ in range(RUNS)]
    speeds = []
    for _ in range(RUNS):
        bench = Bench(depth, eval_file=eval_file)
        bench.run(lambda text: None)
        speeds.append(bench.nps)
    print(f"{name:>8} {statistics.median(times):6.1f} ns {statistics.median(speeds):9.0f} nodes/second", flush=True)


def main() -> None:
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    measure("by hand", ChessEvaluator(), "none", depth)
    files = sys.argv[2:]
    for path in files:
        measure(Path(path).stem, NetworkEvaluator(load(path)), path, depth)
    if files:
        return
    with tempfile.TemporaryDirectory() as folder:
        for width in WIDTHS:
            path = str(Path(folder, f"{width}.nn"))
            write_network(path, material_network(width))
            measure(str(width), NetworkEvaluator(load(path)), path, depth)


if __name__ == "__main__":
    main()
