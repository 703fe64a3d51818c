"""Splits a stream of PGN into games, as unchanged bytes that together give the stream again, byte for byte.

A game consists of a tag section and movetext, either of which may be missing, and all text up to the next game, which
is mostly blank lines. Compiled code finds the ends (``cext/chess/pgn_text.pyx``), at about a nanosecond per byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedIOBase

from standstill.cext.bindings.pgn_games import read_tags, split

from ..common.errors import PgnError

CHUNK = 1 << 20  # bytes read at a time

_ESCAPED = re.compile(r'\\(["\\])')
# Windows code page 1252 has letters and dashes where Latin-1 has control characters, which PGN files do not contain.
_PAGE = bytes(range(0x80, 0xA0)).decode("cp1252", "replace")
_WINDOWS = {code: letter for code, letter in enumerate(_PAGE, 0x80) if letter != "\ufffd"}


def read_chunks(stream: BufferedIOBase, size: int = CHUNK, rest: bytes = b"") -> Iterator[tuple[bytes, list[int]]]:
    """Yield some games at a time: a text, which may continue after the games, and the end of each game in it.

    rest: text that was already read from the stream, from the start of a game. A game longer than ``size`` is yielded
    alone. Memory holds only one such text at a time. An error of the stream is raised after the games that were read
    before it.
    """
    wanted = size
    while True:
        fresh, last, error = read_up_to(stream, wanted)
        text = rest + fresh if rest else fresh
        ends = split(text, last)
        if ends:
            yield text, ends
            rest = text[ends[-1] :]
            wanted = size
        else:
            # Each read searches the whole of a long game again, so each read is larger than the one before.
            rest = text
            wanted = max(size, len(text))
        if error is not None:
            raise error
        if last:
            return


def read_up_to(stream: BufferedIOBase, wanted: int) -> tuple[bytes, bool, PgnError | None]:
    """Return (bytes, whether the stream has ended, error).

    At the end or after an error there are fewer bytes than wanted.
    """
    pieces: list[bytes] = []
    while wanted > 0:
        try:
            piece = stream.read1(wanted)
        except PgnError as error:
            return b"".join(pieces), True, error
        if not piece:
            return b"".join(pieces), True, None
        pieces.append(piece)
        wanted -= len(piece)
    return b"".join(pieces), False, None


def read_games(stream: BufferedIOBase, size: int = CHUNK) -> Iterator[bytes]:
    """Yield the games of a stream one by one."""
    for text, ends in read_chunks(stream, size):
        start = 0
        for end in ends:
            yield text[start:end]
            start = end


def tags_of(game: bytes) -> dict[str, str]:
    """Return the tags of one game in their order. If two tags have the same name, the last one counts.

    Text is UTF-8, or Windows code page 1252, which contains Latin-1, if it is not valid UTF-8.
    """
    tags = {}
    for name, raw in read_tags(game, 0, len(game)):
        value = worded(raw)
        tags[worded(name)] = unescaped(value)
    return tags


def unescaped(value: str) -> str:
    """Remove the backslashes before quotes and backslashes in the value of a tag."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def worded(text: bytes) -> str:
    """Decode a comment or tag: like ``decoded``, with the letters of Windows code page 1252 that Latin-1 lacks."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1").translate(_WINDOWS)


def decoded(text: bytes) -> str:
    """Decode UTF-8, or Latin-1 if the text is not valid UTF-8."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")
