"""Analysts in processes of their own, so that none waits for another one's Python.

The foreman hands out parts of games, and the workers send back what they find. Workers are forked before anything else
has started a thread; they know the games from then on, and only numbers go through the pipes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection, wait

from ..errors import StandstillError
from .analysis import Analyst, Part, joined, parts
from .engines import EngineError, Setup
from .journal import Journal
from .judging import Position, Style
from .source import Game

_PATIENCE_S = 3.0  # for a worker to put away its engine
_TICK, _FOUND, _FAILED = range(3)


class Crew:
    """A number of workers; used as a context, at whose end they are gone."""

    def __init__(self, games: Sequence[Game], setup: Setup, style: Style, workers: int):
        """games: all that parts may be of."""
        self._context = multiprocessing.get_context("fork")
        self._known = ({game.number: game for game in games}, setup, style)
        self._workers = workers
        self._processes: dict[Connection, multiprocessing.Process] = {}

    def __enter__(self) -> Crew:
        # An interrupt from the keyboard reaches all of the group, and only the foreman answers it.
        old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(self._workers):
                ours, theirs = self._context.Pipe()
                # A child has copies of the ends that exist, and nobody would see that the foreman is gone.
                foreign = [*self._processes, ours]
                process = self._context.Process(target=_work, args=(theirs, foreign, *self._known), daemon=True)
                process.start()
                theirs.close()
                self._processes[ours] = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)
        return self

    def __exit__(self, kind: type | None, *_exception: object) -> None:
        for connection, process in self._processes.items():
            connection.close()  # who waits for work leaves
            if kind is not None:
                process.terminate()
        for process in self._processes.values():
            process.join(_PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()

    def run(
        self, parts: Sequence[Part], take: Callable[[Part, list[Position]], None], progress: Callable[[], None]
    ) -> None:
        """Have all parts analysed, begun in this order.

        take: gets what was found, part by part. progress: called for each position.

        Raises the first error of a worker.
        """
        todo = iter(parts)
        at_work = {}

        def give(connection: Connection) -> None:
            part = next(todo, None)
            if part is None:
                at_work.pop(connection, None)
                connection.close()  # the worker puts away its engine while the others go on
            else:
                at_work[connection] = part
                connection.send(part)

        try:
            for connection in self._processes:
                give(connection)
            while at_work:
                for connection in wait(list(at_work)):
                    kind, value = connection.recv()
                    if kind == _TICK:
                        progress()
                    elif kind == _FAILED:
                        raise EngineError(value)
                    else:
                        take(at_work[connection], value)
                        give(connection)
        except (EOFError, ConnectionError):
            raise EngineError("an engine's process has ended without a word") from None


def analyse(  # noqa: PLR0917
    games: Sequence[Game],
    setup: Setup,
    style: Style,
    journal: Journal,
    workers: int,
    progress: Callable[[], AbstractContextManager[Callable[[], None]]],
) -> dict[int, list[Position]]:
    """Evaluate what is not in the journal yet, and return the positions of each game with moves by its number.

    progress: makes a context whose value is called after each position.
    Raises the first error of a worker; what was found until then is in the journal.
    """
    games = [game for game in games if game.plies]
    cut = {game.number: parts(game) for game in games}
    todo = [part for pieces in cut.values() for part in pieces if part not in journal.found]
    # The longest first, so that what one worker does alone in the end is short.
    todo.sort(key=lambda part: part.size, reverse=True)
    if todo:
        with Crew(games, setup, style, min(workers, len(todo))) as crew, progress() as tick:
            crew.run(todo, journal.add, tick)
    return {number: joined(journal.found[part] for part in pieces) for number, pieces in cut.items()}


class _StoppedError(BaseException):
    """The foreman does not want to know any more."""


def _work(
    connection: Connection, foreign: list[Connection], games: dict[int, Game], setup: Setup, style: Style
) -> None:
    """A worker's life: take a part, send what is found, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for end in foreign:
        end.close()

    def tick() -> None:
        connection.send((_TICK, None))

    analyst = None
    # A foreman who has gone needs no message.
    with contextlib.suppress(EOFError, ConnectionError, _StoppedError):
        try:
            while True:
                part = connection.recv()
                analyst = analyst or Analyst(setup, style)
                found = analyst.positions(games[part.game].movetext, part, tick)
                connection.send((_FOUND, found))
        except StandstillError as error:
            connection.send((_FAILED, str(error)))
        except EOFError:
            done, analyst = analyst, None
            if done is not None:
                done.close()
        finally:
            if analyst is not None:
                analyst.kill()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it has come to an end anyway


def _stop(_signal: int, _frame: object) -> None:
    raise _StoppedError
