"""The findings of an interrupted run, so that the next run can continue.

A file of JSON lines beside the output: one about the run, then the name of the engine, and one line for each finished
part of a game. An interruption may cut off the last line; that part is searched again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from io import FileIO
from pathlib import Path
from typing import Any

from ..common.errors import StandstillError
from ..common.text import shown
from .analysis import Part
from .evaluations import WHITE, Evaluation, in_comment
from .verdicts import JudgedPosition

_FORMAT = 3

# A position as it stands in the file: best, second, played, is_best, line.
Values = tuple[str | None, str | None, str | None, bool, list[str]]


def identity(*parts: object) -> str:
    """A short name for everything on which the findings depend."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


class Journal:
    """The findings of one run, by part."""

    def __init__(self, path: Path, run: str):
        """run: ``identity`` of the run. ``foreign`` is true if the findings of another run, or anything else, would be
        lost. Another run that has found nothing, as with an engine that did not start, stands in nobody's way.
        """
        self.path = path
        self._run = run
        self._file: FileIO | None = None
        self._size = 0  # of the file that was read
        self._whole = 0  # bytes of its lines that are ours, and not cut
        self.found: dict[Part, list[JudgedPosition]] = {}
        self.engine: str | None = None  # what the engine calls itself
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
        for number, line in enumerate(lines[1:-1], 2):  # the last item is empty or a cut line
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise StandstillError(f"{self.path}: line {number} is damaged: remove the file") from None
        self._whole = len(data) - len(lines[-1])

    def _take(self, entry: dict[str, Any]) -> None:
        if "engine" in entry:
            self.engine = entry["engine"]
        else:
            self.found[Part(*entry["part"])] = [_position(values) for values in entry["positions"]]

    def start(self) -> None:
        """Open the journal to append, without a cut line at its end.

        Raises StandstillError if another run has it: each would remove the findings of the other in the end.
        """
        try:
            self._file = self.path.open("ab", buffering=0)  # what finds no room is not tried again at the end
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
            raise StandstillError(f"cannot write {self.path}: another run is at these games") from None
        except OSError as error:
            raise StandstillError(f"cannot write {self.path}: {error.strerror}") from None

    def _lock(self, file: FileIO) -> None:
        """Raises BlockingIOError if another run has the file, or has had it since it was read."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            pass  # not every file system has locks
        status = os.fstat(file.fileno())
        if not status.st_nlink or status.st_size != self._size:
            raise BlockingIOError

    def _begin(self, file: FileIO) -> None:
        head = json.dumps({"format": _FORMAT, "run": self._run}) + "\n"
        try:
            _write_all(file, head)
        except OSError:
            self.path.unlink(missing_ok=True)  # half a line would be taken for the file of somebody else
            raise

    def add(self, part: Part, positions: list[JudgedPosition]) -> None:
        self.found[part] = positions
        self._write(_entry(part, positions))

    def name(self, engine: str) -> None:
        """Note what the engine calls itself. Raises StandstillError if the findings so far are another one's."""
        if self.engine == engine:
            return
        if self.engine is not None:
            raise StandstillError(
                f"the engine is {shown(engine)} now, and the findings in {self.path} are those of {shown(self.engine)}:"
                " remove the file to begin anew"
            )
        self.engine = engine
        self._write(_named(engine))

    def _write(self, line: str) -> None:
        assert self._file is not None  # it has been started
        try:
            _write_all(self._file, line)
        except OSError as error:
            raise StandstillError(f"cannot write {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the journal; one without findings is removed."""
        if self._file is None:
            return
        if not self.found:
            self.path.unlink(missing_ok=True)
        self._file.close()  # and unlocked: whoever has the file from now on keeps it
        self._file = None

    def remove(self) -> None:
        """Remove the journal after a complete run."""
        self.close()
        self.path.unlink(missing_ok=True)


def _write_all(file: FileIO, line: str) -> None:
    rest = memoryview(line.encode("ascii"))
    while rest:
        rest = rest[file.write(rest) :]


def _named(engine: str) -> str:
    return json.dumps({"engine": engine}) + "\n"


def _entry(part: Part, positions: list[JudgedPosition]) -> str:
    where = (part.game, part.first, part.end)
    return json.dumps({"part": where, "positions": [_values(position) for position in positions]}) + "\n"


def _values(position: JudgedPosition) -> Values:
    known = (position.best, position.second, position.played)
    best, second, played = (None if value is None else value.command() for value in known)
    return best, second, played, position.is_best, position.line


def _position(values: Values) -> JudgedPosition:
    best, second, played, is_best, line = values
    return JudgedPosition(_evaluation(best), _evaluation(second), _evaluation(played), is_best, line)


def _evaluation(command: str | None) -> Evaluation | None:
    return None if command is None else in_comment(command, WHITE)
