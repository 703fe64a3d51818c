"""Messages from the engine to its user, independent of the protocol."""

from __future__ import annotations

from typing import Protocol


class Notice(Protocol):
    """Shows a line of text. warning: True if the engine could not do exactly what was requested."""

    def __call__(self, text: str, *, warning: bool = False) -> None: ...
