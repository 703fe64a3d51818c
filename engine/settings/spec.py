"""One option of the engine: its kind, range and default, and how its value is read from text."""

from __future__ import annotations

import os

from ..common.errors import ConfigError
from ..common.text import shown
from ..system.files import WITHOUT_WAITING, open_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Clients that read spin values into 32 bits reject larger values.
_INT_MAX = 2**31 - 1


class OptionSpec:
    """One option. ``kind`` is check, spin, combo, string or button, as in UCI."""

    __slots__ = (
        "check",
        "choices",
        "default",
        "help",
        "in_file",
        "in_uci",
        "in_xboard",
        "kind",
        "maximum",
        "minimum",
        "name",
        "xboard_command",
        "xboard_kind",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        default: bool | int | str | None,
        help: str,
        *,
        minimum: int = 0,
        maximum: int = _INT_MAX,
        choices: tuple[str, ...] = (),
        in_file: bool = True,
        in_uci: bool = True,
        in_xboard: bool = True,
        xboard_command: str = "",
        xboard_kind: str | None = None,
        check: Callable[[str], object] | None = None,
    ):
        self.name = name
        self.kind = kind
        self.default = default  # None for a button
        self.help = help  # whole sentences for the documents
        self.minimum = minimum  # only for options of kind spin
        self.maximum = maximum
        self.choices = choices  # only for options of kind combo
        self.in_file = in_file  # whether engine.ini may set it
        self.in_uci = in_uci  # whether it is declared to UCI clients
        self.in_xboard = in_xboard and not xboard_command  # whether it is declared to XBoard clients
        self.xboard_command = xboard_command  # the XBoard command that sets it instead
        self.check = check  # checks the text of a string; raises ValueError
        self.xboard_kind = xboard_kind or kind  # file or path for a string that names one

    @property
    def xboard_name(self) -> str:
        """The name without blanks, because some clients split at them."""
        return self.name.replace(" ", "")

    def parse(self, text: str) -> bool | int | str:
        """Return the value of ``text``. A number out of range becomes the nearest number in range.

        Raises ConfigError if the text is not a value of this option.
        """
        if self.kind == "check":
            value = {"true": True, "false": False}.get(text.lower())
            if value is None:
                raise ConfigError(f"expected true or false for {self.name}, found {shown(text)}")
            return value
        if self.kind == "spin":
            return max(self.minimum, min(self._number(text), self.maximum))
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            raise ConfigError(f"expected one of {', '.join(self.choices)} for {self.name}, found {shown(text)}")
        text = "" if text == "<empty>" else text
        if self.xboard_kind in ("file", "path"):
            text = os.pathsep.join(map(_unquoted, _unquoted(text).split(os.pathsep)))
        if "\0" in text:
            raise ConfigError(f"expected text without NUL for {self.name}, found {shown(text)}")
        if self.check is not None:
            try:
                self.check(text)
            except ValueError as error:
                raise ConfigError(f"{error} for {self.name}") from None
        return text

    def parse_within(self, text: str) -> bool | int | str:
        """Like ``parse``, but raise ConfigError for a number out of range as well."""
        value = self.parse(text)
        if self.kind == "spin" and value != self._number(text):
            raise ConfigError(f"expected {self.minimum} to {self.maximum} for {self.name}, found {shown(text)}")
        return value

    def _number(self, text: str) -> int:
        digits = text.lstrip("+-")
        if not digits.isascii() or not digits.isdigit() or len(text) - len(digits) > 1:
            raise ConfigError(f"expected a number for {self.name}, found {shown(text)}")
        # int() rejects thousands of digits, and a number of more than twenty digits is outside every range here.
        return int(text[:20])


def check_log(path: str) -> None:
    """Raise ConfigError unless the path is empty or the file can be written. A missing file is created."""
    if not path:
        return
    try:
        os.close(open_plain(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | WITHOUT_WAITING))
    except OSError as error:
        raise ConfigError(f"expected a file to write, found {shown(path)}: {error.strerror}") from None


def _unquoted(path: str) -> str:
    """Return the path without the quotes that users put around a path with blanks, as in a shell."""
    bare = path.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'" and bare[0] not in bare[1:-1]
    return bare[1:-1] if quoted else path
