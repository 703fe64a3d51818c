"""The files of games that the pages can show: the command's file, and copies of files that were opened on a page.

A browser does not tell a page where a chosen file is. So the program copies its games into the user's data folder,
where Save writes. Each copy lies in a folder named after the digest of its first content, so a file that is opened
again leads to the same copy, with the changes that were saved in it.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import threading
import time
from pathlib import Path

from ...annotate.source import SourceGame
from ...archive.pgn import read_games, tags_of
from ...archive.streams import open_bytes
from ...common.atomic_files import new_file
from ...common.errors import ArgumentError, PgnError, PgnOutputError
from ...common.text import newline_of, shown, shown_path, visible
from ...correspondence.store import user_folder
from .library import Library, alone_in

VARIABLE = "STANDSTILL_OPENED"
FOLDER = "opened"
MOST_BYTES = 50_000_000  # largest file, after decompression
OWN, OWN_FILE = "mine", "My games.pgn"  # key and name of the file to which games of the pages are added
_KEY = re.compile(rf"[0-9a-f]{{16}}|{OWN}")
_PRIVATE_FOLDER = 0o700
_LONGEST_NAME = 80
_MOST_LOADED = 4  # maximum number of files whose games stay in memory
_MOST_TRIED = 20  # number of games that are read to see whether a file has games at all
_MOST_RECENT = 12
_COMPRESSED = re.compile(r"\.(?:gz|bz2|xz|zst)$", re.IGNORECASE)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)  # names of devices of Windows
_MANAGERS = {
    **dict.fromkeys((".cbh", ".cbv", ".cbf", ".cbone"), "ChessBase"),
    **dict.fromkeys((".si4", ".si5", ".scid"), "Scid"),
}


def default_folder() -> Path:
    """The folder in STANDSTILL_OPENED, or one in the user's data folder."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else user_folder() / FOLDER


