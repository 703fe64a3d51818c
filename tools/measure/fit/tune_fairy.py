"""Fit the numbers of cext/evaluation/fairy_weights.pyx to positions with results (CPW: Texel's Tuning Method).

    python -m tools.measure.fit.tune_fairy capablanca.txt makruk.txt ... [--write]

The files are written by tune_data.py, and each is named after its game. The script needs numpy.

The script measures the effect of a number by evaluating each position with that number changed. Nonlinear terms (attack
on a royal, limits) are linearised around the current numbers, and the fit is repeated from its result. Every game has
its own slope, because its values have their own scale and careless play costs more in some games. The middlegame values
of the pieces stay as they are and set the scale of the rest.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np

from standstill.cext.evaluation.fairy_eval import FairyEvaluator
from standstill.cext.evaluation.fairy_weights import weights
from standstill.cext.fairy.fairy_board import FairyBoard
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.notation import set_fen
from tools.measure.fit.tune_eval import entropy, fit_slope, logistic

NUMBERS = Path(__file__).parents[3] / "cext/evaluation/fairy_weights.pyx"
FIXED = ("PIECE_MG",)
RESULT_SHARE = 0.4  # the rest of the target is the search's score
LEAST_STEP, STEP_SHARE = 10, 4  # to find its effect, a number is changed by LEAST_STEP or by 1 / STEP_SHARE of itself
LEAST_SD, SD_SHARE = 5.0, 0.5  # expected change of a number from its first value
EFFECTIVE = 1.0  # this many positions count as one; the search's score is steadier than a result
HELD_OUT = 10  # one of this many blocks of a hundred lines is held out
NEWTON_STEPS = 30


class Positions:
    """All positions from White's view: evaluations, their gradients, results, and the search's scores."""

    def __init__(self, paths: list[Path], numbers: dict[str, int], most: int) -> None:
        self.names = [name for name in numbers if name not in FIXED]
        rows, values, labels = [], [], []
        for source, path in enumerate(paths):
            board = new_board(game=named_game(path.stem))
            assert isinstance(board, FairyBoard)
            steps = [max(LEAST_STEP, abs(numbers[name]) // STEP_SHARE) for name in self.names]
            base = FairyEvaluator(board.rules, True, numbers)
            moved = [
                FairyEvaluator(board.rules, True, numbers | {name: numbers[name] + step})
                for name, step in zip(self.names, steps, strict=True)
            ]
            for number, line in enumerate(path.read_text(encoding="ascii").splitlines()[:most]):
                fen, result, cp = line.split(";")
                set_fen(board, fen)
                sign = 1 if board.stm == 0 else -1
                value = base.evaluate_cp(board)
                rows.append([sign * (other.evaluate_cp(board) - value) for other in moved])
                values.append(sign * value)
                labels.append((float(result), float(cp), source, number // 100 % HELD_OUT == 0))
        self.slopes = np.array(rows, np.float32) / np.array(steps, np.float32)
        self.values = np.array(values, np.float32)
        self.result, self.cp, source_at, held_out = np.array(labels, np.float32).T
        self.source = source_at.astype(int)
        self.held_out = held_out.astype(bool)


def fit(positions: Positions, numbers: dict[str, int], first: dict[str, int]) -> dict[str, int]:
    """Return better numbers, found by Newton's method on the linear model."""
    scale = np.zeros_like(positions.values)
    target = np.zeros_like(positions.values)
    for source in np.unique(positions.source):
        here = positions.source == source
        theirs = fit_slope(positions.cp[here], positions.result[here])
        opinion = logistic(theirs * positions.cp[here])
        target[here] = RESULT_SHARE * positions.result[here] + (1 - RESULT_SHARE) * opinion
        scale[here] = fit_slope(positions.values[here], target[here])
    used = ~positions.held_out
    start = np.array([numbers[name] for name in positions.names], np.float64)
    prior = np.array([first[name] for name in positions.names], np.float64)
    sd = np.maximum(LEAST_SD, SD_SHARE * np.abs(prior))
    at = start.copy()
    traces = positions.slopes * scale[:, None]
    for _ in range(NEWTON_STEPS):
        expected = logistic(scale * positions.values + traces @ (at - start))
        pull = (expected - target) * used / EFFECTIVE
        weight = expected * (1 - expected) * used / EFFECTIVE
        gradient = traces.T @ pull + (at - prior) / sd**2
        curvature = traces.T @ (traces * weight[:, None]) + np.diag(1 / sd**2)
        at -= np.clip(np.linalg.solve(curvature, gradient), -sd, sd)
    for when, offset in (("before", at * 0), ("after", at - start)):
        loss = entropy(target, logistic(scale * positions.values + traces @ offset))
        print(f"{when}: loss {loss[used].mean():.6f}, held out {loss[~used].mean():.6f}")
        for source in np.unique(positions.source):
            here = positions.source == source
            print(f"   source {source}: {loss[here].mean():.6f}, slope {scale[here][0]:.5f}, {here.sum()} positions")
    return numbers | dict(zip(positions.names, (int(value) for value in np.rint(at)), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the numbers of cext/evaluation/fairy_weights.pyx.")
    parser.add_argument("files", type=Path, nargs="+", help="GAME.txt, from tune_data.py")
    parser.add_argument("--rounds", type=int, default=4, help="how often to linearise the model again")
    parser.add_argument("--most", type=int, default=10_000, help="most positions of each game")
    parser.add_argument("--write", action="store_true", help="replace the numbers in the file")
    options = parser.parse_args()
    first = numbers = weights()
    for _ in range(options.rounds):
        numbers = fit(Positions(options.files, numbers, options.most), numbers, first)
    for name, number in numbers.items():
        print(f"{name}: {first[name]} -> {number}")
    if options.write:
        text = NUMBERS.read_text(encoding="ascii")
        for name, number in numbers.items():
            text = re.sub(rf'(put\(F_{name}, "{name}", )-?\d+\)', rf"\g<1>{number})", text)
        NUMBERS.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
