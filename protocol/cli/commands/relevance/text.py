"""How `standstill relevance` prints numbers and tables."""

from math import isinf

import click

from standstill.engine.annotate.evaluations import plain
from standstill.engine.common.text import visible

from ...painting import writable


def number(x: float | None) -> float | str | None:
    """An evaluation as a JSON value; JSON has no infinity."""
    return plain(x) if x is not None and isinf(x) else x


def show(heads: list[str], rows: list[list[str]]) -> None:
    """Print a table without rules, its first column aligned left and the others right."""
    heads, *rows = [[writable(visible(text)) for text in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for first, *others in [heads, *rows]:
        cells = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(others, widths[1:], strict=True))]
        click.echo("   ".join(cells).rstrip())
