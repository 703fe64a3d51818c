"""`standstill variants new` and `convert`: files of games, written by the program."""

from __future__ import annotations

import os

import click

from standstill.engine.common.text import as_file_name, plural, shown_path

from ...completion_values import games as known_games
from ...output import echo_file
from ..options import FILE_HELP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.workshop.convert import Conversion


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
    """Write a definition file for a game of your own.

    The file is complete and playable, and comments explain every part. NAME is the name of the game.

    An army is written with the letters of GAME's pieces, of --piece, and of the table: a (archbishop), c (chancellor),
    e (elephant), f (ferz), h (centaur), l (camel), m (man), w (woody rook), z (zebra).
    """
    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.variants.workshop.new import base_named, new_game, text_of

    target = target or f"{as_file_name(name)}.ini"
    if target != "-" and os.path.lexists(target):
        raise click.UsageError(f"expected a new file, found {shown_path(target)}; name another one by -o")
    game = new_game(name, base_named(base, path), size, army=army, black=black, pieces=pieces)
    text = text_of(game, "mine.ini" if target == "-" else target, numbers)
    if target == "-":
        echo_file(text)
        return
    write_whole(target, text)
    kinds = len(game.own_pieces)
    click.echo(f"{target}: {name}, {game.width}x{game.height}, {kinds} {plural(kinds, 'kind')} of pieces")


@click.command()
@click.argument("file", required=False)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(dir_okay=False),
    default="-",
    help="The file to write; default: standard output.",
)
@click.option(
    "--game", "names", multiple=True, metavar="NAME", shell_complete=known_games, help="Convert this variant only."
)
@click.option("--partial", is_flag=True, help="Leave out rules that cannot be expressed, rather than the variants.")
def convert(file: str | None, target: str, names: tuple[str, ...], partial: bool) -> int:
    """Convert definitions from or to Fairy-Stockfish's format.

    FILE is a variants.ini, or a definition file of this engine. A variant that the other format cannot express is left
    out; a line names each rule that prevents it. Without FILE, --game names built-in variants to write for
    Fairy-Stockfish.

    Exit status: 0 all variants are converted, 1 some are left out, 2 bad input.
    """
    from standstill.engine.archive.streams import check_apart
    from standstill.engine.common.atomic_files import write_whole

    if file is None and not names:
        raise click.UsageError("Missing argument 'FILE'; without it, --game names built-in variants.")
    if file is not None:
        check_apart((file,), {"--output": target})
    done = _converted(file, names, partial)
    for text in done.left_out:
        click.echo(f"standstill: {text}", err=True)
    for text in done.differences:
        click.echo(f"warning: {text}", err=True)
    if target == "-":
        echo_file(done.text)
    else:
        write_whole(target, done.text)
        click.echo(f"{target}: {done.count} of {done.total} {plural(done.total, 'variant')}")
    return int(done.count < done.total or bool(done.left_out))


def _converted(file: str | None, names: tuple[str, ...], partial: bool) -> Conversion:
    from standstill.engine.common.errors import DefinitionError
    from standstill.engine.common.text import did_you_mean, shown
    from standstill.engine.variants.catalog import OWN_FILE, load
    from standstill.engine.variants.fairymax import VERSION, parse
    from standstill.engine.variants.workshop.convert import from_ini, to_ini

    name = file or OWN_FILE
    text = _text_of(file) if file is not None else ""
    if file is not None and text.split("\n", 1)[0].split() != VERSION.split():
        if names:
            raise click.UsageError("--game needs a file of this engine, or no file.")
        return from_ini(text, os.path.basename(name), partial)
    games = parse(text, os.path.basename(name)).games if file is not None else load(OWN_FILE).games
    known = [game.name for game in games]
    for wanted in names:
        if wanted not in known:
            hint = did_you_mean(wanted, known)
            raise DefinitionError(f"expected a variant of {shown_path(name)}, found {shown(wanted, 40)}{hint}")
    return to_ini((game for game in games if not names or game.name in names), os.path.basename(name))


def _text_of(file: str) -> str:
    from standstill.engine.common.errors import DefinitionError
    from standstill.engine.common.regular_files import open_regular
    from standstill.engine.variants.fairymax import LARGEST_BYTES, decoded

    try:
        with open_regular(file) as stream:
            data = stream.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise DefinitionError(f"cannot read {file}: {error.strerror}") from None
    if len(data) > LARGEST_BYTES:
        raise DefinitionError(f"expected a file of at most {LARGEST_BYTES} bytes, found {shown_path(file)}")
    return decoded(data)
