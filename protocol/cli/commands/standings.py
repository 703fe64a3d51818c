"""`standstill standings` prints cross tables of files of games, with the tie-breaks of R-Mobility."""

from __future__ import annotations

import contextlib
import functools
import io
from codecs import BOM_UTF8
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Unpack

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from standstill.engine.archive.pgn import read_games, tags_of
from standstill.engine.archive.scorer import ScoredGame, Scorer
from standstill.engine.archive.standings import (
    DEFAULT_ORDER,
    MOST_CROSSED,
    Outcome,
    Standings,
    alike,
    is_bye,
    name_of,
    outcome_of,
)
from standstill.engine.archive.standings_text import as_csv, as_html, as_json, as_markdown, header, note, rows
from standstill.engine.archive.streams import COMPRESSED, STANDARD, check_apart, open_input, open_output
from standstill.engine.archive.tagging import DRAW, Summary
from standstill.engine.common.errors import PgnError
from standstill.engine.common.goal import goal_text
from standstill.engine.common.text import shown
from standstill.engine.rmobility.goals import STALEMATE
from standstill.engine.rmobility.scoring import Terms, komi_text
from standstill.engine.variants.boards import named_game

from ..completion_values import criteria
from .messages import in_game, warn
from .options import listed, partial_option, read_besides, tagged_game_options
from .tag import RuleOptions, rule_options, rules_from, terms_from
from .tag_report import dead_text

FORMATS = ("table", "csv", "json", "markdown", "html")
OPEN = {"", "*", "?"}  # a Result tag without a result
_MOST_EVENTS = 10  # events named in a message about an unknown event
_FIXED = 2  # columns that are repeated in every part: rank and player
_GAP = 2  # blanks between columns
_NO_EDGE = 100_000  # characters
_BY_SUFFIX = {".csv": "csv", ".json": "json", ".md": "markdown", ".html": "html", ".htm": "html"}


@click.command()
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.option(
    "--order",
    default=",".join(DEFAULT_ORDER),
    show_default=True,
    shell_complete=criteria,
    help="Ranking criteria, from points, direct, rmobility, sb, wins, blackwins, koya, rm-lex, wg.",
)
@click.option("-o", "--output", default=STANDARD, metavar="OUT", help="File to write; default: standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Output format; default: by the extension of OUT, or a table.",
)
@click.option("--forfeit-points", is_flag=True, help="Give R-Mobility points by the result to games without moves.")
@click.option("--event", multiple=True, help="Count only games of this event; may be given more than once.")
@click.option("--goals", is_flag=True, help="Show the goal of each game in the cross table.")
@partial_option
@click.option("--title", help="Title of the HTML page; default: the event.")
@tagged_game_options
@rule_options
def command(  # noqa: PLR0917
    inputs: tuple[str, ...],
    order: str,
    output: str,
    form: str | None,
    forfeit_points: bool,
    event: tuple[str, ...],
    goals: bool,
    partial: bool,
    title: str | None,
    variant: str,
    **chosen: Unpack[RuleOptions],
) -> int:
    """Print the standings of a tournament from its games.

    IN are PGN files, plain or compressed (.gz, .bz2, .zst, .xz); - is standard input.

    Exit status: 0 all games were read, 1 some games could not be read and count by their result alone, 2 a file
    could not be read.
    """
    if variant:
        named_game(variant)  # so that an unknown name is reported once, not for every game
    form = form or form_of(output)
    if title is not None and form != "html":
        raise click.UsageError(f"--title needs --format html or -o NAME.html, found {form}")
    check_apart((*inputs, *read_besides(*chosen["syzygy"], *chosen["tables"])), {"-o": output})
    reader = Reader(chosen, forfeit_points, variant, event)
    failed = 0
    for path in inputs:
        try:
            reader.read(path)
        except PgnError as error:
            if output != STANDARD and not partial:
                raise PgnError(f"{error}; nothing is written to {shown(output)} (see --partial)") from None
            failed += 1
            warn(str(error))
    if failed and not reader.outcomes and not reader.unfinished and output == STANDARD:
        return 2  # the error is already reported, and an empty table would look like a result
    reader.check_event()
    table = Standings(reader.outcomes, listed(order))
    tell(reader, table, form)
    if form == "table":
        with contextlib.nullcontext() if output == STANDARD else open_output(output) as out:
            show(table, goals, out)
    else:
        footer = note(table, reader.scoring, reader.unfinished, reader.nameless)
        text = written(table, form, title or reader.title or "Standings", goals, footer)
        with open_output(output) as out:
            out.write(text.encode())
    return 2 if failed else 1 if reader.damaged else 0


