"""Standard output and standard error of the command line, which escape control characters in foreign text."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys

from standstill.engine.common.text import HIDDEN, escaped
from standstill.engine.system.consoles import output_bytes
from standstill.engine.system.files import open_plain

from .painting import colours_wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_HIDDEN = f"(?P<hidden>{HIDDEN})"
_PLAIN = re.compile(rf"[\n\t]|{_HIDDEN}")
# Our own colours and the cursor movements of progress bars, which occur only on terminals.
_COLOURED = re.compile(rf"[\n\t\r]|\x1b\[(?:[0-9;]*[mABCDGHJK]|\?25[hl])|{_HIDDEN}")

# Replacements for characters that the encoding of a terminal or pipe lacks. The symbols are those of relevance/nags.py.
_STAND_INS = {
    "\u221e": "~",
    "\u2a72": "+=",
    "\u2a71": "=+",
    "\u00b1": "+/-",
    "\u2213": "-/+",
    "\u2212": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2026": "...",
    "\u00d7": "x",
    "\u00bd": "1/2",
    "\u2192": "->",
    "\u21c6": "<->",
    **dict(
        zip("\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f", "KQRBNPkqrbnp", strict=True)
    ),
}
# Letters that Unicode does not compose of a base letter and a mark.
_LETTERS = dict(zip("\u0110\u0111\u0126\u0127\u0131\u0141\u0142\u0166\u0167\u00d8\u00f8", "DdHhiLlTtOo", strict=True))


def _stand_in(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return the replacement of the first character that cannot be encoded: a similar character, or else an escape.

    Latin letters lose their marks.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from unicodedata import combining, normalize  # imported here, because few outputs need it

    char = error.object[error.start]
    base = _LETTERS.get(char) or normalize("NFD", char)[0]
    if not (base.isascii() and base.isalpha()):
        escape = "" if combining(char) else char.encode("ascii", "backslashreplace").decode()
        base = _STAND_INS.get(char, escape)
    return base, error.start + 1


def _stand_in_or_byte(error: UnicodeError) -> tuple[str | bytes, int]:
    """Like ``_stand_in``, but bytes of a file name that could not be decoded stay as they are."""
    if isinstance(error, UnicodeEncodeError) and "\udc80" <= (char := error.object[error.start]) <= "\udcff":
        return bytes([ord(char) & 255]), error.start + 1
    return _stand_in(error)


# Maps the name of an error handler of Python to the name and function of our handler that replaces it. Handlers are
# registered by name for the whole program.
_HANDLERS = {"strict": ("standstill.strict", _stand_in), "surrogateescape": ("standstill.bytes", _stand_in_or_byte)}
for _name, _handler in _HANDLERS.values():
    codecs.register_error(_name, _handler)


class VisibleOutput(io.TextIOWrapper):
    """Text with every control character as an escape, except line ends, tabs, and colours on a terminal.

    Bytes that are written to ``buffer``, such as games, stay as they are.
    """

    def write(self, text: str) -> int:
        if not hasattr(self, "_known"):
            self._known = _COLOURED if self.isatty() or colours_wanted() else _PLAIN
        super().write(self._known.sub(_visible, text))
        return len(text)


class Messages(VisibleOutput):
    """Standard error that ignores errors when its reader has exited (`2>&1 | head`), so that work continues."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            discard(self)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            discard(self)


def flush_output() -> None:
    """Write what standard output still buffers, if it is open."""
    if sys.stdout is not None:
        sys.stdout.flush()


def discard(stream: TextIO) -> None:
    """Discard buffered and further output of a stream whose reader has exited, so that writes do not fail."""
    null = open_plain(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def echo_file(text: str) -> None:
    """Write the text of a file to standard output: in UTF-8, but on a terminal in the encoding of the terminal."""
    import click

    shown = _PLAIN.sub(_visible, text)
    click.echo(shown if sys.stdout is not None and sys.stdout.isatty() else shown.encode(), nl=False)


def _visible(found: re.Match[str]) -> str:
    return escaped(found) if found["hidden"] else found.group()


def guard_output() -> None:
    """Replace the standard streams by streams that write any text in any encoding.

    Other streams, such as those of tests, are kept.
    """
    for name, kind in (("stdout", VisibleOutput), ("stderr", Messages)):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper:
            stream.flush()
            fresh = kind(
                output_bytes(stream.buffer),  # pyright: ignore[reportArgumentType] # the type is private to typeshed
                encoding=stream.encoding,
                errors=_HANDLERS[stream.errors][0] if stream.errors in _HANDLERS else stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            stream.detach()
            for each in (name, f"__{name}__"):  # rich reads the width of the terminal from __stderr__
                if getattr(sys, each) is stream:
                    setattr(sys, each, fresh)
