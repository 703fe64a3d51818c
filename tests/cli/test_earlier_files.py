"""Files written by version 0.1 (commit f4dd569) are read and continued.

tests/data/earlier: a store of correspondence games with an analysis, the games of a match, games for training, and the
tables of KvK. Networks of that age ship with the program.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import forked

EARLIER = Path(__file__).parents[1] / "data/earlier"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EARLIER, tmp_path / "files"))


def told(executable: Path, files: Path, *words: object) -> str:
    done = forked.run([executable, *words], cwd=files, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_store_of_games(executable: Path, files: Path) -> None:
    store = ("games", "--store", "games.sqlite")
    assert "1 game, 0 problems" in told(executable, files, *store, "check")
    assert "depth 22  +0.32" in told(executable, files, *store, "show", "WS-12")
    assert "2.Nf3" in told(executable, files, *store, "move", "WS-12", "Nf3", "--at", "2026-11-28T01:20Z")
    assert "1 game, 0 problems" in told(executable, files, *store, "check")


@pytest.mark.slow
def test_a_match_is_continued(executable: Path, files: Path) -> None:
    before = (files / "match.pgn").read_text()
    (files / "standstill").symlink_to(executable)  # the engines' commands are part of a match's identity
    engine = "cmd=./standstill name="
    engines = ("--engine", engine + "A", "--engine", engine + "B")
    words = ("match", *engines, "--nodes", "200", "-o", "match.pgn", "--rounds")
    assert "A - B, 1 pair:" in told(executable, files, *words, 1)
    assert (files / "match.pgn").read_text() == before
    assert "A - B, 2 pairs:" in told(executable, files, *words, 2)
    assert (files / "match.pgn").read_text().startswith(before)


def test_games_for_training(executable: Path, files: Path) -> None:
    assert told(executable, files, "data", "stats", "training.games").startswith("4 games, 398 plies")
    assert "1. " in told(executable, files, "data", "show", "training.games")


def test_tables(executable: Path, files: Path) -> None:
    tables = ("tables", "--path", ".")
    assert "0 files refused, 0 blocks corrupt" in told(executable, files, *tables, "verify")
    shipped = told(executable, files, "tables", "stats", "KvK")
    assert told(executable, files, *tables, "stats", "KvK") == shipped
