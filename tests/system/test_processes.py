"""File locks and process groups: what other processes see."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from standstill.engine.system import files, hardware, locks, processes, signals

ROOT = str(Path(files.__file__).parents[3])


def begun(code: str, **options: object) -> subprocess.Popen[str]:
    """A Python process that can import the program."""
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def wait_until(condition, limit_s: float = 60) -> None:
    until = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


HOLD = """
import os, sys
from standstill.engine.system import files, locks
handle = {opened}
locks.lock(handle)
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_lock_holds_between_processes_and_ends_with_a_killed_one(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path if kind == "folder" else tmp_path / "file")
    opened = f"locks.open_folder({path!r})"
    if kind == "file":
        opened = f"files.open_replaceable({path!r}, os.O_RDWR | os.O_APPEND | os.O_CREAT)"
    holder = begun(HOLD.format(opened=opened))
    assert said(holder) == "locked"

    def taken() -> int:
        handle = locks.open_folder(path) if kind == "folder" else files.open_replaceable(path, os.O_RDWR | os.O_CREAT)
        try:
            locks.lock(handle)
        except BaseException:
            os.close(handle)
            raise
        return handle

    with pytest.raises(BlockingIOError):
        taken()
    holder.kill()
    holder.communicate()

    def free() -> bool:
        try:
            os.close(taken())
        except BlockingIOError:
            return False
        return True

    wait_until(free)


def test_a_locked_file_is_read_by_others(tmp_path: Path) -> None:
    """On Windows a lock would keep others from reading the locked bytes."""
    path = tmp_path / "games.pgn"
    path.write_bytes(b"1. e4 *\n" * 1000)
    handle = files.open_replaceable(path, os.O_RDWR | os.O_APPEND)
    locks.lock(handle)
    assert path.read_bytes() == b"1. e4 *\n" * 1000
    assert os.lseek(handle, 0, os.SEEK_CUR) == 0
    os.close(handle)


def test_a_group_is_killed_with_the_children_of_its_leader() -> None:
    grandchild = f"subprocess.Popen([{sys.executable!r}, '-c', 'import sys; sys.stdin.read()'], stdin=subprocess.PIPE)"
    code = f"import subprocess, sys; child = {grandchild}; print(child.pid, flush=True); sys.stdin.read()"
    options = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        if sys.platform == "win32"
        else {"start_new_session": True}
    )
    # The group must exist before the grandchild starts, so that Windows puts the grandchild into it.
    leader = begun(f"sys.stdin.readline()\n{code}", **options)
    group = processes.Group(leader.pid)
    assert leader.stdin is not None
    leader.stdin.write("\n")
    leader.stdin.flush()
    child = int(said(leader))
    assert processes.runs(child)
    group.kill()
    group.kill()
    leader.communicate()
    # In a container a killed orphan may stay a zombie; it has ended all the same.
    wait_until(lambda: not processes.runs(child) or _is_zombie(child))


def _is_zombie(process: int) -> bool:
    import psutil

    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_asking_whether_a_process_runs_leaves_it_running() -> None:
    """On Windows ``os.kill(pid, 0)`` would interrupt the process."""
    process = begun("print('here', flush=True); sys.stdin.read()")
    assert said(process) == "here"
    assert processes.runs(process.pid)
    assert process.poll() is None
    process.communicate()
    assert process.returncode == 0
    assert not processes.runs(process.pid)
    assert not processes.runs(1 << 70)


def test_end_by_gives_the_status_that_shells_show() -> None:
    process = begun(
        "import signal\nfrom standstill.engine.system.signals import end_by\n"
        "signal.signal(signal.SIGTERM, signal.SIG_DFL); end_by(signal.SIGTERM)"
    )
    process.communicate()
    shown = process.returncode if process.returncode >= 0 else 128 - process.returncode
    assert shown == 128 + signal.SIGTERM


def test_ending_signals_can_be_handled() -> None:
    assert signal.SIGINT in signals.ENDING
    assert set(signals.FROM_TERMINAL) < set(signals.ENDING)
    for number in signals.ENDING:
        assert signal.getsignal(number) is not None


def test_the_computer_has_processors_and_memory() -> None:
    assert 1 <= hardware.processors() <= (os.cpu_count() or 1)
    assert 16 < hardware.free_memory_mb() < 1 << 30


def _square(number: int) -> int:
    return number * number


def test_workers_compute() -> None:
    from concurrent.futures import ProcessPoolExecutor

    if processes.workers().get_start_method() != "fork":
        pytest.skip("the tests' modules cannot be imported by name in a new process")
    with ProcessPoolExecutor(2, processes.workers()) as executor:
        assert list(executor.map(_square, range(5))) == [0, 1, 4, 9, 16]
