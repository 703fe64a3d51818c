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


_blocks: list[None] = []  # the blocks of ``deferred`` that the main thread is in
_late: list[BaseException] = []  # the exception for a signal that has come in such a block


class Ended(BaseException):
    """A signal asks the process to end.

    The base class is not ``Exception``, so that no general handler swallows the signal.
    """

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def unwind_on_signals() -> None:
    """Make signals raise KeyboardInterrupt and Ended in the main thread.

    This thread must return to Python code often.
    """
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
        if end.number in caught:  # if not, an outer block has caught it and cleans up
            die(end.number)
        raise
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Raise the exception for a signal only after the block, which starts a thread or a process and keeps it.

    Otherwise the exception could come between the two, and nothing would end the thread or the process. In threads
    other than the main one, which receive no such exception, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _blocks.append(None)
    try:
        yield
    finally:
        _blocks.pop()
        if not _blocks and _late:
            raise _late.pop()


def awaited(future: Future[T]) -> T:
    """Return the result of the future. While waiting, the main thread notices a signal within ``LOOK_S``."""
    from concurrent.futures import wait  # imported here, because most importers of this module never wait for a future

    while not wait([future], LOOK_S).done:
        pass
    return future.result()


def die(number: int) -> int:
    """End the process by this signal.

    If the signal is blocked, return the exit status that shells show for this signal.
    """
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
            if _blocks:
                _late.append(error(number))
                return
            raise error(number)

    for number in caught:
        signal.signal(number, end)
    return [int(number) for number in caught]
