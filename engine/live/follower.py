"""Follows a source and reports what happened: a game begins, a move, a take-back, an end, a failure, a recovery.

Writers of running games are not atomic: for a moment a file may be empty, hold half of the game, or be missing. So a
text that only continues the game counts at once; every other change counts when the text has not changed for
``SETTLE_S``. Moves may come faster than that, so another game also counts if it has only grown for ``SETTLE_S``. A text
with only the first moves of the same game needs ``BEGIN_S``, because a program may still be rewriting the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..common.errors import StandstillError
from ..common.text import visible
from ..rmobility.scoring import Terms
from .game import LiveGame
from .reading import Choice, NoGame, Snapshot, snapshot
from .sources import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..archive.questions import Questions
    from .sources import Source

SETTLE_S = 0.3
BEGIN_S = 0.9  # less than the time between two requests to a server
GAME, MOVE, BACK, END, FAULT, GOOD = "game", "move", "back", "end", "fault", "good"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened. view: the game after it (``LiveGame.view``), {} without a game. text: a fault in words."""

    kind: str
    view: dict[str, object]
    text: str = ""

    def as_json(self) -> dict[str, object]:
        """The event as one object; ``error`` is the fault or null."""
        return {"kind": self.kind, "error": self.text or None, **self.view}


class Follower:
    """Reads a source repeatedly. ``step`` must be called every ``source.every_s`` seconds."""

    def __init__(self, source: Source, questions: Questions, choice: Choice | None = None, terms: Terms | None = None):
        self.source = source
        self.game: LiveGame | None = None
        self.fault = ""  # the reported fault; "" while the source works
        self._questions = questions
        self._choice = choice or Choice()
        self._terms = terms or Terms()
        self._text: bytes | None = None
        self._changed_s = 0.0
        self._is_settled = True
        self._fault_since: float | None = None
        self._other: Snapshot | None = None  # how another game looked when it was first seen, and the time
        self._other_since = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the source has ended and everything in it was reported."""
        return self.source.is_over and self._is_settled

    def step(self, now_s: float) -> list[Event]:
        """Read the source and return the events. now_s: any clock that only moves forward."""
        try:
            text = self.source.read()
        except SourceError as error:
            return self._failed(str(error), now_s)
        if text is not None:
            self._text, self._changed_s, self._is_settled = text, now_s, False
        if self._text is None or self._is_settled:
            return [] if self._text is None or self._fault_since is None else self._read(now_s, whole=True)
        whole = self.source.is_over or (text is None and now_s - self._changed_s >= SETTLE_S)
        self._is_settled = whole
        return self._read(now_s, whole=whole)

    def _failed(self, text: str, now_s: float) -> list[Event]:
        """Report a fault that lasts."""
        if self._fault_since is None:
            self._fault_since = now_s
        if text == self.fault or now_s - self._fault_since < self.source.patience_s:
            return []
        self.fault = text
        return [Event(FAULT, self._view(), visible(text))]

    def _works(self) -> list[Event]:
        self._fault_since = None
        if not self.fault:
            return []
        self.fault = ""
        return [Event(GOOD, self._view())]

    def _view(self) -> dict[str, object]:
        return {} if self.game is None else self.game.view()

    def _read(self, now_s: float, *, whole: bool) -> list[Event]:
        assert self._text is not None
        try:
            found = snapshot(self._text, self._choice, whole=whole)
            if not whole and not self._counts(found, now_s):
                return []
            self._other = None
            good = [] if found.note else self._works()
            events = self._accept(found)
        except NoGame as error:
            return self._failed(f"{self.source.name}: {error}", now_s) if whole else []
        except StandstillError as error:  # a position or variant that cannot be set up
            return self._failed(f"{self.source.name}: {error}", now_s) if whole else []
        if whole and found.note:
            return [*events, *self._failed(f"{self.source.name}: {found.note}", now_s)]
        return [*good, *events]

    def _counts(self, found: Snapshot, now_s: float) -> bool:
        """Whether to accept a text that may still change."""
        game = self.game
        if game is None or _continues(game, found):
            return True
        if self._other is None or not _grows(self._other, found):
            self._other, self._other_since = found, now_s
            return False
        return now_s - self._other_since >= (BEGIN_S if _grows(found, game.snapshot) else SETTLE_S)

    def _accept(self, found: Snapshot) -> list[Event]:
        """Adopt the snapshot and return the events that describe the difference."""
        game = self.game
        if game is None or _is_other(game, found):
            self.game = LiveGame(found, self._questions, self._terms)
            return [Event(GAME, self.game.view()), *self._end()]
        before, was_over = game.moves, game.view()["result"]
        if not _begins_with(found.moves, before):
            self.game = LiveGame(found, self._questions, self._terms)
            return [Event(BACK, self.game.view()), *self._end()]
        events = [Event(MOVE, view) for view in _steps(game, found)]
        if events or game.view()["result"] != was_over:
            # If only the result has changed, the game has ended, or has been reopened and is without a result again.
            events += self._end() or ([] if events else [Event(BACK, game.view())])
        return events

    def _end(self) -> list[Event]:
        view = self._view()
        return [Event(END, view)] if view["result"] != "*" else []


def _steps(game: LiveGame, found: Snapshot) -> list[dict[str, object]]:
    """Add the new moves one by one, and return the view after each move, as if the game went on."""
    views = []
    for count in range(len(game.moves) + 1, len(found.moves) + 1):
        game.grow(found.until(count))
        views.append(game.view())
    game.grow(found)
    return views


def _begins_with(moves: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return moves[: len(start)] == start


def _is_other(game: LiveGame, found: Snapshot) -> bool:
    """Whether this is another game: it has other tags, begins with other moves, or has begun again after its end."""
    before = game.snapshot
    if before.identity != found.identity or before.fen != found.fen:
        return True
    if _begins_with(found.moves, game.moves):
        return False
    is_restart = before.result != "*" and found.result == "*"
    shares = bool(found.moves) and bool(game.moves) and found.moves[0] == game.moves[0]
    return is_restart or (bool(found.moves) and not shares) or (not found.moves and len(game.moves) > 1)


def _continues(game: LiveGame, found: Snapshot) -> bool:
    """Whether the snapshot only adds to the game, so that it can count at once."""
    return _grows(game.snapshot, found) and game.snapshot.result in ("*", found.result)


def _grows(before: Snapshot, found: Snapshot) -> bool:
    """Whether the snapshot has the same game with the same moves, and perhaps more."""
    is_same = before.identity == found.identity and before.fen == found.fen
    return is_same and _begins_with(found.moves, before.moves)
