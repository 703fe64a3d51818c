"""Solving one class in memory, on several threads where it has slices that do not depend on each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from standstill.cext.base.constants import PAWN, WHITE
from standstill.cext.doors.tables import ClassSolver, TableLibrary

from .material import men_of


def solve_class(
    name: str,
    library: TableLibrary,
    *,
    whole_game: bool = False,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ClassSolver:
    """Solve a class; all that it needs must be in the library. progress: slices done, and of how many."""
    solver = ClassSolver(men_of(name), library, whole_game)
    pawns = [colour for colour, man in men_of(name) if man == PAWN]

    def steps_left(index: int) -> int:
        squares = solver.slices[index]
        return sum(7 - sq // 8 if colour == WHITE else sq // 8 for colour, sq in zip(pawns, squares, strict=True))

    order = sorted(range(len(solver.slices)), key=steps_left)
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for _, level in groupby(order, key=steps_left):
            for _ in pool.map(solver.solve, level):
                done += 1
                progress(done, len(order))
    return solver
