"""Table files: a class has a file for the values and a file for the plies (docs/table-format.md)."""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..common.atomic_files import write_whole
from ..common.errors import TablebaseError
from ..system.files import open_replaceable

MAGIC = b"RMOBTAB\n"
VERSION = 1
SCHEME = 1  # version of the position index
TOP = 127  # an outcome is TOP minus the goal code
BLOCK_BITS = 15
# Magic, version, kind (0 values, 1 plies), scope (0 until reset, 1 whole game), TOP, symbol width, scheme, class name,
# number of symbols, bits of the block size, number of blocks, number of dictionary entries, size of the dictionary
# (packed, then unpacked), size of the statistics, checksums of the dictionary, the statistics and the list of blocks,
# and a number that both files of a class share. A checksum of all these fields follows.
HEADER = struct.Struct("<8sHBBBBH16sQIIIIIIIIII")
SUFFIXES = {(0, False): ".rmv", (1, False): ".rmd", (0, True): ".wgv", (1, True): ".wgd"}
KINDS = ("values", "plies")
# Limits far above the needs of any table, so that a small malicious file cannot fill the memory.
MOST_DICTIONARY = 1 << 26
MOST_STATISTICS = 1 << 20

Dictionary = tuple[int, int, bytes]  # bytes per symbol, number of entries, the entries


class Frame(NamedTuple):
    """The contents of a file's header."""

    name: str
    kind: int
    whole_game: bool
    pair: int  # the number that both files of a class share


class TableFile(NamedTuple):
    """An open file with a valid header and valid lists; its blocks have not been checked."""

    path: str
    name: str
    kind: int
    whole_game: bool
    width: int
    size: int
    entries: int
    dictionary: bytes
    statistics: dict[str, dict[str, list[int]]]
    block_sizes: tuple[int, ...]
    block_sums: tuple[int, ...]
    pair: int
    blocks: memoryview

    @property
    def plane(self) -> tuple[memoryview, int, int, bytes, tuple[int, ...], tuple[int, ...], int]:
        """Return the file's data in the form that the core requires."""
        return self.blocks, self.width, self.entries, self.dictionary, self.block_sizes, self.block_sums, self.size


def table_path(folder: str, name: str, kind: int, whole_game: bool) -> str:
    return os.path.join(folder, name + SUFFIXES[kind, whole_game])


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def inflated(data: bytes, size: int) -> bytes:
    """Unpack to exactly ``size`` bytes. Raises zlib.error."""
    unpacker = zlib.decompressobj(-15)
    result = unpacker.decompress(data, size + 1)
    if len(result) != size or not unpacker.eof:
        raise zlib.error("wrong size")
    return result


def file_bytes(frame: Frame, size: int, dictionary: Dictionary, blocks: Sequence[bytes], statistics: object) -> bytes:
    """Return the content of a file. size: the number of symbols. blocks: packed blocks."""
    name, kind, whole_game, pair = frame
    width, entries, listing = dictionary
    listed = b"".join(struct.pack("<II", len(block), zlib.crc32(block)) for block in blocks)
    packed_dictionary, packed_statistics = deflated(listing), deflated(json.dumps(statistics).encode())
    head = HEADER.pack(
        *(MAGIC, VERSION, kind, whole_game, TOP, width, SCHEME, name.encode(), size),
        *(BLOCK_BITS, len(blocks), entries, len(packed_dictionary), len(listing), len(packed_statistics)),
        *(zlib.crc32(packed_dictionary), zlib.crc32(packed_statistics), zlib.crc32(listed), pair),
    )
    head += struct.pack("<I", zlib.crc32(head))
    return b"".join([head, packed_dictionary, packed_statistics, listed, *blocks])


