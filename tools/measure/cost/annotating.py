"""Measures how busy `standstill annotate` keeps the cores: the CPU time of all its processes / (cores * wall time).

    PYTHONPATH=. .venv/bin/python tools/measure/cost/annotating.py games.pgn                 # two workers, 50000 nodes
    PYTHONPATH=. .venv/bin/python tools/measure/cost/annotating.py games.pgn --jobs 4 --engine stockfish

Everything after the file is passed to the command unchanged. The machine must be otherwise idle and have at least one
core for each worker. The CPU time of every engine counts, even of one that outlives its parent: orphaned processes
become children of this process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXECUTABLE = Path(__file__).resolve().parents[3] / "standstill"
DEFAULTS = {"--jobs": "2", "--nodes": "50000"}
LIMITS = ("--nodes", "--depth", "--time")
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER in linux/prctl.h


def wait_for_all() -> None:
    """Wait for all children, including orphans that become children in the meantime."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def arguments_of(given: list[str]) -> list[str]:
    """Return the arguments with defaults for missing ones. Any limit replaces the default node limit."""
    missing = {name: value for name, value in DEFAULTS.items() if name not in given}
    if any(limit in given for limit in LIMITS):
        missing.pop("--nodes", None)
    return [*given, *(word for pair in missing.items() for word in pair)]


def main(path: str, given: list[str]) -> None:
    arguments = arguments_of(given)
    workers = int(arguments[arguments.index("--jobs") + 1])
    if ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0):
        sys.exit("cannot count processes that are left behind")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "out.pgn")
        before = time.perf_counter()
        process = subprocess.Popen([EXECUTABLE, "annotate", path, "-o", output, *arguments])
        _, status = os.waitpid(process.pid, 0)
        wall = time.perf_counter() - before
        wait_for_all()
        if status:
            sys.exit("annotate has failed")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"{' '.join(arguments)}: {wall:.1f} s, {cpu:.1f} s of CPU, cores busy {100 * cpu / (workers * wall):.1f} %")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
