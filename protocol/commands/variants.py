"""`standstill variants`: the games that definition files describe."""

import json
import os
import sys

import click

from engine.board import new_board
from engine.errors import DefinitionError
from engine.notation import fen as fen_of
from engine.notation import move_text
from engine.perft import MAX_DEPTH, divide, perft
from engine.variants.catalog import Catalog
from engine.variants.fairymax import LARGEST_BYTES, parse, read_file


@click.group()
def command() -> None:
    """Games of definition files: list, show and check them, count and list their moves."""


def common(function):
    """Options that all of them share."""
    function = click.option("--file", "path", default="", help="Definitions that go before the engine's own.")(function)
    return click.option("--fen", help="Start from this position.")(function)


@command.command("list")
@common
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_games(fen: str | None, path: str, as_json: bool) -> None:
    """Name, board and description of every game; with --fen of those that can have this position."""
    games = [game for game in Catalog(path) if fen is None or fits(game, fen)]
    if as_json:
        rows = [{"name": g.name, "size": f"{g.width}x{g.height}", "description": g.description} for g in games]
        click.echo(json.dumps({"games": rows}))
        return
    width = max((len(game.name) for game in games), default=0)
    for game in games:
        size = f"{game.width}x{game.height}"
        click.echo(f"{game.name:<{width}}  {size:<5}  {game.description}".rstrip())


def fits(game, fen: str) -> bool:
    try:
        new_board(fen, game=game)
    except ValueError:
        return False
    return True


@command.command()
@click.argument("name")
@common
@click.option("--svg", type=click.Path(dir_okay=False), help="Write a picture to this file; - is standard output.")
def show(name: str, fen: str | None, path: str, svg: str | None) -> None:
    """Draw the array of the game NAME and how each of its pieces moves."""
    from engine.variants.show import game_report, game_svg

    game = Catalog(path).find(name)
    board = new_board(fen, game=game)
    if svg is None:
        click.echo(game_report(game, board))
    elif svg == "-":
        click.echo(game_svg(game), nl=False)
    else:
        fresh = f"{svg}.new"
        with open(fresh, "w", encoding="utf-8") as file:
            file.write(game_svg(game))
        os.replace(fresh, svg)


@command.command()
@click.argument("file")
@common
def check(file: str, fen: str | None, path: str) -> int:
    """Read the definitions of FILE (- is standard input), compile every game and say what is wrong."""
    from engine.board import rules_of

    if file == "-":
        found = parse(sys.stdin.buffer.read(LARGEST_BYTES + 1).decode("latin-1"), "<stdin>")
    else:
        found = read_file(file)
    for game in found.games:
        rules_of(game)
        start = new_board(game=game)
        if start.checkers:
            raise DefinitionError(f"{file}: {game.name}: expected an array without a check, found one")
    click.echo(f"{file}: {len(found.games)} games, no mistakes")
    return 0


@command.command("perft")
@click.argument("name")
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@common
@click.option("--divide", "by_move", is_flag=True, help="Count each first move by itself.")
def count(name: str, depth: int, fen: str | None, path: str, by_move: bool) -> None:
    """Count the leaves of the tree of legal moves of the game NAME to DEPTH half-moves."""
    board = new_board(fen, game=Catalog(path).find(name))
    counts = divide(board, depth) if by_move and depth else []
    for move, leaves in counts:
        click.echo(f"{move}: {leaves}")
    click.echo(f"Nodes searched: {sum(leaves for _, leaves in counts) if counts else perft(board, depth)}")


@command.command()
@click.argument("name")
@common
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def moves(name: str, fen: str | None, path: str, as_json: bool) -> None:
    """Print the legal moves of the game NAME, one a line."""
    board = new_board(fen, game=Catalog(path).find(name))
    texts = sorted(move_text(board, move) for move in board.legal_moves())
    if as_json:
        click.echo(json.dumps({"fen": fen_of(board), "moves": texts}))
        return
    for text in texts:
        click.echo(text)
