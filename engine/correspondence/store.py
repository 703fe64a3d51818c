"""The SQLite file that stores correspondence games. The store is written in transactions, and older files are migrated.

Write-ahead logging lets one process read while another writes. If a process dies in a transaction, the state before the
transaction remains.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from operator import methodcaller
from pathlib import Path
from struct import Struct

from ..clock.instants import FIRST_MS, LAST_MS, to_datetime
from ..common.atomic_files import new_path
from ..common.errors import DamagedGameError, StandstillError, StoreError
from ..common.text import shown
from ..system.files import is_full, writable
from .new_store import NewStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tempfile

# "Stst". The id marks the file as a store of this program, for `file` and for this program.
APPLICATION_ID = 0x53747374
_HEAD = Struct(">16s52xI")  # the first bytes of an SQLite file, and the offset of the application id
_SQLITE = b"SQLite format 3\0"
_SCHEMA = Path(__file__).parent / "schema"
# Games and analyses are private: only the owner may read them.
_PRIVATE = 0o600
# Time to wait for another process's transaction. Each takes milliseconds.
_PATIENCE_S = 10.0

# Reads text that is not UTF-8 as well; `check_row` finds it.
_ANY_TEXT = methodcaller("decode", "utf-8", "surrogateescape")

_TOO_NEW = "was written by a newer version (schema {found}, this program knows {known}): it is left untouched"


def default_path() -> Path:
    """Return the path in STANDSTILL_STORE, or one in the user's data directory."""
    given = os.environ.get("STANDSTILL_STORE")
    return Path(given) if given else user_folder() / "games.sqlite"


def user_folder() -> Path:
    """Return the folder for this program's data about the user's games. The folder may not exist yet."""
    try:
        import platformdirs
    except ImportError:
        if not sys.flags.no_site:
            raise
        # Imported here, because the engine itself starts without installed packages.
        import site

        site.main()
        import platformdirs
    return Path(platformdirs.user_data_dir("standstill", appauthor=False))


def _writable(path: Path) -> bool:
    """Return whether SQLite can write to the file and create other files beside it."""
    return writable(os.path.realpath(path))  # SQLite creates its additional files beside the target of a link


def migrations() -> list[Path]:
    """Return the scripts from each schema version to the next. The first script creates version 1."""
    return sorted(_SCHEMA.glob("[0-9]*.sql"))


def _files_of(path: Path) -> tuple[str, ...]:
    """Return the store and the files that SQLite keeps beside it, or beside the target if the path is a link."""
    real = os.path.realpath(path)
    return tuple(f"{real}{ending}" for ending in ("", "-wal", "-shm", "-journal"))


def _check_replaceable(path: Path) -> None:
    """Raise StoreError if a backup would overwrite a file that is not a store, and OSError for an unreadable file."""
    if path.exists():
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
        if head and not (len(head) == _HEAD.size and _HEAD.unpack(head) == (_SQLITE, APPLICATION_ID)):
            raise StoreError(f"{path}: expected a new file or a backup to replace, found another file")
    _, log, _, journal = _files_of(path)
    for beside in (log, journal):  # SQLite would apply this old log to the new backup
        if os.path.exists(beside):
            raise StoreError(f"{path}: expected a backup that no program has open, found {beside}")


