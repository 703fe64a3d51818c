"""Folders of tables: opening them, building what is missing, asking them."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from standstill.cext.doors.tables import TableLibrary

from ..words.errors import TablebaseError
from .files import KINDS, TableFile, open_table, table_path
from .material import (
    MOST_MEN,
    SLICE_BYTES,
    class_name,
    classes,
    men_of,
    needed,
    numbers,
    slice_numbers,
    slices,
)

# The tables of three men, which every user has. Written by `make tables`; a test builds them again.
SUPPLIED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
KEEP_ABOVE = 1 << 20  # numbers of a class: what is solved in a second need not be kept
_BASE_MB = 100  # of the process, and of packing a class
_LEAST_MB = 100  # for a slice, however large, that lies in a mapped file
TEMPORARY = re.compile(r"\.standstill-(\d+)-[0-9a-f]+")


class Built(NamedTuple):
    """A class that has just been built."""

    name: str
    positions: int
    evaluations: int
    seconds: float
    share: float  # of the whole work that is done


class TableStore:
    """The tables of a folder, and of others what that one lacks. Those that are not sound are left out.

    ``refused`` says which these are, and why. more: the other folders; nothing is written there.
    """

    def __init__(
        self,
        folder: str,
        *,
        more: Iterable[str] = (),
        whole_game: bool = False,
        most_men: int = MOST_MEN,
        plies: bool = True,
    ):
        self.folder = folder
        self.whole_game = whole_game
        self.library = TableLibrary()
        self.files: dict[str, list[TableFile]] = {}  # by class: values, and plies if they are there
        self.refused: list[str] = []
        for name in classes(most_men):
            for place in (folder, *more):
                if name not in self.files and os.path.exists(table_path(place, name, 0, whole_game)):
                    try:
                        self._open(name, place, plies)
                    except TablebaseError as error:
                        self.refused.append(str(error))

    def _open(self, name: str, folder: str, plies: bool = True) -> None:
        files = []
        for kind in range(2):
            path = table_path(folder, name, kind, self.whole_game)
            if kind == 0 or (plies and os.path.exists(path)):
                files.append(open_table(path))
                found = files[-1].name, files[-1].kind, files[-1].whole_game
                if found != (name, kind, self.whole_game):
                    there = f"{KINDS[found[1]]} of {found[0]}"
                    raise TablebaseError(f"{path}: expected {KINDS[kind]} of {name}, found {there}")
        if len({file.pair for file in files}) > 1:
            raise TablebaseError(f"{files[1].path}: the plies belong to another table of values")
        self._add(name, files)

    def _add(self, name: str, files: list[TableFile]) -> None:
        try:
            self.library.add(men_of(name), *(file.plane for file in files))
        except ValueError as error:
            raise TablebaseError(f"{files[0].path}: {error}") from None
        self.files[name] = files

    @property
    def most_men(self) -> int:
        """The most men of any class that is there, 0 for none."""
        return max((len(name) - 1 for name in self.files), default=0)

    def is_complete(self, name: str) -> bool:
        return len(self.files.get(name, ())) == len(KINDS)

    def _present(self, name: str) -> list[TableFile]:
        if name not in self.files:
            raise TablebaseError(f"there is no table of {name} in {self.folder}")
        return self.files[name]

    def statistics(self, name: str) -> dict[str, dict[str, list[int]]]:
        """By side to move ("0" White) and outcome: positions on the whole board with this fresh value, most plies.

        Raises TablebaseError if there is no such table.
        """
        return self._present(name)[0].statistics

    def faults(self, name: str, every: int = 1) -> tuple[int, int, int | None]:
        """States that do not follow from their moves, states tested, number of the first faulty position.

        every: test one position of so many. Raises TablebaseError if there is no such table, or not with all it needs.
        """
        if not self._present(name) or not all(self.is_complete(other) for other in needed(name)):
            raise TablebaseError(f"expected both files of {', '.join(needed(name))} in {self.folder}")
        return self.library.faults(men_of(name), 0, 1 << 62, every, self.whole_game)

    def build(
        self,
        names: Iterable[str],
        *,
        threads: int = 1,
        memory_mb: int | None = None,
        keep_above: int = KEEP_ABOVE,
        keep_every_s: float | None = None,
        report: Callable[[Built], None] = lambda built: None,
    ) -> None:
        """Build the classes and all that they need, except what is there.

        Each class is written when it is done, so a build that was ended goes on where it was: in a class of more
        numbers than ``keep_above`` with its last slice, in a slice of more than ``keep_every_s`` with its last levels.
        memory_mb: the most that the solver may use; what needs more is solved in mapped files beside the tables.

        Raises TablebaseError if it cannot do with that, OSError.
        """
        from concurrent.futures import ThreadPoolExecutor  # here, because playing needs no threads

        from .solving import solve_class, write_class
        from .work import KEEP_EVERY_S, Work

        every_s = KEEP_EVERY_S if keep_every_s is None else keep_every_s
        os.makedirs(self.folder, exist_ok=True)
        _remove_left_over(self.folder)
        wanted = {other for name in names for other in needed(class_name(name))}
        missing = [name for name in classes(MOST_MEN) if name in wanted and not self.is_complete(name)]
        total = sum(map(numbers, missing))
        done = 0

        def build_one(name: str, own_threads: int, memory: int | None) -> tuple[str, int, int, float]:
            start = time.monotonic()
            work = Work(self.folder, name, self.whole_game, every_s=every_s) if numbers(name) > keep_above else None
            solver = solve_class(
                name, self.library, whole_game=self.whole_game, threads=own_threads, work=work, memory=memory
            )
            write_class(solver, name, self.whole_game, self._paths(name))
            if work is not None:
                work.remove()
            return name, solver.positions, solver.evaluations, time.monotonic() - start

        # Classes with equally many men and pawns do not need each other. With pawns a class has slices of its own.
        for (_, pawns), group in groupby(missing, key=lambda name: (len(name), name.count("P"))):
            for batch in [[name] for name in group] if pawns else [list(group)]:
                at_once, own, memory = _shares(batch, threads, memory_mb)
                with ThreadPoolExecutor(at_once) as pool:
                    for result in pool.map(build_one, batch, [own] * len(batch), [memory] * len(batch)):
                        done += numbers(result[0])
                        self._replace(result[0])
                        report(Built(*result, done / total))

    def _paths(self, name: str) -> list[str]:
        return [table_path(self.folder, name, kind, self.whole_game) for kind in range(len(KINDS))]

    def _replace(self, name: str) -> None:
        """Open a class that has been built. A core that holds a damaged one keeps it, so the library is made anew."""
        if name in self.files:
            del self.files[name]
            kept, self.library, self.files = self.files, TableLibrary(), {}
            for other, files in kept.items():
                self._add(other, files)
        self._open(name, self.folder)


def _shares(batch: list[str], threads: int, memory_mb: int | None) -> tuple[int, int, int | None]:
    """How many classes at once, threads for each, and the bytes for a slice, so that the memory suffices."""
    at_once, own = (1, threads) if len(batch) == 1 and slices(batch[0]) > 1 else (threads, 1)
    if memory_mb is None:
        return at_once, own, None
    largest = max(batch, key=slice_numbers)
    free = memory_mb - _BASE_MB - sum(map(numbers, needed(largest)[:-1])) // 10**6
    if free < _LEAST_MB:
        raise TablebaseError(
            f"{largest} needs {memory_mb - free + _LEAST_MB} MB, and only {memory_mb} MB may be used"
        )
    fitting = free * 10**6 // (SLICE_BYTES * slice_numbers(largest))
    count = min(threads, max(fitting, 1))
    return (1, count, free * 10**6 // count) if own > 1 else (count, 1, free * 10**6 // count)


def _remove_left_over(folder: str) -> None:
    """Remove what a killed process was writing."""
    for entry in os.listdir(folder):
        if found := TEMPORARY.fullmatch(entry):
            try:
                os.kill(int(found[1]), 0)
            except ProcessLookupError:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, entry))
            except (PermissionError, OverflowError):
                continue
