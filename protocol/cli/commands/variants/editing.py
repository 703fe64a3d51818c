"""`standstill variants edit`: the page Workshop with a file."""

from __future__ import annotations

import os

import click

from ...completion_values import games as known_games
from ..web import serve, serving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.web.workshop.file import DefinitionText

_ENDING = ".ini"


@click.command()
@click.argument("what", metavar="NAME|FILE", shell_complete=known_games)
@serving()
def edit(what: str, port: int, no_open: bool, path: str, idle: int | None) -> int:
    """Edit a definition file in a web browser.

    The page marks mistakes while you type, draws the board and the moves of each piece, plays the game against you, and
    measures its balance. Its button Save writes the definition file FILE; if FILE does not exist yet, the page
    begins with chess under that name. NAME is a variant: the page begins with it, and saves it as NAME.ini.
    """
    return serve("workshop", "", port, no_open, path, idle, edited=file_of(what, path))


def file_of(what: str, definitions: str = "") -> DefinitionText:
    """The file to edit. Raises UsageError for a name of no game, and ConfigError for a file that is refused."""
    from standstill.engine.common.errors import DefinitionError
    from standstill.engine.variants.workshop.new import base_named, new_game, text_of
    from standstill.engine.web.workshop.file import DefinitionText

    if os.path.lexists(what):
        return DefinitionText(what)
    is_file = what.endswith(_ENDING) or os.sep in what
    name = os.path.basename(what).removesuffix(_ENDING)
    try:
        base = base_named("normal" if is_file else what, definitions)
    except DefinitionError:
        raise click.UsageError(
            f"expected a file, a new file such as {name}{_ENDING}, or a variant of `variants list`, found {what!a}"
        ) from None
    path = what if is_file else f"{what.replace('/', '-')}{_ENDING}"
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise click.UsageError(f"expected a folder for {path!a}")
    return DefinitionText(path, text_of(new_game(name if is_file else base.name, base), os.path.basename(path)))
