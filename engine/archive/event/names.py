"""Finds one name for a player with several names in an archive: aliases, spellings, and versions of engines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ...common.errors import ConfigError
from ...common.text import shown, visible
from ..standings import Outcome, alike, is_bye, name_of

_FORM = "expected NAME = OTHER NAME | OTHER NAME ..."


def name_parts(name: str) -> tuple[str, str]:
    """Return the name and the version of an engine: ``("LCZero", "v0.26.0-sv-t60-4229-mlh")``.

    The version begins with the first word that has a digit, but not with the first word of the text.
    """
    first, *rest = visible(name).split(" ")
    place = next((at for at, word in enumerate(rest) if any(letter.isdigit() for letter in word)), len(rest))
    return " ".join([first, *rest[:place]]), " ".join(rest[place:])


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    text: str
    pattern: re.Pattern[str]


class Aliases:
    """Rules of the form ``NAME = OTHER NAME | OTHER*``; ``*`` stands for any characters. The first rule counts.

    >>> names = Aliases(["Stockfish = Stockfish *", "Smith, Ann = A. Smith | Smith-Jones, Ann"])
    >>> names.find("Stockfish 202007032109"), names.find("A. Smith"), names.find("LCZero")
    ('Stockfish', 'Smith, Ann', 'LCZero')
    """

    def __init__(self, rules: Iterable[str]):
        """Raises ConfigError for a rule of another form."""
        self._rules: list[_Rule] = []
        self._used: set[str] = set()
        for text in rules:
            name, equals, others = text.partition("=")
            parts = [name_of(other) for other in others.split("|")]
            if not equals or not name_of(name) or not all(parts):
                raise ConfigError(f"{_FORM}, found {shown(text)}")
            for part in parts:
                pattern = re.compile(".*".join(map(re.escape, part.split("*"))), re.DOTALL)
                self._rules.append(_Rule(name_of(name), part, pattern))

    def find(self, name: str) -> str:
        """Return the name of the player whom the archive calls by this name."""
        for rule in self._rules:
            if rule.pattern.fullmatch(name):
                self._used.add(rule.text)
                return rule.name
        return name

    @property
    def unused(self) -> list[str]:
        """The other names for which ``find`` was never called, perhaps because they are misspelt."""
        return list(dict.fromkeys(rule.text for rule in self._rules if rule.text not in self._used))


def alias_lines(text: str) -> list[str]:
    """Return the rules of a file with one rule in each line; lines that begin with # are remarks."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def spellings(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Map each name to the most frequent spelling of the name, or to the first of equally frequent spellings."""
    count = Counter(name for outcome in outcomes for name in (outcome.white, outcome.black) if not is_bye(name))
    places = {name: place for place, name in enumerate(count)}
    chosen = {name: group for group in alike(count) for name in group}
    return {name: max(group, key=lambda each: (count[each], -places[each])) for name, group in chosen.items()}


def versions(outcomes: Sequence[Outcome]) -> tuple[dict[str, str], list[list[str]]]:
    """Return (names without versions by the full names, groups of versions of one engine that played each other).

    Engines in these groups keep their versions, because they took part as different players.
    """
    groups: defaultdict[str, set[str]] = defaultdict(set)
    met: set[frozenset[str]] = set()
    for outcome in outcomes:
        met.add(frozenset((outcome.white, outcome.black)))
        for name in (outcome.white, outcome.black):
            if not is_bye(name):
                groups[name_parts(name)[0]].add(name)
    joined: dict[str, str] = {}
    apart: list[list[str]] = []
    for name, group in groups.items():
        if len(group) == 1:
            continue
        if any(pair <= group for pair in met):
            apart.append(sorted(group))
        else:
            joined |= dict.fromkeys(group, name)
    return joined, apart


def renamed(outcomes: Iterable[Outcome], name: Callable[[str], str]) -> tuple[list[Outcome], list[Outcome]]:
    """Return the games with the new names, and the games in which a player then plays itself."""
    found: list[Outcome] = []
    own: list[Outcome] = []
    for outcome in outcomes:
        new = replace(outcome, white=_new(outcome.white, name), black=_new(outcome.black, name))
        (own if new.white == new.black else found).append(new)
    return found, own


def _new(name: str, rule: Callable[[str], str]) -> str:
    return name if is_bye(name) else rule(name)
