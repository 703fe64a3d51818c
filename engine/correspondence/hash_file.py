"""Saves the hash table and the move-ordering histories of a long analysis in a file beside the store.

The next run on the same position loads them instead of repeating the search. Such a file only saves time: the next run
ignores a file that is missing, damaged, or from another engine or other settings.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import zlib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from .. import VERSION
from ..common.atomic_files import write_whole
from ..system.hardware import free_memory_mb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ..play.session import Session

    _Setting = Literal["RMobility", "UCI_Variant", "UCI_Chess960"]

_MAGIC = b"standstill hash 2\n"
# each entry of the table has 24 bytes before compression; entries of the lowest depth are left out first
_MOST_ENTRIES = 4_000_000
# in bytes; the histories of chess have 2 million, and those of the largest boards are not worth keeping
_MOST_HISTORY = 64 << 20
_MOST_FILES = 64
_SETTINGS: tuple[_Setting, ...] = ("RMobility", "UCI_Variant", "UCI_Chess960")
_LARGEST_MB = 1024
_SHARE = 4  # the table gets one part in this many of the free memory


class HashFile:
    """The file of one analysed position."""

    def __init__(self, store: Path, position: str, session: Session):
        """position: a text that identifies the position among the positions of all stores."""
        self._folder = store.with_name(f"{store.name}.hash")
        self._path = self._folder / f"{hashlib.sha256(position.encode()).hexdigest()[:32]}.bin"
        self._session = session

    def size_mb(self) -> int | None:
        """Return the size of the saved hash table; None without a file that fits this engine."""
        self._session.is_ready()
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError), open(self._path, "rb") as file:
            head = _head(file.readline(100), file.readline(10_000))
            if head["engine"] == _engine(self._session.equipment.pool) and isinstance(head["hash_mb"], int):
                return head["hash_mb"]
        return None

    def load(self) -> bool:
        """Fill the pool's hash table from the file.

        Return False, with the table unchanged, if no file fits this engine.
        """
        try:
            with open(self._path, "rb") as file:
                head = _head(file.readline(100), file.readline(10_000))
                history = head["history"]
                if head != self._described(history, head["crc"]) or not isinstance(history, int):
                    return False
                unpack = zlib.decompressobj()
                data = unpack.decompress(file.read(), _MOST_HISTORY + _MOST_ENTRIES * 24)
            if zlib.crc32(data) != head["crc"] or not unpack.eof:
                return False
            pool = self._session.equipment.pool
            if history:
                pool.load_history(self._session.board, data[:history])
            pool.load_table(data[history:])
        except (OSError, ValueError, TypeError, KeyError, zlib.error, MemoryError):
            return False
        return True

    def save(self) -> None:
        """Write the contents of the pool's hash table to the file. Raises OSError."""
        counts = self._session.equipment.pool.table_depths()
        least = next(depth for depth in range(len(counts)) if sum(counts[depth:]) <= _MOST_ENTRIES)
        table = self._session.equipment.pool.dump_table(least)
        if not table:
            return
        history = self._session.equipment.pool.dump_history()
        if len(history) > _MOST_HISTORY:
            history = b""
        data = history + table
        self._folder.mkdir(mode=0o700, exist_ok=True)
        head = json.dumps(self._described(len(history), zlib.crc32(data))).encode()
        write_whole(str(self._path), _MAGIC + head + b"\n" + zlib.compress(data, 1))
        os.chmod(self._path, 0o600)
        files = sorted(self._folder.glob("*.bin"), key=lambda path: path.stat().st_mtime)
        for path in files[:-_MOST_FILES]:
            path.unlink(missing_ok=True)

    def _described(self, history: object, crc: object) -> dict[str, object]:
        settings = self._session.settings
        return {
            "engine": _engine(self._session.equipment.pool),
            "hash_mb": self._session.equipment.pool.hash_mb,
            "settings": [str(settings[name]) for name in _SETTINGS],
            "mode": repr(self._session.equipment.mode),
            "networks": [_state(path) for path in self._session.equipment.network_files(self._session.game)],
            "history": history,
            "crc": crc,
        }


def _head(magic: bytes, line: bytes) -> dict[str, object]:
    if magic != _MAGIC:
        raise ValueError("not a hash file")
    head = json.loads(line)
    if not isinstance(head, dict):
        raise ValueError("the header is missing")
    return head


def _state(path: str | None) -> str:
    """Identify a network file, because another network evaluates the same positions differently."""
    if path is None or not os.path.exists(path):
        return ""
    state = os.stat(path)
    return f"{os.path.abspath(path)} {state.st_size} {state.st_mtime_ns}"


def _engine(pool: object) -> str:
    """Identify version and build of the core, because another build may evaluate the same position differently."""
    folder = Path(sys.modules[type(pool).__module__].__file__ or "").parents[1]
    found = hashlib.sha256(VERSION.encode())
    for path in sorted(path for path in folder.glob("*/*") if path.name.endswith(tuple(EXTENSION_SUFFIXES))):
        state = path.stat()
        found.update(f"{path.name} {state.st_size} {state.st_mtime_ns}".encode())
    return found.hexdigest()[:16]


def fitting_hash_mb() -> int:
    """Return a quarter of the free memory in MB, as a power of two. Other programs can use the rest of the memory."""
    share_mb = free_memory_mb() // _SHARE
    return min(_LARGEST_MB, 1 << max(4, share_mb.bit_length() - 1))
