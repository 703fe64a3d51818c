"""`standstill tables export`: a class as a file that other programs read."""

from __future__ import annotations

import os

import click

from standstill.engine.archive.streams import check_apart
from standstill.engine.common.atomic_files import check_target
from standstill.engine.common.errors import TablebaseError
from standstill.engine.common.install import install_command
from standstill.engine.common.text import plural
from standstill.engine.tablebases.listing import FORMATS, write_csv, write_parquet
from standstill.engine.tablebases.material import class_name

from ..renamed import WasArgument
from . import Place


@click.command()
@click.argument("name", metavar="CLASS")
@click.option(
    "-o", "--output", "path", cls=WasArgument, required=True, metavar="OUT", help="File to write, .csv or .parquet."
)
@click.pass_obj
def command(place: Place, name: str, path: str) -> None:
    """Write every position of a class to a .csv or .parquet file.

    Columns: side to move, the square of each piece (White's in capitals), the position's goal, the outcome right
    after a reset, and the plies to it. Only one of several symmetric positions is written.
    """
    name = class_name(name)
    form = os.path.splitext(path)[1].lower()
    if form not in FORMATS:
        raise click.UsageError(f"expected a .csv or .parquet file, found {path!a}")
    check_target(path)
    store = place.open()
    check_apart(store.opened, {"-o": path})
    try:
        count = (write_csv if form == ".csv" else write_parquet)(store, name, path)
    except ImportError:
        raise TablebaseError(f"Parquet needs pyarrow: {install_command('parquet')}") from None
    click.echo(f"{name}: {count:,} {plural(count, 'position')} written to {path}")
