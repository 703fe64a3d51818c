"""Turns signals that end the process into exceptions, so that partial work is cleaned up first.

The process then ends by the same signal as if it had not been caught, which shells and supervisors check.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from ..system.signals import ENDING, end_by

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

LOOK_S = 0.5  # interval at which the main thread checks for signals: a signal to another thread may not wake it


class Ended(BaseException):
    """A signal asks the process to end. Not an ``Exception``, so that no general handler swallows it."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def unwind_on_signals() -> None:
    """Make signals raise KeyboardInterrupt and Ended in the main thread, which must return to Python code often."""
    _catch(ENDING, lambda number: KeyboardInterrupt() if number == signal.SIGINT else Ended(number))


@contextlib.contextmanager
def unwinding() -> Iterator[None]:
    """Make signals that would end the process raise an exception within the block, so that the block cleans up."""
    caught = []
    if threading.current_thread() is threading.main_thread():
        caught = _catch(ENDING, Ended)
    try:
        yield
    except Ended as end:
        if end.number in caught:  # otherwise an outer block caught the signal and has its own work to clean up
            die(end.number)
        raise
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def awaited(future: Future[T]) -> T:
    """Return the result of the future. While waiting, the main thread notices a signal within ``LOOK_S``."""
    from concurrent.futures import wait  # imported here, because most importers of this module never wait for a future

    while not wait([future], LOOK_S).done:
        pass
    return future.result()


def die(number: int) -> int:
    """End the process by this signal. If the signal is blocked, return the exit status that shells show for it."""
    signal.signal(number, signal.SIG_DFL)
    return end_by(number)


def _catch(numbers: tuple[signal.Signals, ...], error: Callable[[int], BaseException]) -> list[int]:
    """Make signals that would end the process raise the error, and return them. Ignored signals remain ignored."""
    caught = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    owner = os.getpid()
    ending = False

    def end(number: int, _frame: object) -> None:
        if os.getpid() != owner:
            die(number)  # a forked child has nothing to clean up
            return
        nonlocal ending
        if not ending:  # a second signal, from an impatient user or a supervisor, must not interrupt the clean-up
            ending = True
            raise error(number)

    for number in caught:
        signal.signal(number, end)
    return [int(number) for number in caught]
