"""The asyncio engine: it answers like the synchronous one, and never blocks the event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable

import chess
import chess.engine
import pytest

import standstill

SMALL = {"Hash": 1}


def test_it_has_the_methods_of_the_other_form() -> None:
    for ours, other in ((standstill.AsyncEngine, standstill.Engine), (standstill.AsyncSearch, standstill.Search)):
        assert {name for name in vars(ours) if name[0] != "_"} >= {name for name in vars(other) if name[0] != "_"}
        for name, value in vars(other).items():
            if name[0] != "_" and inspect.isfunction(value):
                found, expected = inspect.signature(getattr(ours, name)), inspect.signature(value)
                assert found.parameters == expected.parameters, name
                assert inspect.iscoroutinefunction(getattr(ours, name)) == (name != "stop"), name


def test_answers_are_those_of_the_other_form() -> None:
    limit = chess.engine.Limit(nodes=2000)
    boards = [chess.Board(), chess.Board.from_chess960_pos(5)]

    async def asked() -> list[standstill.Result]:
        async with standstill.AsyncEngine(SMALL) as engine:
            found = []
            for board in boards:
                await engine.new_game()
                found.append(await engine.analyse(board, limit, lines=2))
            return found

    with standstill.Engine(SMALL) as engine:
        for board, found in zip(boards, asyncio.run(asked()), strict=True):
            engine.new_game()
            expected = engine.analyse(board, limit, lines=2)
            assert (found.move, [line.pv for line in found.lines]) == (
                expected.move,
                [line.pv for line in expected.lines],
            )


def test_the_loop_goes_on_during_a_search() -> None:
    async def main() -> int:
        ticks = 0
        async with standstill.AsyncEngine(SMALL) as engine, await engine.go() as search:
            while search.running and ticks < 50:
                ticks += 1
                await asyncio.sleep(0)
            search.stop()
            assert (await search.result()).move is not None
        return ticks

    assert asyncio.run(main()) == 50


@pytest.mark.parametrize("begin", [lambda engine: engine.play(seconds=1000), lambda engine: engine.analyse(depth=200)])
@pytest.mark.parametrize("turns", [0, 1, 2, 1000])
def test_cancelling_a_task_cancels_its_search(
    begin: Callable[[standstill.AsyncEngine], Awaitable[standstill.Result]], turns: int
) -> None:
    """Cancel before the search starts, while it starts, and while it runs."""

    async def main() -> None:
        async with standstill.AsyncEngine(SMALL) as engine:
            task = asyncio.ensure_future(begin(engine))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            while True:
                try:
                    assert (await engine.play(depth=1)).move is not None
                    return
                except standstill.EngineUseError:  # the thread has not yet cancelled the search
                    await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(main(), 60))


def test_errors_come_through_and_the_end_is_the_end() -> None:
    async def main() -> None:
        async with standstill.AsyncEngine(SMALL) as engine:
            for wrong in (engine.play(), engine.play("x", depth=1), engine.configure({"Nothing": 1})):
                with pytest.raises(standstill.StandstillError):
                    await wrong
            search = await engine.go()
            with pytest.raises(standstill.EngineUseError):
                await engine.play(depth=1)
            await search.cancel()
            with pytest.raises(standstill.EngineUseError):
                await search.result()
            left = await engine.go()
        assert not left.running
        _ = [line async for line in left]  # the iteration ends
        with pytest.raises(standstill.EngineUseError):
            await engine.play(depth=1)
        await engine.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_several_tasks_may_wait_for_one_search() -> None:
    async def main() -> None:
        async with standstill.AsyncEngine(SMALL) as engine, await engine.go(depth=3) as search:
            found = await asyncio.gather(*(search.result() for _ in range(3)))
            assert found[0] is found[1] is found[2]

    asyncio.run(main())
