"""Workers of a Dask cluster as an executor: the one place that knows Dask.

Tasks are functions of modules, with arguments that can be pickled, and their results depend on these alone. So it does
not matter who does a task, and one whose worker is lost is done again by another.
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
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Executor, Future
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .. import NAME, VERSION
from ..common.errors import ClusterError
from ..common.install import install_command
from ..common.signals import awaited
from ..common.text import plural, shown

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

LOCAL = "local"
_PATIENCE_S = 60  # for the first worker
_KNOCK_S = 10  # for a connection
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^/@]*@)?\[?([^/@\]]+)\]?:(\d{1,5})")
_LOST_WORKERS = 10  # with the same task in their hands; then the task is to blame
_HERE = "127.0.0.1"
_FREE_PORT = f"{_HERE}:0"
_NO_DASK = f"--scheduler needs Dask: {install_command('cluster')}"
_PROFILE = "distributed.worker.profile.enabled"  # looks into every process a hundred times a second, and nobody asks
_LEAVE_S = 5  # for the foreman of our own workers
# It finds the program where we do.
_FOREMAN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from standstill.engine.cluster.foreman import keep
keep()
"""


class ClusterExecutor(Executor):
    """Does tasks on the workers of a cluster. Raises ClusterError from a result if the cluster is gone.

    Nothing here waits for the cluster: to cancel a task, or to shut down, is to wait for it no longer.
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
            if far.cancelled():  # not by us
                future.set_exception(ClusterError("the Dask scheduler has left with tasks that were not done"))
            elif error := far.exception():
                future.set_exception(error)
            else:
                future.set_result(far.result())

        def forget(_: Future[T]) -> None:
            self._pending.discard(future)
            if future.cancelled() and not far.done() and not self._shut:
                _begun(far.cancel)  # Dask waits for the scheduler's answer

        far.add_done_callback(pass_on)
        future.add_done_callback(forget)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """The scheduler drops tasks that were given up when the client leaves it."""
        with self._lock:
            self._shut = True
            pending = list(self._pending)
        for future in pending:
            if cancel_futures:
                future.cancel()
        if wait and not cancel_futures:
            futures.wait(pending)


def _begun(act: Callable[[], T]) -> Future[T]:
    """Do it on a thread that holds nobody up at the end of the process."""
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(act())
        except BaseException as error:  # handed to whoever waits for it
            future.set_exception(error)

    threading.Thread(target=do, daemon=True).start()
    return future


def _done(act: Callable[[], T]) -> T:
    """What comes of it. Dask looks up for signals every ten seconds, or never; here one ends it at once."""
    return awaited(_begun(act))


@contextlib.contextmanager
def workers(scheduler: str, local: int) -> Iterator[tuple[Executor, int]]:
    """An executor and the number of its workers. At the end the tasks that were not done are given up.

    scheduler: ``local``, for as many processes of this computer as ``local`` says, or the address of a running cluster.
    Raises ClusterError if there is none, or no worker of this version of the program.
    """
    if find_spec("distributed") is None:
        raise ClusterError(_NO_DASK)
    if scheduler != LOCAL:
        _done(partial(_knock, scheduler))
    with contextlib.ExitStack() as stack:
        # Workers of our own are begun first: loading Dask is half a second of work, which we do meanwhile.
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
    """Load Dask with our settings; its client. Raises ClusterError if it cannot be loaded."""
    try:
        import dask

        # Lost workers are our business; what Dask logs about them is no message for our users.
        dask.config.set({"logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}})
        dask.config.set({"distributed.scheduler.allowed-failures": _LOST_WORKERS, _PROFILE: False})
        from distributed import Client

        gc.freeze()  # Dask is large and stays; no collection need look through it again
    except ImportError:
        raise ClusterError(_NO_DASK) from None
    return Client


def _leave(close: Callable[[], object], error: type[BaseException] | None, *_: object) -> None:
    """Close without a word, also if the scheduler is gone. If the process shall end at once, that closes enough."""
    if error is None or issubclass(error, Exception):
        with contextlib.suppress(OSError, TimeoutError):
            _done(close)


def _connected(address: str) -> socket.socket:
    found = _ADDRESS.fullmatch(address)
    assert found is not None  # _knock has seen to it
    return socket.create_connection((found[1], int(found[2])), _KNOCK_S)


def _knock(address: str) -> None:
    """Raise ClusterError if nobody listens there. A client of Dask would leave threads that do not end."""
    if _ADDRESS.fullmatch(address) is None:
        raise ClusterError(f"expected {LOCAL} or an address such as tcp://HOST:8786, found {shown(address)}")
    try:
        _connected(address).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(f"expected a Dask scheduler at {shown(address)}: {reason}") from None


def _shake_hands(address: str) -> None:
    """Raise ClusterError if there is no TLS at ``tls://``: with a client of Dask a traceback, or a wait without end."""
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
    """The number of workers, when there are enough and all are of our version."""
    try:
        client.wait_for_workers(least, timeout=_PATIENCE_S)
    except TimeoutError:
        found = len(client.scheduler_info()["workers"])
        wanted = f"{least} {plural(least, 'worker')}"
        raise ClusterError(
            f"expected {wanted} at {shown(address)} within {_PATIENCE_S} seconds, found {found}"
        ) from None
    wanted = f"expected {NAME} {VERSION} on scheduler and workers of {shown(address)}"
    asked = _begun(lambda: {client.run_on_scheduler(version), *client.run(version).values()})
    if not futures.wait([asked], _PATIENCE_S).done:
        raise ClusterError(f"expected answers of all workers at {shown(address)} within {_PATIENCE_S} seconds")
    try:
        versions = asked.result()
    except ModuleNotFoundError:
        raise ClusterError(f"{wanted}, found none") from None
    if versions != {VERSION}:
        raise ClusterError(f"{wanted}, found {', '.join(sorted(versions - {VERSION}))}")
    return len(client.scheduler_info(n_workers=-1)["workers"])


