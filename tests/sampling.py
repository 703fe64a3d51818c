"""Selects test cases for `make test`: with @pytest.mark.sampled(4) about four cases of a test stay there.

The others are marked slow. If possible, the kept cases cover every value of every parameter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest


def sample(cases: Sequence[frozenset[object]], count: int) -> set[int]:
    """The indices of ``count`` cases that cover as many values as possible and are spread over the list.

    cases: the values of each case.
    """
    kept: set[int] = set()
    seen: set[object] = set()
    # Neighbours are similar, so the order starts with cases far apart: 0, 1/2, 1/4, 3/4, 1/8, ... of the list.
    order = sorted(range(len(cases)), key=lambda number: (_halvings(number, len(cases)), number))
    while len(kept) < min(count, len(cases)):
        kept.add(max((number for number in order if number not in kept), key=lambda number: len(cases[number] - seen)))
        seen |= frozenset().union(*(cases[number] for number in kept))
    return kept


def _halvings(number: int, count: int) -> int:
    """How often the list must be halved until a part starts at this index."""
    parts, depth = 1, 0
    while not any(number == part * count // parts for part in range(parts)):
        parts, depth = parts * 2, depth + 1
    return depth


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Mark as slow the cases that ``sampled`` leaves out."""
    groups: dict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("sampled") and hasattr(item, "callspec"):
            groups[item.nodeid.partition("[")[0]].append(item)
    for group in groups.values():
        count = group[0].get_closest_marker("sampled").args[0]
        fast = [item for item in group if not item.get_closest_marker("slow")]
        kept = sample([frozenset(item.callspec.indices.items()) for item in fast], count)
        for number, item in enumerate(fast):
            if number not in kept:
                item.add_marker(pytest.mark.slow)
