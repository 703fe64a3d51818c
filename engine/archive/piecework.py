"""Tags the games of a stream in pieces: in this process, or in workers that receive the games or read the file.

Workers return edits, which are small compared with the games. This process holds the games in memory or reads them from
the file, and applies the edits in the order of the file.

A worker that starts in the middle of the file cannot recognise the beginning of a game for certain, because a comment
may quote text that looks like a game. The worker begins where a game seems to begin. Its piece counts only if the
piece before it ended exactly there. Otherwise the piece is done again from the right place, so that the result is the
same as if the file were read from the beginning.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from io import BufferedIOBase
from itertools import islice
from typing import Any, TypeVar

from standstill.cext.bindings.pgn_games import split

from ..common.signals import awaited
from ..system.files import open_replaceable, read_at
from .pgn import CHUNK, read_chunks, read_up_to
from .streams import is_plain
from .tagging import Complaint, Edits, Summary, Tagger, Wishes

PIECE = 1 << 23  # bytes of a file that a worker reads; a task of a cluster costs milliseconds whatever its size
_LEAD = 1 << 12  # bytes before a piece, in which a worker looks for the beginning of a game
_MORE = 1 << 16  # bytes first read after a piece, to find the end of its last game
# Number of bytes before and behind a text that affect the edits of its games (``Tagger.edits``).
_BEFORE = 2
_BEHIND = 1


@dataclass(slots=True)
class TaggedPart:
    """Some tagged games. read: the size of these games in the stream, in bytes."""

    text: bytes
    read: int
    summary: Summary
    complaints: list[Complaint]
    sheets: str = ""


@dataclass(frozen=True, slots=True)
class SharedFile:
    """An uncompressed file of games that other processes can read, with the state in which it was found.

    The inode is not part of the state, because another computer may see the same file with a different inode.
    """

    path: str
    size: int
    changed_ns: int

    @classmethod
    def at(cls, path: str) -> SharedFile | None:
        """Describe the file; None if the file is compressed or not seekable."""
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode) or not is_plain(path):
                return None
        except OSError:
            return None
        return cls(os.path.abspath(path), status.st_size, status.st_mtime_ns)

    def is_unchanged(self) -> bool:
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return self.is_in_state(status)

    def is_in_state(self, status: os.stat_result) -> bool:
        return (status.st_size, status.st_mtime_ns) == (self.size, self.changed_ns)


@dataclass(frozen=True, slots=True)
class Piece:
    """The games of a file that begin at or after ``start`` and before ``stop``. exact: a game begins at ``start``."""

    start: int
    stop: int
    exact: bool


@dataclass(slots=True)
class Found:
    """The edits of a piece, as offsets from ``start``, where its first game begins. end: the end of its last game."""

    start: int
    end: int
    edits: Edits


def tag_stream(
    stream: BufferedIOBase,
    wishes: Wishes,
    executor: Executor | None = None,
    jobs: int = 1,
    *,
    chunk: int = CHUNK,
    name: str = "",
    file: SharedFile | None = None,
) -> Iterator[TaggedPart]:
    """Yield the tagged games of a stream in order, some at a time. name: the file's name, for score sheets.

    An executor works on twice as many pieces as it has processes. file: the file of the stream, if the executor's
    processes may read it themselves. A PgnError of the stream is raised after the games that were read before it.
    """
    work = Piecework(stream, wishes, name)
    if executor is None:
        return work.alone(chunk)
    if file is None:
        return work.handed_out(executor, jobs, chunk)
    return work.shared(executor, jobs, chunk, file)


class Piecework:
    """Reads the stream from beginning to end, and stores the position in it."""

    def __init__(self, stream: BufferedIOBase, wishes: Wishes, name: str):
        self._stream = stream
        self._wishes = wishes
        self._label = f" of {name}" if name else ""
        self._games = 0  # number of games before the next part
        self._before = b""  # the last bytes before the next part

    def alone(self, chunk: int) -> Iterator[TaggedPart]:
        """Tag all games in this process."""
        tagger = Tagger(self._wishes)
        for text, ends in read_chunks(self._stream, chunk):
            yield self._part(text[: ends[-1]], _edits(tagger, self._before, text, ends))

    def handed_out(self, executor: Executor, jobs: int, chunk: int, rest: bytes = b"") -> Iterator[TaggedPart]:
        """Send the games to the processes. rest: text that was already read from the stream."""
        waiting: deque[tuple[bytes, bytes, list[int], Future[Edits]]] = deque()
        trouble = None
        chunks = read_chunks(self._stream, chunk, rest)
        before = self._before
        while True:
            try:
                text, ends = next(chunks)
            except StopIteration:
                break
            except OSError as error:
                trouble = error
                break
            text = text[: ends[-1] + _BEHIND]
            future = _submitted(executor, edits_of_text, self._wishes, before, text, ends)
            waiting.append((before, text, ends, future))
            before = _last_bytes(before, text[: ends[-1]])
            if len(waiting) > 2 * jobs:
                yield self._done(*waiting.popleft())
        while waiting:
            yield self._done(*waiting.popleft())
        if trouble is not None:
            raise trouble

    def shared(self, executor: Executor, jobs: int, chunk: int, file: SharedFile) -> Iterator[TaggedPart]:
        """Let the processes read the file.

        If the processes cannot read the file, or if it changes, send them the remaining games.
        """
        size = max(chunk, min(PIECE, file.size // (4 * jobs)))
        pieces = (Piece(at, min(at + size, file.size), at == 0) for at in range(0, file.size, size))
        waiting: deque[tuple[Piece, Future[Found | None]]] = deque()
        at = 0
        text = b""
        while True:
            for piece in islice(pieces, 2 * jobs + 1 - len(waiting)):
                waiting.append((piece, _submitted(executor, edits_of_piece, self._wishes, file, piece)))
            if not waiting:
                break
            piece, future = waiting.popleft()
            if at >= piece.stop:
                continue  # a long game that began earlier covers the whole piece
            found = _result(future)
            if found is not None and found.start != at:
                again = Piece(at, piece.stop, exact=True)
                found = _result(_submitted(executor, edits_of_piece, self._wishes, file, again))
            if found is None:
                break
            text, _, _ = read_up_to(self._stream, found.end - at)
            if len(text) < found.end - at or not file.is_unchanged():
                break
            yield self._part(text, found.edits)
            at = found.end
            text = b""
        for _, future in waiting:
            future.cancel()
        # Usually no games remain.
        yield from self.handed_out(executor, jobs, chunk, text)

    def _done(self, before: bytes, text: bytes, ends: list[int], future: Future[Edits]) -> TaggedPart:
        edits = _result(future)
        if edits is None:
            edits = edits_of_text(self._wishes, before, text, ends)
        return self._part(text[: ends[-1]], edits)

    def _part(self, text: bytes, edits: Edits) -> TaggedPart:
        """Apply the edits of the next part, and number its games from the beginning of the stream."""
        complaints = [Complaint(self._games + each.number, each.ply, each.reason) for each in edits.complaints]
        sheets = "".join(f"Game {self._games + number}{self._label}{sheet}" for number, sheet in edits.sheets)
        self._games += edits.games
        self._before = _last_bytes(self._before, text)
        return TaggedPart(edits.apply(text), len(text), edits.summary, complaints, sheets)


_Answer = TypeVar("_Answer")


def _submitted(executor: Executor, function: Callable[..., _Answer], *arguments: Any) -> Future[_Answer]:
    """Submit a task. If the processes have ended, return a future with that error."""
    try:
        return executor.submit(function, *arguments)
    except BrokenExecutor as error:
        future: Future[_Answer] = Future()
        future.set_exception(error)
        return future


def _result(future: Future[_Answer]) -> _Answer | None:
    """Return the result.

    None if a process ended, which makes the executor unusable. (A cluster repeats the task instead.)
    """
    try:
        return awaited(future)
    except BrokenExecutor:
        return None


def _last_bytes(before: bytes, text: bytes) -> bytes:
    """Return the last bytes of a text (and of the bytes before it) that affect the games after it."""
    return (before + text[-_BEFORE:])[-_BEFORE:]


# ---- tasks ----

_taggers: dict[Wishes, Tagger] = {}  # one dictionary in each process of an executor


def edits_of_text(wishes: Wishes, before: bytes, text: bytes, ends: list[int]) -> Edits:
    """Return the edits of the games that end at ``ends``. before: the last bytes of the file before the text."""
    return _edits(_tagger(wishes), before, text, ends)


def edits_of_piece(wishes: Wishes, file: SharedFile, piece: Piece) -> Found | None:
    """Return the edits of a piece of a file; None if the file is missing or has changed."""
    try:
        opened = open_replaceable(file.path, os.O_RDONLY)
        try:
            if not file.is_in_state(os.fstat(opened)):
                return None
            place, text, start, ends = games_of(opened, file.size, piece)
        finally:
            os.close(opened)
    except OSError:
        return None
    edits = _tagger(wishes).edits(text, ends, start)
    edits.move(-start)
    return Found(place + start, place + (ends[-1] if ends else start), edits)


def games_of(file: int, size: int, piece: Piece) -> tuple[int, bytes, int, list[int]]:
    """Return (offset of the text in the file, text, start of the first game, ends of the games) for a piece.

    The list of ends is empty if no game seems to begin in the piece. Raises OSError.
    """
    place = max(0, piece.start - (_BEFORE if piece.exact else _LEAD))
    text = _read(file, place, piece.stop)
    start = piece.start - place
    first = start if piece.exact else text.find(b"\n") + 1  # the beginning of any line
    ends = split(text, piece.stop == size, first)
    if not piece.exact:
        at = bisect_left(ends, start)
        if at == len(ends):
            return place, text, len(text), []
        start, ends = ends[at], ends[at + 1 :]
    more = _MORE
    while place + (last := ends[-1] if ends else start) < piece.stop:
        # The last game continues after the piece.
        stop = min(place + len(text) + more, size)
        text += _read(file, place + len(text), stop)
        for end in split(text, stop == size, last):
            ends.append(end)
            if place + end >= piece.stop:
                break
        more *= 2  # each read searches a long game again, so each read is larger than the one before
    return place, text, start, ends


def _read(file: int, start: int, stop: int) -> bytes:
    """Return the bytes of the file between two offsets. Raises OSError."""
    text = read_at(file, stop - start, start)
    if len(text) < stop - start:
        raise OSError
    return text


def _edits(tagger: Tagger, before: bytes, text: bytes, ends: list[int]) -> Edits:
    """Return the edits of the games that end at ``ends``. before: the last bytes of the file before the text."""
    if not before:
        return tagger.edits(text, ends)
    start = len(before)
    edits = tagger.edits(before + text, [start + end for end in ends], start)
    edits.move(-start)
    return edits


def _tagger(wishes: Wishes) -> Tagger:
    if wishes not in _taggers:
        _taggers[wishes] = Tagger(wishes)
    return _taggers[wishes]
