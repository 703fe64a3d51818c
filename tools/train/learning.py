"""The passes over the samples: batches, rates, losses, and going on after an interruption."""

from __future__ import annotations

import csv
import math
import os
import time
import zipfile
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Protocol

import numpy as np

from standstill.cext.learning.training import Trainer
from standstill.engine.games.game import CHESS
from standstill.engine.words.install import install_command

from .data import Samples
from .network import MOST

PARTS = 4  # of a batch: fixed, so that the network does not depend on the number of threads
DECAY = 0.01
FIRST_RATE, LAST_RATE = 1e-3, 1e-5
WARM_UP = 200  # steps in which the rate rises
COLUMNS = ("pass", "steps", "rate", "training", "validation", "positions_a_second")


class Plan(NamedTuple):
    """How a network learns. All of it belongs to a checkpoint: another plan is another training."""

    width: int
    passes: int
    batch: int
    scale: float
    result_share: float
    seed: int
    rate: float = FIRST_RATE
    positions: int = 0  # to learn from
    start: str = ""  # the name of the network that was gone on from
    look_ahead: float = 0.0  # how much of what a ply counts in the target the next one does
    decay: float = DECAY  # of the weights
    by_king: bool = False  # inputs for each group of the own king's places
    records: bool = False  # foresees who will hold the last record

    def rate_at(self, step: int, steps: int) -> float:
        """From ``rate`` to LAST_RATE along a cosine, after a short rise."""
        share = step / max(1, steps)
        rate = LAST_RATE + (self.rate - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
        return rate * min(1.0, (step + 1) / WARM_UP)


class State:
    """Parameters and the optimiser's state, and how many passes are done."""

    def __init__(self, parameters: np.ndarray):
        self.parameters = parameters.astype(np.float32)
        self.means = np.zeros_like(self.parameters)
        self.squares = np.zeros_like(self.parameters)
        self.passes = 0
        self.steps = 0
        self.rows: list[list[float]] = []

    def save(self, path: str, plan: Plan) -> None:
        """Write a checkpoint; a process that is killed leaves the one before."""
        from standstill.engine.words.files import new_path

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
        """Take over a checkpoint of the same plan, if there is one. Raises ValueError for any other file."""
        if not os.path.exists(path):
            return False
        remedy = "remove it, or name another network"
        try:
            if not zipfile.is_zipfile(path):  # NumPy would take it for something else
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
    """Computes losses and makes steps. ``order``: the numbers of samples."""

    def outputs(self, parameters: np.ndarray, order: np.ndarray, out: np.ndarray) -> float:
        """Fill in the outputs, in units of the scale; the sum of their losses."""

    def begin(self, state: State) -> None:
        """Take over a state for a pass."""

    def step(self, order: np.ndarray, number: int, rate: float) -> None:
        """A step from a batch; number: from 1 on, over all passes."""

    def end(self, state: State) -> float:
        """Give the state back after a pass; the sum of the losses of all its batches."""


class CompiledTrainer:
    """The trainer of the core, on several threads."""

    def __init__(self, plan: Plan, samples: Samples, threads: int):
        inputs = 0 if samples.game is CHESS else samples.inputs
        self._core = Trainer(
            plan.width, samples.raw, PARTS, plan.scale, plan.result_share, inputs, samples.by_king, samples.records
        )
        self._pool = ThreadPoolExecutor(threads)
        self._decay = plan.decay

    def outputs(self, parameters: np.ndarray, order: np.ndarray, out: np.ndarray) -> float:
        return self._core.outputs(parameters, order, out)

    def begin(self, state: State) -> None:
        self._state, self._loss = state, 0.0

    def step(self, order: np.ndarray, number: int, rate: float) -> None:
        state, core = self._state, self._core
        list(self._pool.map(lambda part: core.descend(state.parameters, order, part), range(PARTS)))
        now = state.parameters, state.means, state.squares, len(order), number, rate, self._decay, MOST
        list(self._pool.map(lambda part: core.step(*now, part), range(PARTS)))
        self._loss += core.loss()

    def end(self, state: State) -> float:
        return self._loss


class Learner:
    """Trains a state by a plan."""

    def __init__(self, samples: Samples, plan: Plan, trainer: Trains):
        self.samples = samples
        self.plan = plan
        self.trainer = trainer

    @property
    def batch(self) -> int:
        """The positions of a step: no more than there are."""
        return min(self.plan.batch, len(self.samples.training))

    @property
    def steps_a_pass(self) -> int:
        return max(1, len(self.samples.training) // self.plan.batch)

    def run(self, state: State, after_pass: Callable[[State], None]) -> None:
        """Make the passes that are left; ``after_pass`` may write checkpoints."""
        while state.passes < self.plan.passes:
            start = time.monotonic()
            rate, loss = self.make_pass(state)
            state.passes += 1
            pace = self.steps_a_pass * self.batch / (time.monotonic() - start)
            state.rows.append([state.passes, state.steps, rate, loss, self.validation_loss(state), round(pace)])
            after_pass(state)

    def make_pass(self, state: State) -> tuple[float, float]:
        """All training samples once, in an order that follows from seed and pass; (rate, mean loss)."""
        plan, trainer = self.plan, self.trainer
        order = np.random.default_rng([plan.seed, state.passes]).permutation(self.samples.training)
        batch = self.batch
        steps, rate = self.steps_a_pass, plan.rate
        trainer.begin(state)
        for number in range(steps):
            rate = plan.rate_at(state.steps, plan.passes * steps)
            state.steps += 1
            trainer.step(order[number * batch : (number + 1) * batch], state.steps, rate)
        return rate, trainer.end(state) / (steps * batch)

    def outputs(self, parameters: np.ndarray, order: np.ndarray) -> np.ndarray:
        """The outputs of samples, in units of the scale."""
        out = np.zeros(len(order), dtype=np.float32)
        self.trainer.outputs(parameters, order, out)
        return out

    def validation_loss(self, state: State) -> float:
        order = self.samples.validation
        out = np.zeros(len(order), dtype=np.float32)
        return self.trainer.outputs(state.parameters, order, out) / max(1, len(order))


def trainer(samples: Samples, plan: Plan, threads: int, *, in_pytorch: bool) -> Trains:
    """The compiled one, or the one in PyTorch. Raises ValueError without PyTorch."""
    if not in_pytorch:
        return CompiledTrainer(plan, samples, threads)
    try:
        from .reference import ReferenceTrainer
    except ImportError:
        raise ValueError(f"--reference needs PyTorch: {install_command('train')}") from None
    return ReferenceTrainer(plan, samples)


def write_log(path: str, rows: list[list[float]]) -> None:
    """Write the losses of each pass as CSV."""
    with open(path, "w", encoding="ascii", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        out.writerows(rows)
