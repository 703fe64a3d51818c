"""Texts from outside, in messages and tables."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# The pattern of what a terminal would obey instead of showing it: control characters of both sets, the marks and
# overrides that turn the direction of writing around, other line ends; and bytes that are no characters, which cannot
# be written at all.
HIDDEN = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def shown(text: str, width: int = 100) -> str:
    """The text quoted for a message: one line, shortened if it is long, and what cannot be printed as an escape."""
    return repr(text if len(text) <= width else text[: width - 3] + "...")


def shown_value(value: object, width: int = 60) -> str:
    """Any value for a message, as Python writes it: one line, shortened if it is long."""
    try:
        text = repr(value)
    except Exception:  # of integers of thousands of digits, and of what users define
        text = f"<{type(value).__name__} that cannot be shown>"
    return visible(text if len(text) <= width else text[: width - 3] + "...")


def shown_path(path: str | os.PathLike[str]) -> str:
    """The path quoted for a message, whole: half a path names nothing."""
    return shown(os.fspath(path), 4096)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """The noun as it stands behind the count: ``game`` behind 1, else ``games``. nouns: where that is irregular."""
    return noun if count == 1 else nouns or f"{noun}s"


def newline_of(text: str) -> str:
    """What ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text or "\r" not in text else "\r"


def visible(text: str) -> str:
    """The text in one line, with what a terminal would obey written as an escape such as ``\\x1b``."""
    import re  # half as long as the whole start, and this is not for messages of the protocols

    return re.sub(HIDDEN, escaped, text)


def escaped(found: re.Match[str]) -> str:
    """One character as Python writes it in ASCII."""
    return ascii(found.group())[1:-1]
