"""Keeps the workers of a local cluster: loads Dask once, forks them, and puts another in the place of one that ends.

This is a process of its own, without threads. Its standard input brings the address of the scheduler. When that input
ends, be it because the command was killed, so do the workers, at once: what they have in hand is wanted no more.
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

_POLL_S = 0.5  # so often at most is a worker replaced


def keep() -> None:
    """The program. Arguments: how many workers, a setting of Dask to switch off, and the options of ``dask worker``."""
    count, setting, *options = sys.argv[1:]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy, if Dask loads it, would start threads
    import dask

    dask.config.set({setting: False})
    from distributed.cli.dask_worker import main

    address = sys.stdin.readline().strip()
    if not address:
        return
    sys.argv[1:] = [address, *options]
    gc.freeze()  # what is loaded stays; nobody need look through it again
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
    """The number of a new process, with a session of its own, that works and then ends."""
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
    """End a worker and what it has started, such as engines that wait for no end of their input."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended meanwhile
            if int(stat.read_text().rpartition(")")[2].split()[3]) == leader:
                os.kill(int(stat.parent.name), signal.SIGKILL)
