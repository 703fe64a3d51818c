"""Makes text from outside safe to display in messages and tables."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

# Characters that a terminal would interpret instead of showing: control characters of both sets, bidirectional marks
# and overrides, other line separators; and surrogates of undecodable bytes, which cannot be written at all.
HIDDEN = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"

# the first bytes of a file that `>` writes in Windows' PowerShell; these bytes are never UTF-8
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def shown(text: str, width: int = 100) -> str:
    """Quote the text for a message: one line, shortened if it is long, with escapes for unprintable characters.

    A backslash is doubled, except where it separates folders.
    """
    return _undoubled(repr(text if len(text) <= width else text[: width - 3] + "..."))


def _undoubled(quoted: str) -> str:
    """Undo what ``repr`` does to the paths of Windows, so that they can be copied from a message."""
    return quoted.replace("\\\\", "\\") if os.sep == "\\" else quoted


def shown_value(value: object, width: int = 60) -> str:
    """Return the ``repr`` of any value for a message: one line, shortened if it is long."""
    try:
        text = _undoubled(repr(value))
    except Exception:  # integers with thousands of digits, and classes that users define, can raise anything
        text = f"<{type(value).__name__} that cannot be shown>"
    return visible(text if len(text) <= width else text[: width - 3] + "...")


def shown_path(path: str | os.PathLike[str]) -> str:
    """Quote the path for a message, without shortening it."""
    return shown(os.fspath(path), 4096)


def as_file_name(name: str) -> str:
    """Return the name with a hyphen for each character that file names cannot have on some system."""
    return "".join("-" if character in '<>:"/\\|?*' else character for character in name)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return ``noun`` if the count is 1, else its plural. nouns: the plural, if it is irregular."""
    return noun if count == 1 else nouns or f"{noun}s"


def did_you_mean(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str:
    """Return ``; did you mean X?`` for the choice that is most like the word, or an empty text.

    cutoff: the minimum similarity, from 0 to 1.
    """
    from difflib import get_close_matches  # imported here, because only messages need the module

    table = {choice.lower(): choice for choice in choices}
    found = get_close_matches(word.lower(), table, 1, cutoff)
    return f"; did you mean {table[found[0]]}?" if found and table[found[0]] != word else ""


def newline_of(text: str) -> str:
    """Return the line ending that the text uses."""
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text or "\r" not in text else "\r"


def visible(text: str) -> str:
    """Return the text in one line, with escapes such as ``\\x1b`` for characters that a terminal would interpret."""
    import re  # imported here, because the module would lengthen the start by half, and the protocols do not need it

    return re.sub(HIDDEN, escaped, text)


def escaped(found: re.Match[str]) -> str:
    """Return the ASCII escape of one character, as Python writes it."""
    return ascii(found.group())[1:-1]
