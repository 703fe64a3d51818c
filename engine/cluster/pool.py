"""Workers of a Dask cluster as an executor: the one place that knows Dask.

Tasks are functions of modules, with arguments that can be pickled, and their results depend on these alone. So it does
not matter who does a task, and one whose worker is lost is done again by another.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import NAME, VERSION
from ..words.errors import ClusterError
from ..words.install import install_command
from ..words.text import shown

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
_PATIENCE_S = 60  # for the first worker
_KNOCK_S = 10  # for a connection
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^/@]*@)?\[?([^/@\]]+)\]?:(\d{1,5})")
_LOST_WORKERS = 10  # with the same task in their hands; then the task is to blame
_POLL_S = 0.5
_HERE = "127.0.0.1"
_FREE_PORT = f"{_HERE}:0"
_PROFILE = "distributed.worker.profile.enabled"  # looks into every process a hundred times a second, and nobody asks
# A worker of our own: it finds the program where we do. Its parent restarts it when it dies.
_WORKER = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import dask
dask.config.set({sys.argv.pop(1): False})
from distributed.cli.dask_worker import main
main()
"""


class ClusterExecutor(Executor):
    """Does tasks on the workers of a cluster. Raises ClusterError from a result if the cluster is gone."""

    def __init__(self, client: Client):
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(function, *args, **named)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Tasks that nobody waits for any more are given up."""
        self._executor.shutdown(wait=wait and not cancel_futures)


@contextlib.contextmanager
def workers(scheduler: str, local: int) -> Iterator[tuple[Executor, int]]:
    """An executor and the number of its workers. At the end the tasks that were not done are given up.

    scheduler: ``local``, for as many processes of this computer as ``local`` says, or the address of a running cluster.
    Raises ClusterError if there is none, or no worker of this version of the program.
    """
    try:
        import dask

        # Lost workers are our business; what Dask logs about them is no message for our users.
        dask.config.set({"logging": {"distributed": "critical", "tornado": "critical", "asyncio": "critical"}})
        dask.config.set({"distributed.scheduler.allowed-failures": _LOST_WORKERS, _PROFILE: False})
        from distributed import Client
    except ImportError:
        raise ClusterError(f"--scheduler needs Dask: {install_command('cluster')}") from None
    if scheduler != LOCAL:
        _knock(scheduler)
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(_local(local)) if scheduler == LOCAL else scheduler
        try:
            client = stack.enter_context(_quiet(Client(address, timeout=_PATIENCE_S, set_as_default=False)))
        except (OSError, ValueError, TimeoutError) as error:
            reason = str(error).splitlines()[0] if str(error) else "no answer"
            raise ClusterError(f"expected a Dask scheduler at {shown(address)}: {reason}") from None
        count = _checked(client, address, local if scheduler == LOCAL else 1)
        executor = ClusterExecutor(client)
        try:
            yield executor, count
        finally:
            executor.shutdown(cancel_futures=True)


def _knock(address: str) -> None:
    """Raise ClusterError if nobody listens there. A client of Dask would leave threads that do not end."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise ClusterError(f"expected {LOCAL} or an address such as tcp://HOST:8786, found {shown(address)}")
    try:
        socket.create_connection((found[1], int(found[2])), _KNOCK_S).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(f"expected a Dask scheduler at {shown(address)}: {reason}") from None


@contextlib.contextmanager
def _quiet(client: Client) -> Iterator[Client]:
    """The client, which closes without a word if its scheduler is gone."""
    try:
        yield client
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            client.close(timeout=5)


def _checked(client: Client, address: str, least: int) -> int:
    """The number of workers, when there are enough and all are of our version."""
    try:
        client.wait_for_workers(least, timeout=_PATIENCE_S)
    except TimeoutError:
        found = len(client.scheduler_info()["workers"])
        raise ClusterError(
            f"expected {least} workers at {shown(address)} within {_PATIENCE_S} seconds, found {found}"
        ) from None
    try:
        versions = set(client.run(version).values())
    except ModuleNotFoundError:
        raise ClusterError(f"expected {NAME} {VERSION} on the workers of {shown(address)}, found none") from None
    if versions != {VERSION}:
        others = ", ".join(sorted(versions - {VERSION}))
        raise ClusterError(f"expected {NAME} {VERSION} on the workers of {shown(address)}, found {others}")
    return len(client.scheduler_info(n_workers=-1)["workers"])


def version() -> str:
    return VERSION


def _listening() -> dict[str, Any]:
    """Options of a scheduler that is reached from this computer alone, also by its server of web pages.

    Without an address this one would listen at a port of its own choice on all of the computer's networks.
    """
    return {"host": _HERE, "port": 0, "protocol": "tcp://", "dashboard": False, "dashboard_address": _FREE_PORT}


@contextlib.contextmanager
def _local(count: int) -> Iterator[str]:
    """A scheduler in this process, and workers in processes of their own; its address."""
    from distributed import Scheduler, SpecCluster

    root = str(Path(__file__).resolve().parents[2])
    package = next((path for path in sys.path if Path(path, "standstill", "engine").is_dir()), root)
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(
            SpecCluster(scheduler={"cls": Scheduler, "options": _listening()}, workers={}, silence_logs=50)
        )
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="standstill-", ignore_cleanup_errors=True))
        command = [sys.executable, "-c", _WORKER, package, _PROFILE, cluster.scheduler_address, "--nthreads", "1"]
        command += ["--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30"]
        command += ["--host", _HERE, "--dashboard-address", _FREE_PORT]
        keeper = _Keeper([*command, "--local-directory", folder], count)
        stack.callback(keeper.end)
        yield cluster.scheduler_address


class _Keeper:
    """Starts workers, and another one for each that ends."""

    def __init__(self, command: list[str], count: int):
        self._command = command
        self._ended = threading.Event()
        self._processes = [self._start() for _ in range(count)]
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _start(self) -> subprocess.Popen[bytes]:
        # An interrupt from the keyboard is ours alone.
        return subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _keep(self) -> None:
        while not self._ended.wait(_POLL_S):
            for at, process in enumerate(self._processes):
                if process.poll() is not None:
                    self._processes[at] = self._start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
