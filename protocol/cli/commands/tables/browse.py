"""`standstill tables browse`: the tables in a web browser."""

from __future__ import annotations

import click

from standstill.engine.archive.streams import check_apart
from standstill.engine.common.atomic_files import write_whole
from standstill.engine.tablebases.material import class_name

from ..renamed import Renamed
from ..web import run_server, server_class
from . import Place


@click.command()
@click.argument("names", metavar="[CLASS]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    "target",
    cls=Renamed,
    old="--export",
    metavar="FILE.html",
    help="Write a single HTML file that works on its own.",
)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port to serve at; default: any free port.")
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
@click.pass_obj
def command(place: Place, names: tuple[str, ...], target: str | None, port: int | None, no_open: bool) -> int:
    """Browse positions, best play and records in a web browser.

    This is the page Tables of `standstill web`, with a quiz. It is served to this computer only, until Ctrl-C. With
    -o the page is written to a file for classes of up to three pieces, by default for all such classes in the folder.
    """
    if target is not None:
        if port is not None or no_open:
            raise click.UsageError("-o writes a file: --port and --no-open apply only to the served page")
        export(place, names, target)
        return 0
    if names:
        raise click.UsageError("CLASS needs -o: the served page shows all classes of the folder")
    server_class()
    from standstill.engine.web.tables.about import served

    store = place.open()
    served(store)  # refuses a folder without tables before the server starts
    return run_server("tables", port or 0, no_open, tables=lambda: store)


def export(place: Place, names: tuple[str, ...], target: str) -> None:
    from standstill.engine.web.tables.about import MOST_EMBEDDED, single_page

    wanted = [class_name(name) for name in names]
    store = place.open()
    there = [name for name in store.files if len(name) - 1 <= MOST_EMBEDDED]
    if not wanted and not there:
        raise click.ClickException(f"there are no tables of up to {MOST_EMBEDDED} pieces in {place.folder}")
    check_apart(store.opened, {"-o": target})
    write_whole(target, single_page(store, wanted or there))
