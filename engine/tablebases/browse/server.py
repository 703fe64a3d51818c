"""Serves the page and values from the tables to a browser on this computer."""

from __future__ import annotations

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ...common.errors import NotationError, StandstillError, TablebaseError
from ...common.goal import STALEMATE
from .. import probing
from ..store import TableStore
from .page import SERVED_POLICY, served_page

HOST = "127.0.0.1"
MOST_BYTES = 1 << 20  # maximum size of a request; the page never sends so many states at once
PATIENCE_S = 60  # time limit for a client that stops in the middle of a line


class PageServer(ThreadingHTTPServer):
    """Serves the page and answers its requests. ``serve_forever`` runs until the process is interrupted."""

    daemon_threads = True

    def __init__(self, store: TableStore, port: int = 0):
        """port: 0 selects any free port. Raises TablebaseError without tables, and OSError if the port is taken."""
        self.store = store
        self.page = served_page(store).encode()
        self.has_all_plies = all(map(store.is_complete, store.files))
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """Return the valid Host headers. Another header comes from a foreign page that uses DNS rebinding."""
        hosts = (HOST, "localhost")
        bare = set(hosts) if self.server_port == 80 else set()
        return bare | {f"{host}:{self.server_port}" for host in hosts}

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a browser that disconnects in the middle of an answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: PageServer
    timeout = PATIENCE_S
    wbufsize = -1  # send head and body in one write, because the page waits for each answer before its next request
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        if not self._is_welcome():
            return
        if self.path.partition("?")[0] == "/":
            self._send(HTTPStatus.OK, "text/html", self.server.page)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "the page is at /")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not self._is_welcome():
            return
        if self.path != "/values":
            self._refuse(HTTPStatus.NOT_FOUND, "questions go to /values")
        elif self.headers.get_content_type() != "application/json":  # a form on a foreign page cannot send this type
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
        elif not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MOST_BYTES):
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected at most {MOST_BYTES} bytes")
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, question: bytes) -> None:
        try:
            states = states_in(question)
        except NotationError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        values = [answer(self.server.store, *state, self.server.has_all_plies) for state in states]
        self._send(HTTPStatus.OK, "application/json", json.dumps(values).encode())

    def _is_welcome(self) -> bool:
        origin = self.headers.get("Origin")
        names = self.server.names
        if self.headers.get("Host", "").lower() in names and (
            origin is None or origin in {f"http://{name}" for name in names}
        ):
            return True
        self._refuse(HTTPStatus.MISDIRECTED_REQUEST, f"this page is {self.server.address}")
        return False

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self.close_connection = True  # the rest of the request is not read
        self._send(status, "text/plain", f"{text}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", f"{SERVED_POLICY}; frame-ancestors 'none'")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing to the user's terminal."""


def states_in(question: bytes) -> list[tuple[str, int, int]]:
    """Return FEN, goal code of the record and owner of the record for each requested state. Raises NotationError."""
    try:
        asked = json.loads(question)["states"]
        states = [(fen, code, owner) for fen, code, owner in asked]
    except (ValueError, TypeError, KeyError, RecursionError):
        states = [("", -1, -1)]
    for fen, code, owner in states:
        numbers = type(code) is int and type(owner) is int and code >= 0 and owner in (0, 1)
        if not isinstance(fen, str) or not numbers:
            raise NotationError('expected {"states": [[FEN, goal code, owner], ...]}')
    return states


def answer(store: TableStore, fen: str, code: int, owner: int, has_all_plies: bool) -> dict[str, object]:
    """Return the outcome and the plies to it (None if unknown), or the reason why there is no answer."""
    try:
        board = probing.chess_board(fen)
        probing.check_covered(store, board)
        record = probing.record_of(board, (code, owner))
        if code <= STALEMATE and record == (code, owner) != probing.record_of(board, None):
            raise TablebaseError("expected a record that leaves the game open")
        value = probing.look_up(store, board, record)
    except StandstillError as error:
        return {"error": str(error)}
    knows = has_all_plies or store.is_complete(probing.class_of(board))
    stands = value.outcome == probing.outcome(record)
    return {"outcome": value.outcome, "plies": value.plies if knows or stands else None}
