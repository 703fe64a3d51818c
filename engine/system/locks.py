"""Advisory locks on open files. A lock ends when its file is closed or its process ends.

``filelock`` would create a second file beside each one, which users would see and which would be left behind.
"""

from __future__ import annotations

import os
import sys

from .files import open_plain

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _AT_ONCE, _EXCLUSIVE = 1, 2
    _HELD = 33  # ERROR_LOCK_VIOLATION
    # The locked byte lies far beyond the end of any file, because other programs cannot read a locked byte.
    _FAR_HIGH = 1 << 30

    class _Overlapped(ctypes.Structure):
        _fields_ = (
            ("Internal", ctypes.c_void_p),
            ("InternalHigh", ctypes.c_void_p),
            ("Offset", wintypes.DWORD),
            ("OffsetHigh", wintypes.DWORD),
            ("hEvent", wintypes.HANDLE),
        )

else:
    import fcntl


def lock(handle: int) -> None:
    """Lock an open file without waiting. Raises BlockingIOError if it is locked, OSError if locks are not supported."""
    if sys.platform == "win32":
        place = _Overlapped(OffsetHigh=_FAR_HIGH)
        lock_file = ctypes.WinDLL("kernel32", use_last_error=True).LockFileEx
        system_handle = wintypes.HANDLE(msvcrt.get_osfhandle(handle))
        if not lock_file(system_handle, _AT_ONCE | _EXCLUSIVE, 0, 1, 0, ctypes.byref(place)):
            error = ctypes.get_last_error()
            raise BlockingIOError if error == _HELD else ctypes.WinError(error)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_folder(folder: str | os.PathLike[str]) -> int:
    """Open the folder for ``lock``. Raises OSError; BlockingIOError while the file described below is being removed.

    Windows cannot open folders. On Windows this opens a file in the folder, which the system removes with its last
    handle.
    """
    if sys.platform == "win32":
        try:
            return _open_temporary(folder, ".standstill-lock")
        except PermissionError as error:
            # Windows refuses a file that is being removed as it refuses any file in a folder without write access.
            # Only a name that no other program uses tells the two apart.
            os.close(_open_temporary(folder, f".standstill-{os.urandom(8).hex()}"))
            raise BlockingIOError from error
    return os.open(folder, os.O_RDONLY)


if sys.platform == "win32":

    def _open_temporary(folder: str | os.PathLike[str], name: str) -> int:
        """Open a file that the system removes with its last handle."""
        return open_plain(os.path.join(folder, name), os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)
