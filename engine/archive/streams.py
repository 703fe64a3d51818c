"""Opens files of games, plain or compressed. The suffix determines the compression (.gz, .bz2, .zst, .xz).

Without a suffix, as for standard input, the first bytes determine it. Other kinds of compressed files and archives are
rejected by name. Text in UTF-16 is converted to UTF-8. Streams are ordinary binary streams. Errors while reading are
raised as PgnError, and errors while writing as PgnOutputError; both name the file.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from ..common.atomic_files import check_target, is_device, new_file
from ..common.errors import PgnError, PgnOutputError
from ..common.install import install_command
from ..common.text import shown, shown_path, visible
from ..system.files import open_replaceable

if TYPE_CHECKING:
    from types import ModuleType

    from _typeshed import ReadableBuffer, WriteableBuffer

COMPRESSED = (".gz", ".bz2", ".zst", ".xz")
STANDARD = "-"  # the name of standard input and output

_FOREIGN = (".7z", ".br", ".lz", ".lz4", ".lzma", ".rar", ".tar", ".tbz", ".tbz2", ".tgz", ".txz", ".z", ".zip")
_FIRST_BYTES = (
    (b"\x1f\x8b", ".gz"),
    (b"BZh", ".bz2"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"PK\x03\x04", ".zip"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"Rar!\x1a\x07", ".rar"),
)
_MOST_FIRST_BYTES = 6
# The beginning of UTF-16: a mark, or a zero in one half of each of two ASCII letters; and the mark of UTF-32.
_WIDE = re.compile(rb"(?P<marked>\xff\xfe|\xfe\xff)|(?P<little>[^\0]\0[^\0]\0)|\0[^\0]\0[^\0]", re.DOTALL)
_WIDER = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_BUFFER = 1 << 18


def is_compressed(path: str | Path) -> bool:
    """Return whether the name means a compressed file."""
    return str(path).lower().endswith(COMPRESSED)


def is_pgn(path: str | Path) -> bool:
    """Return whether the name means a file of games, plain or compressed."""
    return str(path).lower().endswith(tuple(f".pgn{suffix}" for suffix in ("", *COMPRESSED)))


def is_plain(path: str | Path) -> bool:
    """Return whether ``open_input`` returns the bytes of this file unchanged. Raises OSError."""
    if str(path) == STANDARD or is_compressed(path):
        return False
    with open(path, "rb", opener=open_replaceable) as file:
        first = file.read(_MOST_FIRST_BYTES)
        return not first.startswith(tuple(mark for mark, _ in _FIRST_BYTES)) and not is_wide(first)


def is_wide(text: bytes) -> bool:
    """Return whether the text, of which four bytes suffice, is UTF-16 or UTF-32."""
    return _WIDE.match(text) is not None or text[:4] in _WIDER


def narrowed(text: bytes) -> bytes:
    """Return a text in UTF-16 as UTF-8, without a half letter at its end. Raises ValueError if it is damaged."""
    return _wide_decoder(text).decode(text).encode()


def is_converted(stream: io.BufferedIOBase) -> bool:
    """Return whether this stream of ``open_input`` converts UTF-16, so that copies of its games are in UTF-8."""
    return isinstance(stream, io.BufferedReader) and isinstance(stream.raw, _Narrowed)


def _wide_decoder(text: bytes) -> codecs.IncrementalDecoder:
    """Return a decoder for the text, of which four bytes suffice. Raises ValueError if it is UTF-32."""
    if text[:4] in _WIDER:
        raise ValueError("expected text in UTF-8, UTF-16 or Latin-1, found UTF-32")
    found = _WIDE.match(text)
    assert found is not None, "the text is wide"
    codec = "utf-16" if found["marked"] else "utf-16-le" if found["little"] else "utf-16-be"
    return codecs.getincrementaldecoder(codec)()


def display_name(path: str | Path) -> str:
    """Return the name of an input for messages."""
    return "<stdin>" if str(path) == STANDARD else visible(str(path))


@dataclass(frozen=True, slots=True)
class _Access:
    """How errors in reading or writing a file are raised: the beginning of their messages, and their type."""

    failure: str
    error: type[PgnError]

    def refusal(self, reason: str) -> PgnError:
        return self.error(f"{self.failure}: {reason}")

    @contextlib.contextmanager
    def reported(self) -> Iterator[None]:
        """Turn errors of the system and of the decompressors into this object's type of error."""
        try:
            yield
        except BrokenPipeError:
            raise
        except PgnError as error:
            raise (error if isinstance(error, self.error) else self.error(str(error))) from None
        except EOFError:
            raise self.refusal("the compressed data end too early") from None
        except OSError as error:
            raise self.refusal(error.strerror or str(error)) from None
        except Exception as error:
            # The errors of the decompressors have no common base class.
            if type(error).__module__ not in ("_lzma", "zlib", "zstandard", "zstandard.backend_c"):
                raise
            raise self.refusal(f"damaged compressed data ({error})") from None


