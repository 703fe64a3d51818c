"""A client of Xfcc, the web service of correspondence servers: SOAP 1.1 over HTTPS, with two calls.

GetMyGames lists a player's games, and MakeAMove sends a move (Ch. Bennedik, XML web services for correspondence chess).
Credentials come from the environment or the keyring. Credentials appear only in the request, never in a message.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from ...clock.instants import now_ms, to_ms
from ...clock.units import DAY_MS, HOUR_MS, MINUTE_MS
from ...common.errors import StandstillError
from ...common.install import install_command
from ...common.text import shown

TYPE_CHECKING = False  # these packages are needed only once an answer has arrived
if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor
    from types import ModuleType
    from typing import Any
    from xml.etree.ElementTree import Element

    from httpx import Response

_NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
_SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
_PATIENCE_S = 30.0
_LONGEST_S = 120.0
_LARGEST_BYTES = 10_000_000  # a thousand long games take 3 MB
_LOCAL = ("localhost", "127.0.0.1", "::1")

USER_VARIABLE = "STANDSTILL_XFCC_USER"
PASSWORD_VARIABLE = "STANDSTILL_XFCC_PASSWORD"  # the name of an environment variable, not a secret
# this name is followed by the user's name in capitals if the user has several accounts
PASSWORD_PREFIX = "STANDSTILL_XFCC_PASSWORD_"

_RESULTS = {
    "WhiteWins": "1-0",
    "WhiteWinAdjudicated": "1-0",
    "BlackDefaulted": "1-0",
    "BlackWins": "0-1",
    "BlackWinAdjudicated": "0-1",
    "WhiteDefaulted": "0-1",
    "Draw": "1/2-1/2",
    "DrawAdjudicated": "1/2-1/2",
    # Results of finished games that PGN cannot express.
    "BothDefaulted": "*",
    "Cancelled": "*",
}
PENDING = "AdjudicationPending"
_GOING_ON = ("", "Ongoing", PENDING)
_VARIANTS = {"": False, "chess": False, "standard": False, "normal": False}
_ANSWERS = {
    "AuthenticationFailed": "the server does not accept the user and password",
    "InvalidGameID": "the server does not know the game",
    "NotYourGame": "according to the server, this is another player's game",
    "NotYourTurn": "according to the server, it is not your turn",
    "InvalidMoveNumber": "the server expects another move number: fetch the games first",
    "InvalidMove": "the server does not accept the move",
    "NoDrawWasOffered": "no draw was offered",
    "LostOnTime": "the game was lost on time",
    "YouAreOnLeave": "you are on leave",
    "MoveIsAmbiguous": "the server finds the move ambiguous",
}


class XfccError(StandstillError, OSError):
    """A server cannot be reached, rejects the request, or sends an unreadable answer."""


class XfccUncertain(XfccError):
    """The answer to a move is missing or unreadable, so the server may have accepted the move."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A game with missing or unusable values. id: empty if the server does not send the id either."""

    id: str
    problem: str


@dataclass(frozen=True, slots=True)
class XfccGame:
    """A game as the server reports it. clocks_ms: the clocks of White and Black; None if missing.

    movetext: PGN. result: as in PGN; None while the game continues. ending: the server's own term for the result.
    no_engines: None if missing. problems: messages about unreadable values, which count as missing.
    """

    id: str
    white: str
    black: str
    event: str
    site: str
    has_white: bool
    movetext: str
    clocks_ms: tuple[int | None, int | None]
    result: str | None
    ending: str
    date: str  # the event's date, such as 2026.03.01, or empty
    fen: str | None
    chess960: bool
    no_engines: bool | None
    draw_offered: bool
    message: str
    time_control: str = ""  # in the words of the server
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """What a call of MakeAMove carries.

    move_number: the number of the player's current or next move. san: "" for no move.
    """

    game_id: str
    move_number: int
    san: str = ""
    resign: bool = False
    accept_draw: bool = False
    offer_draw: bool = False
    claim_draw: bool = False
    message: str = ""


_WORDS = {False: "false", True: "true"}


