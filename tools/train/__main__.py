"""Trains a network from files of games: reads, trains, quantises, reports. docs/training.md explains the recipe."""

from __future__ import annotations

import argparse
import math
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "build" / "tree"))

from standstill.engine.common.install import install_command

try:
    import numpy as np
except ImportError:
    print(f"train: needs numpy: {install_command('numpy')}", file=sys.stderr)
    sys.exit(2)

from standstill.engine import NAME, VERSION
from standstill.engine.archive.streams import check_apart
from standstill.engine.common.atomic_files import check_target
from standstill.engine.common.errors import StandstillError
from standstill.engine.network.file import (
    BUCKETS,
    FORESEES,
    MOST_SCALE,
    MOST_WIDTH,
    RECORDS,
    WIDTH_STEP,
    Network,
    read_network,
    write_network,
)
from standstill.engine.variants.catalog import use_file
from standstill.engine.variants.variant import CHESS

from . import data, learning, report
from .network import initial, places, restored
from .plan import DECAY, FIRST_RATE, Plan, State

LOOK_AHEAD = 0.8  # each ply counts this share of the one before it
LOGIT = 100.0  # scale of networks of records, whose values are in hundredths of a logit
SHARE = 0.0  # share of the game's result in each target, on top of the result at the end of `--look-ahead`
BOUNDS = {
    "passes": (1, 10**6),
    "batch": (1, 10**9),
    "seed": (0, 2**63 - 1),
    "skip": (0, 10**6),
    "most_cp": (1, 2**15),
    "threads": (1, 1024),
    "strays": (0, 10**6),
}


def arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.train", description="Train a network from files of games (docs/training.md)."
    )
    parser.add_argument("games", nargs="+", metavar="FILE", help="files of `standstill data`")
    parser.add_argument("--out", required=True, metavar="NET", help="the network; log and checkpoint lie beside it")
    parser.add_argument(
        "--file", metavar="DEFINITIONS", default="", help="definitions of games, which precede the engine's own"
    )
    parser.add_argument("--name", help="name of the network; default: the name of its file")
    parser.add_argument("--licence", default="GPL-3.0-or-later", help="licence of the network; default %(default)s")
    parser.add_argument("--width", type=int, default=128, help="width of the hidden layer; default %(default)s")
    parser.add_argument(
        "--by-king",
        action="store_true",
        help="separate inputs for each group of the king's squares; --start-from takes networks with or without them",
    )
    parser.add_argument(
        "--records",
        action="store_true",
        help="learn to predict who will hold the last record, from games of `standstill data play --starts`",
    )
    parser.add_argument("--passes", type=int, default=8, help="passes over the positions; default %(default)s")
    parser.add_argument("--batch", type=int, default=8192, help="positions in a step; default %(default)s")
    parser.add_argument("--rate", type=float, default=FIRST_RATE, help="initial learning rate; default %(default)s")
    parser.add_argument("--decay", type=float, default=DECAY, help="weight decay, times the rate; default %(default)s")
    _add_targets(parser)
    parser.add_argument("--seed", type=int, default=1, help="seed of all random numbers; default %(default)s")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="PLIES", help="skip the first plies of each game; default %(default)s"
    )
    parser.add_argument(
        "--most-cp", type=int, default=2500, metavar="CP", help="skip larger scores; default %(default)s"
    )
    parser.add_argument(
        "--threads", type=int, default=len(os.sched_getaffinity(0)), help="number of threads; default: all cores"
    )
    parser.add_argument("--reference", action="store_true", help="compute with PyTorch, on a GPU if there is one")
    parser.add_argument("--start-from", metavar="NET", help="start from this network instead of random numbers")
    parser.add_argument(
        "--strays",
        type=int,
        default=0,
        metavar="N",
        help="learn the static hand-crafted evaluation of N positions after random moves from each position of the "
        "games instead: a first training, for --start-from",
    )
    return parser.parse_args(words)


