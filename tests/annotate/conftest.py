"""Fixtures that run `standstill annotate` on a text."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

Annotate = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def annotate(executable: Path, tmp_path: Path) -> Annotate:
    """Write the text to ``in.pgn`` and annotate it into ``out.pgn``."""

    def call(text: str, *arguments: str) -> subprocess.CompletedProcess:
        (tmp_path / "in.pgn").write_text(text, encoding="latin-1")
        return forked.run(
            [executable, "annotate", "in.pgn", "-o", "out.pgn", *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            cwd=tmp_path,
            env=clean_environment(),
            check=False,
        )

    return call


@pytest.fixture
def result(annotate: Annotate, tmp_path: Path) -> Callable[..., str]:
    """The output of a run. The run must succeed."""

    def call(text: str, *arguments: str) -> str:
        done = annotate(text, *arguments)
        assert (done.returncode, done.stdout) == (0, "") and "standstill:" not in done.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pgn", "out.pgn"]
        return (tmp_path / "out.pgn").read_text(encoding="latin-1")

    return call
