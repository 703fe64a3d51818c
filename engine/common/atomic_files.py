"""Writes files atomically: the old file stays until the new one is complete, and no reader sees a partial file.

A new file is written under a temporary name in the folder of the target, flushed to the disk and renamed. Symbolic
links stay links, and the file keeps its permissions and, where the system allows it, its owner. Targets that cannot be
replaced are written directly: a named pipe, a terminal, /dev/null, and standard output, which may also be named
/dev/stdout. Block devices are rejected. A signal that ends the process removes the temporary file first. The next write
to the same folder removes what a power cut or ``kill -9`` has left.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from ..system.files import STREAM_FOLDERS, flush, flush_folder, keep_rights, open_plain, replace
from ..system.leftovers import remove_left, temporary_beside
from .signals import unwinding

_FULL = errno.ENOSPC, errno.EDQUOT, errno.EFBIG  # raised by writes to an open file, without the name of the file


def write_whole(path: str, data: str | bytes) -> None:
    """Write the data atomically: the target holds either its old content or all the data. Raises OSError."""
    with new_file(path) as file:
        rest = memoryview(data.encode("utf-8") if isinstance(data, str) else data)
        while rest:
            rest = rest[file.write(rest) :]


@contextlib.contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Yield an unbuffered stream for the new content of a file.

    If the block succeeds, the new content replaces the old content.

    Raises OSError, whose ``filename`` is ``path`` and never the temporary file.
    """
    if _mode(path, pipes=True) is not None:
        # The descriptor may refer to a file that other processes also write to, as with `>>`.
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
    """Yield the name of an empty file that replaces ``path`` if the block succeeds, for code that needs a file name.

    mode: the permissions of a new file, or None for the default; a replaced file keeps its own. Raises OSError.
    """
    kept = _mode(path)
    if descriptor(path) is not None:
        raise OSError(errno.EINVAL, "it is an open stream, not a regular file", path)
    target = os.path.realpath(path)
    mode = mode if kept is None else kept
    folder = os.path.dirname(target)
    temporary = temporary_beside(target)
    try:
        remove_left(folder)
        with unwinding():
            try:
                # A file that will be private must not be readable in the meantime.
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                os.close(open_plain(temporary, flags, 0o666 if mode is None else 0o600))
                yield temporary
                _finish(temporary, target, mode)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
    except OSError as error:
        if error.filename == temporary or (error.filename is None and error.errno in _FULL):
            error.filename, error.filename2 = path, None  # the user does not know the name of the temporary file
        raise


def check_target(path: str) -> None:
    """Raise OSError if the path cannot be written.

    Callers use this check to fail before hours of work rather than after.
    """
    known = _mode(path, pipes=True) is not None
    if not known or (descriptor(path) is None and stat.S_ISREG(os.stat(path).st_mode)):
        with contextlib.suppress(_EnoughError), new_path(path):
            raise _EnoughError


def is_device(path: str) -> bool:
    """Return whether the path is a device such as /dev/null or a terminal, which accepts output without storing it."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except OSError:
        return False


def descriptor(path: str) -> int | None:
    """Return the file descriptor that a path such as /dev/stdout or /dev/fd/3 refers to, or None for other paths."""
    for _ in range(40):  # the system's limit for following links
        folder, name = os.path.realpath(os.path.dirname(path)), os.path.basename(path)
        if folder in STREAM_FOLDERS and name.isdecimal():
            return int(name)
        if not os.path.islink(path):
            break
        path = os.path.join(folder, os.readlink(path))
    return None


class _EnoughError(Exception):
    """``new_path`` raises this exception after a successful check, so that the old file stays."""


def _finish(temporary: str, target: str, mode: int | None) -> None:
    """Give the temporary file the owner, permissions and name of the target."""
    keep_rights(temporary, target, mode)
    flush(temporary)
    replace(temporary, target)
    flush_folder(os.path.dirname(target))


def _is_stream(mode: int) -> bool:
    """Return whether the file is a pipe, a terminal or a similar stream."""
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Add ``path`` to errors raised by writes to an open file, which do not contain its name."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _FULL:
            error.filename = path
        raise


def _mode(path: str, *, pipes: bool = False) -> int | None:
    """Return the permissions of the file, or None if it does not exist. Raises OSError if it cannot be replaced."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if not path or path.endswith((os.sep, os.altsep or os.sep)):
            # The path names a folder, not a file. Windows words the error of os.stat in its own way.
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
    if not stat.S_ISREG(status.st_mode) and not (pipes and _is_stream(status.st_mode)):
        what = "a pipe" if stat.S_ISFIFO(status.st_mode) else "a device"
        raise OSError(errno.EINVAL, f"it is {what}, not a regular file", path)
    if not os.access(path, os.W_OK):  # the file is write-protected, although the folder may be writable
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return stat.S_IMODE(status.st_mode)
