"""Runs engines as child processes: talks UCI with time limits, and measures their CPU time and memory."""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tools.measure.beside.report import Gap, Section, Unmeasurable

ROOT = Path(__file__).resolve().parents[3]
STANDSTILL = ROOT / "standstill"
GAMES = "/usr/games"  # where Debian puts engines; often not on PATH
PATIENCE_S = 120.0  # longer than any measurement of an engine takes


def standstill() -> Path:
    """Return the path of our executable. Raises Unmeasurable if it is not built."""
    if not STANDSTILL.exists():
        raise Unmeasurable(f"{STANDSTILL} does not exist: run `make`")
    return STANDSTILL


def peer(name: str) -> str:
    """Return the path of another engine, from PATH or /usr/games. Raises Unmeasurable if it is not installed."""
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), GAMES)))
    if found is None:
        raise Unmeasurable(f"{name!r} is neither on PATH nor in {GAMES} (Debian: apt install {name})")
    return found


def ours_and_stockfish(section: Section) -> tuple[Path, str | None] | None:
    """Return the paths of our executable and of Stockfish. Each missing program becomes a gap in the section.

    Returns None without our executable, and None as the second path without Stockfish.
    """
    try:
        ours = standstill()
    except Unmeasurable as missing:
        section.lines.append(Gap("everything", str(missing)))
        return None
    try:
        return ours, peer("stockfish")
    except Unmeasurable as missing:
        section.lines.append(Gap("the peer", str(missing)))
        return ours, None


def cpu_clock(pid: int) -> int:
    """Return the clock that counts the CPU time of all threads of a process, for `time.clock_gettime`.

    It has a resolution of nanoseconds, whereas /proc counts ticks and rusage covers only finished children. Source:
    POSIX, clock_getcpuclockid.
    """
    clock = ctypes.c_int()
    error = ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock))
    if error:
        raise OSError(error, os.strerror(error), f"CPU clock of process {pid}")
    return clock.value


class Client:
    """A conversation with one UCI engine. As a context manager, it ends the engine on exit."""

    def __init__(self, *command: str | Path) -> None:
        self.command = [str(part) for part in command]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._clock = cpu_clock(self.process.pid)
        self._pending = b""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_exception: object) -> None:
        assert self.process.stdin is not None
        try:
            self.send("quit")
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def read_line(self, patience_s: float = PATIENCE_S) -> str:
        """Return the next line without its line end. Raises TimeoutError or EOFError, which name the engine."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + patience_s
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError(f"{self.command[0]} was silent for {patience_s} s")
            block = os.read(self.process.stdout.fileno(), 1 << 16)
            if not block:
                raise EOFError(f"{self.command[0]} closed its output; exit status {self.process.wait(5)}")
            self._pending += block
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode(errors="replace").rstrip("\r")

    def read_until(self, start: str, patience_s: float = PATIENCE_S) -> list[str]:
        """Return all lines up to and including the first that begins with `start`."""
        lines = [self.read_line(patience_s)]
        while not lines[-1].startswith(start):
            lines.append(self.read_line(patience_s))
        return lines

    def ask(self, question: str, answer: str) -> list[str]:
        self.send(question)
        return self.read_until(answer)

    def begin(self, **options: str | int) -> list[str]:
        """Send `uci`, the options (an underscore stands for a blank) and `isready`; returns the answer to `uci`."""
        told = self.ask("uci", "uciok")
        self.send(*(f"setoption name {name.replace('_', ' ')} value {value}" for name, value in options.items()))
        self.ask("isready", "readyok")
        return told

    def cpu_s(self) -> float:
        """Return the CPU seconds that all threads have used so far."""
        return time.clock_gettime(self._clock)

    def peak_mb(self) -> float:
        """Return the largest resident set so far, in MB of 2**20 bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise Unmeasurable(f"no VmHWM line in /proc/{self.process.pid}/status")


def nodes_of(lines: list[str]) -> int:
    """Return the node count of the last `info` line that has one."""
    for line in reversed(lines):
        words = line.split()
        if words[:1] == ["info"] and "string" not in words and "nodes" in words:
            return int(words[words.index("nodes") + 1])
    raise ValueError(f"no node count in {lines[-3:]!r}")


def run_to_end(*command: str | Path, told: str = "") -> tuple[str, float]:
    """Run a command to its end with `told` as input; returns both its outputs and its CPU seconds."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT
        )
        assert process.stdin is not None
        process.stdin.write(told.encode())
        process.stdin.close()
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {text[-200:]!r}")
    return text, usage.ru_utime + usage.ru_stime