class Store:
    """An open store. Use the store as a context manager, or call ``close``."""

    def __init__(self, path: str | Path, *, create: bool = False, reading: bool = False):
        """Open the store, and migrate an older one.

        create: if the file does not exist, the first transaction or ``place`` creates it. reading: whether to open
        the store only to read, which also works on a full or read-only medium. Raises StoreError.
        """
        self.path = Path(path)
        self._open_connection: sqlite3.Connection | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._file = self.path  # the file that is open: the store, a copy of it, or a new store under a temporary name
        self._new: NewStore | None = None
        self._usable = False  # whether the store is open and has its schema
        if not create and not self.path.exists():
            raise StoreError(f"no store at {self.path}: `games new`, `import` or `fetch` makes one")
        if self.path.exists() and not self.path.is_file():  # SQLite would create files beside a device
            raise StoreError(f"{self.path}: expected a store of games, found a folder, pipe or device")
        with self._errors():
            if create and not self.path.exists():
                self._new = NewStore.begun(self.path, _PATIENCE_S)
                self._file = self.path if self._new is None else self._new.file
            if reading and not _writable(self.path):
                self._copy_aside()
            try:
                self._open("rw")
            except (sqlite3.Error, StoreError):
                if not reading or self._copy is not None or not is_full(self.path.parent, _LEAST_ROOM):
                    raise
                # The disk lacks space even for the small files beside the store.
                self._copy_aside()
                self._open("rw")
            self._usable = True

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._open_connection is not None:
            self._open_connection.close()
            self._open_connection = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None
        if self._new is not None:
            self._new.clear()
            self._new = None

    @property
    def _connection(self) -> sqlite3.Connection:
        assert self._open_connection is not None, "the store has been closed"
        return self._open_connection

    # ---- reading and writing ----

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self._errors():
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                if "decode" not in str(error) or self.any_text:
                    raise
            # The setting slows down reading, but with it invalid UTF-8 damages one game and not the whole list.
            self._connection.text_factory = _ANY_TEXT
            return self._connection.execute(query, values).fetchall()

    @property
    def any_text(self) -> bool:
        """Whether ``rows`` has met text that is not UTF-8."""
        return self._connection.text_factory is _ANY_TEXT

    def row(self, query: str, *values: object) -> sqlite3.Row | None:
        return next(iter(self.rows(query, *values)), None)

    def write(self, query: str, *values: object) -> int:
        """Write within ``transaction``. Return the id of an inserted row."""
        with self._errors():
            return self._connection.execute(query, values).lastrowid or 0

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Store all writes of the block or none.

        Until the end of the block no other process can write, so values that the block has read stay valid.

        A nested transaction is part of the outer one. An error that leaves the nested block must leave the outer one
        as well.
        """
        if self._connection.in_transaction:
            yield
            return
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
            if self._usable:
                self.place()

    def place(self) -> None:
        """Make sure that the file exists, even if a new store is still empty. Raises StoreError."""
        new, self._new = self._new, None
        if new is None:
            return
        connection, self._open_connection = self._connection, None
        try:
            with self._errors():
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.close()
                new.place()
        finally:
            connection.close()
            new.clear()
        self._file = self.path
        try:
            self._open("rw")
        except (sqlite3.Error, StoreError) as error:
            raise StoreError(
                f"{self.path}: the change is stored, but the store cannot be opened again ({error})"
            ) from None

    def _rollback(self) -> None:
        # SQLite itself rolls back after some errors, such as a full disk.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    # ---- the file itself ----

    @property
    def files(self) -> tuple[str, ...]:
        """The paths that other output must not overwrite: the store and the files that SQLite keeps beside it."""
        return _files_of(self.path)

    @property
    def version(self) -> int:
        return self._pragma("user_version")

    def problems(self) -> list[str]:
        """Return the problems that SQLite finds in the file; empty for a valid file."""
        with self._errors():
            found = [row[0] for row in self._connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [
                f"a row of {row[0]} refers to a missing row of {row[2]}"
                for row in self._connection.execute("PRAGMA foreign_key_check")
            ]
        return found

    def backup(self, target: str | Path) -> None:
        """Write a consistent copy, even while other processes write.

        An older backup is replaced as a whole; any other file remains. Raises StoreError, and PgnError if the target is
        this store.
        """
        from ..archive.streams import check_apart

        name, target = str(target), Path(target)  # Path drops the slash at the end of `folder/`
        check_apart(self.files, {"FILE": name})
        with self._errors(target), new_path(name, _PRIVATE) as temporary:
            _check_replaceable(target)
            with contextlib.closing(sqlite3.connect(temporary)) as copy:
                self._connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # makes the backup a single file

    def restore(self, backup: Store) -> Path:
        """Replace the contents by those of another store, in one step, even while other processes use this store.

        Returns a file with the old contents. Raises StoreError.
        """
        kept = self.next_kept()
        self.backup(kept)
        with self._errors():
            # SQLite writes the pages to the write-ahead log, so other processes can read the old state until the last
            # page is written.
            backup._connection.backup(self._connection)
            self._connection.execute("PRAGMA journal_mode = WAL")
        return kept

    def next_kept(self) -> Path:
        """Return the file in which ``restore`` would keep the current contents.

        The file never replaces an earlier one.
        """
        paths = (Path(f"{self.path}{number}.before-restore") for number in ("", *(f".{at}" for at in range(2, 10_000))))
        return next(path for path in paths if not path.exists())

    def _pragma(self, name: str) -> int:
        row = self.row(f"PRAGMA {name}")
        assert row is not None  # every pragma used here returns a value
        return int(row[0])

    def _copy_aside(self) -> None:
        """Open a copy, because SQLite writes beside a store even to read it, and an older store needs a migration."""
        import tempfile  # imported here, because a list of games does not need it

        self._copy = tempfile.TemporaryDirectory(prefix="standstill-")
        self._file = Path(self._copy.name) / "games.sqlite"
        store, log, *_ = self.files
        for source, target in ((store, self._file), (log, Path(f"{self._file}-wal"))):
            if os.path.exists(source):
                shutil.copyfile(source, target)
                target.chmod(_PRIVATE)

    def _open(self, mode: str) -> None:
        uri = f"{self._file.absolute().as_uri()}?mode={mode}"
        self._open_connection = sqlite3.connect(uri, uri=True, timeout=_PATIENCE_S, isolation_level=None)
        try:
            self._connection.row_factory = sqlite3.Row
            self._refuse_foreign()
            self._connection.execute("PRAGMA foreign_keys = ON")
            # With FULL, confirmed data survive a power cut, at the price of a flush to the disk for each command.
            self._connection.execute("PRAGMA synchronous = FULL")
            if self.version < len(migrations()):
                if self.version and self._file == self.path:
                    # Older versions let every user read the file. The file may belong to another user.
                    with contextlib.suppress(OSError):
                        self.path.chmod(_PRIVATE)
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._migrate()
        except BaseException:
            self.close()
            raise

    def _refuse_foreign(self) -> None:
        """Reject the file of another program before anything is written."""
        version, known = self.version, len(migrations())
        if self._pragma("application_id") != APPLICATION_ID and (
            version or self.row("SELECT 1 FROM sqlite_schema LIMIT 1")
        ):
            raise StoreError(f"{self.path} is a database of another program: it is left untouched")
        if version > known:
            raise StoreError(f"{self.path} {_TOO_NEW.format(found=version, known=known)}")

    def _migrate(self) -> None:
        with self.transaction():
            version = self.version  # the version is read again, because another process may have been faster
            for number, script in enumerate(migrations()[version:], version + 1):
                for statement in statements(script.read_text(encoding="utf-8")):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {number}")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    @contextlib.contextmanager
    def _errors(self, path: Path | None = None) -> Iterator[None]:
        """Turn errors of SQLite and of the system into StoreErrors of one line."""
        path = path or self.path
        try:
            yield
        except StoreError:
            raise
        except UnicodeEncodeError as error:
            raise StoreError(f"expected text in UTF-8, found {shown(str(error.object))}") from None
        except UnicodeDecodeError:  # SQLite quotes data that it cannot read
            raise StoreError(f"{path}: {_REASONS[sqlite3.SQLITE_CORRUPT]}") from None
        except sqlite3.Error as error:
            raise StoreError(f"{path}: {_reason(error, path)}") from None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror or error}") from None


_REASONS = {
    sqlite3.SQLITE_NOTADB: "not a store of games (it is not an SQLite file)",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore a backup",
    sqlite3.SQLITE_FULL: "the disk is full; nothing was changed",
    sqlite3.SQLITE_READONLY: "the store is read-only; nothing was changed",
    sqlite3.SQLITE_BUSY: "another program is writing to the store and does not finish; nothing was changed",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened as a store",
}


def _reason(error: sqlite3.Error, path: Path) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:  # all rows of other tables refer to a game
        return "the game was removed in the meantime; nothing was changed"
    kind = code & 0xFF if code is not None else -1
    if kind in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and is_full(path.parent, _LEAST_ROOM):
        kind = sqlite3.SQLITE_FULL  # the disk lacks space even for the small files beside the store
    elif kind == sqlite3.SQLITE_CANTOPEN and path.exists() and not _writable(path):
        kind = sqlite3.SQLITE_READONLY  # the small files beside the store cannot be created
    return _REASONS.get(kind, " ".join(str(error).split()))


_LEAST_ROOM = 1 << 16  # size of SQLite's shared-memory file, in bytes


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one, because ``executescript`` would commit the open transaction."""
    text = ""
    for line in script.splitlines():
        text += f"{line}\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""


