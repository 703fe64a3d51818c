"""Commands that are interrupted while an engine does not answer: they end soon, and no engine is left."""

from __future__ import annotations

import contextlib
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.forked import Process
from tests.uci.client import clean_environment

LIMIT_S = 60  # reached only if a process hangs
STUBBORN = Path(__file__).with_name("stubborn.py")
PLAYER = Path(__file__).with_name("engine.py")
PGN = '[Event "E"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n'
ENDING = "7k/8/8/8/8/8/8/KR6 w - - 90 100\n"  # a draw after ten half-moves
CONTINUE = b"interrupted: give the same command again to continue\n"
INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


def words(folder: Path, command: str, stage: str) -> list[str]:
    """The arguments of a command whose engine stops answering at this stage and then creates the file `mark`."""
    stubborn = [sys.executable, str(STUBBORN), stage, str(folder / "mark")]
    if command == "annotate":
        (folder / "in.pgn").write_text(PGN)
        return ["annotate", "in.pgn", "-o", "out.pgn", "--engine", shlex.join(stubborn), "--nodes", "1"]
    (folder / "openings").write_text(ENDING)
    other = ["cmd=" + sys.executable, f"arg={PLAYER}", "arg=random", "name=other"]
    first, *arguments = stubborn
    specs = [
        shlex.join(spec) for spec in ([f"cmd={first}", "name=stubborn", *(f"arg={word}" for word in arguments)], other)
    ]
    options = ["--output=m.pgn", "--nodes=1", "--jobs=2", "--openings=openings"]
    return ["match", *(f"--engine={spec}" for spec in specs), *options]


def engines(folder: Path) -> list[int]:
    """The processes of this test's stubborn engines, without zombies."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder / "mark").encode() in (place / "cmdline").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for left in engines(tmp_path):
        os.kill(left, signal.SIGKILL)


@pytest.fixture
def hanging(executable: Path, folder: Path) -> Iterator[Callable[..., Process]]:
    """Start a command, and wait until its engine is silent."""
    begun: list[Process] = []

    def begin(command: str, stage: str) -> Process:
        begun.append(Process([executable, *words(folder, command, stage)], cwd=folder))
        until_silent(folder, begun[-1].poll)
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.wait()


def until_silent(folder: Path, status: Callable[[], int | None]) -> None:
    until = time.monotonic() + LIMIT_S
    while not (folder / "mark").exists():
        assert time.monotonic() < until and status() is None
        time.sleep(0.01)


CASES = [
    ("match", "start", [INT]),
    ("match", "search", [INT]),
    ("match", "search", [TERM]),
    ("annotate", "search", [INT, INT]),
]
MORE = [
    *(("match", stage, sent) for stage in ("ready", "quit") for sent in ([INT], [TERM])),
    *(
        ("match", stage, sent)
        for stage in ("start", "search")
        for sent in ([INT, INT], [HUP], [HUP, TERM], [INT, TERM])
    ),
    *(("annotate", stage, [sent]) for stage in ("start", "ready", "search", "quit") for sent in (INT, TERM, HUP)),
    *(("annotate", stage, [INT, INT]) for stage in ("start", "quit")),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("command", "stage", "sent"), [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in MORE)]
)
def test_one_signal_ends_the_command_and_its_engines(
    hanging, folder: Path, command: str, stage: str, sent: list[signal.Signals]
) -> None:
    process = hanging(command, stage)
    for number in sent:
        process.send_signal(number)
    status = process.wait(LIMIT_S)
    assert engines(folder) == []
    assert status in {130 if number == INT else -number for number in sent}  # threads may receive them in any order
    assert process.stderr.read() == (CONTINUE if sent[0] == INT else b"")


@pytest.mark.slow
def test_a_match_goes_on_where_it_was_interrupted(hanging, executable: Path, folder: Path) -> None:
    """The interrupted game is played again; it does not count as lost by the engine that hung."""
    process = hanging("match", "search")
    process.send_signal(INT)
    assert process.wait(LIMIT_S) == 130
    again = Process([executable, *words(folder, "match", "search")], cwd=folder)
    assert again.wait(LIMIT_S) == 0
    games = (folder / "m.pgn").read_text()
    assert games.count("[Event ") == games.count('[Result "1/2-1/2"]') == 2
    assert engines(folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", ["match", "annotate"])
def test_a_terminal_that_is_closed_leaves_nothing_running(executable: Path, folder: Path, command: str) -> None:
    screen, theirs = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", executable, *words(folder, command, "search")],
        cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=clean_environment() | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    until_silent(folder, process.poll)
    os.close(screen)
    process.wait(LIMIT_S)
    until = time.monotonic() + LIMIT_S
    while engines(folder):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_a_script_around_an_engine_takes_the_engine_along(executable: Path, folder: Path) -> None:
    script = folder / "engine.sh"
    script.write_text(f'#!/bin/sh\n"{sys.executable}" "{STUBBORN}" search "{folder / "mark"}"\nexit 0\n')
    script.chmod(0o755)
    (folder / "in.pgn").write_text(PGN)
    process = Process([executable, "annotate", "in.pgn", "-o", "o.pgn", "--engine", script, "--nodes", "1"], cwd=folder)
    until_silent(folder, process.poll)
    process.send_signal(INT)
    assert process.wait(LIMIT_S) == 130
    assert engines(folder) == []


# Sends itself a signal whenever its main thread has started a thread or a process and nothing has noted it yet.
STRUCK = """
import multiprocessing, os, signal, sys, threading, time
from multiprocessing.process import BaseProcess
from types import SimpleNamespace
from standstill.engine.common.signals import Ended, unwind_on_signals
from standstill.engine.external.process import EngineProcess
from standstill.engine.match import runner
from standstill.engine.match.orthodox import CHESS
from standstill.protocol.cli.commands.tag import processes

