"""Signals that end the process, turned into an exception, so that what is half done is cleared away first.

The process then dies by the very signal, as if nobody had caught it: shells and supervisors look at that.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

_BY_OTHERS = (signal.SIGTERM, signal.SIGHUP)  # sent by supervisors, and by a terminal that is closed


class Ended(BaseException):
    """A signal asks the process to end. No ``Exception``: nobody may go on as if nothing had happened."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def unwind_on_signals() -> None:
    """From now on raise KeyboardInterrupt and Ended in the main thread, which has to come back to Python often."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _catch(_BY_OTHERS)


@contextlib.contextmanager
def unwinding() -> Iterator[None]:
    """Within the block, signals that would end the process at once leave the block first."""
    caught = []
    if threading.current_thread() is threading.main_thread():
        caught = _catch((signal.SIGINT, *_BY_OTHERS))
    try:
        yield
    except Ended as end:
        if end.number in caught:  # else somebody further out has asked for it, and has something to clear away, too
            die(end.number)
        raise
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def die(number: int) -> int:
    """End the process by this signal; return the exit status that shells show for it, should the signal be blocked."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _catch(numbers: tuple[signal.Signals, ...]) -> list[int]:
    """Raise Ended for those that would end the process, and return them; ``nohup`` has some ignored."""
    caught = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    owner = os.getpid()

    def end(number: int, _frame: object) -> None:
        if os.getpid() != owner:
            die(number)  # a child that was forked has nothing to clear away
            return
        signal.signal(number, signal.SIG_IGN)  # a second one must not disturb the clearing
        raise Ended(number)

    for number in caught:
        signal.signal(number, end)
    return [int(number) for number in caught]
