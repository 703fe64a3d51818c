"""Consoles: whether a person started the engine, and how commands are quoted."""

from __future__ import annotations

import os
import sys


def person_waits() -> bool:
    """Return whether a person has started the engine, for example by a double click. Always False outside Windows."""
    return sys.platform == "win32" and os.isatty(0) and os.isatty(1)


def words_of(command: str) -> list[str]:
    """Split a command into words like a shell. Raises ValueError for an unclosed quote.

    On Windows a backslash separates folders and escapes nothing.
    """
    import shlex

    if sys.platform == "win32":
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.whitespace_split, reader.escape, reader.commenters = True, "", ""
        return list(reader)
    return shlex.split(command)
