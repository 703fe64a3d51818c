"""The first change in CONTRIBUTING.md works as the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
QUICK = ("--depth", "7")
BUILT = ("build/ctest", "build/match", "build/mutants", "build/site")  # not needed by builds in the tree

# Variables of a surrounding make or build, which the make that the test starts must not inherit.
INHERITED = re.compile(r"STANDSTILL_|PYTHON|LD_PRELOAD|MAKE|MFLAGS|BUILD$|MARCH$|REQUEST$|TESTS$|WORKERS$")


def on_the_page(start: str) -> str:
    """The only command on the page that begins with this text, without its comment."""
    (found,) = re.findall(rf"^{re.escape(start)}.*", PAGE, re.MULTILINE)
    return found.partition("#")[0].strip()


def found_by_grep() -> tuple[Path, str, int]:
    """(file, name, number) in the only line that the page's grep finds."""
    done = subprocess.run(
        ["sh", "-c", on_the_page("grep ")], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    path, _, name, number = re.fullmatch(r"([\w/.]+):(\d+):\s*(\w+)=(\d+),\n", done.stdout).groups()
    return ROOT / path, name, int(number)


def tuned(*words: str) -> str:
    """Run the page's trial without compiling, with these additional arguments; return its output."""
    interpreter, *command = shlex.split(on_the_page(".venv/bin/python -m tools.tune bench"))
    assert interpreter == ".venv/bin/python"
    program = [sys.executable, *command, *words]
    return subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout


def counts(text: str) -> tuple[int, int]:
    return tuple(map(int, re.fullmatch(r".*\nbefore: (\d+) nodes\nafter: (\d+) nodes\n", text).groups()))


def test_the_number_stands_where_the_page_says() -> None:
    _, name, number = found_by_grep()
    assert f"`{name}` from {number} to " in PAGE


@pytest.mark.slow
def test_the_change_of_the_page_changes_bench() -> None:
    _, name, number = found_by_grep()
    told = tuned(*QUICK)
    assert re.match(rf"{name} {number} -> \d+\n", told)
    before, after = counts(told)
    assert before != after


def test_the_page_names_the_test_that_fails() -> None:
    """The page names the only test that expects a node count and thus fails when the search changes."""
    (path,) = re.findall(r"^One test fails, as it should: `(tests/\S+\.py)`", PAGE, re.MULTILINE)
    (depth,) = re.findall(r"the nodes of `bench (\d+)`", PAGE)
    assert f"\nDEPTH = {depth}\n" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.slow
def test_compiling_the_change_plays_as_the_trial_of_the_page(tmp_path: Path) -> None:
    if os.environ.get("STANDSTILL_BUILD", "release") != "release" or shutil.which("make") is None:
        pytest.skip("needs make, and the build in the tree")
    source, name, number = found_by_grep()
    (new,) = re.findall(rf"`{name}` from {number} to (\d+)", PAGE)
    assert f"{name}={new}" in on_the_page(".venv/bin/python -m tools.tune bench")

    clone = tmp_path / "clone"
    unwanted = {str(ROOT / name) for name in (*BUILT, ".git", ".venv", "dist")}
    shutil.copytree(
        ROOT, clone, symlinks=True, ignore=lambda at, names: {n for n in names if os.path.join(at, n) in unwanted}
    )
    (clone / ".venv").symlink_to(ROOT / ".venv")
    changed = clone / source.relative_to(ROOT)
    changed.write_text(changed.read_text(encoding="utf-8").replace(f"{name}={number},", f"{name}={new},"))
    environment = {key: value for key, value in os.environ.items() if not INHERITED.match(key)}
    subprocess.run(["make"], cwd=clone, env=environment, capture_output=True, timeout=900, check=True)
    done = subprocess.run(
        [clone / "standstill", "bench", QUICK[1]], cwd=clone, env=environment, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip
    (nodes,) = re.findall(r"^Nodes searched: (\d+)$", done.stdout, re.MULTILINE)
    assert int(nodes) == counts(tuned(*QUICK))[1]
