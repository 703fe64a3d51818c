"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile


def write_whole(path: str, data: str | bytes) -> None:
    """Write beside the target and rename: the old content or the new, whatever happens. Raises OSError."""
    try:
        _write_whole(path, data.encode("utf-8") if isinstance(data, str) else data)
    except OSError as error:
        error.filename = path  # not that of the file beside it, which nobody has heard of
        raise


def _write_whole(path: str, data: bytes) -> None:
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:  # a pipe or a device cannot be replaced
            file.write(data)
        return
    handle, temporary = tempfile.mkstemp(prefix=".standstill-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: str) -> int:
    """What the file had, or what a new one would get."""
    try:
        return os.stat(target).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
