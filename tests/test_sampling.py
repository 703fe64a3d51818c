"""Samples of test cases include every value, and are the same in every run."""

from __future__ import annotations

from itertools import product

import pytest

from tests.sampling import sample


@pytest.mark.parametrize(("wide", "deep"), [(8, 3), (3, 8), (4, 4), (1, 5), (12, 2)])
def test_every_value_of_a_grid_stays(wide: int, deep: int) -> None:
    grid = [frozenset({("a", a), ("b", b)}) for a, b in product(range(wide), range(deep))]
    kept = sample(grid, max(wide, deep))
    assert len(kept) == max(wide, deep)
    assert frozenset().union(*(grid[number] for number in kept)) == frozenset().union(*grid)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40, 50])
def test_a_list_is_sampled_from_all_its_parts(count: int) -> None:
    cases = [frozenset({("a", number)}) for number in range(40)]
    kept = sorted(sample(cases, count))
    assert len(kept) == min(count, 40)
    assert all(after - before <= 2 * 40 / count + 1 for before, after in zip(kept, [*kept[1:], 40], strict=True))


def test_no_case_is_lost() -> None:
    assert sample([], 3) == set()
    assert sample([frozenset()] * 5, 5) == {0, 1, 2, 3, 4}
