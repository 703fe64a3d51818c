"""Fixtures that run `standstill match` with engines."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def ours(executable: Path) -> Callable[..., str]:
    def spec(name: str, *words: str) -> str:
        return " ".join([f"cmd={shlex.quote(str(executable))} name={name}", *words])

    return spec


@pytest.fixture
def command(executable: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """The arguments of a match: the engines, then everything else."""

    def words(*engines: str, pgn: str = "m.pgn", openings: str | None = None, more: str = "--nodes 1") -> list[str]:
        found = [str(executable), "match", "-o", pgn, *more.split()]
        for engine in engines:
            found += ["--engine", engine]
        if openings is not None:
            (tmp_path / "o.epd").write_text(openings, encoding="utf-8")
            found += ["--openings", "o.epd"]
        return found

    return words


@pytest.fixture
def run(command, tmp_path: Path) -> Run:
    def call(*engines: str, **more: str) -> subprocess.CompletedProcess:
        words = command(*engines, **more)
        return forked.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False)

    return call
