"""Published tables: the list of their checksums, and downloads.

The list has the form of ``sha256sum``, so `sha256sum --check` reads it too. Until a file is complete, it has a
temporary name that contains its checksum. A later run can therefore continue the download, from any server that
offers the same file.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import io
import os
import re
import time
import urllib.error
import urllib.request
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit, urlunsplit

from ..common.errors import StandstillError, TablebaseError
from ..common.regular_files import open_regular
from ..common.text import shown, shown_path, visible
from ..common.web_client import WebError, check_address, is_address, opener, reason
from ..system.files import flush, flush_folder, is_full, open_replaceable, remove, replace
from ..system.locks import lock
from .material import class_name, needed, numbers
from .table_file import SUFFIXES, open_table, table_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from io import FileIO

    from .store import TableStore

LIST = "SHA256SUMS"
_KINDS = {suffix: kind for kind, suffix in SUFFIXES.items()}
_LINE = re.compile(r"(?P<digest>[0-9A-Fa-f]{64}) [ *](?:\./)?(?P<name>[^/\\]+)")
_MOST_LIST = 1 << 20  # bytes
_PIECE = 1 << 18
_SILENCE_S = 30.0  # maximum time to wait for the next byte
_SLOW_S, _SLOW_BYTES = 60.0, 60 << 10  # a download in which the server sends less than this in a minute is given up
_ATTEMPTS = 3  # number of consecutive attempts without a byte after which a download fails
_PAUSE_S = 2.0  # the pause after the first such attempt; it doubles after each further attempt


class DownloadError(StandstillError, OSError):
    """Published tables cannot be fetched.

    The bytes that have arrived are kept, and a later run continues after them.
    """


class Fetched(NamedTuple):
    """A file that has arrived. done, wanted: the number of files so far, and in total."""

    file: str
    size: int
    seconds: float
    done: int
    wanted: int


# ---- the list ----


def checksums(folder: str) -> str:
    """Return the list of all tables in the folder, of both forms of the game, a line each.

    Raises TablebaseError for an invalid table, and OSError.
    """
    lines = []
    for file in sorted(os.listdir(folder)):
        if _class_of(file):
            path = os.path.join(folder, file)
            open_table(path)
            lines.append(f"{_digest(path)}  {file}\n")
    if not lines:
        raise TablebaseError(f"expected tables in {folder}")
    return "".join(lines)


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _class_of(file: str) -> str | None:
    """Return the class of a table by the name of its file; None for other files."""
    name, suffix = os.path.splitext(file)
    if suffix in _KINDS and re.fullmatch(r"K[QRBNP]{0,3}vK[QRBNP]{0,3}", name):
        with contextlib.suppress(StandstillError):
            return name if class_name(name) == name else None
    return None


def read_list(data: bytes, source: str) -> dict[str, str]:
    """Return {name of the table: checksum in lower case} for a list of checksums; other files are left out.

    Raises DownloadError.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            raise DownloadError(f"{source}/{LIST}: line {number}: expected a checksum and a file, found {shown(line)}")
        if _class_of(match["name"]):
            found[match["name"]] = match["digest"].lower()
    return found


# ---- the folder or server with the published tables ----


class _Source(Protocol):
    """A folder or server with published tables. name: its name for messages."""

    name: str

    @contextlib.contextmanager
    def reading(self, file: str, start: int) -> Iterator[_Content]:
        """Open a file at the offset ``start``. Raises DownloadError, OSError and the errors of http.client."""
        ...


class _Content(NamedTuple):
    """The rest of a file from offset ``start``, which is 0 if the server cannot begin later. size: None if unknown."""

    start: int
    size: int | None
    pieces: Iterator[bytes]


class _Folder:
    def __init__(self, path: str):
        self.name = path

    @contextlib.contextmanager
    def reading(self, file: str, start: int) -> Iterator[_Content]:
        with open_regular(os.path.join(self.name, file)) as stream:
            size = os.fstat(stream.fileno()).st_size
            start = start if start <= size else 0
            stream.seek(start)
            yield _Content(start, size - start, iter(lambda: stream.read(_PIECE), b""))


