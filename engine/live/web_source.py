"""A running game at a web address, which is read repeatedly with conditional requests of HTTP.

Each request contains the validators of the last answer (ETag, Last-Modified). A server without new data answers with
the status 304, which costs it almost nothing. After a failure the next request waits longer.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request

from ..common.text import visible
from ..common.web_client import WebError, check_address, opener, reason
from .sources import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 32 << 20  # largest answer
_SILENCE_S = 10.0  # longest wait for the next byte
_LONGEST_S = 20.0  # longest time for a whole answer
_PIECE = 1 << 16
_LONGEST_PAUSE_S = 10.0  # longest pause after failures
_LONGEST_WISH_S = 600.0  # longest pause that a server can request by Retry-After


class WebSource:
    """An address. ``read`` blocks for at most half a minute.

    clock: returns seconds that never decrease, for the pauses after failures.
    """

    patience_s = 0.0
    is_over = False

    def __init__(self, address: str, every_s: float = 1.0, clock: Callable[[], float] = time.monotonic):
        """Raises ArgumentError for an address that cannot be used."""
        self.name = check_address(address, "https://example.org/live.pgn")
        self.every_s = every_s
        self._address = address.partition("#")[0]
        self._clock = clock
        self._validators: dict[str, str] = {}
        self._text: bytes | None = None
        self._failures = 0
        self._pause_until = float("-inf")
        self._fault = ""

    def read(self) -> bytes | None:
        if self._clock() < self._pause_until:
            raise SourceError(self._fault)
        try:
            text = self._ask()
        except (SourceError, WebError) as error:
            raise self._failed(str(error)) from None
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304:
                    self._failures = 0
                    return None
                wish = error.headers.get("Retry-After", "")
                said = visible(" ".join((error.reason or "").split()))
                raise self._failed(f"answer {error.code} {said}".rstrip(), wish) from None
        except urllib.error.URLError as error:
            raise self._failed(reason(error.reason, _SILENCE_S)) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(reason(error, _SILENCE_S)) from None
        self._failures = 0
        if text == self._text:
            return None
        self._text = text
        return text

    def _failed(self, text: str, wish: str = "") -> SourceError:
        """Return the error for a failure, and delay the next request. wish: the server's Retry-After, in seconds."""
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
        began = self._clock()
        with opener().open(urllib.request.Request(self._address, headers=headers), timeout=_SILENCE_S) as answer:
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
