"""`standstill web`: the pages in a web browser."""

from __future__ import annotations

import signal
import threading
import webbrowser

import click

from standstill.engine.common.errors import ConfigError
from standstill.engine.common.install import install_command
from standstill.engine.common.signals import Ended

from .options import FILE_HELP
from .renamed import Duration
from .sessions import begin

PAGES = ("play",)


@click.command()
@click.argument("page", metavar="[PAGE]", type=click.Choice(PAGES), default=PAGES[0])
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port to serve at; default: any free port."
)
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
@click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP)
@click.option("--idle", type=Duration("ms"), metavar="TIME", help="End after this time without a request: 30min, 8h.")
def command(page: str, port: int, no_open: bool, path: str, idle: int | None) -> int:
    """Play and study in a web browser.

    PAGE is the page that opens first: play. The pages are served to this computer only, until Ctrl-C. Their address
    contains a token: only a browser that has it can use them.
    """
    try:
        from standstill.engine.web.server import WebServer, opening_page
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise ConfigError(f"the pages need starlette and uvicorn: {install_command('web')}") from None
    if path:
        from standstill.engine.variants.catalog import load

        load(path)  # refuses a faulty file before anything is served
    try:
        server = WebServer(begin, port, path, None if idle is None else idle / 1000)
    except OSError as error:
        raise click.ClickException(f"port {port}: {error.strerror}") from None
    address = server.address(page)
    with opening_page(address) as file:

        def ready() -> None:
            click.echo(f"The pages are at {address} until Ctrl-C.")
            if not no_open:
                # In a thread, because a text browser blocks until the page is served.
                threading.Thread(target=webbrowser.open, args=(file,), daemon=True).start()

        ended = server.run(ready)
    if ended == signal.SIGINT:
        click.echo()
    elif ended:
        raise Ended(ended)
    return 0
