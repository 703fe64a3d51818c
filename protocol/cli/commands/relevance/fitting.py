"""`standstill relevance fit` finds x05 for the players of games."""

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from math import isinf
from pathlib import Path

import click

from standstill.engine.annotate.fit import OUTCOMES, SCORE_LIMITS, Fit, Sides, by_player, fit, usable
from standstill.engine.annotate.run import read
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import JudgedPosition, Style, positions_of_comments
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import open_input
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import visible

from ..engine_options import EngineOptions, progress_bar, refuse_engine, setup_of
from ..messages import in_game, warn
from ..options import cluster
from .text import number, show


class FitOptions(EngineOptions):
    """Values of the command's options."""

    players: tuple[str, ...]
    pool: bool
    overrides: tuple[str, ...]
    estimator: str
    evaluate: bool
    as_json: bool


def run(files: tuple[str, ...], options: FitOptions) -> int:
    if not options["evaluate"]:
        refuse_engine(options, "without --evaluate the command uses the evaluations in the file")
    sides = read_sides(files, options)
    if options["pool"]:
        groups = {"all": sides.found} if sides.found else {}
    else:
        groups = by_player(sides.found, options["players"])
    if not groups:
        reasons = f": {_left_out(sides)}" if sides.skipped else ""
        raise click.UsageError(f"no games with a result and evaluations to fit{reasons}")
    fits = {name: fit(found) for name, found in groups.items()}
    if options["as_json"]:
        click.echo(json.dumps(as_json(fits, sides, options["estimator"])))
    else:
        report(fits, sides, options["estimator"])
    return 1 if sides.skipped["damaged games"] else 0


def read_sides(files: tuple[str, ...], options: FitOptions) -> Sides:
    """Collect the games of all files, numbered throughout. Games that cannot be read are reported and left out."""
    overrides = read_overrides(options["overrides"])
    sides = Sides()
    games: list[SourceGame] = []
    count = 0
    for file in files:
        with open_input(file) as stream:
            for game in read(read_games(stream)):
                count += 1
                if options["engine_command"]:
                    game.refuse_unless_chess()
                if game.fault is not None:
                    warn(f"{in_game(file, game.number, game.fault_ply)}: {game.fault}")
                    sides.skipped["damaged games"] += 2
                    continue
                if game.note is not None:
                    warn(f"{in_game(file, game.number)}: {game.note}")
                game.number = count
                if options["evaluate"]:
                    games.append(game)
                else:
                    sides.add(game, positions_of(game), overrides.pop(game.number, None))
    for game, positions in evaluated(games, options):
        sides.add(game, positions, overrides.pop(game.number, None))
    if overrides:
        raise click.UsageError(f"--override: there is no game {min(overrides)} that could be read, of {count}")
    return sides


def positions_of(game: SourceGame) -> list[JudgedPosition]:
    return positions_of_comments(game.movetext)


def evaluated(games: list[SourceGame], options: FitOptions) -> Iterator[tuple[SourceGame, list[JudgedPosition]]]:
    """The games, with all positions evaluated by an engine."""
    if not games:
        return
    from standstill.engine.annotate.journal import Journal
    from standstill.engine.annotate.workers import analyse

    setup = setup_of(options)
    style = Style(move_scheme=None)
    unwind_on_signals()  # so that an interruption stops the workers and removes the temporary file
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder, "progress"), "")
        journal.start()
        try:
            with cluster(options["scheduler"], options["jobs"]) as (executor, workers):
                found = analyse(games, setup, style, journal, workers, lambda: progress_bar(games, journal), executor)
        finally:
            journal.close()
        for game in games:
            yield game, found.get(game.number, [JudgedPosition()])


def read_overrides(texts: tuple[str, ...]) -> dict[int, int]:
    overrides = {}
    for text in texts:
        game, _, result = text.partition("=")
        result = {"1/2": "1/2-1/2"}.get(result, result)
        if re.fullmatch(r"\d{1,9}", game, re.ASCII) is None or result not in OUTCOMES:
            raise click.UsageError(f"expected --override GAME=RESULT such as 17=1/2-1/2, found {text!r}")
        overrides[int(game)] = OUTCOMES[result]
    return overrides