def write_tables(  # noqa: PLR0917
    paths: Sequence[str],
    name: str,
    whole_game: bool,
    size: int,
    dictionaries: Sequence[Dictionary],
    blocks: Iterable[tuple[bytes, bytes]],
    statistics: object,
) -> None:
    """Write both files of a class. blocks: the symbols of values and of plies, block by block. Raises OSError."""
    packed: tuple[list[bytes], list[bytes]] = ([], [])
    pair = 0
    for both in blocks:
        pair = zlib.crc32(both[0], pair)
        for kind, symbols in enumerate(both):
            packed[kind].append(deflated(symbols))
    for kind, path in enumerate(paths):
        frame = Frame(name, kind, whole_game, pair)
        write_whole(path, file_bytes(frame, size, dictionaries[kind], packed[kind], statistics))


def _refuse(path: str, what: str) -> TablebaseError:
    return TablebaseError(f"{path}: {what}")


def open_table(path: str) -> TableFile:
    """Map a file into memory and read all of it except its blocks. Raises TablebaseError, which names the file."""
    try:
        with os.fdopen(open_replaceable(path, os.O_RDONLY), "rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise _refuse(path, error.strerror or str(error)) from None
    except ValueError:
        raise _refuse(path, "expected a table, found an empty file") from None
    return _read(path, data)


def _read(path: str, data: memoryview) -> TableFile:
    start = HEADER.size + 4
    if data[: len(MAGIC)] != MAGIC:
        raise _refuse(path, "not a table of Standstill")
    if len(data) < start or zlib.crc32(data[: HEADER.size]) != int.from_bytes(data[HEADER.size : start], "little"):
        raise _refuse(path, "the header is damaged")
    fields = HEADER.unpack(data[: HEADER.size])
    _, version, kind, scope, top, width, scheme, name, size, bits, n_blocks, entries = fields[:12]
    dictionary_size, unpacked_size, statistics_size, *sums, pair = fields[12:]
    if (version, scheme, top, bits) != (VERSION, SCHEME, TOP, BLOCK_BITS) or kind > 1 or scope > 1:
        raise _refuse(path, f"expected version {VERSION} of the format, found version {version}")
    ends = [start]
    for length in (dictionary_size, statistics_size, 8 * n_blocks):
        ends.append(ends[-1] + length)
    parts = [data[first:last] for first, last in pairwise(ends)]
    if len(data) < ends[-1]:
        raise _refuse(path, f"expected {ends[-1]} bytes and blocks, found {len(data)}: the file is cut short")
    for part, total, what in zip(parts, sums, ("dictionary", "statistics", "list of blocks"), strict=True):
        if zlib.crc32(part) != total:
            raise _refuse(path, f"the {what} is damaged")
    numbers = struct.unpack(f"<{2 * n_blocks}I", parts[2])
    blocks = data[ends[-1] :]
    if sum(numbers[::2]) != len(blocks):
        raise _refuse(path, f"expected {sum(numbers[::2])} bytes of blocks, found {len(blocks)}")
    try:
        if unpacked_size > MOST_DICTIONARY:
            raise ValueError
        dictionary = inflated(bytes(parts[0]), unpacked_size)
        statistics = _statistics(bytes(parts[1]))
        material = name.rstrip(b"\0").decode("ascii")
    # the checksums are right, so the program that wrote the file was faulty
    except (zlib.error, ValueError, RecursionError):
        raise _refuse(path, "the name, the dictionary or the statistics are not those of a table") from None
    return TableFile(
        *(path, material, kind, scope == 1, width, size, entries),
        *(dictionary, statistics, numbers[::2], numbers[1::2], pair, blocks),
    )


def _statistics(packed: bytes) -> dict[str, dict[str, list[int]]]:
    """Parse the statistics of a table. Raises zlib.error, ValueError or RecursionError for invalid data."""
    unpacker = zlib.decompressobj(-15)
    text = unpacker.decompress(packed, MOST_STATISTICS)
    found = json.loads(text) if unpacker.eof else None
    if not isinstance(found, dict) or not set(found) <= {"0", "1"}:
        raise ValueError
    for side in found.values():
        if not isinstance(side, dict):
            raise ValueError
        for value, entry in side.items():
            int(value)
            if not (isinstance(entry, list) and len(entry) == 2 and all(type(number) is int for number in entry)):
                raise ValueError
    return found
