"""Runs a Windows program under Wine, in its own Wine prefix."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

NODES = 3376437  # nodes of `bench`, the same on every system


def environment(folder: Path) -> dict[str, str]:
    """The environment for Windows programs with this Wine prefix, without a screen and without messages of Wine."""
    kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "PYTHONPATH", "PYTHONHOME"}}
    return kept | {"WINEPREFIX": str(folder.resolve()), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree=;mshtml="}


def available() -> bool:
    return shutil.which("wine") is not None


def run(
    program: Path | str, words: Sequence[str], given: str = "\n", *, settings: Mapping[str, str], limit_s: float = 600
) -> tuple[int, str]:
    """Run a program with this input; return its exit status and its combined output.

    The streams are pipes, because Wine cannot use every kind of file as a standard stream.
    """
    command = ["wine", program, *words]
    with subprocess.Popen(
        command, env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            out, _ = process.communicate(given.encode(), timeout=limit_s)
        except BaseException:
            process.kill()
            raise
    return process.returncode, out.decode("utf-8", "replace").replace("\r\n", "\n")
