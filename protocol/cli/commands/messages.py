"""Messages of commands on standard error: what is wrong, and where."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from standstill.engine.common.text import visible

from ..output import discard, flush_output


def warn(text: str) -> None:
    """Print a message on standard error, after all output so far."""
    flush_output()
    click.echo(f"standstill: {visible(text)}", err=True)


def tell(text: str) -> None:
    """Print a line of progress. If the program that reads the lines has ended (`| head`), print no more of them."""
    try:
        click.echo(text)
    except BrokenPipeError:
        discard(sys.stdout)


@contextmanager
def passing() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a line of progress on a terminal in place of the one before; "" shows none."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return
    try:
        yield lambda text: click.echo(f"\r\x1b[K{text}", err=True, nl=False)
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows on a terminal how many of ``total`` are done. The line disappears at the end."""
    with passing() as show:
        yield lambda done: show(f"{what}: {done} of {total}")


def converted(path: str | Path) -> str:
    """The message that a copy of a file of games has another encoding (``streams.is_converted``)."""
    from standstill.engine.archive.streams import display_name

    return f"{display_name(path)}: the text is in UTF-16; its copy is in UTF-8"


def in_game(path: str | Path, number: int, ply: int | None = None) -> str:
    """``games.pgn: game 3, ply 17``; without the ply if it is unknown."""
    from standstill.engine.archive.streams import display_name

    return f"{display_name(path)}: game {number}" + (f", ply {ply}" if ply else "")
