"""The targets accept the kept inputs of the fuzzer, and inputs that once broke something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", TARGETS)
def test_kept_inputs_break_nothing(name: str) -> None:
    for path in sorted(CORPUS.glob(f"{name}/*")):
        TARGETS[name](path.read_bytes())


def test_every_corpus_has_its_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(TARGETS)
