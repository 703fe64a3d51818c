"""A small correspondence server that speaks Xfcc, for the tests: one player, games kept with python-chess."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

import chess
from defusedxml.ElementTree import fromstring

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
USER, PASSWORD = "nowak", "s3cr<t & more"
CAPTAIN = "captain"  # a second account, with the same password


class XfccServer(ThreadingHTTPServer):
    """games: id to a dictionary of the service's fields. boards: id to the position."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.games: dict[str, dict[str, str]] = {}
        self.boards: dict[str, chess.Board] = {}
        self.raw: bytes | None = None  # sent in place of any answer
        self.status = 200
        self.headers: dict[str, str] = {}  # additional headers of an answer
        self.break_off = False  # accept the move and close the connection
        self.calls: list[str] = []
        self.actions: list[dict[str, str]] = []  # what MakeAMove carried
        self.owners: dict[str, str] = {}  # the user of a game, if not the usual one
        # The interval at which the server checks whether to stop; the default of half a second would delay the end of
        # each test.
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/XfccBasic.asmx"

    def add(self, number: str, moves: str = "", **values: str) -> None:
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        self.boards[number] = board
        self.games[number] = {
            "white": "Nowak, Jan", "black": "Smith & Sons", "event": "WT/M/1", "site": "ICCF", "hasWhite": "true",
            "daysPlayer": "41", "hoursPlayer": "6", "minutesPlayer": "0",
            "daysOpponent": "50", "hoursOpponent": "0", "minutesOpponent": "0",
            "drawOffered": "false", "result": "Ongoing", "eventDate": "2026.01.05", "noEngines": "false",
        } | values  # fmt: skip

    def comments(self, moves: str) -> str:
        """The moves as the service writes them. A test may insert text between them."""
        return moves

    def answer(self, action: str, values: dict[str, str]) -> str:
        self.calls.append(action)
        user = values.get("username", "")
        known = user in (USER, CAPTAIN) and values.get("password") == PASSWORD
        if action == "GetMyGames":
            if not known:
                return "<soap:Fault><faultstring>Authentication failed</faultstring></soap:Fault>"
            games = "".join(self._game(number) for number in self.games if self.owners.get(number, USER) == user)
            games = f"<GetMyGamesResult>{games}</GetMyGamesResult>"
            return f'<GetMyGamesResponse xmlns="{NAMESPACE}">{games}</GetMyGamesResponse>'
        result = self._move(values) if known else "AuthenticationFailed"
        return f'<MakeAMoveResponse xmlns="{NAMESPACE}"><MakeAMoveResult>{result}</MakeAMoveResult></MakeAMoveResponse>'

    def _game(self, number: str) -> str:
        board = self.boards[number]
        moves = board.root().variation_san(board.move_stack)
        white = self.games[number]["hasWhite"] == "true"
        values = {"id": number, "moves": self.comments(moves), "myTurn": str(board.turn == white).lower()} | self.games[
            number
        ]
        inner = "".join(f"<{k}>{escape(v)}</{k}>" for k, v in values.items() if v is not None)
        return f"<XfccGame>{inner}</XfccGame>"

    def _move(self, values: dict[str, str]) -> str:
        self.actions.append(values)
        board = self.boards.get(values["gameId"])
        if board is None:
            return "InvalidGameID"
        game = self.games[values["gameId"]]
        if self.owners.get(values["gameId"], USER) != values["username"]:
            return "NotYourGame"
        if values["resign"] == "true":
            game["result"] = "BlackWins" if game["hasWhite"] == "true" else "WhiteWins"
            return "Success"
        if values["acceptDraw"] == "true":
            if game["drawOffered"] != "true":
                return "NoDrawWasOffered"
            game["result"] = "Draw"
            return "Success"
        answer = self._played(board, game, values) if values["myMove"] else "Success"
        if answer == "Success" and values["claimDraw"] == "true":
            if not (board.is_repetition(3) or board.is_fifty_moves() or len(board.piece_map()) <= 7):
                return "InvalidMove"
            game["result"] = "AdjudicationPending"
        return answer

    def _played(self, board: chess.Board, game: dict[str, str], values: dict[str, str]) -> str:
        if board.turn != (game["hasWhite"] == "true"):
            return "NotYourTurn"
        if int(values["movecount"]) != board.fullmove_number:
            return "InvalidMoveNumber"
        try:
            board.push_san(values["myMove"])
        except ValueError:
            return "InvalidMove"
        # At 50/75/1 the mover's clock gains a day. In these games the clock stays below 50 days, so the bank is empty.
        game["daysPlayer"] = str(min(50, int(game["daysPlayer"]) + 1))
        game["drawOffered"] = "false"  # a move declines the draw
        return "Success"


class _Handler(BaseHTTPRequestHandler):
    server: XfccServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        call = next(iter(next(iter(fromstring(body)))))
        action = call.tag.rpartition("}")[2]
        assert self.headers["SOAPAction"] == f'"{NAMESPACE}/{action}"'
        values = {child.tag.rpartition("}")[2]: child.text or "" for child in call}
        text = self.server.answer(action, values)
        data = self.server.raw
        if data is None:
            soap = "http://schemas.xmlsoap.org/soap/envelope/"
            data = f'<soap:Envelope xmlns:soap="{soap}"><soap:Body>{text}</soap:Body></soap:Envelope>'.encode()
        if self.server.break_off and action == "MakeAMove":
            self.close_connection = True
            return
        self.send_response(500 if "Fault" in text else self.server.status)
        for name, value in ({"Content-Type": "text/xml"} | self.server.headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Print nothing in tests."""
