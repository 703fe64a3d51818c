"""Runs the engine's tests by the Windows Python under Wine, on the program that ``make windows`` has laid out.

``make windows-test TESTS="tests/uci"`` names other folders than FOLDERS. tests/conftest.py skips tests of what Windows
lacks, with the reason.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..building.refusal import failing_in_one_line, refuse
from ..building.tree import version
from . import mathlib, wine
from .needs import RUNNING, ensure

WORK = Path("build/windows")
PACKAGES = WORK / "test-packages"
NEEDED = ("pytest", "pytest-timeout", "pytest-xdist", "hypothesis", "mpmath", "numpy", "pyffish")
PARTS = ("system", "uci", "xboard", "cli", "pgn", "rmobility", "clock", "correspondence", "tablebases", "network")
# The tests of relevance are in the folder of annotate.
FOLDERS = (*(f"tests/{part}" for part in PARTS), "tests/annotate/test_relevance.py")
START = """\
import sys
sys.path[:0] = sys.argv[1:4]
import pytest
from execnet import gateway_io
plain = gateway_io.popen_args
gateway_io.popen_args = lambda spec: [*plain(spec)[:1], "-X", "utf8", *plain(spec)[1:]]  # as this process was started
sys.exit(pytest.main(sys.argv[4:]))
"""


def packages() -> Path:
    """The locked releases of what the tests need, as Windows installs them."""
    stamp = PACKAGES / "needed"
    needed = " ".join(NEEDED)
    if not (stamp.exists() and stamp.read_text(encoding="ascii") == needed):
        fresh = PACKAGES.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", fresh, "--only-binary", ":all:"]
        platform = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", "3.11"]
        subprocess.run([*command, *platform, "-c", "requirements/ci.txt", *NEEDED], check=True)
        mathlib.replace(fresh)
        (fresh / stamp.name).write_text(needed, encoding="ascii")
        shutil.rmtree(PACKAGES, ignore_errors=True)
        fresh.replace(PACKAGES)
    return PACKAGES


def windows(path: Path) -> str:
    """The name of a path for programs under Wine."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.windows.testing", description=__doc__)
    parser.add_argument("--jobs", default="auto", help="processes that share the tests")
    parser.add_argument("arguments", nargs="*", default=list(FOLDERS), help="arguments of pytest")
    arguments, options = parser.parse_known_args()
    ensure(RUNNING)
    root = WORK / f"standstill-{version()}"
    if not (root / "standstill.exe").exists():
        refuse(f"{root}: expected the program for Windows, found none: run `make windows` first")
    sys.exit(run(root, arguments.jobs, [*options, *arguments.arguments]))


def run(root: Path, jobs: str, words: Sequence[str]) -> int:
    """Run pytest with these words. Returns its status."""
    settings = wine.environment(WORK / "wine") | {"STANDSTILL_EXECUTABLE": windows(root / "standstill.exe")}
    paths = [windows(packages()), windows(Path()), windows(root)]
    python = ["wine", root / "runtime/python.exe", "-X", "utf8", "-c", START, *paths]
    options = ["-p", "no:cacheprovider", "-o", "pythonpath=", "-n", jobs, "--dist", "worksteal", "-m", "not slow"]
    # A short folder, because the engine cuts long messages.
    options += ["-rs", "--basetemp=C:\\t"]
    # Pipes, because Wine cannot use every kind of file as a standard stream.
    command = [*python, *options, *words]
    with subprocess.Popen(
        command, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line.replace(b"\r\n", b"\n"))
            sys.stdout.flush()
    return process.returncode


if __name__ == "__main__":
    with failing_in_one_line("windows"):
        main()
