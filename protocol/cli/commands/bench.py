"""`standstill bench` prints the speed and the signature of the search, `standstill speedtest` the speed in play."""

import json

import click

from standstill.engine.play.bench import DEPTH, HASH_MB, SPEEDTEST_S, VARIANT_DEPTH, Bench, Speedtest
from standstill.engine.settings.about import build_report
from standstill.engine.variants.boards import named_game

from .options import DEPTHS, eval_file_option, game_options, hash_option, json_option, threads_option


@click.command(
    help="Search fixed positions to DEPTH and count the nodes.\n\n"
    f"DEPTH is {DEPTH} for chess and {VARIANT_DEPTH} for other variants by default."
)
@click.argument("depth", type=DEPTHS, required=False)
@threads_option(default=1, show_default=True)
@hash_option(default=HASH_MB, show_default=True)
@eval_file_option()
@game_options("Search random positions of this variant from `standstill variants list`.")
@json_option()
def command(depth: int | None, threads: int, hash_mb: int, *, eval_file: str, variant: str, as_json: bool) -> None:
    named_game(variant)
    if depth is None:
        depth = DEPTH if variant == "chess" else VARIANT_DEPTH
    bench = Bench(depth, threads=threads, hash_mb=hash_mb, variant=variant, eval_file=eval_file)
    if not as_json:
        bench.run(click.echo)
        return
    bench.run(lambda text: None)
    found = {"depth": depth, "threads": bench.threads, "hash_mb": bench.hash_mb, "nodes": bench.nodes}
    click.echo(json.dumps(found | {"cpu_seconds": bench.cpu_s, "seconds": bench.wall_s, "nps": bench.nps}))


@click.command()
@click.argument("seconds", type=click.IntRange(1, 1_000_000), default=SPEEDTEST_S)
@threads_option(help="Number of search threads; default: one for each core.")
@hash_option(help="Size of the transposition table, in MB; default: 64 for each thread.")
@eval_file_option()
@json_option()
def speedtest(seconds: int, threads: int | None, hash_mb: int | None, eval_file: str, as_json: bool) -> None:
    """Measure the speed of the search in play for SECONDS.

    The command searches positions from a few games, each for the same time, with several threads and one hash table, as
    in play. To compare node counts between builds, use `standstill bench`.
    """
    test = Speedtest(seconds, threads=threads, hash_mb=hash_mb, eval_file=eval_file)
    if not as_json:
        click.echo(build_report())
        test.run(click.echo)
        return
    test.run(lambda text: None)
    found = {"threads": test.threads, "hash_mb": test.hash_mb, "nodes": test.nodes}
    click.echo(json.dumps(found | {"seconds": test.wall_s, "nps": test.nps}))
