"""The addresses of the page Puzzles."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncGenerator, Generator
from datetime import date

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ...common.errors import ArgumentError, EngineUseError, PgnError, StandstillError
from ...common.text import shown
from .. import fields
from ..answers import as_json
from ..study.files import library_of
from ..study.shelf import Shelf
from . import answers, export
from .deck import BOTH, OWN, WHOSE, Choice, Deck
from .puzzle import KINDS, LEVELS, Puzzle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.routing import BaseRoute

_MOST_SKIPPED = 1000
_MOST_TRIES = 1000
_MOST_DECKS = 4  # number of files whose puzzles stay in memory
_NO_FILE = "expected a file of games: open one on the page"


def choice_of(data: fields.Fields) -> Choice:
    """The puzzles that a page asks for. Raises ArgumentError."""
    kinds = tuple(fields.texts(data, "kinds", len(KINDS))) or KINDS
    for kind in kinds:
        if kind not in KINDS:
            raise ArgumentError(f"kinds: expected {', '.join(KINDS)}, found {shown(kind)}")
    level = fields.text(data, "level")
    if level and level not in LEVELS:
        raise ArgumentError(f"level: expected {', '.join(LEVELS)}, found {shown(level)}")
    player = fields.text(data, "player")
    whose = fields.choice(data, "whose", WHOSE, OWN) if player else BOTH
    return Choice(player, whose, kinds, LEVELS.index(level) if level else None)


class Puzzles:
    """Answers the requests of the page Puzzles."""

    def __init__(self, shelf: Shelf):
        """shelf: the user's games."""
        self._shelf = shelf
        self._decks: list[Deck] = []  # decks of the files for which pages have asked, the newest last
        self._is_working = False  # whether a page waits for analyses

    def routes(
        self, answered: Callable[[Callable[[Request], Awaitable[Response]]], Callable[[Request], Awaitable[Response]]]
    ) -> list[BaseRoute]:
        from starlette.routing import Route

        acts = {
            "overview": self.overview,
            "next": self.next,
            "show": self.show,
            "answer": self.answer,
            "hint": self.hint,
            "drop": self.drop,
            "export": self.export,
            "work": self.work,
        }
        return [
            Route("/api/puzzles", answered(self.file)),
            *(Route(f"/api/puzzles/{name}", answered(act), methods=["POST"]) for name, act in acts.items()),
        ]

    async def _ready(self, request: Request) -> Deck:
        deck = self._deck(request)
        if deck is None:
            raise PgnError(_NO_FILE)
        await asyncio.to_thread(deck.refresh)
        return deck

    def _deck(self, request: Request) -> Deck | None:
        library = library_of(self._shelf, request)
        if library is None:
            return None
        deck = next((each for each in self._decks if each.library.path == library.path), None)
        if deck is None:
            deck = Deck(library)
        else:
            self._decks.remove(deck)
        self._decks.append(deck)
        while len(self._decks) > _MOST_DECKS:
            self._decks.pop(0).close()
        return deck

    async def file(self, request: Request) -> Response:
        """The file and its players."""
        if library_of(self._shelf, request) is None:
            return as_json({"file": None})
        deck = await self._ready(request)
        found = {
            "file": os.path.basename(deck.library.name),
            "games": deck.size,
            "unread": deck.unread,
            "players": deck.players(),
        }
        return as_json({**found, "unjudged": len(deck.unjudged)})

    async def overview(self, request: Request) -> Response:
        deck, data = await self._asked(request)
        found = await asyncio.to_thread(deck.overview, choice_of(data), date.today())
        return as_json({**found, "unjudged": len(deck.unjudged)})

    async def next(self, request: Request) -> Response:
        """The next puzzle.

        The state ``checking`` means that the engine has to check more puzzles before there is one.
        """
        deck, data = await self._asked(request)
        skipped = tuple(fields.texts(data, "skipped", _MOST_SKIPPED))
        choice, extra = choice_of(data), fields.truth(data, "extra")
        found = await asyncio.to_thread(deck.next, choice, date.today(), skipped, extra=extra)
        puzzle = None if found.puzzle is None else await self._view(deck, found.puzzle)
        return as_json({"puzzle": puzzle, "checking": found.is_checking})

    async def show(self, request: Request) -> Response:
        """A puzzle by its id, after a reload of the page."""
        deck, data = await self._asked(request)
        return as_json({"puzzle": await self._view(deck, _found(deck, data))})

    @staticmethod
    async def _view(deck: Deck, puzzle: Puzzle) -> dict[str, object]:
        def view() -> dict[str, object]:
            return answers.view(puzzle, deck, deck.progress.cards().get(puzzle.id), date.today())

        return await asyncio.to_thread(view)

    async def answer(self, request: Request) -> Response:
        deck, data = await self._asked(request)
        puzzle, given = _found(deck, data), fields.text(data, "answer")
        tries, hinted = fields.whole(data, "tries", 0, _MOST_TRIES) or 0, fields.truth(data, "hinted")
        judged = await asyncio.to_thread(answers.answer, deck, puzzle, given, date.today(), tries=tries, hinted=hinted)
        return as_json(judged)

    async def hint(self, request: Request) -> Response:
        deck, data = await self._asked(request)
        return as_json(await asyncio.to_thread(answers.hint, deck, _found(deck, data)))

    async def drop(self, request: Request) -> Response:
        """Drop a puzzle for good, or undo this."""
        deck, data = await self._asked(request)
        puzzle, is_dropped = _found(deck, data), fields.truth(data, "dropped", True)
        await asyncio.to_thread(deck.progress.drop, puzzle.id, is_dropped=is_dropped)
        return as_json({"dropped": is_dropped})

    async def export(self, request: Request) -> Response:
        """The puzzles of a choice that the engine has looked at, as a file."""
        deck, data = await self._asked(request)
        form = fields.choice(data, "format", export.FORMATS, export.EPD)
        chosen = [puzzle for puzzle in deck.chosen(choice_of(data)) if not deck.is_open(puzzle)]
        text = await asyncio.to_thread(export.as_text, deck, chosen, form)
        return as_json({"text": text, "count": len(chosen), "type": export.TYPES[form]})

    async def work(self, request: Request) -> Response:
        """A stream of progress: games without evaluations are analysed if ``analyse`` is set, then puzzles checked."""
        deck, data = await self._asked(request)
        choice, analyse = choice_of(data), fields.truth(data, "analyse")
        if self._is_working:
            raise EngineUseError("expected one analysis at a time: another page of this program is at work")
        return StreamingResponse(self._work(deck, choice, analyse=analyse), media_type="text/event-stream")

    async def _work(self, deck: Deck, choice: Choice, *, analyse: bool) -> AsyncGenerator[str, None]:
        """Yield the events of the work. If the page is closed, the current step and the work end early."""
        self._is_working, is_left = True, threading.Event()
        steps = _steps(deck, choice, is_left, analyse=analyse)
        step: asyncio.Future[dict[str, object] | None] | None = None
        try:
            while True:
                step = asyncio.ensure_future(asyncio.to_thread(next, steps, None))
                found = await asyncio.shield(step)
                if found is None:
                    break
                yield _event("step", found)
            yield _event("done", {})
        except StandstillError as error:
            yield _event("problem", str(error))
        finally:
            is_left.set()
            if step is None or step.done():
                self._is_working = False
            else:
                step.add_done_callback(self._end_work)

    def _end_work(self, step: asyncio.Future[dict[str, object] | None]) -> None:
        self._is_working = False
        step.exception()  # the page that waited for the analysis was closed

    async def _asked(self, request: Request) -> tuple[Deck, fields.Fields]:
        data = fields.read(await request.body())
        return await self._ready(request), data

    is_busy = False  # the analysis ends with the page

    async def close(self) -> None:
        for deck in self._decks:
            deck.close()


def _steps(
    deck: Deck, choice: Choice, is_left: threading.Event, *, analyse: bool
) -> Generator[dict[str, object], None, None]:
    """Do the work step by step: a game or a puzzle at a time. is_left: an event; when it is set, the work ends."""
    if analyse:
        numbers = deck.unjudged
        for done, number in enumerate(numbers):
            yield {"what": "games", "done": done, "of": len(numbers)}
            deck.analyse(number, is_left=is_left)
    for done, total in deck.check_all(choice):
        yield {"what": "puzzles", "done": done, "of": total}


def _found(deck: Deck, data: fields.Fields) -> Puzzle:
    name = fields.text(data, "id")
    found = deck.find(name)
    if found is None:
        raise ArgumentError(f"id: expected a puzzle of this file, found {shown(name)}")
    return found


def _event(kind: str, value: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
