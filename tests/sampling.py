"""Selects the cases of a test for `make test`: @pytest.mark.sampled(4) above a test keeps about four of them there.

The others are slow. The kept cases cover every value of every parameter, if that many cases can.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest


def sample(cases: Sequence[frozenset[object]], count: int) -> set[int]:
    """The numbers of ``count`` cases that cover as many different values as possible, otherwise spread over the list.

    cases: the values of each case.
    """
    kept: set[int] = set()
    seen: set[object] = set()
    # Neighbours are alike, so the order begins with those that lie far apart: 0, 1/2, 1/4, 3/4, 1/8, ... of the list.
    order = sorted(range(len(cases)), key=lambda number: (_halvings(number, len(cases)), number))
    while len(kept) < min(count, len(cases)):
        kept.add(max((number for number in order if number not in kept), key=lambda number: len(cases[number] - seen)))
        seen |= frozenset().union(*(cases[number] for number in kept))
    return kept


def _halvings(number: int, count: int) -> int:
    """The number of times that the list must be halved until a part begins at this number."""
    parts, depth = 1, 0
    while not any(number == part * count // parts for part in range(parts)):
        parts, depth = parts * 2, depth + 1
    return depth


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Mark as slow the cases that the marks ``sampled`` leave out."""
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