def check_address(url: str) -> None:
    """Raise XfccError for anything but HTTPS. Plain HTTP to this machine, which tests use, is accepted."""
    try:
        parts = urlsplit(url)
        local, named = parts.hostname in _LOCAL, bool(parts.username or parts.password)
        safe = parts.scheme == "https" or (parts.scheme == "http" and local)
    except ValueError:
        safe = named = False
    # An address with a password is rejected, because the password would be stored with the game and displayed. So a
    # message does not show an address that may contain one.
    if named or (not safe and "@" in url):
        raise XfccError("expected an https address of a server without a user and password in it")
    if not safe:
        raise XfccError(f"expected an https address of a server, found {shown(url)}")


def credentials(url: str, user: str | None) -> tuple[str, str]:
    """Return (user, password) from the environment; the password may also be in the keyring. Raises XfccError."""
    check_address(url)
    user = user or os.environ.get(USER_VARIABLE)
    if not user:
        raise XfccError(f"expected a user: --user or the variable {USER_VARIABLE}")
    own = re.sub(r"[^A-Z0-9]", "_", user.upper())
    password = os.environ.get(PASSWORD_PREFIX + own) or os.environ.get(PASSWORD_VARIABLE)
    if password:
        return user, password
    service = _service(url)
    keyring, failure = _keyring(f"no {PASSWORD_VARIABLE} is set, and ")
    try:
        password = keyring.get_password(service, user)
    except failure as error:
        raise XfccError(f"the keyring cannot be read: {' '.join(str(error).split())}") from None
    if not password:
        raise XfccError(f"no password for {user}: `keyring set {service} {user}` keeps one, or set {PASSWORD_VARIABLE}")
    return user, password


def keep_password(url: str, user: str, password: str) -> None:
    """Store the password of an account in the system's keyring, where ``credentials`` finds it. Raises XfccError."""
    check_address(url)
    keyring, failure = _keyring()
    try:
        keyring.set_password(_service(url), user, password)
    except failure as error:
        raise XfccError(f"the keyring cannot keep the password: {' '.join(str(error).split())}") from None


def forget_password(url: str, user: str) -> bool:
    """Remove the password of an account from the system's keyring.

    Return whether the keyring contained the password. Raises XfccError.
    """
    try:
        keyring, failure = _keyring()
    except XfccError:
        return False
    try:
        if keyring.get_password(_service(url), user) is None:
            return False
        keyring.delete_password(_service(url), user)
    except failure as error:
        if type(error).__name__ == "NoKeyringError":
            return False
        raise XfccError(f"the keyring may still have the password: {' '.join(str(error).split())}") from None
    return True


def _service(url: str) -> str:
    return f"standstill-xfcc:{urlsplit(url).hostname}"


