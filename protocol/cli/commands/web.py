"""`standstill web` and `standstill study`: the pages in a web browser."""

from __future__ import annotations

import os
import signal
import threading
import webbrowser
from collections.abc import Callable

import click

from standstill.engine.common.errors import ConfigError
from standstill.engine.common.install import install_command
from standstill.engine.common.signals import Ended
from standstill.engine.common.text import shown, visible
from standstill.engine.system.consoles import words_of

from .options import FILE_HELP, Function
from .renamed import Duration
from .sessions import begin, own_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from standstill.engine.web.server import WebServer
    from standstill.engine.web.workshop.file import DefinitionText

PAGES = ("play", "study", "puzzles", "desk", "tables", "workshop")
PAPERS = ("a4", "a5", "letter")
_PORT_HELP = "Port to serve at; default: any free port."


def serving() -> Callable[[Function], Function]:
    """The options of every command that serves pages."""
    options = (
        click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help=_PORT_HELP),
        click.option("--no-open", is_flag=True, help="Print the address without opening a browser."),
        click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP),
        click.option(
            "--idle",
            type=Duration("ms"),
            metavar="TIME",
            help="Exit after this much time without a request, such as 8h.",
        ),
    )

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_engines_option = click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="COMMAND",
    help="An additional UCI engine for analysis; may be given more than once.",
)


@click.command()
@click.argument("page", metavar="[PAGE]", type=click.Choice(PAGES), default=PAGES[0])
@click.option(
    "--store", default="", metavar="FILE", help="Store of correspondence games for the desk; default: as in `games`."
)
@_engines_option
@serving()
def command(  # noqa: PLR0917 (by name)
    page: str, store: str, engines: tuple[str, ...], port: int, no_open: bool, path: str, idle: int | None
) -> int:
    """Play, study, keep games and make variants in a browser.

    PAGE is the page that opens first: play, study, puzzles, desk, tables or workshop. The pages are served to this
    computer only, until Ctrl-C. Their address contains a token: only a browser that has it can use them.
    """
    return serve(page, "", port, no_open, path, idle, tuple(map(_words, engines)), store=store)


@click.command()
@click.argument("games", metavar="GAMES.pgn")
@_engines_option
@click.option("--html", metavar="FILE", help="Write the page with all games into one file that opens without a server.")
@click.option("--pdf", metavar="FILE", help="Write all games as a book: two columns, diagrams, an index of players.")
@click.option("--title", help="Title of the book; default: the name of the file without its extension.")
@click.option(
    "--paper", type=click.Choice(PAPERS), default=PAPERS[0], show_default=True, help="Paper size of the book."
)
@serving()
def study(  # noqa: PLR0917
    games: str,
    engines: tuple[str, ...],
    html: str | None,
    pdf: str | None,
    title: str | None,
    paper: str,
    port: int,
    no_open: bool,
    path: str,
    idle: int | None,
) -> int:
    """Study the games of a file in a web browser.

    The page shows one game at a time with its variations, comments and evaluations, and the moments that decided the
    game; the engine analyses any position. You can enter moves, comments and signs. Only the button Save writes the
    file; it keeps the previous file under its name with ~ appended. The file may be compressed.
    """
    commands = tuple(_words(command) for command in engines)
    if title is not None and pdf is None:
        raise click.UsageError("expected --pdf with --title")
    if html is not None or pdf is not None:
        return write_files(games, html, pdf, title, paper)
    check_games(games)
    return serve("study", games, port, no_open, path, idle, commands)


def check_games(games: str) -> None:
    """Refuse a missing file, and standard input, before the server starts."""
    from standstill.engine.archive.streams import STANDARD, open_input

    if games == STANDARD:
        raise click.UsageError("expected a file of games, found - (standard input), which a page cannot read again")
    with open_input(games) as stream:
        stream.read(1)


