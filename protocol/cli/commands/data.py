"""`standstill data` plays games for training networks, and shows the contents of such files."""

from __future__ import annotations

import json
from collections.abc import Callable

import click

from standstill.engine.archive.streams import check_apart, open_input
from standstill.engine.common.atomic_files import check_target, new_file
from standstill.engine.common.errors import TrainingError
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural, shown_path
from standstill.engine.training.filler import Progress
from standstill.engine.training.gamefile import ORIGIN, check_replaceable, write_games
from standstill.engine.training.generator import Generator
from standstill.engine.training.plain import games_of_lines
from standstill.engine.training.reading import Record, ending, games, plies, statistics
from standstill.engine.training.rescoring import Rescoring
from standstill.engine.training.starts import level_positions
from standstill.engine.variants.notation import fen

from .options import (
    Function,
    cluster,
    definitions_option,
    eval_file_option,
    game_options,
    jobs_option,
    json_option,
    scheduler_option,
)
from .renamed import WasArgument

NODES = 1000
MOST_CP = 2500
EVERY = 8

nodes_option = click.option(
    "--nodes",
    type=click.IntRange(1, 10_000_000),
    default=NODES,
    show_default=True,
    help="End a search after the iteration that passes this many nodes.",
)


def output_option(help: str, before: str = "") -> Callable[[Function], Function]:
    """The option ``-o``, which used to be an argument. before: the argument that came after ``FILE``."""
    return click.option(
        "-o", "--output", "path", cls=WasArgument, before=before, required=True, metavar="FILE", help=help
    )


@click.group()
def command() -> None:
    """Play and inspect training games for networks.

    docs/training-data.md describes them.
    """


@command.command()
@output_option("File to write; games are added to an existing file.")
@click.option(
    "--games", type=click.IntRange(1), help="Play until FILE holds this many games; default: until interrupted."
)
@nodes_option
@eval_file_option()
@click.option("--mean", is_flag=True, help="Evaluate by the mean of the network and the hand-crafted evaluation.")
@game_options("A variant from `standstill variants list`.")
@click.option(
    "--starts",
    metavar="FILE",
    help="Play for the record (RMobility Decisive) from the positions in this file (EPD or FEN): games for networks "
    "that predict records.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the openings.")
@jobs_option("games", 0, old="--workers")
@scheduler_option
def play(
    path: str,
    games: int | None,
    nodes: int,
    *,
    eval_file: str,
    mean: bool,
    variant: str,
    starts: str | None,
    seed: int,
    jobs: int,
    scheduler: str | None,
) -> int:
    """Play training games of the engine against itself.

    FILE always holds whole games, even after an interrupted run. New games are added to those in the file.
    """
    unwind_on_signals()
    check_apart((starts or "",), {"-o": path})
    try:
        with cluster(scheduler, jobs) as (executor, count):
            generator = Generator(
                path,
                nodes=nodes,
                seed=seed,
                workers=count,
                eval_file=eval_file,
                mean=mean,
                variant=variant,
                starts=starts,
                executor=executor,
            )
            say_what_is_there(generator.games)
            generator.run(games, report)
    except KeyboardInterrupt:
        click.echo("interrupted")
        return 130
    return 0


def say_what_is_there(games: int) -> None:
    if games:
        click.echo(f"the file already has {games:,} {'game' if games == 1 else 'games'}")


def report(progress: Progress) -> None:
    seconds = max(progress.seconds, 1e-9)
    games, openings = plural(progress.total, "game"), plural(progress.rejected_openings, "opening")
    click.echo(
        f"{progress.total:,} {games}; {progress.plies:,} plies in {seconds:.0f} s:"
        f" {progress.plies / seconds:,.0f} plies and {progress.nodes / seconds:,.0f} nodes a second;"
        f" {progress.rejected_openings:,} {openings} rejected"
    )


@command.command()
@click.argument("games", metavar="GAMES")
@output_option("File to write; if it exists, the earlier run is continued.", before="games")
@definitions_option()
@nodes_option
@click.option(
    "--every",
    type=click.IntRange(1, 1000),
    metavar="N",
    default=EVERY,
    show_default=True,
    help="Search one in N of the positions that a trainer keeps, chosen at random.",
)
@eval_file_option()
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the choice.")
@jobs_option("searches", 0, old="--workers")
def rescore(path: str, games: str, *, nodes: int, every: int, eval_file: str, seed: int, jobs: int) -> int:
    """Write GAMES to FILE with scores from new searches.

    Longer searches give better scores. Positions that are not searched have no score, so networks are not trained on
    them.
    """
    unwind_on_signals()
    check_apart((games,), {"-o": path})
    try:
        rescoring = Rescoring(path, games, nodes=nodes, every=every, seed=seed, workers=jobs, eval_file=eval_file)
        say_what_is_there(rescoring.games)
        rescoring.run(None, report_scores)
    except KeyboardInterrupt:
        click.echo("interrupted")
        return 130
    return 0


def report_scores(progress: Progress) -> None:
    seconds = max(progress.seconds, 1e-9)
    click.echo(
        f"{progress.total:,} {plural(progress.total, 'game')}; {progress.scored:,} "
        f"{plural(progress.scored, 'position')} in {seconds:.0f} s: {progress.scored / seconds:,.0f} positions and "
        f"{progress.nodes / seconds:,.0f} nodes a second"
    )


