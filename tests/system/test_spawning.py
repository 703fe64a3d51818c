"""Spawned workers, as on Windows and macOS, find what they need and give the same results as forked ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GAMES = "".join(
    f'[Event "E"]\n[White "W"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. {move} Nc6 3. Bb5 a6 1/2-1/2\n\n'
    for move in ("Nf3", "Nc3", "f4", "d4", "h3") * 8
)
# The launcher with another start method for workers.
LAUNCHER = """\
import multiprocessing, sys
sys.path[:0] = {path!r}
from standstill.engine.system import processes
processes.workers = lambda: multiprocessing.get_context("spawn")
from standstill.protocol.main import main
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["tag", "--jobs", "2", "in.pgn"],
        pytest.param(["annotate", "--jobs", "2", "--nodes", "20", "in.pgn"], marks=pytest.mark.slow),
    ],
    ids=lambda w: w[0],
)
def test_the_output_is_that_of_one_process(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "in.pgn").write_text(GAMES, encoding="ascii")
    (tmp_path / "launcher.py").write_text(LAUNCHER.format(path=sys.path), encoding="utf-8")

    def out(name: str, jobs: str) -> bytes:
        command = [sys.executable, "launcher.py", *words, "-o", name]
        command[command.index("--jobs") + 1] = jobs
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, done.stderr
        return (tmp_path / name).read_bytes()

    assert out("spawned.pgn", "2") == out("alone.pgn", "1")
