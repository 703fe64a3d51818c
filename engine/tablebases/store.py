"""Folders of tables: open, check and probe the tables."""

from __future__ import annotations

import os
from collections.abc import Iterable

from standstill.cext.bindings.table_library import TableLibrary

from ..common.errors import TablebaseError
from .material import MOST_MEN, classes, men_of, needed
from .table_file import KINDS, TableFile, open_table, table_path

VERIFY_PIECE = 1 << 16  # a thread tests a range of this many positions per call
# The three-man tables, which every installation contains. `make tables` writes them; a test rebuilds them.
SUPPLIED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def _described(name: str, kind: int, whole_game: bool) -> str:
    return f"{KINDS[kind]} of {name}{' for the whole game' if whole_game else ''}"


class TableStore:
    """The tables of a folder, and tables from other folders for the classes that the first folder lacks.

    Invalid files are left out; ``refused`` lists the reasons. more: the other folders; the program only reads them.
    """

    def __init__(
        self,
        folder: str,
        *,
        more: Iterable[str] = (),
        whole_game: bool = False,
        most_men: int = MOST_MEN,
        plies: bool = True,
    ):
        self.folder = folder
        self.whole_game = whole_game
        self.library = TableLibrary()
        # maps each class to its files: the values file, then the plies file if it exists
        self.files: dict[str, list[TableFile]] = {}
        self.refused: list[str] = []
        for name in classes(most_men):
            for place in (folder, *more):
                if name not in self.files and os.path.exists(table_path(place, name, 0, whole_game)):
                    try:
                        self._open(name, place, plies)
                    except TablebaseError as error:
                        self.refused.append(str(error))

    def _open(self, name: str, folder: str, plies: bool = True) -> None:
        files = []
        for kind in range(2):
            path = table_path(folder, name, kind, self.whole_game)
            if kind == 0 or (plies and os.path.exists(path)):
                files.append(open_table(path))
                found = files[-1].name, files[-1].kind, files[-1].whole_game
                expected = name, kind, self.whole_game
                if found != expected:
                    raise TablebaseError(f"{path}: expected {_described(*expected)}, found {_described(*found)}")
        if len({file.pair for file in files}) > 1:
            raise TablebaseError(f"{files[1].path}: the plies belong to a different table of values")
        self._add(name, files)

    def _add(self, name: str, files: list[TableFile]) -> None:
        try:
            self.library.add(men_of(name), *(file.plane for file in files))
        except ValueError as error:
            raise TablebaseError(f"{files[0].path}: {error}") from None
        self.files[name] = files

    @property
    def most_men(self) -> int:
        """Return the largest number of pieces in any class; 0 without tables."""
        return max((len(name) - 1 for name in self.files), default=0)

    @property
    def opened(self) -> list[str]:
        """Return the paths of all open files."""
        return [file.path for files in self.files.values() for file in files]

    def is_complete(self, name: str) -> bool:
        return len(self.files.get(name, ())) == len(KINDS)

    def is_sound(self, name: str) -> bool:
        """Return whether all blocks of a class are undamaged. Each block is unpacked and discarded."""
        library = TableLibrary()
        library.add(men_of(name), *(file.plane for file in self.files[name]))
        return not library.corrupt_blocks()

    def _present(self, name: str) -> list[TableFile]:
        if name not in self.files:
            raise TablebaseError(f"there is no table of {name} in {self.folder}")
        return self.files[name]

    def statistics(self, name: str) -> dict[str, dict[str, list[int]]]:
        """Return, by side to move ("0" White) and outcome after a reset, [positions on the whole board, most plies].

        Raises TablebaseError if the folder lacks a table of the class.
        """
        return self._present(name)[0].statistics

    def faults(self, name: str, every: int = 1, threads: int = 1) -> tuple[int, int, int | None]:
        """Compare a class with the values of its moves.

        Returns the number of inconsistent states, the number of tested states, and the index of the first faulty
        position (None if all are consistent).

        every: test one position in this many. Raises TablebaseError if the table or a table that it needs is missing.
        """
        from concurrent.futures import ThreadPoolExecutor  # imported here, because probing does not need threads

        if not self._present(name) or not all(self.is_complete(other) for other in needed(name)):
            raise TablebaseError(f"expected both files of {', '.join(needed(name))} in {self.folder}")
        piece = every * max(1, VERIFY_PIECE // every)

        def test(first: int) -> tuple[int, int, int | None]:
            return self.library.faults(men_of(name), first, first + piece, every, self.whole_game)

        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(test, range(0, self.files[name][0].size, piece)))
        wrong, states, places = zip(*found, strict=True)
        return sum(wrong), sum(states), next((place for place in places if place is not None), None)

    def paths(self, name: str) -> list[str]:
        """Return the paths of the two files of a class."""
        return [table_path(self.folder, name, kind, self.whole_game) for kind in range(len(KINDS))]

    def replace(self, name: str) -> None:
        """Open a newly built class. The core cannot remove a damaged table, so a new library replaces the old one."""
        if name in self.files:
            del self.files[name]
            kept, self.library, self.files = self.files, TableLibrary(), {}
            for other, files in kept.items():
                self._add(other, files)
        self._open(name, self.folder)


_KEPT = 4  # the number of stores that remain open; the least recently used one is closed first

_State = tuple[tuple[str, int, int, int], ...]  # name, inode, size and time of each file in a folder
_opened: dict[tuple[str, ...], tuple[list[_State], TableStore]] = {}


def opened_store(folders: Iterable[str]) -> TableStore:
    """Return the tables of these folders, earlier folders first; cached while their files are unchanged."""
    places = tuple(map(os.path.abspath, folders))
    state = [_state(place) for place in places]
    before, store = _opened.pop(places, (None, None))
    if store is None or before != state:
        store = TableStore(places[0], more=places[1:])
    _opened[places] = state, store
    while len(_opened) > _KEPT:
        _opened.pop(next(iter(_opened)), None)
    return store


def _state(folder: str) -> _State:
    """Return a value that changes when the files of a folder change."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.stat()) for entry in entries]
    except OSError:
        return ()
    return tuple(sorted((name, each.st_ino, each.st_size, each.st_mtime_ns) for name, each in found))
