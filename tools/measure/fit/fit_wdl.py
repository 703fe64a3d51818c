"""Fits the chances of win, draw and loss for a score: HALF_CP and SPREAD_CP of engine/common/info.py.

    .venv/bin/python -P tools/measure/fit/fit_wdl.py [--games 600] [--nodes 5000]

The engine plays itself from random balanced openings at fixed nodes. Each position contributes its score and the result
of its game. The fit maximises the likelihood, and a table compares the model with the results.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.cext.base.constants import BLACK
from standstill.engine.common.info import HALF_CP, SCORE_CP, SPREAD_CP, is_mate
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import parse_move
from tools.measure.play.levels import HASH_MB, LONGEST_PLIES, openings

BIN_CP = 10
MOST_CP = 2000
# Beyond this score the remaining draws are unwinnable endgames, which would flatten the curve where it matters.
FIT_CP = 300
PROGRESS_GAMES = 100
Counts = Counter  # counts positions by (score in bins, result 1, 0 or -1), both from the side to move's view


def play(session: Session, opening: list[str], limits: Limits) -> Counts:
    """Play a game; return the counts of its positions."""
    session.new_game()
    board = new_board()
    for text in opening:
        board.push(parse_move(board, text))
    moves = list(opening)
    seen: list[tuple[int, int]] = []  # pairs of (side to move, score in bins)
    result = "1/2-1/2"
    while len(moves) < LONGEST_PLIES:
        end = game_end(board)
        if end is not None:
            result = end[0]
            break
        session.position(None, moves)
        best, line = session.search(limits)
        if not is_mate(line.score) and abs(line.score) <= MOST_CP * SCORE_CP:
            seen.append((board.stm, round(line.score / SCORE_CP / BIN_CP)))
        moves.append(best.move)
        board.push(parse_move(board, best.move))
    white = {"1-0": 1, "0-1": -1}.get(result, 0)
    return Counter((score, -white if stm == BLACK else white) for stm, score in seen)


def chances(cp: float, half: float, spread: float) -> tuple[float, float, float]:
    """Return the model's chances of win, draw and loss."""
    win = 1 / (1 + math.exp((half - cp) / spread))
    loss = 1 / (1 + math.exp((half + cp) / spread))
    return win, 1 - win - loss, loss


def likelihood(counts: Counts, half: float, spread: float) -> float:
    """Return the logarithm of the model's likelihood, for scores up to FIT_CP."""
    total = 0.0
    for (score, result), count in counts.items():
        if abs(score) * BIN_CP > FIT_CP:
            continue
        win, draw, loss = chances(score * BIN_CP, half, spread)
        total += count * math.log(max(1e-12, (draw, win, loss)[result]))
    return total


def fit(counts: Counts) -> tuple[float, float]:
    """Return (half, spread) in cp with the greatest likelihood, found by steps that shrink when no step helps."""
    best = (HALF_CP, SPREAD_CP)
    value, step = likelihood(counts, *best), 32.0
    while step > 0.1:
        tries = [(best[0] + step * x, best[1] + step * y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        values = {point: likelihood(counts, *point) for point in tries if min(point) > 1}
        point = max(values, key=values.__getitem__)
        if values[point] > value:
            best, value = point, values[point]
        else:
            step /= 2
    return best


def table(counts: Counts, half: float, spread: float) -> str:
    lines = ["    score    positions   won  drawn  lost   model"]
    edges = [-800, -400, -200, -100, -50, -20, 20, 50, 100, 200, 400, 800]
    for low, high in itertools.pairwise(edges):
        inside = {key: count for key, count in counts.items() if low <= key[0] * BIN_CP < high}
        total = sum(inside.values())
        if not total:
            continue
        shares = [sum(count for (_, result), count in inside.items() if result == wanted) for wanted in (1, 0, -1)]
        model = [0.0] * 3
        for (score, _), count in inside.items():
            for at, chance in enumerate(chances(score * BIN_CP, half, spread)):
                model[at] += chance * count
        row = " ".join(f"{1000 * share / total:6.0f}" for share in shares)
        told = " ".join(f"{1000 * share / total:4.0f}" for share in model)
        lines.append(f"{low:5} to {high:4} {total:9} {row}   {told}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=5000, help="nodes for each move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    session = Session()
    session.settings["Hash"] = HASH_MB
    limits = Limits()
    limits.nodes = arguments.nodes
    book = openings(arguments.seed)
    counts: Counts = Counter()
    for game in range(1, arguments.games + 1):
        counts += play(session, next(book), limits)
        if game % PROGRESS_GAMES and game < arguments.games:
            continue
        half, spread = fit(counts)
        print(
            f"{game} games of {arguments.nodes} nodes a move, {sum(counts.values())} positions: "
            f"HALF_CP = {half:.0f}, SPREAD_CP = {spread:.0f}",
            flush=True,
        )
    print(table(counts, half, spread))
    return 0


if __name__ == "__main__":
    sys.exit(main())