@contextlib.contextmanager
def open_input(path: str | Path) -> Iterator[io.BufferedIOBase]:
    """Yield the bytes of a file, decompressed; ``-`` is standard input.

    Raises PgnError, also in the middle of reading, if the file is missing, unreadable, truncated or damaged.
    """
    if str(path) == STANDARD:
        access = _Access("cannot read <stdin>", PgnError)
        if sys.stdin is None:
            raise access.refusal("standard input is closed")
        with _decompressed(sys.stdin.buffer, "", access) as stream:
            yield stream
        return
    access = _Access(f"cannot read {shown_path(path)}", PgnError)
    suffix = _suffix(path, access)
    with access.reported():
        file = open(path, "rb", opener=open_replaceable)  # noqa: SIM115 (closed below)
    with file, _decompressed(file, suffix, access) as stream:
        yield stream


@contextlib.contextmanager
def open_bytes(data: bytes, name: str, most: int | None = None) -> Iterator[io.BufferedIOBase]:
    """Yield the bytes of a file that is already in memory, decompressed; errors call it ``name``.

    most: bytes after decompression; a small file may become huge. Raises PgnError as `open_input` does, and if there
    are more bytes.
    """
    access = _Access(f"cannot read {shown_path(name)}", PgnError)
    with _decompressed(io.BufferedReader(io.BytesIO(data)), _suffix(name, access), access, most) as stream:
        yield stream


@contextlib.contextmanager
def _decompressed(file: Any, suffix: str, access: _Access, most: int | None = None) -> Iterator[io.BufferedIOBase]:
    """Yield the decompressed bytes of an open file, which remains open."""
    with access.reported():
        first = file.peek(_MOST_FIRST_BYTES)[:_MOST_FIRST_BYTES]
        found = suffix or next((kind for mark, kind in _FIRST_BYTES if first.startswith(mark)), "")
        if found not in ("", *COMPRESSED):
            raise access.refusal(_expected(found))
        stream = _reader(file, found)
    with io.BufferedReader(_Checked(stream, access, most), _BUFFER) as buffered:
        if not is_wide(buffered.peek(4)[:4]):
            yield buffered
            return
        with io.BufferedReader(_Narrowed(buffered, access), _BUFFER) as converted:
            yield converted


