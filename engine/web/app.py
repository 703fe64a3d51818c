"""The routes of the web application: pages and their assets, games, and event streams."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ..common.errors import EngineUseError, StandstillError
from ..play.session import Session
from ..settings.levels import LEAST_ELO, MOST_ELO
from . import fields
from .answers import as_json, refusal
from .assets import Assets
from .bands import bands
from .chess960 import LAST
from .desk.routes import StoredGames
from .fields import Fields
from .game import ServedGame
from .open_games import OpenGames
from .preview import preview
from .puzzles.routes import Puzzles
from .setup import MODES, games, read_setup
from .study.routes import StudyPage
from .tables.routes import TablesPage
from .workshop.routes import Workshop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.store import TableStore
    from .live.routes import Live  # loaded only by the command that follows a game

Action = Callable[[ServedGame, Fields], Awaitable[object]]


async def _move(game: ServedGame, given: Fields) -> None:
    await game.move(fields.text(given, "move"))


async def _draw(game: ServedGame, given: Fields) -> object:
    return {"accepted": await game.offer_draw()}


async def _pause(game: ServedGame, given: Fields) -> None:
    await game.pause(fields.truth(given, "paused", True))


async def _watch(game: ServedGame, given: Fields) -> None:
    await game.watch(fields.truth(given, "watching", True))


# The actions in a game: POST /api/games/ID/ACTION.
ACTIONS: dict[str, Action] = {
    "move": _move,
    "back": lambda game, given: game.take_back(),
    "resign": lambda game, given: game.resign(),
    "draw": _draw,
    "swap": lambda game, given: game.swap(),
    "pause": _pause,
    "watch": _watch,
    "hint": lambda game, given: game.hint(),
}


class Application:
    """The application behind the guard: it handles every request that the guard accepts.

    definitions: the user's file of variants, or "". games_file: the user's PGN for Study, or "".
    engines: commands of the user's engines for Study and the desk. store: of correspondence games, or "" for the
    default one. live: the followed game. tables: opens those of the page Tables, by default the usual ones.
    workshop: what its page asks for.
    used: when the last request came, by the monotonic clock.
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
        workshop: Workshop | None = None,
    ):
        self.open_games = OpenGames(new_session)
        self.definitions = definitions
        self.used = time.monotonic()
        self.assets = Assets(live is not None)
        self.live = live
        self.workshop = workshop or Workshop()
        self.study = StudyPage(new_session, games_file, definitions, engines)
        self.puzzles = Puzzles(self.study.library)
        self.stored = StoredGames(store, new_session, engines)
        self.asgi = Starlette(
            routes=[
                Route("/api/catalogue", self._answered(self._catalogue)),
                Route("/api/preview", self._answered(self._preview), methods=["POST"]),
                Route("/api/games", self._answered(self._open), methods=["POST"]),
                Route("/api/games/{game}", self._answered(self._show)),
                Route("/api/games/{game}/events", self._answered(self._events)),
                Route("/api/games/{game}/pgn", self._answered(self._pgn)),
                Route("/api/games/{game}/study", self._answered(self._study)),
                Route("/api/engines", self._answered(self.study.engines)),
                Route("/api/study", self._answered(self.study.list)),
                Route("/api/study/{number:int}", self._answered(self.study.game)),
                Route("/api/study/survey", self._answered(self.study.survey)),
                Route("/api/study/view", self._answered(self.study.view), methods=["POST"]),
                Route("/api/study/save", self._answered(self.study.save), methods=["POST"]),
                Route("/api/analysis", self._answered(self.study.analyse), methods=["POST"]),
                Route("/api/games/{game}/{action}", self._answered(self._act), methods=["POST"]),
                *self.puzzles.routes(self._answered),
                *self.stored.routes(self._answered),
                *TablesPage(tables).routes(self._answered),
                *self.workshop.routes(self._answered, self._use, definitions),
                *([] if live is None else live.routes(self._answered, self._use)),
                Route("/{path:path}", self._asset),
            ]
        )

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
        game = await self.open_games.open(read_setup(fields.read(await request.body()), self.definitions))
        return as_json(game.view(), 201)

    def _game(self, request: Request) -> ServedGame | None:
        return self.open_games.find(request.path_params["game"])

    async def _show(self, request: Request) -> Response:
        game = self._game(request)
        return _no_game() if game is None else as_json(game.view())

    async def _pgn(self, request: Request) -> Response:
        # Imported late because it loads slowly: it uses the code that writes the games of matches.
        from .pgn import game_pgn

        game = self._game(request)
        return _no_game() if game is None else Response(game_pgn(game), media_type="application/x-chess-pgn")

    async def _study(self, request: Request) -> Response:
        game = self._game(request)
        return _no_game() if game is None else await StudyPage.of_served(game)

    async def _events(self, request: Request) -> Response:
        game = self._game(request)
        if game is None:
            return _no_game()
        if game.channel.is_full:
            return refusal(409, "expected fewer open pages of this game")
        return StreamingResponse(self._stream(game), media_type="text/event-stream")

    async def _stream(self, game: ServedGame) -> AsyncIterator[str]:
        async with contextlib.aclosing(game.channel.listen("game", game.view())) as events:
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