class Shelf:
    """The command's file, with the key "", and copies of opened files with their keys. Threads may share a shelf."""

    def __init__(self, named: str = "", folder: Path | None = None):
        """named: the command's file, or "". folder: the folder of the copies, by default in the user's data folder."""
        self._named = Library(named) if named else None
        self._given = folder
        self._loaded: dict[str, Library] = {}
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        return self._given or default_folder()

    def library(self, key: str) -> Library | None:
        """The games under a key; None without games, for instance because the copy was removed."""
        if not key:
            return self._named
        path = self._path(key)
        with self._lock:
            found = self._loaded.pop(key, None)
            if path is None:
                return None
            if found is None or found.path != str(path):
                found = Library(str(path))
            self._loaded[key] = found  # the newest file is the last
            while len(self._loaded) > _MOST_LOADED:
                del self._loaded[next(iter(self._loaded))]
            return found

    def _path(self, key: str) -> Path | None:
        """Return the path of the copy under a key. Files outside the folder have no key."""
        if not _KEY.fullmatch(key):
            return None
        try:
            with os.scandir(self.folder / key) as entries:
                found = [each.name for each in entries if each.name.endswith(".pgn") and each.is_file()]
        except OSError:
            return None
        return self.folder / key / min(found) if found else None

    def open(self, name: str, data: bytes) -> dict[str, object]:
        """Copy a file that was opened on a page, and return what the page needs.

        data: the bytes of the file, possibly compressed. Raises PgnError for a file without games, and PgnOutputError
        if the copy cannot be written.
        """
        games = read(name, data)
        key = hashlib.sha256(games).hexdigest()[:16]
        path, is_changed = self._path(key), False
        try:
            if path is None:
                folder = self.folder / key
                folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
                path = folder / file_name(name)
                with new_file(str(path)) as file:
                    file.write(games)
            else:
                is_changed = path.read_bytes() != games
            os.utime(path.parent)  # the time at which the file was last opened
        except OSError as error:
            raise PgnOutputError(f"cannot write {shown_path(str(self.folder))}: {error.strerror}") from None
        return {"key": key, "name": path.name, "changed": is_changed}

    def keep(self, game: bytes) -> dict[str, object]:
        """Add a game to the user's own file and return its key and number."""
        source = SourceGame(1, game)
        if source.fault is not None:
            raise PgnError(f"not saved: {source.fault}")
        with self._lock:
            path = self._path(OWN) or self.folder / OWN / OWN_FILE
            newline = newline_of(game.decode("latin-1")).encode()
            try:
                path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
                with alone_in(path.parent):
                    there = path.read_bytes() if path.exists() else b""
                    gap = newline * 2 if there.strip() else b""
                    with new_file(str(path)) as file:
                        file.write(there.rstrip() + gap + game.strip() + newline * 2)
                os.utime(path.parent)
            except OSError as error:
                raise PgnOutputError(f"cannot write {shown_path(str(path))}: {error.strerror}") from None
        library = self.library(OWN)
        assert library is not None
        library.refresh()
        return {"key": OWN, "name": path.name, "number": len(library)}

    def remove(self, key: str) -> None:
        """Delete a copy, together with its older state. Raises ArgumentError for an unknown key."""
        path = self._path(key)
        if path is None:
            raise ArgumentError(f"key: expected an opened file, found {shown(key)}")
        try:
            shutil.rmtree(path.parent)
        except OSError as error:
            raise PgnOutputError(f"cannot remove {shown_path(str(path))}: {error.strerror}") from None

    def view(self, key: str) -> dict[str, object]:
        """The file under a key, if it exists, and the files opened last."""
        library = self.library(key)
        here = None if library is None else {"key": key, "name": Path(library.path).name, "path": visible(library.path)}
        return {"here": here, "folder": visible(str(self.folder)), "recent": self._recent()}

    def _recent(self) -> list[dict[str, object]]:
        found = []
        try:
            keys = os.listdir(self.folder)
        except OSError:
            return []
        for key in keys:
            path = self._path(key)
            if path is not None:
                found.append((path.parent.stat().st_mtime, key, path))
        found.sort(reverse=True)
        return [
            {
                "key": key,
                "name": visible(path.name),
                "opened": time.strftime("%Y-%m-%d", time.localtime(moment)),
                "bytes": path.stat().st_size,
            }
            for moment, key, path in found[:_MOST_RECENT]
        ]


def read(name: str, data: bytes) -> bytes:
    """The decompressed games of a file. Raises PgnError, in one line, for a file that is too large or has no games."""
    manager = _MANAGERS.get(Path(name.lower()).suffix)
    if manager is not None:
        raise PgnError(f"{shown_path(name)}: expected games in PGN, found a database of {manager}: export it as PGN")
    with open_bytes(data, name, MOST_BYTES) as stream:
        text = stream.read()
    games = [game for game in read_games(io.BytesIO(text)) if game.strip()]
    fault = ""
    for game in games[:_MOST_TRIED]:
        source = SourceGame(1, game)
        tags = tags_of(game)
        if source.fault is None and (source.plies or tags):
            return text
        if tags:
            fault = fault or f"its first game cannot be read: {source.fault}"
    if fault:
        raise PgnError(f"{shown_path(name)}: {fault}")
    lines = text.splitlines()
    number = next((at for at, line in enumerate(lines, 1) if line.strip()), 0)
    if not number:
        raise PgnError(f"{shown_path(name)}: expected games in PGN, found an empty file")
    line = lines[number - 1].strip().decode("latin-1")
    raise PgnError(f"{shown_path(name)}: expected games in PGN, found {shown(line)} in line {number}")


def file_name(name: str) -> str:
    """Return the name of a file with ``.pgn`` at its end, changed so that it is valid on every system."""
    stem = _COMPRESSED.sub("", name.replace("\\", "/").rpartition("/")[2])
    stem = re.sub(r"\.pgn$", "", stem, flags=re.IGNORECASE)
    kept = "".join(letter if letter.isalnum() or letter in " -_+,()." else "_" for letter in stem)
    kept = kept.strip(" .")[:_LONGEST_NAME].strip(" .") or "games"
    return f"{'_' if _RESERVED.match(kept) else ''}{kept}.pgn"
