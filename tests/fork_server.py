"""The other end of tests/forked.py: imports everything that the executable may need, then forks for each request.

Started as `interpreter of the launcher, its flags, this file, number of the connection's descriptor, launcher`. What
the children run is the text of the launcher itself.
"""

import atexit
import contextlib
import gc
import importlib
import os
import pkgutil
import selectors
import site
import socket
import struct
import sys
import threading
import time
from pathlib import Path
from types import CodeType

# The packages and modules of others that commands and the engine import when they need them.
LATER = "asyncio", "chess.engine", "chess.pgn", "httpx", "icalendar", "jinja2", "numpy", "rich.progress", "rich.table"
NUMBER = struct.Struct("i")


def serve(connection: socket.socket, launcher: Path) -> None:
    """Fork for each request: its size with four open descriptors, then the request.

    The descriptors are three standard streams, and a socket that receives the process id and later the exit status.
    """
    program = prepared(launcher)
    waiting = selectors.DefaultSelector()
    waiting.register(connection, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.data is not None:
                waiting.unregister(key.fd)
                os.close(key.fd)
                child, told = key.data
                with told, contextlib.suppress(OSError):  # the client may have gone
                    told.sendall(NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
                continue
            size, ends, _, _ = socket.recv_fds(connection, NUMBER.size, 4)
            if not size:
                return
            *streams, line = ends
            request = eval(received(connection, NUMBER.unpack(size)[0]))
            child = os.fork()
            if not child:
                become(streams, *request, launcher)
                status = 0
                try:
                    exec(program, {"__name__": "__main__"})
                except SystemExit as end:
                    status = end.code
                leave(status)
            for end in streams:
                os.close(end)
            told = socket.socket(fileno=line)
            told.sendall(NUMBER.pack(child))
            waiting.register(os.pidfd_open(child), selectors.EVENT_READ, (child, told))


def prepared(launcher: Path) -> CodeType:
    """The launcher's program, after everything that it could import has been imported."""
    text = launcher.read_text()
    exec(compile(text.replace("sys.exit(main())", "pass"), launcher, "exec"), {})
    site.main()
    site.main = lambda: None  # it touches every module, and the children find it done
    import standstill

    ours = (module.name for module in pkgutil.walk_packages(standstill.__path__, "standstill."))
    for module in (*(name for name in ours if not name.endswith("__main__")), *LATER):
        with contextlib.suppress(Exception):  # which the command itself will say
            importlib.import_module(module)
    program = compile(text, launcher, "exec")
    gc.freeze()  # else a collection in the child would touch, and copy, every page
    return program


def received(connection: socket.socket, size: int) -> bytes:
    return connection.recv(size, socket.MSG_WAITALL)


def become(ends: list[int], folder: str, environment: dict[str, str], arguments: list[str], launcher: Path) -> None:
    """Give this process the standard streams, folder, environment and arguments of the command, and nothing else."""
    for number, end in enumerate(ends):
        os.dup2(end, number)
    os.closerange(3, 1024)  # the server's other ends: a pipe that is held open here would never end
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
    os._exit(0)  # skips the slow teardown of a thousand modules
