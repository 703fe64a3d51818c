"""Supervises the workers of a local cluster: loads Dask once, forks the workers, and replaces workers that end.

This is a separate process without threads. It reads the address of the scheduler from standard input. When that input
ends, for instance because the command was killed, the supervisor kills the workers at once instead of waiting for their
results.
"""

from __future__ import annotations

import gc
import os
import select
import sys

from ..system.processes import forked, has_ended, kill_session

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
            running.add(forked(main))
        if select.select([sys.stdin], [], [], _POLL_S)[0]:
            break
        for worker in list(running):
            if has_ended(worker):
                kill_session(worker)
                running.discard(worker)
    for worker in running:
        kill_session(worker)
        os.waitpid(worker, 0)
