"""`standstill variants new` and `convert`: files of games, written by the program."""

import os

import click

from standstill.engine.common.text import plural, shown_path

from ...completion_values import games as known_games
from ..options import FILE_HELP


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "base",
    default="normal",
    show_default=True,
    metavar="GAME",
    shell_complete=known_games,
    help="The variant to start from.",
)
@click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP)
@click.option("--size", default="", metavar="10x8", help="Files x ranks; default: the board of GAME.")
@click.option(
    "--army",
    default="",
    metavar="LETTERS",
    help="Back rank from the first file on, such as rnbqkbnr; a dot is an empty square.",
)
@click.option("--black", default="", metavar="LETTERS", help="Black's back rank; default: the same as White's.")
@click.option(
    "--piece",
    "pieces",
    multiple=True,
    metavar="X=MOVES[:VALUE]",
    help="A piece for the armies, in Betza's notation: e=FA or e=FA:300. May be given more than once.",
)
@click.option("--numbers", is_flag=True, help="Write moves as numbers, which Fairy-Max can read.")
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="The file to write; -: standard output; default: NAME.ini. An existing file is not replaced.",
)
def new(  # noqa: PLR0917 (click passes them by name)
    name: str,
    base: str,
    path: str,
    size: str,
    army: str,
    black: str,
    pieces: tuple[str, ...],
    numbers: bool,
    target: str | None,
) -> None:
    """Write a definition file for your own game NAME: complete, playable, and with comments on every part.

    Letters of an army are those of GAME's pieces, those given by --piece, or a archbishop, c chancellor, e elephant,
    f ferz, h centaur, l camel, m man, w woody rook, z zebra.
    """
    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.variants.workshop.new import base_named, new_game, text_of

    target = target or f"{name.replace('/', '-')}.ini"
    if target != "-" and os.path.lexists(target):
        raise click.UsageError(f"expected a new file, found {shown_path(target)}; name another one by -o")
    game = new_game(name, base_named(base, path), size, army=army, black=black, pieces=pieces)
    text = text_of(game, "mine.ini" if target == "-" else target, numbers)
    if target == "-":
        click.echo(text, nl=False)
        return
    write_whole(target, text)
    kinds = len(game.own_pieces)
    click.echo(f"{target}: {name}, {game.width}x{game.height}, {kinds} {plural(kinds, 'kind')} of pieces")