def write_files(games: str, html: str | None, pdf: str | None, title: str | None, paper: str) -> int:
    """Write the games of a file as a page, as a book, or both. Games that cannot be read are reported and left out."""
    from standstill.engine.archive.streams import check_apart, check_output, display_name, open_output

    check_apart((games,), {"--html": html, "--pdf": pdf})
    for path in (html, pdf):
        if path is not None:
            check_output(path)
    found = readable_games(games)
    name = visible(os.path.basename(display_name(games)))
    if html is not None:
        from standstill.engine.web.study.export import page

        with open_output(html) as stream:
            stream.write(page(name, found).encode())
    if pdf is not None:
        from standstill.engine.web.study.book import as_pdf, book

        document = as_pdf(book(name.partition(".")[0] if title is None else visible(title), found, paper))
        with open_output(pdf) as stream:
            stream.write(document)
    return 0


def readable_games(games: str) -> list[dict[str, object]]:
    """The games of a file for the pages. Games that cannot be read are reported; PgnError if all are."""
    from standstill.engine.common.errors import PgnError
    from standstill.engine.web.study.export import readable
    from standstill.engine.web.study.library import Library

    library = Library(games)
    library.refresh()
    found = []
    for each in readable(library):
        if isinstance(each, PgnError):
            click.echo(f"standstill: left out: {each}", err=True)
        else:
            found.append(each)
    if not found:
        raise PgnError(f"{library.name} has no game that can be read")
    return found


def _words(command: str) -> tuple[str, ...]:
    try:
        words = words_of(command)
    except ValueError as error:
        raise click.UsageError(f"expected --engine with a command, found {shown(command)}: {error}") from None
    if not words:
        raise click.UsageError("expected --engine with a command, found an empty string")
    return tuple(words)


def serve(  # noqa: PLR0917
    page: str,
    games: str,
    port: int,
    no_open: bool,
    path: str,
    idle: int | None,
    engines: tuple[tuple[str, ...], ...] = (),
    store: str = "",
    edited: DefinitionText | None = None,
) -> int:
    """Serve the pages, beginning with this one, until the process is interrupted.

    games: a file for Study, or "". engines: commands of engines that Study and the desk can use besides this one.
    store: the store of correspondence games, or "" for the default one. edited: the file of the workshop.
    """
    server_class()
    if path:
        from standstill.engine.variants.catalog import load

        load(path)  # refuses a faulty file before the server starts
    idle_s = None if idle is None else idle / 1000
    given: dict[str, Any] = {
        "definitions": path,
        "games_file": games,
        "idle_s": idle_s,
        "engines": engines,
        "store": store,
        "program": own_program(),
        "edited": edited,
    }
    return run_server(page, port, no_open, **given)


def server_class() -> type[WebServer]:
    """Return the web server, which needs packages of its own. Raises ConfigError if such a package is missing."""
    try:
        from standstill.engine.web.server import WebServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise ConfigError(f"the pages need starlette and uvicorn: {install_command('web')}") from None
    return WebServer


def run_server(page: str, port: int, no_open: bool, *, overlays: bool = False, **given: Any) -> int:
    """Serve the pages, beginning with this one, until the process is interrupted.

    overlays: print the addresses of the overlays, too. given: further arguments of WebServer.
    """
    try:
        server = server_class()(begin, port, **given)
    except OSError as error:
        raise click.ClickException(f"port {port}: {error.strerror}") from None
    from standstill.engine.web.server import opening_page

    address = server.address(page)
    with opening_page(address) as file:

        def ready() -> None:
            click.echo(f"The pages are at {address} until Ctrl-C.")
            if overlays:
                click.echo(f"Overlay, a bar of 1280 x 96: {server.address('overlay')}")
                click.echo(f"Overlay, a card of 480 x 640: {server.address('overlay?size=card')}")
            if not no_open:
                # The browser opens in a thread, because a text browser blocks until the page is served.
                threading.Thread(target=webbrowser.open, args=(file,), daemon=True).start()

        ended = server.run(ready, page)
    if ended == signal.SIGINT:
        click.echo()
    elif ended:
        raise Ended(ended)
    return 0
