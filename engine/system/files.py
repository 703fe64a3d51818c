"""Files: opening, flushing, replacing, permissions, and free disk space.

On Windows, ``os.open`` translates line ends, only files open for writing can be flushed, and by default a file that a
program holds open can be neither replaced nor removed. The log of the engine is opened here before `uciok`, so
contextlib is imported where it is used.
"""

from __future__ import annotations

import errno
import os
import sys
import time

_PATIENCE_S = 2.0  # time allowed for another program, such as a virus scanner, to close a file
_LOOK_S = 0.02

# The folder that lists the open files of this process by number.
STREAM_FOLDERS = (f"/proc/{os.getpid()}/fd", "/dev/fd")

if sys.platform == "win32":
    import _winapi
    import msvcrt

    WITHOUT_WAITING = 0
    _SHARE_ALL = 1 | 2 | 4  # reading, writing, deleting
    _CREATE_NEW, _OPEN_ALWAYS = 1, 4
    _NO_NAME = (None, 123, 161)  # an error of the C library; ERROR_INVALID_NAME; ERROR_BAD_PATHNAME

    def open_plain(path: str | os.PathLike[str], flags: int, mode: int = 0o666) -> int:
        try:
            return os.open(path, flags | os.O_BINARY, mode)
        except OSError as error:
            raise _named_error(error, path) from None

    def open_replaceable(path: str | os.PathLike[str], flags: int) -> int:
        access = _winapi.GENERIC_READ | (_winapi.GENERIC_WRITE if flags & os.O_RDWR else 0)
        how = _winapi.OPEN_EXISTING
        if flags & os.O_CREAT:
            how = _CREATE_NEW if flags & os.O_EXCL else _OPEN_ALWAYS
        try:
            handle = _winapi.CreateFile(os.fspath(path), access, _SHARE_ALL, 0, how, 0, 0)
        except OSError as error:
            raise _named_error(error, path) from None
        return msvcrt.open_osfhandle(handle, os.O_BINARY | flags & (os.O_APPEND | os.O_RDWR))

    def _named_error(error: OSError, path: str | os.PathLike[str]) -> OSError:
        """Return the error as other systems report it. A name that no file can have counts as missing."""
        code = error.errno or errno.EINVAL
        if code == errno.EINVAL and error.winerror in _NO_NAME:
            code = errno.ENOENT
        elif code == errno.EACCES and os.path.isdir(path):
            code = errno.EISDIR
        return OSError(code, os.strerror(code), path)

else:
    WITHOUT_WAITING = os.O_NONBLOCK  # opening a named pipe returns at once

    def open_plain(path: str | os.PathLike[str], flags: int, mode: int = 0o666) -> int:
        """``os.open`` without translation of line ends."""
        return os.open(path, flags, mode)

    def open_replaceable(path: str | os.PathLike[str], flags: int) -> int:
        """``open_plain`` for a file that ``replace`` and ``os.unlink`` may replace or remove while it is open.

        flags: O_RDONLY or O_RDWR, with any of O_APPEND, O_CREAT and O_EXCL.
        """
        return os.open(path, flags, 0o666)


def read_at(handle: int, size: int, place: int) -> bytes:
    """Read up to ``size`` bytes from this offset of the file. This changes the handle's position."""
    if sys.platform == "win32":
        os.lseek(handle, place, os.SEEK_SET)
        return os.read(handle, size)
    return os.pread(handle, size, place)


def flush(path: str) -> None:
    """Flush a file's data to the disk. Raises OSError."""
    _flush(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)


def flush_open(handle: int) -> None:
    """Flush the data of an open file to the disk. Raises OSError."""
    os.fsync(handle)


def flush_folder(path: str) -> None:
    """Flush a folder's list of files to the disk, if the file system supports it."""
    if sys.platform != "win32":
        import contextlib

        with contextlib.suppress(OSError):
            _flush(path, os.O_RDONLY)


def _flush(path: str, flags: int) -> None:
    handle = open_plain(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace(fresh: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Rename a file, replacing any file of the new name. Raises OSError.

    On Windows a file that some program holds open is first moved aside, which works if it was opened by
    ``open_replaceable``.
    """
    if sys.platform == "win32":
        _replace_on_windows(os.fspath(fresh), os.fspath(target))
    else:
        os.replace(fresh, target)


if sys.platform == "win32":

    def _replace_on_windows(fresh: str, target: str) -> None:
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                os.replace(fresh, target)
                return
            except PermissionError:
                if os.path.isdir(target):  # moving it aside would hide its files
                    raise
                if _replaced_in_two_steps(fresh, target):
                    return
                if time.monotonic() > until:
                    raise
            time.sleep(_LOOK_S)

    def _replaced_in_two_steps(fresh: str, target: str) -> bool:
        from .leftovers import temporary_beside

        aside = temporary_beside(target)
        try:
            os.rename(target, aside)
        except OSError:
            return False
        try:
            os.replace(fresh, target)
        except OSError:
            os.rename(aside, target)
            return False
        import contextlib

        with contextlib.suppress(OSError):  # a mapped file cannot be removed yet
            os.unlink(aside)
        return True


def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file if it exists; on Windows a file in use stays. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except PermissionError:
        if sys.platform != "win32" or os.path.isdir(path):
            raise


def keep_rights(fresh: str, target: str, mode: int | None) -> None:
    """Give a new file these permissions and, if the system allows it, the owner of the file that it will replace."""
    if sys.platform != "win32":
        import contextlib

        with contextlib.suppress(FileNotFoundError, PermissionError):
            status = os.stat(target)
            os.chown(fresh, status.st_uid, status.st_gid)
    if mode is not None:
        os.chmod(fresh, mode)


def writable(path: str) -> bool:
    """Can the file be written to, and can files be created beside it?"""
    folder = os.path.dirname(path)
    if sys.platform == "win32":  # os.access ignores access control lists
        import tempfile

        try:
            os.close(open_plain(path, os.O_RDWR))
            with tempfile.TemporaryFile(dir=folder):
                return True
        except OSError:
            return False
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        return False
    return not os.statvfs(path).f_flag & os.ST_RDONLY


def is_full(folder: str | os.PathLike[str], least_bytes: int) -> bool:
    """Return whether the file system of the folder lacks space for a new file of this size."""
    try:
        if sys.platform == "win32":
            import shutil

            return shutil.disk_usage(folder).free < least_bytes
        state = os.statvfs(folder)
    except OSError:
        return False
    return state.f_bavail * state.f_frsize < least_bytes or (state.f_files > 0 and not state.f_favail)
