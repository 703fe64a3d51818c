"""Consoles: who sits there, and how a command is written there."""

from __future__ import annotations

import os
import sys


def person_waits() -> bool:
    """Return whether a person, not a client, has started the engine, as by a double click. False outside Windows."""
    return sys.platform == "win32" and os.isatty(0) and os.isatty(1)


def words_of(command: str) -> list[str]:
    """Return the words of a command, as a shell splits it. Raises ValueError for a quote without its end.

    On Windows a backslash separates folders and escapes nothing.
    """
    import shlex

    if sys.platform == "win32":
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.whitespace_split, reader.escape, reader.commenters = True, "", ""
        return list(reader)
    return shlex.split(command)
