"""Xfcc, the web service of correspondence servers: SOAP 1.1 over HTTPS, two calls.

GetMyGames lists a player's games, MakeAMove sends a move (Ch. Bennedik, XML web services for correspondence chess).
Credentials come from outside, go nowhere but into the request, and stand in no message.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from ..clock.units import DAY_MS, HOUR_MS, MINUTE_MS
from ..errors import StandstillError
from ..notation import shown

_NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
_SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
_PATIENCE_S = 30.0
_LARGEST_BYTES = 20_000_000
_LOCAL = ("localhost", "127.0.0.1", "::1")

USER_VARIABLE = "STANDSTILL_XFCC_USER"
PASSWORD_VARIABLE = "STANDSTILL_XFCC_PASSWORD"  # the name of a variable, no secret

_RESULTS = {
    "WhiteWins": "1-0",
    "WhiteWinAdjudicated": "1-0",
    "BlackDefaulted": "1-0",
    "BlackWins": "0-1",
    "BlackWinAdjudicated": "0-1",
    "WhiteDefaulted": "0-1",
    "Draw": "1/2-1/2",
    "DrawAdjudicated": "1/2-1/2",
}
_ANSWERS = {
    "AuthenticationFailed": "the server does not accept user and password",
    "InvalidGameID": "the server knows no such game",
    "NotYourGame": "the server says that this is another player's game",
    "NotYourTurn": "the server says that it is not your turn",
    "InvalidMoveNumber": "the server expects another move number: fetch the games first",
    "InvalidMove": "the server does not accept the move",
    "NoDrawWasOffered": "no draw was offered",
    "LostOnTime": "the game was lost on time",
    "YouAreOnLeave": "you are on leave",
    "MoveIsAmbiguous": "the server finds the move ambiguous",
}


class XfccError(StandstillError, OSError):
    """A server that cannot be reached, refuses, or gives an answer that cannot be understood."""


@dataclass(frozen=True, slots=True)
class XfccGame:
    """A game as the server tells it. clocks_ms: what it shows for White and Black; result: as in PGN."""

    id: str
    white: str
    black: str
    event: str
    site: str
    has_white: bool
    moves: tuple[str, ...]  # SAN
    clocks_ms: tuple[int, int]
    result: str
    date: str  # of the event, 2026.03.01 or empty
    fen: str | None
    no_engines: bool
    draw_offered: bool
    message: str


def check_address(url: str) -> None:
    """Raises XfccError for anything but HTTPS; plain HTTP is for tests on this machine."""
    try:
        parts = urlsplit(url)
        local, named = parts.hostname in _LOCAL, bool(parts.username or parts.password)
    except ValueError:
        raise XfccError(f"expected an https address of a server, found {shown(url)}") from None
    if named:  # it would be stored with the game, and shown
        raise XfccError("expected an address without a user and a password in it")
    if parts.scheme != "https" and not (parts.scheme == "http" and local):
        raise XfccError(f"expected an https address of a server, found {shown(url)}")


def credentials(url: str, user: str | None) -> tuple[str, str]:
    """(user, password) from the environment, else the password from the system's keyring. Raises XfccError."""
    check_address(url)
    user = user or os.environ.get(USER_VARIABLE)
    if not user:
        raise XfccError(f"expected a user: --user or the variable {USER_VARIABLE}")
    password = os.environ.get(PASSWORD_VARIABLE)
    if password:
        return user, password
    service = f"standstill-xfcc:{urlsplit(url).hostname}"
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise XfccError(
            f"no {PASSWORD_VARIABLE} is set, and keyring is not installed: pip install 'standstill[xfcc]'"
        ) from None
    try:
        password = keyring.get_password(service, user)
    except KeyringError as error:
        raise XfccError(f"the keyring cannot be read: {' '.join(str(error).split())}") from None
    if not password:
        raise XfccError(f"no password for {user}: `keyring set {service} {user}` keeps one, or set {PASSWORD_VARIABLE}")
    return user, password


