"""Solves one class, on several threads if the class has slices that do not depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, product

from standstill.cext.base.constants import PAWN, WHITE
from standstill.cext.bindings.table_library import TableLibrary
from standstill.cext.bindings.table_solver import ClassSolver

from ..common.atomic_files import new_file
from .checkpoints import LevelKeeper, Work, write_all
from .material import SLICE_BYTES, men_of
from .table_file import BLOCK_BITS, write_tables

Watch = Callable[[int, float], None]
Placement = tuple[int, ...]  # squares of the pawns, White's first


def solve_class(
    name: str,
    library: TableLibrary,
    *,
    whole_game: bool = False,
    threads: int = 1,
    work: Work | None = None,
    memory: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    watch: Watch | None = None,
) -> ClassSolver:
    """Solve a class. The library must contain all classes that this class needs.

    progress: a function that is called with the number of finished slices and the number of all slices.
    watch: a function that is called every few seconds at most, within each slice; see ClassSolver.solve.
    work: the checkpoints, which hold the solved slices; without ``work`` they remain in memory.
    memory: bytes that a slice may use. A slice that needs more is solved in a mapped file, which requires ``work``.
    """
    solver = ClassSolver(men_of(name), library, whole_game)
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for level in levels(name, solver.slices):
            for _ in pool.map(lambda index: take_or_solve(solver, index, work, memory, watch), level):
                done += 1
                progress(done, len(solver.slices))
    return solver


def levels(name: str, slices: list[Placement]) -> Iterator[list[int]]:
    """Yield groups of slices that do not depend on each other, each group after the groups that it needs."""
    pawns = _pawns(name)

    def steps_left(index: int) -> int:
        return sum(7 - sq // 8 if colour == WHITE else sq // 8 for colour, sq in zip(pawns, slices[index], strict=True))

    for _, level in groupby(sorted(range(len(slices)), key=steps_left), key=steps_left):
        yield list(level)


def needed_slices(name: str, slices: list[Placement], index: int) -> list[int]:
    """Return the slices that pawn moves can reach from a slice, including slices before an en passant capture."""
    pawns = _pawns(name)
    numbers = {squares: number for number, squares in enumerate(slices)}
    ways = [
        [sq + step for step in ((0, 8, 16) if colour == WHITE else (0, -8, -16)) if 8 <= sq + step < 56]
        for colour, sq in zip(pawns, slices[index], strict=True)
    ]
    found = {numbers[_canonical(squares, pawns)] for squares in product(*ways) if len({*squares}) == len(squares)}
    return sorted(found - {index})


def _pawns(name: str) -> list[int]:
    return [colour for colour, man in men_of(name) if man == PAWN]


def _canonical(squares: Iterable[int], pawns: list[int]) -> Placement:
    """Return a placement or its mirror image, whichever has a number."""
    images = []
    for mask in (0, 7):
        ordered = sorted(zip(pawns, (sq ^ mask for sq in squares), strict=True))
        images.append(tuple(sq for _, sq in ordered))
    return min(images)


def take_or_solve(
    solver: ClassSolver, index: int, work: Work | None, memory: int | None = None, watch: Watch | None = None
) -> None:
    """Load a slice from its checkpoint.

    If the checkpoint is missing or damaged, solve the slice, save it and load it.
    """
    if work is None:
        content = bytearray()
        solver.solve(index, content.extend, watch=watch)
        solver.take(index, content)
        return
    kept = work.solved(index)
    if kept is not None:
        try:
            solver.take(index, kept)
            return
        except ValueError as error:  # the disk or another program has damaged the file
            work.forget(index, error)
    solve_slice(solver, index, work, memory, watch)
    kept = work.solved(index)
    assert kept is not None
    solver.take(index, kept)


def solve_slice(
    solver: ClassSolver, index: int, work: Work, memory: int | None = None, watch: Watch | None = None
) -> None:
    """Solve a slice and write it to its file. Raises the errors of ClassSolver.solve, and OSError."""
    keeper = LevelKeeper(work, index)
    scratch = None
    if memory is not None and memory < SLICE_BYTES * solver.slice_numbers:
        scratch = work.scratch(solver.scratch_bytes)
    path = work.slice_path(index)
    work.prepare()

    def solve() -> None:
        with new_file(path) as file:
            solver.solve(index, lambda chunk: write_all(file, chunk), keeper, scratch, memory or 0, watch)

    try:
        solve()
    except ValueError as error:
        keeper.forget(error)
        solve()
    keeper.remove()


def write_class(
    solver: ClassSolver,
    name: str,
    whole_game: bool,
    paths: list[str],
    written: Callable[[float], None] = lambda share: None,
) -> None:
    """Write both files of a solved class. written: called with the fraction that is written. Raises OSError."""
    statistics: dict[str, dict[str, list[int]]] = {"0": {}, "1": {}}
    for (stm, value), entry in sorted(solver.counts.items()):
        statistics[str(stm)][str(value)] = list(entry)
    dictionaries = solver.dictionaries()
    write_tables(paths, name, whole_game, solver.size, dictionaries, blocks_of(solver, written), statistics)


def blocks_of(
    solver: ClassSolver, written: Callable[[float], None] = lambda share: None
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the symbols of values and of plies, block by block. Requires an earlier call of ``dictionaries``."""
    for first in range(0, solver.size, 1 << BLOCK_BITS):
        written(first / solver.size)
        yield solver.symbols(first, first + (1 << BLOCK_BITS))
