"""What every download shares: checked addresses, safe redirections, checked certificates, and errors in words."""

from __future__ import annotations

import http.client
import re
import ssl
import urllib.request
from functools import cache
from urllib.parse import urlsplit

from .errors import ArgumentError, StandstillError
from .text import shown, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SCHEMES = ("http", "https")


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
        host, has_user = None, False
    if not host or parts.scheme not in _SCHEMES or re.search(r"[\x00-\x20\x7f]", address) or not address.isascii():
        raise ArgumentError(f"expected an address such as {example}, found {shown(address)}")
    if has_user:
        raise ArgumentError("expected an address without a user name")
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections to web addresses, but not from an encrypted one to a plain one."""

    def redirect_request(  # noqa: PLR0917 (as in the base class)
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        old, new = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if new not in _SCHEMES or (old == "https" and new == "http"):
            raise WebError(f"expected a redirection to https, found {shown(newurl)}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@cache
def opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses. Its ``open`` raises WebError and the errors of urllib and http.client."""
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=_context()), _Redirects)


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
