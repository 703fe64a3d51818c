"""`standstill bench`: speed and signature of the search."""

import json

import click

from engine.bench import DEPTH, VARIANT_DEPTH, run
from engine.board import named_game

from ..definitions import definitions


@click.command(
    help="Search fixed positions on one thread, each to DEPTH, and count the nodes. DEPTH is "
    f"{DEPTH} if it is not given, {VARIANT_DEPTH} in other games than chess."
)
@click.argument("depth", type=click.IntRange(1, 245), required=False)
@click.option("--variant", default="chess", help="A game of `standstill variants list`; random positions of it.")
@definitions
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(depth: int | None, variant: str, as_json: bool) -> None:
    named_game(variant)
    if depth is None:
        depth = DEPTH if variant == "chess" else VARIANT_DEPTH
    if not as_json:
        run(depth, click.echo, variant)
        return
    bench = run(depth, lambda text: None, variant)
    click.echo(json.dumps({"depth": depth, "nodes": bench.nodes, "cpu_seconds": bench.cpu_s, "nps": bench.nps}))
