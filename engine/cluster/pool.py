"""An executor that runs tasks on the workers of a Dask cluster. Only this package uses Dask.

Tasks are functions of modules, with arguments that can be pickled. Their results depend on the arguments alone, so any
worker can do a task, and another worker repeats a task whose worker was lost.
"""

from __future__ import annotations

import contextlib
import gc
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .. import NAME, VERSION
from ..common.errors import ClusterError
from ..common.install import install_command
from ..common.signals import awaited
from ..common.text import plural, shown
from ..system.processes import CAN_FORK

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

LOCAL = "local"
_PATIENCE_S = 60  # time to wait for the first worker
_KNOCK_S = 10  # time to wait for a connection
_RENEWAL_S = 0.5  # time for the scheduler to notice that a worker was lost
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^/@]*@)?\[?([^/@\]]+)\]?:(\d{1,5})")
_LOST_WORKERS = 10  # a task on which this many workers were lost is assumed to kill them
_HERE = "127.0.0.1"
_FREE_PORT = f"{_HERE}:0"
_NO_DASK = f"--scheduler needs Dask: {install_command('cluster')}"
_PROFILE = "distributed.worker.profile.enabled"  # samples every process 100 times a second, which is not needed here
_LEAVE_S = 5  # time to wait for the foreman to end
# The program's first argument is the folder from which this process imports the package.
_FOREMAN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from standstill.engine.cluster.foreman import keep
keep()
"""


class ClusterExecutor(Executor):
    """Runs tasks on the workers of a cluster. If the cluster is gone, the results raise ClusterError.

    Cancelling a task and shutting down return at once, without waiting for the cluster.
    """

    def __init__(self, client: Client):
        self._far = client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._shut = False

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._shut:
                raise RuntimeError("the executor has been shut down")
            self._pending.add(future)
        far: Future[T] = self._far.submit(function, *args, **named)

        def pass_on(_: Future[T]) -> None:
            if not future.set_running_or_notify_cancel():
                return
            if far.cancelled():  # cancelled by Dask, not by this program
                future.set_exception(ClusterError("the Dask scheduler disconnected before all tasks were done"))
            elif error := far.exception():
                future.set_exception(error)
            else:
                future.set_result(far.result())

        def forget(_: Future[T]) -> None:
            self._pending.discard(future)
            if future.cancelled() and not far.done() and not self._shut:
                _on_thread(far.cancel)  # on a thread, because Dask waits for the scheduler's answer

        far.add_done_callback(pass_on)
        future.add_done_callback(forget)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Implement ``Executor.shutdown``. The scheduler drops cancelled tasks when the client disconnects."""
        with self._lock:
            self._shut = True
            pending = list(self._pending)
        for future in pending:
            if cancel_futures:
                future.cancel()
        if wait and not cancel_futures:
            futures.wait(pending)


