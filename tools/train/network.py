"""A network in 32-bit floats while it learns, and its quantised form (docs/network-format.md)."""

from __future__ import annotations

import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from standstill.cext.training.trainer import parameter_count
from standstill.engine.network.file import ACTIVE, BUCKETS, OUTPUT_ONE, Network

from .data import Samples

AT_ONCE = 4096  # samples whose hidden layers are computed together
MOST = 1.98  # weights are clipped to this size, so that 255 times 64 times the largest fits into 16 bits


def places(inputs: int, width: int) -> tuple[int, int, int]:
    """The indices at which feature biases, output weights and output biases begin among the parameters."""
    biases = inputs * width
    return biases, biases + width, biases + width + BUCKETS * 2 * width


def initial(inputs: int, width: int, seed: int, *, silent: bool = False) -> np.ndarray:
    """Initial parameters. silent: all outputs are 0, for a network added to another evaluation."""
    chance = np.random.default_rng([seed, width])
    biases, output, last = places(inputs, width)
    parameters = np.zeros(parameter_count(width, inputs), dtype=np.float32)
    # About thirty inputs are active. With these biases the sums begin in the middle of 0..1, where every hidden number
    # has a gradient.
    parameters[:biases] = chance.normal(0, 0.1, biases)
    parameters[biases:output] = 0.4
    if not silent:
        parameters[output:last] = chance.normal(0, (2 * width) ** -0.5, last - output)
    return parameters


def quantised(parameters: np.ndarray, inputs: int, width: int, scale: float, about: dict[str, Any]) -> Network:
    """The quantised network, whose values are the outputs times ``scale``; each number is rounded independently."""
    biases, output, last = places(inputs, width)
    finer = max(1, round(scale))
    larger = scale / finer

    def numbers(kind: str, values: np.ndarray) -> array.array:
        return array.array(kind, np.rint(values).astype(np.int64).tolist())

    return Network(
        width,
        finer,
        about,
        numbers("h", parameters[:biases] * ACTIVE),
        numbers("h", parameters[biases:output] * ACTIVE),
        numbers("h", np.clip(parameters[output:last] * larger, -MOST, MOST) * OUTPUT_ONE),
        numbers("i", parameters[last:] * larger * ACTIVE * OUTPUT_ONE),
    )


def restored(network: Network) -> np.ndarray:
    """The parameters of a network file, to continue training."""
    parts = (
        np.array(network.feature_weights, dtype=np.float32) / ACTIVE,
        np.array(network.feature_biases, dtype=np.float32) / ACTIVE,
        np.array(network.output_weights, dtype=np.float32) / OUTPUT_ONE,
        np.array(network.output_biases, dtype=np.float32) / (ACTIVE * OUTPUT_ONE),
    )
    return np.concatenate(parts).astype(np.float32)


def hidden_numbers(
    network: Network, samples: Samples, order: np.ndarray
) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
    """Yield the quantised hidden layers of some thousand samples at a time: (places in ``order``, numbers, outputs
    chosen).

    The numbers are 0 to 255; the perspective of the side to move comes first.
    """
    weights = np.zeros((network.inputs + 1, network.width), dtype=np.int16)
    weights[:-1] = np.array(network.feature_weights, dtype=np.int16).reshape(network.inputs, network.width)
    biases = np.array(network.feature_biases, dtype=np.int16)
    for begin in range(0, len(order), AT_ONCE):
        own, other, buckets = samples.features(order[begin : begin + AT_ONCE])
        hidden = [weights[rows].sum(axis=1, dtype=np.int16) + biases for rows in (own, other)]
        numbers = np.clip(np.concatenate(hidden, axis=1), 0, ACTIVE).astype(np.int64)
        yield slice(begin, begin + len(buckets)), numbers, buckets


def values(network: Network, samples: Samples, order: np.ndarray) -> np.ndarray:
    """The quantised network's values of samples, in centipawns, exactly as the format defines them."""
    output = np.array(network.output_weights, dtype=np.int64).reshape(BUCKETS, 2 * network.width)
    biases = np.array(network.output_biases, dtype=np.int64)
    found = np.zeros(len(order), dtype=np.int64)
    for places, x, buckets in hidden_numbers(network, samples, order):
        sums = (x * x * output[buckets]).sum(axis=1)
        # The format's division truncates towards zero.
        sums = np.sign(sums) * (np.abs(sums) // ACTIVE) + biases[buckets]
        product = sums * network.scale
        found[places] = np.sign(product) * (np.abs(product) // (ACTIVE * OUTPUT_ONE))
    return found
