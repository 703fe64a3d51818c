"""Games out of a stream of PGN, as bytes and as they are: put together again they give the stream, byte for byte.

A game is a tag section and movetext, either of which may be missing; what follows it up to the next game, blank lines
mostly, belongs to it. Compiled code looks for the ends (``cext/pgn_text.pyx``), at about a byte a nanosecond.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from cext.games import read_tags, split

from ..errors import PgnError

CHUNK = 1 << 20  # bytes read at a time

_ESCAPED = re.compile(r'\\(["\\])')


def read_chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[tuple[bytes, list[int]]]:
    """Some games at a time: their text, and where each of them ends in it.

    A game longer than ``size`` comes in a piece of its own. Memory is that of one such piece. An error of the stream is
    raised behind the games that were read before it.
    """
    rest = b""
    wanted = size
    while True:
        fresh, last, error = _read(stream, wanted)
        text = rest + fresh if rest else fresh
        ends = split(text, last)
        if ends:
            yield text[: ends[-1]], ends
            rest = text[ends[-1] :]
            wanted = size
        else:
            # The whole of a long game is looked through again each time, so more has to come each time.
            rest = text
            wanted = max(size, len(text))
        if error is not None:
            raise error
        if last:
            return


def _read(stream: BinaryIO, wanted: int) -> tuple[bytes, bool, PgnError | None]:
    """So many bytes, or those up to the end (then True), or those before an error."""
    pieces = []
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


def read_games(stream: BinaryIO, size: int = CHUNK) -> Iterator[bytes]:
    """The games one by one."""
    for text, ends in read_chunks(stream, size):
        start = 0
        for end in ends:
            yield text[start:end]
            start = end


def tags_of(game: bytes) -> dict[str, str]:
    """The tags of one game, in their order; of two with the same name the last holds.

    Text is UTF-8, or Latin-1 where it is not.
    """
    tags = {}
    for name, raw in read_tags(game, 0, len(game)):
        value = decoded(raw)
        tags[name.decode("ascii")] = _ESCAPED.sub(r"\1", value) if "\\" in value else value
    return tags


def decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")
