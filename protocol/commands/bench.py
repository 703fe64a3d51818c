"""`standstill bench`: speed and signature of the search."""

import json

import click

from engine.bench import DEPTH, run


@click.command(help=f"Search fixed positions on one thread, each to DEPTH (default {DEPTH}), and count the nodes.")
@click.argument("depth", type=click.IntRange(1, 245), default=DEPTH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(depth: int, as_json: bool) -> None:
    if not as_json:
        run(depth, click.echo)
        return
    bench = run(depth, lambda text: None)
    click.echo(json.dumps({"depth": depth, "nodes": bench.nodes, "cpu_seconds": bench.cpu_s, "nps": bench.nps}))
