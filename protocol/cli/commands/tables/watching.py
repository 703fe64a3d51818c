"""The line on a terminal that shows how far a build of tables is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from standstill.engine.common.goal import goal_text
from standstill.engine.tablebases.building import Progress, Stage

from ..messages import passing, warn

_EVERY_S = 0.5  # between two changes of the line


class Display:
    """Shows the latest progress. Several threads may call the methods."""

    def __init__(self, show_line: Callable[[str], None]):
        self._show_line = show_line
        self._lock = threading.Lock()
        self._next = 0.0

    def show(self, progress: Progress) -> None:
        with self._lock:
            if time.monotonic() >= self._next:
                self._next = time.monotonic() + _EVERY_S
                self._show_line(text_of(progress))

    def clear(self) -> None:
        with self._lock:
            self._show_line("")

    def note(self, text: str) -> None:
        with self._lock:
            self._show_line("")
            warn(text)


@contextmanager
def display() -> Iterator[Display]:
    with passing() as show_line:
        yield Display(show_line)


def text_of(progress: Progress) -> str:
    """``KBBvKB: deciding positions, record G1.5: 71 %``."""
    record = f", record {goal_text(progress.code)}" if progress.stage is Stage.DECIDING else ""
    return f"{progress.name}: {progress.stage.value}{record}: {int(100 * progress.share)} %"
