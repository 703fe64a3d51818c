"""Creates a store under a temporary name.

The store is renamed once it is complete, so a full disk leaves no empty store.
"""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from pathlib import Path

from ..common.errors import StoreError
from ..system.files import flush_folder, open_plain, replace
from ..system.leftovers import remove_left, temporary_beside
from ..system.locks import lock, open_folder

_LOOK_S = 0.05


class NewStore:
    """The file under a temporary name, which is deleted with the object or at the end of the program.

    Other processes that create the same store wait. Otherwise the store of another process would replace this one.
    """

    def __init__(self, path: Path, handle: int, made: list[Path]):
        """path: the store's path.

        handle: an open file, which is closed with this object. made: the new folders, deepest first.
        """
        self._target = os.path.realpath(path)
        self.file = Path(temporary_beside(self._target))
        self.clear = weakref.finalize(self, _clear, self.file, handle, made, os.getpid())
        # The program creates the file itself, because SQLite would let every user read it. SQLite's other files get
        # the same mode.
        os.close(open_plain(self.file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    @classmethod
    def begun(cls, path: Path, patience_s: float) -> NewStore | None:
        """Create a store; return None if another program has created it in the meantime.

        Raises OSError, and StoreError if the other program does not finish within ``patience_s``.
        """
        folder = Path(os.path.realpath(path)).parent
        made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = -1
        try:
            handle = _locked(folder, path, patience_s)
            if not path.exists():
                remove_left(folder)
                return cls(path, handle, made)
        except BaseException:
            _clear(None, handle, made, os.getpid())
            raise
        os.close(handle)
        return None

    def place(self) -> None:
        """Give the file its name, without replacing an existing file. Raises OSError."""
        try:
            os.link(self.file, self._target)
        except FileExistsError:
            raise
        except OSError:  # the file system has no hard links
            os.close(open_plain(self._target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            replace(self.file, self._target)
        flush_folder(os.path.dirname(self._target))


def _locked(folder: Path, path: Path, patience_s: float) -> int:
    """An open file that stands for the folder. It is locked where the file system has locks."""
    until = time.monotonic() + patience_s
    while True:
        handle = -1
        try:
            handle = open_folder(folder)
            lock(handle)
            return handle
        except BlockingIOError:
            if handle >= 0:
                os.close(handle)
            if time.monotonic() > until:
                raise StoreError(f"{path}: another program is creating the store and does not finish") from None
            time.sleep(_LOOK_S)
        except OSError:  # the file system has no locks
            if handle < 0:
                raise
            return handle


def _clear(file: Path | None, handle: int, made: list[Path], owner: int) -> None:
    """Remove the temporary file, and the created folders that remained empty, in the process that created them."""
    if os.getpid() != owner:
        return
    for ending in ("", "-wal", "-shm", "-journal") if file is not None else ():
        with contextlib.suppress(OSError):
            os.unlink(f"{file}{ending}")
    with contextlib.suppress(OSError):
        os.close(handle)
    for folder in made:
        with contextlib.suppress(OSError):
            folder.rmdir()
