"""`standstill perft`: how many games of so many half-moves there are."""

import json
import time

import click

from engine.board import named_game, new_board
from engine.perft import MAX_DEPTH, divide, perft

from ..definitions import definitions


@click.command()
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@click.option("--fen", help="Start from this position.")
@click.option("--divide", "by_move", is_flag=True, help="Count each first move by itself.")
@click.option("--chess960", is_flag=True, help="Write castling as king takes rook.")
@click.option("--variant", default="chess", help="A game of `standstill variants list`.")
@definitions
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(  # noqa: PLR0917 (click passes them by name)
    depth: int, fen: str | None, by_move: bool, chess960: bool, variant: str, as_json: bool
) -> None:
    """Count the leaves of the tree of legal moves to DEPTH half-moves."""
    board = new_board(fen, chess960, named_game(variant))
    start = time.process_time()
    counts = divide(board, depth) if by_move and depth else None
    nodes = perft(board, depth) if counts is None else sum(count for _, count in counts)
    seconds = time.process_time() - start
    if as_json:
        found = {"depth": depth, "nodes": nodes, "cpu_seconds": round(seconds, 6)}
        click.echo(json.dumps(found | ({"moves": dict(counts)} if counts is not None else {})))
        return
    for move, count in counts or ():
        click.echo(f"{move}: {count}")
    click.echo(f"Nodes searched: {nodes}")
