"""A few mutated files; ``hostile`` can generate any number."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.amounts import LONG
from tests.pgn.hostile import hostile, problems


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(60 if LONG else 24))
def test_no_command_stumbles_over_a_hostile_file(tmp_path: Path, seed: int) -> None:
    data = hostile(random.Random(f"6-{seed}"), [])
    assert list(problems(data, tmp_path, searched=seed % 10 == 0)) == [], data
