"""The file of expected numbers that a build must give on every machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packages.test_bounds import ROOT
from tests.test_build import LIB
from tools.package import cross

EXPECTED = ROOT / "tests/data/everywhere.txt"


def probed(file: Path) -> subprocess.CompletedProcess[str]:
    program = f"import sys, runpy; sys.path.insert(0, {str(LIB)!r}); sys.argv = ['probe.py', {str(file)!r}]"
    command = [sys.executable, "-c", f"{program}; runpy.run_path('tools/package/probe.py', run_name='__main__')"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_build_under_test_finds_what_every_build_must_find(tmp_path: Path) -> None:
    done = probed(EXPECTED)
    assert (done.returncode, done.stderr) == (0, "")
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    assert done.stdout.endswith(f": {len(lines)} of {len(lines)} lines equal\n")
    changed = tmp_path / "everywhere.txt"
    changed.write_text("\n".join([*lines[:-1], "bench: 1 nodes"]) + "\n", encoding="utf-8")
    done = probed(changed)
    assert done.returncode == 1
    assert "-bench: 1 nodes\n+bench: 3" in done.stderr


@pytest.mark.parametrize(
    ("target", "removed"),
    [
        ("macosx-11.0-x86_64", "macosx_11_0_x86_64"),
        ("macosx-11.0-arm64", "macosx_11_0_arm64"),
        ("linux-aarch64", "manylinux2014_aarch64.manylinux_2_17_aarch64"),
    ],
    ids=["intel-mac", "arm-mac", "arm-linux"],
)
def test_a_wheel_replaces_only_those_of_its_own_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, removed: str
) -> None:
    monkeypatch.setattr(cross, "DIST", tmp_path)
    systems = ("macosx_11_0_x86_64", "macosx_11_0_arm64", "manylinux2014_x86_64.manylinux_2_17_x86_64", "win_amd64")
    for system in (*systems, "manylinux2014_aarch64.manylinux_2_17_aarch64"):
        (tmp_path / f"standstill_chess-1.0.0-cp311-abi3-{system}.whl").touch()
    before = set(tmp_path.iterdir())
    cross.remove_older(target)
    assert before - set(tmp_path.iterdir()) == {tmp_path / f"standstill_chess-1.0.0-cp311-abi3-{removed}.whl"}