def _keyring(why: str = "") -> tuple[ModuleType, type[Exception]]:
    """Return the library keyring and its errors. why: the beginning of the message if the library is not installed."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise XfccError(f"{why}keyring is not installed: {install_command('xfcc')}") from None
    return keyring, KeyringError


class Server:
    """One server and one player."""

    def __init__(self, url: str, user: str, password: str, longest_s: float = _LONGEST_S):
        """longest_s: the time limit of a whole exchange, from finding the address to the end of the answer.

        Raises XfccError for anything but HTTPS. Plain HTTP to this machine, which tests use, is accepted.
        """
        check_address(url)
        self.url = url
        self._longest_s = longest_s
        self.user, self._password = user, password
        self.ahead_ms = 0  # the time by which the server's clock is ahead of this machine's, from its last answer

    def games(self) -> list[XfccGame | Unreadable]:
        """Return every game of the player. Raises XfccError."""
        answer = self._call("GetMyGames", {})
        found = next((element for element in answer.iter() if _name(element) == "GetMyGamesResult"), None)
        if found is None:
            # The answer is a web page, or the empty answer of a server that does not know the player.
            what = next((_name(e) for e in answer.iter() if _name(e) not in ("Envelope", "Body", "Header")), "nothing")
            raise XfccError(f"{self.url}: expected a list of games, found <{what}>: check the address and the user")
        return [_game(element) for element in found.iter() if _name(element) == "XfccGame"]

    def make(self, wanted: Made) -> None:
        """Send a move or another action.

        Raises XfccError if the server rejects the action, XfccUncertain without a readable reply.
        """
        answer = self._call(
            "MakeAMove",
            {
                "gameId": wanted.game_id,
                "resign": _WORDS[wanted.resign],
                "acceptDraw": _WORDS[wanted.accept_draw],
                "movecount": str(wanted.move_number),
                "myMove": wanted.san,
                "offerDraw": _WORDS[wanted.offer_draw],
                "claimDraw": _WORDS[wanted.claim_draw],
                "myMessage": wanted.message,
            },
        )
        said = next(((e.text or "").strip() for e in answer.iter() if _name(e) == "MakeAMoveResult"), "")
        if said == "Success":
            return
        if said not in _ANSWERS:
            raise XfccUncertain(f"{self.url}: expected an answer to the action, found {shown(said)}")
        raise XfccError(_ANSWERS[said])

    def _call(self, action: str, values: dict[str, str]) -> Element:
        """Return the root element of the answer. Raises XfccError; failures after sending raise XfccUncertain."""
        try:
            import asyncio

            import defusedxml  # noqa: F401 (so that a missing package is noticed before sending)
            import httpx
        except ImportError:
            raise XfccError(f"the packages for Xfcc servers are not installed: {install_command('xfcc')}") from None
        sent = False

        async def watch(event: str, _details: object) -> None:
            nonlocal sent
            sent = sent or "send_request_headers" in event

        try:
            response, data = asyncio.run(self._exchanged(self._envelope(action, values), action, watch))
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise XfccError(f"{self.url}: {_unreachable(_words(error))}") from None
        except httpx.TimeoutException:
            raise XfccUncertain(f"{self.url}: no answer within {_PATIENCE_S:.0f} s") from None
        except TimeoutError:
            what = "an answer that takes" if sent else "cannot be reached: it takes"
            raise (XfccUncertain if sent else XfccError)(
                f"{self.url}: {what} longer than {self._longest_s:g} s"
            ) from None
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            raise XfccUncertain(f"{self.url}: the connection broke off before the end of the answer") from None
        except httpx.HTTPError as error:
            raise XfccUncertain(f"{self.url}: {_words(error)}") from None
        except _Unwanted as error:
            raise XfccUncertain(f"{self.url}: {error}") from None
        self.ahead_ms = _ahead(response.headers.get("Date", ""))
        answer, problem = _parsed(data, response.charset_encoding)
        status = response.status_code
        if status == 200 and answer is not None:
            return answer
        kind = XfccError if 300 <= status < 500 else XfccUncertain
        raise kind(f"{self.url}: {_fault(answer) or (problem if status == 200 else _refusal(response, data))}")

    async def _exchanged(
        self, content: bytes, action: str, watch: Callable[[str, object], Awaitable[None]]
    ) -> tuple[Response, bytes]:
        """Return the answer and its body. Asynchronous code lets one deadline cover the whole exchange.

        watch: a function that is called with every event of the connection. Raises TimeoutError, and the exceptions
        of httpx.
        """
        import asyncio

        import httpx

        headers = {
            "Content-Type": "text/xml; charset=utf-8",
            "SOAPAction": f'"{_NAMESPACE}/{action}"',
            "Accept-Encoding": "identity",
        }
        asyncio.get_running_loop().set_default_executor(_daemons())
        client = httpx.AsyncClient(timeout=_PATIENCE_S)  # reads certificates, which may take long on a busy machine
        async with asyncio.timeout(self._longest_s), client:
            # The client follows no redirection, so that only this server gets the password.
            request = client.build_request("POST", self.url, content=content, headers=headers)
            request.extensions["trace"] = watch
            response = await client.send(request, stream=True, follow_redirects=False)
            return response, b"".join([part async for part in _limited(response)])

    def _envelope(self, action: str, values: dict[str, str]) -> bytes:
        """Return the SOAP request, with elements in the order of the service's description, as some servers require."""
        everything = {"username": self.user, "password": self._password} | values
        body = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in everything.items())
        return (
            f'<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="{_SOAP}"><soap:Body>'
            f'<{action} xmlns="{_NAMESPACE}">{body}</{action}></soap:Body></soap:Envelope>'
        ).encode()


def _daemons() -> ThreadPoolExecutor:
    """Return an executor of daemon threads. The executor runs the look-up of a name, which cannot be cancelled.

    At the end, asyncio waits for the threads of its own executor, and so does the interpreter.
    """
    from concurrent.futures import Future, ThreadPoolExecutor
    from threading import Thread

    class Daemons(ThreadPoolExecutor):
        def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()

            def run() -> None:
                try:
                    future.set_result(function(*arguments, **named))
                except Exception as error:
                    future.set_exception(error)

            future.set_running_or_notify_cancel()
            Thread(target=run, daemon=True).start()
            return future

    return Daemons()


