"""`make mutants`: finds likely mistakes that the tests would not notice.

The tool applies each mutant of the lists to a copy of the tree, rebuilds what depends on it (a single module without
optimisation) and runs its tests. A mutant that passes them all is a survivor. Results stay in build/mutants until the
mutant, its file or its tests change, so an interrupted run continues where it ended. The exit status is 1 if a mutant
survives, and 2 if a mutant does not build or its tests cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools.mutants.lists import LAYERS, ROOT, Mutant, read_all

FOLDER = ROOT / "build" / "mutants"
RESULTS = FOLDER / "results.json"
# The folders in build/ that depend on the sources; the tool ignores the rest.
BUILT = ("build/inplace", "build/ctest", "build/ctest.state", "build/ctest.temp")
# A mutant may search for ever, whereas its tests normally take seconds.
PATIENCE_S = 180
BUILD_PATIENCE_S = 900

KILLED, HUNG, SURVIVED = "killed", "killed (hung)", "SURVIVED"
_FAILED = re.compile(r"^FAILED (\S+)", re.MULTILINE)


class Broken(Exception):
    """Raised for an inconclusive mutant, which does not build or whose tests cannot run."""


# ---- copies of the tree ----


def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def built(root: Path) -> list[str]:
    paths = [path for name in BUILT for path in (root / name).rglob("*")] + list((root / "cext").rglob("*.so"))
    return [path.relative_to(root).as_posix() for path in paths if path.is_file()]


def differs(source: Path, target: Path) -> bool:
    if not target.exists():
        return True
    ours, theirs = source.stat(), target.stat()
    return (ours.st_mtime_ns, ours.st_size) != (theirs.st_mtime_ns, theirs.st_size)


def copy(names: list[str], source: Path, target: Path) -> None:
    """Copy these files from ``source`` to ``target`` with their times, which builds depend on."""
    for name in names:
        if differs(source / name, target / name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)


def command(tree: Path, *words: str, patience_s: float = BUILD_PATIENCE_S) -> tuple[int, str]:
    """Run with the Python of the build; return (exit status, output). Ends the processes that it has started."""
    environment = {
        **os.environ,
        "BUILD": "release",
        # Empty, so that the rewritten tests are cached, which saves seconds; `run` removes the bytecode of mutants.
        "PYTHONDONTWRITEBYTECODE": "",
        "STANDSTILL_BUILD": "release",
        "STANDSTILL_BUILD_LIB": str(tree / "build" / "tree"),
        "STANDSTILL_EXECUTABLE": str(tree / "standstill"),
        "STANDSTILL_CTEST_LIB": str(tree / "build" / "ctest"),
    }
    process = subprocess.Popen(
        [str(tree / ".venv" / "bin" / "python"), *words],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=patience_s)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return process.returncode, output


class Workshop:
    """Two copies: ``clean`` keeps the current tree, and ``tree`` receives the mistakes."""

    def __init__(self, jobs: int):
        self.clean = FOLDER / "clean"
        self.tree = FOLDER / "tree"
        self.jobs = str(jobs)
        names = tracked() + built(ROOT)
        for path in (self.clean, self.tree):
            self._remove_others(path, set(names))
            copy(names, ROOT, path)
            if not (path / ".venv").is_symlink():
                (path / ".venv").symlink_to(ROOT / ".venv")
        self.names = names
        status, output = command(self.tree, "setup.py", "-q", "launcher")
        if status:
            raise Broken(output)

    @staticmethod
    def _remove_others(path: Path, names: set[str]) -> None:
        """Remove files that the tree no longer has. Links stay, because they point outside the copy."""
        for folder, _, files in os.walk(path):
            for file in (Path(folder, file) for file in files):
                name = file.relative_to(path).as_posix()
                if name not in names and not file.is_symlink() and not name.startswith(("build/tree/", "standstill")):
                    file.unlink()

    def make(self, mutant: Mutant) -> None:
        path = self.tree / mutant.file
        path.write_text(mutant.apply((self.clean / mutant.file).read_text(encoding="utf-8")), encoding="utf-8")
        self._forget_bytecode(path)
        if mutant.file.endswith(".pyx"):
            self._run("-m", "tools.mutants.quick", mutant.file)
        elif mutant.compiled:
            self._build("build_ext", "--inplace")
            if mutant.file.endswith((".pxd", ".h")) and any(test.startswith("tests/ctest") for test in mutant.tests):
                self._build("ctest", "--build-lib", "build/ctest", "--build-temp", "build/ctest.temp")

    def _build(self, *words: str) -> None:
        self._run("setup.py", "-q", *words, "-j", self.jobs)

    def _run(self, *words: str) -> None:
        status, output = command(self.tree, *words)
        if status:
            raise Broken(f"does not build:\n{output[-2000:]}")

    def restore(self, mutant: Mutant) -> None:
        """Undo the mistake and restore the files built before it instead of rebuilding them."""
        copy([mutant.file], self.clean, self.tree)
        self._forget_bytecode(self.tree / mutant.file)
        if mutant.compiled:
            copy(built(self.clean), self.clean, self.tree)

    @staticmethod
    def _forget_bytecode(path: Path) -> None:
        """Remove bytecode, because Python recognises a source by its size and its time in seconds, which two mutants
        may share.
        """
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)

    def test(
        self, tests: tuple[str, ...], options: Sequence[str] = (), patience_s: float = PATIENCE_S
    ) -> tuple[int, str]:
        words = ("-P", "-m", "pytest", "-o", "pythonpath=build/tree .", "-p", "no:cacheprovider", "-x", "-q")
        return command(self.tree, *words, *options, *tests, patience_s=patience_s)


# ---- the run ----


def judge(workshop: Workshop, mutant: Mutant, sound: set[str]) -> tuple[str, str]:
    """Judge a mutant; return (result, name of the test that detected it).

    sound: tests known to pass without a mistake; those found here are added. Raises Broken and ValueError.
    """
    try:
        workshop.make(mutant)
        status, output = workshop.test(mutant.tests)
    except subprocess.TimeoutExpired:
        return HUNG, ""
    finally:
        workshop.restore(mutant)
    if status == 0:
        return SURVIVED, ""
    if status not in (1, -signal.SIGSEGV, -signal.SIGABRT):
        raise Broken(f"its tests cannot be run (status {status}):\n{output[-2000:]}")
    found = _FAILED.search(output)
    if found is None:
        return KILLED, ""
    test = found[1] if "[" not in found[1] or found[1].endswith("]") else found[1].partition("[")[0]
    if test not in sound and workshop.test((test,))[0]:
        raise Broken(f"{test} fails without a mistake, too")
    sound.add(test)
    return KILLED, f" by {test}"


def wanted(layer: str, words: list[str]) -> list[Mutant]:
    mutants = read_all()[layer]
    return [mutant for mutant in mutants if not words or any(word.lower() in mutant.what.lower() for word in words)]


def run(mutants: list[Mutant], results: dict[str, str], jobs: int) -> int:
    """Judge the mutants that have no result yet; return the number of inconclusive ones."""
    waiting = [mutant for mutant in mutants if mutant.tests and mutant.digest(ROOT) not in results]
    if not waiting:
        return 0
    workshop = Workshop(jobs)
    broken, sound = 0, set[str]()
    for number, mutant in enumerate(waiting, 1):
        began, by = time.monotonic(), ""
        try:
            result, by = judge(workshop, mutant, sound)
            results[mutant.digest(workshop.clean)] = result
            RESULTS.write_text(json.dumps(results, indent=1), encoding="utf-8")
        except (Broken, ValueError) as error:
            broken += 1
            result = f"BROKEN: {error}"
        seconds = time.monotonic() - began
        print(f"{number}/{len(waiting)} {mutant.file}: {mutant.what}: {result}{by} ({seconds:.0f} s)", flush=True)
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only mutants whose names contain one of these texts")
    parser.add_argument("--layer", choices=LAYERS, action="append", help="only these layers")
    parser.add_argument("--again", action="store_true", help="forget earlier results")
    parser.add_argument("--jobs", type=int, default=2, help="compilers to run at a time")
    arguments = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = {} if arguments.again or not RESULTS.exists() else json.loads(RESULTS.read_text(encoding="utf-8"))
    mutants = [mutant for layer in arguments.layer or LAYERS for mutant in wanted(layer, arguments.words)]
    try:
        broken = run(mutants, results, arguments.jobs)
    except Broken as error:
        print(error, file=sys.stderr)
        return 2
    found = [(mutant, results.get(mutant.digest(ROOT))) for mutant in mutants if mutant.tests]
    survivors = [mutant.what for mutant, result in found if result == SURVIVED]
    same = sum(not mutant.tests for mutant in mutants)
    killed = sum(result in (KILLED, HUNG) for _, result in found)
    counts = f"{killed} killed, {same} change nothing, {len(survivors)} survive, {broken} broken"
    print(f"{len(mutants)} mutants: {counts}")
    for name in survivors:
        print(f"survives: {name}")
    return 2 if broken else bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
