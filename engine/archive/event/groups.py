"""Divides the games of an archive into groups that have standings of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..standings import Outcome, is_bye

GROUPINGS = ("event", "section", "players")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def grouped(outcomes: Sequence[Outcome], by: str) -> list[tuple[str, list[Outcome]]]:
    """Return (name, games) of each group in the order of the games.

    by: ``event`` or ``section``: the tag of that name; ``players``: players who are connected by games.
    """
    if by == "players":
        return _connected(outcomes)
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        facts = outcome.facts
        found[facts.event if by == "event" else facts.section].append(outcome)
    return [(name or f"Without {by}", games) for name, games in found.items()]


def _connected(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        parents.setdefault(name, name)
        while parents[name] != name:
            parents[name] = parents[parents[name]]
            name = parents[name]
        return name

    for outcome in outcomes:
        if not is_bye(outcome.white) and not is_bye(outcome.black):
            parents[root(outcome.black)] = root(outcome.white)
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        found[root(outcome.black if is_bye(outcome.white) else outcome.white)].append(outcome)
    return [(f"Group {_letter(number)}", games) for number, games in enumerate(found.values())]


def _letter(number: int) -> str:
    return _LETTERS[number] if number < len(_LETTERS) else str(number + 1)
