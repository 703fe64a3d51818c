"""Tools refuse bad input, or name what failed, in one line without a traceback: status 2, and 1 for failed work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.building.refusal import failing_in_one_line

ROOT = Path(__file__).resolve().parents[2]


def ran(module: str, *words: str, **variables: str) -> tuple[int, list[str]]:
    """Status and messages of a tool that finds no program."""
    done = subprocess.run(
        [sys.executable, "-m", f"tools.{module}", *words],
        cwd=ROOT,
        env={"PATH": "/nowhere"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["windows"], "the build for Windows needs gcc-mingw-w64-x86-64"),
        (["windows.testing", "--jobs", "1"], "the build for Windows needs wine, wine64"),
        (["package.cross", "linux-aarch64"], "cross: expected the compiler aarch64-linux-gnu-gcc"),
        (["package.cross", "linux-sparc"], "cross: expected one of linux-aarch64"),
        (["package.release", "nowhere", "v1.0.0"], "release: expected a folder and a tag"),
        (["building.requirements", "fun"], "requirements: expected one of "),
        (["prose", "engine/nowhere.py"], "prose: engine/nowhere.py: expected a file or folder of the tree, found none"),
    ],
    ids=["compiler", "wine", "cross-compiler", "target", "folder", "purpose", "prose"],
)
def test_what_is_missing_or_wrong_is_named_with_status_2(words: list[str], said: str) -> None:
    status, lines = ran(*words)
    assert (status, len(lines)) == (2, 1), lines
    assert lines[0].startswith(said)


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "\u00b2"])
def test_a_number_of_jobs_is_at_least_one(jobs: str) -> None:
    status, lines = ran("windows", "--jobs", jobs)
    assert status == 2
    assert lines[-1].endswith(f"argument --jobs: expected a whole number of 1 or more, found {jobs!r}")


def test_a_command_that_fails_is_named_with_status_1() -> None:
    command = [sys.executable, "-c", "raise SystemExit(7)", Path("a b")]
    with pytest.raises(SystemExit) as end, failing_in_one_line("packages"):
        subprocess.run(command, check=True)
    assert str(end.value).startswith("packages: this command failed with status 7: ")
    assert str(end.value).endswith(" 'a b'")


def test_a_file_that_cannot_be_used_is_named_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dist").write_text("")
    with pytest.raises(SystemExit) as end, failing_in_one_line("packages"):
        os.mkdir(tmp_path / "dist")
    assert end.value.code == 2
    assert capsys.readouterr().err == f"packages: {tmp_path}/dist: File exists\n"
