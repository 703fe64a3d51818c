"""Runs analysts in separate processes, so that they do not share a GIL.

The main process distributes parts of games, and the workers send back their findings. Workers begin before the process
starts threads. Workers inherit the games from the main process, so that only part numbers and findings pass through
the pipes.
"""

from __future__ import annotations

import contextlib
import signal
import uuid
from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from ..common.errors import EngineError, StandstillError
from ..common.signals import LOOK_S
from ..system.processes import workers as worker_context
from ..system.signals import held_back, ignore_terminal, let_through
from .analysis import Analyst, Part, joined, parts
from .engines import Setup
from .journal import Journal
from .source import SourceGame
from .verdicts import JudgedPosition, Style

_PATIENCE_S = 10.0  # time allowed for a worker to close its engine; the engine's own limit is shorter
_TICK, _FOUND, _FAILED, _NAMED, _WAITS = range(5)


class Progress(Protocol):
    """Shows the user how far a run has come."""

    def advance(self) -> None:
        """Count a finished position."""

    def waits(self, text: str) -> None:
        """Show which engine keeps the run waiting, until the next position is finished."""


class Workers:
    """Worker processes, and a context manager that ends them."""

    def __init__(self, games: Sequence[SourceGame], setup: Setup, style: Style, workers: int):
        """games: all games whose parts ``run`` may receive."""
        self._context = worker_context()
        self._known = ({game.number: game for game in games}, setup, style)
        self._workers = workers
        self._processes: dict[Any, BaseProcess] = {}

    def __enter__(self) -> Workers:
        # Signals from the keyboard and the terminal reach the whole process group, and only the main process handles
        # them. The signals are blocked until each worker has installed its handlers.
        with held_back():
            for _ in range(self._workers):
                ours, theirs = self._context.Pipe()
                # A forked child inherits the open ends of the pipes. Unless the child closes these ends, no worker
                # notices that the main process has ended.
                foreign = [*self._processes, ours] if self._context.get_start_method() == "fork" else []
                process = self._context.Process(target=_work, args=(theirs, foreign, *self._known), daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process
        return self

    def __exit__(self, kind: type | None, *_exception: object) -> None:
        for connection in self._processes:
            connection.close()  # the end of the pipe ends a worker that waits for work
        try:
            if kind is None:
                self._join()
        finally:
            for process in self._processes.values():
                process.terminate()  # the signal makes the worker kill its engine
            self._join()
            for process in self._processes.values():
                process.kill()
                process.join()

    def _join(self) -> None:
        for process in self._processes.values():
            process.join(_PATIENCE_S)

    def run(
        self,
        parts: Sequence[Part],
        take: Callable[[Part, list[JudgedPosition]], None],
        progress: Progress,
        name: Callable[[str], None],
    ) -> None:
        """Let the workers analyse all parts, starting in this order.

        take: a function that is called with each part and its findings. name: a function that is called with the name

        that each worker\'s engine reports.

        Raises the first error of a worker.
        """
        todo = iter(parts)
        at_work: dict[Any, Part] = {}

        def give(connection: Any) -> None:
            part = next(todo, None)
            if part is None:
                at_work.pop(connection, None)
                connection.close()  # the worker closes its engine while the other workers continue
            else:
                at_work[connection] = part
                connection.send(part)

        try:
            for connection in self._processes:
                give(connection)
            while at_work:
                ready: Any
                for ready in wait(list(at_work), LOOK_S):
                    kind, value = ready.recv()
                    if kind == _TICK:
                        progress.advance()
                    elif kind == _WAITS:
                        progress.waits(value)
                    elif kind == _NAMED:
                        name(value)
                    elif kind == _FAILED:
                        raise EngineError(value)
                    else:
                        take(at_work[ready], value)
                        give(ready)
        except (EOFError, ConnectionError):
            raise EngineError("an engine process exited unexpectedly") from None


def analyse(  # noqa: PLR0917
    games: Sequence[SourceGame],
    setup: Setup,
    style: Style,
    journal: Journal,
    workers: int,
    progress: Callable[[], AbstractContextManager[Progress]],
    executor: Executor | None = None,
) -> dict[int, list[JudgedPosition]]:
    """Evaluate the parts missing from the journal. Return the positions of each game with moves, by its number.

    progress: a function that creates a context with the display of the progress. executor: the executor of a cluster
    with ``workers`` workers, which is used instead of local processes.

    Raises the first error of a worker. The journal keeps the findings up to the error.
    """
    games = [game for game in games if game.plies]
    cut = {game.number: parts(game) for game in games}
    todo = [part for pieces in cut.values() for part in pieces if part not in journal.found]
    # The longest parts come first, so that the workers finish at about the same time.
    todo.sort(key=lambda part: part.size, reverse=True)
    if todo and executor is not None:
        with progress() as shown:
            _on_cluster(executor, {game.number: game for game in games}, (setup, style), todo, journal, shown)
    elif todo:
        with Workers(games, setup, style, min(workers, len(todo))) as team, progress() as shown:
            team.run(todo, journal.add, shown, journal.name)
    return {number: joined(journal.found[part] for part in pieces) for number, pieces in cut.items()}


def _on_cluster(  # noqa: PLR0917
    executor: Executor,
    games: dict[int, SourceGame],
    manner: tuple[Setup, Style],
    todo: list[Part],
    journal: Journal,
    progress: Progress,
) -> None:
    """Let any free worker of the cluster analyse each part, and write the findings into the journal as they arrive."""
    run = uuid.uuid4().hex
    under_way = {executor.submit(analyse_part, run, games[part.game].text, part, *manner): part for part in todo}
    while under_way:
        for future in futures.wait(under_way, LOOK_S, futures.FIRST_COMPLETED).done:
            name, found = future.result()
            journal.name(name)
            journal.add(under_way.pop(future), found)
            for _ in found:
                progress.advance()


# Engines of this program on a worker of a cluster, kept for the next part of the same run. A new engine allocates
# memory, which takes as long as ten short searches.
_waiting: list[tuple[str, Analyst]] = []


def analyse_part(run: str, text: str, part: Part, setup: Setup, style: Style) -> tuple[str, list[JudgedPosition]]:
    """Return the name that the engine reports, and its findings about a part of the game.

    run: a name for all parts with this setup and style. An external engine runs for this part alone, because after
    the last part nothing would end its process. Raises EngineError.
    """
    analyst = _waiting_analyst(run) or Analyst(setup, style)
    keep = False
    try:
        found = analyst.positions(SourceGame(part.game, text.encode("latin-1")).movetext, part)
        keep = not setup.command
    finally:
        if keep:
            _waiting.append((run, analyst))
        else:
            analyst.close()
    return analyst.engine_name, found


def _waiting_analyst(run: str) -> Analyst | None:
    """Return a waiting analyst of this run; None without one. Analysts of other runs are closed."""
    with contextlib.suppress(IndexError):  # another thread may take the last analyst
        while True:
            theirs, analyst = _waiting.pop()
            if theirs == run:
                return analyst
            analyst.close()
    return None


class _StoppedError(BaseException):
    """The main process stops the work."""


def _work(
    connection: Connection, foreign: list[Connection], games: dict[int, SourceGame], setup: Setup, style: Style
) -> None:
    """Run a worker: receive a part and send the findings, until no parts remain."""
    ignore_terminal()  # the main process handles signals from the terminal
    for end in foreign:
        end.close()
    stoppable = True

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stoppable
        if stoppable:
            stoppable = False
            raise _StoppedError

    def tick() -> None:
        connection.send((_TICK, None))

    def waits(text: str) -> None:
        connection.send((_WAITS, text))

    analyst = None
    try:
        signal.signal(signal.SIGTERM, stop)
        let_through()
        with contextlib.suppress(ConnectionError):  # the main process needs no message if it has ended
            try:
                while True:
                    part = connection.recv()
                    if analyst is None:
                        analyst = Analyst(setup, style, waits)
                        connection.send((_NAMED, analyst.engine_name))
                    found = analyst.positions(games[part.game].movetext, part, tick)
                    connection.send((_FOUND, found))
            except StandstillError as error:
                connection.send((_FAILED, str(error)))
            except EOFError:
                if analyst is not None:
                    analyst.close()
        stoppable = False
    except _StoppedError:
        pass
    if analyst is not None:
        analyst.kill()
