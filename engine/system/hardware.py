"""Processors and memory of this computer."""

from __future__ import annotations

import os
import sys


def processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory_mb() -> int:
    """Return the memory in MB that a program can use without displacing others."""
    import psutil

    return int(psutil.virtual_memory().available) >> 20
