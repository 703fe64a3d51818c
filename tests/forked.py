"""Commands of the executable without its start: a process that has everything imported forks for each.

`run` takes what subprocess.run takes. The imports of a command cost some tenths of a second of a processor, and a
thousand tests call commands. What depends on the start itself (the launcher, start-up time, limits of the process,
signals) is tested with subprocess.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shlex
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.uci.client import clean_environment

SERVER = Path(__file__).with_name("fork_server.py")
LOCALE = "LANG", "LC_ALL", "LC_CTYPE"
NUMBER = struct.Struct("i")
_servers: dict[Path, socket.socket] = {}


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
    """A command of our executable, with its output. words: the executable and the arguments.

    Raises subprocess.TimeoutExpired, and with ``check`` CalledProcessError.
    """
    assert capture_output and stdin == subprocess.DEVNULL
    executable, *arguments = map(str, words)
    told = b"" if input is None else input.encode() if isinstance(input, str) else input
    environment = clean_environment() if env is None else dict(env)
    assert all(environment.get(name) == os.environ.get(name) for name in LOCALE), "Python reads the locale as it starts"
    pipes = [os.pipe() for _ in range(3)]
    (read_in, write_in), (read_out, write_out), (read_err, write_err) = pipes
    server = _server(Path(executable))
    message = repr((str(cwd), environment, arguments)).encode()
    socket.send_fds(server, [NUMBER.pack(len(message))], [read_in, write_out, write_err])
    server.sendall(message)
    for end in (read_in, write_out, write_err):
        os.close(end)
    (pid,) = NUMBER.unpack(_receive(server, NUMBER.size))
    heard: dict[int, bytes] = {}
    threads = [threading.Thread(target=_feed, args=(write_in, told), daemon=True)]
    threads += [threading.Thread(target=_hear, args=(end, heard), daemon=True) for end in (read_out, read_err)]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join(timeout)
    late = any(thread.is_alive() for thread in threads[1:])
    if late:
        os.kill(pid, signal.SIGKILL)
    (status,) = NUMBER.unpack(_receive(server, NUMBER.size))
    if late:
        raise subprocess.TimeoutExpired(list(map(str, words)), timeout)
    out, errors = (heard[end].decode() if text else heard[end] for end in (read_out, read_err))
    done = subprocess.CompletedProcess(list(map(str, words)), status, out, errors)
    if check:
        done.check_returncode()
    return done


def _feed(end: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(end, "wb") as pipe:
        pipe.write(data)


def _hear(end: int, heard: dict[int, bytes]) -> None:
    with os.fdopen(end, "rb") as pipe:
        heard[end] = pipe.read()


def _receive(server: socket.socket, size: int) -> bytes:
    data = server.recv(size, socket.MSG_WAITALL)
    assert len(data) == size, "the process that forks commands has ended"
    return data


def _server(executable: Path) -> socket.socket:
    """The connection to the process that forks commands of this executable."""
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
