"""Splits a stream of PGN into games, as bytes and unchanged: put together again they give the stream, byte for byte.

A game is a tag section and movetext, either of which may be missing, and all text up to the next game, mostly blank
lines. Compiled code finds the ends (``cext/chess/pgn_text.pyx``), at about a nanosecond a byte.
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
    """Yield some games at a time: their text, which may continue after them, and the end of each game in it.

    rest: text read from the stream before, from the start of a game. A game longer than ``size`` comes in a piece of
    its own. Memory holds one such piece. An error of the stream is raised after the games that were read before it.
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
            # Each read searches the whole of a long game again, so read more each time.
            rest = text
            wanted = max(size, len(text))
        if error is not None:
            raise error
        if last:
            return


def read_up_to(stream: BufferedIOBase, wanted: int) -> tuple[bytes, bool, PgnError | None]:
    """(bytes, whether the stream has ended, error): as many bytes as wanted, or those before the end or the error."""
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
    """The games of a stream one by one."""
    for text, ends in read_chunks(stream, size):
        start = 0
        for end in ends:
            yield text[start:end]
            start = end


def tags_of(game: bytes) -> dict[str, str]:
    """The tags of one game in their order. Of two tags with the same name the last one counts.

    Text is UTF-8, or if it is not valid UTF-8 Windows code page 1252, which contains Latin-1.
    """
    tags = {}
    for name, raw in read_tags(game, 0, len(game)):
        value = worded(raw)
        tags[name.decode("ascii")] = unescaped(value)
    return tags


def unescaped(value: str) -> str:
    """The value of a tag without the backslashes before quotes and backslashes."""
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def worded(text: bytes) -> str:
    """The text of a comment or tag: as ``decoded``, with the letters of Windows code page 1252 that Latin-1 lacks."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1").translate(_WINDOWS)


def decoded(text: bytes) -> str:
    """UTF-8, or Latin-1 if it is not valid UTF-8."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")
