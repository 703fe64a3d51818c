"""Writes standings as plain cells, CSV, JSON and Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import floor

from ..common.goal import goal_text
from ..common.text import HIDDEN, plural, visible
from ..rmobility.scoring import PLACES, points_text
from .standings import Entrant, Standings, Value

TITLES = {
    "points": "Points",
    "direct": "Direct",
    "rmobility": "R-Mobility",
    "sb": "SB",
    "wins": "Wins",
    "blackwins": "Black wins",
    "koya": "Koya",
    "rm-lex": "Goals",
    "wg": "Whole game",
}
_MOST_SHOWN = 4  # up to this many games against one opponent are shown singly, more games as a sum
_MOST_GOALS = 6  # maximum number of rm-lex entries that are shown
_LISTS = ("rm-lex",)  # tie-breaks that are lists of numbers
_FINE = ("rmobility", "wg")  # tie-breaks shown with six decimals or more
# Characters that begin a formula in a spreadsheet, and characters that a spreadsheet skips before a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CSV_TITLES = {"+": "Won", "=": "Drawn", "-": "Lost"}
WORDS = {"Player", "Opponent", "Opening", "Colour", "Control"}  # titles of columns with words
_MARKUP = re.compile(r"[\\`*_~\[\]<>|&]")  # characters with a meaning in Markdown


Cell = Callable[[Standings, Entrant, Entrant, bool], str]


def short(points: Fraction) -> str:
    """Write points as text: 22, 22.5, 11.25."""
    text = points_text(points, 2).rstrip("0").rstrip(".")
    return text or "0"


def cell(table: Standings, player: Entrant, other: Entrant, goals: bool = False) -> str:
    """Return the cell of two players: ``1=0`` for a few games, ``7-7`` for many, ``*`` for the player itself.

    goals: show each game with its goal instead, from the player's point of view: ``1 G8.5 -G3.5``.
    """
    if player is other:
        return "*"
    if goals:
        return " ".join(table.encounter_goals(player, other))
    scored = table.encounter(player, other)
    if len(scored) > _MOST_SHOWN:
        return f"{short(sum(scored, Fraction(0)))}-{short(sum(table.encounter(other, player), Fraction(0)))}"
    return "".join({Fraction(0): "0", Fraction(1): "1"}.get(points, "=") for points in scored)


def tie_breaks(table: Standings, name: str, *, is_exact: bool = True) -> list[str]:
    """Return the values of all players in a tie-break, in rank order. Different values always have different texts.

    is_exact: False cuts numbers that differ after the sixth decimal, as in ``0.499999…``; these may have one text.
    """
    values = [table.value(player, name) for player in table.players]
    texts = [_text(value, name, 0) for value in values]
    alike: defaultdict[str, set[Value | None]] = defaultdict(set)
    for text, value in zip(texts, values, strict=True):
        alike[text].add(value)
    for text, group in alike.items():
        if len(group) > 1 and not is_exact and name not in _LISTS:
            texts = [_cut(value) if old == text else old for old, value in zip(texts, values, strict=True)]
            continue
        more = 0
        while len({_text(value, name, more) for value in group}) < len(group):
            more += 1
        texts = [_text(value, name, more) if old == text else old for old, value in zip(texts, values, strict=True)]
    return texts


def _cut(value: Value | None) -> str:
    """Write a number with six decimals, and … if it has more."""
    assert not isinstance(value, tuple)
    number = Fraction(value or 0)
    known = Fraction(floor(number * 10**PLACES), 10**PLACES)
    return points_text(known, PLACES) + "…" * (known != number)


def _text(value: Value | None, name: str, more: int) -> str:
    """Write a value as text. more: number of decimals, or goals, beyond the usual number."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        shown = [f"{goal_text(code)} {number:+d}" for code, number in enumerate(value, 1) if number]
        return " ".join(shown[: _MOST_GOALS + more])
    if name in _FINE or more:
        return points_text(Fraction(value), PLACES + more)
    return short(Fraction(value))


def header(table: Standings, *, is_exact: bool = False) -> list[str]:
    """Return the titles of the columns. is_exact: for CSV, with all tie-breaks instead of ``table.columns``."""
    numbers = [str(number) for number in range(1, len(table.opponents) + 1)]
    names = table.order if is_exact else table.columns
    return ["Rank", "Player", "Games", "+", "=", "-", *(TITLES[name] for name in names), *numbers]


def csv_cell(table: Standings, player: Entrant, other: Entrant, goals: bool = False) -> str:
    """Return the cell of two players for CSV: ``1 0.5`` for a few games, ``7.5`` for many, the sum.

    goals: show each game with its goal: ``1; 0.5 -G3.5``. No cell looks like a formula (``=1``), a date (``7-6``) or a
    number with another meaning (``01``) to a spreadsheet.
    """
    if player is other:
        return "*"
    scored = table.encounter(player, other)
    if goals:
        seen = (text.removeprefix("1").removeprefix("0").strip("= ") for text in table.encounter_goals(player, other))
        return "; ".join(f"{short(points)} {goal}".strip() for points, goal in zip(scored, seen, strict=True))
    if len(scored) > _MOST_SHOWN:
        return short(sum(scored, Fraction(0)))
    return " ".join(map(short, scored))


