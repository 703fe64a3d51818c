"""Consoles and pipes: whether a person started the engine, how commands are quoted, and readers that have exited."""

from __future__ import annotations

import errno
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from _typeshed import ReadableBuffer


def person_waits() -> bool:
    """Return whether a person has started the engine, for example by a double click. Always False outside Windows."""
    return sys.platform == "win32" and os.isatty(0) and os.isatty(1)


def words_of(command: str) -> list[str]:
    """Split a command into words like a shell. Raises ValueError for an unclosed quote.

    On Windows a backslash separates folders and escapes nothing.
    """
    import shlex

    if sys.platform == "win32":
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.whitespace_split, reader.escape, reader.commenters = True, "", ""
        return list(reader)
    return shlex.split(command)


def typed_words(words: Iterable[str]) -> list[str]:
    """Return the arguments of this process with wildcards expanded, which shells of Windows leave to the program."""
    return list(expanded(words)) if sys.platform == "win32" else list(words)


def expanded(words: Iterable[str]) -> Iterator[str]:
    """Yield each word, or in its place the files that it matches, in alphabetical order.

    Only ``*`` and ``?`` are wildcards, and only in a word with a dot or a folder, such as ``*.pgn``: a result may be
    ``*``, a move ``e4?``. An option and a word that matches no file stay as they are.
    """
    for word in words:
        found: list[str] = []
        if any(char in word for char in "*?") and any(char in word for char in "./\\") and not word.startswith("-"):
            import glob

            found = sorted(glob.glob(word.replace("[", "[[]")))
        yield from found or [word]


def output_bytes(stream: BinaryIO) -> BinaryIO:
    """Return a standard stream's bytes, whose writes raise BrokenPipeError after the reader of a pipe has exited.

    On Windows the C library calls this an invalid argument.
    """
    written = isinstance(stream, io.BufferedWriter | io.FileIO)
    if sys.platform != "win32" or not written or not _is_pipe(stream.fileno()):
        return stream
    stream.flush()
    return io.BufferedWriter(_Pipe(stream.fileno(), "wb", closefd=False))


def _is_pipe(handle: int) -> bool:
    import stat

    return stat.S_ISFIFO(os.fstat(handle).st_mode)


class _Pipe(io.FileIO):
    def write(self, data: ReadableBuffer) -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
