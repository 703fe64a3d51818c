"""What the engine has to tell its user, whatever the protocol."""

from __future__ import annotations

from typing import Protocol


class Notice(Protocol):
    """Tells a line of text. warning: something is not as the user has asked."""

    def __call__(self, text: str, *, warning: bool = False) -> None: ...
