"""Analyses of whole games for the page Study, in the background: they continue when the page is reloaded or closed.

The findings are those of ``annotate``. The findings are kept under a digest of the game's moves in the user's data
folder. They appear beside the evaluations of the file until the user removes them, and one edit writes them into the
game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from ... import NAME, VERSION
from ...annotate.analysis import Analyst, joined, parts
from ...annotate.attribution import Attribution, of_engine
from ...annotate.engines import Setup
from ...annotate.journal import position_of, values_of
from ...annotate.movetext import Movetext
from ...annotate.replay import PlayedMove, Position
from ...annotate.run import annotated
from ...annotate.source import SourceGame
from ...annotate.verdicts import JudgedPosition, Style
from ...common.errors import ArgumentError, EngineUseError, StandstillError
from ..puzzles.finding import digest_of, marks_of
from ..puzzles.progress import Progress

TIMES_S = (0.1, 0.3, 1.0, 3.0)  # times for a position from which a page can choose
VARIATION = 8  # maximum number of half-moves of a better line that is written into the game
_FOUND, _MARKS = "evaluations", "game"  # kinds of findings
_END_S = 10.0  # maximum time to wait for the end of an analysis


@dataclass(slots=True)
class Evaluated:
    """The findings about a game, also while the engine is at work. done: the number of positions that are evaluated.

    day: the day on which the analysis began, such as ``2026-11-30``; empty in analyses of earlier versions.
    """

    engine: str
    limit: str
    day: str
    positions: list[JudgedPosition]
    done: int
    is_running: bool = False

    def attribution(self, x05: float | None) -> Attribution:
        return of_engine(self.engine, self.limit, self.day, x05)

    @property
    def is_whole(self) -> bool:
        return self.done >= len(self.positions)

    def view(self) -> dict[str, object]:
        return {
            "done": self.done,
            "of": len(self.positions),
            "running": self.is_running,
            "engine": self.engine,
            "limit": self.limit,
        }


@dataclass(slots=True)
class Work:
    """An analysis under way. heard: a function that is called in the thread of the analysis after each change.

    waiting: what the engine is being waited for; "" while it answers in time. is_dropped: whether the findings
    are dropped at the end of the analysis, because an earlier analysis has found more.
    """

    digest: str
    found: Evaluated
    is_stopped: bool = False
    is_dropped: bool = False
    waiting: str = ""
    problem: str = ""
    heard: list[Callable[[], None]] = field(default_factory=list)
    thread: threading.Thread | None = None

    def tell(self) -> None:
        for each in tuple(self.heard):
            each()


class _Follower(Analyst):
    """An analyst that reports each position at once.

    take: a function that is called with the index of the position and its findings.

    known: positions that need no search, by their indices.
    """

    def __init__(self, setup: Setup, work: Work, take: Callable[[int, JudgedPosition], None]):
        """Start the engine, until the work is stopped."""
        super().__init__(setup, Style(), lambda text: _wait(work, text), lambda: not work.is_stopped)
        self._take = take
        self.known: dict[int, JudgedPosition] = {}

    def _position(self, game: Movetext, board: Position, index: int, move: PlayedMove | None) -> JudgedPosition:
        known = self.known.get(index)
        found = super()._position(game, board, index, move) if known is None else known
        self._take(index, found)
        return found


class WholeGames:
    """The analyses of whole games: the running one, and stored ones. Several threads may call the methods."""

    def __init__(self, progress: Progress | None = None):
        self._progress = Progress() if progress is None else progress
        self._lock = threading.Lock()
        self._work: Work | None = None
        self._known: dict[str, Evaluated | None] = {}

    @property
    def is_busy(self) -> bool:
        return self._work is not None

    def of(self, source: SourceGame) -> Evaluated | None:
        """Return what is known about a readable game; None without an analysis."""
        digest = digest_of(source)
        with self._lock:
            if self._work is not None and self._work.digest == digest:
                return self._work.found
            return self._stored(digest, source)

    def _stored(self, digest: str, source: SourceGame) -> Evaluated | None:
        """Return the findings of the last analysis that was kept. The caller holds the lock."""
        if digest not in self._known:
            self._known[digest] = _of_json(self._progress.finding(_FOUND, digest), source)
        return self._known[digest]

    def join(self, source: SourceGame) -> Work:
        """Return the running analysis of a readable game, otherwise its stored findings as a finished analysis."""
        digest = digest_of(source)
        with self._lock:
            if self._work is not None and self._work.digest == digest:
                return self._work
            found = self._stored(digest, source)
        return Work(digest, found or Evaluated("", "", "", [], 0), is_dropped=found is None)

    def begin(self, source: SourceGame, setup: Setup) -> Work:
        """Analyse a game, or join its analysis if this analysis is running.

        A stopped analysis continues with the same setup.

        Raises EngineUseError during the analysis of another game, and ArgumentError for a game without moves.
        """
        from .foreign import name_of

        if not source.plies:
            raise ArgumentError("expected a game with moves to analyse")
        if setup.command:
            source.refuse_unless_chess()
        digest = digest_of(source)
        with self._lock:
            if self._work is not None:
                if self._work.digest == digest:
                    return self._work
                raise EngineUseError("another game is being analysed: wait for it, or stop it")
            positions = [JudgedPosition() for _ in range(source.plies + 1)]
            name = name_of(setup.command) if setup.command else f"{NAME} {VERSION}"  # until the engine gives its own
            work = Work(digest, Evaluated(name, setup.limit(), date.today().isoformat(), positions, 0, is_running=True))
            work.waiting = f"{name} is starting"
            work.thread = threading.Thread(target=self._run, args=(work, source, setup), daemon=True)
            self._work = work
        work.thread.start()
        return work

    def _started(self, work: Work, source: SourceGame, setup: Setup) -> _Follower:
        """Start the engine, with the findings of an earlier analysis that can continue."""
        analyst = _Follower(setup, work, lambda index, found: _take(work, index, found))
        work.found.engine = analyst.engine_name
        with self._lock:
            earlier = self._stored(work.digest, source)
        if earlier is not None and not earlier.is_whole and _is_alike(earlier, work.found):
            analyst.known = {index: each for index, each in enumerate(earlier.positions) if each.best is not None}
        _wait(work, "")
        return analyst

    def _run(self, work: Work, source: SourceGame, setup: Setup) -> None:
        found, analyst = work.found, None
        try:
            analyst = self._started(work, source, setup)
            for part in reversed(parts(source)):
                analyst.positions(source.movetext, part, lambda: _continue(work))
        except StandstillError as error:
            work.problem = "" if work.is_stopped else str(error)
            found.done = min(found.done, source.plies)  # the depths of moves may be missing even after all positions
        finally:
            if analyst is not None:
                analyst.close()
            try:
                self._keep(work, source)
            except StandstillError as error:
                work.problem = str(error)
            found.is_running = False
            with self._lock:
                self._work = None
            work.tell()

    def _keep(self, work: Work, source: SourceGame) -> None:
        """Keep the findings, unless the analysis was stopped before it had found more than an earlier one."""
        found = work.found
        found.positions = joined([found.positions])
        with self._lock:
            earlier = self._stored(work.digest, source)
            work.is_dropped = not found.is_whole and found.done <= (0 if earlier is None else earlier.done)
            if work.is_dropped:
                return
            self._known[work.digest] = found
        self._progress.keep(_FOUND, work.digest, _as_json(found))
        if found.is_whole:
            marks = {str(index): is_mistake for index, is_mistake in marks_of(source, found.positions).items()}
            self._progress.keep(_MARKS, work.digest, marks)  # so that the page Puzzles need not analyse the game again

    def stop(self, source: SourceGame) -> None:
        """End the analysis of a game. The findings are kept, unless an earlier analysis has found more."""
        work = self._work
        if work is not None and work.digest == digest_of(source):
            self._end(work)

    def forget(self, source: SourceGame) -> None:
        """Remove the findings about a game."""
        digest = digest_of(source)
        self._progress.forget(_FOUND, digest)
        with self._lock:
            self._known[digest] = None

    def close(self) -> None:
        """End the analysis that is running."""
        if self._work is not None:
            self._end(self._work)

    def _end(self, work: Work) -> None:
        work.is_stopped = True
        if work.thread is not None:
            work.thread.join(_END_S)


def written(source: SourceGame, found: Evaluated) -> bytes:
    """Return a game with the evaluations, symbols and better lines that ``annotate`` writes. Signs by people remain."""
    style = Style(write_eval=True, variation=VARIATION, keep_signs=True)
    return annotated(source, found.positions, found.attribution(None), style).text.encode("latin-1")


def _wait(work: Work, text: str) -> None:
    """Tell the pages what the engine is being waited for, without the command that the text names first."""
    work.waiting = text and f"{work.found.engine}: {text.rpartition(': ')[2]}"
    work.tell()


def _take(work: Work, index: int, found: JudgedPosition) -> None:
    work.waiting = ""
    work.found.positions[index] = found
    after = work.found.positions[index + 1] if index + 1 < len(work.found.positions) else None
    if found.played is None and found.best is not None and after is not None:
        found.played = after.best
    work.found.done += 1
    work.tell()


def _continue(work: Work) -> None:
    if work.is_stopped:
        raise EngineUseError("the analysis was stopped")


def _is_alike(one: Evaluated, other: Evaluated) -> bool:
    """Return whether both analyses are by the same engine with the same limit."""
    return (one.engine, one.limit) == (other.engine, other.limit)


def _as_json(found: Evaluated) -> dict[str, object]:
    positions = [values_of(position) for position in found.positions]
    told = {"engine": found.engine, "limit": found.limit, "day": found.day}
    return {**told, "positions": positions, "done": found.done}


def _of_json(data: object, source: SourceGame) -> Evaluated | None:
    """Read the findings that were kept; a damaged entry counts as no findings, because the analysis can be repeated."""
    try:
        assert isinstance(data, dict)
        positions = [position_of(values) for values in data["positions"]]
        done = int(data.get("done", len(positions)))
        found = Evaluated(str(data["engine"]), str(data["limit"]), str(data.get("day", "")), positions, done)
    except (AssertionError, KeyError, TypeError, ValueError):
        return None
    return found if len(positions) == source.plies + 1 else None
