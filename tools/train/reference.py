"""The same training in PyTorch, on a GPU where there is one; the compiled trainer must give the same losses."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from standstill.engine.network.file import BUCKETS, FEATURES
from standstill.engine.variants.variant import CHESS

from .data import SAMPLE, Samples
from .network import MOST, places
from .plan import Plan, State

MOST_AT_ONCE = 65536  # positions for which outputs are computed together
SQUARES = 64
KINGS = (6, 14)  # codes of the mover's and the opponent's king among a sample's pieces


class Batch:
    """Positions on the device: the concatenated inputs of both perspectives, and the offset of each position."""

    def __init__(self, own: torch.Tensor, other: torch.Tensor, counts: torch.Tensor, buckets: torch.Tensor):
        self.inputs = own, other
        self.begins = counts.cumsum(0) - counts
        self.buckets = buckets


class ReferenceTrainer:
    """Like learning.CompiledTrainer, with gradients by autograd and steps by torch.optim.AdamW.

    All samples and the state of a pass lie in the memory of the device.
    """

    def __init__(self, plan: Plan, samples: Samples):
        self._plan = plan
        self._samples = samples
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        fields = samples.fields
        self._rows = torch.from_numpy(samples.raw.reshape(len(fields), -1)).to(self._device)
        self._scores, self._results = (
            torch.from_numpy(np.ascontiguousarray(fields[name])).to(self._device) for name in ("cp", "result")
        )
        self._groups = torch.tensor([king_group(sq) for sq in range(SQUARES)], device=self._device)
        self._values = torch.zeros(0, device=self._device)
        self._total = torch.zeros(0, device=self._device)

    # --- inputs of a position ------------------------------------------------------------------------------------

    def _batch(self, order: torch.Tensor, numbers: np.ndarray) -> Batch:
        return self._chess(order) if self._samples.game is CHESS else self._by_definition(numbers)

    def _chess(self, order: torch.Tensor) -> Batch:
        """As features_of in cext/training/sample.pxd, for all positions at once."""
        rows = self._rows[order]
        bits = torch.arange(8, device=self._device)
        occupied = (rows[:, :8, None] >> bits & 1).reshape(-1, SQUARES).long()
        first = SAMPLE.fields["pieces"][1]
        packed = rows[:, first : first + 16]
        pieces = torch.stack((packed & 15, packed >> 4), dim=2).reshape(len(rows), -1).long()
        boards = pieces.gather(1, (occupied.cumsum(1) - 1).clamp(min=0)) * occupied
        position, square = occupied.nonzero(as_tuple=True)
        piece = boards[position, square]
        inputs = []
        for king, turn in zip(KINGS, (0, 56), strict=True):
            place = (boards == king).int().argmax(1)
            mirror = torch.where(place & 4 > 0, 0, 7)
            group = self._groups[place ^ turn ^ mirror] if self._samples.by_king else torch.zeros_like(place)
            theirs = (piece >> 3) ^ (turn > 0)
            row = FEATURES * group[position] + 384 * theirs + 64 * ((piece & 7) - 1)
            inputs.append(row + (square ^ turn ^ mirror[position]))
        counts = occupied.sum(1)
        by_pieces = ((counts - 2) // 4).clamp(max=BUCKETS - 1)
        outputs = rows[:, SAMPLE.fields["ply"][1]].long() if self._samples.records else by_pieces
        return Batch(inputs[0], inputs[1], counts, outputs)

    def _by_definition(self, numbers: np.ndarray) -> Batch:
        own, other, buckets = self._samples.features(numbers)
        used = own < self._samples.inputs
        first, second, counts, chosen = (
            torch.from_numpy(array).long().to(self._device) for array in (own[used], other[used], used.sum(1), buckets)
        )
        return Batch(first, second, counts, chosen)

    def _known(self, numbers: np.ndarray) -> torch.Tensor:
        """The scores to which the outputs are added."""
        known = self._samples.known(numbers).astype(np.float32) / np.float32(self._plan.scale)
        return torch.from_numpy(known).to(self._device)

    # --- outputs of the network ----------------------------------------------------------------------------------

    def _forward(self, parameters: torch.Tensor, batch: Batch) -> torch.Tensor:
        inputs, width = self._samples.inputs, self._plan.width
        biases, output, last = places(inputs, width)
        weights = parameters[:biases].view(inputs, width)
        hidden = [
            functional.embedding_bag(rows, weights, batch.begins, mode="sum") + parameters[biases:output]
            for rows in batch.inputs
        ]
        activated = torch.cat(hidden, dim=1).clamp(0, 1).square()
        chosen = parameters[output:last].view(BUCKETS, 2 * width)[batch.buckets]
        return (activated * chosen).sum(dim=1) + parameters[last:][batch.buckets]

    def _judged(self, parameters: torch.Tensor, numbers: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Outputs and squared errors."""
        order = torch.from_numpy(numbers.astype(np.int64)).to(self._device)
        outputs = self._forward(parameters, self._batch(order, numbers))
        share = self._plan.result_share
        expected = torch.sigmoid(self._scores[order].float() / self._plan.scale)
        target = (1 - share) * expected + share * self._results[order].float() / 2
        return outputs, (torch.sigmoid(outputs + self._known(numbers)) - target).square()

    def outputs(self, parameters: np.ndarray, order: np.ndarray, out: np.ndarray) -> float:
        total = 0.0
        with torch.no_grad():
            copied = torch.from_numpy(parameters).to(self._device)
            for begin in range(0, len(order), MOST_AT_ONCE):
                found, errors = self._judged(copied, order[begin : begin + MOST_AT_ONCE])
                out[begin : begin + len(found)] = found.cpu().numpy()
                total += float(errors.sum())
        return total

    # --- a pass ---------------------------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        self._values, means, squares = (
            torch.from_numpy(array).to(self._device, copy=True)
            for array in (state.parameters, state.means, state.squares)
        )
        self._values.requires_grad_()
        self._optimiser = torch.optim.AdamW([self._values], weight_decay=self._plan.decay)
        self._optimiser.state[self._values] = {
            "step": torch.tensor(float(state.steps)),
            "exp_avg": means,
            "exp_avg_sq": squares,
        }
        self._total = torch.zeros((), device=self._device)

    def step(self, order: np.ndarray, number: int, rate: float) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss = self._judged(self._values, order)[1].mean()
        loss.backward()  # type: ignore[no-untyped-call]
        self._optimiser.step()
        with torch.no_grad():
            self._values.clamp_(-MOST, MOST)
            self._total += loss.detach() * len(order)

    def end(self, state: State) -> float:
        moments = self._optimiser.state[self._values]
        state.parameters[:] = self._values.detach().cpu().numpy()
        state.means[:] = moments["exp_avg"].cpu().numpy()
        state.squares[:] = moments["exp_avg_sq"].cpu().numpy()
        return float(self._total)


def king_group(sq: int) -> int:
    """The group of the king's square on the files e to h, as in docs/network-format.md."""
    rank, file = sq >> 3, sq & 3
    return 4 * rank + file if rank < 2 else 8 + 2 * (min(rank, 5) - 2) + file // 2
