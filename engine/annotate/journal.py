"""What an interrupted run has found out, so that the next one does not start from nothing.

A file of JSON lines beside the output: one about the run, then one for each part of a game that is done. The last line
may be cut off by whatever ended the run, and is then done again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from ..errors import StandstillError
from .analysis import Part
from .evaluations import WHITE, Evaluation, in_comment
from .judging import Position

_FORMAT = 2


def identity(*parts: object) -> str:
    """A short name for everything that the findings depend on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


class Journal:
    """The findings of one run, by part."""

    def __init__(self, path: Path, run: str):
        """run: ``identity`` of the run; ``foreign`` is true if there is a journal of another one."""
        self.path = path
        self._run = run
        self._file = None
        self.found: dict[Part, list[Position]] = {}
        self.foreign = False
        self._read()

    def _read(self) -> None:
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise StandstillError(f"cannot read {self.path}: {error.strerror}") from None
        try:
            head = json.loads(lines[0])
            self.foreign = (head["format"], head["run"]) != (_FORMAT, self._run)
        except (ValueError, KeyError, TypeError):
            self.foreign = True
        if self.foreign:
            return
        for line in lines[1:-1]:  # behind the last line break is nothing, or half a line
            entry = json.loads(line)
            self.found[Part(*entry["part"])] = [_position(values) for values in entry["positions"]]

    def start(self) -> None:
        """Open the journal for more, without the half line that may be at its end."""
        head = json.dumps({"format": _FORMAT, "run": self._run}) + "\n"
        fresh = self.path.with_name(f".{os.getpid()}.{self.path.name}")
        try:
            fresh.write_text(head + "".join(_entry(*entry) for entry in self.found.items()), "ascii")
            fresh.replace(self.path)
            self._file = self.path.open("a", encoding="ascii")
        except OSError as error:
            raise StandstillError(f"cannot write {self.path}: {error.strerror}") from None

    def add(self, part: Part, positions: list[Position]) -> None:
        self.found[part] = positions
        self._file.write(_entry(part, positions))
        self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def remove(self) -> None:
        """The run is complete."""
        self.close()
        self.path.unlink(missing_ok=True)


def _entry(part: Part, positions: list[Position]) -> str:
    where = (part.game, part.first, part.end)
    return json.dumps({"part": where, "positions": [_values(position) for position in positions]}) + "\n"


def _values(position: Position) -> list:
    known = (position.best, position.second, position.played)
    return [*(None if value is None else value.command() for value in known), position.is_best, position.line]


def _position(values: list) -> Position:
    best, second, played, is_best, line = values
    return Position(*map(_evaluation, (best, second, played)), is_best, line)


def _evaluation(command: str | None) -> Evaluation | None:
    return None if command is None else in_comment(command, WHITE)
