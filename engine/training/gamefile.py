"""Files of games for training (docs/training-data.md): a sequence of blocks with checksums."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Any, BinaryIO, NamedTuple

from ..common.atomic_files import descriptor
from ..common.errors import TrainingError
from ..common.regular_files import open_regular
from ..common.text import shown_path
from ..system.files import flush_open, open_plain
from ..system.locks import lock

MAGIC = b"STILLGM\n"
VERSION = 1  # games of chess
VARIANT_VERSION = 2  # games of a variant, which the header's text names
HEADER = Struct("<8sHHI")  # magic, version, 0, number of bytes of the text
CHECK = Struct("<I")
BLOCK = Struct("<4sIQI")  # magic, number of games, number of the first game, number of bytes of the games
BLOCK_MAGIC = b"GAME"
ORIGIN = "origin"  # a key in the text; its value tells who played the games
SEED = "seed"  # a key in the text of self-play games; its value determines the games
MOST_TEXT = 1 << 16
MOST_BLOCK = 1 << 26  # bytes; a larger length shows that the file is damaged
MOST_GAMES = 1 << 20  # largest number of games in a block


class Block(NamedTuple):
    """Consecutive games.

    games: the number of games. first: the number of the first game. data: the games' bytes. place: their offset in
    the file.
    """

    games: int
    first: int
    data: bytes
    place: int


def packed_head(about: dict[str, Any]) -> bytes:
    """Return the bytes of a file's header; ``about`` is its JSON object."""
    text = json.dumps(about, ensure_ascii=False, sort_keys=True).encode()
    data = HEADER.pack(MAGIC, VARIANT_VERSION if "game" in about else VERSION, 0, len(text)) + text
    return data + CHECK.pack(zlib.crc32(data))


def packed_block(first: int, games: list[bytes]) -> bytes:
    """Return the bytes of a block."""
    payload = b"".join(games)
    data = BLOCK.pack(BLOCK_MAGIC, len(games), first, len(payload)) + payload
    return data + CHECK.pack(zlib.crc32(data))


def write_games(file: BinaryIO, games: Iterable[bytes], about: dict[str, Any], *, a_block: int = 256) -> int:
    """Write a whole file to a new stream; return the number of games."""
    file.write(packed_head(about))
    number = 0
    waiting: list[bytes] = []
    for game in games:
        waiting.append(game)
        if len(waiting) == a_block:
            file.write(packed_block(number, waiting))
            number += len(waiting)
            waiting = []
    if waiting:
        file.write(packed_block(number, waiting))
    return number + len(waiting)


def read_head(file: BinaryIO, path: str) -> dict[str, Any]:
    """Read the JSON object of the header; the stream is then at the end of the header. Raises TrainingError."""
    head = file.read(HEADER.size)
    if len(head) < HEADER.size or not head.startswith(MAGIC):
        raise TrainingError(f"{shown_path(path)}: expected a file of training games, found another kind of file")
    _, version, _, size = HEADER.unpack(head)
    if version not in (VERSION, VARIANT_VERSION):
        known = f"{VERSION} or {VARIANT_VERSION}"
        raise TrainingError(f"{shown_path(path)}: expected version {known} of the format, found {version}")
    text = file.read(min(size, MOST_TEXT))
    check = file.read(CHECK.size)
    if len(text) != size or check != CHECK.pack(zlib.crc32(head + text)):
        raise TrainingError(f"{shown_path(path)}: its header is damaged")
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict):
        raise TrainingError(f"{shown_path(path)}: its header is not a JSON object")
    if ("game" in about) != (version == VARIANT_VERSION) or not isinstance(about.get("game", ""), str):
        raise TrainingError(f"{shown_path(path)}: its header does not name the variant, as version {version} requires")
    return about


def check_replaceable(path: str) -> None:
    """Raise TrainingError if the file has games that were not imported: self-play games took hours to play."""
    if descriptor(path) is not None or not os.path.isfile(path) or not os.path.getsize(path):
        return
    try:
        with GameFile(path) as old:
            found = "" if ORIGIN in old.about and SEED not in old.about else "games that were played"
    except TrainingError:
        found = "another file"
    if found:
        raise TrainingError(f"{shown_path(path)}: expected a new file or imported games to replace, found {found}")


