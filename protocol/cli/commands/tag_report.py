"""What `standstill tag` prints on standard error: a progress bar and the summary."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.archive.streams import STANDARD, is_compressed
from standstill.engine.archive.tagging import Summary
from standstill.engine.common.goal import goal_text
from standstill.engine.common.text import plural

_BAR = 30  # widest bar of the histogram, in characters


class Quiet:
    """A progress bar that shows nothing."""

    def advance(self, size: int, games: int) -> None:
        pass

    def print(self, text: str) -> None:
        print(text, file=sys.stderr)


class Bar(Quiet):
    """Shows bytes done, total bytes if known, and games."""

    def __init__(self, progress: Progress, total: int | None):
        self.progress = progress
        self.games = 0
        self.task = progress.add_task("", total=total)

    def advance(self, size: int, games: int) -> None:
        self.games += games
        self.progress.update(self.task, advance=size, description=f"{self.games:,} {plural(self.games, 'game')}")

    def print(self, text: str) -> None:
        self.progress.console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextlib.contextmanager
def progress_bar(inputs: tuple[str, ...], quiet: bool) -> Iterator[Quiet]:
    console = Console(stderr=True)
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield Quiet()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bar(progress, total_size(inputs))


def total_size(inputs: tuple[str, ...]) -> int | None:
    """Bytes of games in the files; None if unknown."""
    if any(path == STANDARD or is_compressed(path) for path in inputs):
        return None
    return sum(os.path.getsize(path) for path in inputs if os.path.isfile(path))


def dead_text(summary: Summary) -> str:
    """What best play makes of the games that insufficient material ended."""
    unknown = f", {summary.dead_unknown:,} in no table" if summary.dead_unknown else ""
    changed = f"best play changes the result of {summary.dead_changed:,}, and the owner in {summary.dead_owners:,}"
    return f"{summary.dead:,} ended by insufficient material: {changed}{unknown}"


def show_summary(summary: Summary) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    games, plies = summary.games, summary.plies
    counts = (f"{games:,} {plural(games, 'game')}", f"{plies:,} {plural(plies, 'ply', 'plies')}")
    parts = [*counts, f"{summary.tagged:,} tagged"]
    for number, what in (
        (summary.unfinished, "unfinished"),
        (summary.without_moves, "without moves"),
        (summary.damaged, "could not be read"),
    ):
        if number:
            parts.append(f"{number:,} {what}")
    console.print(", ".join(parts))
    if summary.dead:
        console.print(dead_text(summary))
    won = summary.decisive
    console.print(f"won: {won[WHITE]:,} by White, {won[BLACK]:,} by Black")
    console.print(f"records of draws: {summary.drawn(WHITE):,} held by White, {summary.drawn(BLACK):,} by Black")
    if summary.goals:
        console.print(histogram(summary))


def histogram(summary: Summary) -> Table:
    """A table of the draws by goal, with numbers and a bar in each row."""
    table = Table(box=None, padding=(0, 1))
    for name in ("goal", "White", "Black"):
        table.add_column(name, justify="right")
    table.add_column("")
    codes = sorted({code for _, code in summary.goals})
    most = max(summary.goals[WHITE, code] + summary.goals[BLACK, code] for code in codes)
    for code in codes:
        white, black = summary.goals[WHITE, code], summary.goals[BLACK, code]
        bar = "#" * -(-_BAR * (white + black) // most)
        table.add_row(goal_text(code), f"{white:,}", f"{black:,}", bar)
    return table
