"""The option --file of commands that play games by definition."""

from __future__ import annotations

import click


def _use(context: click.Context, parameter: click.Parameter, path: str) -> None:
    if path:
        from engine.variants.catalog import use_file  # orthodox chess starts faster without it

        use_file(path)


def definitions(function):
    """Have the games of a file before the engine's own, whatever looks for one."""
    return click.option(
        "--file",
        "definitions",
        default="",
        metavar="DEFINITIONS",
        expose_value=False,
        callback=_use,
        help="Definitions of games that go before the engine's own.",
    )(function)
