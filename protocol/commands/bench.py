"""`standstill bench` prints the speed and the signature of the search."""

import json

import click

from standstill.engine.games.board import named_game
from standstill.engine.play.bench import DEPTH, VARIANT_DEPTH, run

from .options import DEPTHS, game_options, json_option


@click.command(
    help="Search fixed positions on one thread, each to DEPTH, and count the nodes. Without DEPTH it is "
    f"{DEPTH} for chess and {VARIANT_DEPTH} for other games."
)
@click.argument("depth", type=DEPTHS, required=False)
@game_options("A game of `standstill variants list`, with random positions.")
@json_option()
def command(depth: int | None, variant: str, as_json: bool) -> None:
    named_game(variant)
    if depth is None:
        depth = DEPTH if variant == "chess" else VARIANT_DEPTH
    if not as_json:
        run(depth, click.echo, variant)
        return
    bench = run(depth, lambda text: None, variant)
    click.echo(json.dumps({"depth": depth, "nodes": bench.nodes, "cpu_seconds": bench.cpu_s, "nps": bench.nps}))
