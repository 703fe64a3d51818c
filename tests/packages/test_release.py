"""The check before publication that a release is complete."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages.test_bounds import ROOT
from tools.building.tree import version
from tools.package.release import FILES, faults, write_sums

# The parts of each pattern that depend on where a file was built.
BUILT = {"manylinux*": "manylinux_2_28", "macosx_*": "macosx_11_0", "windows-*": "windows-x86_64"}


def whole(release: str = "1.0.0") -> list[str]:
    names = [pattern.format(release) for pattern in FILES]
    for part, text in BUILT.items():
        names = [name.replace(part, text) for name in names]
    return names


def test_a_whole_release_has_no_fault() -> None:
    assert faults(whole(), "1.0.0") == []


@pytest.mark.parametrize("missing", whole(), ids=lambda name: name.split("-", 2)[-1])
def test_a_missing_file_is_named(missing: str) -> None:
    (said,) = faults([name for name in whole() if name != missing], "1.0.0")
    assert said.endswith("found 0")


def test_files_of_another_release_or_twice_there_are_named() -> None:
    assert "found 2" in faults([*whole(), "standstill-1.0.0-windows-arm64.zip"], "1.0.0")[0]
    other = "standstill_chess-0.9.0.tar.gz"
    assert faults([*whole(), other], "1.0.0") == [f"expected no file {other} in release 1.0.0"]
    assert len(faults(whole("0.9.0"), "1.0.0")) == 2 * len(FILES)


def test_the_sums_are_those_of_sha256sum(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b c").write_bytes(bytes(range(256)))
    for _ in range(2):  # the second time, the file of sums must not list itself
        write_sums(tmp_path)
        command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "a: OK\nb c: OK\n"


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("v0.0.0", f"release: expected the tag v{version()} of this version, found v0.0.0"),
        ("main", "release: expected one file standstill_chess-"),
    ],
)
def test_a_release_that_is_not_whole_is_refused(tmp_path: Path, tag: str, said: str) -> None:
    command = [sys.executable, "-m", "tools.package.release", str(tmp_path), tag]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert not list(tmp_path.iterdir())
