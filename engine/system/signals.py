"""Signals and console events that ask a process to end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator

if sys.platform == "win32":
    # Ctrl-C, the signal of supervisors, Ctrl-Break, and the closing of the console.
    ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
    # The signals that reach every process of the console.
    FROM_TERMINAL = (signal.SIGINT, signal.SIGBREAK)
else:
    # Ctrl-C, Ctrl-\, the signal of supervisors, the closing of the terminal, and the limit on CPU time.
    ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
    # The signals that reach every process of the terminal's group.
    FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)


def end_by(number: int) -> int:
    """End this process by a signal with its default action. Returns the exit status that shells show for that signal.

    The function returns only if the signal is blocked.
    """
    if sys.platform == "win32":
        os._exit(128 + number)
    os.kill(os.getpid(), number)
    return 128 + number


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Hold back the signals of ENDING within the block. In processes forked there they wait until ``let_through``."""
    if sys.platform == "win32":
        yield  # new processes do not inherit blocked signals, and console events arrive in another thread
        return
    old = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def let_through() -> None:
    """Deliver signals from now on, in a process that was forked within ``held_back``."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def ignore_terminal() -> None:
    """Ignore signals from the terminal, which the parent process handles."""
    for number in FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
