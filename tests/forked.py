"""Run the executable without its start-up: a process that has imported everything forks for each call.

`run` takes the arguments of subprocess.run; `Process` is for interactive use. Importing a command takes some tenths of
a second of CPU time, importing the engine 0.05 s, and thousands of tests need one or the other. Behaviour that depends
on the start itself (the launcher, start-up time, process limits, signals) is tested with subprocess. Windows cannot
fork: there each call starts the executable.
"""

from __future__ import annotations

import atexit
import contextlib
import locale
import os
import select
import shlex
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from tests.uci.client import clean_environment

SERVER = Path(__file__).with_name("fork_server.py")
LOCALE = "LANG", "LC_ALL", "LC_CTYPE"
NUMBER = struct.Struct("i")
_servers: dict[Path, socket.socket] = {}
_asking = threading.Lock()


def run(
    words: Sequence[object],
    *,
    cwd: str | Path = ".",
    env: Mapping[str, str] | None = None,
    input: bytes | str | None = None,
    stdin: int = subprocess.DEVNULL,
    capture_output: bool = True,
    text: bool = False,
    timeout: float = 60,
    check: bool = False,
) -> subprocess.CompletedProcess:
    """Run our executable and return its output. words: the executable and the arguments.

    Raises subprocess.TimeoutExpired, and with ``check`` CalledProcessError.
    """
    assert capture_output and stdin == subprocess.DEVNULL
    told = b"" if input is None else input.encode() if isinstance(input, str) else input
    process = Process(words, cwd=cwd, env=env)
    heard: dict[int, bytes] = {}
    threads = [threading.Thread(target=_feed, args=(process.stdin, told), daemon=True)]
    threads += [
        threading.Thread(target=_hear, args=(number, pipe, heard), daemon=True)
        for number, pipe in ((1, process.stdout), (2, process.stderr))
    ]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join(timeout)
    late = any(thread.is_alive() for thread in threads[1:])
    if late:
        process.kill()
    status = process.wait()
    if late:
        raise subprocess.TimeoutExpired(process.args, timeout)
    out, errors = (_text(heard[number]) if text else heard[number] for number in (1, 2))
    if os.name == "nt" and not text:
        errors = errors.replace(b"\r\n", b"\n")  # messages are always text, while output may be files
    done = subprocess.CompletedProcess(process.args, status, out, errors)
    if check:
        done.check_returncode()
    return done


def command(executable: Path, folder: Path, name: str) -> Callable[..., subprocess.CompletedProcess]:
    """Return a function that runs a command of our executable in ``folder`` and returns its text."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess:
        return run([executable, name, *arguments], cwd=folder, text=True)

    return call


class Process:
    """The part of subprocess.Popen that tests use, with three unbuffered pipes."""

    def __init__(
        self, words: Sequence[object], *, cwd: str | Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        """words: the executable and the arguments."""
        self.args = executable, *arguments = list(map(str, words))
        environment = clean_environment() if env is None else dict(env)
        here = {name: os.environ.get(name) for name in LOCALE}
        assert all(environment.get(name) == text for name, text in here.items()), "the locale is read at the start"
        # The path is absolute, because the process that forks has the directory in which the first call started it.
        message = repr((os.path.abspath(cwd or "."), environment, arguments)).encode()
        (read_in, write_in), (read_out, write_out), (read_err, write_err) = (os.pipe() for _ in range(3))
        self._line, theirs = socket.socketpair()
        with _asking:
            server = _server(Path(executable))
            socket.send_fds(server, [NUMBER.pack(len(message))], [read_in, write_out, write_err, theirs.fileno()])
            server.sendall(message)
        theirs.close()
        for end in (read_in, write_out, write_err):
            os.close(end)
        self.stdin = os.fdopen(write_in, "wb", 0)
        self.stdout, self.stderr = (os.fdopen(end, "rb") for end in (read_out, read_err))
        self.pid = self._number()
        self.returncode: int | None = None

    def _number(self) -> int:
        data = self._line.recv(NUMBER.size, socket.MSG_WAITALL)
        assert len(data) == NUMBER.size, "the process that forks has ended"
        return NUMBER.unpack(data)[0]

    def wait(self, timeout: float | None = None) -> int:
        """The exit status. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = self._number()
            self._line.close()
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has just exited
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


if os.name == "nt":

    def Process(
        words: Sequence[object], *, cwd: str | Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(list(map(str, words)), cwd=cwd, env=env or clean_environment(), bufsize=0, **pipes)


def _text(data: bytes) -> str:
    """The text of a pipe; on Windows with CR LF, games in UTF-8 and messages in the code page of the user."""
    if os.name != "nt":
        return data.decode()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode(locale.getencoding())
    return text.replace("\r\n", "\n")


def _feed(pipe: BinaryIO, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), pipe:
        view = memoryview(data)
        while view:
            view = view[pipe.write(view) :]


def _hear(number: int, pipe: BinaryIO, heard: dict[int, bytes]) -> None:
    with pipe:
        heard[number] = pipe.read()


def _server(executable: Path) -> socket.socket:
    """The connection to the process that forks for this executable."""
    if executable not in _servers:
        ours, theirs = socket.socketpair()
        command = [*_interpreter(executable), SERVER, str(theirs.fileno()), str(executable)]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=clean_environment())
        theirs.close()
        atexit.register(process.wait)
        atexit.register(ours.close)
        _servers[executable] = ours
    return _servers[executable]


def _interpreter(launcher: Path) -> list[str]:
    """The interpreter and its flags: from a first line `#!python -IS`, or a second one `'exec' 'python' -IS "$0"`."""
    first, second, *_ = launcher.read_text().split("\n")
    return shlex.split(second)[1:-2] if first == "#!/bin/sh" else first.removeprefix("#!").split()
