"""Fit the numbers of cext/evaluation/chess_weights.pyx to positions with results (CPW: Texel's Tuning Method).

    python -m tools.measure.fit.tune_eval play.txt pgn.txt [--write]

The files are written by tune_data.py. The script needs numpy.

The evaluation is linear in its weights except for the quadratic attack on a king, so a trace of each position
(``ChessEvaluator.coefficients``) is enough, and the gradient is exact. The loss is the cross-entropy
between the expected score, a logistic function of the evaluation, and a mixture of the result and a short search's
opinion. Each file has its own slope from the search's score to the results, because an advantage of two pawns wins less
often in games between near equals. Priors keep weights near their initial values and near their neighbours on a curve
or a board.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import numpy as np

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.engine.variants import notation
from standstill.engine.variants.boards import new_board

NUMBERS = Path(__file__).parents[3] / "cext/evaluation/chess_weights.pyx"
NAMES = NUMBERS.with_suffix(".pxd")
GROUP = re.compile(r"^put\(W_(\w+), \[([-\d(), \n]+)\]\)$", re.MULTILINE)
UNITS = re.compile(r"^put_units\(D_(\w+), \[([-\d, ]+)\]\)$", re.MULTILINE)
PAIR = re.compile(r"\((-?\d+), (-?\d+)\)")

RESULT_SHARE = 0.3  # the rest of the target is the search's score, because results of careless games are mostly chance
PRIOR_SD = 50.0  # expected change from the first value, in centipawns (for units: times UNIT_CP)
NEIGHBOUR_SD = 16.0  # expected difference of neighbours, in centipawns
CORRELATION = 1.0  # this many positions count as one, because positions of a game are not independent
UNIT_CP = 4.0  # units of attack per centipawn, for the priors
SLOPE_SHARE = 0.8  # our slope as a share of the search's slope; it keeps a pawn near 100 cp
SCALE_BISHOPS = 20  # as in chess_weights.pxd: below this, the middlegame part is scaled, too
HELD_OUT = 10  # one of this many blocks of a hundred lines is held out
CURVES = ("MOBILITY", "PHALANX", "SUPPORTED", "PASSED", "SHELTER", "STORM")
ROW = {"PHALANX": 8, "SUPPORTED": 8, "SHELTER": 7, "PSQT": 4}  # numbers in a line of the file


class Positions:
    """Traces and targets of all positions, from White's view."""

    def __init__(self, paths: list[Path]) -> None:
        evaluator = ChessEvaluator(discount=False)
        counts, dangers, tapers, labels = [], [], [], []
        for source, path in enumerate(paths):
            for number, line in enumerate(path.read_text(encoding="ascii").splitlines()):
                fen, result, cp = line.split(";")
                board = new_board()
                notation.set_fen(board, fen)
                count, danger, phase, scale = evaluator.coefficients(board)
                counts.append(np.frombuffer(count, np.int16).astype(np.int8))
                dangers.append(np.frombuffer(danger, np.int16))
                mg_scale = 1 if scale >= SCALE_BISHOPS else scale / 64
                tapers.append((phase / 24 * mg_scale, (1 - phase / 24) * scale / 64))
                labels.append((float(result), float(cp), source, number // 100 % HELD_OUT == 0))
        self.counts = np.array(counts).astype(np.float32)
        self.dangers = np.array(dangers, np.float32).reshape(len(labels), 2, -1)
        self.mg_share, self.eg_share = np.array(tapers, np.float32).T
        self.result, self.cp, source, held_out = np.array(labels, np.float32).T
        self.source = source.astype(int)
        self.held_out = held_out.astype(bool)


class Weights:
    """The numbers of the file: pairs (n, 2) and units of attack (m)."""

    def __init__(self, text: str) -> None:
        self.groups: dict[str, slice] = {}
        self.unit_groups: dict[str, slice] = {}
        pairs: list[tuple[int, int]] = []
        units: list[int] = []
        for name, body in GROUP.findall(text):
            found = [(int(mg), int(eg)) for mg, eg in PAIR.findall(body)]
            self.groups[name] = slice(len(pairs), len(pairs) + len(found))
            pairs += found
        for name, body in UNITS.findall(text):
            found_units = [int(unit) for unit in body.split(",")]
            self.unit_groups[name] = slice(len(units), len(units) + len(found_units))
            units += found_units
        self.pairs = np.array(pairs, np.float32)
        self.units = np.array(units, np.float32)
        names = NAMES.read_text(encoding="ascii")
        self.shift_mg, self.shift_eg, self.limit = (
            int(re.search(rf"{name} = (\d+)", names)[1])  # type: ignore[index]
            for name in ("DANGER_SHIFT_MG", "DANGER_SHIFT_EG", "DANGER_LIMIT")
        )

    def neighbours(self) -> np.ndarray:
        """Return pairs of indices of neighbouring weights."""
        found = []
        for name, group in self.groups.items():
            if name == "PSQT":
                for at in range(group.start, group.stop):
                    rank, file = divmod(at - group.start, 4)
                    if file < 3:
                        found.append((at, at + 1))
                    if rank % 8 < 7:
                        found.append((at, at + 4))
            elif any(word in name for word in CURVES):
                width = ROW.get(name, group.stop - group.start)
                # Entry 0 of shelter and storm means "no pawn", so it is not a neighbour of the first rank.
                first = 1 if name.startswith(("SHELTER", "STORM")) else 0
                for at in range(group.start, group.stop - 1):
                    if first <= (at - group.start) % width < width - 1:
                        found.append((at, at + 1))
        return np.array(found)

    def write(self, text: str) -> str:
        def pairs(match: re.Match[str]) -> str:
            name = match[1]
            row = ROW.get(name, 8)
            cells = [f"({mg:.0f}, {eg:.0f})" for mg, eg in np.rint(self.pairs[self.groups[name]]) + 0.0]
            lines = [", ".join(cells[at : at + row]) for at in range(0, len(cells), row)]
            body = lines[0] if len(lines) == 1 else "".join(f"\n    {line}," for line in lines) + "\n"
            return f"put(W_{name}, [{body}])"

        def units(match: re.Match[str]) -> str:
            values = np.rint(self.units[self.unit_groups[match[1]]]) + 0.0
            return f"put_units(D_{match[1]}, [" + ", ".join(f"{value:.0f}" for value in values) + "])"

        return UNITS.sub(units, GROUP.sub(pairs, text))


def king_cost(units: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the middlegame cost, the endgame cost, and the slope of the former."""
    held = np.clip(units, 0, weights.limit)
    inside = (units > 0) & (units < weights.limit)
    return held**2 / 2**weights.shift_mg, held / 2**weights.shift_eg, 2 * held / 2**weights.shift_mg * inside


def evaluate(positions: Positions, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return (evaluations, derivatives of the evaluation with respect to the units of either king)."""
    mg, eg = (positions.counts @ weights.pairs).T
    units = positions.dangers[:, :, : len(weights.units)] @ weights.units
    cost_mg, cost_eg, slope = king_cost(units, weights)
    mg = mg - cost_mg[:, 0] + cost_mg[:, 1]
    eg = eg - cost_eg[:, 0] + cost_eg[:, 1]
    slope_eg = (cost_eg > 0) / 2**weights.shift_eg
    by_unit = slope * positions.mg_share[:, None] + slope_eg * positions.eg_share[:, None]
    return mg * positions.mg_share + eg * positions.eg_share, by_unit * np.array([-1, 1], np.float32)


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def entropy(target: np.ndarray, expected: np.ndarray) -> np.ndarray:
    expected = np.clip(expected, 1e-6, 1 - 1e-6)
    return -(target * np.log(expected) + (1 - target) * np.log(1 - expected))


def fit_slope(values: np.ndarray, target: np.ndarray) -> float:
    """Return the slope with which a logistic function of the values predicts the target best."""
    slopes = np.geomspace(0.0005, 0.02, 120)
    return float(min(slopes, key=lambda slope: float(entropy(target, logistic(slope * values)).mean())))


def tune(positions: Positions, weights: Weights, steps: int, rate: float) -> None:
    """Optimise ``weights`` in place, by Adam on the whole set."""
    first_pairs, first_units = weights.pairs.copy(), weights.units.copy()
    used = ~positions.held_out
    start, _ = evaluate(positions, weights)
    slope = np.zeros(len(start), np.float32)
    target = np.zeros(len(start), np.float32)
    for source in np.unique(positions.source):
        here = positions.source == source
        ours = fit_slope(start[here], positions.result[here])
        theirs = fit_slope(positions.cp[here], positions.result[here])
        print(f"source {source}: {here.sum()} positions, slope {theirs:.5f} of the search, {ours:.5f} of the start")
        slope[here] = SLOPE_SHARE * theirs
        opinion = logistic(theirs * positions.cp[here])
        target[here] = RESULT_SHARE * positions.result[here] + (1 - RESULT_SHARE) * opinion
    left, right = weights.neighbours().T
    n = used.sum() / CORRELATION
    moments = [np.zeros_like(weights.pairs), np.zeros_like(weights.pairs)]
    unit_moments = [np.zeros_like(weights.units), np.zeros_like(weights.units)]
    began = time.monotonic()
    for step in range(steps + 1):
        value, by_unit = evaluate(positions, weights)
        expected = logistic(slope * value)
        if step % 100 == 0:
            loss = entropy(target, expected)
            pure = entropy(positions.result, expected)
            print(
                f"step {step}: loss {loss[used].mean():.6f}, held out {loss[~used].mean():.6f}, "
                f"against results {pure[used].mean():.6f}, {pure[~used].mean():.6f} ({time.monotonic() - began:.0f} s)",
                flush=True,
            )
        pull = (expected - target) * slope * used / used.sum()
        shares = np.stack([pull * positions.mg_share, pull * positions.eg_share])
        gradient = (shares @ positions.counts).T
        moved = weights.pairs - first_pairs
        gradient += moved / PRIOR_SD**2 / n
        apart = (moved[left] - moved[right]) / NEIGHBOUR_SD**2 / n
        np.add.at(gradient, left, apart)
        np.add.at(gradient, right, -apart)
        unit_gradient = np.einsum("n,nk,nku->u", pull, by_unit, positions.dangers[:, :, : len(weights.units)])
        unit_gradient += (weights.units - first_units) / (UNIT_CP * PRIOR_SD) ** 2 / n
        now = rate if step < steps * 0.7 else rate * 0.2
        weights.pairs -= adam(moments, gradient, step, now)
        weights.units -= adam(unit_moments, unit_gradient, step, UNIT_CP * now)


def adam(moments: list[np.ndarray], gradient: np.ndarray, step: int, rate: float) -> np.ndarray:
    moments[0] = 0.9 * moments[0] + 0.1 * gradient
    moments[1] = 0.999 * moments[1] + 0.001 * gradient**2
    mean = moments[0] / (1 - 0.9 ** (step + 1))
    spread = np.sqrt(moments[1] / (1 - 0.999 ** (step + 1)))
    return (rate * mean / (spread + 1e-12)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the numbers of cext/evaluation/chess_weights.pyx.")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=0.5, help="centipawns per step")
    parser.add_argument("--write", action="store_true", help="replace the numbers in the file")
    args = parser.parse_args()
    text = NUMBERS.read_text(encoding="ascii")
    weights = Weights(text)
    positions = Positions(args.files)
    tune(positions, weights, args.steps, args.rate)
    fresh = weights.write(text)
    if args.write:
        NUMBERS.write_text(fresh, encoding="ascii")
    else:
        print(fresh)


if __name__ == "__main__":
    main()