def _add_targets(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the score that each position teaches."""
    parser.add_argument(
        "--result-share",
        type=float,
        default=SHARE,
        metavar="W",
        help="weight of the result in each target; default %(default)s",
    )
    parser.add_argument(
        "--look-ahead",
        type=float,
        default=LOOK_AHEAD,
        metavar="LAMBDA",
        help="the target is a mean of a position's score, the later scores, and the result, in which each ply counts "
        "LAMBDA times the one before; 0: the score alone; default %(default)s",
    )
    parser.add_argument(
        "--scale", type=float, metavar="CP", help="scale of the scores; default: the one that predicts results best"
    )


def main(words: list[str] | None = None) -> int:
    args = arguments(words)
    try:
        if args.file:
            use_file(args.file)
        check_numbers(args)
        check_files(args)
        train(args)
    except (StandstillError, ValueError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"train: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: the same command goes on after the last complete pass")
        return 130
    return 0


def check_numbers(args: argparse.Namespace) -> None:
    """Reject at once arguments that would fail after hours of training, or silently. Raises ValueError."""
    widths = range(WIDTH_STEP, MOST_WIDTH + 1, WIDTH_STEP)
    if args.width not in widths:
        raise ValueError(
            f"--width: expected a width of {WIDTH_STEP} to {MOST_WIDTH} that {WIDTH_STEP} divides, found {args.width}"
        )
    for name, (least, most) in BOUNDS.items():
        if not least <= (value := getattr(args, name)) <= most:
            raise ValueError(f"--{name.replace('_', '-')}: expected {least} to {most}, found {value}")
    for name in ("rate", "decay"):
        if not 0 <= (value := getattr(args, name)) < math.inf:
            raise ValueError(f"--{name}: expected a number of 0 or more, found {value:g}")
    if not 0 <= args.result_share <= 1:
        raise ValueError(f"--result-share: expected a number from 0 to 1, found {args.result_share:g}")
    if not 0 <= args.look_ahead < 1:
        raise ValueError(f"--look-ahead: expected a number from 0 to less than 1, found {args.look_ahead:g}")
    for name in ("by_king", "strays"):
        if args.records and getattr(args, name):
            raise ValueError(f"--records cannot be combined with --{name.replace('_', '-')}")
    if args.scale is not None and not 1 <= args.scale <= MOST_SCALE:
        raise ValueError(f"--scale: expected 1 to {MOST_SCALE} centipawns, found {args.scale:g}")


def check_files(args: argparse.Namespace) -> None:
    """Reject outputs that cannot be written or would overwrite inputs. Raises StandstillError and OSError."""
    written = ("--out", args.out), *((f"its {name}", f"{args.out}.{name}") for name in ("checkpoint", "csv", "svg"))
    check_apart((*args.games, args.start_from or ""), dict(written))
    check_target(args.out)


def train(args: argparse.Namespace) -> None:
    """Raises StandstillError, ValueError and OSError for impossible requests."""
    samples, start = lessons(args)
    print(f"{len(samples.training):,} positions to learn from, {len(samples.validation):,} held back", flush=True)
    plan = planned(args, samples, start)
    trainer = learning.trainer(samples, plan, args.threads, in_pytorch=args.reference)
    learner = learning.Learner(samples, plan, trainer)
    if start is None:
        first = initial(samples.inputs, args.width, args.seed, silent=samples.game is not CHESS)
    else:
        first = continued(start, round(plan.scale), samples.inputs, args.width, args.seed)
    state = State(first)
    checkpoint = f"{args.out}.checkpoint"
    if state.load(checkpoint, plan):
        print(f"goes on after pass {state.passes}", flush=True)

    def after_pass(state: State) -> None:
        row = dict(zip(learning.COLUMNS, state.rows[-1], strict=True))
        print(
            f"pass {row['pass']:.0f}: training {row['training']:.6f}, validation {row['validation']:.6f}, "
            f"{row['positions_a_second']:,.0f} positions a second",
            flush=True,
        )
        state.save(checkpoint, plan)
        learning.write_log(f"{args.out}.csv", state.rows)
        report.write_plot(f"{args.out}.svg", state.rows)

    learner.run(state, after_pass)
    finish(args, learner, state)


def lessons(args: argparse.Namespace) -> tuple[data.Samples, Network | None]:
    """The samples, and the network to continue from. Raises StandstillError, ValueError and OSError."""
    start = None if args.start_from is None else read_network(args.start_from)
    if start is not None:
        if args.records != (start.about.get(FORESEES) == RECORDS):
            task = "predicts records" if args.records else "evaluates"
            raise ValueError(f"{args.start_from}: expected a network that {task}")
        if start.width > args.width:
            raise ValueError(f"{args.start_from}: expected a width of at most {args.width}, found {start.width}")
    if args.records:
        return data.load_records(args.games), start
    samples = data.load(args.games, skip=args.skip, most_cp=args.most_cp, strays=args.strays, by_king=args.by_king)
    if start is not None and start.about.get("game", CHESS.name) != samples.game.name:
        raise ValueError(f"{args.start_from}: expected a network of {samples.game.name}")
    if start is not None and start.inputs > samples.inputs:
        raise ValueError(f"{args.start_from}: has inputs for the king's places, so --by-king is needed")
    return samples, start


def planned(args: argparse.Namespace, samples: data.Samples, start: Network | None) -> Plan:
    """The training plan; replaces the scores of the samples by the targets."""
    fields = samples.fields
    look_ahead = 0.0
    if args.records:
        share, scale = 1.0, LOGIT
    elif args.strays:
        fields["cp"] = samples.static_scores()
        share, scale = 0.0, args.scale or (start.scale if start else data.USUAL_SCALE)
    else:
        share, scale = args.result_share, args.scale or data.fit_scale(fields["cp"], fields["result"])
        look_ahead = args.look_ahead
    scale = round(scale)
    if look_ahead:
        fields["cp"] = data.looked_ahead(fields, scale, look_ahead)
    if not args.records:
        print(f"an output of 1 is {scale} centipawns", flush=True)
    return Plan(
        args.width,
        args.passes,
        args.batch,
        float(scale),
        share,
        args.seed,
        args.rate,
        len(samples.training),
        "" if start is None else start.about["name"],
        look_ahead,
        args.decay,
        samples.by_king,
        samples.records,
    )


def finish(args: argparse.Namespace, learner: learning.Learner, state: State) -> None:
    """Write the network and a report on its quality."""
    samples, plan = learner.samples, learner.plan
    about = {
        "name": args.name or Path(args.out).stem,
        "licence": args.licence,
        "origin": f"trained by {NAME} {VERSION} from its own games",
        "training": {
            "games": [os.path.basename(path) for path in args.games],
            "strays": args.strays,
            **plan._asdict(),
        },
    }
    if samples.game is not CHESS:
        about |= {"game": samples.game.name, "rules": samples.game.fingerprint}
    if args.records:
        about |= {FORESEES: RECORDS}
    teaches_results = not args.strays and not args.records
    unit = plan.scale * report.as_large(learner, state) if teaches_results else plan.scale
    network = report.best_quantised(learner, state, unit, about)
    write_network(args.out, network)
    print(report.quantisation(learner, state, network, unit), flush=True)
    if args.records:
        print(report.foresight(learner, network, unit), flush=True)
    elif teaches_results:
        print(report.comparison(learner, network), flush=True)


def continued(start: Network, scale: int, inputs: int, width: int, seed: int) -> np.ndarray:
    """The network's parameters at another scale, with outputs worth the same centipawns, and perhaps more inputs and
    width.

    Each group of the king's squares begins with a copy of the common weights. Added hidden numbers begin at random,
    with output weights of 0.
    """
    old = restored(start)
    biases, output, last = places(start.inputs, start.width)
    old[output:] *= start.scale / scale
    groups, added = inputs // start.inputs, width - start.width
    more = initial(start.inputs, added, seed, silent=True)
    inputs_first = [
        part[: start.inputs * wide].reshape(start.inputs, wide) for part, wide in ((old, start.width), (more, added))
    ]
    weights = np.zeros((BUCKETS, 2, width), dtype=np.float32)
    weights[:, :, : start.width] = old[output:last].reshape(BUCKETS, 2, start.width)
    more_biases = more[start.inputs * added :][:added]
    parts = (
        np.tile(np.concatenate(inputs_first, axis=1), (groups, 1)),
        old[biases:output],
        more_biases,
        weights,
        old[last:],
    )
    return np.concatenate([part.ravel() for part in parts])


if __name__ == "__main__":
    sys.exit(main())