def tell(reader: Reader, table: Standings, form: str) -> None:
    """Report oddities of the tournament as a whole, and what the table leaves out."""
    if len(reader.events) > 1 and not reader.title and not reader.wanted:
        warn(f"games of {len(reader.events)} events are counted as one tournament (see --event)")
    for group in alike(table.by_name):
        warn(f"{', '.join(map(shown, group))} differ in spelling and count as {len(group)} players")
    if len(table.players) > MOST_CROSSED and form != "json":
        warn(f"{len(table.players)} players are too many for a cross table: only points and tie-breaks are shown")
    if reader.twins:
        others = len(reader.twins) - 1
        more = f", and {others} more duplicates are left out" if others else " and left out"
        warn(reader.twins[0] + more)
    if reader.dead.dead:
        warn(dead_text(reader.dead))
    for count, kind in ((reader.unfinished, "unfinished"), (reader.nameless, "nameless")):
        if count:
            warn(f"{count} {kind} {'game is' if count == 1 else 'games are'} left out")


def form_of(path: str) -> str:
    """The format by the extension of the file, ignoring one for compression."""
    *_, before, last = ("", "", *(suffix.lower() for suffix in Path(path).suffixes))
    return _BY_SUFFIX.get(before if last in COMPRESSED else last, "table")


class Reader:
    """Collects the outcomes of games."""

    def __init__(self, chosen: RuleOptions, forfeit_points: bool, variant: str, wanted: tuple[str, ...] = ()):
        """wanted: the events whose games count; empty: all."""
        self.outcomes: list[Outcome] = []
        self.damaged = 0
        self.unfinished = 0
        self.nameless = 0  # games whose two players are both unknown
        self.twins: list[str] = []  # duplicates of games read before
        self._known: dict[bytes, str] = {}  # digest of a counted game -> its place
        self.events: dict[str, None] = {}  # events in the files, in order of appearance
        self.wanted = wanted
        self._forfeit_points = forfeit_points
        tables = None
        if chosen["syzygy"]:
            from standstill.engine.archive.syzygy import Tables

            tables = Tables(*chosen["syzygy"])
        adjudicator = None
        if chosen["tables"]:
            from standstill.engine.tablebases.adjudication import Adjudicator

            adjudicator = Adjudicator(chosen["tables"])
        self._scorer = Scorer(rules_from(chosen), tables, variant, adjudicator)
        self._terms = terms_from(chosen["komi"], chosen["cut_off"])
        self._scheme = chosen["scheme"]
        self.dead = Summary()  # statistics of games that insufficient material ended

    @property
    def scoring(self) -> str:
        """A sentence on how games count."""
        komi, cut_off = self._terms.komi, self._terms.cut_off
        by = f"by the scheme {self._scheme}" if komi is None else f"and drawn games by komi {komi_text(*komi)}"
        return f"R-Mobility points {by}{'' if cut_off is None else f', plain draws from {goal_text(cut_off)} on'}."

    def check_event(self) -> None:
        """Raise PgnError if a requested event has no games."""
        strange = [event for event in self.wanted if event not in self.events]
        if not strange:
            return
        known = list(self.events)
        names = ", ".join([*map(shown, known[:_MOST_EVENTS]), *(["..."] if len(known) > _MOST_EVENTS else [])])
        raise PgnError(f"expected an event of the games ({names or 'the games have none'}), found {shown(strange[0])}")

    @property
    def title(self) -> str:
        """The event of the table; empty if the table has several."""
        one = self.wanted or tuple(self.events)
        return one[0] if len(one) == 1 else ""

    def read(self, path: str) -> None:
        """Read all games of a file. Raises PgnError after those that could be read."""
        with open_input(path) as stream:
            for number, text in enumerate(read_games(stream), 1):
                tags = tags_of(text)
                if not self._counts(tags.get("Event", "")):
                    continue
                game = self._scorer.score(text, 0, len(text))
                if game.is_empty:
                    continue
                if game.problem is not None:
                    self.damaged += 1
                    warn(f"{in_game(path, number, game.fault_ply)}: {game.problem}")
                elif game.note is not None:
                    warn(f"{in_game(path, number)}: {game.note}")
                elif game.contradiction is not None:
                    board = game.score is not None and game.score.last <= STALEMATE
                    counts = "its result counts for points, the board for R-Mobility" if board else "its result counts"
                    warn(f"{in_game(path, number)}: {game.contradiction}; {counts}")
                self.dead.count(game)
                terms = game.terms(self._terms)
                outcome = outcome_of(
                    name_of(tags.get("White", "?")),
                    name_of(tags.get("Black", "?")),
                    decided(game, terms),
                    game.goal,
                    game.whole,
                    points=functools.partial(terms.white, scheme=self._scheme),
                    forfeit_points=self._forfeit_points and game.problem is None,
                )
                if outcome is None:
                    self.unfinished += 1
                    given = tags.get("Result", "").strip()
                    if given not in OPEN:
                        warn(f"{in_game(path, number)}: expected a result such as 1-0, found {shown(given)}")
                elif is_bye(outcome.white) and is_bye(outcome.black):
                    self.nameless += 1
                elif outcome.white == outcome.black:
                    warn(f"{in_game(path, number)}: {shown(outcome.white)} plays itself; the game is left out")
                elif (twin := self._twin(game, tags, in_game(path, number))) is not None:
                    self.twins.append(f"{in_game(path, number)} is the same as {twin}")
                else:
                    self.outcomes.append(outcome)

    def _twin(self, game: ScoredGame, tags: dict[str, str], place: str) -> str | None:
        """The place of an identical game read before, as in merged files; else remember this one.

        Identical games agree in all tags and all text. Byes and short draws without a Round tag may agree by chance.
        """
        if tags.get("Round", "").strip() in {"", "?", "-"}:
            return None
        digest = blake2b(repr(sorted(tags.items())).encode(), digest_size=16)
        digest.update(b" ".join(game.text[game.head.moves :].removeprefix(BOM_UTF8).split()))
        found = self._known.setdefault(digest.digest(), place)
        return None if found is place else found

    def _counts(self, event: str) -> bool:
        """Return whether games of the event count; remember the event in any case."""
        if event not in {"", "?"}:
            self.events[event] = None
        return not self.wanted or event in self.wanted


