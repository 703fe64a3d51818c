"""Fills a file, block by block, with games that several threads produce."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from .gamefile import GameWriter

_PATIENCE_S = 0.2  # seconds between checks for signals
Task_contra = TypeVar("Task_contra", contravariant=True)
Task = TypeVar("Task")


class Progress(NamedTuple):
    """The progress of a run.

    total: games in the file. games, plies, nodes, seconds: since the start of the run. rejected_openings: for
    self-play. scored: the number of scored positions, for rescoring.
    """

    total: int
    games: int
    plies: int
    nodes: int
    seconds: float
    rejected_openings: int
    scored: int


class Maker(Protocol[Task_contra]):
    """Produces blocks of games on one thread. nodes, rejected_openings, scored: as in ``Progress``."""

    @property
    def nodes(self) -> int: ...
    @property
    def rejected_openings(self) -> int: ...
    @property
    def scored(self) -> int: ...
    def block(self, task: Task_contra, /) -> list[bytes] | None:
        """Produce the games of a task; return None if stopped."""

    def stop(self) -> None:
        """Stop ``block`` early. Another thread calls this method."""


class Filler(Generic[Task]):
    """Fills a file, whose content depends neither on the number of makers nor on interruptions.

    A subclass defines the tasks. An error in a maker ends the run and is raised again.
    """

    def __init__(self, writer: GameWriter, makers: Sequence[Maker[Task]]):
        self._writer = writer
        self._makers = makers
        self._ready: queue.Queue[tuple[int, list[bytes]] | BaseException] = queue.Queue()
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def games(self) -> int:
        """The number of games in the file."""
        return self._writer.games

    def take(self, first: int, end: int | None) -> tuple[int, Task] | None:
        """Return the size of the next block, which begins with game ``first``, and its task; None after the last block.

        Blocks end before game ``end``. Only one thread calls this method at a time.
        """
        raise NotImplementedError

    def run(self, games: int | None, report: Callable[[Progress], None], every_s: float = 10.0) -> None:
        """Run until the file has this many games; None produces all games. The file always ends with a whole game."""
        self._next = self._began = self.games
        self._last = games
        self._plies = 0
        self._start = time.monotonic()
        self._at_work = len(self._makers)
        threads = [threading.Thread(target=self._work, args=(maker,), daemon=True) for maker in self._makers]
        for thread in threads:
            thread.start()
        try:
            self._collect(games, report, every_s)
        finally:
            self._stopped = True
            for maker in self._makers:
                maker.stop()
            for thread in threads:
                thread.join()
            self._writer.close()
            report(self._progress())

    def _collect(self, games: int | None, report: Callable[[Progress], None], every_s: float) -> None:
        """Write the blocks in the order of their numbers."""
        waiting: dict[int, list[bytes]] = {}
        reported = self._start
        while games is None or self.games < games:
            try:
                ready = self._ready.get(timeout=_PATIENCE_S)
            except queue.Empty:
                if not self._at_work and self._ready.empty():
                    return
                continue
            if isinstance(ready, BaseException):
                raise ready
            waiting[ready[0]] = ready[1]
            while self.games in waiting:
                block = waiting.pop(self.games)
                self._writer.append(block)
                self._plies += sum(int.from_bytes(game[:2], "little") for game in block)
            if time.monotonic() >= reported + every_s:
                reported = time.monotonic()
                report(self._progress())

    def _progress(self) -> Progress:
        return Progress(
            self.games,
            self.games - self._began,
            self._plies,
            sum(maker.nodes for maker in self._makers),
            time.monotonic() - self._start,
            sum(maker.rejected_openings for maker in self._makers),
            sum(maker.scored for maker in self._makers),
        )

    def _take(self) -> tuple[int, Task] | None:
        """Return the number of the first game of the next block, and the block's task; None after the last block."""
        with self._lock:
            first = self._next
            taken = self.take(first, self._last)
            if taken is None:
                return None
            self._next += taken[0]
            return first, taken[1]

    def _work(self, maker: Maker[Task]) -> None:
        """Run a worker's thread."""
        try:
            while not self._stopped and (taken := self._take()) is not None:
                games = maker.block(taken[1])
                if games is None:
                    return
                self._ready.put((taken[0], games))
        except BaseException as error:  # the main thread raises it
            self._ready.put(error)
        finally:
            with self._lock:
                self._at_work -= 1
