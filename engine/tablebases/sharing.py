"""Builds classes on many machines that share the folder of the tables.

A task is one slice (placement of the pawns) or a whole class without pawns. Its result is a file in the folder. The
process that submitted the task tests the file before use, and repeats the task if the file is damaged.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from functools import lru_cache

from standstill.cext.bindings.table_solver import ClassSolver

from ..common.errors import TablebaseError
from ..common.text import plural
from .checkpoints import Work
from .material import men_of
from .solving import levels, needed_slices, solve_class, solve_slice, write_class
from .store import TableStore

_taking = threading.Lock()  # a thread holds this lock while it adds a class to the library and tests it
ATTEMPTS = 3  # number of attempts at a task whose results are damaged
SAMPLES = 2000  # about this many positions are tested in a class that another machine has built


def solve_slice_far(folder: str, name: str, whole_game: bool, index: int, memory: int | None) -> None:
    """Solve one slice and write its file. The folder must contain the classes and slices that the slice needs.

    Raises TablebaseError if a needed slice is missing, and the errors of ``solve_slice``.
    """
    work, solver, taken = _class_in_work(folder, name, whole_game)
    for needed in needed_slices(name, solver.slices, index):
        if needed not in taken:
            kept = work.solved(needed)
            if kept is None:
                raise TablebaseError(f"{work.slice_path(needed)}: expected a slice that was solved, found none")
            solver.take(needed, kept)
            taken.add(needed)
    solve_slice(solver, index, work, memory)


@lru_cache(1)
def _class_in_work(folder: str, name: str, whole_game: bool) -> tuple[Work, ClassSolver, set[int]]:
    """Return the state of a class that a worker keeps between two slices."""
    solver = ClassSolver(men_of(name), TableStore(folder, whole_game=whole_game).library, whole_game)
    return Work(folder, name, whole_game), solver, set()


def build_class_far(folder: str, name: str, whole_game: bool, memory: int | None) -> tuple[int, int]:
    """Solve a class without pawns and write its files.

    Returns the numbers of positions and of steps. Raises the errors of ``solve_class``.
    """
    store = TableStore(folder, whole_game=whole_game)
    work = Work(folder, name, whole_game)
    solver = solve_class(name, store.library, whole_game=whole_game, work=work, memory=memory)
    write_class(solver, name, whole_game, store.paths(name))
    work.remove()
    return solver.positions, solver.evaluations


def solve_class_shared(name: str, store: TableStore, executor: Executor, memory: int | None) -> ClassSolver:
    """Let a cluster solve the slices of a class, and collect them. Raises TablebaseError and OSError."""
    solver = ClassSolver(men_of(name), store.library, store.whole_game)
    work = Work(store.folder, name, store.whole_game)
    folder = os.path.abspath(store.folder)

    def is_taken(index: int) -> bool:
        kept = work.solved(index)
        if kept is None:
            return False
        try:
            solver.take(index, kept)
        except ValueError as error:
            work.forget(index, error)
            return False
        return True

    for level in levels(name, solver.slices):
        todo = [index for index in level if not is_taken(index)]
        for _ in range(ATTEMPTS):
            tasks = [executor.submit(solve_slice_far, folder, name, store.whole_game, at, memory) for at in todo]
            for task in tasks:
                task.result()
            todo = [index for index in todo if not is_taken(index)]
        if todo:
            slices = f"{len(todo)} damaged {plural(len(todo), 'slice')}"
            expected = f"{name}: expected sound slices from the workers"
            raise TablebaseError(f"{expected}, found {slices}; do they share {folder}?")
    return solver


def build_class_shared(
    name: str, store: TableStore, executor: Executor, memory: int | None, take: Callable[[str], None]
) -> tuple[int, int]:
    """Let a cluster build a class; return the numbers of positions and of steps. Raises TablebaseError.

    take: a function that opens the files of a class.
    """
    folder = os.path.abspath(store.folder)
    found = ""
    before = store.library.corrupt_blocks()
    for _ in range(ATTEMPTS):
        counted: tuple[int, int] = executor.submit(build_class_far, folder, name, store.whole_game, memory).result()
        with _taking:
            try:
                take(name)
                corrupt = store.library.corrupt_blocks() - before
                wrong, _, _ = store.faults(name, max(1, store.files[name][0].size // SAMPLES))
            except TablebaseError as error:
                found = str(error)
                continue
        if not (corrupt or wrong):
            return counted
        found = f"{corrupt} damaged {plural(corrupt, 'block')}, {wrong} wrong {plural(wrong, 'state')}"
    raise TablebaseError(f"{name}: the files from the workers are damaged: {found}")
