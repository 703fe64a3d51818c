"""Runs the application on the loopback address until it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..play.session import Session
from ..system.signals import ENDING
from ..system.sockets import bound
from .app import Application
from .guard import HOST, Guard
from .live.token import new_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tablebases.store import TableStore
    from .live.routes import Live
    from .workshop.file import DefinitionText

HEAD_PATIENCE_S = 15.0  # maximum time to wait for the headers of a request
_IDLE_CONNECTION_S = 30
_MOST_CONNECTIONS = 500
_END_S = 2  # maximum time to wait for open responses when the program ends


class _PatientProtocol(H11Protocol):
    """Closes a connection if a request does not arrive in time; uvicorn itself would wait for ever."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._waiting is None and self._is_between_requests:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    @property
    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._waiting = asyncio.get_running_loop().call_later(HEAD_PATIENCE_S, self._give_up)

    def _give_up(self) -> None:
        self._waiting = None
        if self._is_between_requests:
            self.transport.close()


class _Server(uvicorn.Server):
    """A server that installs no signal handlers."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebServer:
    """A bound server. ``run`` serves until Ctrl-C, SIGTERM or ``idle_s`` without a request."""

    def __init__(
        self,
        new_session: Callable[[], Session],
        port: int = 0,
        definitions: str = "",
        games_file: str = "",
        *,
        idle_s: float | None = None,
        engines: tuple[tuple[str, ...], ...] = (),
        store: str = "",
        live: Live | None = None,
        program: str = "",
        edited: DefinitionText | None = None,
        token: str = "",
        tables: Callable[[], TableStore] | None = None,
    ):
        """port: 0 takes any free port.

        token: "" for a new token. tables: a function that opens the tables for the page Tables; None for the
        engine's tables.

        Raises OSError if the port is taken.
        """
        self._socket = bound(HOST, port)
        self.port: int = self._socket.getsockname()[1]
        self.token = token or new_token()
        self.application = Application(
            new_session,
            definitions,
            games_file,
            engines=engines,
            store=store,
            live=live,
            tables=tables,
            program=program,
            edited=edited,
        )
        self._idle_s = idle_s

    def address(self, page: str) -> str:
        """Return the address of a page, with the token in its fragment."""
        return f"http://{HOST}:{self.port}/{page}#token={self.token}"

    def run(self, ready: Callable[[], None], page: str = "") -> int:
        """Serve requests. Return the signal that ended the server, or 0.

        ready: a function that is called once the server accepts requests. page: the first page to open; the server
        loads it while the browser starts.
        """
        return asyncio.run(self._run(ready, page))

    async def _run(self, ready: Callable[[], None], page: str) -> int:
        guard = Guard(self.application.asgi, self.port, self.token)
        server = _Server(
            uvicorn.Config(
                guard,
                http=_PatientProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                log_level="critical",
                server_header=False,
                date_header=False,
                proxy_headers=False,
                timeout_keep_alive=_IDLE_CONNECTION_S,
                timeout_graceful_shutdown=_END_S,
                limit_concurrency=_MOST_CONNECTIONS,
            )
        )
        ended = 0

        def end(number: int, _frame: object) -> None:
            nonlocal ended
            ended, server.should_exit, server.force_exit = number, True, True

        for name in ENDING:
            if signal.getsignal(name) is not signal.SIG_IGN:  # under nohup, SIGHUP must remain ignored
                signal.signal(name, end)
        failed: list[BaseException] = []

        def fail(error: BaseException) -> None:
            failed.append(error)
            server.should_exit = server.force_exit = True

        live = self.application.live
        if live is not None:
            live.start(fail)
        watching = asyncio.create_task(self._watch(server, ready, page))
        await server.serve(sockets=[self._socket])
        watching.cancel()
        if live is not None:
            await live.close()
        await self.application.close()
        if failed:
            raise failed[0]
        return ended

    async def _watch(self, server: uvicorn.Server, ready: Callable[[], None], page: str) -> None:
        """Report when the server is ready, and stop it after ``idle_s`` without a request."""
        while not server.started:
            await asyncio.sleep(0.005)
        ready()
        await asyncio.to_thread(self.application.assets.find, f"/{page}")  # what the browser needs first
        await asyncio.to_thread(self.application.load, page)
        await asyncio.to_thread(self.application.assets.prepare)
        while self._idle_s is not None:
            idle_s = 0.0 if self.application.is_busy else time.monotonic() - self.application.used
            if idle_s >= self._idle_s:
                server.should_exit = True
                return
            await asyncio.sleep(self._idle_s - idle_s)


@contextlib.contextmanager
def opening_page(address: str) -> Iterator[str]:
    """Yield the address of a file that redirects a browser to ``address``; only the user can read the file.

    The browser gets the path of the file on its command line, which other users can read; only the file contains the
    token.
    """
    with TemporaryDirectory(prefix="standstill-") as folder:
        page = Path(folder, "open.html")
        goes = f'<meta http-equiv="refresh" content="0; url={escape(address, quote=True)}">'
        page.write_text(f"<!doctype html><title>Standstill</title>{goes}\n", "utf-8")
        yield page.as_uri()
