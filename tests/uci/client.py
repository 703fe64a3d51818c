"""A UCI process for tests: every wait has a limit, and nothing is left running."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests import forked

# Longer than any answer takes on a crowded machine under a sanitizer; only an engine that hangs reaches this limit.
PATIENCE_S = 60.0
# `quit` ends the process within a second; the rest is for a crowded machine.
LEAVE_S = 20.0


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def launched(command: Sequence[str], **options: object) -> subprocess.Popen:
    """A process for a Client, started as users start the engine; forked.Process is cheaper."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=clean_environment(), bufsize=0, **options
    )  # fmt: skip


class Client:
    """One engine process. A thread reads each pipe, so that no wait blocks and no pipe fills up."""

    def __init__(self, process: subprocess.Popen | forked.Process) -> None:
        """process: a process with three unbuffered pipes."""
        self.process = process
        self.heard: list[str] = []  # every line so far
        self.raw: list[bytes] = []
        self.complaints: list[bytes] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._listen, self._listen_errors)]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.raw.append(line)
            self._lines.put(line.decode("utf-8", errors="replace").rstrip("\r\n"))
        self._lines.put(None)

    def _listen_errors(self) -> None:
        self.complaints.extend(self.process.stderr)

    # ---- writing ----

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(line + "\n" for line in lines).encode("latin-1"))

    def send_bytes(self, data: bytes) -> None:
        """Write in a thread: an engine that stops reading must not hang the test."""
        failed: list[Exception] = []

        def write() -> None:
            try:
                view = memoryview(data)
                while view:
                    view = view[self.process.stdin.write(view) :]
            except (OSError, ValueError) as error:  # ValueError if the test has closed the pipe
                failed.append(error)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        writer.join(PATIENCE_S)
        if writer.is_alive():
            raise TimeoutError(f"the engine did not read {len(data)} bytes in {PATIENCE_S} s")
        if failed:
            raise EOFError(f"the engine has closed its input; {self.story()}")

    def close_input(self) -> None:
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    # ---- reading ----

    def read_line(self, patience_s: float = PATIENCE_S) -> str:
        """The next line. Raises TimeoutError or EOFError."""
        try:
            line = self._lines.get(timeout=patience_s)
        except queue.Empty:
            raise TimeoutError(f"no line within {patience_s} s; {self.story()}") from None
        if line is None:
            self._lines.put(None)
            raise EOFError(f"the engine has closed its output; {self.story()}")
        self.heard.append(line)
        return line

    def read_until(self, start: str, patience_s: float = PATIENCE_S) -> list[str]:
        """All lines up to and including the first whose first word is ``start``."""
        deadline = time.monotonic() + patience_s
        lines = []
        while True:
            line = self.read_line(max(0.0, deadline - time.monotonic()))
            lines.append(line)
            if line.split(" ", 1)[0] == start:
                return lines

    def read_rest(self) -> list[str]:
        """All lines up to the end of output."""
        lines = []
        while True:
            try:
                lines.append(self.read_line())
            except EOFError:
                return lines

    def ask(self, question: str, answer: str) -> list[str]:
        self.send(question)
        return self.read_until(answer)

    def synchronise(self) -> list[str]:
        """The lines before the answer to `isready`."""
        return self.ask("isready", "readyok")[:-1]

    def search(self, go: str, position: str | None = None) -> list[str]:
        """The lines from `go` to its `bestmove`."""
        if position is not None:
            self.send(f"position {position}")
        return self.ask(go, "bestmove")

    def story(self) -> str:
        errors = b"".join(self.complaints).decode("latin-1")
        return f"status {self.process.poll()}, last lines {self.heard[-5:]!r}, standard error {errors[-2000:]!r}"

    # ---- ending ----

    def wait(self) -> int:
        """Wait until the process has ended and its pipes are read to the end; return the exit status."""
        try:
            status = self.process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"still running after {LEAVE_S} s; {self.story()}") from None
        for thread in self._threads:
            thread.join(PATIENCE_S)
            if thread.is_alive():
                raise TimeoutError("a child process still holds the engine's output open")
        return status

    def end(self, strict: bool = True) -> list[str]:
        """Make sure that no process is left; with ``strict``, return what was wrong with its exit."""
        problems: list[str] = []
        if self.process.poll() is None:
            with contextlib.suppress(EOFError, TimeoutError):
                self.send("quit")
        self.close_input()
        try:
            status = self.wait()
            if strict and status != 0:
                problems.append(f"exit status {status}; {self.story()}")
        except TimeoutError as error:
            if strict:
                problems.append(str(error))
        if strict and self.complaints:
            problems.append(f"noise on standard error: {b''.join(self.complaints)[-2000:]!r}")
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        return problems
