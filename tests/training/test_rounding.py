"""Rounding of output weights, compared with every way to round a few of them, and with rounding each alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from standstill.engine.network.file import OUTPUT_ONE
from tools.train.rounding import LIMIT, Output


def a_problem(seed: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return inputs of 400 positions (correlated numbers, then 1 for the bias), weights with the bias, outputs."""
    chance = np.random.default_rng(seed)
    numbers = np.ones((400, size + 1))
    numbers[:, :-1] = np.clip(chance.normal(0.3, 0.3, (400, 3)) @ chance.normal(0, 1, (3, size)), 0, 1) ** 2
    floats = chance.normal(0, 0.3, size + 1)
    return numbers, floats, numbers @ floats


def error(numbers: np.ndarray, outputs: np.ndarray, steps: np.ndarray) -> float:
    """Squared error of weights in steps of 1 / 64, with the best bias for them."""
    apart = numbers[:, :-1] @ steps / OUTPUT_ONE - outputs
    return float(np.sum((apart - apart.mean()) ** 2))


@pytest.mark.slow
def test_few_weights_are_rounded_nearly_as_well_as_by_trying_all_ways() -> None:
    size, ratios = 10, []
    for seed in range(20):
        numbers, floats, outputs = a_problem(seed, size)
        whole, bias = Output(numbers.T @ numbers, numbers.T @ outputs, floats).rounded(OUTPUT_ONE)
        assert np.all(whole == np.rint(whole)) and np.all(np.abs(whole) <= LIMIT)
        found = error(numbers, outputs, whole)
        assert np.sum((numbers[:, :-1] @ whole + bias - outputs * OUTPUT_ONE) ** 2) / OUTPUT_ONE**2 <= found * 1.01
        near = np.floor(floats[:-1] * OUTPUT_ONE)
        best = min(error(numbers, outputs, near + ups) for ups in itertools.product((0, 1), repeat=size))
        plain = error(numbers, outputs, np.rint(floats[:-1] * OUTPUT_ONE))
        ratios.append((found / best, plain / best))
        for i, step in itertools.product(range(size), (-1, 1)):
            changed = whole + step * (np.arange(size) == i)
            assert error(numbers, outputs, changed) > found * 0.9, "changing one weight by a step would still help"
    ours, plains = np.median(ratios, axis=0)
    assert ours < 1.1 < 1.5 < plains


def test_weights_beyond_the_limit_are_made_up_for() -> None:
    numbers, floats, outputs = a_problem(1, 8)
    floats[:2] = 2.5, -2.5
    outputs = numbers @ floats
    whole, _ = Output(numbers.T @ numbers, numbers.T @ outputs, floats).rounded(OUTPUT_ONE)
    assert np.all(np.abs(whole) <= LIMIT)
    cut_off = np.clip(np.rint(floats[:-1] * OUTPUT_ONE), -LIMIT, LIMIT)
    assert error(numbers, outputs, whole) < 0.5 * error(numbers, outputs, cut_off)
