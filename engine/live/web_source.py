"""A running game at an address of the web, asked again and again with the conditions of HTTP.

A server that has nothing new answers 304 to the validators of its last answer (ETag, Last-Modified), so that most
questions cost it almost nothing. A failure makes the next question wait longer.
"""

from __future__ import annotations

import http.client
import re
import ssl
import time
import urllib.error
import urllib.request
from functools import cache
from urllib.parse import urlsplit

from ..common.errors import ArgumentError
from ..common.text import shown, visible
from .sources import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_BYTES = 32 << 20  # of an answer
_SILENCE_S = 10.0  # without a byte
_LONGEST_S = 20.0  # for a whole answer
_PIECE = 1 << 16
_LONGEST_PAUSE_S = 10.0  # after failures
_LONGEST_WISH_S = 600.0  # of Retry-After
_SCHEMES = ("http", "https")


def is_address(text: str) -> bool:
    """Return whether the argument of a command is an address rather than a file."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", text) is not None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections to web addresses, but not from an encrypted one to a plain one."""

    def redirect_request(  # noqa: PLR0917 (as in the base class)
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        old, new = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if new not in _SCHEMES or (old == "https" and new == "http"):
            raise SourceError(f"expected a redirection to https, found {shown(newurl)}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class WebSource:
    """An address. ``read`` blocks for at most half a minute.

    clock: seconds that move forward, for the pauses after failures.
    """

    patience_s = 0.0
    is_over = False

    def __init__(self, address: str, every_s: float = 1.0, clock: Callable[[], float] = time.monotonic):
        """Raises ArgumentError for an address that cannot be used."""
        try:
            parts = urlsplit(address)
            host, has_user = parts.hostname, parts.username is not None
            parts.port  # noqa: B018 (raises ValueError)
        except ValueError:
            host, has_user = None, False
        if not host or parts.scheme not in _SCHEMES or re.search(r"[\x00-\x20\x7f]", address) or not address.isascii():
            raise ArgumentError(f"expected an address such as https://example.org/live.pgn, found {shown(address)}")
        if has_user:
            raise ArgumentError("expected an address without a user name")
        self.name = f"{parts.scheme}://{parts.netloc}{parts.path}"  # a query may hold a secret
        self.every_s = every_s
        self._address = address.partition("#")[0]
        self._clock = clock
        self._validators: dict[str, str] = {}
        self._text: bytes | None = None
        self._failures = 0
        self._pause_until = float("-inf")
        self._fault = ""
        self._open: Any = None

    def read(self) -> bytes | None:
        if self._clock() < self._pause_until:
            raise SourceError(self._fault)
        try:
            text = self._ask()
        except SourceError as error:
            raise self._failed(str(error)) from None
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304:
                    self._failures = 0
                    return None
                wish = error.headers.get("Retry-After", "")
                raise self._failed(f"answer {error.code} {visible(error.reason or '')}".rstrip(), wish) from None
        except urllib.error.URLError as error:
            raise self._failed(_reason(error.reason)) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(_reason(error)) from None
        self._failures = 0
        if text == self._text:
            return None
        self._text = text
        return text

    def _failed(self, text: str, wish: str = "") -> SourceError:
        """The error for a failure; the next question waits. wish: of the server, in seconds."""
        self._failures += 1
        pause_s = min(self.every_s * 2 ** min(self._failures - 1, 10), max(_LONGEST_PAUSE_S, self.every_s))
        if wish.strip().isdigit():
            pause_s = max(pause_s, min(float(wish), _LONGEST_WISH_S))
        self._pause_until = self._clock() + pause_s - self.every_s / 2
        self._fault = f"{self.name}: {text}"
        return SourceError(self._fault)

    def _ask(self) -> bytes:
        """Return the body of a new answer. Raises SourceError, and the errors of urllib."""
        headers = {
            "User-Agent": "Standstill (follow)",
            "Accept": "application/x-chess-pgn, application/json, text/plain, */*;q=0.5",
            "Accept-Encoding": "identity",
            "Cache-Control": "no-cache",
            **self._validators,
        }
        if self._open is None:
            secure = urllib.request.HTTPSHandler(context=_context())
            self._open = urllib.request.build_opener(secure, _Redirects).open
        began = self._clock()
        with self._open(urllib.request.Request(self._address, headers=headers), timeout=_SILENCE_S) as answer:
            if answer.status != 200:
                raise SourceError(f"answer {answer.status}")
            body = self._body(answer, began)
            expected = answer.headers.get("Content-Length", "")
            if expected.isdigit() and int(expected) != len(body):
                raise SourceError(f"expected {expected} bytes, found {len(body)}")
            if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise SourceError("expected an answer without compression")
            tag, changed = answer.headers.get("ETag"), answer.headers.get("Last-Modified")
        self._validators = {"If-None-Match": tag} if tag else {"If-Modified-Since": changed} if changed else {}
        return body

    def _body(self, answer: http.client.HTTPResponse, began: float) -> bytes:
        body = bytearray()
        while piece := answer.read1(_PIECE):
            body += piece
            if len(body) > MOST_BYTES:
                raise SourceError(f"expected at most {MOST_BYTES >> 20} MB, found more")
            if self._clock() - began > _LONGEST_S:
                raise SourceError(f"expected the answer within {_LONGEST_S:.0f} s")
        return bytes(body)


def _reason(error: object) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {_SILENCE_S:.0f} s"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not valid: {error.verify_message}"
    if isinstance(error, http.client.IncompleteRead):
        return "the answer ended early"
    if isinstance(error, http.client.RemoteDisconnected):
        return "the server closed the connection"
    if isinstance(error, http.client.HTTPException):
        return "the server does not speak HTTP"
    text = getattr(error, "strerror", None) or str(error)
    return visible(" ".join(text.split()))


@cache
def _context() -> ssl.SSLContext:
    """Checked certificates: those of the system, or certifi's where the system has none."""
    context = ssl.create_default_context()
    if not context.get_ca_certs() and not any(context.cert_store_stats().values()):
        try:
            import certifi
        except ModuleNotFoundError:
            return context
        context.load_verify_locations(certifi.where())
    return context
