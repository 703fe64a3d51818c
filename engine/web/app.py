"""The routes of the web application: pages and their assets, games, and event streams."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import cache
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from ..common.errors import EngineUseError, StandstillError
from ..play.session import Session
from ..settings.levels import LEAST_ELO, MOST_ELO
from . import fields
from .answers import as_json, refusal
from .assets import Assets
from .bands import bands
from .chess960 import LAST
from .fields import Fields
from .game import ServedGame
from .open_games import OpenGames
from .preview import preview
from .setup import MODES, games, read_setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.store import TableStore
    from .live.routes import Live  # the server loads this part only for the command that follows a game
    from .study.shelf import Shelf
    from .workshop.file import DefinitionText

Action = Callable[[ServedGame, Fields], Awaitable[object]]


async def _move(game: ServedGame, given: Fields) -> None:
    await game.move(fields.text(given, "move"))


async def _draw(game: ServedGame, given: Fields) -> object:
    return {"accepted": await game.offer_draw()}


async def _pause(game: ServedGame, given: Fields) -> None:
    await game.pause(fields.truth(given, "paused", True))


# The actions in a game: POST /api/games/ID/ACTION.
ACTIONS: dict[str, Action] = {
    "move": _move,
    "back": lambda game, given: game.take_back(),
    "resign": lambda game, given: game.resign(),
    "draw": _draw,
    "swap": lambda game, given: game.swap(),
    "pause": _pause,
    "hint": lambda game, given: game.hint(),
}


class Part(Protocol):
    """The part of the server that answers the requests of one page."""

    async def close(self) -> None:
        """End the work that the page has begun."""

    @property
    def is_busy(self) -> bool:
        """Whether work is running that continues after the page is closed."""
        ...


class _Later:
    """A part of the server that the page's first request loads, so that the server starts fast.

    load: imports the part; returns it with its routes.
    """

    def __init__(self, load: Callable[[], tuple[Part, Sequence[BaseRoute]]]):
        self._load = load
        self._loading = threading.Lock()
        self._router: Router | None = None
        self.part: Part | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        router = self._router
        if router is None:
            router = await asyncio.to_thread(self.load)
        await router(scope, receive, send)

    def load(self) -> Router:
        """Load the part unless it is loaded; return its routes."""
        with self._loading:
            if self._router is None:
                self.part, routes = self._load()
                self._router = Router(routes)
            return self._router


class Application:
    """The application behind the guard: it handles every request that the guard accepts.

    definitions: the user's file of variants, or "". games_file: the user's PGN for Study, or "".
    engines: commands of the user's engines for Study and the desk. store: the store of correspondence games, or "" for
    the default one. live: the followed game. tables: a function that opens the tables for the page Tables; None for
    the engine's tables. program: the engine's executable, for measurements of the workshop. edited: the workshop's
    file. used: the time of the last request, by the monotonic clock.
    """

    def __init__(
        self,
        new_session: Callable[[], Session],
        definitions: str = "",
        games_file: str = "",
        *,
        engines: tuple[tuple[str, ...], ...] = (),
        store: str = "",
        live: Live | None = None,
        tables: Callable[[], TableStore] | None = None,
        program: str = "",
        edited: DefinitionText | None = None,
    ):
        self.open_games = OpenGames(new_session)
        self.definitions = definitions
        self.used = time.monotonic()
        self.assets = Assets(live is not None)
        self.live = live

        def desk() -> tuple[Part, Sequence[BaseRoute]]:
            from .desk.routes import StoredGames

            part = StoredGames(store, new_session, engines)
            return part, part.routes(self._answered)

        def workshop() -> tuple[Part, Sequence[BaseRoute]]:
            from .workshop.routes import Workshop

            part = Workshop(program, edited)
            return part, part.routes(self._answered, self._use, definitions)

        def table_values() -> tuple[Part, Sequence[BaseRoute]]:
            from .tables.routes import TablesPage

            part = TablesPage(tables)
            return part, part.routes(self._answered)

        parts = {
            **self._parts_with_games(new_session, games_file, engines),
            "desk": desk,
            "workshop": workshop,
            "tables": table_values,
        }
        self._parts = {name: _Later(load) for name, load in parts.items()}
        self.asgi = Starlette(routes=self._routes(live))

    def _routes(self, live: Live | None) -> list[BaseRoute]:
        return [
            Route("/api/catalogue", self._answered(self._catalogue)),
            Route("/api/preview", self._answered(self._preview), methods=["POST"]),
            Route("/api/games", self._answered(self._open), methods=["POST"]),
            Route("/api/games/{game}", self._answered(self._show)),
            Route("/api/games/{game}/events", self._answered(self._events)),
            Route("/api/games/{game}/pgn", self._answered(self._pgn)),
            Route("/api/games/{game}/study", self._answered(self._study)),
            Route("/api/games/{game}/{action}", self._answered(self._act), methods=["POST"]),
            *(Route(f"/api/{name}{rest}", part) for name, part in self._parts.items() for rest in ("", "/{rest:path}")),
            *([] if live is None else live.routes(self._answered, self._use)),
            Route("/{path:path}", self._asset),
        ]

    def _parts_with_games(
        self, new_session: Callable[[], Session], games_file: str, engines: tuple[tuple[str, ...], ...]
    ) -> dict[str, Callable[[], tuple[Part, Sequence[BaseRoute]]]]:
        """Return the parts that share the user's files of games."""
        shelving = threading.Lock()  # the parts of several pages may be loaded at the same time

        @cache
        def new_shelf() -> Shelf:
            from .study.shelf import Shelf

            return Shelf(games_file)

        def shelf() -> Shelf:
            with shelving:
                return new_shelf()

        def study() -> tuple[Part, Sequence[BaseRoute]]:
            from .study.routes import StudyPage

            part = StudyPage(new_session, shelf(), self.definitions, engines)
            return part, part.routes(self._answered)

        def puzzles() -> tuple[Part, Sequence[BaseRoute]]:
            from .puzzles.routes import Puzzles

            part = Puzzles(shelf())
            return part, part.routes(self._answered)

        def files() -> tuple[Part, Sequence[BaseRoute]]:
            from .study.files import Files

            part = Files(shelf())
            return part, part.routes(self._answered)

        return {"study": study, "files": files, "puzzles": puzzles}

    def _answered(self, handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Wrap a handler: an error of the user becomes a one-line response with status 400 or 409."""

        async def answer(request: Request) -> Response:
            self._use()
            try:
                return await handle(request)
            except EngineUseError as error:
                return refusal(409, str(error))
            except StandstillError as error:
                return refusal(400, str(error))

        return answer

    def load(self, page: str) -> None:
        """Load the part of the server for a page, if the page has its own part."""
        if page in self._parts:
            self._parts[page].load()

    @property
    def is_busy(self) -> bool:
        """Whether a part has work that outlasts its page, such as an analysis over nights."""
        return any(later.part is not None and later.part.is_busy for later in self._parts.values())

    async def close(self) -> None:
        """End all games and the work that the pages have begun."""
        for later in self._parts.values():
            if later.part is not None:
                await later.part.close()
        await self.open_games.close()

    def _use(self) -> None:
        self.used = time.monotonic()

    async def _asset(self, request: Request) -> Response:
        found = self.assets.find(request.url.path)
        return Response("there is no such page\n", 404) if found is None else Response(found[1], media_type=found[0])

    async def _catalogue(self, request: Request) -> Response:
        found = {
            "games": games(self.definitions),
            "levels": {"least": LEAST_ELO, "most": MOST_ELO},
            "modes": MODES,
            "chess960": LAST,
            "bands": bands(),
        }
        return as_json(found)

    async def _preview(self, request: Request) -> Response:
        return as_json(preview(read_setup(fields.read(await request.body()), self.definitions)))

    async def _open(self, request: Request) -> Response:
        data = fields.read(await request.body())
        game = await self.open_games.open(read_setup(data, self.definitions), fields.text(data, "restores"))
        return as_json(game.view(), 201)

    def _game(self, request: Request) -> ServedGame | None:
        return self.open_games.find(request.path_params["game"])

    async def _show(self, request: Request) -> Response:
        game = self._game(request)
        return _no_game() if game is None else as_json(game.view())

    async def _pgn(self, request: Request) -> Response:
        # Imported late because the module loads slowly: it uses the code that writes the games of matches.
        from .pgn import game_pgn

        game = self._game(request)
        return _no_game() if game is None else Response(game_pgn(game), media_type="application/x-chess-pgn")

    async def _study(self, request: Request) -> Response:
        from .study.routes import StudyPage

        game = self._game(request)
        return _no_game() if game is None else await StudyPage.of_served(game)

    async def _events(self, request: Request) -> Response:
        game = self._game(request)
        if game is None:
            return _no_game()
        if game.channel.is_full:
            return refusal(409, "too many pages show this game: close one")
        watching = request.query_params.get("watching") == "true"
        return StreamingResponse(self._stream(game, watching), media_type="text/event-stream")

    async def _stream(self, game: ServedGame, watching: bool) -> AsyncIterator[str]:
        async with contextlib.aclosing(game.events(watching)) as events:
            async for event in events:
                self._use()
                yield event

    async def _act(self, request: Request) -> Response:
        game, action = self._game(request), ACTIONS.get(request.path_params["action"])
        if game is None or action is None:
            return _no_game()
        return as_json(await action(game, fields.read(await request.body())))


def _no_game() -> Response:
    return refusal(404, "this game is no longer on the server")
