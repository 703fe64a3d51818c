"""The addresses of the page Workshop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ...common.errors import DefinitionError, EngineUseError
from ...variants.definition import MOST_PIECES, Definition
from ...variants.workshop.new import KNOWN_PIECES, base_named, new_game, text_of
from .. import fields
from ..answers import as_json
from ..fields import Fields
from ..setup import CHESS960, games
from . import views
from .file import DefinitionText
from .trial import MOST_GAMES, MOST_NODES, Trial

Handler = Callable[[Request], Awaitable[Response]]

_FIRST = "mygame"  # the name of the game with which the page begins
_MOST_NUMBER = 1 << 16
# What the form says for the options that the messages of `variants new` name.
_FIELDS = {"--army": "the back rank", "--black": "Black's back rank", "--piece ": "a new piece "}


class Workshop:
    """Answers the requests of the page."""

    def __init__(self, program: str = "", file: DefinitionText | None = None):
        """program: the engine's executable, for measurements. file: the file that the command named."""
        self._file = file
        self._trial = Trial(program)
        self._definitions = ""
        self._used: Callable[[], None] = lambda: None

    def routes(self, answered: Callable[[Handler], Handler], used: Callable[[], None], definitions: str) -> list[Route]:
        """The routes of the page.

        answered: a function that turns errors of the user into answers. used: a function that is called when a page
        is listening.
        definitions: the user's file of variants, or "".
        """
        self._used, self._definitions = used, definitions
        posts: dict[str, Callable[[Fields], object]] = {
            "check": lambda data: views.checked(_text(data), fields.text(data, "game")),
            "reach": _reach,
            "new": self._new,
            "save": self._save,
            "picture": lambda data: {"svg": views.picture(_game(data), _number(data, "piece"))},
            "page": lambda data: {"html": views.single_page(_text(data), fields.text(data, "title", "Games"))},
        }
        return [
            Route("/api/workshop", answered(self._open)),
            *(
                Route(f"/api/workshop/{name}", answered(self._posted(act)), methods=["POST"])
                for name, act in posts.items()
            ),
            Route("/api/workshop/balance", answered(self._begin), methods=["POST"]),
            Route("/api/workshop/balance/stop", answered(self._stop), methods=["POST"]),
            Route("/api/workshop/balance/games", answered(self._games)),
            Route("/api/workshop/balance/events", answered(self._events)),
        ]

    @property
    def is_busy(self) -> bool:
        return self._trial.is_running

    async def close(self) -> None:
        await self._trial.close()

    @staticmethod
    def _posted(act: Callable[[Fields], object]) -> Handler:
        async def handle(request: Request) -> Response:
            data = fields.read(await request.body())
            return as_json(await asyncio.to_thread(act, data))  # runs in a thread, because a long text takes seconds

        return handle

    async def _open(self, request: Request) -> Response:
        found: dict[str, object] = {
            "games": [game for game in games(self._definitions) if game["name"] != CHESS960],
            "known": {letter: moves for letter, (moves, _) in KNOWN_PIECES.items()},
            "most": {"games": MOST_GAMES, "nodes": MOST_NODES},
            "file": None,
        }
        if self._file is not None:
            text, digest = self._file.read()
            found["file"] = {"name": self._file.name, "text": text, "digest": digest}
        else:
            found["first"] = text_of(new_game(_FIRST, base_named("normal")), f"{_FIRST}.ini")
        return as_json(found)

    def _new(self, data: Fields) -> object:
        name = fields.text(data, "name").strip()
        base = base_named(fields.text(data, "base", "normal"), self._definitions)
        try:
            game = new_game(
                name,
                base,
                fields.text(data, "size").strip(),
                army=fields.text(data, "army").strip(),
                black=fields.text(data, "black").strip(),
                pieces=fields.texts(data, "pieces", MOST_PIECES),
            )
        except DefinitionError as error:
            said = str(error)
            for option, field in _FIELDS.items():
                said = said.replace(option, field)
            raise DefinitionError(said) from None
        file = f"{name.replace('/', '-')}.ini"
        text = text_of(game, file, fields.truth(data, "numbers"))
        return {"file": file, "text": text}

    def _save(self, data: Fields) -> object:
        if self._file is None:
            raise EngineUseError("expected a file: start `standstill variants edit FILE`, or download the text")
        return {"digest": self._file.save(_text(data), fields.text(data, "digest"))}

    # ---- the balance ----

    async def _begin(self, request: Request) -> Response:
        data = fields.read(await request.body())
        game = await asyncio.to_thread(_game, data)
        count = fields.whole(data, "games", 1, MOST_GAMES) or 100
        nodes = fields.whole(data, "nodes", 1, MOST_NODES) or 1000
        await self._trial.start(game, _text(data), count, nodes)
        return as_json(self._trial.view)

    async def _stop(self, request: Request) -> Response:
        self._trial.stop()
        return as_json({})

    async def _games(self, request: Request) -> Response:
        path = self._trial.games_file
        if path is None:
            raise EngineUseError("expected a measurement, found none")

        def read() -> bytes:
            with open(path, "rb") as file:
                return file.read()

        return Response(await asyncio.to_thread(read), media_type="application/x-chess-pgn")

    async def _events(self, request: Request) -> Response:
        if self._trial.channel.is_full:
            raise EngineUseError("too many pages are open: close one")
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[str]:
        async with contextlib.aclosing(self._trial.channel.listen("balance", self._trial.view)) as events:
            async for event in events:
                self._used()
                yield event


def _text(data: Fields) -> str:
    return fields.text(data, "text")


def _game(data: Fields) -> Definition:
    return views.chosen(_text(data), fields.text(data, "game"))


def _number(data: Fields, name: str) -> int:
    return fields.whole(data, name, 0, _MOST_NUMBER) or 0


def _reach(data: Fields) -> object:
    is_black = fields.truth(data, "black")
    return views.reach_view(_game(data), _number(data, "piece"), _number(data, "square"), int(is_black))
