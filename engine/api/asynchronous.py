"""The engine as an object for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from standstill.engine.common.errors import EngineUseError
from standstill.limits import wanted
from standstill.playing import Engine
from standstill.searching import Line, Result, Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess.engine

    from standstill.arguments import AnyMove, Position
    from standstill.playing import OptionValue

P = ParamSpec("P")
R = TypeVar("R")

_THREADS = 2  # one thread makes the engine's calls, the other reads the lines of a search


class AsyncSearch:
    """A running search, as ``AsyncEngine.go`` returns it:

    ``Search`` for asyncio. Leaving its ``async with`` block ends it.

    >>> async def main():
    ...     async with standstill.AsyncEngine({"Hash": 1}) as engine, await engine.go() as search:
    ...         async for line in search:
    ...             if line.depth >= 3:
    ...                 search.stop()
    ...         return (await search.result()).move is not None
    >>> asyncio.run(main())
    True
    """

    def __init__(self, search: Search, threads: ThreadPoolExecutor):
        self._search = search
        self._threads = threads
        self._lines: asyncio.Queue[Line | None] = asyncio.Queue()
        self._ended = asyncio.Event()
        loop = asyncio.get_running_loop()

        def listen() -> None:
            """Pass the lines to the event loop. This function runs on a thread of its own."""
            try:
                for line in search:
                    loop.call_soon_threadsafe(self._lines.put_nowait, line)
                loop.call_soon_threadsafe(self._end)
            except RuntimeError:  # the event loop is closed, so no task is waiting
                search.cancel()

        threads.submit(listen)

    def _end(self) -> None:
        self._ended.set()
        self._lines.put_nowait(None)

    def __repr__(self) -> str:
        return repr(self._search).replace("Search", "AsyncSearch", 1)

    @property
    def running(self) -> bool:
        """Whether the search has neither ended nor been cancelled."""
        return self._search.running

    async def __aenter__(self) -> AsyncSearch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.cancel()

    async def __aiter__(self) -> AsyncIterator[Line]:
        """Yield the lines as they arrive, until the search ends.

        :returns: an asynchronous iterator of ``Line``.
        """
        while (line := await self._lines.get()) is not None:
            yield line
        self._lines.put_nowait(None)  # for the next task that iterates over the search

    def stop(self) -> None:
        """Stop the search. The result of the search is available soon after.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine, await engine.go() as search:
        ...         search.stop()
        >>> asyncio.run(main())
        """
        self._search.stop()

    async def cancel(self) -> None:
        """Stop the search, wait for its end, and discard the result. This does nothing if the search is over.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         search = await engine.go()
        ...         await search.cancel()
        ...         return search
        >>> asyncio.run(main())
        <standstill.AsyncSearch: cancelled>
        """
        await asyncio.to_thread(self._search.cancel)

    async def result(self) -> Result:
        """Wait for the end of the search. Cancelling the waiting task leaves the search running.

        :returns: the result.
        :raises EngineUseError: after ``cancel``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine, await engine.go(depth=2) as search:
        ...         return (await search.result()).lines[0].depth
        >>> asyncio.run(main())
        2
        """
        await self._ended.wait()
        return self._search.result()


class AsyncEngine:
    """An engine in this process for asyncio. Leaving its ``async with`` block ends its search and closes it.

    Its methods are those of ``Engine`` as coroutines, except that ``stop`` is an ordinary method. Only one search runs
    at a time. Cancelling a task that awaits ``play`` or ``analyse`` cancels the search.

    >>> async def main():
    ...     board = chess.Board()
    ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
    ...         result = await engine.play(board, chess.engine.Limit(depth=2))
    ...         board.push(result.move)
    ...     return board.ply(), engine
    >>> asyncio.run(main())
    (1, <standstill.AsyncEngine: chess, {'Hash': '1'}, closed>)
    """

    def __init__(self, options: Mapping[str, OptionValue] | None = None, *, variant: str = "chess"):
        """Create an engine.

        :param options: values by the names in docs/options.md; engine.ini is not read.
        :param variant: a name from ``variants.names``.
        :raises ConfigError: for an invalid option, or a network that cannot be used.
        :raises DefinitionError: for an unknown variant, or an unreadable file of definitions.
        :raises ArgumentError: for arguments of the wrong type.
        """
        self._engine = Engine(options, variant=variant)
        self._threads = ThreadPoolExecutor(_THREADS, "standstill")
        self._closed = False

    @property
    def options(self) -> dict[str, str]:
        """The options that were set, as a dict from names to texts."""
        return self._engine.options

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self._engine.variant

    @property
    def notices(self) -> tuple[str, ...]:
        """The messages since the start, such as the number of tables found, or that a book is unreadable."""
        return self._engine.notices

    def __repr__(self) -> str:
        return repr(self._engine).replace("Engine", "AsyncEngine", 1)

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _obeyed(self, function: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        return await _answered(self._submit(function, *given, **named))

    def _submit(self, function: Callable[P, R], *given: P.args, **named: P.kwargs) -> Future[R]:
        if self._closed:
            raise EngineUseError("expected an open engine, found a closed one")
        return self._threads.submit(function, *given, **named)

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set all of these options, or none after an error. The new options apply from the next search on.

        :param options: values by the names in docs/options.md.
        :raises ConfigError: for an unknown option, an invalid value, or a network that cannot be used.
        :raises DefinitionError: for an unreadable file of definitions.
        :raises ArgumentError: for arguments of the wrong type.
        :raises EngineUseError: during a search, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine() as engine:
        ...         await engine.configure({"Hash": 4})
        ...         return engine.options
        >>> asyncio.run(main())
        {'Hash': '4'}
        """
        await self._obeyed(self._engine.configure, options)

    async def position(self, position: Position = None, moves: Iterable[str | AnyMove] = ()) -> None:
        """Set the position for searches without a position of their own.

        After an error, the previous position remains set.

        :param position: a FEN, a ``chess.Board`` with its moves, a node of a ``chess.pgn.Game``, or None for the start.
        :param moves: the moves played from there, in coordinates or as moves of python-chess.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, or a position of another variant.
        :raises EngineUseError: during a search, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         await engine.position(None, ["f2f3", "e7e5", "g2g4"])
        ...         return (await engine.play(depth=2)).lines[0].san
        >>> asyncio.run(main())
        ('Qh4#',)
        """
        await self._obeyed(self._engine.position, position, moves)

    async def go(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str | AnyMove] | None = None,
        analysis: bool = True,
    ) -> AsyncSearch:
        """Start a search. Without a limit the search runs until it is stopped.

        :param position: in the form that ``position`` takes; None for the position last set.
        :param limit: a ``Limit`` of python-chess, including clocks; the search ends at the first limit that it reaches.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :param lines: the number of lines, 1 to 256.
        :param among: the moves to choose from, in coordinates or as moves of python-chess; None for all.
        :param analysis: True to search at full strength and without the book; False to play as in a game, using the
            book if the options allow it.
        :returns: the search.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine, await engine.go(depth=3) as search:
        ...         return [line.depth async for line in search if line.is_exact][-1]
        >>> asyncio.run(main())
        3
        """
        starting = self._submit(
            self._engine.go,
            position,
            limit,
            nodes=nodes,
            depth=depth,
            seconds=seconds,
            lines=lines,
            among=among,
            analysis=analysis,
        )
        try:
            return AsyncSearch(await _answered(starting), self._threads)
        except asyncio.CancelledError:
            starting.add_done_callback(_cancel_search)  # the search may have started although its task was cancelled
            raise

    async def analyse(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str | AnyMove] | None = None,
    ) -> Result:
        """Search a position at full strength and without the book. A limit is required.

        :param position: in the form that ``position`` takes; None for the position last set.
        :param limit: a ``Limit`` of python-chess, including clocks; the search ends at the first limit that it reaches.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :param lines: the number of lines, 1 to 256.
        :param among: the moves to choose from, in coordinates or as moves of python-chess; None for all.
        :returns: the result.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, no limit, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         return [line.rank for line in (await engine.analyse(depth=2, lines=2)).lines]
        >>> asyncio.run(main())
        [1, 2]
        """
        wanted(limit, nodes=nodes, depth=depth, seconds=seconds).check_any()
        async with await self.go(
            position, limit, nodes=nodes, depth=depth, seconds=seconds, lines=lines, among=among
        ) as search:
            return await search.result()

    async def play(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Choose a move as in a game. A limit is required.

        :param position: in the form that ``position`` takes; None for the position last set.
        :param limit: a ``Limit`` of python-chess; if it contains clocks, the engine manages its time.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :returns: the move, the expected reply and the line.
        :raises NotationError: for an unreadable FEN.
        :raises ArgumentError: for arguments of the wrong type, no limit, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         return await engine.play("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth=3)
        >>> asyncio.run(main()).move
        Move.from_uci('a1a8')
        """
        wanted(limit, nodes=nodes, depth=depth, seconds=seconds).check_any()
        async with await self.go(position, limit, nodes=nodes, depth=depth, seconds=seconds, analysis=False) as search:
            return await search.result()

    async def new_game(self) -> None:
        """Clear everything that earlier searches have left in memory, so that the next search runs like the first one.

        :raises EngineUseError: during a search, or after ``close``.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         await engine.new_game()
        >>> asyncio.run(main())
        """
        await self._obeyed(self._engine.new_game)

    def stop(self) -> None:
        """Stop the running search, if any.

        >>> async def main():
        ...     async with standstill.AsyncEngine({"Hash": 1}) as engine:
        ...         search = await engine.go()
        ...         engine.stop()
        ...         return (await search.result()).move is not None
        >>> asyncio.run(main())
        True
        """
        self._engine.stop()

    async def close(self) -> None:
        """Stop the search and end the threads of the engine.

        Afterwards all methods except ``close`` raise EngineUseError.

        >>> async def main():
        ...     engine = standstill.AsyncEngine()
        ...     await engine.close()
        ...     return engine
        >>> asyncio.run(main())
        <standstill.AsyncEngine: chess, {}, closed>
        """
        self._closed = True
        await asyncio.to_thread(self._engine.close)
        self._threads.shutdown(wait=False)


async def _answered(future: Future[R]) -> R:
    """Wait for the result of a call on a thread. Cancelling the waiting task leaves the thread running."""
    return await asyncio.wrap_future(future)


def _cancel_search(starting: Future[Any]) -> None:
    if not starting.cancelled() and starting.exception() is None:
        starting.result().cancel()
