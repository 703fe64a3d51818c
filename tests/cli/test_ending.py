"""A signal that ends the process leaves no half-written file behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import standstill
from tests.posix import needs_signals, resource, signals, status_of

LIMIT_S = 60
GAME = b'[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 {[%eval 0.3]} e5 *\n\n'
WRITERS = {
    "tag": ["tag", "-", "-o", "out.pgn", "--quiet"],
    "tag with two processes": ["tag", "-", "-o", "out.pgn", "--quiet", "--jobs", "2"],
    "tag with sheets": ["tag", "-", "-o", "out.pgn", "--quiet", "--sheet", "sheets.txt"],
    "tag, compressed": ["tag", "-", "-o", "out.pgn.gz", "--quiet"],
    "annotate": ["annotate", "-", "--from-comments", "-o", "out.pgn"],
}


@pytest.fixture
def start(executable: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a command that waits for the rest of its input while its output is open."""
    running: list[subprocess.Popen] = []
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, limits[1]))  # no core dump from SIGQUIT

    def begin(command: str, *before: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [*before, executable, *WRITERS[command]],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        running.append(process)
        process.stdin.write(GAME)
        process.stdin.flush()
        until = time.monotonic() + LIMIT_S
        while not list(tmp_path.glob(".standstill-*")):
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.01)
        return process

    yield begin
    resource.setrlimit(resource.RLIMIT_CORE, limits)
    for process in running:
        process.kill()
        process.communicate()


@needs_signals
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("command", "sent"),
    [
        *((command, number) for command in WRITERS for number in signals("SIGTERM", "SIGQUIT")),
        *(("tag", number) for number in signals("SIGHUP", "SIGXCPU")),
        ("annotate", signal.SIGINT),
    ],
)
def test_nothing_is_left_behind(start, tmp_path: Path, command: str, sent: signal.Signals) -> None:
    (tmp_path / "out.pgn").write_bytes(b"old")
    process = start(command)
    process.send_signal(sent)
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == (130 if sent == signal.SIGINT else -sent)
    assert said == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.pgn"]
    assert (tmp_path / "out.pgn").read_bytes() == b"old"


def lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_workers_end_with_a_killed_process(start) -> None:
    process = start("tag with two processes")
    workers = psutil.Process(process.pid).children()
    assert len(workers) == 2
    process.kill()
    until = time.monotonic() + LIMIT_S
    while any(map(lives, workers)):
        assert time.monotonic() < until, "workers have outlived their parent"
        time.sleep(0.01)


# Simulates a signal between the beginning of a context manager and the beginning of its block.
EARLY = """
from standstill.engine.common.signals import Ended
from standstill.engine.common.atomic_files import new_path
from standstill.protocol.cli import group

def invoke(argv):
    new_path("out.pgn").__enter__()
    writer = new_path("sheets.txt")
    writer.__enter__()
    raise Ended(15)

group.invoke = invoke
group.run([])
"""


def test_a_signal_before_the_block_leaves_nothing_behind(tmp_path: Path) -> None:
    lib = Path(standstill.__path__[0]).parent
    environment = os.environ | {"PYTHONPATH": str(lib)}
    done = subprocess.run([sys.executable, "-P", "-c", EARLY], cwd=tmp_path, env=environment, check=False)
    assert done.returncode == status_of(signal.SIGTERM)
    assert not list(tmp_path.iterdir())


# Ctrl-C arrives when this module is about to be imported.
STARTING = """
import signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
from standstill.protocol.main import main

main(sys.argv[2:])
"""


@needs_signals
@pytest.mark.parametrize(("module", "words"), [("protocol.loop", []), ("protocol.cli.group", ["tag", "--help"])])
def test_ctrl_c_during_the_start_prints_no_traceback(module: str, words: list[str]) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(standstill.__path__[0]).parent)}
    call = [sys.executable, "-P", "-c", STARTING, f"standstill.{module}", *words]
    done = subprocess.run(call, env=environment, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@needs_signals
def test_a_run_under_nohup_goes_on(start, tmp_path: Path) -> None:
    process = start("tag", "nohup")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=LIMIT_S)  # closes the command's input
    assert process.returncode == 0
    assert b"[RMobilityResult " in (tmp_path / "out.pgn").read_bytes()


# Only the signal can end the process, and the thread that receives the signal is not the one that waits.
WAITING = """
import signal, sys, threading
from concurrent.futures import Future
from standstill.engine.common.signals import awaited, unwind_on_signals

unwind_on_signals()
other = threading.Thread(target=threading.Event().wait, daemon=True)
other.start()
threading.Timer(0.5, lambda: signal.pthread_kill(other.ident, signal.SIGINT)).start()
try:
    awaited(Future())
except KeyboardInterrupt:
    sys.exit(7)
"""


@needs_signals
def test_a_signal_for_another_thread_ends_the_waiting(tmp_path: Path) -> None:
    lib = Path(standstill.__path__[0]).parent
    environment = os.environ | {"PYTHONPATH": str(lib)}
    done = subprocess.run([sys.executable, "-P", "-c", WAITING], env=environment, check=False, timeout=LIMIT_S)
    assert done.returncode == 7
