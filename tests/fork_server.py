"""The server side of tests/forked.py: imports everything that the executable may need, then forks for each request.

Arguments: the launcher's interpreter, its flags, this file, the connection's descriptor number, the launcher. The
children run the launcher's own source.
"""

import atexit
import contextlib
import ctypes
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

# Third-party packages and modules that commands and the engine import lazily.
LATER = (
    "anyio._backends._asyncio", "asyncio", "certifi", "chess.engine", "chess.pgn", "defusedxml.ElementTree", "difflib",
    "gzip", "httpcore", "httpx", "icalendar", "jinja2", "numpy", "rich._emoji_codes", "rich.progress", "rich.table",
    "uvicorn.lifespan.off", "uvicorn.loops.asyncio", "uvicorn.protocols.http.h11_impl",
)  # fmt: skip
NUMBER = struct.Struct("i")
PR_SET_THP_DISABLE = 41  # of prctl.h
MADV_COLLAPSE = 25  # constant of mman.h, since Linux 6.1
HUGE_PAGE = 1 << 21


def serve(connection: socket.socket, launcher: Path) -> None:
    """Fork for each request. A request is its size, sent with four open descriptors, and then its text.

    The descriptors are the three standard streams, and a socket for the process id and later the exit status.
    """
    gc.disable()  # the imports create a million objects, none of which can be freed
    program = prepared(launcher)
    gc.enable()
    waiting = selectors.DefaultSelector()
    waiting.register(connection, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.data is not None:
                waiting.unregister(key.fd)
                os.close(key.fd)
                child, told = key.data
                with told, contextlib.suppress(OSError):  # the client may have ended
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
    """Import everything that the launcher's program could import; return its code."""
    text = launcher.read_text()
    exec(compile(text.replace("sys.exit(main())", "pass"), launcher, "exec"), {})
    site.main()
    site.main = lambda: None  # this call is slow, and the parent has already made it for its children
    import standstill

    ours = (module.name for module in pkgutil.walk_packages(standstill.__path__, "standstill."))
    for module in (*(name for name in ours if not name.endswith("__main__")), *LATER):
        with contextlib.suppress(Exception):  # the command itself will report the failure
            importlib.import_module(module)
    share_network()
    program = compile(text, launcher, "exec")
    gc.freeze()  # else a garbage collection in the child would copy every page
    with contextlib.suppress(AttributeError, OSError):  # only Linux has them
        gather_memory()
    leave_tables_untouched()
    return program


def share_network() -> None:
    """Let the children use one copy of the default network: reading it takes a third of the time of a short search."""
    from standstill.engine.network import loading, shipped
    from standstill.engine.settings.config import find_file

    load, path = loading.load, shipped.path_of(shipped.DEFAULT)
    if path is None:
        return
    usual = find_file(path)
    weights = load(usual)

    def shared(path: str, *game: object, **named: object) -> object:
        is_usual = path == usual and not any(named.values()) and all(each.is_chess for each in game)
        return weights if is_usual else load(path, *game, **named)

    loading.load = shared


def gather_memory() -> None:
    """Move this process's memory into huge pages, so that a fork and an exit have few page tables to copy and free."""
    libc = ctypes.CDLL(None)
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        span, rights, _, _, inode, *name = line.split()
        if rights.startswith("rw") and inode == "0" and name in ([], ["[heap]"]):
            first, end = (int(place, 16) for place in span.split("-"))
            for place in range(-(-first // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
                libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(HUGE_PAGE), MADV_COLLAPSE)


def leave_tables_untouched() -> None:
    """Let children get the memory of a transposition table only as they use it: most tests search a few hundred
    positions.

    Clearing 64 MB in advance would take more processor time than the rest of such a test. With huge pages, even those
    positions would touch all 64 MB.
    """
    from standstill.cext.bindings import pool

    class Untouched(pool.SearchPool):
        def prepare(self) -> None:
            pass

    pool.SearchPool = Untouched
    with contextlib.suppress(AttributeError, OSError):  # only Linux has it
        ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)


def received(connection: socket.socket, size: int) -> bytes:
    return connection.recv(size, socket.MSG_WAITALL)


def become(ends: list[int], folder: str, environment: dict[str, str], arguments: list[str], launcher: Path) -> None:
    """Give this process the standard streams, folder, environment and arguments of the command, and nothing else."""
    for number, end in enumerate(ends):
        os.dup2(end, number)
    os.closerange(3, 1024)  # readers of pipes held open here would never see their end
    os.chdir(folder)
    if dict(os.environ) != environment:  # the environment is usually the same, and copying it takes a millisecond
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
    sys.argv = [str(launcher), *arguments]
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "w" if number else "r", encoding=old.encoding, errors=old.errors, closefd=False)
        for number, old in enumerate((sys.stdin, sys.stdout, sys.stderr))
    )


def leave(status: int) -> None:
    """Exit as the interpreter does, but without tearing down each imported module."""
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