@contextlib.contextmanager
def open_output(path: str | Path) -> Iterator[BinaryIO]:
    """Yield a file to write, compressed if its name has such a suffix; ``-`` is standard output.

    If the block raises an exception, the old file remains (``common.atomic_files.new_file``). Raises PgnOutputError if
    the file cannot be written.
    """
    if str(path) == STANDARD:
        if sys.stdout is None:
            raise PgnOutputError("cannot write <stdout>: standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    access = _Access(f"cannot write {shown_path(path)}", PgnOutputError)
    suffix = _suffix(path, access)
    with contextlib.ExitStack() as stack:
        file = _Renamed(str(path), access)
        stack.push(file.leave)
        with access.reported():
            writer = _writer(file.stream, suffix)
        stream = stack.enter_context(contextlib.closing(_Checked(writer, access)))
        yield stack.enter_context(io.BufferedWriter(stream, _BUFFER))


class _Renamed:
    """A ``new_file`` whose own errors are raised as PgnOutputError. Errors of the block pass through unchanged."""

    def __init__(self, path: str, access: _Access):
        self._access = access
        self._manager = new_file(path)
        with access.reported():
            self.stream = self._manager.__enter__()

    def leave(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None:
            with self._access.reported():
                self._manager.__exit__(None, None, None)
            return
        with contextlib.suppress(OSError):
            self._manager.__exit__(kind, error, trace)


def check_output(path: str | Path) -> None:
    """Raise PgnOutputError if ``open_output`` cannot write there. Callers check the path before hours of work."""
    if str(path) == STANDARD:
        return
    access = _Access(f"cannot write {shown_path(path)}", PgnOutputError)
    _suffix(path, access)
    with access.reported():
        check_target(str(path))


def check_apart(inputs: Iterable[str], outputs: dict[str, str | None]) -> None:
    """Raise PgnOutputError for an output that is also an input or another output, under any name.

    inputs: paths; an input that was not given has an empty path. outputs: {name of the option: path}.
    """
    known = {_identity(path): shown_path(path) for path in inputs if path not in ("", STANDARD)}
    for name, path in outputs.items():
        if path is None or path == STANDARD or is_device(path):
            continue
        other = known.setdefault(_identity(path), name)
        if other != name:
            raise PgnOutputError(f"cannot write {shown_path(path)}: {name} and {other} are the same file")


def _identity(path: str) -> str | tuple[int, int]:
    """Return a value that identifies a file, also through hard links. For a missing file it is the resolved path."""
    try:
        status = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


class _Checked(io.RawIOBase):
    """A stream that raises its errors as PgnError. most: bytes that may be read; None for any number."""

    def __init__(self, stream: Any, access: _Access, most: int | None = None):
        self._stream = stream
        self._access = access
        self._most, self._read = most, 0

    def readable(self) -> bool:
        return bool(self._stream.readable())

    def writable(self) -> bool:
        return bool(self._stream.writable())

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        with self._access.reported():
            if isinstance(self._stream, io.RawIOBase):
                return self._stream.readinto(buffer)
            if TYPE_CHECKING:
                assert isinstance(self._stream, io.BufferedIOBase) and isinstance(buffer, memoryview)
            # The decompressors' readinto reads until the buffer is full, and loses everything if it fails.
            data = self._stream.read1(len(buffer))
            self._read += len(data)
            if self._most is not None and self._read > self._most:
                raise self._access.refusal(f"expected at most {self._most // 1_000_000} MB of games, found more")
            buffer[: len(data)] = data
            return len(data)

    def write(self, data: ReadableBuffer) -> int | None:
        with self._access.reported():
            written: int | None = self._stream.write(data)
        return written

    def close(self) -> None:
        if not self.closed:
            super().close()
            with self._access.reported():
                self._stream.close()


class _Narrowed(io.RawIOBase):
    """A stream of text in UTF-16, which is read as UTF-8. Its errors are raised as PgnError."""

    def __init__(self, stream: io.BufferedReader[_Checked], access: _Access):
        self._stream = stream
        self._access = access
        try:
            self._decoder = _wide_decoder(stream.peek(4)[:4])
        except ValueError as error:
            raise access.refusal(str(error)) from None
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if TYPE_CHECKING:
            assert isinstance(buffer, memoryview)
        while not self._ready:
            piece = self._stream.read1(_BUFFER)
            try:
                self._ready = self._decoder.decode(piece, not piece).encode()
            except ValueError:
                raise self._access.refusal("damaged text in UTF-16") from None
            if not piece:
                break
        data, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _suffix(path: str | Path, access: _Access) -> str:
    """Return the suffix of the compression; empty without compression. Raises PgnError for an unknown kind."""
    first, suffix = (["", "", *(part.lower() for part in Path(path).suffixes)])[-2:]
    if suffix in _FOREIGN or (first == ".tar" and suffix in COMPRESSED):
        raise access.refusal(_expected(suffix if suffix in _FOREIGN else first))
    return suffix if suffix in COMPRESSED else ""


def _expected(found: str) -> str:
    return f"expected an uncompressed file or one of {', '.join(COMPRESSED)}, found {found}"


def _reader(file: BinaryIO, suffix: str) -> Any:
    if suffix == ".gz":
        import gzip

        return gzip.GzipFile(fileobj=file, mode="rb")
    if suffix == ".bz2":
        import bz2

        return _Members(file, bz2.BZ2Decompressor, OSError, padding=b"\0")
    if suffix == ".xz":
        import lzma

        return _Members(file, lzma.LZMADecompressor, lzma.LZMAError, padding=b"\0")
    if suffix == ".zst":
        return _Members(file, _ZstdFrame, _zstandard().ZstdError)
    return _Lent(file)


def _writer(file: BinaryIO, suffix: str) -> Any:
    """Return the file itself, or a stream that compresses into it. Closing that stream leaves the file open."""
    if not suffix:
        return _Lent(file)
    # The compressors do not check that a write was complete.
    whole = io.BufferedWriter(_Lent(file))
    return _Packed(whole, _packer(whole, suffix))


def _packer(file: BinaryIO, suffix: str) -> Any:
    if suffix == ".gz":
        import gzip

        # The header has no time and no name, so that the same games give the same bytes.
        return gzip.GzipFile("", "wb", 6, file, mtime=0)
    if suffix == ".bz2":
        import bz2

        return bz2.BZ2File(file, "wb")
    if suffix == ".xz":
        import lzma

        return lzma.LZMAFile(file, "wb")
    return _zstandard().ZstdCompressor().stream_writer(file, closefd=False)


class _Lent(io.RawIOBase):
    """A file that this stream leaves open when it closes, because the owner of the file closes it."""

    def __init__(self, file: Any):
        self._file = file

    def readable(self) -> bool:
        return bool(self._file.readable())

    def writable(self) -> bool:
        return bool(self._file.writable())

    def readinto(self, buffer: Any) -> int:
        data = self._file.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def write(self, data: Any) -> int:
        written: int = self._file.write(data)
        return written


class _Packed(io.RawIOBase):
    """A compressor and the buffer to which it writes, closed together."""

    def __init__(self, file: BinaryIO, packer: Any):
        self._file = file
        self._packer = packer

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        written: int = self._packer.write(data)
        return written

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._packer.close()
            self._file.close()


class _Unpacker(Protocol):
    """The interface of the standard library's decompressors for one member of a compressed file."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _ZstdFrame:
    """A decompressor for one frame. The reader of the package does not notice that a file ends within a frame."""

    needs_input = True  # ``decompress`` returns all output at once

    def __init__(self) -> None:
        self._frame = _zstandard().ZstdDecompressor().decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return bytes(self._frame.decompress(data))


class _Members(io.RawIOBase):
    """Reads member after member (a frame, a stream), and rejects other data after them.

    The standard library's own readers silently ignore such data, and would lose games that were appended uncompressed.
    damage: the exceptions of the decompressor. padding: a byte allowed between and after members.
    """

    def __init__(
        self, file: BinaryIO, unpacker: Callable[[], _Unpacker], damage: type[Exception], padding: bytes = b""
    ):
        self._file = file
        self._new = unpacker
        self._damage = damage
        self._padding = padding
        self._member: _Unpacker | None = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if TYPE_CHECKING:
            assert isinstance(buffer, memoryview)
        while not self._ready:
            if self._member is None or self._member.eof:
                if not (packed := self._between()):
                    return 0
                self._ready = self._begun(packed)
                continue
            packed = b""
            if self._member.needs_input and not (packed := self._file.read(_BUFFER)):
                raise EOFError
            self._ready = memoryview(self._member.decompress(packed, _BUFFER))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _between(self) -> bytes:
        """Return the bytes after a member, without padding; empty at the end of the file."""
        packed = b"" if self._member is None else self._member.unused_data
        while not (packed := packed.lstrip(self._padding)):
            if not (packed := self._file.read(_BUFFER)):
                return b""
        return packed

    def _begun(self, packed: bytes) -> memoryview:
        """Return the output of the first bytes of a new member."""
        is_first = self._member is None
        self._member = self._new()
        try:
            return memoryview(self._member.decompress(packed, _BUFFER))
        except self._damage:
            if is_first:
                raise
            found = shown(packed[:16].decode("latin-1"))
            raise OSError(f"expected the end of the file after the compressed data, found {found}") from None


def _zstandard() -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise PgnError(f"files compressed with zstd need a package: {install_command('zstandard')}") from None
    return zstandard
