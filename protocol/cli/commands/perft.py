"""`standstill perft` counts the leaves of the tree of legal moves."""

from __future__ import annotations

import json
import time

import click

from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.perft import MAX_DEPTH, divide, perft

from .options import game_options, json_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.notation import Board


@click.command()
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@click.option("--fen", help="Start from this position.")
@click.option("--divide", "by_move", is_flag=True, help="Print the count of each first move.")
@click.option("--chess960", is_flag=True, help="Write castling as king takes rook.")
@game_options()
@json_option()
def command(  # noqa: PLR0917 (click passes them by name)
    depth: int, fen: str | None, by_move: bool, chess960: bool, variant: str, as_json: bool
) -> None:
    """Count the leaves of the tree of legal moves to DEPTH plies."""
    board = new_board(fen, chess960, named_game(variant))
    start = time.process_time()
    counts, nodes = counted(board, depth, by_move)
    seconds = time.process_time() - start
    if as_json:
        found = {"depth": depth, "nodes": nodes, "cpu_seconds": round(seconds, 6)}
        click.echo(json.dumps(found | ({"moves": dict(counts)} if counts is not None else {})))
        return
    show(counts, nodes)


def counted(board: Board, depth: int, by_move: bool) -> tuple[list[tuple[str, int]] | None, int]:
    """The leaves below each first move (None without ``divide`` or at depth 0), and their sum."""
    counts = divide(board, depth) if by_move and depth else None
    return counts, perft(board, depth) if counts is None else sum(count for _, count in counts)


def show(counts: list[tuple[str, int]] | None, nodes: int) -> None:
    for move, count in counts or ():
        click.echo(f"{move}: {count}")
    click.echo(f"Nodes searched: {nodes}")
