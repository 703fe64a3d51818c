"""Opens regular files only, because a pipe or a device that a user names could block the engine for ever."""

from __future__ import annotations

import errno
import os
import stat

from ..system.files import WITHOUT_WAITING, open_replaceable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; other processes may replace it.

    Raises OSError at once for any other kind of file.
    """
    try:
        handle = open_replaceable(path, os.O_RDONLY | WITHOUT_WAITING)
    except IsADirectoryError:  # Windows cannot open folders
        raise OSError(errno.EISDIR, "is a folder", path) from None
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(code, "is a folder" if stat.S_ISDIR(mode) else "not a regular file", path)
    return os.fdopen(handle, "rb")