def _on_thread(act: Callable[[], T]) -> Future[T]:
    """Run ``act`` on a daemon thread, which does not delay the end of the process."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(act())
        except BaseException as error:  # the future raises it in the caller
            future.set_exception(error)

    threading.Thread(target=do, daemon=True).start()
    return future


def _done(act: Callable[[], T]) -> T:
    """Return the result of ``act``. Dask hardly checks for signals, but here a signal ends the wait at once."""
    return awaited(_on_thread(act))


@contextlib.contextmanager
def workers(scheduler: str, local: int) -> Iterator[tuple[Executor, int]]:
    """Yield an executor and the number of its workers. Leaving the block cancels unfinished tasks.

    scheduler: ``local`` for ``local`` processes on this computer, or the address of a running cluster. Raises
    ClusterError if no cluster answers there, or the workers do not have this version of the program.
    """
    if find_spec("distributed") is None:
        raise ClusterError(_NO_DASK)
    if scheduler != LOCAL:
        _done(partial(_knock, scheduler))
    with contextlib.ExitStack() as stack:
        # The local workers start first and load Dask, which takes half a second, while this process loads it too.
        foreman = stack.enter_context(_own_workers(local)) if scheduler == LOCAL else None
        connect = _dask()
        if scheduler.startswith("tls:"):
            _done(partial(_shake_hands, scheduler))
        address = scheduler if foreman is None else stack.enter_context(_own_scheduler(foreman))
        try:
            client = _done(partial(connect, address, timeout=_PATIENCE_S, set_as_default=False))
        except (OSError, ValueError, TimeoutError) as error:
            reason = str(error).splitlines()[0] if str(error) else "no answer"
            raise ClusterError(f"expected a Dask scheduler at {shown(address)}: {reason}") from None
        stack.push(partial(_leave, partial(client.close, timeout=5)))
        count = _done(partial(_checked, client, address, local if scheduler == LOCAL else 1))
        executor = ClusterExecutor(client)
        try:
            yield executor, count
        finally:
            executor.shutdown(cancel_futures=True)


def _dask() -> type[Client]:
    """Load Dask with the settings used here. Return its client class. Raises ClusterError if it cannot be loaded."""
    try:
        import dask.config

        # This module reports lost workers itself, so users do not need Dask's log of them.
        dask.config.set({"logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}})
        dask.config.set({"distributed.scheduler.allowed-failures": _LOST_WORKERS, _PROFILE: False})
        from distributed import Client

        gc.freeze()  # Dask is large and remains in memory, so garbage collection can skip it
    except ImportError:
        raise ClusterError(_NO_DASK) from None
    return Client


def _leave(close: Callable[[], object], error: type[BaseException] | None, *_: object) -> None:
    """Close silently, even if the scheduler is gone. A process that is about to end need not close anything."""
    if error is None or issubclass(error, Exception):
        with contextlib.suppress(OSError, TimeoutError):
            _done(close)


def _connected(address: str) -> socket.socket:
    found = _ADDRESS.fullmatch(address)
    assert found is not None  # _knock has checked the address
    return socket.create_connection((found[1], int(found[2])), _KNOCK_S)


def _knock(address: str) -> None:
    """Raise ClusterError if nothing listens at the address. A Dask client would leave threads that never end."""
    if _ADDRESS.fullmatch(address) is None:
        raise ClusterError(f"expected {LOCAL} or an address such as tcp://HOST:8786, found {shown(address)}")
    try:
        _connected(address).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(f"expected a Dask scheduler at {shown(address)}: {reason}") from None


def _shake_hands(address: str) -> None:
    """Raise ClusterError if a ``tls://`` address has no TLS, because a Dask client would print a traceback or hang."""
    from distributed.security import Security

    wanted = f"expected a certificate for {shown(address)} in Dask's configuration (distributed.comm.tls)"
    try:
        context = Security().get_connection_args("client").get("ssl_context")
    except (OSError, ValueError) as error:
        raise ClusterError(f"{wanted}: {getattr(error, 'strerror', None) or error}") from None
    if context is None:
        raise ClusterError(f"{wanted}, found none")
    try:
        context.wrap_socket(_connected(address)).close()
    except OSError as error:
        raise ClusterError(f"expected TLS at {shown(address)}: {error.strerror or error}") from None


def _checked(client: Client, address: str, least: int) -> int:
    """Return the number of workers, once enough have connected. Raises ClusterError unless all have this version."""
    wanted = f"expected {NAME} {VERSION} on scheduler and workers of {shown(address)}"
    for _ in range(_LOST_WORKERS):
        _await_workers(client, address, least)
        asked = _on_thread(partial(_versions, client))
        if not futures.wait([asked], _PATIENCE_S).done:
            raise ClusterError(f"expected answers of all workers at {shown(address)} within {_PATIENCE_S} seconds")
        try:
            versions = asked.result()
        except ModuleNotFoundError:
            raise ClusterError(f"{wanted}, found none") from None
        except OSError:
            raise ClusterError(f"the Dask scheduler at {shown(address)} disconnected") from None
        if versions == {VERSION}:
            return len(client.scheduler_info(n_workers=-1)["workers"])
        if versions is not None:
            raise ClusterError(f"{wanted}, found {', '.join(sorted(versions - {VERSION}))}")
        time.sleep(_RENEWAL_S)
    raise ClusterError(f"expected answers of all workers at {shown(address)}, but workers were lost each time")