def rows(table: Standings, goals: bool = False, shown: Cell = cell, *, is_exact: bool = False) -> list[list[str]]:
    """Return one row for each player, in order. Opponents' columns have the same order.

    goals: as for ``cell``. shown: writes the cells, ``cell`` or ``csv_cell``. is_exact: as for ``tie_breaks``; always
    so with ``csv_cell``.
    """
    is_csv = shown is csv_cell
    names = table.order if is_csv else table.columns
    columns = [tie_breaks(table, name, is_exact=is_exact or is_csv) for name in names]
    return [
        [
            str(player.rank),
            visible(player.name),
            str(player.games),
            str(player.wins),
            str(player.draws),
            str(player.losses),
            *(column[at] for column in columns),
            *(shown(table, player, other, goals) for other in table.opponents),
        ]
        for at, player in enumerate(table.players)
    ]


def note(
    table: Standings, scoring: str = "", unfinished: int = 0, nameless: int = 0, *, is_rounded: bool = False
) -> str:
    """Return sentences about the games in the table.

    scoring: the scheme. unfinished, nameless: omitted games. is_rounded: whether the sums are rounded, as on the page.
    """
    by_result = sum(outcome.goal is None for outcome in table.outcomes)
    parts = [f"{_games(len(table.outcomes))}{f', {by_result} of them by the result alone' if by_result else ''}."]
    if len(table.opponents) < len(table.players) and not is_rounded:
        parts.append(f"{len(table.players)} players are too many for a cross table.")
    if unfinished:
        parts.append(f"{_games(unfinished)} without a result omitted.")
    if nameless:
        parts.append(f"{_games(nameless)} without names of players omitted.")
    titles = ", then ".join(TITLES[name] for name in table.columns)
    parts.append(f"Ranked by {titles}. Players who are exactly equal in all of these share a rank.")
    if "direct" in table.order:
        parts.append("Direct counts the games among players who are still tied, and is empty for the others.")
    if is_rounded:
        parts.append("Brackets after +, = and \N{MINUS SIGN} hold the games as White and as Black.")
    if set(table.columns) & set(_FINE):
        parts.append(
            "R-Mobility sums are rounded, with their difference from the points in brackets."
            if is_rounded
            else "Sums that differ after the sixth decimal end in …; CSV and JSON have all decimals."
        )
    return " ".join([*parts, scoring]).rstrip()


def _games(count: int) -> str:
    return f"{count} {plural(count, 'game')}"


def as_csv(table: Standings, goals: bool = False) -> str:
    return csv_text([csv_header(table), *rows(table, goals, csv_cell)])


def csv_header(table: Standings) -> list[str]:
    return [_CSV_TITLES.get(title, title) for title in header(table, is_exact=True)]


def csv_text(lines: Iterable[Iterable[str]]) -> str:
    """Write rows of cells as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_harmless(text) for text in line] for line in lines)
    return out.getvalue()


def _harmless(text: str) -> str:
    """Return a cell that spreadsheets read as text, even if a player's name begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_json(table: Standings) -> str:
    """Return JSON with sums as decimals for people and as exact fractions (``"45/2"``) for programs."""
    players = []
    shown = {name: tie_breaks(table, name) for name in table.order}
    for at, player in enumerate(table.players):
        exact = {
            name: list(value) if isinstance(value, tuple) else None if value is None else str(Fraction(value))
            for name in table.order
            for value in [table.value(player, name)]
        }
        players.append(
            {
                "rank": player.rank,
                "name": player.name,
                "games": player.games,
                "wins": player.wins,
                "draws": player.draws,
                "losses": player.losses,
                "tie_breaks": {name: texts[at] for name, texts in shown.items()},
                "exact": exact,
                "opponents": {
                    name: [short(points) for points, _ in games]
                    for name, games in player.against.items()
                    if name in table.by_name
                },
                "goals": {
                    name: [text for _, text in games] for name, games in player.against.items() if name in table.by_name
                },
            }
        )
    text = {"games": len(table.outcomes), "order": list(table.order), "players": players}
    # Escape characters that JSON leaves unchanged but terminals interpret.
    return re.sub(f"(?![\\n]){HIDDEN}", _in_json, json.dumps(text, indent=1, ensure_ascii=False)) + "\n"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def as_markdown(table: Standings, goals: bool = False) -> str:
    return markdown_text(header(table), rows(table, goals))


def markdown_text(head: list[str], lines: Iterable[list[str]]) -> str:
    """Write rows of cells as a table in Markdown. Columns of ``WORDS`` are aligned to the left, others to the right."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(_MARKUP.sub(r"\\\g<0>", text.strip()) for text in cells) + " |\n"

    marks = ["---" if name in WORDS else "---:" for name in head]
    return line(head) + f"| {' | '.join(marks)} |\n" + "".join(map(line, lines))
