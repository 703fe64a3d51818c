"""Runs of `standstill annotate` that are interrupted and resumed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import time
from datetime import date
from io import FileIO
from pathlib import Path

import pytest

from standstill.engine.annotate import journal
from standstill.engine.annotate.analysis import Part
from standstill.engine.annotate.journal import Journal
from standstill.engine.annotate.verdicts import JudgedPosition
from standstill.engine.common.errors import StandstillError
from tests.annotate.conftest import Annotate
from tests.annotate.support import MATES
from tests.uci.client import PATIENCE_S, clean_environment


@pytest.mark.slow
def test_interrupted_and_resumed_is_the_same_file(executable: Path, tmp_path: Path, result) -> None:
    several = "".join(MATES.replace("One", f"Game {number}") for number in range(4))
    whole = result(several, "--nodes", "4000", "--eval")
    (tmp_path / "out.pgn").unlink()
    command = [executable, "annotate", "in.pgn", "-o", "out.pgn", "--nodes", "4000", "--eval"]
    progress = tmp_path / "out.pgn.progress"
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=clean_environment())
    deadline = time.monotonic() + PATIENCE_S
    while not (progress.exists() and progress.read_text().count("\n") >= 4):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = progress.read_text().splitlines()[1:]
    with progress.open("a") as file:
        file.write('{"part": [9, 0, 8], "posi')  # cut off in the middle of a line
    assert not (tmp_path / "out.pgn").exists() and len(json.loads(kept[1])["positions"]) > 1
    assert result(several, "--nodes", "4000", "--eval") == whole


def test_progress_of_another_run_is_not_thrown_away(annotate: Annotate, tmp_path: Path) -> None:
    head = '{"format": 1, "run": "another"}\n'
    for text in (f'{head}{{"part": [1, 0, 1], "positions": []}}\n', "someone's notes\n"):
        (tmp_path / "out.pgn.progress").write_text(text)
        done = annotate(MATES, "--nodes", "100")
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert (tmp_path / "out.pgn.progress").read_text() == text


@pytest.mark.sampled(1)
@pytest.mark.parametrize("left", ["", '{"format": 1, "run": "another"}\n', '{"format": 1, "run": "another"}\n{"pa'])
def test_progress_without_findings_is_ignored(result, tmp_path: Path, left: str) -> None:
    (tmp_path / "out.pgn.progress").write_text(left)
    assert "$21" in result(MATES, "--nodes", "500")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "mistake", [["--engine", "/nonexistent/engine"], ["--option", "Nonsense=1"], ["--engine", "true"]], ids=" ".join
)
def test_after_a_mistyped_engine_the_corrected_command_runs(annotate, result, tmp_path: Path, mistake) -> None:
    assert annotate(MATES, "--nodes", "500", *mistake).returncode == 2
    assert not (tmp_path / "out.pgn.progress").exists()
    assert "$21" in result(MATES, "--nodes", "500")


def test_findings_of_another_version_of_the_engine_are_not_mixed(annotate, executable: Path, tmp_path: Path) -> None:
    """The program at the same path has been replaced between two runs."""
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\n"{executable}" | sed -u "s/^id name .*/id name Old 1.0/"\n')
    engine.chmod(0o755)
    crash = ["--engine", f"{engine}", "--nodes", "300"]
    several = MATES * 3
    done = annotate(several, *crash)
    assert done.returncode == 0 and f"by Old 1.0, 300 nodes, {date.today()}, x05 0.62" in done.stderr
    first = Journal(tmp_path / "out.pgn.progress", "run")
    first.start()
    first.name("Old 1.0")
    first.add(Part(1, 0, 1), [JudgedPosition()])
    first.close()
    again = Journal(tmp_path / "out.pgn.progress", "run")
    again.start()
    again.name("Old 1.0")
    with pytest.raises(StandstillError, match=r"the engine is now 'New 2\.0', .* 'Old 1\.0'"):
        again.name("New 2.0")
    again.close()


@pytest.mark.slow
def test_two_runs_at_a_time_do_not_share_a_file(annotate: Annotate, executable: Path, tmp_path: Path) -> None:
    """If two runs shared one progress file, the run that ends first would remove the other run's evaluations."""
    (tmp_path / "in.pgn").write_text(MATES)
    command = [executable, "annotate", "in.pgn", "-o", "out.pgn", "--time", "2s"]
    progress = tmp_path / "out.pgn.progress"
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, env=clean_environment()) as first:
        deadline = time.monotonic() + PATIENCE_S
        while not (progress.exists() and progress.read_bytes()):
            assert time.monotonic() < deadline and first.poll() is None
            time.sleep(0.005)
        done = annotate(MATES, "--time", "2s")
        assert progress.exists() and first.poll() is None
        first.kill()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "standstill: cannot write out.pgn.progress: another run is annotating these games\n"


def test_what_another_run_has_found_meanwhile_stays(tmp_path: Path) -> None:
    """Another run starts and is interrupted after this run has read the file, but before this run opens the file."""
    path = tmp_path / "progress"
    late, other = Journal(path, "run"), Journal(path, "run")
    other.start()
    other.add(Part(1, 0, 1), [JudgedPosition()])
    other.close()
    with pytest.raises(StandstillError, match="another run is annotating these games"):
        late.start()
    assert Journal(path, "run").found


def test_a_progress_file_that_finds_no_room_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A truncated first line would make the file look like the file of another program."""

    def full(file: FileIO, line: str) -> None:
        file.write(line[:9].encode("ascii"))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(journal, "_write_all", full)
    path = tmp_path / "progress"
    with pytest.raises(StandstillError, match="No space left"):
        Journal(path, "run").start()
    assert not path.exists()


def test_interrupting_says_how_to_go_on(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(MATES)
    command = [executable, "annotate", "in.pgn", "-o", "out.pgn", "--time", "2s"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=clean_environment())
    deadline = time.monotonic() + PATIENCE_S
    while not (tmp_path / "out.pgn.progress").exists():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130 and len(errors.splitlines()) == 1
    assert not (tmp_path / "out.pgn").exists()
