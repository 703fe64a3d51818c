"""Gives each player of an event a single name."""

from __future__ import annotations

from collections import Counter

from standstill.engine.archive.event.names import Aliases, alias_lines, renamed, spellings, versions
from standstill.engine.archive.pgn import worded
from standstill.engine.archive.streams import open_input
from standstill.engine.common.text import plural, shown

from ..messages import warn
from .options import EventOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .reader import Reader


def rules_of(chosen: EventOptions) -> Aliases:
    """Return the aliases of the options.

    Raises ConfigError for a faulty alias, PgnError for a file that cannot be read.
    """
    lines = list(chosen["alias"])
    if chosen["aliases"] is not None:
        with open_input(chosen["aliases"]) as stream:
            lines += alias_lines(worded(stream.read()))
    return Aliases(lines)


def rename(reader: Reader, aliases: Aliases, chosen: EventOptions) -> None:
    """Unify the names of players in the games, and warn about results that an organiser may not expect."""
    _apply(reader, aliases.find)
    for text in aliases.unused:
        warn(f"no player is called {shown(text)}, as an alias says")
    if "spellings" in chosen["join"]:
        same = spellings(reader.outcomes)
        _apply(reader, lambda name: same.get(name, name))
    if "versions" in chosen["join"]:
        joined, apart = versions(reader.outcomes)
        for group in apart:
            warn(f"{', '.join(map(shown, group))} played each other and are not joined")
        _apply(reader, lambda name: joined.get(name, name))


def _apply(reader: Reader, rule: Callable[[str], str]) -> None:
    reader.outcomes, own = renamed(reader.outcomes, rule)
    for name, count in Counter(game.white for game in own).items():
        warn(f"{count} {plural(count, 'game')} in which {shown(name)} plays both sides: left out")
