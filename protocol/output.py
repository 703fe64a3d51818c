"""Standard output and standard error of the command line: they show control characters from outside, and send none."""

from __future__ import annotations

import io
import re
import sys

from standstill.engine.words.text import HIDDEN, escaped

from .painting import colours_wanted

_HIDDEN = f"(?P<hidden>{HIDDEN})"
_PLAIN = re.compile(rf"[\n\t]|{_HIDDEN}")
# Our own colours and the cursor movements of progress bars, which there are on terminals only.
_COLOURED = re.compile(rf"[\n\t\r]|\x1b\[(?:[0-9;]*[mABCDGHJK]|\?25[hl])|{_HIDDEN}")


class VisibleOutput(io.TextIOWrapper):
    """Text with every control character as an escape, except line ends, tabs, and colours on a terminal.

    Bytes that are written to ``buffer``, such as games, stay as they are.
    """

    def write(self, text: str) -> int:
        if not hasattr(self, "_known"):
            self._known = _COLOURED if self.isatty() or colours_wanted() else _PLAIN
        super().write(self._known.sub(_visible, text))
        return len(text)


def _visible(found: re.Match[str]) -> str:
    return escaped(found) if found["hidden"] else found.group()


def guard_output() -> None:
    """Put such streams in the place of the usual ones. Others, as tests have them, stay."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper:
            stream.flush()
            fresh = VisibleOutput(
                stream.buffer,
                encoding=stream.encoding,
                errors=stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
            stream.detach()
            setattr(sys, name, fresh)
