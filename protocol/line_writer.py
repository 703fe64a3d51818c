"""What the front ends ask of the loop that drives them. For annotations alone: nothing imports this at run time."""

from __future__ import annotations

from typing import Protocol


class LineWriter(Protocol):
    """The way to the client."""

    def write(self, text: str) -> None:
        """Write one line, or several lines that belong together, without the last newline."""
