"""Finds the programs that the build for Windows needs; on Debian, root's build installs missing ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping

from ..building.refusal import refuse

# Programs, and the Debian packages that contain them. wine64 is the part of Wine for 64-bit programs.
COMPILING = {
    "x86_64-w64-mingw32-gcc": ("gcc-mingw-w64-x86-64",),
    "x86_64-w64-mingw32-windres": ("binutils-mingw-w64-x86-64",),
}
RUNNING = {"wine": ("wine", "wine64")}


def missing(programs: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the packages that this system lacks."""
    return [name for program, packages in programs.items() if shutil.which(program) is None for name in packages]


def wanting(programs: Mapping[str, tuple[str, ...]]) -> str:
    """Install missing packages if possible. Return a line about those still missing, or an empty text."""
    packages = missing(programs)
    if not packages:
        return ""
    command = f"apt-get install {' '.join(packages)}"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return f"the build for Windows needs {', '.join(packages)}, which this system lacks: as root, {command}"
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-q", "update"], env=environment, check=False)
    install = ["apt-get", "-qy", "install", "--no-install-recommends", *packages]
    if subprocess.run(install, env=environment, check=False).returncode or missing(programs):
        return f"the build for Windows needs {', '.join(packages)}, and `{command}` failed"
    return ""


def ensure(programs: Mapping[str, tuple[str, ...]]) -> None:
    """Install missing packages. Exit with one line if that is impossible."""
    if lacking := wanting(programs):
        refuse(lacking)