def _await_workers(client: Client, address: str, least: int) -> None:
    try:
        client.wait_for_workers(least, timeout=_PATIENCE_S)
    except TimeoutError:
        found = len(client.scheduler_info()["workers"])
        wanted = f"{least} {plural(least, 'worker')}"
        raise ClusterError(
            f"expected {wanted} at {shown(address)} within {_PATIENCE_S} seconds, found {found}"
        ) from None


def version() -> str:
    return VERSION


def _versions(client: Client) -> set[str] | None:
    """Return the versions of the scheduler and of all workers; None if a worker was lost before it answered."""
    # Dask's declared types of both include coroutines, which only an asynchronous client returns.
    answers = cast("dict[str, str | Exception]", client.run(version, on_error="return")).values()
    told = set()
    is_lost = False
    for answer in answers:
        if isinstance(answer, str):
            told.add(answer)
        elif isinstance(answer, OSError):
            is_lost = True
        else:
            raise answer
    return None if is_lost else {cast(str, client.run_on_scheduler(version)), *told}


def _listening() -> dict[str, Any]:
    """Return options that make the scheduler and its web server listen only on this computer.

    Without an address the web server would choose a port on all networks of the computer.
    """
    return {"host": _HERE, "port": 0, "protocol": "tcp://", "dashboard": False, "dashboard_address": _FREE_PORT}


@contextlib.contextmanager
def _own_workers(count: int) -> Iterator[_Foreman]:
    """Start workers in separate processes, which load Dask and wait for the address of a scheduler."""
    if not CAN_FORK:
        raise ClusterError(
            "--scheduler local needs processes that fork, which this system lacks: use --jobs, or name a scheduler"
        )
    root = str(Path(__file__).resolve().parents[2])
    package = next((path for path in sys.path if Path(path, "standstill", "engine").is_dir()), root)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="standstill-", ignore_cleanup_errors=True))
        # With -P, neither this process nor the workers import from the current folder, whose files may be untrusted.
        apart = "-I" if sys.flags.isolated else "-P"
        command = [sys.executable, apart, "-c", _FOREMAN, package, str(count), _PROFILE, "--nthreads", "1"]
        command += ["--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30"]
        command += ["--host", _HERE, "--dashboard-address", _FREE_PORT]
        foreman = _Foreman([*command, "--local-directory", folder], folder)
        stack.callback(foreman.end)
        yield foreman


@contextlib.contextmanager
def _own_scheduler(foreman: _Foreman) -> Iterator[str]:
    """Start a scheduler in this process and connect the workers to it. Yield its address."""
    import dask.config
    from distributed import Scheduler, SpecCluster

    dask.config.set({"temporary-directory": foreman.folder})  # Dask leaves a folder in it
    with contextlib.ExitStack() as stack:
        listener = {"cls": Scheduler, "options": _listening()}
        cluster = _done(partial(SpecCluster, scheduler=listener, workers={}, silence_logs=50))  # pyright: ignore[reportArgumentType]
        stack.push(partial(_leave, cluster.close))
        stack.callback(foreman.end)  # otherwise the foreman would replace workers that the scheduler dismisses
        foreman.join(cluster.scheduler_address)
        yield cluster.scheduler_address


class _Foreman:
    """A handle to the process that supervises the local workers (``foreman.py``)."""

    def __init__(self, command: list[str], folder: str):
        """folder: the working folder of the workers."""
        self.folder = folder
        self._joined = False
        # Only this process handles an interrupt from the keyboard.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def join(self, address: str) -> None:
        """Make the workers connect to the scheduler at this address."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # the process has ended
            self._process.stdin.write(f"{address}\n".encode())
            self._process.stdin.flush()
        self._joined = True

    def end(self) -> None:
        """End all workers. Further calls do nothing."""
        assert self._process.stdin is not None
        if not self._joined:  # the process may still be loading Dask, before it has workers
            self._process.kill()
        with contextlib.suppress(OSError):  # the process has ended
            self._process.stdin.close()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
