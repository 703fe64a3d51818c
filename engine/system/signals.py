"""Signals and console events that ask a process to end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator

if sys.platform == "win32":
    # Ctrl-C, from supervisors, Ctrl-Break and a console that is closed.
    ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
    # Those that reach every process of the console.
    FROM_TERMINAL = (signal.SIGINT, signal.SIGBREAK)
else:
    # Ctrl-C, Ctrl-\, from supervisors, from a terminal that is closed, from a limit of processor time.
    ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
    # Those that reach every process of the terminal's group.
    FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)


def end_by(number: int) -> int:
    """End this process by a signal that has its default action; return the exit status that shells show for it.

    It returns only if the signal is blocked.
    """
    if sys.platform == "win32":
        os._exit(128 + number)
    os.kill(os.getpid(), number)
    return 128 + number


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Within the block signals of ENDING wait, also in processes that are forked there, until ``let_through``."""
    if sys.platform == "win32":
        yield  # a new process does not inherit what is blocked, and console events arrive in another thread
        return
    old = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def let_through() -> None:
    """In a process that was forked within ``held_back``: take signals from now on."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def ignore_terminal() -> None:
    """Leave signals from the terminal to the process that started this one."""
    for number in FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
