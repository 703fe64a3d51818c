"""Tables from workers that share the folder: calls in this process, which may spoil the files that they write."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest

from standstill.engine.common.errors import TablebaseError
from standstill.engine.tablebases import sharing
from standstill.engine.tablebases.building import Built, build
from standstill.engine.tablebases.checkpoints import Work
from standstill.engine.tablebases.material import numbers

from .test_resuming import files_of, linked, same_files


class Workers(Executor):
    """Does each task at once. spoil: called with the number of the task behind it."""

    def __init__(self, spoil: Callable[[int], None] = lambda number: None):
        self.spoil = spoil
        self.tasks: list[tuple[str, tuple]] = []

    def submit(self, task, /, *words, **named):
        self.tasks.append((task.__name__, words))
        future: Future = Future()
        try:
            future.set_result(task(*words, **named))
        except TablebaseError as error:
            future.set_exception(error)
        self.spoil(len(self.tasks))
        return future


@pytest.mark.parametrize("memory_mb", [None, 4000])
def test_workers_build_the_same_tables(folder: Path, tmp_path: Path, memory_mb: int | None) -> None:
    """A class with pawns is one task for each slice, another class is a single task."""
    store = linked(folder, tmp_path, "KPvK", "KBvK")
    workers = Workers()
    told: list[Built] = []
    build(store, ["KPvK", "KBvK"], executor=workers, memory_mb=memory_mb, report=told.append)
    assert files_of(tmp_path) == files_of(folder)
    assert [path.name for path in tmp_path.glob(".*")] == []
    assert [task for task, _ in workers.tasks].count("build_class_far") == 1
    slices = [words[3] for task, words in workers.tasks if task == "solve_slice_far"]
    assert sorted(slices) == list(range(24))
    limits = {words[-1] for _, words in workers.tasks}
    assert (limits == {None}) == (memory_mb is None)
    assert all(limit is None or 0 < limit <= 4000 * 10**6 for limit in limits)
    assert sorted(one.name for one in told) == ["KBvK", "KPvK"]
    assert told[-1].share == 1
    for one in told:
        assert 0 < one.positions <= numbers(one.name) <= one.evaluations


def change(path: Path, at: int = -1) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.unlink()  # it may be mapped
    path.write_bytes(data)


@pytest.mark.parametrize("times", [1, sharing.ATTEMPTS - 1, sharing.ATTEMPTS])
@pytest.mark.parametrize("at", [40, -1], ids=["header", "block"])
def test_a_class_that_a_worker_damages_is_built_again(folder: Path, tmp_path: Path, times: int, at: int) -> None:
    store = linked(folder, tmp_path, "KBvK")
    workers = Workers(lambda number: change(tmp_path / "KBvK.rmv", at) if number <= times else None)
    if times < sharing.ATTEMPTS:
        build(store, ["KBvK"], executor=workers)
        assert same_files(folder, tmp_path, "KBvK")
    else:
        with pytest.raises(TablebaseError, match=r"KBvK: the files from the workers are damaged: .*damaged"):
            build(store, ["KBvK"], executor=workers)
    assert len(workers.tasks) == min(times + 1, sharing.ATTEMPTS)


def test_a_class_with_wrong_states_is_built_again(folder: Path, tmp_path: Path) -> None:
    """Sound files of another class under its name: each worker in turn puts them there, then none does."""
    store = linked(folder, tmp_path, "KBvK")

    def spoil(number: int) -> None:
        if number == 1:
            for end in (".rmv", ".rmd"):
                (tmp_path / f"KBvK{end}").write_bytes((folder / f"KNvK{end}").read_bytes())

    build(store, ["KBvK"], executor=Workers(spoil))
    assert same_files(folder, tmp_path, "KBvK")


@pytest.mark.parametrize("times", [1, sharing.ATTEMPTS])
def test_a_slice_that_a_worker_damages_is_solved_again(folder: Path, tmp_path: Path, times: int) -> None:
    store = linked(folder, tmp_path, "KPvK")
    notes: list[str] = []
    tries = dict.fromkeys(range(24), 0)

    def spoil(_: int) -> None:
        index = workers.tasks[-1][1][3]
        tries[index] += 1
        if index == 3 and tries[index] <= times:
            change(Path(Work(str(tmp_path), "KPvK", False).slice_path(3)))

    workers = Workers(spoil)
    if times < sharing.ATTEMPTS:
        build(store, ["KPvK"], executor=workers, note=notes.append)
        assert same_files(folder, tmp_path, "KPvK")
        assert {index for index, count in tries.items() if count != 1} == {3}
    else:
        with pytest.raises(
            TablebaseError, match="KPvK: expected sound slices from the workers, found 1 damaged slice; do"
        ):
            build(store, ["KPvK"], executor=workers)
    assert tries[3] == min(times + 1, sharing.ATTEMPTS)


def test_a_slice_is_solved_only_after_those_that_it_needs(folder: Path, tmp_path: Path) -> None:
    """Pawns go forward: the slices of a pawn on the seventh rank, which are the last four, need no other slice."""
    linked(folder, tmp_path, "KPvK")
    sharing._class_in_work.cache_clear()

    def solved(indices: range) -> list[int]:
        found = []
        for index in indices:
            try:
                sharing.solve_slice_far(str(tmp_path), "KPvK", False, index, None)
            except TablebaseError as error:
                assert str(error).startswith(str(tmp_path))
                assert str(error).endswith(": expected a slice that was solved, found none")
            else:
                found.append(index)
        return found

    assert solved(range(20)) == []
    assert solved(range(23, -1, -1)) == list(range(23, -1, -1))
