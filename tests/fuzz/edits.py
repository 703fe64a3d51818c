"""Damage sound files and correct their checksums, as an attacker would."""

from __future__ import annotations

import struct
import zlib


def edited(sound: bytes, edits: bytes) -> bytearray:
    """Apply edits of four bytes each: a place (three bytes, little-endian) and the new value."""
    data = bytearray(sound)
    for at in range(0, len(edits) - 3, 4):
        place = int.from_bytes(edits[at : at + 3], "little") % len(data)
        data[place] = edits[at + 3]
    return data


def network(data: bytearray) -> bytes:
    """Edit a network, with length and checksum corrected."""
    data[24:32] = struct.pack("<Q", len(data))
    data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
    return bytes(data)


def table(data: bytearray) -> bytes:
    """Correct the four checksums of the frame, if the sizes in the header still lead to them."""
    from standstill.engine.tablebases.table_file import HEADER

    fields = list(HEADER.unpack(data[: HEADER.size]))
    start = HEADER.size + 4
    n_blocks, dictionary, statistics = fields[10], fields[12], fields[14]
    for number, size in ((15, dictionary), (16, statistics), (17, 8 * n_blocks)):
        fields[number] = zlib.crc32(data[start : start + size])
        start += size
    data[: HEADER.size] = HEADER.pack(*fields)
    data[HEADER.size : HEADER.size + 4] = struct.pack("<I", zlib.crc32(data[: HEADER.size]))
    return bytes(data)


def games(data: bytearray) -> bytes:
    """Correct the checksums of the head and of the blocks that can still be found."""
    from standstill.engine.training.gamefile import BLOCK, CHECK, HEADER

    def mend(start: int, end: int) -> None:
        data[end : end + CHECK.size] = CHECK.pack(zlib.crc32(data[start:end]))

    end = HEADER.size + min(HEADER.unpack(data[: HEADER.size])[3], len(data))
    mend(0, min(end, len(data) - CHECK.size))
    at = end + CHECK.size
    while at + BLOCK.size < len(data):
        end = at + BLOCK.size + BLOCK.unpack(data[at : at + BLOCK.size])[3]
        if end + CHECK.size > len(data):
            break
        mend(at, end)
        at = end + CHECK.size
    return bytes(data)
