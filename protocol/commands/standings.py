"""`standstill standings`: cross tables from files of games, with the tie-breaks of R-Mobility."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from engine.errors import PgnError
from engine.pgn.files import STANDARD, display_name, open_input, open_output
from engine.pgn.games import read_games, tags_of
from engine.rmobility.archive import Scorer
from engine.rmobility.scoring import komi_points, parse_komi, white_points
from engine.rmobility.standings import DEFAULT_ORDER, Outcome, Standings, outcome_of
from engine.rmobility.standings_text import as_csv, as_html, as_json, as_markdown, header, rows

from .tag import rule_options, rules_from

FORMATS = ("table", "csv", "json", "markdown", "html")
_BY_SUFFIX = {".csv": "csv", ".json": "json", ".md": "markdown", ".html": "html", ".htm": "html"}


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option(
    "--order",
    default=",".join(DEFAULT_ORDER),
    show_default=True,
    help="Out of points, direct, rmobility, sb, wins, blackwins, koya, rm-lex, wg.",
)
@click.option("-o", "--output", default=STANDARD, metavar="OUT", help="File to write; else standard output.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Else by the end of OUT's name, or a table.")
@click.option("--forfeit-points", is_flag=True, help="Games without moves have R-Mobility points, by their result.")
@click.option("--title", help="Of the page of HTML; else the event.")
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    order: str,
    output: str,
    form: str | None,
    forfeit_points: bool,
    title: str | None,
    **chosen,
) -> int:
    """Print the standings of the tournament in files of games (plain or .gz, .bz2, .zst; - is standard input).

    Exit status: 0 all games were read, 1 some could not be read and count by their result alone, 2 a file could not.
    """
    reader = Reader(chosen, forfeit_points)
    failed = 0
    for path in inputs:
        try:
            reader.read(path)
        except PgnError as error:
            failed += 1
            click.echo(f"standstill: {error}", err=True)
    table = Standings(reader.outcomes, tuple(name.strip() for name in order.split(",") if name.strip()))
    form = form or _BY_SUFFIX.get(Path(output).suffix.lower(), "table")
    if reader.unfinished:
        click.echo(f"standstill: {reader.unfinished} unfinished games are left out", err=True)
    if form == "table" and output == STANDARD:
        show(table)
    else:
        text = written(table, form, title or reader.event or "Standings")
        with open_output(output) as out:
            out.write(text.encode())
    return 2 if failed else 1 if reader.damaged else 0


class Reader:
    """Collects the outcomes of games."""

    def __init__(self, chosen: dict, forfeit_points: bool):
        self.outcomes: list[Outcome] = []
        self.damaged = 0
        self.unfinished = 0
        self.event = ""
        self._forfeit_points = forfeit_points
        tables = None
        if chosen["syzygy"]:
            from engine.pgn.tables import Tables

            tables = Tables(chosen["syzygy"])
        self._scorer = Scorer(rules_from(chosen), tables)
        komi = parse_komi(chosen["komi"]) if chosen["komi"] else None
        scheme = chosen["scheme"]
        self._points = (lambda goal: komi_points(goal, *komi)) if komi else (lambda goal: white_points(goal, scheme))

    def read(self, path: str) -> None:
        """All games of a file. Raises PgnError behind those that could be read."""
        with open_input(path) as stream:
            for number, text in enumerate(read_games(stream), 1):
                game = self._scorer.score(text, 0, len(text))
                if game.is_empty:
                    continue
                if game.problem is not None:
                    self.damaged += 1
                    where = f", ply {game.fault_ply}" if game.fault_ply else ""
                    click.echo(f"standstill: {display_name(path)}: game {number}{where}: {game.problem}", err=True)
                tags = tags_of(text)
                self.event = self.event or tags.get("Event", "")
                outcome = outcome_of(
                    tags.get("White", "?"),
                    tags.get("Black", "?"),
                    game.result,
                    game.goal,
                    game.whole,
                    points=self._points,
                    forfeit_points=self._forfeit_points and game.problem is None,
                )
                if outcome is None:
                    self.unfinished += 1
                else:
                    self.outcomes.append(outcome)


def written(table: Standings, form: str, title: str) -> str:
    if form == "csv":
        return as_csv(table)
    if form == "json":
        return as_json(table)
    if form == "html":
        return as_html(table, title)
    return as_markdown(table)


def picture(table: Standings) -> Table:
    """For the terminal."""
    found = Table(box=None, padding=(0, 1))
    for name in header(table):
        found.add_column(name, justify="left" if name == "Player" else "right", no_wrap=True)
    for row in rows(table):
        found.add_row(*row)
    return found


def show(table: Standings) -> None:
    """On the terminal."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = 10_000  # a file has no edge
    console.print(picture(table))
