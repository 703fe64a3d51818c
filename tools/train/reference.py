"""The same training in PyTorch, as a reference, and for a GPU: the compiled trainer must give the same losses."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from standstill.engine.network.file import BUCKETS

from .data import Samples
from .learning import Plan
from .network import places

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]
MOST_AT_ONCE = 65536  # positions whose outputs are computed together


class ReferenceTrainer:
    """As standstill.cext.learning.training.Trainer; gradients by autograd, steps by torch.optim.AdamW."""

    def __init__(self, plan: Plan, samples: Samples):
        self._width = plan.width
        self._samples = samples
        self._scale = plan.scale
        self._share = plan.result_share
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._order = np.zeros(0, dtype=np.uint32)

    def _batch(self, order: np.ndarray) -> Batch:
        """Inputs of both perspectives, outputs, what they are added to, and targets."""
        own, other, buckets = self._samples.features(order)
        fields = self._samples.fields[order]
        expected = torch.sigmoid(torch.from_numpy(fields["cp"].astype(np.float32)) / self._scale)
        won = torch.from_numpy(fields["result"].astype(np.float32)) / 2
        target = (1 - self._share) * expected + self._share * won
        known = torch.from_numpy(self._samples.known(order).astype(np.float32)) / self._scale
        indices = (torch.from_numpy(array).long() for array in (own, other, buckets))
        own_t, other_t, buckets_t, known, target = (t.to(self._device) for t in (*indices, known, target))
        return own_t, other_t, buckets_t, known, target

    def _forward(self, parameters: torch.Tensor, batch: Batch) -> torch.Tensor:
        own, other, buckets = batch[:3]
        inputs = self._samples.inputs
        biases, output, last = places(inputs, self._width)
        # The last row stands for places without a man.
        weights = functional.pad(parameters[:biases].view(inputs, self._width), (0, 0, 0, 1))
        hidden = [
            functional.embedding_bag(rows, weights, mode="sum") + parameters[biases:output] for rows in (own, other)
        ]
        activated = torch.cat(hidden, dim=1).clamp(0, 1).square()
        chosen = parameters[output:last].view(BUCKETS, 2 * self._width)[buckets]
        return (activated * chosen).sum(dim=1) + parameters[last:][buckets]

    def outputs(self, parameters: np.ndarray, order: np.ndarray, out: np.ndarray) -> float:
        total = 0.0
        with torch.no_grad():
            copied = torch.from_numpy(parameters).to(self._device)
            for begin in range(0, len(order), MOST_AT_ONCE):
                batch = self._batch(order[begin : begin + MOST_AT_ONCE])
                found = self._forward(copied, batch)
                out[begin : begin + len(found)] = found.cpu().numpy()
                total += float((torch.sigmoid(found + batch[3]) - batch[4]).square().sum())
        return total

    def descend(self, parameters: np.ndarray, order: np.ndarray, part: int) -> None:
        """Note the batch: all of it is computed at the step."""
        self._order = order

    def step(  # noqa: PLR0917 (as the compiled one)
        self,
        parameters: np.ndarray,
        means: np.ndarray,
        squares: np.ndarray,
        batch: int,
        number: int,
        rate: float,
        decay: float,
        most: float,
        part: int,
    ) -> None:
        """All of the step is its first part."""
        if part:
            return
        values = torch.from_numpy(parameters).to(self._device).requires_grad_()
        optimiser = torch.optim.AdamW([values], lr=rate, weight_decay=decay)
        optimiser.state[values] = {
            "step": torch.tensor(float(number - 1)),
            "exp_avg": torch.from_numpy(means).to(self._device),
            "exp_avg_sq": torch.from_numpy(squares).to(self._device),
        }
        data = self._batch(self._order)
        loss = (torch.sigmoid(self._forward(values, data) + data[3]) - data[4]).square().mean()
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            values.clamp_(-most, most)
        parameters[:] = values.detach().cpu().numpy()
        means[:] = optimiser.state[values]["exp_avg"].cpu().numpy()
        squares[:] = optimiser.state[values]["exp_avg_sq"].cpu().numpy()
        self._loss = float(loss.detach()) * batch

    def loss(self) -> float:
        return self._loss
