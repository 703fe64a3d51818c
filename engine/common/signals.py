"""Signals that end the process, turned into an exception, so that what is half done is cleared away first.

The process then dies by the very signal, as if nobody had caught it: shells and supervisors look at that.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

# From the keyboard (Ctrl-C, Ctrl-\), from supervisors, from a terminal that is closed, from a limit of processor time.
ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
LOOK_S = 0.5  # how often to see whether we shall end: a signal may reach another thread, and not wake the main one


class Ended(BaseException):
    """A signal asks the process to end. No ``Exception``: nobody may go on as if nothing had happened."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def unwind_on_signals() -> None:
    """From now on raise KeyboardInterrupt and Ended in the main thread, which has to come back to Python often."""
    _catch(ENDING, lambda number: KeyboardInterrupt() if number == signal.SIGINT else Ended(number))


@contextlib.contextmanager
def unwinding() -> Iterator[None]:
    """Within the block, signals that would end the process at once leave the block first."""
    caught = []
    if threading.current_thread() is threading.main_thread():
        caught = _catch(ENDING, Ended)
    try:
        yield
    except Ended as end:
        if end.number in caught:  # else somebody further out has asked for it, and has something to clear away, too
            die(end.number)
        raise
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def awaited(future: Future[T]) -> T:
    """Its result. In the meantime the main thread sees within ``LOOK_S`` whether the process shall end."""
    from concurrent.futures import wait  # here, because most that import this module wait for nothing

    while not wait([future], LOOK_S).done:
        pass
    return future.result()


def die(number: int) -> int:
    """End the process by this signal; return the exit status that shells show for it, should the signal be blocked."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _catch(numbers: tuple[signal.Signals, ...], error: Callable[[int], BaseException]) -> list[int]:
    """Raise the error of those that would end the process, and return them; ``nohup`` has some ignored."""
    caught = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    owner = os.getpid()
    ending = False

    def end(number: int, _frame: object) -> None:
        if os.getpid() != owner:
            die(number)  # a child that was forked has nothing to clear away
            return
        nonlocal ending
        if not ending:  # a second one, of an impatient user or a supervisor, must not disturb the clearing
            ending = True
            raise error(number)

    for number in caught:
        signal.signal(number, end)
    return [int(number) for number in caught]
