"""The interface that front ends need from the loop that drives them. Imported for annotations only."""

from __future__ import annotations

from typing import Protocol


class LineWriter(Protocol):
    """Writes lines to the client."""

    def write(self, text: str) -> None:
        """Write one line, or several lines that belong together, without the last newline."""