def version() -> str:
    return VERSION


def _listening() -> dict[str, Any]:
    """Options of a scheduler that is reached from this computer alone, also by its server of web pages.

    Without an address this one would listen at a port of its own choice on all of the computer's networks.
    """
    return {"host": _HERE, "port": 0, "protocol": "tcp://", "dashboard": False, "dashboard_address": _FREE_PORT}


@contextlib.contextmanager
def _own_workers(count: int) -> Iterator[_Foreman]:
    """Workers in processes of their own. They get ready, and wait for the address of a scheduler."""
    root = str(Path(__file__).resolve().parents[2])
    package = next((path for path in sys.path if Path(path, "standstill", "engine").is_dir()), root)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="standstill-", ignore_cleanup_errors=True))
        # Neither imports what lies in the current folder, where games from anywhere may be: we do not do that either.
        apart = "-I" if sys.flags.isolated else "-P"
        command = [sys.executable, apart, "-c", _FOREMAN, package, str(count), _PROFILE, "--nthreads", "1"]
        command += ["--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30"]
        command += ["--host", _HERE, "--dashboard-address", _FREE_PORT]
        foreman = _Foreman([*command, "--local-directory", folder], folder)
        stack.callback(foreman.end)
        yield foreman


@contextlib.contextmanager
def _own_scheduler(foreman: _Foreman) -> Iterator[str]:
    """A scheduler in this process, which the workers now join; its address."""
    import dask
    from distributed import Scheduler, SpecCluster

    dask.config.set({"temporary-directory": foreman.folder})  # where it leaves a folder behind
    with contextlib.ExitStack() as stack:
        listener = {"cls": Scheduler, "options": _listening()}
        cluster = _done(partial(SpecCluster, scheduler=listener, workers={}, silence_logs=50))
        stack.push(partial(_leave, cluster.close))
        stack.callback(foreman.end)  # or it would replace workers that the scheduler sends away
        foreman.join(cluster.scheduler_address)
        yield cluster.scheduler_address


class _Foreman:
    """The process that keeps our workers (``foreman.py``), seen from here."""

    def __init__(self, command: list[str], folder: str):
        """folder: for what the workers leave behind."""
        self.folder = folder
        self._joined = False
        # An interrupt from the keyboard is ours alone.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def join(self, address: str) -> None:
        """Have the workers connect to the scheduler there."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{address}\n".encode())
            self._process.stdin.flush()
        self._joined = True

    def end(self) -> None:
        """End all workers. Nothing to do twice."""
        assert self._process.stdin is not None
        if not self._joined:  # it may still load Dask, and has no workers
            self._process.kill()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
