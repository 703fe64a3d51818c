"""Builds the classes that a folder of tables lacks."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from enum import Enum
from itertools import groupby
from typing import Any, NamedTuple

from ..common.errors import TablebaseError
from ..common.signals import awaited, deferred
from ..system.leftovers import remove_left
from .checkpoints import KEEP_EVERY_S, Work, is_work
from .material import MOST_MEN, SLICE_BYTES, class_name, classes, needed, numbers, slice_numbers, slices
from .sharing import build_class_shared, solve_class_shared
from .solving import solve_class, write_class
from .store import TableStore

KEEP_ABOVE = 1 << 20  # number of positions; a class with fewer positions is solved in a second and needs no checkpoints
_BASE_MB = 100  # memory for the process and for the compression of a class
_LEAST_MB = 100  # memory that a slice of any size in a mapped file requires


class Built(NamedTuple):
    """A class that has just been built."""

    name: str
    positions: int
    evaluations: int
    seconds: float
    share: float  # fraction of all the work that is finished


class Stage(Enum):
    """What the build of a class is doing."""

    ENTERING = "entering positions"
    DECIDING = "deciding positions"  # under one record after another
    SLICES = "solving placements of the pawns"
    WRITING = "writing"


class Progress(NamedTuple):
    """How far the build of one class is."""

    name: str
    stage: Stage
    share: float  # fraction of the stage that is finished
    code: int = 0  # the goal of the record, while positions are decided


def build(
    store: TableStore,
    names: Iterable[str],
    *,
    threads: int = 1,
    memory_mb: int | None = None,
    keep_above: int = KEEP_ABOVE,
    keep_every_s: float | None = None,
    executor: Executor | None = None,
    report: Callable[[Built], None] = lambda built: None,
    watch: Callable[[Progress], None] = lambda progress: None,
    note: Callable[[str], None] = lambda text: None,
) -> None:
    """Build the classes and all classes that they need, except sound tables that exist already.

    Each class is written when it is finished, so an interrupted build continues where it stopped. A class of more
    positions than ``keep_above`` continues after its last finished slice, and a slice that takes longer than
    ``keep_every_s`` at its last checkpoint.
    executor: the executor of a cluster, whose ``threads`` workers share the folder and have ``memory_mb`` each.
    memory_mb: the memory limit of the solver; a slice that needs more is solved in a mapped file beside the tables.
    watch: called every few seconds at most, from any thread, by classes that this process solves. note: called with a
    message about each checkpoint that cannot be used.

    Raises TablebaseError if the memory is too small even with mapped files, and OSError.
    """
    every_s = KEEP_EVERY_S if keep_every_s is None else keep_every_s
    os.makedirs(store.folder, exist_ok=True)
    _remove_left_over(store.folder)
    wanted = {other for name in names for other in needed(class_name(name))}
    missing = missing_classes(store, wanted)
    total, done = sum(map(numbers, missing)), 0

    way = _Way(store, keep_above, every_s, executor, watch, note)
    for batch in _batches(missing):
        at_once, own, memory = shares(batch, threads, memory_mb)
        with _threads(at_once, executor) as pool:
            # The pool would not wait for a thread if a signal raised an exception while it started.
            with deferred():
                tasks = [pool.submit(_build_class, way, name, own, memory) for name in batch]
            for task in tasks:
                result = awaited(task)
                done += numbers(result[0])
                # A class that a cluster has built as one task is already open, because it was tested.
                if executor is None or slices(result[0]) > 1:
                    store.replace(result[0])
                report(Built(*result, done / total))


class _Way(NamedTuple):
    """How ``build`` builds each class; the fields are its arguments."""

    store: TableStore
    keep_above: int
    every_s: float
    executor: Executor | None
    watch: Callable[[Progress], None]
    note: Callable[[str], None]


def _build_class(way: _Way, name: str, threads: int, memory: int | None) -> tuple[str, int, int, float]:
    """Build a class and write it. Returns its name, its positions, their evaluations, and the time in s."""
    start = time.monotonic()
    store, executor = way.store, way.executor
    if executor is not None and slices(name) == 1:
        return name, *build_class_shared(name, store, executor, memory, store.replace), time.monotonic() - start
    work = None
    if numbers(name) > way.keep_above:
        work = Work(store.folder, name, store.whole_game, every_s=way.every_s, note=way.note)
    if executor is not None:
        solver = solve_class_shared(name, store, executor, memory)
        work = Work(store.folder, name, store.whole_game)
    else:
        solver = solve_class(
            name,
            store.library,
            whole_game=store.whole_game,
            threads=threads,
            work=work,
            memory=memory,
            **watching(name, way.watch),
        )
    write_class(
        solver,
        name,
        store.whole_game,
        store.paths(name),
        lambda share: way.watch(Progress(name, Stage.WRITING, share)),
    )
    counted = solver.positions, solver.evaluations
    del solver  # unmaps the slices, because Windows cannot remove a mapped file
    if work is not None:
        work.remove()
    return name, *counted, time.monotonic() - start


def watching(name: str, watch: Callable[[Progress], None]) -> dict[str, Callable[[int, Any], None]]:
    """Return the functions with which ``solve_class`` reports on a class: slice by slice, or within its only slice."""

    def within(code: int, share: float) -> None:
        watch(Progress(name, Stage.DECIDING if code else Stage.ENTERING, share, code))

    def by_slices(done: int, total: int) -> None:
        watch(Progress(name, Stage.SLICES, done / total))

    return {"watch": within} if slices(name) == 1 else {"progress": by_slices}


def _batches(names: Iterable[str]) -> Iterator[list[str]]:
    """Yield the classes in groups, within which no class depends on another."""
    # Classes with equal numbers of pieces and pawns do not depend on each other. A class with pawns consists of slices.
    for (_, pawns), group in groupby(names, key=lambda name: (len(name), name.count("P"))):
        batch = list(group)
        yield from [[name] for name in batch] if pawns else [batch]


def missing_classes(store: TableStore, wanted: Container[str]) -> list[str]:
    """Return the missing classes, and the damaged classes that they need, in the order of building."""
    missing = [name for name in classes(MOST_MEN) if name in wanted and not store.is_complete(name)]
    used = {other for name in missing for other in needed(name)}.difference(missing)
    again = {name for name in used if not store.is_sound(name)}
    return [name for name in classes(MOST_MEN) if name in again or name in missing]


@contextlib.contextmanager
def _threads(count: int, executor: Executor | None) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of threads that wait for the executor. An exception also shuts down the executor."""
    pool = ThreadPoolExecutor(count)
    try:
        yield pool
    except BaseException:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def shares(batch: list[str], threads: int, memory_mb: int | None) -> tuple[int, int, int | None]:
    """Return the number of classes to build in parallel, the threads for each class, and the bytes for a slice.

    The numbers fit the memory. Raises TablebaseError if the memory is too small.
    """
    at_once, own = (1, threads) if len(batch) == 1 and slices(batch[0]) > 1 else (threads, 1)
    if memory_mb is None:
        return at_once, own, None
    largest = max(batch, key=slice_numbers)
    free = memory_mb - _BASE_MB - sum(map(numbers, needed(largest)[:-1])) // 10**6
    if free < _LEAST_MB:
        raise TablebaseError(f"{largest} needs {memory_mb - free + _LEAST_MB} MB, and only {memory_mb} MB may be used")
    fitting = free * 10**6 // (SLICE_BYTES * slice_numbers(largest))
    count = min(threads, max(fitting, 1))
    return (1, count, free * 10**6 // count) if own > 1 else (count, 1, free * 10**6 // count)


def _remove_left_over(folder: str) -> None:
    """Remove the temporary files of processes that no longer run, also from the folders of unfinished classes."""
    remove_left(folder)
    for entry in os.listdir(folder):
        path = os.path.join(folder, entry)
        if is_work(entry) and os.path.isdir(path):
            _remove_left_over(path)