class _Server:
    def __init__(self, address: str):
        self.name = check_address(address, "https://example.org/tables/").rstrip("/")
        self._parts = urlsplit(address)

    @contextlib.contextmanager
    def reading(self, file: str, start: int) -> Iterator[_Content]:
        with self._answer(file, start) as answer:
            if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise DownloadError(f"{self.name}/{file}: expected an answer without compression")
            begins = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", ""))
            if answer.status == 206 and (begins is None or int(begins[1]) != start):
                raise DownloadError(f"{self.name}/{file}: expected byte {start} and what follows it")
            length = answer.headers.get("Content-Length", "")
            first = start if answer.status == 206 else 0
            yield _Content(first, int(length) if length.isdigit() else None, iter(lambda: answer.read1(_PIECE), b""))

    def _answer(self, file: str, start: int) -> http.client.HTTPResponse:
        """Return the answer to a request. Raises WebError if a later attempt may succeed, otherwise DownloadError."""
        path = f"{self._parts.path.rstrip('/')}/{file}"
        headers = {"User-Agent": "Standstill (tables fetch)", "Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        request = urllib.request.Request(urlunsplit(self._parts._replace(path=path, fragment="")), headers=headers)
        try:
            answer: http.client.HTTPResponse = opener().open(request, timeout=_SILENCE_S)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 416 and start:  # the server has sent more bytes than the file has
                    return self._answer(file, 0)
                if error.code == 429 or error.code >= 500:
                    raise WebError(_status(error)) from None
                raise DownloadError(f"{self.name}/{file}: {_status(error)}") from None
        if answer.status not in {200, 206}:
            with answer:
                raise DownloadError(f"{self.name}/{file}: {_status(answer)}")
        return answer


def _status(answer: urllib.error.HTTPError | http.client.HTTPResponse) -> str:
    return f"answer {answer.status} {visible(answer.reason or '')}".rstrip()


# ---- fetching ----


def fetch(
    store: TableStore,
    source: str,
    names: Iterable[str] = (),
    *,
    most_men: int | None = None,
    plies: bool = True,
    report: Callable[[Fetched], None] = lambda fetched: None,
) -> list[str]:
    """Fetch published tables, with all tables that they need, into the folder of a store.

    Return the names of the new files.

    Classes that the store has are left alone, whether they were fetched or built here. source: a folder, or the address
    of a folder. names: classes to fetch. most_men: fetch all published classes of up to this many pieces. Without names
    and most_men, all published classes are fetched.

    Raises DownloadError, TablebaseError for a published file that is not a table, ArgumentError for an address that
    cannot be used, and OSError.
    """
    place: _Source = _Server(source) if is_address(source) else _Folder(source)
    listed = read_list(_list_of(place), place.name)
    missing = list(_missing(store, listed, place.name, _wanted(store, listed, names, most_men), plies))
    if missing:
        os.makedirs(store.folder, exist_ok=True)
    for done, file in enumerate(missing, 1):
        began = time.monotonic()
        size = _fetch_file(place, file, listed[file], store.folder)
        report(Fetched(file, size, time.monotonic() - began, done, len(missing)))
    return missing


def _list_of(place: _Source) -> bytes:
    def read() -> bytes:
        with place.reading(LIST, 0) as content:
            data = bytearray()
            for piece in content.pieces:
                data += piece
                if len(data) > _MOST_LIST:
                    raise DownloadError(f"{place.name}/{LIST}: expected at most {_MOST_LIST >> 20} MB, found more")
            return bytes(data)

    try:
        return read()
    except (FileNotFoundError, NotADirectoryError):
        raise DownloadError(f"expected a folder with the list {LIST}, found {shown_path(place.name)}") from None
    except (WebError, urllib.error.URLError, http.client.HTTPException, TimeoutError) as error:
        raise DownloadError(f"{place.name}/{LIST}: {_words(error)}") from None


def _wanted(store: TableStore, listed: dict[str, str], names: Iterable[str], most_men: int | None) -> list[str]:
    """Return the classes to fetch and all that they need, each after the classes that it needs."""
    suffix = SUFFIXES[0, store.whole_game]
    published = [os.path.splitext(file)[0] for file in listed if file.endswith(suffix)]
    chosen = [class_name(name) for name in names]
    if most_men is not None or not chosen:
        chosen += [name for name in published if most_men is None or len(name) - 1 <= most_men]
    found: dict[str, None] = {}
    for name in chosen:
        found |= dict.fromkeys(needed(name))
    return list(found)


def _missing(
    store: TableStore, listed: dict[str, str], source: str, wanted: Iterable[str], plies: bool
) -> Iterator[str]:
    """Yield the files to fetch. Raises DownloadError for a class that is neither in the folder nor published."""
    for name in wanted:
        if name in store.files and (store.is_complete(name) or not plies):
            continue
        values, distances = (name + SUFFIXES[kind, store.whole_game] for kind in range(2))
        if values not in listed:
            if name in store.files:
                continue
            raise DownloadError(f"{source}: expected {values} in the list {LIST}")
        path = table_path(store.folder, name, 0, store.whole_game)
        if not os.path.exists(path) or _digest(path) != listed[values]:
            yield values
        if plies and distances in listed:
            yield distances


def _fetch_file(place: _Source, file: str, digest: str, folder: str) -> int:
    """Fetch one file and return its size."""
    part = os.path.join(folder, f".{file}.{digest[:16]}.part")
    with io.FileIO(open_replaceable(part, os.O_RDWR | os.O_CREAT), "r+") as stream:
        try:
            lock(stream.fileno())
        except BlockingIOError:
            raise DownloadError(f"another process is fetching {file} into {folder}") from None
        size = stream.seek(0, os.SEEK_END)
        if not (size and _arrives(place, file, stream, folder, digest)):  # an earlier run may have left damaged bytes
            stream.truncate(0)
            if not _arrives(place, file, stream, folder, digest):
                stream.truncate(0)
                raise DownloadError(f"{place.name}/{file}: its checksum is not that of the list")
        size = stream.seek(0, os.SEEK_END)
        try:
            found = open_table(part)
        except TablebaseError as error:
            remove(part)
            raise TablebaseError(f"{place.name}/{file}: {str(error).removeprefix(f'{part}: ')}") from None
        if (found.name, SUFFIXES[found.kind, found.whole_game]) != os.path.splitext(file):
            remove(part)
            raise TablebaseError(f"{place.name}/{file}: the table in it is of {found.name}")
        del found  # Windows cannot rename a mapped file
        flush(part)
        replace(part, os.path.join(folder, file))
        flush_folder(folder)
    for entry in os.listdir(folder):  # incomplete downloads of earlier versions of the file
        if entry.startswith(f".{file}.") and entry.endswith(".part"):
            with contextlib.suppress(OSError):
                remove(os.path.join(folder, entry))
    return size


def _arrives(place: _Source, file: str, stream: FileIO, folder: str, digest: str) -> bool:
    """Append the missing bytes, and try again after each interruption.

    Return whether the checksum of the file is right.
    """
    fruitless = 0
    while True:
        before = stream.seek(0, os.SEEK_END)
        try:
            _append(place, file, stream, folder)
            break
        except (WebError, urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            fruitless = 0 if stream.seek(0, os.SEEK_END) > before else fruitless + 1
            if fruitless == _ATTEMPTS:
                raise DownloadError(f"{place.name}/{file}: {_words(error)}") from None
            time.sleep(_PAUSE_S * 2 ** max(fruitless - 1, 0))
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest() == digest


def _append(place: _Source, file: str, stream: FileIO, folder: str) -> None:
    """Append the rest of the file. Raises DownloadError for an error that a later attempt would repeat."""
    # The largest possible table: three bytes for each position, and the dictionary.
    most = 3 * numbers(os.path.splitext(file)[0]) + (128 << 20)
    with place.reading(file, stream.seek(0, os.SEEK_END)) as content:
        at = stream.seek(content.start)
        stream.truncate()
        if content.size is not None and is_full(folder, content.size):
            raise DownloadError(f"{folder}: the disk has no space for the {content.size:,} bytes of {file}")
        since, then = time.monotonic(), at
        for piece in content.pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[stream.write(rest) :]
            at += len(piece)
            if at > most:
                stream.truncate(0)
                raise DownloadError(f"{place.name}/{file}: expected at most {most:,} bytes, found more")
            if time.monotonic() - since > _SLOW_S:
                if at - then < _SLOW_BYTES:
                    raise WebError(f"less than {_SLOW_BYTES >> 10} KB in a minute")
                since, then = time.monotonic(), at
        if content.size is not None and at - content.start < content.size:
            raise WebError("the answer ended early")


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, WebError) else reason(getattr(error, "reason", error), _SILENCE_S)