class _Unwanted(Exception):
    """An answer that is not read to its end, because it is damaged, too long, or not in the requested form."""


async def _limited(response: Response) -> AsyncIterator[bytes]:
    """Yield the unpacked answer up to a maximum size, because a small answer can unpack to a huge one."""
    import zlib

    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    unpack = None
    if encoding in ("gzip", "x-gzip", "deflate"):
        unpack = zlib.decompressobj(wbits=47)  # the server accepts both kinds of header
    elif encoding not in ("", "identity"):
        raise _Unwanted(f"an answer packed as {shown(encoding)}, which was not asked for")
    size = 0
    async for packed in response.aiter_raw():
        rest = packed
        while rest:
            if unpack is None:
                part, rest = rest, b""
            else:
                try:
                    part = unpack.decompress(rest, _PART_BYTES)
                except zlib.error as error:
                    raise _Unwanted(f"damaged compressed data ({error})") from None
                rest = unpack.unconsumed_tail
                if not part and unpack.eof:
                    rest = b""
            size += len(part)
            if size > _LARGEST_BYTES:
                raise _Unwanted(f"an answer of more than {_LARGEST_BYTES} bytes")
            yield part


_PART_BYTES = 1 << 16


def _words(error: Exception) -> str:
    """Return the message of a library's error, without the number of a system error."""
    return re.sub(r"^\[Errno -?\d+\] ", "", " ".join(str(error).split())) or type(error).__name__


def _unreachable(words: str) -> str:
    """Return the reason why no connection was made. words: the message of the library."""
    refused = re.search(r"certificate verify failed: (.*?)( \(_ssl\.c:\d+\))?$", words)
    if refused is None:
        return f"cannot be reached: {words}"
    return f"its certificate is not accepted ({refused[1]}): check the address, and this machine's date"


def _ahead(date: str) -> int:
    """Return the time in ms by which a server's clock is ahead of this machine's.

    date: the date in the server's answer.
    """
    from email.utils import parsedate_to_datetime

    try:
        return to_ms(parsedate_to_datetime(date)) - now_ms()
    except (TypeError, ValueError, OverflowError):
        return 0