def decided(game: ScoredGame, terms: Terms) -> str:
    """The result of a game; a komi decides a drawn game that has a record."""
    return terms.result(game.goal) if game.outcome == DRAW and game.goal is not None else game.outcome


def written(table: Standings, form: str, title: str, goals: bool, footer: str) -> str:
    if form == "csv":
        return as_csv(table, goals)
    if form == "json":
        return as_json(table)
    if form == "html":
        return as_html(table, title, goals, footer)
    return as_markdown(table, goals)


def pictures(table: Standings, width: int, goals: bool = False) -> list[Table]:
    """The table for a terminal of this width: in parts, one below the other, if it is too wide for one."""
    head, lines = header(table), rows(table, goals)
    columns = [[name, *(line[at] for line in lines)] for at, name in enumerate(head)]
    sizes = [max(map(cell_len, column)) + _GAP for column in columns]
    parts: list[list[int]] = [[]]
    for at in range(_FIXED, len(head)):
        used = sum(sizes[:_FIXED]) + sum(sizes[other] for other in parts[-1])
        if parts[-1] and used + sizes[at] > width:
            parts.append([])
        parts[-1].append(at)
    return [_picture([columns[at] for at in (*range(_FIXED), *part)]) for part in parts]


def _picture(columns: list[list[str]]) -> Table:
    found = Table(box=None, padding=(0, 1))
    for name, *_ in columns:
        found.add_column(name, justify="left" if name == "Player" else "right", no_wrap=True)
    for line in zip(*(column[1:] for column in columns), strict=True):
        found.add_row(*line)
    return found


def show(table: Standings, goals: bool = False, out: BinaryIO | None = None) -> None:
    """Print the table in parts on a terminal, or in one piece to a file or pipe. out: another file."""
    file = None if out is None else io.TextIOWrapper(out, "utf-8", write_through=True)
    console = Console(highlight=False, markup=False, soft_wrap=True, file=file)
    parts = pictures(table, console.width if console.is_terminal else _NO_EDGE, goals)
    # Never clip: the terminal wraps lines that are still too wide.
    console.width = _NO_EDGE
    for number, part in enumerate(parts):
        if number:
            console.print()
        console.print(part)
