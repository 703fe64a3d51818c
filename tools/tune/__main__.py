"""Compare two settings of the search by `bench` or by games, or let games move its numbers (docs/development.md)."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "build" / "tree"))

from standstill.cext.training.duel import change, numbers, switches
from standstill.engine.common.atomic_files import check_target, write_whole
from standstill.engine.common.errors import StandstillError
from standstill.engine.common.signals import unwinding
from standstill.engine.match.statistics import Sprt, elo
from standstill.engine.network.loading import load
from standstill.engine.network.shipped import path_of
from standstill.engine.play.bench import DEPTH, Bench

from .games import Match, Pair, Table, known_changes
from .screen import Screening, known_factors
from .spsa import Tuning

T = TypeVar("T")

REPORT_EVERY_PAIRS = 100


def checked(read: Callable[[str], T], fits: Callable[[T], bool], what: str) -> Callable[[str], T]:
    """A type for argparse: reads the text with ``read`` and rejects a result that ``fits`` refuses."""

    def value(text: str) -> T:
        with contextlib.suppress(ValueError):
            if fits(found := read(text)):
                return found
        raise argparse.ArgumentTypeError(f"expected {what}, found {text!r}")

    return value


def two_numbers(text: str) -> tuple[float, float]:
    low, high = map(float, text.split(","))
    return low, high


positive = checked(int, lambda value: value >= 1, "a whole number from 1 on")
seed = checked(int, lambda value: 0 <= value < 2**63, "a whole number of 0 or more, of at most 63 bits")
share = checked(float, lambda value: 0 < value <= 1, "a number above 0 and up to 1")
bounds = checked(
    two_numbers, lambda values: -math.inf < values[0] < values[1] < math.inf, "two Elo differences, the lower first"
)


def parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.tune", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    match = commands.add_parser("match", help="play two settings against each other")
    match.add_argument(
        "--new", nargs="*", default=[], metavar="CHANGE", help="NAME=NUMBER; TECHNIQUE=0 switches it off"
    )
    match.add_argument("--old", nargs="*", default=[], metavar="CHANGE", help="changes of the opposing setting")
    match.add_argument("--new-net", default="", metavar="FILE", help="network, as for the option EvalFile")
    match.add_argument("--old-net", default="", metavar="FILE")
    match.add_argument(
        "--sprt", type=bounds, metavar="ELO0,ELO1", help="SPRT: stop when one of these Elo differences is accepted"
    )
    spsa = commands.add_parser("spsa", help="tune numbers")
    spsa.add_argument(
        "--out", required=True, metavar="JSON", help="file for the numbers found; an interrupted run continues from it"
    )
    spsa.add_argument("--only", nargs="+", metavar="NAME", help="tune these numbers; default: all")
    spsa.add_argument("--not", dest="left", nargs="+", default=[], metavar="NAME", help="tune all numbers except these")
    spsa.add_argument("--step", type=share, default=0.12, help="step, as a share of the number; default %(default)s")
    screen = commands.add_parser("screen", help="measure many changes with the same games")
    screen.add_argument("changes", nargs="+", metavar="CHANGE", help="NAME=NUMBER; TECHNIQUE: toggle it")
    for command in (match, spsa, screen):
        command.add_argument("--pairs", type=positive, default=1000, help="pairs of games; default %(default)s")
        command.add_argument("--nodes", type=positive, default=5000, help="nodes per search; default %(default)s")
        command.add_argument("--seed", type=seed, default=1, help="seed of the openings; default %(default)s")
        command.add_argument(
            "--workers", type=positive, default=os.cpu_count(), help="processes; default: one per core"
        )
    bench = commands.add_parser("bench", help="search the positions of `bench` with and without a change")
    bench.add_argument("changes", nargs="+", metavar="CHANGE", help="NAME=NUMBER; TECHNIQUE=0 switches it off")
    bench.add_argument("--depth", type=positive, default=DEPTH, help="depth of each search; default %(default)s")
    return parser.parse_args(words)


def run_bench(args: argparse.Namespace) -> None:
    changes, before = known_changes(args.changes), {**numbers(), **switches()}
    for name, value in changes.items():
        print(f"{name} {int(before[name])} -> {value}")
    for title in ("before", "after"):
        bench = Bench(args.depth)
        bench.run(lambda text: None)
        print(f"{title}: {bench.nodes} nodes", flush=True)
        change(changes)


def play_match(args: argparse.Namespace) -> None:
    new, old = known_changes(args.new), known_changes(args.old)
    sprt = Sprt(*args.sprt) if args.sprt else None
    scores: list[float] = []
    began = time.monotonic()
    for net in (args.new_net, args.old_net):
        if (path := path_of(net)) is not None:
            load(path)  # a bad file is refused here, not in the worker processes
    with Table(Match(args.nodes, args.seed, args.new_net, args.old_net), args.workers) as table:
        for _, results in table.play(Pair(number, new, old) for number in range(args.pairs)):
            scores.append(sum(results) / 4)
            over = sprt.verdict(scores) if sprt else None
            if len(scores) % REPORT_EVERY_PAIRS == 0 or len(scores) == args.pairs or over:
                middle, low, high = elo(scores)
                ratio = f", SPRT {sprt.ratio(scores):.2f} {over or ''}" if sprt else ""
                print(
                    f"{2 * len(scores)} games, {100 * sum(scores) / len(scores):.2f} %: Elo {middle:+.1f} "
                    f"[{low:+.1f}, {high:+.1f}]{ratio}; {time.monotonic() - began:.0f} s",
                    flush=True,
                )
            if over:
                break


def play_screening(args: argparse.Namespace) -> None:
    screening = Screening(known_factors(args.changes), args.pairs, args.seed)
    began = time.monotonic()
    with Table(Match(args.nodes, args.seed), args.workers) as table:
        for done, (pair, results) in enumerate(table.play(screening.pairs()), 1):
            screening.learn(pair, results)
            if done % (5 * REPORT_EVERY_PAIRS) == 0 or done == args.pairs:
                print(f"{2 * done} games, {time.monotonic() - began:.0f} s", flush=True)
                for factor, (middle, low, high) in screening.effects():
                    change = f"{factor.name} {factor.before} -> {factor.after}"
                    print(f"  {change:40} Elo {middle:+6.1f} [{low:+.1f}, {high:+.1f}]", flush=True)


def tune(args: argparse.Namespace) -> None:
    target = Path(args.out)
    check_target(args.out)
    start = {
        name: value for name, value in numbers().items() if name in (args.only or numbers()) and name not in args.left
    }
    if unknown := {*(args.only or ()), *args.left} - set(numbers()):
        raise StandstillError(f"expected numbers among {', '.join(numbers())}, found {', '.join(sorted(unknown))}")
    steps = {name: max(1.0, args.step * abs(value)) for name, value in start.items()}
    tuning = Tuning(start, steps, args.pairs, args.seed)
    done = 0
    if target.exists():
        try:
            kept = json.loads(target.read_text())
            tuning.values.update({name: float(kept["values"][name]) for name in start})
            done = int(kept["pairs"])
        except (ValueError, KeyError, TypeError) as error:
            raise StandstillError(f"expected what an earlier run left in {args.out}, found {error}") from None
    began = time.monotonic()
    with Table(Match(args.nodes, args.seed), args.workers) as table:
        for pair, results in table.play(tuning.pairs(done)):
            tuning.learn(pair, results)
            done += 1
            if done % REPORT_EVERY_PAIRS == 0 or done == args.pairs:
                write_whole(
                    args.out, json.dumps({"pairs": done, "values": tuning.values, "found": tuning.found()}, indent=1)
                )
                moved = {
                    name: f"{start[name]} -> {value}" for name, value in tuning.found().items() if value != start[name]
                }
                print(f"{done} pairs, {time.monotonic() - began:.0f} s: {moved}", flush=True)


def main(words: list[str] | None = None) -> int:
    args = parsed(words)
    try:
        with unwinding():  # so that no worker process outlives this one
            {"bench": run_bench, "match": play_match, "screen": play_screening, "spsa": tune}[args.command](args)
    except StandstillError as error:
        print(f"tune: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tune: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
