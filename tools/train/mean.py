"""Writes the mean of networks that continue the same network: `python -m tools.train.mean NET... --out NET`.

Such networks have different errors, and the mean of their weights is often better than each of them ("Model soups",
Wortsman et al., 2022).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "build" / "tree"))

import numpy as np

from standstill.engine.archive.streams import check_apart
from standstill.engine.common.errors import StandstillError
from standstill.engine.network.file import (
    FORESEES,
    GAME_WORDS,
    MOST_OUTPUT_SUM,
    MOST_SCALE,
    Network,
    read_network,
    write_network,
)

from .network import MOST, places, quantised, restored
from .report import largest_sum


def mean(networks: Sequence[Network], name: str) -> Network:
    """The network of the mean weights, with the smallest scale that fits, so that output weights are rounded least.

    Raises ValueError for networks of different shapes, games or purposes.
    """
    first = networks[0]
    shape = first.inputs, first.width
    for other in networks:
        if (other.inputs, other.width) != shape:
            raise ValueError(f"expected {shape[0]} inputs and width {shape[1]}, found {other.inputs} and {other.width}")
        for word in (*GAME_WORDS, FORESEES):
            if other.about.get(word) != first.about.get(word):
                raise ValueError(f"expected networks with one value of {word}, found different ones")
    _, output, last = places(*shape)
    parts = np.array([restored(network) for network in networks], dtype=np.float64)
    parts[:, output:] *= np.array([[network.scale] for network in networks])  # in centipawns
    found = parts.mean(axis=0)
    about = {word: first.about[word] for word in ("licence", "origin", *GAME_WORDS, FORESEES) if word in first.about}
    about |= {"name": name, "training": {"mean_of": [network.about.get("training", {}) for network in networks]}}
    scale = max(1, math.ceil(np.abs(found[output:last]).max() / MOST))
    while scale <= MOST_SCALE:
        parameters = found.copy()
        parameters[output:] /= scale
        network = quantised(parameters, *shape, float(scale), about)
        if (share := largest_sum(network) / MOST_OUTPUT_SUM) <= 1:
            return network
        scale = max(scale + 1, math.floor(scale * share))
    raise ValueError(f"expected output weights that fit into a scale of {MOST_SCALE}, found larger ones")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.train.mean", description="Write the mean of the weights of networks (docs/training.md)."
    )
    parser.add_argument("networks", nargs="+", metavar="NET", help="networks that continue the same network")
    parser.add_argument("--out", required=True, metavar="NET", help="file to write")
    parser.add_argument("--name", help="name of the network; default: the name of its file")
    args = parser.parse_args(words)
    try:
        check_apart(args.networks, {"--out": args.out})
        networks = [read_network(path) for path in args.networks]
        write_network(args.out, mean(networks, args.name or Path(args.out).stem))
    except (StandstillError, ValueError) as error:
        print(f"mean: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"mean: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
