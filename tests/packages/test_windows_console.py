"""standstill.exe in a Wine console, shown on a pseudo-terminal: a double click, Ctrl-C, closing the console."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from standstill.protocol.loop import GREETING

from .test_windows import processes

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
PATIENCE_S = 120


class Console:
    """A program in a console, and the person who reads its output and types."""

    def __init__(self, words: Sequence[str | Path], settings: dict[str, str]) -> None:
        self.person, terminal = pty.openpty()
        self.said = b""
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "wine", *words],
            env=settings | {"TERM": "xterm"},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )
        os.close(terminal)

    def read_until(self, text: bytes) -> None:
        until = time.monotonic() + PATIENCE_S
        while text not in self.said:
            assert time.monotonic() < until, self.said
            if select.select([self.person], [], [], 1)[0]:
                self.said += os.read(self.person, 1 << 16)

    def wait(self, typing: bytes = b"") -> int:
        """The exit status. The output is read until the process ends, because a console waits for its terminal.

        typing: input to type every second, because Wine takes a line only once the program reads.
        """
        until = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < until, self.said
            if not select.select([self.person], [], [], 1)[0]:
                self.type(typing)
            else:
                with contextlib.suppress(OSError):  # the other end of the terminal is closed
                    self.said += os.read(self.person, 1 << 16)
        return self.process.returncode

    def type(self, text: bytes) -> None:
        os.write(self.person, text)

    def close(self) -> None:
        if self.person >= 0:
            os.close(self.person)
            self.person = -1


@pytest.fixture
def open_console(program: Path, settings: dict[str, str]) -> Iterator[object]:
    opened: list[Console] = []

    def begin(*words: str) -> Console:
        opened.append(Console([program, *words], settings))
        return opened[-1]

    yield begin
    for console in opened:
        console.close()
        console.process.kill()
        console.process.wait()


def ended(program: Path) -> bool:
    """Wait for all processes of the program to end."""
    until = time.monotonic() + 60
    while processes(program) and time.monotonic() < until:
        time.sleep(0.1)
    return not processes(program)


def test_a_double_click_is_answered(open_console) -> None:
    console = open_console()
    for line in GREETING.splitlines():
        console.read_until(line.encode())  # a console of 80 columns would have broken a longer line
    assert console.wait(typing=b"quit\r") == 0


def test_ctrl_c_ends_a_command(open_console, program: Path) -> None:
    console = open_console("selfplay", "--time", "60s")
    console.read_until(b"plays itself")
    console.type(b"\x03")
    assert console.wait() == 128 + signal.SIGINT
    assert ended(program)


def test_a_closed_console_ends_a_command_with_its_workers(open_console, program: Path, tmp_path: Path) -> None:
    games = tmp_path / "in.pgn"
    games.write_text('[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n' * 8)
    console = open_console("annotate", str(games), "-o", str(tmp_path / "out.pgn"), "--jobs", "2", "--time", "5s")
    until = time.monotonic() + PATIENCE_S
    while len(processes(program.parent / "runtime/python.exe")) < 2:
        assert time.monotonic() < until, console.said
        time.sleep(0.1)
    console.close()
    assert ended(program)
    assert ended(program.parent / "runtime/python.exe")
    assert not (tmp_path / "out.pgn").exists()


@pytest.mark.parametrize("searching", [False, True], ids=["waiting", "searching"])
def test_the_death_of_the_client_ends_the_engine(program: Path, settings: dict[str, str], searching: bool) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(["wine", program], env=settings, **pipes) as process:
        process.stdin.write(b"uci\ngo infinite\n" if searching else b"uci\n")
        process.stdin.flush()
        while b"info depth" not in (line := process.stdout.readline()) and (searching or b"uciok" not in line):
            assert line, "the engine has ended"
        process.stdin.close()  # as the system does when a process ends
        process.stdout.close()
        process.wait(PATIENCE_S)
    assert ended(program)
