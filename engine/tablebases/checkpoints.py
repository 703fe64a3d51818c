"""Checkpoints of a class under construction: its solved slices, and the current slice after some levels.

The checkpoints are files in a folder beside the tables. They allow a killed build to continue where it stopped, and a
running build to keep its slices out of memory. The folder is deleted once the class is written.
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from typing import BinaryIO

from ..common.atomic_files import new_file
from ..system.files import open_replaceable, remove

KEEP_EVERY_S = 120.0  # seconds of work on one slice between two checkpoints


_END = ".work"


def is_work(name: str) -> bool:
    """Return whether this is the name of a checkpoint folder."""
    return name.startswith(".") and name.endswith(_END)


class Work:
    """The checkpoint folder of one class. every_s: seconds between two checkpoints of a slice."""

    def __init__(self, folder: str, name: str, whole_game: bool, *, every_s: float = KEEP_EVERY_S):
        self.folder = os.path.join(folder, f".{name}{'.whole-game' if whole_game else ''}{_END}")
        self.every_s = every_s

    def slice_path(self, index: int) -> str:
        return os.path.join(self.folder, f"slice-{index}")

    def prepare(self) -> None:
        """Create the folder. Raises OSError."""
        os.makedirs(self.folder, exist_ok=True)

    def solved(self, index: int) -> mmap.mmap | None:
        """Return the bytes of a solved slice; None if the slice has not been solved."""
        return _mapped(self.slice_path(index))

    def forget(self, index: int) -> None:
        """Remove a damaged slice."""
        remove(self.slice_path(index))

    def scratch(self, size: int) -> mmap.mmap:
        """Return memory mapped to an unnamed file, which takes disk space only for its used pages, until exit."""
        self.prepare()
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.truncate(size)
            return mmap.mmap(file.fileno(), size)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class LevelKeeper:
    """Saves the current slice when the core requires it."""

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
        remove(self._path)


def write_all(file: BinaryIO, chunk: bytes) -> None:
    """Write all bytes to an unbuffered file, whose write() may write only part of them."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[file.write(rest) :]


def _mapped(path: str) -> mmap.mmap | None:
    try:
        with os.fdopen(open_replaceable(path, os.O_RDONLY), "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (FileNotFoundError, ValueError):  # mmap raises ValueError for an empty file
        return None
