"""Classes built in parts, with files, or in several runs give the same tables."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from standstill.cext.bindings.table_library import TableLibrary
from standstill.engine.system.leftovers import temporary_beside
from standstill.engine.tablebases import solving
from standstill.engine.tablebases.building import Progress, Stage, build, shares
from standstill.engine.tablebases.checkpoints import LevelKeeper, Work
from standstill.engine.tablebases.material import men_of
from standstill.engine.tablebases.solving import needed_slices
from standstill.engine.tablebases.store import TableStore
from tests.uci.client import PATIENCE_S, clean_environment

from .conftest import Run
from .test_solver import solved


class Killed(Exception):
    """Raised in place of a signal, at a point that the test chooses."""


def same_files(folder: Path, other: Path, name: str) -> bool:
    return all(
        (folder / f"{name}{end}").read_bytes() == (other / f"{name}{end}").read_bytes() for end in (".rmv", ".rmd")
    )


def link(path: Path, place: Path) -> None:
    if os.name == "nt":  # only administrators may make links there
        shutil.copy(path, place)
    else:
        place.symlink_to(path)


def linked(folder: Path, tmp_path: Path, *without: str) -> TableStore:
    """A folder with most of the tables of three pieces."""
    for path in folder.iterdir():
        if path.stem not in without:
            link(path, tmp_path / path.name)
    return TableStore(str(tmp_path))


def test_a_class_goes_on_with_its_next_slice(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    solve = solving.solve_slice

    def solve_some(solver, index, work, memory=None, watch=None):
        if len(done) == 10:
            raise Killed
        solve(solver, index, work, memory, watch)
        done.append(index)

    monkeypatch.setattr(solving, "solve_slice", solve_some)
    with pytest.raises(Killed):
        build(linked(folder, tmp_path, "KPvK"), ["KPvK"], keep_above=0)
    kept = list(done)
    done.clear()
    with pytest.raises(Killed):
        build(TableStore(str(tmp_path)), ["KPvK"], keep_above=0)
    done.append(-1)  # the interrupted run may have finished one more slice
    monkeypatch.setattr(solving, "solve_slice", solve)
    build(TableStore(str(tmp_path)), ["KPvK"], keep_above=0)
    assert len({*kept, *done} - {-1}) == 20
    assert same_files(folder, tmp_path, "KPvK")
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("name", "whole_game"),
    [
        pytest.param("KvK", False, id="KvK"),
        pytest.param("KvK", True, id="KvK-whole-game"),
        pytest.param("KBvK", False, id="KBvK", marks=pytest.mark.slow),
    ],
)
def test_a_build_killed_after_every_checkpoint_ends_with_the_same_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, whole_game: bool
) -> None:
    """Each run does one part of the work, so every kind of part is resumed."""
    kept_write = LevelKeeper.write

    def write(keeper, chunks):
        kept_write(keeper, chunks)
        raise Killed

    expected, found = tmp_path / "expected", tmp_path / "found"
    for place in (expected, found):
        place.mkdir()
        if not whole_game:
            linked(folder, place, name)
    build(TableStore(str(expected), whole_game=whole_game), [name], keep_above=10**9)
    monkeypatch.setattr(LevelKeeper, "write", write)
    kills = 0
    with pytest.raises(StopIteration):
        while True:
            try:
                build(TableStore(str(found), whole_game=whole_game), [name], keep_above=0, keep_every_s=0)
                raise StopIteration
            except Killed:
                kills += 1
                assert [path.name for path in found.glob(".*/*")] == ["level-0"]
    assert kills > 100
    assert files_of(found) == files_of(expected)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def damaged(content: bytes, fault: str) -> bytes:
    if fault == "byte":
        middle = len(content) // 2
        return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    return {"cut": content[:-1000], "empty": b"", "text": b"no checkpoint\n" * 100}[fault]


@pytest.mark.parametrize("fault", ["byte", "cut", "empty", "text", "foreign"])
def test_a_checkpoint_that_cannot_be_used_is_named_and_ignored(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def write(keeper, chunks):
        kept_write(keeper, chunks)
        raise Killed

    kept_write = LevelKeeper.write
    monkeypatch.setattr(LevelKeeper, "write", write)
    store = linked(folder, tmp_path, "KBvK", "KNvK")
    for name in ("KBvK", "KNvK"):
        with pytest.raises(Killed):
            build(store, [name], keep_above=0, keep_every_s=0)
    monkeypatch.setattr(LevelKeeper, "write", kept_write)
    checkpoint = tmp_path / ".KBvK.work" / "level-0"
    content = (tmp_path / ".KNvK.work" / "level-0").read_bytes()
    checkpoint.write_bytes(content if fault == "foreign" else damaged(checkpoint.read_bytes(), fault))
    notes: list[str] = []
    build(store, ["KBvK"], keep_above=0, note=notes.append)
    assert [note.partition(": ")[0] for note in notes] == [str(checkpoint)]
    assert notes[0].endswith("; starting this slice again")
    assert same_files(folder, tmp_path, "KBvK")
    assert not (tmp_path / ".KBvK.work").exists()


def test_progress_within_a_class_without_pawns_goes_through_all_stages(folder: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    build(linked(folder, tmp_path, "KRvK"), ["KRvK"], watch=told.append)
    order = [Stage.ENTERING, Stage.DECIDING, Stage.WRITING]
    places = [(order.index(progress.stage), progress.code) for progress in told]
    assert places == sorted(places)
    assert {progress.stage for progress in told} == set(order)
    assert all(0 <= progress.share <= 1 for progress in told)
    entered = [progress.share for progress in told if progress.stage is Stage.ENTERING]
    assert entered == [pytest.approx(0.5)]
    decided = [progress for progress in told if progress.stage is Stage.DECIDING]
    assert decided[-1].share == 1
    assert {progress.code for progress in decided} >= {2, 3}


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("at", [3, 30, 6000, -1])
def test_a_damaged_slice_is_solved_again(folder: Path, tmp_path: Path, at: int) -> None:
    store = linked(folder, tmp_path, "KPvK")
    work = Work(str(tmp_path), "KPvK", False)
    solver = solving.solve_class("KPvK", store.library, work=work)
    path = Path(work.slice_path(7))
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    with path.open("r+b") as file:  # Windows does not shorten a mapped file
        file.write(data)
    with pytest.raises(ValueError, match="slice"):
        solver.take(7, bytes(data))
    build(store, ["KPvK"], keep_above=0)
    assert same_files(folder, tmp_path, "KPvK")


def test_a_slice_whose_numbers_were_changed_contradicts_itself(folder: Path, tmp_path: Path) -> None:
    """The checksum is right, so the numbers themselves must be verified."""
    import zlib

    store = linked(folder, tmp_path, "KvK")
    content = bytearray()
    solver = solving.ClassSolver(men_of("KvK"), store.library)
    solver.solve(0, content.extend)
    content[-8:-4] = b"\xff\xff\xff\x7f"
    content[-4:] = zlib.crc32(content[:-4]).to_bytes(4, "little")
    with pytest.raises(ValueError, match="contradicts itself"):
        solver.take(0, content)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("KBvK", marks=pytest.mark.slow), "KPvK"])
def test_a_class_solved_in_mapped_files_is_the_same(folder: Path, tmp_path: Path, name: str) -> None:
    library, solvers = solved()
    solver = solving.solve_class(name, library, work=Work(str(tmp_path), name, False), memory=1 << 20)
    assert solver.counts == solvers[name].counts
    solving.write_class(solver, name, False, [str(tmp_path / f"{name}{end}") for end in (".rmv", ".rmd")])
    assert same_files(folder, tmp_path, name)


@pytest.mark.parametrize(
    ("name", "pawns", "needed"),
    [
        ("KPvK", [(12,)], {(20,), (28,)}),  # e2: mirrored, d2
        ("KPvKP", [(12, 51)], {(20, 51), (28, 51), (12, 43), (12, 35), (20, 43), (20, 35), (28, 43), (28, 35)}),
        ("KPPvK", [(48, 49)], set()),
    ],
)
def test_slices_that_a_slice_needs(name: str, pawns: list, needed: set) -> None:
    library, _ = solved()
    slices = solving.ClassSolver(men_of(name), library).slices
    placements = {tuple(squares): number for number, squares in enumerate(slices)}

    def number(squares: tuple) -> int:
        image = tuple(sq ^ 7 for sq in squares)
        return placements.get(squares, placements.get(image))

    for squares in pawns:
        assert set(needed_slices(name, slices, number(squares))) == {number(other) for other in needed}


def test_what_a_killed_build_was_writing_is_removed(tables: Run, folder: Path, tmp_path: Path) -> None:
    """Includes the folder of slices, where each interruption once left a file as large as a slice."""
    for path in folder.iterdir():
        link(path, tmp_path / path.name)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    own = Path(temporary_beside(tmp_path / "x")).name
    work = tmp_path / ".KNNvK.work"
    work.mkdir()
    for place in (tmp_path, work):
        (place / own.replace(str(os.getpid()), str(gone.pid), 1)).write_bytes(b"half")
    (work / own).write_bytes(b"of another build")
    (work / "slice-0").write_bytes(b"kept")
    (tmp_path / ".other.work").write_bytes(b"no folder")
    assert tables(tmp_path, "build", "KQvK").returncode == 0
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob(".standstill-*")}
    assert left == {f".KNNvK.work/{own}"}
    assert (work / "slice-0").exists()


@pytest.mark.slow
def test_a_killed_build_goes_on_within_a_class(executable: Path, tables: Run, folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        link(path, tmp_path / path.name)
    words = ["tables", "--path", str(tmp_path), "build", "KNNvK", "--keep-every", "1s", "--jobs", "1"]
    process = subprocess.Popen([executable, *words], stdout=subprocess.DEVNULL, env=clean_environment())
    deadline = time.monotonic() + 20 * PATIENCE_S
    while not list(tmp_path.glob(".KNNvK.work/level-0")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait(PATIENCE_S) == -signal.SIGKILL
    done = tables(tmp_path, *words[3:])
    assert (done.returncode, done.stderr) == (0, "")
    assert "KNNvK: 3,144,986 positions" in done.stdout
    assert '["G0.5", 5713360, 51]' in tables(tmp_path, "stats", "KNNvK", "--json").stdout
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize(
    ("batch", "has_slices"),
    [(["KPvK"], True), (["KQvK"], False), (["KQPvK", "KRPvK"], True), (["KQvK", "KRvK"], False)],
)
def test_threads_share_the_slices_of_a_class_only_if_it_is_alone(
    batch: list[str], has_slices: bool, threads: int
) -> None:
    """Classes side by side keep every thread busy to the end; the slices of one class wait for each other."""
    at_once, own, _ = shares(batch, threads, None)
    assert at_once * own == threads
    assert (own if len(batch) == 1 and has_slices else at_once) == threads
    limited = shares(batch, threads, 4000)
    assert limited[0] * limited[1] <= threads
    assert limited[2] * limited[0] * limited[1] <= 4000 * 10**6


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ["KQvK", "KPvK", "KPvKP"])
def test_progress_counts_every_slice_once_up_to_all(monkeypatch: pytest.MonkeyPatch, name: str, threads: int) -> None:
    taken: list[int] = []
    monkeypatch.setattr(solving, "take_or_solve", lambda solver, index, *_: taken.append(index))
    told: list[tuple[int, int]] = []
    solver = solving.solve_class(name, TableLibrary(), threads=threads, progress=lambda *count: told.append(count))
    count = len(solver.slices)
    assert sorted(taken) == list(range(count))
    assert told == [(number, count) for number in range(1, count + 1)]


# Sends itself a signal whenever a thread has started but the pool has not yet noted it, which happens on busy machines.
INTERRUPTED = """
import os, signal, sys, threading, time
from standstill.engine.common.signals import Ended, unwind_on_signals
from standstill.engine.tablebases import building
from standstill.engine.tablebases.store import TableStore

start = threading.Thread.start

def started(thread):
    start(thread)
    if threading.current_thread() is threading.main_thread():
        os.kill(os.getpid(), signal.SIGTERM)

threading.Thread.start = started
building.solve_class = lambda *words, **options: time.sleep(1)
unwind_on_signals()
try:
    building.build(TableStore(sys.argv[1]), ["KvK"])
except Ended:
    print(threading.active_count())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to hold back")
def test_a_signal_while_a_thread_starts_leaves_no_thread_behind(tmp_path: Path) -> None:
    """The temporary file of a thread would remain if the program ended without waiting for the thread."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)], capture_output=True, text=True, timeout=PATIENCE_S,
        check=False, env=clean_environment() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("1\n", "")
