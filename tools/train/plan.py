"""The plan of a training run, its state, and the interface of trainers."""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from typing import NamedTuple, Protocol

import numpy as np

DECAY = 0.01
FIRST_RATE, LAST_RATE = 1e-3, 1e-5
WARM_UP = 200  # the learning rate rises during these first steps


class Plan(NamedTuple):
    """The settings of a training run. A checkpoint stores them all and only continues the same plan."""

    width: int
    passes: int
    batch: int
    scale: float
    result_share: float
    seed: int
    rate: float = FIRST_RATE
    positions: int = 0  # number of positions to learn from
    start: str = ""  # name of the network that training continued
    look_ahead: float = 0.0  # weight of a ply in the target relative to the one before it
    decay: float = DECAY  # weight decay
    by_king: bool = False  # inputs for each group of the king's squares
    records: bool = False  # predicts the owner of the last record

    def rate_at(self, step: int, steps: int) -> float:
        """The learning rate of a step. After a short rise it falls from ``rate`` to LAST_RATE along a cosine."""
        share = step / max(1, steps)
        rate = LAST_RATE + (self.rate - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
        return rate * min(1.0, (step + 1) / WARM_UP)


class State:
    """Parameters, the optimiser's state, and the number of finished passes."""

    def __init__(self, parameters: np.ndarray):
        self.parameters = parameters.astype(np.float32)
        self.means = np.zeros_like(self.parameters)
        self.squares = np.zeros_like(self.parameters)
        self.passes = 0
        self.steps = 0
        self.rows: list[list[float]] = []

    def save(self, path: str, plan: Plan) -> None:
        """Write a checkpoint atomically; a killed process leaves the previous one."""
        from standstill.engine.common.atomic_files import new_path

        with new_path(path) as temporary, open(temporary, "wb") as file:
            np.savez(
                file,
                plan=np.array([repr(tuple(plan))]),
                parameters=self.parameters,
                means=self.means,
                squares=self.squares,
                counts=np.array([self.passes, self.steps]),
                rows=np.array(self.rows),
            )

    def load(self, path: str, plan: Plan) -> bool:
        """Load the checkpoint of the same plan, if it exists. Raises ValueError for any other file."""
        if not os.path.exists(path):
            return False
        remedy = "remove it, or name another network"
        try:
            if not zipfile.is_zipfile(path):  # NumPy would try to read other files as arrays
                raise zipfile.BadZipFile
            with np.load(path) as file:
                saved = dict(file)
            found, (passes, steps) = str(saved["plan"][0]), map(int, saved["counts"])
            vectors = [saved[name] for name in ("parameters", "means", "squares")]
            rows = [list(map(float, row)) for row in saved["rows"]]
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, IndexError, TypeError, ValueError):
            raise ValueError(f"{path}: a damaged checkpoint; {remedy}") from None
        if found != repr(tuple(plan)):
            raise ValueError(f"{path}: the checkpoint of another training; {remedy}")
        self.parameters, self.means, self.squares = vectors
        self.passes, self.steps, self.rows = passes, steps, rows
        return True


class Trains(Protocol):
    """The interface of trainers. ``order``: the numbers of the samples to use."""

    def outputs(self, parameters: np.ndarray, order: np.ndarray, out: np.ndarray) -> float:
        """Write the outputs, in units of the scale; returns the sum of their losses."""
        ...

    def begin(self, state: State) -> None:
        """Load a state for a pass."""

    def step(self, order: np.ndarray, number: int, rate: float) -> None:
        """Make a step with a batch. number: number of the step, counted from 1 over all passes."""

    def end(self, state: State) -> float:
        """Store the state after a pass; returns the sum of the losses of all its batches."""
        ...
