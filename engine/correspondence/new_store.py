"""Creates a store under a temporary name. It gets its name with its contents: a full disk leaves no empty store."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
import weakref
from pathlib import Path

from ..common.errors import StoreError

_LOOK_S = 0.05


class NewStore:
    """The file under a temporary name, which is deleted with the object or at the end of the program.

    Other processes that create the same store wait. Otherwise their store would replace this one.
    """

    def __init__(self, path: Path, lock: int, made: list[Path]):
        """path: the store's path. lock: an open file, closed with this object. made: new folders, the deepest first."""
        self._target = os.path.realpath(path)
        self.file = Path(self._target).with_name(f".standstill-{os.getpid()}-{os.urandom(4).hex()}")
        self.clear = weakref.finalize(self, _clear, self.file, lock, made, os.getpid())
        # The file is created here, because SQLite would let every user read it. SQLite's other files get the same mode.
        os.close(os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    @classmethod
    def begun(cls, path: Path, patience_s: float) -> NewStore | None:
        """Create a store; None if another program has done so. Raises OSError, and StoreError if that never ends."""
        folder = Path(os.path.realpath(path)).parent
        made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        try:
            _wait_for(lock, path, patience_s)
            if not path.exists():
                return cls(path, lock, made)
        except BaseException:
            _clear(None, lock, made, os.getpid())
            raise
        os.close(lock)
        return None

    def place(self) -> None:
        """Give the file its name, without replacing an existing file. Raises OSError."""
        try:
            os.link(self.file, self._target)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.close(os.open(self._target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            os.replace(self.file, self._target)
        folder = os.open(os.path.dirname(self._target), os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some file systems cannot flush a folder
                os.fsync(folder)
        finally:
            os.close(folder)


def _wait_for(lock: int, path: Path, patience_s: float) -> None:
    until = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreError(f"{path}: another program is creating the store and does not finish") from None
            time.sleep(_LOOK_S)
        except OSError:  # a file system without locks
            return


def _clear(file: Path | None, lock: int, made: list[Path], owner: int) -> None:
    """Remove the temporary file, and the created folders that remained empty, in the process that created them."""
    if os.getpid() != owner:
        return
    for ending in ("", "-wal", "-shm", "-journal") if file is not None else ():
        with contextlib.suppress(OSError):
            os.unlink(f"{file}{ending}")
    for folder in made:
        with contextlib.suppress(OSError):
            folder.rmdir()
    with contextlib.suppress(OSError):
        os.close(lock)
