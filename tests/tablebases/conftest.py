"""The tables of three pieces, built once by the command, and the command itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import PATIENCE_S

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture(scope="session")
def tables(executable: Path) -> Run:
    """Run `standstill tables` to its end; a traceback fails the test."""

    def call(folder: Path, *arguments: str, told: str = "") -> subprocess.CompletedProcess:
        words = [executable, "tables", "--path", str(folder), *arguments]
        done = forked.run(words, input=told, capture_output=True, text=True, timeout=20 * PATIENCE_S, check=False)
        assert "Traceback" not in done.stderr
        return done

    return call


@pytest.fixture(scope="session")
def folder(tables: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all tables of up to three pieces. Tests must not change it."""
    path = tmp_path_factory.mktemp("tables")
    done = tables(path, "build", "--men", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("KPvK: 165,676 positions") and "100.0 % done" in done.stdout
    return path
