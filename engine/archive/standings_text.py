"""Standings as text: plain cells, and from them CSV, JSON, Markdown and HTML."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from fractions import Fraction

from ..rmobility.scoring import points_text
from ..words.goal import goal_text
from ..words.text import HIDDEN, visible
from .standings import Entrant, Standings

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
_MOST_SHOWN = 4  # most games against one opponent that are shown one by one; of more the sum is shown
_MOST_GOALS = 6  # most entries of rm-lex that are shown
_FINE = ("rmobility", "wg")  # shown with six decimals
# What makes a spreadsheet take a cell for a formula, or look for one behind it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CSV_TITLES = {"+": "Won", "=": "Drawn", "-": "Lost"}
_MARKUP = re.compile(r"[\\`*_~\[\]<>|&]")  # characters with a meaning in Markdown


def short(points: Fraction) -> str:
    """Points as text: 22, 22.5, 11.25."""
    text = points_text(points, 2).rstrip("0").rstrip(".")
    return text or "0"


def cell(table: Standings, player: Entrant, other: Entrant) -> str:
    """The cell of two players: ``1=0`` for a few games, ``7-7`` for many, ``*`` for the player itself."""
    if player is other:
        return "*"
    scored = table.encounter(player, other)
    if len(scored) > _MOST_SHOWN:
        total = sum(scored, Fraction(0))
        return f"{short(total)}-{short(len(scored) - total)}"
    return "".join({Fraction(0): "0", Fraction(1): "1"}.get(points, "=") for points in scored)


def tie_break(table: Standings, player: Entrant, name: str) -> str:
    value = table.value(player, name)
    if value is None:
        return ""
    if isinstance(value, tuple):
        shown = [f"{goal_text(code)} {number:+d}" for code, number in enumerate(value, 1) if number]
        return " ".join(shown[:_MOST_GOALS])
    return points_text(Fraction(value)) if name in _FINE else short(Fraction(value))


def header(table: Standings) -> list[str]:
    numbers = [str(number) for number in range(1, len(table.players) + 1)]
    return ["Rank", "Player", "Games", "+", "=", "-", *(TITLES[name] for name in table.order), *numbers]


def rows(table: Standings) -> list[list[str]]:
    """One row for each player, in order. The opponents' columns have the same order."""
    return [
        [
            str(player.rank),
            visible(player.name),
            str(player.games),
            str(player.wins),
            str(player.draws),
            str(player.losses),
            *(tie_break(table, player, name) for name in table.order),
            *(cell(table, player, other) for other in table.players),
        ]
        for player in table.players
    ]


def as_csv(table: Standings) -> str:
    out = io.StringIO()
    lines = [[_CSV_TITLES.get(title, title) for title in header(table)], *rows(table)]
    csv.writer(out, lineterminator="\n").writerows([_harmless(text) for text in line] for line in lines)
    return out.getvalue()


def _harmless(text: str) -> str:
    """A cell that spreadsheets take for text, such as a player's name that begins like a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_json(table: Standings) -> str:
    """JSON with sums as decimals for people and as exact fractions (``"45/2"``) for programs."""
    players = []
    for player in table.players:
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
                "tie_breaks": {name: tie_break(table, player, name) for name in table.order},
                "exact": exact,
                "opponents": {
                    other.name: [short(points) for points in table.encounter(player, other)]
                    for other in table.players
                    if other is not player
                },
            }
        )
    text = {"games": len(table.outcomes), "order": list(table.order), "players": players}
    # Terminals obey some characters that JSON leaves as they are.
    return re.sub(f"(?![\\n]){HIDDEN}", _in_json, json.dumps(text, indent=1, ensure_ascii=False)) + "\n"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def as_markdown(table: Standings) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(_MARKUP.sub(r"\\\g<0>", text.strip()) for text in cells) + " |\n"

    head = header(table)
    marks = ["---" if name == "Player" else "---:" for name in head]
    return line(head) + f"| {' | '.join(marks)} |\n" + "".join(line(row) for row in rows(table))


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .3em .6em; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }}
th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
tbody tr:hover {{ background: #8882; }}
td.self {{ background: #8883; }}
p {{ color: GrayText; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div class="wide"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{body}
</tbody>
</table></div>
<p>{note}</p>
</body>
</html>
"""


def as_html(table: Standings, title: str) -> str:
    """One HTML file that needs nothing else."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header(table))
    body = []
    for row in rows(table):
        cells = "".join(
            '<td class="self"></td>' if text == "*" and at > 5 else f"<td>{html.escape(text)}</td>"
            for at, text in enumerate(row)
        )
        body.append(f"<tr>{cells}</tr>")
    order = ", ".join(TITLES[name] for name in table.order)
    note = f"{len(table.outcomes)} games. In order of: {order}. Players with the same in all of these share a rank."
    return _PAGE.format(title=html.escape(visible(title)), head=head, body="\n".join(body), note=html.escape(note))