class Server:
    """One server and one player."""

    def __init__(self, url: str, user: str, password: str):
        """Raises XfccError for anything but HTTPS; plain HTTP is for tests on this machine."""
        check_address(url)
        self.url = url
        self._user, self._password = user, password

    def games(self) -> list[XfccGame]:
        """Every game of the player. Raises XfccError."""
        answer = self._call("GetMyGames", {})
        return [_game(element) for element in answer.iter() if _name(element) == "XfccGame"]

    def send(self, game_id: str, move_number: int, san: str, offer_draw: bool = False, message: str = "") -> None:
        """Make a move. Raises XfccError unless the server accepts it."""
        answer = self._call(
            "MakeAMove",
            {
                "gameId": game_id,
                "resign": "false",
                "acceptDraw": "false",
                "movecount": str(move_number),
                "myMove": san,
                "offerDraw": "true" if offer_draw else "false",
                "claimDraw": "false",
                "myMessage": message,
            },
        )
        said = next(((e.text or "").strip() for e in answer.iter() if _name(e) == "MakeAMoveResult"), "")
        if said != "Success":
            raise XfccError(_ANSWERS.get(said, f"the server answers {shown(said)}"))

    def _call(self, action: str, values: dict[str, str]):
        """The root element of the answer."""
        try:
            import httpx
            from defusedxml.common import DefusedXmlException
            from defusedxml.ElementTree import ParseError, fromstring
        except ImportError:
            raise XfccError("the bridge to servers is not installed: pip install 'standstill[xfcc]'") from None
        try:
            response = httpx.post(
                self.url,
                content=self._envelope(action, values),
                headers={"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{_NAMESPACE}/{action}"'},
                timeout=_PATIENCE_S,
                follow_redirects=False,  # the password goes to nobody else
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise XfccError(f"{self.url}: {' '.join(str(error).split()) or type(error).__name__}") from None
        if len(response.content) > _LARGEST_BYTES:
            raise XfccError(f"{self.url}: an answer of {len(response.content)} bytes")
        try:
            answer = fromstring(response.content)
        except (ParseError, DefusedXmlException, ValueError):
            answer = None
        if response.status_code != 200 or answer is None:
            raise XfccError(f"{self.url}: {_refusal(response.status_code, answer)}")
        return answer

    def _envelope(self, action: str, values: dict[str, str]) -> bytes:
        """The order of the elements is the one of the service's description; some servers insist on it."""
        everything = {"username": self._user, "password": self._password} | values
        body = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in everything.items())
        return (
            f'<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="{_SOAP}"><soap:Body>'
            f'<{action} xmlns="{_NAMESPACE}">{body}</{action}></soap:Body></soap:Envelope>'
        ).encode()


def _refusal(status: int, answer) -> str:
    fault = None if answer is None else next((e.text for e in answer.iter() if _name(e) == "faultstring"), None)
    if fault:
        return f"the server says {shown(' '.join(fault.split()))}"
    return f"HTTP status {status}" if status != 200 else "an answer that is no XML"


def _name(element) -> str:
    return element.tag.rpartition("}")[2]


def _game(element) -> XfccGame:
    values = {_name(child): (child.text or "").strip() for child in element}
    if not values.get("id"):
        raise XfccError("a game without an id in the server's answer")
    own, other = _clock_ms(values, "Player"), _clock_ms(values, "Opponent")
    has_white = _true(values, "hasWhite")
    words = values.get("moves", "").replace(".", ". ").split()
    return XfccGame(
        id=values["id"],
        white=values.get("white", "?"),
        black=values.get("black", "?"),
        event=values.get("event", ""),
        site=values.get("site", ""),
        has_white=has_white,
        moves=tuple(word for word in words if not word.rstrip(".").isdigit() and word.strip(".") and word not in _ENDS),
        clocks_ms=(own, other) if has_white else (other, own),
        result=_RESULTS.get(values.get("result", ""), "*"),
        date=values.get("eventDate", ""),
        fen=values.get("fen") or None if _true(values, "setup") else None,
        no_engines=_true(values, "noEngines"),
        draw_offered=_true(values, "drawOffered"),
        message=values.get("message", ""),
    )


_ENDS = ("*", "1-0", "0-1", "1/2-1/2")


def _true(values: dict[str, str], name: str) -> bool:
    return values.get(name, "").lower() in ("true", "1")


def _clock_ms(values: dict[str, str], whose: str) -> int:
    total = 0
    for unit, size in (("days", DAY_MS), ("hours", HOUR_MS), ("minutes", MINUTE_MS)):
        text = values.get(unit + whose, "0") or "0"
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise XfccError(f"expected {unit}{whose} to be a number, found {shown(text)}")
        total += int(text) * size
    return total
