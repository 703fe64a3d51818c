"""The puzzles of one file of games, with the user's progress on each."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from ...annotate.source import SourceGame
from ...common.errors import EngineUseError, StoreError
from ..study.library import Library
from .checking import Checked, Checker, analysed
from .finding import Game, digest_of, puzzles_of
from .progress import Progress
from .puzzle import KINDS, MOVE, SIDE, Puzzle
from .spacing import Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_GAMES = 1000  # maximum number of games read from a file; the first reading of a game takes some 20 ms
NEW_A_DAY = 20  # number of new puzzles a day
DAYS_AHEAD = 7
_MOST_CHECKS = 6  # maximum number of engine searches for one request; each search takes about half a second
_CHECKED, _ANALYSED = "puzzle", "game"  # kinds of findings
OWN, OTHERS, BOTH = WHOSE = ("own", "others", "both")


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of puzzles. player: "" for all. whose: positions with this player to move, with the opponent, or both.

    level: None for all.
    """

    player: str = ""
    whose: str = OWN
    kinds: tuple[str, ...] = KINDS
    level: int | None = None

    def takes(self, puzzle: Puzzle) -> bool:
        """Does the choice include the puzzle, whatever its level?"""
        if puzzle.kind not in self.kinds:
            return False
        if not self.player:
            return True
        if self.player not in (puzzle.origin.white, puzzle.origin.black):
            return False
        return puzzle.kind == SIDE or self.whose == BOTH or (puzzle.solver == self.player) == (self.whose == OWN)


@dataclass(frozen=True, slots=True)
class Next:
    """The next puzzle.

    puzzle: None if no puzzle is left for today, or if the engine has to check more puzzles first.
    """

    puzzle: Puzzle | None
    is_checking: bool = False