def chosen(found: Fit, estimator: str) -> float | None:
    return found.x05 if estimator == "equilibrium" else found.score_x05


def option_of(x05: float | None) -> int | None:
    """The value of the option Relevance_x05, in centipawns; None if it is out of range."""
    cp = round(100 * x05) if x05 is not None and usable(x05) else 0
    return cp if 1 <= cp <= 1000 else None


def as_json(fits: dict[str, Fit], sides: Sides, estimator: str) -> dict[str, object]:
    players = []
    for name, found in fits.items():
        values = asdict(found)
        values |= {key: number(values[key]) for key in ("x05", "score_x05")}
        values |= {key: [number(x) for x in values[key]] for key in ("above", "below")}
        values["interval"] = found.interval and [number(x) for x in found.interval]
        players.append({"player": name, **values, "Relevance_x05": option_of(chosen(found, estimator))})
    return {"estimator": estimator, "players": players, "skipped": dict(sides.skipped)}


def report(fits: dict[str, Fit], sides: Sides, estimator: str) -> None:
    rows = []
    for name, found in fits.items():
        interval = "" if found.interval is None else f"{pawns(found.interval[0])} to {pawns(found.interval[1])}"
        rows.append(
            [
                name,
                str(found.games),
                str(found.wins),
                str(found.draws),
                str(found.losses),
                pawns(found.x05),
                interval,
                pawns(found.score_x05),
            ]
        )
    show(["player", "games", "won", "drawn", "lost", "equilibrium", "95 %", "score fit"], rows)
    for name, found in fits.items():
        click.echo(f"\n{visible(name)}")
        for line in details(found):
            click.echo(f"  {line}")
        cp = option_of(chosen(found, estimator))
        if cp is not None:
            click.echo(f"  by the {estimator}: setoption name Relevance_x05 value {cp}")
    if sides.skipped:
        click.echo(f"\n{_left_out(sides)}")


def _left_out(sides: Sides) -> str:
    """Print which games and evaluations could not be used. Each game has two sides, White's and Black's."""
    reasons = ", ".join(f"{count} x {reason}" for reason, count in sorted(sides.skipped.items()))
    return f"sides left out (two per game): {reasons}"


def details(found: Fit) -> list[str]:
    """Lines that say how far the estimators can be trusted."""
    lines = []
    if found.score_x05 is None:
        low, high = SCORE_LIMITS
        lines.append(f"no score fit: no x05 between {low:.2f} and {high:.2f} fits the scores better than these limits")
    if found.x05 is None:
        return [found.reason, *lines]
    others = found.draws + found.losses
    lines += [
        f"games won: {found.wins}; the equilibrium is {ranked(found.wins)} among the {others} not won,"
        f" {pawns(found.x05)}",
        f"peaks above the cut: {listed(found.above)}; below: {listed(found.below)}",
    ]
    if found.at_cut > 1:
        lines.append(f"{found.at_cut} games not won share the peak at the cut")
    if found.counted_losses:
        lines.append(f"{found.counted_losses} of the games not won were lost, and count like draws")
    if found.early_wins:
        lines.append(f"won without reaching the equilibrium: games {', '.join(map(str, found.early_wins))}")
    if found.undefined:
        lines.append(f"{100 * found.undefined:.1f} % of the resampled games had no equilibrium")
    if not usable(found.x05):
        lines.append("the model cannot use this value: it needs a number above 0")
    return lines


def ranked(rank: int) -> str:
    """``the highest peak``, ``the 22nd highest peak``."""
    if rank == 1:
        return "the highest peak"
    suffix = "th" if rank % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"the {rank}{suffix} highest peak"


def pawns(x: float | None) -> str:
    if x is None:
        return "------"
    return ("mate" if x > 0 else "mated") if isinf(x) else f"{round(x, 2) or 0.0:.2f}"


def listed(peaks: list[float]) -> str:
    return " ".join(map(pawns, peaks)) or "none"
