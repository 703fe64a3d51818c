"""Commands interrupted while a cluster hangs or works exit soon, and leave no processes or files."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.uci.client import clean_environment

if find_spec("distributed") is None:
    pytest.skip("needs distributed, as the commands do", allow_module_level=True)

LIMIT_S = 60  # reached only if a process hangs
STUBBORN = Path(__file__).parents[1] / "match" / "stubborn.py"
PGN = '[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n'
INT, TERM = signal.SIGINT, signal.SIGTERM
# A scheduler without workers that prints its address.
SCHEDULER = """
import asyncio
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def words(command: str, engine: str) -> list[str]:
    return {
        "tag": ["tag", "in.pgn", "-o", "out.pgn"],
        "annotate": ["annotate", "in.pgn", "-o", "out.pgn", "--engine", engine, "--nodes", "1"],
        "match": ["match", *("--engine", engine) * 2, "--output=out.pgn", "--nodes=1"],
        "data": ["data", "play", "-o", "out.games", "--nodes", "5", "--games", "1000000", "--eval-file", "none"],
        "tables": ["tables", "--path", "tables", "build", "--men", "4"],
    }[command]


def processes(mark: Path) -> list[int]:
    """Processes with this path among their arguments, such as engines and local workers."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(mark).encode() in (place / "cmdline").read_bytes() and int(place.name) != os.getpid():
                found.append(int(place.name))
    return found


def until(is_so: Callable[[], bool], process: subprocess.Popen) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)


def last_thread(process: subprocess.Popen) -> int:
    return max(int(entry.name) for entry in Path(f"/proc/{process.pid}/task").iterdir())


@pytest.fixture
def start(executable: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a command in its own folder, with its temporary files in `temporary`, so that tests can list both."""
    running: list[subprocess.Popen] = []
    (tmp_path / "temporary").mkdir()
    (tmp_path / "in.pgn").write_text(PGN)

    def begin(command: str, scheduler: str, engine: str = shlex.quote(str(executable))) -> subprocess.Popen:
        running.append(
            subprocess.Popen(
                [executable, *words(command, engine), "--scheduler", scheduler],
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=clean_environment() | {"TMPDIR": str(tmp_path / "temporary")},
            )
        )
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()
    for left in processes(tmp_path):
        os.kill(left, signal.SIGKILL)


def assert_ended(process: subprocess.Popen, sent: signal.Signals, folder: Path, kept: set[str]) -> None:
    """kept: the files from which a second run of the command resumes."""
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == (130 if sent == INT else -sent)
    assert b"Traceback" not in said
    assert processes(folder) == []
    assert not list((folder / "temporary").iterdir())
    assert {path.name for path in folder.iterdir()} <= {"in.pgn", "temporary", "mark", *kept}


KEPT = {"annotate": {"out.pgn.progress"}, "match": set(), "data": {"out.games"}, "tables": {"tables"}}
SLOW = pytest.mark.slow


@pytest.mark.sampled(1)
@pytest.mark.parametrize("other_thread", [False, True], ids=["main", "other"])
@pytest.mark.parametrize(
    ("command", "sent"),
    [
        ("tag", TERM),
        *(
            pytest.param(command, sent, marks=SLOW)
            for command in ("annotate", "match", "data", "tables")
            for sent in (INT, TERM)
        ),
    ],
)
def test_a_scheduler_that_does_not_answer(
    start, tmp_path: Path, command: str, sent: signal.Signals, other_thread: bool
) -> None:
    """The system may deliver a signal to any thread of a process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    held.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        process = start(command, f"tcp://127.0.0.1:{server.getsockname()[1]}")
        until(lambda: len(held) > 1, process)  # the first connection only checks for workers
        os.kill(last_thread(process) if other_thread else process.pid, sent)
        assert_ended(process, sent, tmp_path, KEPT.get(command, set()))
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["tag", "annotate", "match", "data", "tables"])
def test_a_scheduler_without_workers(start, tmp_path: Path, command: str) -> None:
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True) as scheduler:
        process = start(command, scheduler.stdout.readline().strip())
        until(lambda: connected(process), process)
        os.kill(last_thread(process), TERM)
        assert_ended(process, TERM, tmp_path, KEPT.get(command, set()))
        scheduler.kill()


def connected(process: subprocess.Popen) -> bool:
    """Return whether the command waits for workers, as the additional threads of Dask show."""
    return len(list(Path(f"/proc/{process.pid}/task").iterdir())) > 2


@pytest.mark.slow
@pytest.mark.parametrize("sent", [INT, TERM])
@pytest.mark.parametrize("command", ["annotate", "match", "data", "tables"])
def test_local_workers_and_their_engines_end(start, tmp_path: Path, command: str, sent: signal.Signals) -> None:
    """The engine hangs, and does not exit by itself when its worker is gone."""
    mark = tmp_path / "mark"
    first, *arguments = engine = [sys.executable, str(STUBBORN), "search", str(mark)]
    if command == "match":
        engine = [f"cmd={first}", *(f"arg={word}" for word in arguments), "name=S"]
    process = start(command, "local", shlex.join(engine))
    begun = {"data": tmp_path / "out.games", "tables": tmp_path / "tables"}.get(command, mark)
    until(lambda: begun.exists() and bool(processes(tmp_path)), process)
    os.kill(process.pid, sent)
    assert_ended(process, sent, tmp_path, KEPT[command])


@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True], ids=["before they have an address", "at work"])
def test_local_workers_end_with_their_parent(start, tmp_path: Path, begun: bool) -> None:
    """The parent is killed while the foreman of the workers loads Dask, or while the engine of a worker searches."""
    mark = tmp_path / "mark"
    process = start("annotate", "local", shlex.join([sys.executable, str(STUBBORN), "search", str(mark)]))
    until(lambda: bool(processes(mark if begun else tmp_path / "temporary")), process)
    process.kill()
    process.wait()
    deadline = time.monotonic() + LIMIT_S
    while processes(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.02)
