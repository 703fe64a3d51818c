"""Names of temporary files, and the removal of files that a killed process has left.

The name of a temporary file holds the number of its process and a mark of the machine, because the folder may be shared
by machines or containers, whose processes have numbers of their own.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from functools import cache

from .processes import runs

_OLD_S = 7 * 86_400  # age of the last change after which no running process can own a temporary file
# SQLite keeps further files beside its file, such as NAME-journal. Names of older versions have no mark.
_NAME = re.compile(r"\.standstill-(\d+)-([0-9a-f]{8})?[0-9a-f]{8}(-\w+)?", re.ASCII)


def temporary_beside(path: str | os.PathLike[str]) -> str:
    """Return a new name in the folder of this file. ``remove_left`` removes such files of processes that have ended."""
    name = f".standstill-{os.getpid()}-{_machine()}{os.urandom(4).hex()}"
    return os.path.join(os.path.dirname(path), name)


def remove_left(folder: str | os.PathLike[str]) -> None:
    """Remove temporary files of this user and machine whose process has ended, and any that are a week old."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _NAME.fullmatch(entry.name)
            if found is None:
                continue
            with contextlib.suppress(OSError):  # the file of another user, or one that is in use on Windows
                if entry.is_file(follow_symlinks=False) and _is_left(found, entry.stat(follow_symlinks=False)):
                    os.unlink(entry.path)


def _is_left(name: re.Match[str], status: os.stat_result) -> bool:
    if time.time() - status.st_mtime > _OLD_S:
        return True
    # A process of another user may be hidden.
    ours = sys.platform == "win32" or status.st_uid == os.geteuid()
    return ours and name[2] == _machine() and not runs(int(name[1]))


@cache
def _machine() -> str:
    """Return eight digits that stand for the machine and, in a container, for its numbering of processes."""
    import zlib

    if sys.platform == "win32":
        return f"{zlib.crc32(os.environ.get('COMPUTERNAME', '').encode()):08x}"
    parts = [os.uname().nodename]
    with contextlib.suppress(OSError), open("/etc/machine-id", encoding="ascii", errors="replace") as file:
        parts.append(file.read())
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return f"{zlib.crc32(repr(parts).encode()):08x}"
