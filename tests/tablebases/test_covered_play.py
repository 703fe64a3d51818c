"""With its own tables the engine reaches the value of every three-piece start, against good and bad opponents."""

from __future__ import annotations

import pytest

from tools.measure.play.covered import played


@pytest.mark.slow
def test_starts_are_played_to_their_value() -> None:
    assert played(60, None, seed=3) == []


@pytest.mark.slow
def test_many_starts_are_played_to_their_value() -> None:
    assert played(600, None, seed=4) == []
