"""`standstill variants` lists, shows and checks the games of definition files."""

import json
import os
import sys
from collections.abc import Callable

import click

from standstill.engine.common.text import plural
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import OWN_FILE, Catalog, load
from standstill.engine.variants.fairymax import LARGEST_BYTES, decoded, parse, read_file
from standstill.engine.variants.notation import fen as fen_of
from standstill.engine.variants.notation import move_text
from standstill.engine.variants.perft import MAX_DEPTH
from standstill.engine.variants.variant import Variant

from ...completion_values import games as known_games
from ...output import echo_file
from ..options import FILE_HELP, Function, json_option
from ..perft import counted
from ..perft import show as show_counts
from .editing import edit
from .making import convert, new
from .measuring import balance
from .valuing import values


@click.group()
def command() -> None:
    """List, show, make, check and measure variants.

    `standstill variants edit mine.ini` makes a game of your own in a browser. docs/game-from-nothing.md is a tutorial,
    and docs/variants.md describes the definition files.
    """


command.add_command(new)
command.add_command(edit)
command.add_command(convert)
command.add_command(balance)
command.add_command(values)


def common(fen_help: str = "Start from this position.") -> Callable[[Function], Function]:
    """Add the options that most of these commands share."""
    file = click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP)
    fen = click.option("--fen", help=fen_help)
    return lambda function: fen(file(function))


@command.command("list")
@common("List only the variants in which this position is possible.")
@json_option()
def list_games(fen: str | None, path: str, as_json: bool) -> None:
    """List the name, board and description of every variant."""
    games = [game for game in Catalog(path) if fen is None or fits(game, fen)]
    if as_json:
        rows = [{"name": g.name, "size": f"{g.width}x{g.height}", "description": g.description} for g in games]
        click.echo(json.dumps({"games": rows}))
        return
    if not games:
        raise click.UsageError(f"expected a position of some variant, found {fen!a}")
    width = max(len(game.name) for game in games)
    for game in games:
        size = f"{game.width}x{game.height}"
        click.echo(f"{game.name:<{width}}  {size:<5}  {game.description}".rstrip())


def fits(game: Variant, fen: str) -> bool:
    try:
        new_board(fen, game=game)
    except ValueError:
        return False
    return True


@command.command()
@click.argument("name", required=False, shell_complete=known_games)
@common("Start from this position, in text output only.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Write a picture to this file; -: standard output.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False),
    help="Write a web page to this file; -: standard output. Without NAME it shows all variants of the file.",
)
def show(name: str | None, fen: str | None, path: str, svg: str | None, html: str | None) -> None:
    """Show the start position, pieces and rules of NAME."""
    if name is None and html is None:
        raise click.UsageError("Missing argument 'NAME'; only --html shows all variants of a file.")
    if svg is not None and html is not None:
        raise click.UsageError("--svg and --html cannot be used together.")
    if fen is not None and (svg is not None or html is not None):
        raise click.UsageError("--fen cannot be used with --svg or --html, which show the start position.")
    games = [Catalog(path).find(name)] if name is not None else list(load(path or OWN_FILE).games)
    if svg is None and html is None:
        from standstill.engine.variants.show import game_report

        click.echo(game_report(games[0], new_board(fen, game=games[0])))
        return
    from standstill.engine.archive.streams import check_apart
    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.variants.picture import game_svg, page

    check_apart((path, OWN_FILE), {"--svg": svg, "--html": html})
    if svg is not None:
        target, text = svg, game_svg(games[0])
    else:
        target, text = html or "", page(games, name or os.path.basename(path) or "Games of Standstill")
    if target == "-":
        echo_file(text)
    else:
        write_whole(target, text)


@command.command()
@click.argument("file")
@click.option("--explain", is_flag=True, help="Print the moves of each piece in Betza notation and as numbers.")
def check(file: str, explain: bool) -> int:
    """Check a definition file and print all its mistakes.

    For each mistake the command prints line and column, and what it expected and found. - is standard input. A warning
    means that a variant is playable, but probably not as intended or not by all clients.
    """
    from standstill.engine.variants.show import explained
    from standstill.engine.variants.workshop.checking import examine

    remarks: list[str] = []
    mistakes: list[str] = []
    if file == "-":
        if sys.stdin is None:
            raise click.UsageError("standard input is closed")
        found = parse(decoded(sys.stdin.buffer.read(LARGEST_BYTES + 1)), "<stdin>", remarks, mistakes)
    else:
        found = read_file(file, remarks, mistakes)
    examine(found, "<stdin>" if file == "-" else file, remarks, mistakes)
    if mistakes:
        for text in mistakes:
            click.echo(f"standstill: {text}", err=True)
        return 2
    for text in (line for game in found.games if explain for line in explained(game)):
        click.echo(text)
    for text in remarks:
        click.echo(f"warning: {text}")
    count = f", {len(remarks)} {plural(len(remarks), 'warning')}" if remarks else ""
    click.echo(f"{file}: {len(found.games)} {plural(len(found.games), 'game')}, no errors{count}")
    return 0


@command.command("perft")
@click.argument("name", shell_complete=known_games)
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@common()
@click.option("--divide", "by_move", is_flag=True, help="Print the count of each first move.")
def count(name: str, depth: int, fen: str | None, path: str, by_move: bool) -> None:
    """Count the leaves of the tree of legal moves to DEPTH plies."""
    show_counts(*counted(new_board(fen, game=Catalog(path).find(name)), depth, by_move))


@command.command()
@click.argument("name", shell_complete=known_games)
@common()
@json_option()
def moves(name: str, fen: str | None, path: str, as_json: bool) -> None:
    """Print the legal moves of the variant NAME, one per line."""
    board = new_board(fen, game=Catalog(path).find(name))
    texts = sorted(move_text(board, move) for move in board.legal_moves())
    if as_json:
        click.echo(json.dumps({"fen": fen_of(board), "moves": texts}))
        return
    for text in texts:
        click.echo(text)
