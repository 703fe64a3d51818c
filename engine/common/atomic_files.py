"""The one writer of files: nobody sees a half-written one, and what was there stays until the new one is complete.

A new file is written under a temporary name in the folder of the target, flushed to the disk and renamed. Symbolic
links stay links, and the permissions and, where the system allows it, the owner of the file stay. What cannot be
replaced is written directly: a named pipe, a terminal, /dev/null, and standard output, which may also be named
/dev/stdout. Disks are refused. A signal that ends the process removes the temporary file first.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from .signals import unwinding

_FULL = errno.ENOSPC, errno.EDQUOT, errno.EFBIG  # writing to an open file does not say which one it was


def write_whole(path: str, data: str | bytes) -> None:
    """Write the data; the target is old or new at any time. Raises OSError."""
    with new_file(path) as file:
        rest = memoryview(data.encode("utf-8") if isinstance(data, str) else data)
        while rest:
            rest = rest[file.write(rest) :]


@contextlib.contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """An unbuffered stream for the new content of a file, which replaces the old one if the block succeeds.

    Raises OSError, which names ``path`` and not the temporary file.
    """
    if _mode(path, pipes=True) is not None:
        # What stands behind the number may be a file that others write to as well, as with `>>`.
        stream = descriptor(path)
        if stream is not None:
            with open(os.dup(stream), "wb", buffering=0) as file:
                yield file
            return
        if _is_stream(os.stat(path).st_mode):
            with _named(path), open(path, "wb", buffering=0) as file:
                yield file
            return
    with new_path(path) as temporary, open(temporary, "wb", buffering=0) as file:
        yield file


@contextlib.contextmanager
def new_path(path: str, mode: int | None = None) -> Iterator[str]:
    """The name of an empty file beside ``path``, which replaces it if the block succeeds: for those who write by name.

    mode: the permissions of a new file, if not the usual ones; a file that is replaced keeps its own. Raises OSError.
    """
    kept = _mode(path)
    if descriptor(path) is not None:
        raise OSError(errno.EINVAL, "it is an open stream, no plain file", path)
    target = os.path.realpath(path)
    mode = mode if kept is None else kept
    temporary = os.path.join(os.path.dirname(target), f".standstill-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        with unwinding():
            try:
                # Nobody may read meanwhile what will be private in the end.
                os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600))
                yield temporary
                _finish(temporary, target, mode)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
    except OSError as error:
        if error.filename == temporary or (error.filename is None and error.errno in _FULL):
            error.filename, error.filename2 = path, None  # the user does not know the temporary file
        raise


def check_target(path: str) -> None:
    """Raise OSError if a file cannot be written there. Meant to be called before hours of work."""
    known = _mode(path, pipes=True) is not None
    if not known or (descriptor(path) is None and stat.S_ISREG(os.stat(path).st_mode)):
        with contextlib.suppress(_EnoughError), new_path(path):
            raise _EnoughError


def is_device(path: str) -> bool:
    """Is it a device such as /dev/null or a terminal? It takes what is written, and keeps no file."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except OSError:
        return False


def descriptor(path: str) -> int | None:
    """The number of our open file that a name such as /dev/stdout or /dev/fd/3 stands for, None for other names."""
    for _ in range(40):  # as many links as the system follows
        folder, name = os.path.realpath(os.path.dirname(path)), os.path.basename(path)
        if folder == f"/proc/{os.getpid()}/fd" and name.isdecimal():
            return int(name)
        if not os.path.islink(path):
            break
        path = os.path.join(folder, os.readlink(path))
    return None


class _EnoughError(Exception):
    """Ends the check: the file can be written, and the old one stays."""


def _finish(temporary: str, target: str, mode: int | None) -> None:
    """Give the file the owner of the old one, its permissions and the name."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        status = os.stat(target)
        os.chown(temporary, status.st_uid, status.st_gid)
    if mode is not None:
        os.chmod(temporary, mode)
    _flush(temporary)
    os.replace(temporary, target)
    with contextlib.suppress(OSError):  # not every file system knows this
        _flush(os.path.dirname(target))


def _flush(path: str) -> None:
    """Bring what was written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_stream(mode: int) -> bool:
    """Is it a pipe, a terminal or the like?"""
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors of writing to an open file do not say which one it is."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _FULL:
            error.filename = path
        raise


def _mode(path: str, *, pipes: bool = False) -> int | None:
    """The permissions of the file, None if there is none. Raises OSError for what cannot be replaced."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if not path or path.endswith(os.sep):
            raise  # the name of no file
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
    if not stat.S_ISREG(status.st_mode) and not (pipes and _is_stream(status.st_mode)):
        what = "a pipe" if stat.S_ISFIFO(status.st_mode) else "a device"
        raise OSError(errno.EINVAL, f"it is {what}, no plain file", path)
    if not os.access(path, os.W_OK):  # the folder may be writable, but somebody has protected the file
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return stat.S_IMODE(status.st_mode)
