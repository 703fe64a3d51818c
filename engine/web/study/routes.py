"""The routes of the page Study, and its live analysis."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ... import NAME, VERSION
from ...annotate.engines import Setup as EngineSetup
from ...annotate.source import SourceGame
from ...annotate.verdicts import ALL_MOVE_SCHEMES
from ...common.errors import ArgumentError, EngineUseError, PgnError
from ...common.limits import Limits
from ...common.text import shown
from ...play.session import Session
from ...relevance import trainer
from ...relevance.model import DEFAULT_POSITION_SCHEME, POSITION_SCHEMES, check_x05
from ...variants.variant import CHESS
from .. import fields
from ..answers import as_json
from ..game import ServedGame
from ..setup import Setup, read_setup
from ..thinking import Found, Thinker, line_view
from .editing import edited, path_to
from .files import library_of
from .library import Library
from .score import Judging, judgement, source_of, study
from .shelf import Shelf
from .tags import with_tags
from .tree import Tree
from .whole_game import TIMES_S, WholeGames, Work, written

Handler = Callable[[Request], Awaitable[Response]]

MOST_ANALYSES = 4  # analyses at a time
MOST_LINES = 5
MOST_GAMES = 10**9  # upper limit of the numbers in requests
LONGEST_MS = 600_000
_HASH_MB = 32
_PAUSE_S = 0.2  # minimum time between two events about a whole game


def _raw(data: fields.Fields) -> bytes:
    """Return the game in a request as bytes, which pages send as Latin-1."""
    try:
        return fields.text(data, "text").encode("latin-1")
    except UnicodeEncodeError:
        raise ArgumentError("text: expected a game as the page has received it") from None


def _given(data: fields.Fields) -> SourceGame:
    """The readable game that a page has sent."""
    return source_of(fields.whole(data, "number", 0, MOST_GAMES) or 0, _raw(data))


def _judging(data: fields.Fields) -> Judging:
    x05 = data.get("x05")
    if x05 is not None and not isinstance(x05, (int, float)):
        raise ArgumentError("x05: expected a number of pawns")
    return Judging(
        None if x05 is None else check_x05(float(x05)),
        fields.choice(data, "positions", tuple(POSITION_SCHEMES), DEFAULT_POSITION_SCHEME),
        fields.choice(data, "moves", ALL_MOVE_SCHEMES, trainer.NAME),
    )


class StudyPage:
    """Answers the requests of the page Study."""

    def __init__(
        self,
        new_session: Callable[[], Session],
        shelf: Shelf,
        definitions: str,
        engines: tuple[tuple[str, ...], ...] = (),
    ):
        """shelf: the user's games. definitions: the user's file of variants, or "". engines: their commands."""
        self._new_session = new_session
        self._shelf = shelf
        self._definitions = definitions
        self._engines = engines
        self._running = 0
        self._whole_games = WholeGames()

    @property
    def is_busy(self) -> bool:
        """Whether a whole game is being analysed. The analysis of a position ends with its page."""
        return self._whole_games.is_busy

    async def close(self) -> None:
        """End the analysis of a whole game. The analysis of a position ends with its connection."""
        await asyncio.to_thread(self._whole_games.close)

    def routes(self, answered: Callable[[Handler], Handler]) -> list[Route]:
        return [
            Route("/api/study", answered(self.list)),
            Route("/api/study/{number:int}", answered(self.game)),
            Route("/api/study/survey", answered(self.survey)),
            Route("/api/study/view", answered(self.view), methods=["POST"]),
            Route("/api/study/save", answered(self.save), methods=["POST"]),
            Route("/api/study/engines", answered(self.engines)),
            Route("/api/study/evaluate", answered(self.evaluate), methods=["POST"]),
            Route("/api/study/evaluate/stop", answered(self.stop), methods=["POST"]),
            Route("/api/study/evaluate/forget", answered(self.forget), methods=["POST"]),
            Route("/api/study/analysis", answered(self.analyse), methods=["POST"]),
        ]

    async def engines(self, request: Request) -> Response:
        """Return the available engines, this program first."""
        from .foreign import name_of

        return as_json({"engines": [f"{NAME} {VERSION}", *map(name_of, self._engines)]})

    async def list(self, request: Request) -> Response:
        library = library_of(self._shelf, request)
        if library is None:
            return as_json({"file": None, "total": 0, "found": 0, "games": []})
        await asyncio.to_thread(library.refresh)
        asked = request.query_params
        start = asked.get("from", "0")
        found = await asyncio.to_thread(
            library.find,
            asked.get("text", ""),
            int(start) if start.isdecimal() else 0,
            asked.get("result", ""),
            by_swing=asked.get("order") == "swing",
        )
        return as_json(found)

    async def survey(self, request: Request) -> Response:
        """Return the figures of all players, or the opening trees of one player."""
        library = library_of(self._shelf, request)
        if library is None:
            return as_json({"players": []})
        await asyncio.to_thread(library.refresh)
        survey = await asyncio.to_thread(library.survey)
        name = request.query_params.get("player")
        if name is None:
            return as_json(survey.view())
        if (found := survey.openings(name)) is None:
            raise ArgumentError(f"player: expected a player of the file, found {shown(name)}")
        return as_json(found)

    def _library(self, request: Request) -> Library:
        library = library_of(self._shelf, request)
        if library is None:
            raise PgnError("expected a file of games: open one on the page Study")
        return library

    async def game(self, request: Request) -> Response:
        library = self._library(request)
        await asyncio.to_thread(library.refresh)
        number = int(request.path_params["number"])
        found = await asyncio.to_thread(study, number, library.game(number), known=self._whole_games.of)
        return as_json({**found, "digest": library.digest})

    async def view(self, request: Request) -> Response:
        """Return the game that the page sent, after an edit or with another judge."""
        data = fields.read(await request.body())
        return as_json(await asyncio.to_thread(self._viewed, data))

    def _viewed(self, data: fields.Fields) -> dict[str, object]:
        raw, path = _raw(data), None
        number = fields.whole(data, "number", 0, MOST_GAMES) or 0
        asked = fields.inner(data, "edit")
        if asked.get("kind") == "evaluations":
            source = _given(data)
            found = self._whole_games.of(source)
            if found is None or found.is_running:
                raise ArgumentError("expected a game that was analysed")
            path = path_to(source, fields.whole(asked, "at", 0, MOST_GAMES) or 0)
            raw = written(source, found)
        elif asked.get("kind") == "tags":
            source = _given(data)
            path = path_to(source, fields.whole(asked, "at", 0, MOST_GAMES) or 0)
            raw = with_tags(source, asked)
        elif asked:
            raw, path = edited(number, raw, asked)
        return study(number, raw, _judging(data), path, self._whole_games.of)

    # ---- whole games ----

    async def evaluate(self, request: Request) -> Response:
        """Analyse a game in the background and stream the findings. The analysis continues without the stream.

        With ``join``, stream the findings of an analysis in progress, and begin no other.
        """
        data = fields.read(await request.body())
        source = await asyncio.to_thread(_given, data)
        if fields.truth(data, "join"):
            work = await asyncio.to_thread(self._whole_games.join, source)
            return StreamingResponse(_findings(work, source, _judging(data)), media_type="text/event-stream")
        asked = data.get("seconds", TIMES_S[1])
        seconds = next((each for each in TIMES_S if each == asked), None)
        if seconds is None:
            raise ArgumentError(f"seconds: expected one of {', '.join(map(str, TIMES_S))}, found {shown(str(asked))}")
        chosen = fields.whole(data, "engine", 0, len(self._engines)) or 0
        command = self._engines[chosen - 1] if chosen else ()
        work = await asyncio.to_thread(
            self._whole_games.begin, source, EngineSetup(command=command, seconds=float(seconds))
        )
        return StreamingResponse(_findings(work, source, _judging(data)), media_type="text/event-stream")

    async def stop(self, request: Request) -> Response:
        """End the analysis of a game. The findings so far are kept."""
        source = await asyncio.to_thread(_given, fields.read(await request.body()))
        await asyncio.to_thread(self._whole_games.stop, source)
        return as_json({})

    async def forget(self, request: Request) -> Response:
        """Remove the findings about a game."""
        source = await asyncio.to_thread(_given, fields.read(await request.body()))
        await asyncio.to_thread(self._whole_games.forget, source)
        return as_json({})

    async def save(self, request: Request) -> Response:
        """Write an edited game into the file."""
        library = self._library(request)
        data = fields.read(await request.body())
        number = fields.whole(data, "number", 1, MOST_GAMES)
        if number is None:
            raise ArgumentError("number: expected the number of a game, found none")
        game, digest = _raw(data), fields.text(data, "digest")
        await asyncio.to_thread(library.save, number, game, digest)
        return as_json({"digest": library.digest})

    @staticmethod
    async def of_served(game: ServedGame) -> Response:
        from ..pgn import game_pgn

        return as_json(await asyncio.to_thread(study, 1, game_pgn(game).encode()))

    async def analyse(self, request: Request) -> Response:
        """Stream the lines of an analysis until the page closes the stream."""
        data = fields.read(await request.body())
        setup, lines = read_setup(data, self._definitions), fields.whole(data, "lines", 1, MOST_LINES) or 1
        chosen = fields.whole(data, "engine", 0, len(self._engines)) or 0
        session = self._session(setup, lines)
        # raises an error for a position that cannot be analysed
        session.position(setup.fen, list(setup.moves), whole=True)
        if self._running >= MOST_ANALYSES:
            raise EngineUseError("too many analyses are running: stop one")
        if not chosen:
            return StreamingResponse(self._stream(session, setup), media_type="text/event-stream")
        if setup.game is not CHESS:
            raise EngineUseError(f"expected chess for another engine, found {setup.title}")
        stream = self._foreign(self._engines[chosen - 1], setup, lines)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def _foreign(self, command: tuple[str, ...], setup: Setup, lines: int) -> AsyncGenerator[str, None]:
        from .foreign import Analysis, board_of

        news: asyncio.Queue[tuple[str, object] | None] = asyncio.Queue()
        self._running += 1
        analysis = await asyncio.to_thread(Analysis, command, board_of(setup), lines, LONGEST_MS / 1000)
        search = asyncio.create_task(analysis.run(lambda kind, value: news.put_nowait((kind, value))))
        search.add_done_callback(lambda _: news.put_nowait(None))
        try:
            while (found := await news.get()) is not None:
                yield _event(*found)
        finally:
            self._running -= 1
            analysis.end()
            with contextlib.suppress(asyncio.CancelledError):
                await search

    def _session(self, setup: Setup, lines: int) -> Session:
        session = self._new_session()
        if setup.game is not CHESS:
            session.play_game(setup.game)
        options = {"Hash": _HASH_MB, "MultiPV": lines, "UCI_Chess960": setup.chess960, "UCI_AnalyseMode": True}
        for name, value in options.items():
            session.set_option(name, str(value).lower())
        session.set_option("RMobility", setup.mode)
        session.set_option("RMobilityKomi", setup.komi)
        return session

    async def _stream(self, session: Session, setup: Setup) -> AsyncGenerator[str, None]:
        news: asyncio.Queue[Found | None] = asyncio.Queue()
        limits, thinker = Limits(), Thinker(session)
        limits.movetime_ms = LONGEST_MS
        x05, board = session.settings["Relevance_x05"] / 100, session.board.copy()
        board.notation = session.board.notation
        self._running += 1
        search = asyncio.create_task(thinker.search(lambda _: None, limits, news.put_nowait))
        search.add_done_callback(lambda _: news.put_nowait(None))
        try:
            while (found := await news.get()) is not None:
                yield _event("line", line_view(board, found, x05))
        finally:
            self._running -= 1
            search.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await search


async def _findings(work: Work, source: SourceGame, judging: Judging) -> AsyncGenerator[str, None]:
    """Yield the findings about a game each time that they change, until the analysis ends."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def hear() -> None:
        with contextlib.suppress(RuntimeError):  # the event loop is closed when the program ends
            loop.call_soon_threadsafe(changed.set)

    nodes = await asyncio.to_thread(lambda: Tree(source).nodes)
    work.heard.append(hear)
    try:
        while True:
            changed.clear()
            is_over = not work.found.is_running
            if work.problem:
                yield _event("problem", work.problem)
            if work.waiting and not is_over:
                yield _event("waiting", work.waiting)
            elif not (is_over and work.is_dropped):
                yield _event("news", await asyncio.to_thread(judgement, source, nodes, judging, work.found))
            if is_over:
                yield _event("done", {})
                return
            await changed.wait()
            await asyncio.sleep(_PAUSE_S)  # positions that are evaluated quickly are sent together
    finally:
        work.heard.remove(hear)


def _event(kind: str, value: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
