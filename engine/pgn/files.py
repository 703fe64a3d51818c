"""Files of games, plain or compressed: the end of the name says which (.gz, .bz2, .zst).

Streams are ordinary binary ones. Whatever goes wrong while reading or writing them is a PgnError that names the file,
so that it can be told apart from the troubles of another file that is open at the same time.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..errors import PgnError
from ..notation import shown

COMPRESSED = (".gz", ".bz2", ".zst")
STANDARD = "-"  # the name of standard input and output

_BUFFER = 1 << 18


def display_name(path: str | Path) -> str:
    """What messages call an input."""
    return "<stdin>" if str(path) == STANDARD else str(path)


@contextlib.contextmanager
def open_input(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file, decompressed; ``-`` is standard input.

    Raises PgnError, also in the middle of reading, if the file is missing, unreadable, cut off or damaged.
    """
    if str(path) == STANDARD:
        if sys.stdin is None:
            raise PgnError("cannot read <stdin>: standard input is closed")
        yield sys.stdin.buffer
        return
    what = f"cannot read {shown(str(path))}"
    with _reported(what):
        stream = _reader(Path(path))
    with io.BufferedReader(_Checked(stream, what), _BUFFER) as buffered:
        yield buffered


@contextlib.contextmanager
def open_output(path: str | Path) -> Iterator[BinaryIO]:
    """A file to be written, compressed if its name says so; ``-`` is standard output.

    It is written under a temporary name in the same folder and renamed at the end. If an exception leaves the block,
    whatever had the name before is still there. Raises PgnError if it cannot be written.
    """
    if str(path) == STANDARD:
        if sys.stdout is None:
            raise PgnError("cannot write <stdout>: standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    what = f"cannot write {shown(str(path))}"
    if target.is_dir():
        raise PgnError(f"{what}: it is a directory")
    # A pipe or a device has no other name.
    fresh = target.with_name(f".{os.getpid()}.{target.name}") if target.is_file() or not target.exists() else target
    try:
        with _reported(what):
            stream = _writer(fresh)
        with io.BufferedWriter(_Checked(stream, what), _BUFFER) as buffered:
            yield buffered
        if fresh != target:
            with _reported(what):
                fresh.replace(target)
    except BaseException:
        if fresh != target:
            with contextlib.suppress(OSError):
                fresh.unlink()
        raise


def check_output(path: str | Path) -> None:
    """Raises PgnError if ``open_output`` cannot write there: for those who have hours of work to do before."""
    if str(path) == STANDARD or (Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()):
        return  # a pipe or a device is opened once
    with contextlib.suppress(_Enough), open_output(path):
        raise _Enough


class _Enough(Exception):
    """The file could be written; what was there is left in its place."""


class _Checked(io.RawIOBase):
    """A stream whose complaints are PgnErrors."""

    def __init__(self, stream: BinaryIO, what: str):
        self._stream = stream
        self._what = what

    def readable(self) -> bool:
        return self._stream.readable()

    def writable(self) -> bool:
        return self._stream.writable()

    def readinto(self, buffer) -> int:
        with _reported(self._what):
            if isinstance(self._stream, io.RawIOBase):
                return self._stream.readinto(buffer)
            # The decompressors' readinto reads on until the buffer is full, and loses all of that when it fails.
            data = self._stream.read1(len(buffer))
            buffer[: len(data)] = data
            return len(data)

    def write(self, data) -> int:
        with _reported(self._what):
            return self._stream.write(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            with _reported(self._what):
                self._stream.close()


@contextlib.contextmanager
def _reported(what: str) -> Iterator[None]:
    """Turn what the system and the decompressors complain of into a PgnError."""
    try:
        yield
    except (PgnError, BrokenPipeError):
        raise
    except EOFError:
        raise PgnError(f"{what}: the compressed data end too early") from None
    except OSError as error:
        raise PgnError(f"{what}: {error.strerror or error}") from None
    except Exception as error:
        # zlib.error and ZstdError have no other base in common.
        if type(error).__module__ not in ("zlib", "zstandard", "zstandard.backend_c"):
            raise
        raise PgnError(f"{what}: damaged compressed data ({error})") from None


def _reader(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        import gzip

        return gzip.open(path, "rb")
    if path.suffix == ".bz2":
        import bz2

        return bz2.open(path, "rb")
    if path.suffix == ".zst":
        return _ZstdReader(open(path, "rb"))
    return open(path, "rb", buffering=0)


def _writer(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        import gzip

        # No time and no name inside: the same games give the same bytes.
        stream = gzip.GzipFile("", "wb", 6, open(path, "wb"), mtime=0)  # noqa: SIM115 (closed with the stream)
        stream.myfileobj = stream.fileobj  # to be closed along with it
        return stream
    if path.suffix == ".bz2":
        import bz2

        return bz2.open(path, "wb")
    if path.suffix == ".zst":
        return _zstandard().open(path, "wb")
    return open(path, "wb", buffering=0)


class _ZstdReader(io.RawIOBase):
    """Frames one after another. The package's own reader takes the end of a file in a frame for the frame's end."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self._new_frame = _zstandard().ZstdDecompressor().decompressobj
        self._frame = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while not self._ready:
            rest = self._frame.unused_data if self._frame is not None and self._frame.eof else b""
            packed = rest or self._file.read(_BUFFER)
            if self._frame is None or self._frame.eof:
                if not packed:
                    return 0
                self._frame = self._new_frame()
            elif not packed:
                raise EOFError
            self._ready = memoryview(self._frame.decompress(packed))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def _zstandard():
    try:
        import zstandard
    except ImportError:
        raise PgnError("files compressed with zstd need the package zstandard: pip install zstandard") from None
    return zstandard
