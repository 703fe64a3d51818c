"""The sentence under the title of an event's page, and its list of games."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from ...archive.event.names import name_parts
from ...archive.standings import Outcome, is_bye
from ...common.goal import goal_text
from ...common.text import plural, visible
from ...rmobility.goals import MATE
from .cells import DASH

_DATE = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)\Z")


@dataclass(frozen=True, slots=True)
class Row:
    """A game of the list."""

    number: int
    round: str
    white: str
    black: str
    result: str
    goal: str
    opening: str
    moves: str
    link: str


def summary(outcomes: Sequence[Outcome], players: int) -> str:
    """Return a text such as ``84 games, 4 players, 5 to 12 July 2020, 3600+5``."""
    parts = [f"{len(outcomes)} {plural(len(outcomes), 'game')}", f"{players} {plural(players, 'player')}"]
    days = sorted(day for outcome in outcomes if (day := _day(outcome.facts.date)) is not None)
    if days:
        parts.append(_span(days[0], days[-1]))
    controls = {control for outcome in outcomes for control in outcome.facts.controls} - {""}
    if len(controls) == 1:
        parts.append(visible(controls.pop()))
    return " · ".join(parts)


def _day(text: str) -> date | None:
    """Return a date; None for an incomplete or impossible date, such as 30 February."""
    found = _DATE.match(text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _span(first: date, last: date) -> str:
    end = f"{last.day} {last:%B %Y}"
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {end}"
    return f"{first.day} {first:%B}{'' if first.year == last.year else f' {first.year}'} to {end}"


def game_rows(outcomes: Sequence[Outcome], link: Callable[[int], str]) -> list[Row]:
    """Return the games that come from an archive, in its order."""
    found = []
    for outcome in sorted(outcomes, key=lambda outcome: outcome.facts.number):
        facts, goal = outcome.facts, outcome.goal
        if not facts.number:
            continue
        address = link(facts.number)
        found.append(
            Row(
                facts.number,
                visible(facts.round),
                _player(outcome.white),
                _player(outcome.black),
                outcome.result.replace("1/2", "½").replace("-", DASH),
                "" if goal is None or goal.code == MATE else goal_text(goal.code, goal.owner),
                visible(facts.opening),
                str((facts.plies + 1) // 2) if facts.plies else "",
                "" if address.startswith("#row-") else address,
            )
        )
    return found


def _player(name: str) -> str:
    """The name without the version of an engine. Archives use many names for the missing opponent in a bye."""
    return "bye" if is_bye(name) else name_parts(name)[0]