# ---- rows that may be damaged ----

# Exceptions that reading a corrupted row can cause.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    StandstillError,
)


@contextlib.contextmanager
def damage_named(store: Store, name: object) -> Iterator[None]:
    """Turn every exception from reading stored rows into DamagedGameError."""
    try:
        yield
    except StoreError:
        raise
    except DAMAGE as error:
        reason = str(error) or type(error).__name__
        raise DamagedGameError(
            f"{store.path}: the game {shown(str(name))} is damaged ({reason}): restore a backup"
        ) from None


_TEXTS = {
    *("name", "white", "black", "first_white", "first_black", "control", "fen", "opening", "tags", "server"),
    *("server_id", "server_user", "status", "position", "position_key", "last_move", "result", "uid"),
}
_PERHAPS = {"own_side", "fen", "server", "server_id", "server_user", "server_ply", "deadline_ms"}  # may be NULL


def check_row(row: sqlite3.Row) -> None:
    """Raise ValueError or ClockError if a row of the ``games`` table contains a value of the wrong type or range."""
    for name, value in zip(row.keys(), row, strict=True):
        kind = str if name in _TEXTS else int
        if type(value) is not kind and not (value is None and name in _PERHAPS):
            raise ValueError(f"{name} is {shown(str(value))}")
        if isinstance(value, str) and not value.isascii():
            value.encode()  # raises an error for bytes that are not UTF-8
    for instant_ms in (row["deadline_ms"] or 0, row["stamp_ms"]):
        if not FIRST_MS <= instant_ms <= LAST_MS:
            to_datetime(instant_ms)  # raises an error for an instant outside the calendar
