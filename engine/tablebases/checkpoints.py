"""Checkpoints of a class under construction: its solved slices, and the current slice as it was some minutes ago.

The checkpoints are files in a folder beside the tables. They allow a killed build to continue where it stopped, and a
running build to keep its slices out of memory. The folder is deleted once the class is written.
"""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import BinaryIO

from ..common.atomic_files import new_file
from ..system.files import open_replaceable, remove

KEEP_EVERY_S = 120.0  # seconds of work on one slice between two checkpoints
_WORK_PER_SAVING = 10  # minimum work after a checkpoint, as a multiple of the time that the checkpoint took

_END = ".work"


def is_work(name: str) -> bool:
    """Return whether this is the name of a checkpoint folder."""
    return name.startswith(".") and name.endswith(_END)


class Work:
    """The checkpoint folder of one class.

    every_s: seconds between two checkpoints of a slice; 0 saves it after every part of the work. note: called with a
    message when a file in the folder is damaged or belongs to another build, and is therefore not used.
    """

    def __init__(
        self,
        folder: str,
        name: str,
        whole_game: bool,
        *,
        every_s: float = KEEP_EVERY_S,
        note: Callable[[str], None] = lambda text: None,
    ):
        self.folder = os.path.join(folder, f".{name}{'.whole-game' if whole_game else ''}{_END}")
        self.every_s = every_s
        self.note = note

    def slice_path(self, index: int) -> str:
        return os.path.join(self.folder, f"slice-{index}")

    def prepare(self) -> None:
        """Create the folder. Raises OSError."""
        os.makedirs(self.folder, exist_ok=True)

    def solved(self, index: int) -> mmap.mmap | bytes | None:
        """Return the bytes of a solved slice; None if the slice has not been solved."""
        return _mapped(self.slice_path(index))

    def forget(self, index: int, why: ValueError) -> None:
        """Remove a damaged slice."""
        self.note(f"{self.slice_path(index)}: {why}; solving it again")
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
        self._note = work.note
        self._every_s = work.every_s
        self._wait_s = work.every_s
        self._last = time.monotonic()

    def read(self) -> mmap.mmap | bytes | None:
        return _mapped(self._path)

    def due(self) -> bool:
        return time.monotonic() - self._last >= self._wait_s

    def write(self, chunks: Iterable[bytes]) -> None:
        start = time.monotonic()
        with new_file(self._path) as file:
            for chunk in chunks:
                write_all(file, chunk)
        self._last = time.monotonic()
        if self._every_s:
            self._wait_s = max(self._every_s, _WORK_PER_SAVING * (self._last - start))

    def remove(self) -> None:
        remove(self._path)

    def forget(self, why: ValueError) -> None:
        """Remove a damaged checkpoint."""
        self._note(f"{self._path}: {why}; starting this slice again")
        self.remove()


def write_all(file: BinaryIO, chunk: bytes) -> None:
    """Write all bytes to an unbuffered file, whose write() may write only part of them."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[file.write(rest) :]


def _mapped(path: str) -> mmap.mmap | bytes | None:
    try:
        with os.fdopen(open_replaceable(path, os.O_RDONLY), "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    except ValueError:  # an empty file cannot be mapped
        return b""
