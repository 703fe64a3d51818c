"""The data about puzzles in the user's data folder: when each is asked again, and the findings of the engine.

One SQLite file, opened for each operation: several tabs and programs can use it at once, and an operation is written
wholly or not at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

from ... import VERSION
from ...common.errors import StoreError
from ...correspondence.store import user_folder
from ...system.files import open_plain
from .spacing import KNOWN, Card, answered

FILE = "puzzles.sqlite"
VARIABLE = "STANDSTILL_PUZZLES"
_APPLICATION_ID = 0x5374507A  # "StPz"
_VERSION = 1
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700
_PATIENCE_S = 10.0  # maximum time to wait for another program's transaction
_SCHEMA = f"""
CREATE TABLE card (id TEXT PRIMARY KEY, repetitions INTEGER NOT NULL, days INTEGER NOT NULL, easiness REAL NOT NULL,
    due TEXT, again INTEGER NOT NULL, seen INTEGER NOT NULL, solved INTEGER NOT NULL, last TEXT);
CREATE TABLE day (day TEXT PRIMARY KEY, begun INTEGER NOT NULL, seen INTEGER NOT NULL, solved INTEGER NOT NULL);
CREATE TABLE dropped (id TEXT PRIMARY KEY);
CREATE TABLE finding (kind TEXT NOT NULL, id TEXT NOT NULL, engine TEXT NOT NULL, found TEXT NOT NULL,
    PRIMARY KEY (kind, id));
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {_VERSION};
"""
_CARD = "repetitions, days, easiness, due, again, seen, solved, last"


def default_path() -> Path:
    """The path in STANDSTILL_PUZZLES, or one in the user's data folder."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else user_folder() / FILE


class Progress:
    """The file. The file is created when something is first written; without it all puzzles are new.

    All methods raise StoreError for a file that cannot be used.
    """

    def __init__(self, path: Path | None = None):
        self.path = default_path() if path is None else path

    def cards(self) -> dict[str, Card]:
        """All puzzles that were ever answered, by their ids."""
        with self._reading() as file:
            rows = [] if file is None else file.execute(f"SELECT id, {_CARD} FROM card").fetchall()
        with self._errors():
            return {row[0]: _card(row[1:]) for row in rows}

    def answer(self, puzzle: str, quality: int, today: date) -> Card:
        """Store an answer, and return the changed card."""
        with self._writing() as file:
            row = file.execute(f"SELECT {_CARD} FROM card WHERE id = ?", (puzzle,)).fetchone()
            card = answered(Card() if row is None else _card(row), quality, today)
            values = (puzzle, *_values(card))
            file.execute(f"INSERT OR REPLACE INTO card (id, {_CARD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            file.execute("INSERT OR IGNORE INTO day VALUES (?, 0, 0, 0)", (today.isoformat(),))
            file.execute(
                "UPDATE day SET begun = begun + ?, seen = seen + 1, solved = solved + ? WHERE day = ?",
                (int(row is None), int(quality >= KNOWN), today.isoformat()),
            )
        return card

    def dropped(self) -> set[str]:
        """The puzzles that the user does not want to see again."""
        with self._reading() as file:
            rows = [] if file is None else file.execute("SELECT id FROM dropped").fetchall()
        return {str(name) for (name,) in rows}

    def drop(self, puzzle: str, *, is_dropped: bool) -> None:
        """Drop a puzzle, or undo this."""
        sql = "INSERT OR IGNORE INTO dropped VALUES (?)" if is_dropped else "DELETE FROM dropped WHERE id = ?"
        with self._writing() as file:
            file.execute(sql, (puzzle,))

    def day(self, today: date) -> tuple[int, int, int]:
        """(puzzles begun, answers, answers right at once) of a day."""
        with self._reading() as file:
            row = None
            if file is not None:
                row = file.execute("SELECT begun, seen, solved FROM day WHERE day = ?", (today.isoformat(),)).fetchone()
        return (0, 0, 0) if row is None else (row[0], row[1], row[2])

    def findings(self, kind: str) -> dict[str, object]:
        """The findings of this version of the engine, by the ids under which they were stored."""
        with self._reading() as file:
            sql = "SELECT id, found FROM finding WHERE kind = ? AND engine = ?"
            rows = [] if file is None else file.execute(sql, (kind, VERSION)).fetchall()
        with self._errors():
            return {name: json.loads(found) for name, found in rows}

    def count(self, kind: str) -> int:
        """The number of ``findings``."""
        with self._reading() as file:
            sql = "SELECT count(*) FROM finding WHERE kind = ? AND engine = ?"
            return 0 if file is None else int(file.execute(sql, (kind, VERSION)).fetchone()[0])

    def finding(self, kind: str, name: str) -> object:
        """The finding of any version of the engine under this id; None without one."""
        with self._reading() as file:
            sql = "SELECT found FROM finding WHERE kind = ? AND id = ?"
            row = None if file is None else file.execute(sql, (kind, name)).fetchone()
        with self._errors():
            return None if row is None else json.loads(row[0])

    def forget(self, kind: str, name: str) -> None:
        """Remove a finding."""
        with self._writing() as file:
            file.execute("DELETE FROM finding WHERE kind = ? AND id = ?", (kind, name))

    def keep(self, kind: str, name: str, found: object) -> None:
        """Keep a finding, a value of JSON."""
        text = json.dumps(found, separators=(",", ":"))
        with self._writing() as file:
            file.execute("INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?)", (kind, name, VERSION, text))

    # ---- the file ----

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        with self._errors():
            if not self.path.exists():
                yield None
                return
            with closing(self._opened("ro")) as file:
                yield file if self._check(file) else None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._errors():
            if not self.path.exists():
                self.path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
                with contextlib.suppress(FileExistsError):  # another program was faster
                    os.close(open_plain(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _PRIVATE))
            with closing(self._opened("rw")) as file:
                file.execute("BEGIN IMMEDIATE")
                if not self._check(file):
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        file.execute(statement)
                yield file
                file.execute("COMMIT")

    def _opened(self, mode: str) -> sqlite3.Connection:
        if not self.path.is_file():  # SQLite would block on a pipe
            raise StoreError(f"{self.path}: expected the progress of puzzles, found a folder, pipe or device")
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, _PATIENCE_S, isolation_level=None, uri=True)

    def _check(self, file: sqlite3.Connection) -> bool:
        """Whether the file has its tables.

        A new file is empty. Raises StoreError for foreign files and newer formats.
        """
        (mark,), (version,) = (file.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
        if not mark and not version and not file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return False
        if mark != _APPLICATION_ID:
            raise StoreError(f"{self.path}: expected the progress of puzzles, found another program's file")
        if version > _VERSION:
            raise StoreError(f"{self.path}: written by a newer version of this program; it is left untouched")
        return True

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path}: {error}") from None
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(
                f"{self.path}: the progress of puzzles is damaged ({error}); move the file away to start over"
            ) from None
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.path}: {error.strerror or error}") from None


def _card(row: tuple[object, ...]) -> Card:
    repetitions, days, easiness, due, again, seen, solved, last = row
    return Card(
        _whole(repetitions),
        _whole(days),
        float(str(easiness)),
        _day(due),
        bool(again),
        _whole(seen),
        _whole(solved),
        _day(last),
    )


def _values(card: Card) -> tuple[object, ...]:
    spaced = card.repetitions, card.days, card.easiness, _text(card.due), int(card.again)
    return (*spaced, card.seen, card.solved, _text(card.last))


def _whole(value: object) -> int:
    return int(str(value))


def _day(value: object) -> date | None:
    return None if value is None else date.fromisoformat(str(value))


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
