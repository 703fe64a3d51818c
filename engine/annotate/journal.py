"""Stores the findings of a run, so that a later run can continue after an interruption.

The journal is a file of JSON lines beside the output: a line about the run, a line with the name of the engine, and a
line for each finished part of a game. An interruption may truncate the last line; that part is searched again.
"""

from __future__ import annotations

import hashlib
import json
import os
from io import FileIO
from pathlib import Path
from typing import Any

from ..common.errors import StandstillError
from ..common.text import shown
from ..system.files import open_replaceable, remove
from ..system.locks import lock
from .analysis import Part
from .evaluations import WHITE, Evaluation, in_comment
from .verdicts import JudgedPosition

_FORMAT = 4

# A position as stored in the file: best, second, played, is_best, line, depth, sacrifices.
Values = tuple[str | None, str | None, str | None, bool, list[str], int | None, bool]


def identity(*parts: object) -> str:
    """Return a short hash of everything on which the findings depend."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


class Journal:
    """The findings of one run, by part."""

    def __init__(self, path: Path, run: str):
        """run: the ``identity`` of the run.

        ``foreign`` becomes True if this run would overwrite findings of another run, or other content of the file. The
        journal of a run without findings does not count.
        """
        self.path = path
        self._run = run
        self._file: FileIO | None = None
        self._size = 0  # size of the file when it was read
        self._whole = 0  # number of bytes in complete lines that belong to this run
        self.found: dict[Part, list[JudgedPosition]] = {}
        self.engine: str | None = None  # the name that the engine reports
        self.foreign = False
        self._read()

    def _read(self) -> None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise StandstillError(f"cannot read {self.path}: {error.strerror}") from None
        self._size = len(data)
        if not data:
            return
        lines = data.split(b"\n")
        try:
            head = json.loads(lines[0])
            ours = (head["format"], head["run"]) == (_FORMAT, self._run)
        except (ValueError, KeyError, TypeError):
            self.foreign = True
            return
        if not ours:
            self.foreign = any(b'"part"' in line for line in lines[1:-1])
            return
        for number, line in enumerate(lines[1:-1], 2):  # the last item is empty or an incomplete line
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise StandstillError(f"{self.path}: line {number} is damaged: remove the file") from None
        self._whole = len(data) - len(lines[-1])

    def _take(self, entry: dict[str, Any]) -> None:
        if "engine" in entry:
            self.engine = entry["engine"]
        else:
            self.found[Part(*entry["part"])] = [position_of(values) for values in entry["positions"]]

    def start(self) -> None:
        """Open the journal to append, without an incomplete line at its end.

        Raises StandstillError if another run is using it, because each would finally remove the other's findings.
        """
        try:
            # The last item of the list is empty or an incomplete line
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
            self._file = FileIO(open_replaceable(self.path, flags), "ab")
            try:
                self._lock(self._file)
                self._file.truncate(self._whole)
                if not self._whole:
                    self._begin(self._file)
            except BaseException:
                self._file.close()
                self._file = None
                raise
        except BlockingIOError:
            raise StandstillError(f"cannot write {self.path}: another run is annotating these games") from None
        except OSError as error:
            raise StandstillError(f"cannot write {self.path}: {error.strerror}") from None

    def _lock(self, file: FileIO) -> None:
        """Lock the file.

        Raises BlockingIOError if another run has the journal open, or has used it since this run read it.
        """
        try:
            lock(file.fileno())
        except BlockingIOError:
            raise
        except OSError:
            pass  # some file systems have no locks
        status = os.fstat(file.fileno())
        if not status.st_nlink or status.st_size != self._size:
            raise BlockingIOError

    def _begin(self, file: FileIO) -> None:
        head = json.dumps({"format": _FORMAT, "run": self._run}) + "\n"
        try:
            _write_all(file, head)
        except OSError:
            remove(self.path)  # an incomplete first line would look like the file of another program
            raise

    def add(self, part: Part, positions: list[JudgedPosition]) -> None:
        self.found[part] = positions
        self._write(_entry(part, positions))

    def name(self, engine: str) -> None:
        """Record the engine's name. Raises StandstillError if the earlier findings come from another engine."""
        if self.engine == engine:
            return
        if self.engine is not None:
            raise StandstillError(
                f"the engine is now {shown(engine)}, but the findings in {self.path} are from {shown(self.engine)}:"
                " remove the file to start again"
            )
        self.engine = engine
        self._write(_named(engine))

    def _write(self, line: str) -> None:
        assert self._file is not None  # ``start`` opens it
        try:
            _write_all(self._file, line)
        except OSError as error:
            raise StandstillError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the journal, and remove it if it has no findings."""
        if self._file is None:
            return
        if not self.found:
            remove(self.path)
        self._file.close()  # also releases the lock: from now on another run may use the file
        self._file = None

    def remove(self) -> None:
        """Remove the journal after a complete run."""
        self.close()
        remove(self.path)


def _write_all(file: FileIO, line: str) -> None:
    rest = memoryview(line.encode("ascii"))
    while rest:
        rest = rest[file.write(rest) :]


def _named(engine: str) -> str:
    return json.dumps({"engine": engine}) + "\n"


def _entry(part: Part, positions: list[JudgedPosition]) -> str:
    where = (part.game, part.first, part.end)
    return json.dumps({"part": where, "positions": [values_of(position) for position in positions]}) + "\n"


def values_of(position: JudgedPosition) -> Values:
    """Return the position as plain values, which ``position_of`` reads."""
    known = (position.best, position.second, position.played)
    best, second, played = (None if value is None else value.command() for value in known)
    return best, second, played, position.is_best, position.line, position.depth, position.sacrifices


def position_of(values: Values) -> JudgedPosition:
    """Return the position that ``values_of`` has written."""
    best, second, played, is_best, line, depth, sacrifices = values
    known = _evaluation(best), _evaluation(second), _evaluation(played)
    return JudgedPosition(*known, is_best, line, depth, sacrifices)


def _evaluation(command: str | None) -> Evaluation | None:
    return None if command is None else in_comment(command, WHITE)
