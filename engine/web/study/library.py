"""The user's file of games: the list of games, and each game."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import threading
import time
from dataclasses import dataclass

from ...archive.pgn import read_games, tags_of
from ...archive.streams import display_name, open_input, open_output
from ...common.atomic_files import new_file
from ...common.errors import ArgumentError, EngineUseError, PgnOutputError
from ...common.text import shown_path, visible
from ...system.locks import lock, open_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .survey import Survey

MOST_LISTED = 300  # rows in one response
_PATIENCE_S, _LOOK_S = 5.0, 0.02  # maximum time to wait for another program that saves, and interval between attempts
_LISTED = ("White", "Black", "Result", "Event", "Round", "Date", "ECO", "Opening")


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list. number: from 1, in the order of the file. words: the searchable text in lower case."""

    number: int
    tags: dict[str, str]
    words: str

    def view(self, swing: float | None) -> dict[str, object]:
        """swing: the largest loss by a move, if requested."""
        tags = {name.lower(): text for name, text in self.tags.items()}
        return {"number": self.number, **tags, **({} if swing is None else {"swing": swing})}


class Library:
    """The games of one file, which is read again after it has changed."""

    def __init__(self, path: str):
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._digest = ""
        self._whole: list[bytes] = []
        self._places: list[int] = []  # the index in ``_whole`` of each game that is not blank
        self._list: list[Listed] = []
        self._saving = threading.Lock()
        self._surveying = threading.Lock()
        self._survey: tuple[str, Survey] | None = None  # (digest of the surveyed file, its survey)

    @property
    def name(self) -> str:
        return visible(display_name(self.path))

    def __len__(self) -> int:
        return len(self._places)

    def refresh(self) -> None:
        """Read the file if it has changed. Raises PgnError, and then keeps the earlier content."""
        stamp = self._stamp_now()
        if stamp is not None and stamp == self._stamp:
            return
        with open_input(self.path) as stream:
            games = list(read_games(stream))
        self._take(games, stamp)

    def _take(self, games: list[bytes], stamp: tuple[int, int] | None) -> None:
        """games: all games of the file; blank games get no number."""
        self._whole = games
        self._places = [place for place, game in enumerate(games) if game.strip()]
        self._list = [_listed(number, games[place]) for number, place in enumerate(self._places, 1)]
        self._stamp, self._digest = stamp, _digest(games)

    def _stamp_now(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None  # opening the file later reports the reason
        return status.st_mtime_ns, status.st_size

    def survey(self) -> Survey:
        """Return the survey of all games.

        The survey takes a few milliseconds per game, once for each version of the file.
        """
        from .survey import MOST_GAMES, Survey

        with self._surveying:
            if self._survey is None or self._survey[0] != self._digest:
                digest, survey = self._digest, Survey()
                for number in range(1, min(len(self), MOST_GAMES) + 1):
                    survey.add(number, self.game(number))
                self._survey = digest, survey
            return self._survey[1]

    def find(self, text: str, start: int = 0, outcome: str = "", *, by_swing: bool = False) -> dict[str, object]:
        """The games whose tags contain all words of the text, ``MOST_LISTED`` of them from ``start`` on.

        outcome: a result; "" for any result. by_swing: whether games with the largest loss of a move come first.
        """
        words = text.lower().split()
        found = [game for game in self._list if all(word in game.words for word in words)]
        if outcome:
            found = [game for game in found if game.tags["Result"] == outcome]
        swings: dict[int, float] = {}
        if by_swing:
            swings = self.survey().swings
            found.sort(key=lambda game: -swings.get(game.number, 0.0))
        return {
            "file": self.name,
            "path": visible(os.path.abspath(self.path)),
            "digest": self._digest,
            "total": len(self._list),
            "found": len(found),
            "games": [game.view(swings.get(game.number)) for game in found[start : start + MOST_LISTED]],
        }

    def game(self, number: int) -> bytes:
        """Return the text of a game. Raises ArgumentError for a number that is not in the file."""
        if not 1 <= number <= len(self._places):
            raise ArgumentError(f"expected the number of a game, 1 to {len(self._places)}, found {number}")
        return self._whole[self._places[number - 1]]

    def content(self) -> bytes:
        """Return the whole file, decompressed, as it was last read."""
        return b"".join(self._whole)

    @property
    def digest(self) -> str:
        """A digest of the file's content when it was last read."""
        return self._digest

    def save(self, number: int, game: bytes, digest: str) -> None:
        """Write a game in place of the one with this number; the old file is kept under its name with ``~`` appended.

        digest: the digest of the file from which the game was read. Raises EngineUseError if the file has changed
        since then, and PgnError if it cannot be read or written.
        """
        with self._saving, alone_in(os.path.dirname(os.path.abspath(self.path))):
            self.refresh()
            if digest != self._digest:
                raise EngineUseError(
                    f"not saved: {self.name} has changed since this game was read; copy your game as PGN, then reload"
                )
            self.game(number)  # raises an error for a number that is not in the file
            games = list(self._whole)
            games[self._places[number - 1]] = game
            _keep_old(self.path)
            with open_output(self.path) as stream:
                for each in games:
                    stream.write(each)
            self._take(games, self._stamp_now())


@contextlib.contextmanager
def alone_in(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Hold back every other save in this folder, in any program.

    Raises PgnOutputError if another save does not end in time.
    """
    until, handle = time.monotonic() + _PATIENCE_S, -1
    try:
        while True:
            try:
                handle = open_folder(folder) if handle < 0 else handle
                lock(handle)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise PgnOutputError(
                        f"not saved: another program saves in {shown_path(os.fspath(folder))}"
                    ) from None
                time.sleep(_LOOK_S)
            except OSError:  # the file system has no locks; the write below reports all other errors
                break
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def _digest(games: list[bytes]) -> str:
    found = hashlib.sha256()
    for game in games:
        found.update(game)
    return found.hexdigest()


def _keep_old(path: str) -> None:
    """Copy the file to the same name with ``~`` appended."""
    kept = f"{path}~"
    try:
        with open(path, "rb") as old, new_file(kept) as copy:
            shutil.copyfileobj(old, copy)
    except OSError as error:
        raise PgnOutputError(f"cannot write {shown_path(kept)}: {error.strerror}") from None


def _listed(number: int, game: bytes) -> Listed:
    tags = tags_of(game)
    shown = {name: visible(tags.get(name, "")) for name in _LISTED}
    shown["Result"] = _result(tags.get("Result", ""), game)
    return Listed(number, shown, " ".join(shown.values()).lower())


def _result(given: str, game: bytes) -> str:
    """Return the result of the game in the tag, otherwise the result at the end of the moves."""
    from ...archive.scorer import Scorer, given_result

    return given_result(given.encode()) or Scorer().score(game, 0, len(game)).result
