"""Renamed options: the old name is accepted for one release, with a notice on standard error.

The help, the manual page and the shells' completions show the new name only. Giving both names is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

from .messages import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import cast

LAST = "will be removed in the next release"
_BARE = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)


def is_bare(text: str) -> bool:
    """Return whether this text is a number without a unit."""
    return _BARE.fullmatch(text) is not None


def notice(context: click.Context, text: str) -> None:
    """Print the notice, unless a shell asks for completions."""
    if not context.resilient_parsing:
        warn(text)


class Renamed(click.Option):
    """An option with one value that used to have another name.

    old: the former name. unit: the unit of bare numbers under the former name, such as ``ms``.
    """

    def __init__(self, *args: Any, old: str, unit: str = "", **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.old = old
        self.unit = unit

    @property
    def _key(self) -> str:
        """The parser's key for the value given under the old name."""
        return f"{self.name} {self.old}"

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(obj=self, opts=[self.old], dest=self._key, action="store", nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        if self._key not in opts:
            return super().consume_value(ctx, opts)
        new = self.opts[-1]
        if self.name in opts:
            raise click.UsageError(f"expected {new} alone, found also its old name {self.old}", ctx)
        value = opts[self._key]
        if self.unit and is_bare(value):
            value += self.unit
            notice(ctx, f"{self.old} is now {new}, with a unit: {new} {value}; the old name {LAST}")
        else:
            notice(ctx, f"{self.old} is now {new}; the old name {LAST}")
        return value, ParameterSource.COMMANDLINE


class WasArgument(click.Option):
    """An option that used to be an argument of the command.

    before: the name of the argument that followed the old argument; empty if the old argument was the last one.
    """

    def __init__(self, *args: Any, before: str = "", **kwargs: Any):
        # click processes the option before the argument that may hold its value
        super().__init__(*args, **kwargs, is_eager=True)
        self.before = before

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        if self.name in opts:
            return super().handle_parse_result(ctx, opts, args)
        value, args = self._split(opts, args)
        if value is None:
            return super().handle_parse_result(ctx, opts, args)
        notice(ctx, f"{self.metavar} without an option is now {self.opts[0]} {self.metavar}; the old form {LAST}")
        return super().handle_parse_result(ctx, {**opts, str(self.name): value}, args)

    def _split(self, opts: Mapping[str, Any], left: list[str]) -> tuple[str | None, list[str]]:
        """The value of the old argument (None if absent), and the remaining words of the line."""
        if not self.before:
            return (left[0], left[1:]) if left else (None, left)
        given = opts.get(self.before)
        if TYPE_CHECKING:
            opts = cast("MutableMapping[str, Any]", opts)
        if isinstance(given, tuple) and len(given) > 1:
            opts[self.before] = given[1:]
            return given[0], left
        if isinstance(given, str) and left:
            opts[self.before] = left[0]
            return given, left[1:]
        return None, left


class Duration(click.ParamType):  # type: ignore[type-arg] # before click 8.4 the class takes no type argument
    """A time such as ``500ms``, ``30s`` or ``8h``, in milliseconds.

    bare: the unit of a number without a unit, which is accepted for one release. least, most: in milliseconds.
    """

    name = "time"

    def __init__(self, bare: str, least: int = 1, most: int = 10**10):
        self.bare = bare
        self.least = least
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> int:
        from standstill.engine.clock.units import duration_text, parse_duration
        from standstill.engine.common.errors import ClockError
        from standstill.engine.common.text import shown

        given = text = str(value)
        if is_bare(text):
            text += self.bare
        try:
            found = parse_duration(text)
        except ClockError:
            self.fail(f"expected a time such as 500ms, 30s or 8h, found {shown(text)}", param, context)
        if not self.least <= found <= self.most:
            limits = f"{duration_text(self.least) if self.least else '0s'} to {duration_text(self.most)}"
            self.fail(f"expected a time from {limits}, found {shown(text)}", param, context)
        if text != given and context is not None:
            name = param.opts[-1] if param is not None else "time"
            notice(context, f"{name} {given} is read as {text}: a number without a unit {LAST}")
        return found
