"""`standstill tables checksums`: the list with which tables are published."""

from __future__ import annotations

import os

import click

from standstill.engine.common.atomic_files import check_target, write_whole
from standstill.engine.tablebases.downloads import LIST, checksums

from . import Place


@click.command()
@click.option(
    "-o", "--output", "path", metavar="OUT", help=f"File to write; default: {LIST} in the folder; -: standard output."
)
@click.pass_obj
def command(place: Place, path: str | None) -> None:
    """Write the SHA-256 checksums of all tables in the folder.

    Put the folder with this list on a web server, and `standstill tables fetch URL` fetches tables from there. The
    list has the form of sha256sum.
    """
    target = os.path.join(place.folder, LIST) if path is None else path
    if target != "-" and os.path.isdir(place.folder):
        check_target(target)
    text = checksums(place.folder)
    if target == "-":
        click.echo(text, nl=False)
        return
    write_whole(target, text)
    click.echo(f"{text.count(chr(10))} files listed in {target}")