class Deck:
    """All puzzles of a file. Methods may be called from several threads."""

    def __init__(self, library: Library, progress: Progress | None = None):
        self.library = library
        self.progress = Progress() if progress is None else progress
        self.checker = Checker()
        self._lock = threading.RLock()
        self._digest = ""
        self._games: dict[int, Game] = {}
        self._puzzles: dict[str, Puzzle] = {}
        self._checked: dict[str, Checked] = {}
        self._analysed = 0  # number of analysed games at the last refresh
        self._is_closed = False

    def close(self) -> None:
        """End the analyses that are running."""
        self._is_closed = True
        self.checker.close()

    # ---- the puzzles ----

    def refresh(self) -> None:
        """Read the file if it has changed, and games that the page Study has analysed since the last call.

        Raises PgnError, and StoreError if the progress cannot be read.
        """
        with self._lock:
            self.library.refresh()
            count = self.progress.count(_ANALYSED)
            if self.library.digest != self._digest:
                games = self._games_of(range(1, min(len(self.library), MOST_GAMES) + 1))
                self._checked = self._kept()
                self._take(games, self.library.digest)
            elif count != self._analysed and self.unjudged:
                self._take({**self._games, **self._games_of(self.unjudged)}, self._digest)
            self._analysed = count

    def _games_of(self, numbers: Iterable[int]) -> dict[int, Game]:
        known = self.progress.findings(_ANALYSED)
        games = ((number, self._read(number, known)) for number in numbers)
        return {number: game for number, game in games if game is not None}

    def _read(self, number: int, known: dict[str, object]) -> Game | None:
        raw = self.library.game(number)
        found = puzzles_of(number, raw)
        if found is None or found.is_judged or not known:
            return found
        marks = known.get(digest_of(SourceGame(number, raw)))
        return puzzles_of(number, raw, _marks(marks)) if isinstance(marks, dict) else found

    def _take(self, games: dict[int, Game], digest: str) -> None:
        self._games, self._digest = games, digest
        self._puzzles = {}
        for game in games.values():
            for puzzle in game.puzzles:
                self._puzzles.setdefault(puzzle.id, puzzle)

    def _kept(self) -> dict[str, Checked]:
        found = {}
        for name, data in self.progress.findings(_CHECKED).items():
            try:
                found[name] = Checked.of_json(data)
            except (TypeError, ValueError, KeyError):
                raise StoreError(
                    f"{self.progress.path}: the progress of puzzles is damaged (finding {name!a}); "
                    "move the file away to start over"
                ) from None
        return found

    def find(self, name: str) -> Puzzle | None:
        return self._puzzles.get(name)

    def checked(self, puzzle: Puzzle) -> Checked:
        """Return the engine's findings about a puzzle of the kind ``move``, and store them if they are new."""
        found = self._checked.get(puzzle.id)
        if found is None:
            found = self.checker.check(puzzle)
            self.progress.keep(_CHECKED, puzzle.id, found.as_json())
            self._checked[puzzle.id] = found
        return found

    def level(self, puzzle: Puzzle) -> int | None:
        """The level of difficulty of a puzzle; None while the engine has not checked it."""
        if puzzle.kind != MOVE:
            return puzzle.level
        found = self._checked.get(puzzle.id)
        return None if found is None else found.level

    def is_open(self, puzzle: Puzzle) -> bool:
        """Whether the engine still has to check the puzzle."""
        return puzzle.kind == MOVE and puzzle.id not in self._checked

    def chosen(self, choice: Choice) -> list[Puzzle]:
        """The puzzles of a choice in the order of the games, without those that the engine or the user refuses."""
        dropped = self.progress.dropped()
        fit = [puzzle for puzzle in list(self._puzzles.values()) if self._fits(puzzle, choice)]
        return [puzzle for puzzle in fit if puzzle.id not in dropped]

    def _fits(self, puzzle: Puzzle, choice: Choice) -> bool:
        if not choice.takes(puzzle):
            return False
        if self.is_open(puzzle):
            return True
        if puzzle.kind == MOVE and self._checked[puzzle.id].refused:
            return False
        return choice.level is None or self.level(puzzle) == choice.level

    def check_all(self, choice: Choice) -> Iterator[tuple[int, int]]:
        """Let the engine check a choice's puzzles. Yields (number checked, number of all)."""
        waiting = [puzzle for puzzle in self.chosen(choice) if self.is_open(puzzle)]
        for done, puzzle in enumerate(waiting):
            yield done, len(waiting)
            self.checked(puzzle)
        yield len(waiting), len(waiting)

    # ---- games without evaluations ----

    @property
    def unjudged(self) -> list[int]:
        """The numbers of the games that have moves, but neither evaluations nor signs."""
        return [number for number, game in self._games.items() if not game.is_judged and game.moves]

    def analyse(
        self, number: int, progress: Callable[[], None] = lambda: None, is_left: threading.Event | None = None
    ) -> None:
        """Analyse a game without evaluations, which takes some seconds, and store the findings.

        progress: a function that is called after each position. is_left: an event; when it is set, the analysis ends
        without a result. Raises EngineError, and EngineUseError if ``is_left`` ended the analysis.
        """

        def tick() -> None:
            if self._is_closed or (is_left is not None and is_left.is_set()):
                raise EngineUseError("the analysis was ended")
            progress()

        raw = self.library.game(number)
        source = SourceGame(number, raw)
        marks = analysed(source, tick)
        kept = {str(index): is_mistake for index, is_mistake in marks.items()}
        self.progress.keep(_ANALYSED, digest_of(source), kept)
        found = puzzles_of(number, raw, marks)
        with self._lock:
            if found is not None and self._games.get(number) is not None and self.library.game(number) == raw:
                self._take({**self._games, number: found}, self._digest)

    def plies(self, number: int) -> int:
        """The number of positions that ``analyse`` evaluates."""
        return self._games[number].moves + 1

    # ---- what comes now ----

    def next(self, choice: Choice, today: date, skipped: tuple[str, ...] = (), *, extra: bool = False) -> Next:
        """Return the next puzzle: first puzzles that are due, then new ones, then puzzles answered wrongly today.

        skipped: ids of puzzles to put last. extra: whether to continue with the puzzles seen least recently when
        nothing is left for today.
        """
        cards = self.progress.cards()
        begun, _, _ = self.progress.day(today)
        queue = self._queue(self.chosen(choice), cards, today, NEW_A_DAY - begun, extra=extra)
        queue.sort(key=lambda puzzle: skipped.index(puzzle.id) + 1 if puzzle.id in skipped else 0)
        checks = 0
        for puzzle in queue:
            if self.is_open(puzzle):
                if checks == _MOST_CHECKS:
                    return Next(None, is_checking=True)
                checks += 1
                self.checked(puzzle)
            if self._fits(puzzle, choice):
                return Next(puzzle)
        return Next(None)

    @staticmethod
    def _queue(
        puzzles: list[Puzzle], cards: dict[str, Card], today: date, most_new: int, *, extra: bool
    ) -> list[Puzzle]:
        known = [(puzzle, card) for puzzle in puzzles if (card := cards.get(puzzle.id)) is not None]
        new = [puzzle for puzzle in puzzles if puzzle.id not in cards]
        due = [(puzzle, card) for puzzle, card in known if card.is_due(today)]
        again = [puzzle for puzzle, card in due if card.again and card.last == today]
        queue = [puzzle for puzzle, card in sorted(due, key=lambda each: each[1].due or today)]
        queue = [puzzle for puzzle in queue if puzzle not in again]
        # All new puzzles are queued, because ``next`` skips those that the engine rejects.
        queue += new if most_new > 0 or extra else []
        queue += again
        if extra:
            rest = [(puzzle, card) for puzzle, card in known if not card.is_due(today)]
            queue += [puzzle for puzzle, card in sorted(rest, key=lambda each: each[1].last or today)]
        return queue

    # ---- overview ----

    def overview(self, choice: Choice, today: date) -> dict[str, object]:
        """The progress of the user with the puzzles of a choice."""
        cards, puzzles = self.progress.cards(), self.chosen(choice)
        begun, seen, solved = self.progress.day(today)
        known = [card for puzzle in puzzles if (card := cards.get(puzzle.id)) is not None]
        learnt = sum(card.is_learnt for card in known)
        new = len(puzzles) - len(known)
        ahead = [today + timedelta(days) for days in range(DAYS_AHEAD)]
        coming = Counter(today if card.again else max(today, card.due) for card in known if card.due is not None)
        return {
            "total": len(puzzles),
            "unchecked": sum(self.is_open(puzzle) for puzzle in puzzles),
            "new": new,
            "learning": len(known) - learnt,
            "learnt": learnt,
            "due": sum(card.is_due(today) for card in known),
            "begin": max(0, min(new, NEW_A_DAY - begun)),
            "today": {"seen": seen, "solved": solved},
            "coming": [{"day": day.isoformat(), "count": coming[day]} for day in ahead],
        }

    def players(self) -> list[dict[str, object]]:
        """The players of the file, those with most games first."""
        games: Counter[str] = Counter()
        for game in self._games.values():
            games.update({game.origin.white, game.origin.black} - {""})
        return [
            {"name": name, "games": count}
            for name, count in sorted(games.items(), key=lambda each: (-each[1], each[0]))
        ]

    @property
    def unread(self) -> int:
        """The number of games that cannot be read, among the first ``MOST_GAMES``."""
        return min(len(self.library), MOST_GAMES) - self.size

    def faults(self) -> Iterator[tuple[int, str]]:
        """The games that cannot be read, each with its number and the reason."""
        for number in range(1, min(len(self.library), MOST_GAMES) + 1):
            if number not in self._games:
                yield number, SourceGame(number, self.library.game(number)).fault or ""

    @property
    def size(self) -> int:
        """The number of games that were read."""
        return len(self._games)


def _marks(data: dict[str, object]) -> dict[int, bool]:
    return {int(index): bool(is_mistake) for index, is_mistake in data.items() if index.isdecimal()}
