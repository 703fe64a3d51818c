"""Samples for training: read from files of games, divided by game, and what their scores are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from standstill.cext.doors.samples import SAMPLE_BYTES, SampleReader, evaluate
from standstill.engine.games.board import new_evaluator
from standstill.engine.games.game import CHESS
from standstill.engine.training.reading import read_into

# As in cext/doors/sample.pxd.
SAMPLE = np.dtype(
    [("occupied", "<u8"), ("men", "u1", 16), ("cp", "<i2"), ("result", "u1"), ("ply", "u1"), ("game", "<u4")]
)
assert SAMPLE.itemsize == SAMPLE_BYTES
HELD_BACK = 40  # one game of so many is for validation
USUAL_SCALE = 150.0  # centipawns; near to what games of the hand-crafted evaluation give
MOST_LOOKED_AHEAD = 5000.0  # centipawns
SCALES = (40.0, 2000.0)  # centipawns among which the scale of the scores is looked for


class Samples(NamedTuple):
    """All samples, and the numbers of those that train and of those that validate."""

    raw: np.ndarray  # uint8, as Trainer takes them
    training: np.ndarray  # uint32
    validation: np.ndarray  # uint32

    @property
    def fields(self) -> np.ndarray:
        return self.raw.view(SAMPLE)


def load(paths: Sequence[str], *, skip: int, most_cp: int, strays: int = 0) -> Samples:
    """The samples of files of games; a game trains or validates as a whole."""
    reader = SampleReader(skip, most_cp, strays=strays)
    read_into(reader, paths)
    if not len(reader):
        raise ValueError("there are no positions to learn from")
    raw = np.frombuffer(reader.samples_bytes(), dtype=np.uint8).copy()
    held_back = raw.view(SAMPLE)["game"] % HELD_BACK == HELD_BACK - 1
    return Samples(raw, np.flatnonzero(~held_back).astype(np.uint32), np.flatnonzero(held_back).astype(np.uint32))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def fit_scale(cp: np.ndarray, result: np.ndarray) -> float:
    """The centipawns s with which sigmoid(cp / s) predicts results (0, 1, 2) best, by squared error."""
    cp, won = cp.astype(np.float64), result / 2

    def loss(scale: float) -> float:
        return float(np.mean((sigmoid(cp / scale) - won) ** 2))

    low, high = SCALES
    for _ in range(40):
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (low, right) if loss(left) < loss(right) else (left, high)
    return (low + high) / 2


def looked_ahead(fields: np.ndarray, scale: float, decay: float) -> np.ndarray:
    """Scores that stand for what became of each position in its game: TD(lambda) of Sutton (1988).

    The expected result of a position is (1 - decay) times that of its own score, and decay times that of the next
    sample of its game; for each ply between two samples the share decays once more, and behind the last one stands the
    result. ``fields``: samples in the order of their games. In centipawns, like their scores.
    """
    expected = sigmoid(fields["cp"] / scale)
    ply = fields["ply"].astype(np.int32)
    begins = np.flatnonzero(np.r_[True, fields["game"][1:] != fields["game"][:-1]])
    ends = np.r_[begins[1:], len(fields)]
    last = ends - 1
    expected[last] += decay * (fields["result"][last] / 2 - expected[last])
    for back in range(2, int((ends - begins).max()) + 1):
        here = (ends - back)[ends - begins >= back]
        plies = (ply[here + 1] - ply[here]) & 255  # the field has eight bits
        ahead = np.where(plies & 1, 1 - expected[here + 1], expected[here + 1])  # the opponent's view, or the same
        expected[here] += decay**plies * (ahead - expected[here])
    surest = sigmoid(MOST_LOOKED_AHEAD / scale)
    expected = np.clip(expected, 1 - surest, surest)
    return np.rint(scale * np.log(expected / (1 - expected))).astype(np.int16)


def static_scores(raw: np.ndarray) -> np.ndarray:
    """The hand-crafted static evaluation of samples, in centipawns from the side to move."""
    out = np.zeros(len(raw) // SAMPLE_BYTES, dtype=np.int16)
    evaluate(raw, new_evaluator(CHESS), out)
    return out
