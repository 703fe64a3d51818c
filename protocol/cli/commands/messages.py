"""Messages of commands on standard error: what is wrong, and where."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from standstill.engine.archive.streams import display_name
from standstill.engine.common.text import visible

from ..output import discard


def warn(text: str) -> None:
    """Print a message on standard error, after all output so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    click.echo(f"standstill: {visible(text)}", err=True)


def tell(text: str) -> None:
    """Print a line of progress. If its reader has ended (`| head`), the work continues without it."""
    try:
        click.echo(text)
    except BrokenPipeError:
        discard(sys.stdout)


def in_game(path: str | Path, number: int, ply: int | None = None) -> str:
    """``games.pgn: game 3, ply 17``; without the ply if that is unknown."""
    return f"{display_name(path)}: game {number}" + (f", ply {ply}" if ply else "")
