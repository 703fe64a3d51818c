"""Packs the program for users of python.org's Python: dist/standstill_chess-VERSION-cp311-abi3-win_amd64.whl."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ..package.wheels import MOST_MB

PLATFORM = "win_amd64"


def wheel(program: Path, work: Path, dist: Path) -> Path:
    """Write the wheel of the files in a folder, with the metadata of setup.py. Returns its path, in dist."""
    for old in dist.glob(f"standstill_chess-*-{PLATFORM}.whl"):
        old.unlink()
    # The program is built already, so this configuration makes setuptools take it from this folder.
    configuration = work / "wheel.cfg"
    configuration.write_text(f"[build]\nbuild_lib = {program}\n", encoding="utf-8")
    environment = os.environ | {"MARCH": "all", "ABI": "stable", "DIST_EXTRA_CONFIG": str(configuration)}
    options = ["--skip-build", "--plat-name", PLATFORM, "--bdist-dir", work / "wheel", "--dist-dir", dist]
    subprocess.run([sys.executable, "setup.py", "-q", "bdist_wheel", *options], env=environment, check=True)
    (made,) = dist.glob(f"standstill_chess-*-{PLATFORM}.whl")
    size_mb = made.stat().st_size / 1e6
    if size_mb > MOST_MB:
        sys.exit(f"{made}: expected at most {MOST_MB} MB, found {size_mb:.1f} MB")
    print(f"{made}: {size_mb:.1f} MB")
    return made
