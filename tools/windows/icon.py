"""The icon of the program: an equals sign, as for a draw, on four squares of a board."""

from __future__ import annotations

import struct
import zlib

SIZES = (16, 32, 48, 256)
_LIGHT, _DARK, _SIGN = (0xEA, 0xE6, 0xD2), (0x4F, 0x72, 0x42), (0x1E, 0x1E, 0x1E)
_BARS = ((0.30, 0.44), (0.56, 0.70))  # vertical extents of the sign's bars, as fractions of the height
_SIDE = 0.18  # margin beside the sign, as a fraction of the width
_SAMPLES = 4  # samples per pixel in each direction, so that edges are smooth


def icon() -> bytes:
    """An .ico file with one picture for each of SIZES."""
    pictures = [_png(size) for size in SIZES]
    place = 6 + 16 * len(SIZES)
    entries = b""
    for size, picture in zip(SIZES, pictures, strict=True):
        entries += struct.pack("<BBBBHHII", size & 255, size & 255, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return struct.pack("<HHH", 0, 1, len(SIZES)) + entries + b"".join(pictures)


def _colour(x: float, y: float) -> tuple[int, int, int]:
    """The colour at a point; both numbers run from 0 to 1."""
    if _SIDE < x < 1 - _SIDE and any(top < y < bottom for top, bottom in _BARS):
        return _SIGN
    return _LIGHT if (x < 0.5) == (y < 0.5) else _DARK


def _png(size: int) -> bytes:
    step = 1 / (size * _SAMPLES)
    rows = b""
    for row in range(size):
        rows += b"\0"  # no filter
        for column in range(size):
            points = [
                _colour((column * _SAMPLES + i + 0.5) * step, (row * _SAMPLES + j + 0.5) * step)
                for i in range(_SAMPLES)
                for j in range(_SAMPLES)
            ]
            rows += bytes(sum(part) // len(points) for part in zip(*points, strict=True)) + b"\xff"
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
