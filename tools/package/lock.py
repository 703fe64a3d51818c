"""Writes requirements/*.txt: the newest releases that tools/building/requirements.py allows, with their hashes.

`make lock` runs it, for Python from 3.11. Continuous integration installs ci.txt (make LOCKED=1). wheel.txt and
archive.txt list what comes with the packages, windows.txt the wheels from which the build for Windows takes its parts.
The smaller locks use the same releases as ci.txt.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path("requirements")
OLDEST_PYTHON = "3.11"
LOCKED = ("ci", "build", "wheel", "archive", "windows")


def lock(purpose: str) -> None:
    """Write FOLDER/purpose.txt. All files except ci.txt itself use the releases that ci.txt fixes."""
    asked = subprocess.run(
        [sys.executable, "-m", "tools.building.requirements", purpose], capture_output=True, check=True
    )
    path = FOLDER / f"{purpose}.txt"
    fresh = path.with_suffix(".new")
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--universal"]
    same = [] if purpose == "ci" else ["--constraints", FOLDER / "ci.txt"]
    options = [*same, "--generate-hashes", "--python-version", OLDEST_PYTHON, "--output-file", fresh, "-"]
    subprocess.run([*command, *options], input=asked.stdout, check=True)
    head = f"# Written by `make lock` from tools/building/requirements.py ({purpose}).\n"
    text = head + fresh.read_text(encoding="utf-8")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for purpose in LOCKED:
        lock(purpose)


if __name__ == "__main__":
    main()
