"""The addresses of the page Tables."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cached_property

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...settings.config import load, table_folders
from ...tablebases.store import SUPPLIED, TableStore
from .. import fields
from ..answers import as_json

Handler = Callable[[Request], Awaitable[Response]]


class TablesPage:
    """Answers the requests of the page Tables. The first request opens the tables."""

    def __init__(self, open_tables: Callable[[], TableStore] | None):
        """open_tables: opens the tables; None for the tables that the engine uses and the built-in three-man tables."""
        self._open = open_tables or _usual

    @cached_property
    def _store(self) -> TableStore:
        return self._open()

    def routes(self, answered: Callable[[Handler], Handler]) -> list[Route]:
        return [
            Route("/api/tables", answered(self._about)),
            Route("/api/tables/values", answered(self._values), methods=["POST"]),
            Route("/api/tables/explore", answered(self._explore), methods=["POST"]),
        ]

    is_busy = False

    async def close(self) -> None:
        """Do nothing, because mapped table files need not be closed."""

    async def _about(self, request: Request) -> Response:
        from .about import served

        return as_json(await asyncio.to_thread(lambda: served(self._store)))

    async def _values(self, request: Request) -> Response:
        from .values import states_in, values

        states = states_in(fields.read(await request.body()))
        return as_json(await asyncio.to_thread(lambda: values(self._store, states)))

    async def _explore(self, request: Request) -> Response:
        from .values import explored

        return as_json(explored(fields.text(fields.read(await request.body()), "fen")))


def _usual() -> TableStore:
    folders = table_folders(load()[0])
    return TableStore(folders[0] if folders else SUPPLIED, more=[*folders[1:], SUPPLIED])
