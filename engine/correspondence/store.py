"""The file that holds correspondence games: SQLite, brought up to date, written in whole transactions.

Write-ahead logging lets one process read while another writes; a process that dies in a transaction leaves the state
before it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from ..errors import StoreError
from ..notation import shown

# "Stst": marks the file as ours for `file` and for this program.
APPLICATION_ID = 0x53747374
_SCHEMA = Path(__file__).parent / "schema"
# How long to wait for another process's transaction; each takes milliseconds.
_PATIENCE_S = 10.0

_TOO_NEW = "was written by a newer version (schema {found}, this program knows {known}): it is left untouched"


def default_path() -> Path:
    """Where STANDSTILL_STORE says, else in the user's data directory."""
    if given := os.environ.get("STANDSTILL_STORE"):
        return Path(given)
    try:
        import platformdirs
    except ImportError:
        if not sys.flags.no_site:
            raise
        # The engine itself starts without installed packages; here they are needed.
        import site

        site.main()
        import platformdirs
    return Path(platformdirs.user_data_dir("standstill", appauthor=False)) / "games.sqlite"


def migrations() -> list[Path]:
    """The scripts that lead from one schema version to the next, the first from nothing to 1."""
    return sorted(_SCHEMA.glob("[0-9]*.sql"))


class Store:
    """An open store. Use as a context manager, or call ``close``."""

    def __init__(self, path: str | Path, *, create: bool = False):
        """Open, and bring an older store up to date.

        create: make an empty one where there is none. Raises StoreError.
        """
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        if not create and not self.path.exists():
            raise StoreError(f"no store at {self.path}: `games new` or `games import` makes one")
        with self._errors():
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open("rwc" if create else "rw")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # ---- reading and writing ----

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self._errors():
            return self._connection.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        with self._errors():
            return self._connection.execute(query, values).fetchone()

    def write(self, query: str, *values: object) -> int:
        """Within ``transaction``; returns the id of an inserted row."""
        with self._errors():
            return self._connection.execute(query, values).lastrowid

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written in it, or nothing. Nobody else writes meanwhile, so what is read in it stays true."""
        with self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._rollback()
                raise
            try:
                self._connection.execute("COMMIT")
            except BaseException:
                self._rollback()
                raise

    def _rollback(self) -> None:
        # SQLite itself has rolled back after some errors, a full disk for one.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    # ---- the file itself ----

    @property
    def version(self) -> int:
        return self._pragma("user_version")

    def problems(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing in a sound one."""
        with self._errors():
            found = [row[0] for row in self._connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [
                f"a row of {row[0]} refers to a missing row of {row[2]}"
                for row in self._connection.execute("PRAGMA foreign_key_check")
            ]
        return found

    def backup(self, target: str | Path) -> None:
        """A consistent copy, also while others write. An existing file is replaced as a whole. Raises StoreError."""
        target = Path(target)
        if target.exists() and self.path.exists() and target.samefile(self.path):
            raise StoreError(f"{target} is the store itself")
        temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
        with self._errors(target):
            try:
                with contextlib.closing(sqlite3.connect(temporary)) as copy:
                    self._connection.backup(copy)
                    copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
                with open(temporary, "rb") as file:
                    os.fsync(file.fileno())
                os.replace(temporary, target)
            finally:
                temporary.unlink(missing_ok=True)

    def _pragma(self, name: str) -> int:
        return self.row(f"PRAGMA {name}")[0]

    def _open(self, mode: str) -> None:
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        self._connection = sqlite3.connect(uri, uri=True, timeout=_PATIENCE_S, isolation_level=None)
        try:
            self._connection.row_factory = sqlite3.Row
            self._refuse_foreign()
            self._connection.execute("PRAGMA foreign_keys = ON")
            # FULL: what was confirmed survives a power cut as well, at the price of one flush a command.
            self._connection.execute("PRAGMA synchronous = FULL")
            if self.version < len(migrations()):
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._migrate()
        except BaseException:
            self.close()
            raise

    def _refuse_foreign(self) -> None:
        """Before anything is written."""
        version, known = self.version, len(migrations())
        if self._pragma("application_id") != APPLICATION_ID and (
            version or self.row("SELECT 1 FROM sqlite_schema LIMIT 1")
        ):
            raise StoreError(f"{self.path} is a database of another program: it is left untouched")
        if version > known:
            raise StoreError(f"{self.path} {_TOO_NEW.format(found=version, known=known)}")

    def _migrate(self) -> None:
        with self.transaction():
            version = self.version  # again: another process may have been faster
            for number, script in enumerate(migrations()[version:], version + 1):
                for statement in statements(script.read_text(encoding="utf-8")):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {number}")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    @contextlib.contextmanager
    def _errors(self, path: Path | None = None) -> Iterator[None]:
        """SQLite's and the system's errors in our words, one line each."""
        path = path or self.path
        try:
            yield
        except StoreError:
            raise
        except UnicodeEncodeError as error:
            raise StoreError(f"expected text in UTF-8, found {shown(str(error.object))}") from None
        except sqlite3.Error as error:
            raise StoreError(f"{path}: {_reason(error)}") from None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror or error}") from None


_REASONS = {
    sqlite3.SQLITE_NOTADB: "not a store of games (it is no SQLite file)",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore a backup",
    sqlite3.SQLITE_FULL: "the disk is full; nothing was changed",
    sqlite3.SQLITE_READONLY: "the store may only be read; nothing was changed",
    sqlite3.SQLITE_BUSY: "another program is writing to the store and does not finish; nothing was changed",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened as a store",
}


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    return _REASONS.get(code & 0xFF if code is not None else None, " ".join(str(error).split()))


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would end the transaction it is called in."""
    text = ""
    for line in script.splitlines():
        text += f"{line}\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""
