"""The common parts of all downloads: checked addresses and certificates, safe redirections, and errors in words."""

from __future__ import annotations

import http.client
import io
import math
import re
import ssl
import time
import urllib.request
from functools import cache
from urllib.parse import urlsplit

from .errors import ArgumentError, StandstillError
from .text import shown, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import Any

_SCHEMES = ("http", "https")
HEAD_S = 20.0  # time limit for the head of an answer, because a server could go on sending a line now and then


class WebError(StandstillError, OSError):
    """An address that cannot be read now."""


def is_address(text: str) -> bool:
    """Return whether the argument of a command is an address rather than a file."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", text) is not None


def check_address(address: str, example: str) -> str:
    """Return the address without its query, which may hold a secret, for messages. Raises ArgumentError."""
    try:
        parts = urlsplit(address)
        host, has_user = parts.hostname, parts.username is not None
        parts.port  # noqa: B018 (raises ValueError)
    except ValueError:
        host, has_user = None, "@" in address
    if has_user or (not host and "@" in address):  # a message must not show a password
        raise ArgumentError(f"expected an address such as {example} without a user name")
    if not host or parts.scheme not in _SCHEMES or re.search(r"[\x00-\x20\x7f]", address) or not address.isascii():
        raise ArgumentError(f"expected an address such as {example}, found {shown(address.partition('?')[0])}")
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections to web addresses, but not from an encrypted one to a plain one."""

    inf_msg = "too many redirections: "  # the beginning of the error that urllib raises for endless redirections

    def redirect_request(  # noqa: PLR0917 (as in the base class)
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        old, new = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if new not in _SCHEMES or (old == "https" and new == "http"):
            raise WebError(f"expected a redirection to https, found {shown(newurl)}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Timed(io.RawIOBase):
    """The bytes of a socket until a deadline, an instant of ``time.monotonic``."""

    def __init__(self, connection: socket.socket):
        self._raw = connection.makefile("rb", buffering=0)
        self.deadline = time.monotonic() + HEAD_S

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if time.monotonic() > self.deadline:
            raise WebError(f"expected the head of the answer within {HEAD_S:.0f} s")
        return self._raw.readinto(buffer)

    def close(self) -> None:
        super().close()
        self._raw.close()


class _Answer(http.client.HTTPResponse):
    """An answer whose head must arrive within a time. The socket's timeout limits only the silence between bytes."""

    def __init__(self, sock: socket.socket, *arguments: Any, **options: Any):
        super().__init__(sock, *arguments, **options)
        self.fp.close()
        self._timed = _Timed(sock)
        self.fp = io.BufferedReader(self._timed)

    def begin(self) -> None:
        super().begin()
        self._timed.deadline = math.inf


class _Connection(http.client.HTTPConnection):
    response_class = _Answer


class _SecureConnection(http.client.HTTPSConnection):
    response_class = _Answer


class _Handler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, context=_context())


@cache
def opener() -> urllib.request.OpenerDirector:
    """Return an object that opens addresses.

    The ``open`` method of the object raises WebError and the errors of urllib and http.client.
    """
    return urllib.request.build_opener(_Handler, _SecureHandler, _Redirects)


def reason(error: object, silence_s: float) -> str:
    """Return an error of ``opener`` in words. silence_s: the time without a byte after which the client gave up."""
    if isinstance(error, TimeoutError):
        return f"no answer within {silence_s:.0f} s"
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
    """Verify certificates by the system's store, or by certifi's if the system has none."""
    context = ssl.create_default_context()
    if not context.get_ca_certs() and not any(context.cert_store_stats().values()):
        try:
            import certifi
        except ModuleNotFoundError:
            return context
        context.load_verify_locations(certifi.where())
    return context
