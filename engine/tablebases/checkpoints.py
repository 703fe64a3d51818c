"""What is kept of a class while it is built: its solved slices, and the slice in work after some levels.

It lies in a folder beside the tables, so that a build that was killed goes on where it was, and so that slices need not
lie in the memory. When the class is written the folder goes.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from typing import BinaryIO

from ..common.atomic_files import new_file

KEEP_EVERY_S = 120.0  # of solving one slice: what has been done by then survives


_END = ".work"


def is_work(name: str) -> bool:
    """Is this the name of such a folder?"""
    return name.startswith(".") and name.endswith(_END)


class Work:
    """The folder of one class. every_s: how often a slice in work is kept."""

    def __init__(self, folder: str, name: str, whole_game: bool, *, every_s: float = KEEP_EVERY_S):
        self.folder = os.path.join(folder, f".{name}{'.whole-game' if whole_game else ''}{_END}")
        self.every_s = every_s

    def slice_path(self, index: int) -> str:
        return os.path.join(self.folder, f"slice-{index}")

    def prepare(self) -> None:
        """Make the folder. Raises OSError."""
        os.makedirs(self.folder, exist_ok=True)

    def solved(self, index: int) -> mmap.mmap | None:
        """The bytes of a slice that has been solved, None if it has not."""
        return _mapped(self.slice_path(index))

    def forget(self, index: int) -> None:
        """Remove a slice that is not sound."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.slice_path(index))

    def scratch(self, size: int) -> mmap.mmap:
        """Mapped memory without a name: it takes room on the disk where it is touched, and goes with the process."""
        self.prepare()
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.truncate(size)
            return mmap.mmap(file.fileno(), size)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class LevelKeeper:
    """Keeps one slice in work, as the core asks for it."""

    def __init__(self, work: Work, index: int):
        self._path = os.path.join(work.folder, f"level-{index}")
        self._every_s = work.every_s
        self._last = time.monotonic()

    def read(self) -> mmap.mmap | None:
        return _mapped(self._path)

    def due(self) -> bool:
        return time.monotonic() - self._last >= self._every_s

    def write(self, chunks: Iterable[bytes]) -> None:
        with new_file(self._path) as file:
            for chunk in chunks:
                write_all(file, chunk)
        self._last = time.monotonic()

    def remove(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)


def write_all(file: BinaryIO, chunk: bytes) -> None:
    """Write to an unbuffered file, which may take less than it is given."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[file.write(rest) :]


def _mapped(path: str) -> mmap.mmap | None:
    try:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (FileNotFoundError, ValueError):  # an empty file is none
        return None