def striking(start):
    def started(self):
        start(self)
        if threading.current_thread() is threading.main_thread():
            os.kill(os.getpid(), signal.SIGTERM)
    return started

def match():
    runner.play_game = lambda *words: time.sleep(1)
    kind = SimpleNamespace(begin=lambda *words: None)
    plan = SimpleNamespace(
        players=lambda: [SimpleNamespace(kill=lambda: None)] * 2, kind=kind, openings=[None], rules=None, control=None,
        game_options=lambda pairing: None,
    )
    pairing = SimpleNamespace(white=0, black=1, opening=0)
    runner.run(SimpleNamespace(plan=plan, left=[pairing] * 4), 2, print)

def engine():
    EngineProcess(CHESS.clients["uci"], sys.argv[2:], 10)

def workers():
    with processes(2):
        print("not struck")

threading.Thread.start = striking(threading.Thread.start)
BaseProcess.start = striking(BaseProcess.start)
unwind_on_signals()
try:
    globals()[sys.argv[1]]()
except Ended as end:
    threads = [thread.name for thread in threading.enumerate() if not thread.name.startswith("asyncio-waitpid")]
    print(end.number, threads, multiprocessing.active_children(), flush=True)
    if multiprocessing.active_children():
        os.killpg(0, signal.SIGKILL)
"""


@pytest.mark.parametrize("what", ["match", "engine", "workers"])
def test_a_signal_while_something_starts_leaves_nothing_behind(folder: Path, what: str) -> None:
    """A thread of a match that outlives the clean-up would start an engine again."""
    stubborn = [sys.executable, str(STUBBORN), "start", str(folder / "mark")]
    done = subprocess.run(
        [sys.executable, "-c", STRUCK, what, *stubborn], capture_output=True, text=True, timeout=LIMIT_S, check=False,
        start_new_session=True, env=clean_environment() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (f"{int(TERM)} ['MainThread'] []\n", "")
    assert engines(folder) == []
