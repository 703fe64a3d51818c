"""The routes of the page Desk. Each request opens the store, because other programs write to it as well."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import pairwise
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ...clock.instants import now_ms
from ...common.errors import ArgumentError, EngineUseError, GameError
from ...correspondence.desk import Desk
from ...correspondence.listing import listing
from ...correspondence.planning.absence import required_actions
from ...correspondence.planning.timetable import timetable
from ...correspondence.planning.words import read_absence
from ...correspondence.store import Store, default_path
from ...play.session import Session
from .. import fields
from ..answers import as_json
from ..fields import Fields
from . import actions, analyses, copies, events, new_games, servers, views
from .runner import AnalysisRunner

Handler = Callable[[Request], Awaitable[Response]]

_LOOK_S = 1.0  # interval at which the store is checked for changes by other programs
_BEAT = 15  # number of checks between two keep-alive comments
_MOST_LISTENERS = 64
_MOST_ABSENCES = 20


class StoredGames:
    """Answers the requests of the page."""

    def __init__(self, path: str, new_session: Callable[[], Session], engines: Sequence[Sequence[str]] = ()):
        """path: the path of the store, or "" for the default store.

        engines: the commands of engines besides this one.
        """
        self.path = Path(path) if path else default_path()
        self.runner = AnalysisRunner(self.path, new_session, engines)
        self._uploads = copies.Uploads()
        self._listeners = 0

    @property
    def is_busy(self) -> bool:
        return self.runner.is_busy

    async def close(self) -> None:
        await asyncio.to_thread(self.runner.close)
        self._uploads.close()

    def routes(self, answered: Callable[[Handler], Handler]) -> list[Route]:
        """Return the routes of the page.

        answered: a function that wraps a handler and turns errors of the user into responses.
        """
        reads: dict[str, Callable[[Desk, Request], dict[str, object]]] = {
            "today": lambda desk, request: views.today(desk, now_ms()),
            "game": lambda desk, request: _game(desk, request.query_params.get("name", "")),
            "analyses": lambda desk, request: (
                analyses.queue_view(desk, now_ms())
                | {"engines": self.runner.engines, "problem": self.runner.problem, "waiting": self.runner.waiting}
            ),
            "plan": lambda desk, request: views.plan(desk, now_ms()),
            "accounts": lambda desk, request: servers.accounts_view(desk),
            "banks": lambda desk, request: servers.banks_view(desk),
            "team": lambda desk, request: views.team(desk, now_ms()),
            "check": lambda desk, request: copies.check_view(desk),
            "event": lambda desk, request: events.event_view(desk, request.query_params.get("name", "")),
        }
        writes: dict[str, Callable[[Desk, Fields], object]] = {
            "away": _away,
            "action": _action,
            "edit": actions.preview_of_edit,
            "preview": lambda desk, data: actions.sending_view(actions.prepared(desk, data)),
            "send": lambda desk, data: {"done": actions.send_confirmed(desk, data)},
            "fetch": servers.fetch,
            "account": servers.change_account,
            "banks": servers.change_banks,
            "analyse": self.runner.begin,
            "direct": self.runner.direct,
            "enter": new_games.enter,
            "new": new_games.new_game,
            "import": new_games.import_file,
            "upload": self._uploads.take,
            "restore": self._restore,
            "remind": copies.remind,
        }
        return [
            Route("/api/desk/changes", answered(self._changes)),
            Route("/api/desk/export", answered(self._file("application/x-chess-pgn", _export))),
            Route("/api/desk/backup", answered(self._file("application/vnd.sqlite3", copies.backup))),
            Route("/api/desk/calendar", answered(self._file("text/calendar", _calendar))),
            *(Route(f"/api/desk/{name}", answered(self._reading(read))) for name, read in reads.items()),
            *(
                Route(f"/api/desk/{name}", answered(self._writing(write)), methods=["POST"])
                for name, write in writes.items()
            ),
        ]

    def _restore(self, desk: Desk, data: Fields) -> dict[str, object]:
        if self.runner.is_busy:
            raise GameError("an analysis is running: stop it first")
        return self._uploads.restore(desk, data)

    def _reading(self, read: Callable[[Desk, Request], dict[str, object]]) -> Handler:
        def answer(request: Request) -> object:
            version = self._version()  # read before the store is read, so that a later change is noticed
            if not self.path.exists():
                return {"missing": str(self.path), "now": now_ms(), "version": version}
            with Store(self.path, reading=True) as store:
                return {**read(Desk(store), request), "version": version}

        async def handle(request: Request) -> Response:
            return as_json(await asyncio.to_thread(answer, request))

        return handle

    def _file(self, kind: str, written: Callable[[Desk, Request], str | bytes]) -> Handler:
        """Answers with a file that the page saves."""

        def answer(request: Request) -> str | bytes:
            with Store(self.path, reading=True) as store:
                return written(Desk(store), request)

        async def handle(request: Request) -> Response:
            return Response(await asyncio.to_thread(answer, request), media_type=kind)

        return handle

    def _writing(self, write: Callable[[Desk, Fields], object]) -> Handler:
        def answer(data: Fields) -> object:
            warnings: list[str] = []
            with Store(self.path, create=write in (*_CREATING, self._uploads.take, self._restore)) as store:
                found = write(Desk(store, warnings.append), data)
            return {**found, "warnings": warnings} if isinstance(found, dict) else found

        async def handle(request: Request) -> Response:
            return as_json(await asyncio.to_thread(answer, fields.read(await request.body())))

        return handle

    # ---- changes of other programs ----

    async def _changes(self, request: Request) -> Response:
        if self._listeners >= _MOST_LISTENERS:
            raise EngineUseError("too many pages are open: close one")
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[str]:
        """Yield the version of the store at first, and whenever a program has changed the store.

        The page compares the version with that of the games it shows, so it misses no change while it was not
        listening.
        """
        self._listeners += 1
        try:
            version, quiet = self._version(), 0
            yield f'event: beat\ndata: "{version}"\n\n'
            while True:
                await asyncio.sleep(_LOOK_S)
                now, quiet = self._version(), quiet + 1
                if now != version:
                    version, quiet = now, 0
                    yield f'event: changed\ndata: "{version}"\n\n'
                elif quiet >= _BEAT:
                    quiet = 0
                    yield f'event: beat\ndata: "{version}"\n\n'
        finally:
            self._listeners -= 1

    def _version(self) -> str:
        """Return size and time of the store and of its write-ahead log, which every commit changes."""
        found = []
        for path in (self.path, f"{os.path.realpath(self.path)}-wal"):
            try:
                status = os.stat(path)
            except OSError:
                found.append("-")
            else:
                found.append(f"{status.st_mtime_ns:x}.{status.st_size:x}")
        return " ".join(found)


def _action(desk: Desk, data: Fields) -> dict[str, object]:
    done, name = actions.perform(desk, data)
    return {"done": done, "game": _game(desk, name) if name else None}


def _export(desk: Desk, request: Request) -> str:
    return new_games.export(desk, request.query_params.get("name", ""))


def _calendar(desk: Desk, request: Request) -> bytes:
    from ...correspondence.planning.icalendar_file import steps_file

    now = now_ms()
    return steps_file(timetable(listing(desk.store, now, on_damage=desk.warn), now), now)


def _game(desk: Desk, name: str) -> dict[str, object]:
    return views.game_view(desk, name, now_ms()) | {"analysis": analyses.tree_view(desk, desk.load(name))}


def _away(desk: Desk, data: Fields) -> dict[str, object]:
    """Return the actions that games need before absences, which are pairs of dates or instants."""
    texts = fields.texts(data, "absences", 2 * _MOST_ABSENCES)
    if not texts or len(texts) % 2:
        raise ArgumentError("absences: expected pairs of a first and a last day")
    absences = sorted(
        (read_absence(*pair, None) for pair in zip(texts[::2], texts[1::2], strict=True)),
        key=lambda each: each.from_ms,
    )
    if any(each.to_ms <= each.from_ms for each in absences):
        raise GameError("expected an absence that ends after it begins")
    if any(one.to_ms > other.from_ms for one, other in pairwise(absences)):
        raise GameError("expected absences that do not overlap")
    now = now_ms()
    entries = listing(desk.store, now, on_damage=desk.warn)
    found = required_actions(entries, absences, now)
    own = [entry for entry in entries if entry.status == "running" and entry.own_side is not None]
    return {
        "now": now,
        "actions": [
            {
                "game": action.game, "kind": action.kind, "by": action.by_ms, "flag": action.flag_ms,
                "until": action.until_ms, "least": action.least_ms, "most": action.most_ms, "known": action.known,
            }
            for action in found
        ],
        "safe": len(own) - len({action.game for action in found}),
        "absences": [[each.from_ms, each.to_ms] for each in absences],
    }  # fmt: skip


# These requests create the store if it does not exist.
_CREATING = (servers.fetch, servers.change_account, new_games.new_game, new_games.import_file)