def blocks(file: BinaryIO, path: str, *, tail: list[int] | None = None) -> Iterator[Block]:
    """Yield the blocks from the stream's position on.

    tail: a list to which the offset of an incomplete last block is added; a killed writer leaves such a block. Without
    ``tail`` such a block is an error. Raises TrainingError, with the offset, for damage.
    """
    place = file.tell()
    while head := file.read(BLOCK.size):
        fields = BLOCK.unpack(head) if len(head) == BLOCK.size else None
        if fields is not None and (fields[0] != BLOCK_MAGIC or fields[3] > MOST_BLOCK or fields[1] > MOST_GAMES):
            raise TrainingError(f"{shown_path(path)}: expected a block of games at byte {place}, found something else")
        size = fields[3] if fields else 0
        data = file.read(size + CHECK.size)
        if fields is None or len(data) < size + CHECK.size:
            if tail is None:
                raise TrainingError(f"{shown_path(path)}: the block at byte {place} is incomplete")
            tail.append(place)
            return
        if data[size:] != CHECK.pack(zlib.crc32(data[:size], zlib.crc32(head))):
            raise TrainingError(f"{shown_path(path)}: the block at byte {place} is damaged")
        yield Block(fields[1], fields[2], data[:size], place + BLOCK.size)
        place += BLOCK.size + len(data)


class GameFile:
    """A file to read: ``about`` is the header's JSON object, iteration yields the blocks.

    An incomplete last block is left out.
    """

    def __init__(self, path: str):
        """Open the file. Raises TrainingError for another kind of file or a damaged header, and OSError."""
        self.path = path
        self._file = open_regular(path)
        try:
            self.about = read_head(self._file, path)
        except BaseException:
            self._file.close()
            raise
        self._start = self._file.tell()

    def __enter__(self) -> GameFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Block]:
        self._file.seek(self._start)
        return blocks(self._file, self.path, tail=[])


class GameWriter:
    """Appends blocks to a file. A missing file is created, and an incomplete last block is cut off."""

    def __init__(self, path: str, about: dict[str, Any]):
        """about: the header of a new file; an existing file with games must have the same header.

        Raises TrainingError for another kind of file, a file with other games or a file in use, and OSError.
        """
        self.path = path
        self.games = 0  # number of games in the file
        with contextlib.suppress(FileNotFoundError), open_regular(path):
            pass  # open_regular rejects folders, pipes and devices
        # The first program locks the file, even if two start at once: the file is created here and never replaced.
        self._file = os.fdopen(open_plain(path, os.O_RDWR | os.O_CREAT), "r+b", buffering=0)
        try:
            self._resume(about)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, about: dict[str, Any]) -> None:
        try:
            lock(self._file.fileno())
        except BlockingIOError:
            raise TrainingError(f"{shown_path(self.path)}: another program is writing games to it") from None
        if not os.fstat(self._file.fileno()).st_size:
            self._begin(about)
        with open(self.path, "rb") as file:
            old = read_head(file, self.path)
            tail: list[int] = []
            end = file.tell()
            for block in blocks(file, self.path, tail=tail):
                self.games = block.first + block.games
                end = block.place + len(block.data) + CHECK.size
        if self.games:
            self._compare(old, about)
        elif old != about:  # the header of a file without games may be replaced
            self._file.truncate(0)
            self._begin(about)
            end = self._file.tell()
        self._file.truncate(end)
        self._file.seek(end)

    def _compare(self, old: dict[str, Any], about: dict[str, Any]) -> None:
        """Raise a TrainingError that names the first difference."""
        for key in sorted({*old, *about}):
            was, wanted = old.get(key), about.get(key)
            if was != wanted:
                if isinstance(was, dict) and isinstance(wanted, dict):  # show only the rules that differ
                    names = [name for name in {**was, **wanted} if was.get(name) != wanted.get(name)]
                    was, wanted = ({name: found.get(name) for name in names} for found in (was, wanted))
                raise TrainingError(
                    f"{shown_path(self.path)}: its games have {key} {json.dumps(was)}, not "
                    f"{json.dumps(wanted)}; name another file"
                )

    def _begin(self, about: dict[str, Any]) -> None:
        self._file.seek(0)
        try:
            self._write(packed_head(about))
            flush_open(self._file.fileno())
        except BaseException:
            self._file.truncate(0)  # a partial header would look like another program's file
            raise

    def append(self, games: list[bytes]) -> None:
        """Add a block of games, whose numbers follow the numbers in the file."""
        self._write(packed_block(self.games, games))
        self.games += len(games)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise TrainingError(f"cannot write {shown_path(self.path)}: {error.strerror}") from None

    def close(self) -> None:
        flush_open(self._file.fileno())
        self._file.close()
