"""Where a running game comes from: a file that grows or is replaced, or a pipe. ``web_source`` reads addresses.

A source is read repeatedly. It returns its text when the text has changed, and keeps only the games in it that may
still grow.
"""

from __future__ import annotations

import os
import threading
from typing import BinaryIO, Protocol

from ..archive.pgn import CHUNK
from ..archive.streams import display_name, is_wide
from ..common.errors import ArgumentError, StandstillError
from ..common.regular_files import open_regular
from ..common.text import shown_path
from .reading import game_starts

MOST_BYTES = 64 << 20  # largest text that is kept in memory
_GUARD_BYTES = 4096  # number of bytes before the last game; if they change, the file was replaced


class SourceError(StandstillError, OSError):
    """A source that cannot be read now. It may work again later."""


class Source(Protocol):
    """name: for messages. every_s: the time between two readings. patience_s: a shorter failure is not reported."""

    name: str
    every_s: float
    patience_s: float

    def read(self) -> bytes | None:
        """Return the text if it has changed since the last call, else None. Raises SourceError."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing more can come."""
        ...


class FileSource:
    """A file, which a program extends, rewrites in place, or replaces by another one of the same name.

    last_only: only the last game is wanted. Then earlier games are read once, and the text begins with the last game.
    """

    patience_s = 1.0  # match runners remove a file before they rename the new one
    is_over = False

    def __init__(self, path: str, *, last_only: bool, every_s: float = 0.1):
        """Raises ArgumentError for a path that can never become a file of games."""
        self.name = display_name(path)
        self.every_s = every_s
        self._path = path
        self._last_only = last_only
        self._seen: tuple[int, ...] | None = None
        self._base = 0  # offset of the last game
        self._guard = b""  # the bytes before it
        self._text: bytes | None = None
        folder = os.path.dirname(path) or "."
        if os.path.isdir(path) or not os.path.isdir(folder):
            found = "a folder" if os.path.isdir(path) else f"no folder {shown_path(folder)}"
            raise ArgumentError(f"expected a file of games, found {found}")

    def read(self) -> bytes | None:
        try:
            status = os.stat(self._path)
            seen = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
            if seen == self._seen:
                return None
            with open_regular(self._path) as file:
                text = self._read(file)
        except FileNotFoundError:
            self._seen = None
            raise SourceError(f"{self.name} does not exist") from None
        except OSError as error:
            self._seen = None
            raise SourceError(f"cannot read {self.name}: {error.strerror or error}") from None
        self._seen = seen
        if text == self._text:
            return None
        self._text = text
        return text

    def _read(self, file: BinaryIO) -> bytes:
        """Read what may have changed: from the last game on if the bytes before it are the same, else everything."""
        start = self._base - len(self._guard)
        file.seek(start)
        piece = file.read(CHUNK) if self._base and file.read(len(self._guard)) == self._guard else b""
        if not piece.strip():  # another file, or one from which the last game was removed
            self._base, self._guard = 0, b""
            file.seek(0)
            piece = file.read(CHUNK)
        text = b""
        while piece:
            text += piece
            if self._last_only and not is_wide(text) and (starts := game_starts(text)):
                last = starts[-1]
                if last:
                    self._base += last
                    self._guard = (self._guard + text[:last])[-_GUARD_BYTES:]
                    text = text[last:]
            if len(text) > MOST_BYTES:
                raise OSError(None, f"expected at most {MOST_BYTES >> 20} MB, found more")
            piece = file.read(CHUNK)
        return text


class PipeSource:
    """Standard input. A thread reads it, so that a pipe without new data does not block.

    A server that streams games sends a whole game again after each move; the text keeps only the last ones.
    """

    every_s = 0.05
    patience_s = 0.0
    _MOST_GAMES = 64  # largest number of games kept of a broadcast, which sends moves of all its games in turn

    def __init__(self, stream: BinaryIO, *, last_only: bool):
        self.name = display_name("-")
        self._stream = stream
        self._most_games = 1 if last_only else self._MOST_GAMES
        self._lock = threading.Lock()
        self._text = b""
        self._is_news = self._has_ended = False
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        return self._has_ended and not self._is_news

    def read(self) -> bytes | None:
        with self._lock:
            if not self._is_news:
                return None
            self._is_news = False
            return self._text

    def _collect(self) -> None:
        handle = self._stream.fileno()
        while True:
            try:
                piece = os.read(handle, CHUNK)
            except OSError:
                piece = b""
            with self._lock:
                if not piece:
                    self._has_ended = True
                    return
                text = self._text + piece
                starts = [] if is_wide(text) else game_starts(text)
                if len(starts) > self._most_games:
                    text = text[starts[-self._most_games] :]
                self._text = text[-MOST_BYTES:]
                self._is_news = True
