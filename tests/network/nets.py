"""Networks for the tests, made by a seed."""

from __future__ import annotations

import array
import random

from standstill.engine.network.file import BUCKETS, FEATURES, Network

ABOUT = {"name": "noise", "licence": "CC0-1.0", "origin": "the tests"}


def random_network(width: int = 32, seed: int = 1, scale: int = 400, largest: int = 120) -> Network:
    """Weights by chance, such that hidden numbers fall below 0, between and above 255."""
    chance = random.Random(seed)

    def numbers(code: str, count: int, bound: int) -> array.array[int]:
        return array.array(code, (chance.randint(-bound, bound) for _ in range(count)))

    return Network(
        width,
        scale,
        ABOUT,
        numbers("h", FEATURES * width, largest),
        numbers("h", width, 200),
        numbers("h", BUCKETS * 2 * width, 127),
        numbers("i", BUCKETS, 8000),
    )
