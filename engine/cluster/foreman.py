"""Supervises the workers of a local cluster: loads Dask once, forks the workers, and replaces those that end.

This is a separate process without threads. It reads the address of the scheduler from standard input. When that input
ends, for instance because the command was killed, it ends the workers at once, because no one needs their results.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path

_POLL_S = 0.5  # the shortest interval between two replacements


def keep() -> None:
    """Run the program. Arguments: number of workers, a Dask setting to switch off, options of ``dask worker``."""
    count, setting, *options = sys.argv[1:]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # otherwise NumPy, if Dask loads it, would start threads
    import dask.config

    dask.config.set({setting: False})
    from distributed.cli.dask_worker import main

    address = sys.stdin.readline().strip()
    if not address:
        return
    sys.argv[1:] = [address, *options]
    gc.freeze()  # loaded modules remain in memory, so garbage collection can skip them
    running: set[int] = set()
    while True:
        while len(running) < int(count):
            running.add(_forked(main))
        if select.select([sys.stdin], [], [], _POLL_S)[0]:
            break
        for worker in list(running):
            if os.waitpid(worker, os.WNOHANG)[0]:
                end_session(worker)
                running.discard(worker)
    for worker in running:
        end_session(worker)
        os.waitpid(worker, 0)


def _forked(work: Callable[[], object]) -> int:
    """Fork a process with its own session that does the work and ends. Return its process id."""
    process = os.fork()
    if process:
        return process
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        work()
    finally:
        os._exit(1)


def end_session(leader: int) -> None:
    """Kill a worker and its children, such as engines that do not end with their input."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process may have ended already
            if int(stat.read_text().rpartition(")")[2].split()[3]) == leader:
                os.kill(int(stat.parent.name), signal.SIGKILL)