def _parsed(data: bytes, charset: str | None) -> tuple[Element | None, str]:
    """Return the root element of an answer, or None and a message. charset: the encoding in the HTTP header."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError

    try:
        root, problem = _root(data, charset), ""
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        root, problem = None, f" ({_words(error)})"
    page = _page(data)
    if root is not None and not (page and _name(root).lower() == "html"):
        return root, ""
    return None, f"expected an answer in XML, found {page or f'an unreadable answer{problem}'}"


def _root(data: bytes, charset: str | None) -> Element:
    """Return the root element of an XML document. Raises ParseError, DefusedXmlException, ValueError or LookupError."""
    from defusedxml.ElementTree import ParseError, fromstring

    # The document's own encoding takes precedence, because a header often has a server's default. If neither names an
    # encoding, it must be UTF-8: text in another encoding is hardly ever valid UTF-8 by chance.
    root: Element
    try:
        root = fromstring(data)
    except (ParseError, ValueError, LookupError):
        # Blank lines are removed, because scripts of servers often send them first.
        root = fromstring(_without_controls(data.decode(charset or "utf-8").lstrip("\ufeff \t\r\n")))
    return root


def _without_controls(text: str) -> str:
    """Replace the characters that XML excludes.

    A message that was pasted from a word processor may contain such characters.
    """
    import re

    def kept(found: re.Match[str]) -> str:
        number = found[1]
        if number is None:
            return " "
        code = int(number[1:], 16) if number[0] in "xX" else int(number)
        is_valid = code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0xFFFF < code < 0x110000
        return found[0] if is_valid else " "

    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#([xX][0-9a-fA-F]{1,8}|[0-9]{1,10});", kept, text)


def _page(data: bytes) -> str:
    """Return a description of a web page that came instead of an answer; empty for any other document."""
    import html
    import re

    text = data[:_PART_BYTES].decode("utf-8", "replace")
    if not re.search(r"<(!doctype\s+)?html\b", text, re.IGNORECASE):
        return ""
    title = re.search(r"<title[^>]*>([^<]*)", text, re.IGNORECASE)
    words = " ".join(html.unescape(title[1]).split()) if title else ""
    return f"the web page {shown(words)}" if words else "a web page"


def _fault(answer: Element | None) -> str:
    """Return the message of a SOAP fault; empty for an answer without a fault."""
    fault = None if answer is None else next((e.text for e in answer.iter() if _name(e) == "faultstring"), None)
    if not fault or not fault.strip():
        return ""
    # .NET puts the class of the exception and "unable to process request" before the cause, and a trace of calls after.
    cause = fault.partition("\n   at ")[0].rpartition("--->")[2] or fault
    cause = re.sub(r"^\s*[\w.]+Exception: ", "", cause)
    return f"the server says {shown(' '.join((cause.strip() or fault).split()))}"


_STATUS = {
    401: "the server does not accept the user and password",
    403: "the server denies access: check the user, and whether the server allows programs",
    404: "the server has no page at this address: check the address",
    405: "the address is not an Xfcc service: check the address",
    407: "a proxy requires a user and password",
    410: "the server has removed the page at this address",
    429: "the server received too many requests",
    500: "the server has failed",
    502: "the server is unavailable",
    503: "the server is unavailable",
    504: "the server is unavailable",
}
_PASSING = (429, 502, 503, 504)


def _refusal(response: Response, data: bytes) -> str:
    """Return the meaning of an HTTP status, for the user."""
    status, headers = response.status_code, response.headers
    wait, page = headers.get("Retry-After", ""), _page(data)
    meaning = _STATUS.get(status, "expected an answer in XML, found an empty one")
    if 300 <= status < 400 and "Location" in headers:
        to = shown(headers["Location"])
        meaning = f"the server redirects to {to}: give that address if you trust it with your password"
    elif status in _PASSING:
        seconds = wait.isdecimal() and len(wait) < 10
        meaning += f": try again after {f'{wait} s' if seconds else shown(wait)}" if wait else ": try again later"
    return f"{meaning} (HTTP status {status}{', with ' * bool(page)}{page})"


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _game(element: Element) -> XfccGame | Unreadable:
    values = {_name(child): (child.text or "").strip() for child in element}
    number = values.get("id", "")
    has_white = _truth(values, "hasWhite")
    variant = values.get("variant", "").lower()
    chess960 = "960" in variant or "fischer" in variant
    for problem in (
        "a game without an id" * (not number),
        "the server does not say which side is yours" * (has_white is None),
        f"expected chess, found the variant {shown(variant)}" * (not chess960 and variant not in _VARIANTS),
        "a position was set up, but the server does not say which"
        * (_truth(values, "setup") is True and not values.get("fen")),
    ):
        if problem:
            return Unreadable(number, problem)
    problems: list[str] = []
    own, other = _clock_ms(values, "Player", problems), _clock_ms(values, "Opponent", problems)
    ending = values.get("result", "")
    if ending not in _GOING_ON and ending not in _RESULTS:
        problems.append(f"expected a result, found {shown(ending)}")
    return XfccGame(
        id=number,
        white=_words_of(values, "white") or "?",
        black=_words_of(values, "black") or "?",
        event=_words_of(values, "event"),
        site=_words_of(values, "site"),
        has_white=bool(has_white),
        movetext=values.get("moves", ""),
        clocks_ms=(own, other) if has_white else (other, own),
        result=_RESULTS.get(ending),
        ending=ending,
        date=values.get("eventDate", ""),
        fen=values.get("fen") or None,
        chess960=chess960,
        no_engines=_truth(values, "noEngines"),
        draw_offered=bool(_truth(values, "drawOffered")),
        message=_words_of(values, "message"),
        time_control=values.get("timeControl", ""),
        problems=tuple(problems),
    )


def _words_of(values: dict[str, str], name: str) -> str:
    """Return a text that people have written, which some servers store as HTML: ``M&uuml;ller`` for ``Müller``."""
    import html

    return html.unescape(values.get(name, ""))


def _truth(values: dict[str, str], name: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(values.get(name, "").lower())


def _clock_ms(values: dict[str, str], whose: str, problems: list[str]) -> int | None:
    """Return the clock of a side in ms; None if it is missing or unreadable."""
    total, days = 0, values.get("days" + whose)
    for unit, size in (("days", DAY_MS), ("hours", HOUR_MS), ("minutes", MINUTE_MS)):
        text = values.get(unit + whose) or "0"
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            problems.append(f"expected {unit}{whose} to be a number, found {shown(text)}")
            return None
        total += int(text) * size
    return total if days else None