@command.command("import")
@click.argument("source", metavar="TEXT")
@output_option("File to write; a file of imported games is replaced.")
@click.option(
    "--origin", required=True, help="Source of the games: who played them, with which engine. Stored in FILE."
)
@click.option("--licence", default="GPL-3.0-or-later", show_default=True, help="Licence of the games. Stored in FILE.")
def import_(source: str, path: str, origin: str, licence: str) -> None:
    """Read games in plain text and write them to FILE.

    One game per line: START|OPENING|RESULT|MOVES. START is - or a FEN. OPENING and MOVES are in coordinate
    notation; each of MOVES is followed by a colon and the score in centipawns from the side to move. TEXT may be
    compressed (.gz, .bz2, .xz, .zst). An existing FILE is replaced only if it holds imported games.
    """
    check_apart((source,), {"-o": path})
    check_replaceable(path)
    check_target(path)
    with open_input(source) as lines, new_file(path) as file:
        games = write_games(file, games_of_lines(lines, source), {ORIGIN: origin, "licence": licence})
    click.echo(f"{games:,} {plural(games, 'game')}")


@command.command()
@click.argument("games", metavar="GAMES...", nargs=-1, required=True)
@output_option("File to write.", before="games")
@definitions_option()
@click.option("--least-men", type=click.IntRange(2, 32), default=4, show_default=True, help="Minimum number of pieces.")
@click.option("--most-men", type=click.IntRange(2, 32), default=16, show_default=True, help="Maximum number of pieces.")
@click.option(
    "--most-cp",
    type=click.IntRange(0, 32000),
    default=120,
    show_default=True,
    help="Leave out positions with larger scores, in centipawns.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Seed of the choice.")
def starts(path: str, games: tuple[str, ...], *, least_men: int, most_men: int, most_cp: int, seed: int) -> None:
    """Write a level position from each game of GAMES to FILE.

    `data play --starts` plays from them.
    """
    check_apart(games, {"-o": path})
    check_target(path)
    count = 0
    with new_file(path) as file:
        for position in level_positions(games, least_men=least_men, most_men=most_men, most_cp=most_cp, seed=seed):
            file.write(f"{position}\n".encode("ascii"))
            count += 1
        if not count:
            raise TrainingError(f"expected positions of {least_men} to {most_men} pieces, found 0")
    click.echo(f"{count:,} {plural(count, 'position')}")


@command.command()
@click.argument("path", metavar="FILE")
@definitions_option()
@click.option("--game", "wanted", type=click.IntRange(0), default=0, show_default=True, help="Number of the game.")
@click.option("--fens", is_flag=True, help="Also print the FEN before each move.")
def show(path: str, wanted: int, fens: bool) -> int:
    """Print a game with its scores.

    The scores come from the searches, in pawns, from White's view.
    """
    for number, game in games(path):
        if number == wanted:
            show_game(number, game, fens)
            return 0
    raise TrainingError(f"{shown_path(path)}: the file has no game {wanted}")


def show_game(number: int, game: Record, fens: bool) -> None:
    click.echo(f"game {number}: {ending(game)}")
    click.echo(f"from {fen(game.board)}")
    for index, ply in enumerate(plies(game)):
        black = (index + game.board.stm) % 2
        move = f"{game.board.fullmove + (index + game.board.stm) // 2:3d}{'...' if black else '.  '} {ply.san:<8}"
        score = "random" if index < game.opening else "-" if ply.white_cp is None else f"{ply.white_cp / 100:+.2f}"
        click.echo(f"{move}{score:>8}" + (f"  {ply.fen}" if fens else ""))


@command.command()
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@definitions_option()
@click.option("--skip", type=click.IntRange(0), default=0, help="Leave out this many plies of each game.")
@click.option(
    "--most-cp",
    type=click.IntRange(0, 32767),
    default=MOST_CP,
    show_default=True,
    help="Leave out scores of this many centipawns or more; 0 keeps all.",
)
@json_option()
def stats(paths: tuple[str, ...], skip: int, most_cp: int, as_json: bool) -> None:
    """Count games and positions.

    The command also prints how the games ended, the number of distinct positions, and the number of positions that a
    trainer would keep.
    """
    found = statistics(paths, skip=skip, most_cp=most_cp)
    if as_json:
        click.echo(json.dumps(found._asdict()))
        return
    counts = found.counts
    scored = counts["plies"] - counts["opening"] - counts["unscored"]
    games, plies = counts["games"], counts["plies"]
    click.echo(f"{games:,} {plural(games, 'game')}, {plies:,} {plural(plies, 'ply', 'plies')}, {scored:,} with a score")
    click.echo(f"different positions with a score: {found.different:,} ({share(found.different, scored)})")
    lost, drawn, won = found.results
    click.echo(
        "results: "
        + ", ".join(
            f"{text} {count:,} ({share(count, counts['games'])})"
            for text, count in (("1-0", won), ("1/2-1/2", drawn), ("0-1", lost))
        )
    )
    click.echo("ended by: " + ", ".join(f"{name} {count:,}" for name, count in found.reasons.items()))
    click.echo(
        f"left out: in check {counts['check']:,}, best move a capture or promotion {counts['noisy']:,}, "
        f"decided {counts['decided']:,}, too early {counts['skipped']:,}"
    )
    click.echo(f"kept: {counts['kept']:,} ({share(counts['kept'], scored)})")
    for low in range(2, max(found.men, default=0) + 1, 4):
        count = sum(found.men.get(men, 0) for men in range(low, low + 4))
        click.echo(f"  {low:2d} to {low + 3:2d} pieces: {count:>12,} ({share(count, counts['kept'])})")


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
