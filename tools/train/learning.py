"""Training passes over the samples: batches, losses, and their log."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from standstill.cext.training.trainer import Trainer
from standstill.engine.common.install import install_command
from standstill.engine.variants.variant import CHESS

from .data import Samples
from .network import MOST
from .plan import Plan, State, Trains

PARTS = 4  # number of parts of a batch: fixed, so that the network does not depend on the number of threads
COLUMNS = ("pass", "steps", "rate", "training", "validation", "positions_a_second")


class CompiledTrainer:
    """The compiled trainer, which uses several threads."""

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
    """Trains the parameters of a state according to a plan."""

    def __init__(self, samples: Samples, plan: Plan, trainer: Trains):
        self.samples = samples
        self.plan = plan
        self.trainer = trainer

    @property
    def batch(self) -> int:
        """The number of samples in a training step, at most the number of all training samples."""
        return min(self.plan.batch, len(self.samples.training))

    @property
    def steps_a_pass(self) -> int:
        return max(1, len(self.samples.training) // self.plan.batch)

    def run(self, state: State, after_pass: Callable[[State], None]) -> None:
        """Make the remaining passes; ``after_pass`` may write checkpoints."""
        while state.passes < self.plan.passes:
            start = time.monotonic()
            rate, loss = self.make_pass(state)
            state.passes += 1
            pace = self.steps_a_pass * self.batch / (time.monotonic() - start)
            state.rows.append([state.passes, state.steps, rate, loss, self.validation_loss(state), round(pace)])
            after_pass(state)

    def make_pass(self, state: State) -> tuple[float, float]:
        """Train on all samples once, in an order determined by seed and pass; returns (rate, mean loss)."""
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
        """The network's outputs for samples, in units of the scale."""
        out = np.zeros(len(order), dtype=np.float32)
        self.trainer.outputs(parameters, order, out)
        return out

    def validation_loss(self, state: State) -> float:
        order = self.samples.validation
        out = np.zeros(len(order), dtype=np.float32)
        return self.trainer.outputs(state.parameters, order, out) / max(1, len(order))


def trainer(samples: Samples, plan: Plan, threads: int, *, in_pytorch: bool) -> Trains:
    """The compiled trainer, or the one in PyTorch. Raises ValueError without PyTorch."""
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
