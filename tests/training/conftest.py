"""Fixtures shared by the training tests."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import clean_environment

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(*arguments: object) -> subprocess.CompletedProcess:
        words = [executable, "data", *arguments]
        done = forked.run(words, cwd=tmp_path, capture_output=True, env=clean_environment(), timeout=120)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        assert "Traceback" not in done.stderr
        return done

    return call
