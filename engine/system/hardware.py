"""Processors and memory of this computer."""

from __future__ import annotations

import os
import sys


def processors() -> int:
    """Number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory_mb() -> int:
    """Memory in MB that programs may take without displacing others."""
    import psutil

    return int(psutil.virtual_memory().available) >> 20
