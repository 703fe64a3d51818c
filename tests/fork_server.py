"""The other end of tests/forked.py: imports everything that commands need, then forks one for each request.

Started as `interpreter of the launcher, its flags, this file, number of the connection's descriptor, launcher`. What
the children run is the launcher's own text.
"""

import atexit
import contextlib
import gc
import importlib
import os
import site
import socket
import struct
import sys
import threading
import time
from pathlib import Path

# What commands import when they need it.
LATER = "asyncio", "chess.engine", "chess.pgn", "httpx", "icalendar", "jinja2", "numpy", "rich.progress", "rich.table"
NUMBER = struct.Struct("i")


def serve(connection: socket.socket, launcher: Path) -> None:
    """One request at a time: its size, three open ends and the request; the answer is the process, then its status."""
    text = launcher.read_text()
    exec(compile(text.replace("sys.exit(main())", ""), launcher, "exec"), {})
    site.main()
    from standstill.protocol.cli import COMMANDS

    for module in (*(f"standstill.protocol.commands.{name}" for name in COMMANDS), *LATER):
        with contextlib.suppress(Exception):  # which the command itself will say
            importlib.import_module(module)
    program = compile(text, launcher, "exec")
    gc.freeze()  # else a collection in the child would touch, and copy, every page
    while True:
        size, ends, _, _ = socket.recv_fds(connection, NUMBER.size, 3)
        if not size:
            return
        request = eval(received(connection, NUMBER.unpack(size)[0]))
        child = os.fork()
        if not child:
            connection.close()
            become(ends, *request, launcher)
            status = 0
            try:
                exec(program, {"__name__": "__main__"})
            except SystemExit as end:
                status = end.code
            leave(status)
        for end in ends:
            os.close(end)
        connection.sendall(NUMBER.pack(child))
        connection.sendall(NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def received(connection: socket.socket, size: int) -> bytes:
    return connection.recv(size, socket.MSG_WAITALL)


def become(ends: list[int], folder: str, environment: dict[str, str], arguments: list[str], launcher: Path) -> None:
    """Give this process the standard streams, folder, environment and arguments of the command."""
    for number, end in enumerate(ends):
        os.dup2(end, number)
        os.close(end)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = [str(launcher), *arguments]
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "w" if number else "r", encoding=old.encoding, errors=old.errors, closefd=False)
        for number, old in enumerate((sys.stdin, sys.stdout, sys.stderr))
    )


def leave(status: int) -> None:
    """End as the interpreter does, but without taking down one by one the modules that the command has not used."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]))
