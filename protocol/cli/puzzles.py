"""`standstill puzzles`: puzzles from the games of a file, in a web browser, or as EPD and PGN."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import click

from standstill.engine.archive.streams import check_apart, check_output, open_output
from standstill.engine.common.errors import PgnError
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural

from .commands.messages import warn
from .commands.web import check_games, serve, serving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.web.puzzles.deck import Choice, Deck

KINDS = ("move", "fewest", "side")
LEVELS = ("easy", "medium", "hard")
WHOSE = ("own", "others", "both")


@click.command()
@click.argument("games", metavar="GAMES.pgn")
@click.option(
    "-o",
    "--output",
    "files",
    metavar="FILE",
    multiple=True,
    help="Write the puzzles instead of opening the page: EPD if FILE ends in .epd, PGN otherwise; may be given more "
    "than once; - is standard output.",
)
@click.option("--epd", is_flag=True, help="Write EPD to every FILE.")
@click.option("--player", default="", metavar="NAME", help="Only positions of this player's games.")
@click.option(
    "--whose",
    type=click.Choice(WHOSE),
    default=WHOSE[0],
    show_default=True,
    help="With --player: positions in which that player was to move, the opponent, or both.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Only puzzles of this kind; may be given more than once.",
)
@click.option("--level", type=click.Choice(LEVELS), help="Only puzzles of this difficulty.")
@click.option("--analyse", is_flag=True, help="First analyse the games that have no evaluations.")
@serving()
def command(  # noqa: PLR0917 (by name)
    games: str,
    files: tuple[str, ...],
    epd: bool,
    player: str,
    whose: str,
    kinds: tuple[str, ...],
    level: str | None,
    analyse: bool,
    port: int,
    no_open: bool,
    path: str,
    idle: int | None,
) -> int:
    """Train with puzzles from the games of a file, in a web browser.

    The puzzles are the moments that decided the games, by the evaluations in the file (`annotate` writes them), and
    R-Mobility puzzles. The page repeats them until you know them. With -o the command writes them into files.
    The file of games is not changed; it may be compressed.
    """
    if not files:
        given = {"--epd": epd, "--player": player, "--kind": kinds, "--level": level, "--analyse": analyse}
        for name, value in given.items():
            if value:
                raise click.UsageError(f"expected -o FILE with {name}: without it the page opens, and you choose there")
        check_games(games)
        return serve("puzzles", games, port, no_open, path, idle)
    files = tuple(dict.fromkeys(files))
    check_apart((games,), dict(zip((f"-o {file}" for file in files), files, strict=True)))
    for file in files:
        check_output(file)
    from standstill.engine.web.puzzles.deck import Choice, Deck
    from standstill.engine.web.puzzles.export import EPD, PGN
    from standstill.engine.web.study.library import Library

    unwind_on_signals()  # so that an interruption removes temporary files
    deck = Deck(Library(games))
    with contextlib.closing(deck):
        deck.refresh()
        if not deck.size:
            _tell_faults(deck)
            raise PgnError(f"expected a game that can be read in {deck.library.name}, found {_found(deck)}")
        if player and player not in {str(each["name"]) for each in deck.players()}:
            raise PgnError(f"expected --player with a player of {deck.library.name}, found {player!a}")
        choice = Choice(player, whose if player else "both", kinds or KINDS, LEVELS.index(level) if level else None)
        forms = {file: EPD if epd or file.lower().endswith(".epd") else PGN for file in files}
        return _write(deck, choice, forms, analyse=analyse)


def _found(deck: Deck) -> str:
    return f"{deck.unread} unreadable" if deck.unread else "no game"


def _tell_faults(deck: Deck) -> None:
    for number, reason in deck.faults():
        warn(f"left out: game {number} cannot be read: {reason}")


def _write(deck: Deck, choice: Choice, forms: dict[str, str], *, analyse: bool) -> int:
    """Write the chosen puzzles into files, each in its form."""
    from standstill.engine.web.puzzles.export import as_text

    _tell_faults(deck)
    unjudged = deck.unjudged
    if analyse:
        with _progress("games", sum(map(deck.plies, unjudged))) as advance:
            for number in unjudged:
                deck.analyse(number, advance)
    elif unjudged:
        count = len(unjudged)
        warn(f"{count} {plural(count, 'game')} without evaluations: --analyse finds the moves in them")
    waiting = sum(map(deck.is_open, deck.chosen(choice)))
    with _progress("puzzles", waiting) as advance:
        for done, _ in deck.check_all(choice):
            if done:
                advance()
    puzzles = deck.chosen(choice)
    for file, form in forms.items():
        with open_output(file) as stream:
            stream.write(as_text(deck, puzzles, form).encode())
    click.echo(
        f"{len(puzzles)} {plural(len(puzzles), 'puzzle')} from {deck.size} {plural(deck.size, 'game')}", err=True
    )
    return 0


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each step; on a terminal it advances a progress bar on standard error."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not (total and console.is_terminal), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
