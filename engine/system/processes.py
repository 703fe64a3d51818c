"""Processes: starting workers, testing whether a process runs, and groups of processes that end together."""

from __future__ import annotations

import contextlib
import os
import sys

from .signals import held_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import SpawnContext

    if sys.platform == "win32":
        Context = SpawnContext
    else:
        from multiprocessing.context import ForkContext

        Context = ForkContext | SpawnContext

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _END_WITH_HANDLE = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    _EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
    _NO_FORK = "Windows has no fork"
    _SET_QUOTA, _TERMINATE = 0x0100, 0x0001

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; only its flags are used here."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("sizes", ctypes.c_size_t * 2),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("counters", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

else:
    import signal

CAN_FORK = sys.platform != "win32"


def workers() -> Context:
    """Return the multiprocessing context for workers. Start workers while the process has only one thread.

    macOS can fork, but its system libraries may hang in the child.
    """
    import multiprocessing

    if sys.platform == "linux":
        return multiprocessing.get_context("fork")
    if sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version"):
        _wake_by_bytes()
    return multiprocessing.get_context("spawn")


def begin_worker() -> None:
    """Let this worker ignore Ctrl-C, which its parent handles, and end when its parent ends, even if it is killed.

    A worker of an executor holds both ends of its queue, so it would wait for ever for a task.
    """
    import multiprocessing
    import signal
    from multiprocessing.connection import wait
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    with held_back():  # so that signals reach the main thread
        Thread(target=follow, daemon=True).start()


def runs(process: int) -> bool:
    """Return whether a process with this number runs."""
    import psutil

    try:
        return bool(psutil.pid_exists(process))
    except OverflowError:
        return False


class Group:
    """A process that was started in its own group, and its child processes.

    On Windows they also end when this process ends, in whatever way.
    """

    def __init__(self, leader: int):
        """leader: the number of the process just started."""
        self._leader = leader
        if sys.platform == "win32":
            self._job = _job_of(leader)

    def kill(self) -> None:
        """Kill the processes that still run. Further calls do nothing."""
        if sys.platform == "win32":
            job, self._job = self._job, 0
            if job:
                kernel = ctypes.WinDLL("kernel32")
                kernel.TerminateJobObject(wintypes.HANDLE(job), 1)
                kernel.CloseHandle(wintypes.HANDLE(job))
        else:
            leader, self._leader = self._leader, 0
            if leader:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(leader, signal.SIGKILL)


if sys.platform == "win32":

    def _wake_by_bytes() -> None:
        """Let executors wake their threads by messages that are not empty.

        Wine 8 announces an empty message in a pipe, but a thread that then reads it may wait forever.
        """
        from concurrent.futures.process import _ThreadWakeup

        def wakeup(pipe: _ThreadWakeup) -> None:
            if not pipe._closed:
                pipe._writer.send_bytes(b"x")

        _ThreadWakeup.wakeup = wakeup  # type: ignore[assignment]

    def _job_of(process: int) -> int:
        """Return the only handle of a new job that holds the process; 0 if the process has ended."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = kernel.OpenProcess.restype = wintypes.HANDLE
        opened = kernel.OpenProcess(_SET_QUOTA | _TERMINATE, False, process)
        if not opened:
            return 0
        try:
            job = kernel.CreateJobObjectW(None, None)
            limits = _Limits(flags=_END_WITH_HANDLE)
            size = ctypes.sizeof(limits)
            kernel.SetInformationJobObject(wintypes.HANDLE(job), _EXTENDED_LIMITS, ctypes.byref(limits), size)
            kernel.AssignProcessToJobObject(wintypes.HANDLE(job), wintypes.HANDLE(opened))
            return int(job or 0)
        finally:
            kernel.CloseHandle(wintypes.HANDLE(opened))

    def forked(work: Callable[[], object]) -> int:
        raise OSError(_NO_FORK)

    def has_ended(child: int) -> bool:
        raise OSError(_NO_FORK)

    def kill_session(leader: int) -> None:
        raise OSError(_NO_FORK)

else:

    def forked(work: Callable[[], object]) -> int:
        """Fork a process with its own session and no input, which calls ``work`` and ends; return its number.

        This function and the next two need CAN_FORK.
        """
        process = os.fork()
        if process:
            return process
        try:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            work()
        finally:
            os._exit(1)

    def has_ended(child: int) -> bool:
        """Return whether the forked process has ended. Do not call this again after it returned True."""
        return bool(os.waitpid(child, os.WNOHANG)[0])

    def kill_session(leader: int) -> None:
        """Kill the processes of the session that a forked process leads or led."""
        import psutil

        for process in psutil.pids():
            with contextlib.suppress(OSError):  # it may have ended already
                if os.getsid(process) == leader:
                    os.kill(process, signal.SIGKILL)
