"""The page of an event as one HTML file: standings, reasons for the order, cross table or rounds, and all games.

The page has no script, unless the page Study is inside it; in that case a game opens in the same file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...archive.event.bracket import Bracket
from ...archive.event.reasons import Reasons
from ...archive.standings import Standings
from ...archive.standings_text import note
from ...common.text import visible
from ..assets import rendered
from ..bundle import PageFile, policy_of, script, style
from ..study.export import INSTEAD, packed
from .cards import cards
from .cells import Cells, header_cells, lines, rounds
from .summary import game_rows, summary

_MOST_REASONS = 200
_MEETING = 0.5  # minimum share of the possible pairings for a cross table; below this share the page shows the rounds
_MATCH = 2  # if the mean number of games in a pairing is larger, the pairings count as matches
_MOST_COLUMNS = 60  # maximum width of a cross table, or of a table of rounds


@dataclass(frozen=True, slots=True)
class Group:
    """A table of the page.

    name: the name of the group; empty if the page has only one table. note: sentences about the games of the table.
    """

    table: Standings
    name: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Games:
    """Where the games of the page open.

    address: the address of a page Study whose games have the same numbers, or "". inside: the games for the page
    Study, which then is part of this page.
    """

    address: str = ""
    inside: tuple[dict[str, object], ...] = ()

    def link(self, number: int) -> str:
        """Return the link to a game: in Study if the games are there, otherwise to its row in the list of games."""
        if not number:
            return ""
        if self.address or any(game["number"] == number for game in self.inside):
            return f"{self.address}#game={number}"
        return f"#row-{number}"


def page(
    title: str,
    groups: list[Group],
    games: Games | None = None,
    goals: bool = False,
    cup: Bracket | None = None,
) -> str:
    """The page.

    goals: show the goal of each game in the cells instead of its result. cup: a bracket to show instead of the tables.
    """
    games = games or Games()
    cells = Cells(games.link, goals)
    sheets = ["design", *(["board", "goal_chart", "study"] if games.inside else []), "event"]
    styles = style(*sheets)
    scripts = script("event", INSTEAD) if games.inside else ""
    file = PageFile(policy_of(scripts, styles), styles, scripts, packed(title, list(games.inside)) if scripts else "")
    outcomes = [outcome for group in groups for outcome in group.table.outcomes]
    tables = [] if cup else [_view(group, cells) for group in groups]
    found = {
        "title": visible(title),
        "layout": "study.html.j2" if scripts else "base.html.j2",
        "file": file,
        "about": summary(outcomes, len({name for group in groups for name in group.table.by_name})),
        "groups": tables,
        "cup": None if cup is None else cards(cup, cells),
        "rows": game_rows(outcomes, games.link),
    }
    return rendered("event", **found, **({} if scripts else {"men": ""}))


def _view(group: Group, cells: Cells) -> dict[str, object]:
    table = group.table
    by_round = not _is_crossed(table)
    heads, crossed = rounds(table, cells) if by_round else cells.crossed(table)
    if len(heads) > _MOST_COLUMNS:
        heads = []
    reasons = [reason.text for reason in Reasons(table).of_ties()]
    return {
        "name": visible(group.name),
        "heads": header_cells(table),
        "lines": lines(table),
        "by_round": by_round,
        "crossed_heads": heads,
        "crossed": crossed,
        "reasons": reasons[:_MOST_REASONS],
        "more_reasons": max(0, len(reasons) - _MOST_REASONS),
        "note": group.note or note(table, is_rounded=True),
    }


def _is_crossed(table: Standings) -> bool:
    """Return whether to show a cross table: for few players who met most others, or for matches as in a gauntlet."""
    count = len(table.players)
    if count > _MOST_COLUMNS:
        return False
    met = {frozenset((outcome.white, outcome.black)) for outcome in table.outcomes}
    is_of_matches = len(table.outcomes) > _MATCH * len(met)
    return count <= 3 or is_of_matches or len(met) >= _MEETING * count * (count - 1) / 2
