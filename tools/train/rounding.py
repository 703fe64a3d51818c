"""Rounds a network's output weights so that its values change least: other weights compensate for each rounding.

The hidden numbers of real positions depend on one another, so there are many ways to round the weights of an output
that change its value much less than rounding each to the nearest number. The method is that of "Optimal Brain
Compression" (Frantar, Singh and Alistarh, 2022), with the second moments of the hidden numbers: one weight after the
other is rounded, and the remaining ones are moved so that the sum changes least. Finally, individual weights are
changed by whole steps as long as this reduces the error.
"""

from __future__ import annotations

import array

import numpy as np

from standstill.engine.network.file import ACTIVE, BUCKETS, OUTPUT_ONE, Network

from .data import Samples, sigmoid
from .network import MOST, hidden_numbers, places

NEARNESS = 1e-3  # strength of the pull towards the unrounded weights, as a share of the mean second moment
MOST_SWEEPS = 50  # maximum number of sweeps over the weights of an output
LIMIT = int(MOST * OUTPUT_ONE)


class OutputRounder:
    """Rounds the output weights of a network, using its hidden layers in sample positions.

    network: keeps its feature weights and biases, which are already whole numbers. parameters: the unrounded
    parameters. outputs: their outputs for the positions that ``order`` lists, to be reproduced where the expected
    result depends on them. unit: centipawns that an output of 1 means.
    """

    def __init__(
        self,
        network: Network,
        parameters: np.ndarray,
        samples: Samples,
        *,
        order: np.ndarray,
        outputs: np.ndarray,
        unit: float,
    ):
        self._network = network
        self._unit = unit
        size = 2 * network.width + 1  # the bias comes last, as a weight of a number that is always 1
        moments, products = np.zeros((BUCKETS, size, size)), np.zeros((BUCKETS, size))
        chances = sigmoid(outputs + samples.known(order) / unit)
        slopes = chances * (1 - chances)
        for there, hidden, buckets in hidden_numbers(network, samples, order):
            numbers = np.ones((len(hidden), size))
            numbers[:, :-1] = (hidden / ACTIVE) ** 2
            numbers *= slopes[there, None]
            wanted = outputs[there] * slopes[there]
            for bucket in np.unique(buckets):
                here = numbers[buckets == bucket]
                moments[bucket] += here.T @ here
                products[bucket] += here.T @ wanted[buckets == bucket]
        _, output, last = places(samples.inputs, network.width)
        floats = np.column_stack((parameters[output:last].reshape(BUCKETS, -1), parameters[last:])).astype(np.float64)
        self._outputs = [Output(*known) for known in zip(moments, products, floats, strict=True)]

    def rounded(self, scale: int) -> Network:
        """The rounded network. scale: the centipawns that an output of 1 means in its file.

        A smaller scale means larger weights and relatively smaller steps, but weights beyond the limit are clipped and
        the others compensate.
        """
        rows = [output.rounded(self._unit / scale * OUTPUT_ONE) for output in self._outputs]
        weights = np.concatenate([row for row, _ in rows]).astype(np.int64)
        biases = np.rint([bias * ACTIVE for _, bias in rows]).astype(np.int64)
        return self._network._replace(
            scale=scale,
            output_weights=array.array("h", weights.tolist()),
            output_biases=array.array("i", biases.tolist()),
        )


class Output:
    """Rounds the weights and the bias of one output. Weights that no position constrains stay near their unrounded
    values.

    moments: for each pair of hidden numbers, the sum of their products over all positions; the last number is the
    bias's constant 1. products: sums of hidden numbers times wanted outputs. floats: unrounded weights and bias.
    """

    def __init__(self, moments: np.ndarray, products: np.ndarray, floats: np.ndarray):
        nearness = NEARNESS * float(np.trace(moments)) / len(moments) or 1.0
        moments = moments + nearness * np.eye(len(moments))
        products = products + nearness * floats
        self._best = np.linalg.solve(moments, products)
        self._bias_moments = moments[-1]
        self._bias_product = products[-1]
        # The bias has fine steps, so it can take the best value for any weights.
        to_bias = moments[-1, :-1]
        self._moments = moments[:-1, :-1] - np.outer(to_bias, to_bias) / moments[-1, -1]
        self._order = np.argsort(-np.diag(self._moments), kind="stable")
        inverse = np.linalg.inv(self._moments[np.ix_(self._order, self._order)])
        self._factor = np.linalg.cholesky(inverse).T

    def rounded(self, larger: float) -> tuple[np.ndarray, float]:
        """Weights and bias in whole steps. larger: number of whole steps in a weight of 1."""
        exact = self._best[:-1] * larger
        whole = self._descended(exact, self._one_after_the_other(exact))
        bias = self._bias_product * larger - self._bias_moments[:-1] @ whole
        return whole, float(bias / self._bias_moments[-1])

    def _one_after_the_other(self, exact: np.ndarray) -> np.ndarray:
        """Rounded weights, where later ones compensate the changes of earlier ones."""
        left, whole = exact[self._order], np.zeros(len(exact))
        for i, row in enumerate(self._factor):
            number = _within(np.rint(left[i]))
            left[i:] -= (left[i] - number) / row[i] * row[i:]
            whole[self._order[i]] = number
        return whole

    def _descended(self, exact: np.ndarray, whole: np.ndarray) -> np.ndarray:
        """Rounded weights that changing any single weight does not improve."""
        slopes = self._moments @ (whole - exact)
        for _ in range(MOST_SWEEPS):
            changed = False
            for i, row in enumerate(self._moments):
                step = _within(whole[i] - np.rint(slopes[i] / row[i])) - whole[i]
                if step and step * (2 * slopes[i] + step * row[i]) < 0:
                    whole[i] += step
                    slopes += step * row
                    changed = True
            if not changed:
                break
        return whole


def _within(number: float) -> float:
    return min(max(number, -LIMIT), LIMIT)
