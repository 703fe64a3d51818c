"""Compares the symbols of moves with those of annotators: precision and recall.

    .venv/bin/python -P tools/measure/fit/fit_marks.py GAMES.pgn... --cache CACHE.jsonl [--nodes 20000] [--games 300]

The games must carry symbols by people, as NAGs or as ``!`` and ``?``. Games with fewer than three symbols are left out.
CACHE.jsonl keeps the evaluations; a game that it holds is not searched again. Half of the games, chosen by their moves,
serve for fitting; the other half, which must not influence any choice, is the test. Intervals (95 %) resample games.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.annotate import replay
from standstill.engine.annotate.analysis import Analyst, joined, parts
from standstill.engine.annotate.engines import Setup
from standstill.engine.annotate.journal import position_of, values_of
from standstill.engine.annotate.run import read
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import ALL_MOVE_SCHEMES, JudgedPosition, Style, verdicts
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import open_input
from standstill.engine.relevance import trainer
from standstill.engine.relevance.model import gain
from standstill.engine.relevance.presets import OWN

GOOD, BAD = {1, 3, 5}, {2, 4, 6}
LEAST_MARKS = 3
RESAMPLES = 1000


@dataclass
class Marked:
    """A game with the annotator's symbols, and the evaluations of its positions."""

    key: str
    source: SourceGame
    marks: list[int]
    positions: list[JudgedPosition]

    @property
    def is_test(self) -> bool:
        return int(self.key, 16) % 2 == 1


def key_of(source: SourceGame) -> str:
    """The identity of a game: a hash of its moves."""
    _, moves = replay.moves(source.movetext)
    return hashlib.sha256(" ".join(map(str, moves)).encode()).hexdigest()[:16]


def marks_of(source: SourceGame) -> list[int]:
    return [next((nag for _, _, nag in ply.nags if nag in GOOD | BAD), 0) for ply in source.movetext.plies]


def marked_games(paths: list[str], cache: Path, nodes: int, most: int) -> Iterator[Marked]:
    """Yield games, and search those that the cache does not hold, up to ``most`` games in all."""
    lines = cache.read_text().splitlines() if cache.exists() else []
    known = {entry["game"]: entry["positions"] for entry in map(json.loads, lines) if entry["nodes"] == nodes}
    analyst = Analyst(Setup(nodes=nodes), Style())
    done: set[str] = set()
    for path in paths:
        with open_input(path) as stream:
            for source in read(read_games(stream)):
                if source.fault is not None or not source.plies or len(done) >= most:
                    continue
                marks, key = marks_of(source), key_of(source)
                if sum(map(bool, marks)) < LEAST_MARKS or key in done:
                    continue
                if key not in known:
                    found = joined(analyst.positions(source.movetext, part) for part in parts(source))
                    known[key] = [values_of(position) for position in found]
                    with cache.open("a") as out:
                        out.write(json.dumps({"game": key, "nodes": nodes, "positions": known[key]}) + "\n")
                done.add(key)
                yield Marked(key, source, marks, [position_of(values) for values in known[key]])
    analyst.close()


def compare(games: list[Marked], of: Callable[[Marked], list[int]]) -> str:
    """One line of figures for symbols ``of`` the games: counts per game, and precision and recall of good and bad
    symbols."""
    rows = []
    for game in games:
        ours = of(game)
        row = [ours.count(nag) for nag in (3, 1, 5, 6, 2, 4)]
        for kind in (GOOD, BAD):
            row += [
                sum(ours_ in kind and theirs in kind for ours_, theirs in zip(ours, game.marks, strict=True)),
                sum(each in kind for each in ours),
                sum(each in kind for each in game.marks),
            ]
        rows.append(row)
    total = [sum(column) for column in zip(*rows, strict=True)]
    counts = " ".join(
        f"{sign} {number / len(games):.2f}"
        for sign, number in zip(("!!", "!", "!?", "?!", "?", "??"), total, strict=False)
    )
    ratios = ((6, 7), (6, 8), (9, 10), (9, 11))
    names = ("precision of good", "recall of good", "precision of bad", "recall of bad")
    told = [f"{name} {interval(rows, *ratio)}" for name, ratio in zip(names, ratios, strict=True)]
    return f"{counts} a game; {', '.join(told)}"


def interval(rows: list[list[int]], over: int, under: int) -> str:
    """A ratio of two columns with its interval by bootstrap over the rows."""
    rng = random.Random(1)

    def ratio(sample: list[list[int]]) -> float:
        below = sum(row[under] for row in sample)
        return sum(row[over] for row in sample) / below if below else 0.0

    found = sorted(ratio(rng.choices(rows, k=len(rows))) for _ in range(RESAMPLES))
    low, high = found[RESAMPLES // 40], found[-RESAMPLES // 40]
    return f"{100 * ratio(rows):.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def by_scheme(scheme: str) -> Callable[[Marked], list[int]]:
    style = Style(x05=OWN.x05, move_scheme=scheme)
    return lambda game: [found.move_nag for found in verdicts(game.source.movetext, game.positions, style)]


def grid(games: list[Marked]) -> Iterator[str]:
    """Yield lines with the precision of a symbol for each minimum depth and gain, and for each minimum loss."""
    best = [(gain_of(game, index), position.depth or 0, game.marks[index] in GOOD)
            for game in games for index, position in enumerate(game.positions[:-1])
            if position.is_best and position.second is not None]  # fmt: skip
    for depth in range(1, trainer.LAST_DEPTH + 2):
        cells = []
        for least in (0.05, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3):
            hits = [hit for earned, deep, hit in best if deep >= depth and earned >= least]
            cells.append(f"{least:.3f}: {sum(hits)}/{len(hits)}")
        yield f"good, depth {depth:2}: {'  '.join(cells)}"
    bad = [(-gain_of(game, index), game.marks[index] in BAD) for game in games for index in range(len(game.marks))
           if not game.positions[index].is_best and game.positions[index].played is not None]  # fmt: skip
    for least in (0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4):
        hits = [hit for lost, hit in bad if lost >= least]
        yield f"bad, loss {least:.3f}: {sum(hits)}/{len(hits)}"


def gain_of(game: Marked, index: int) -> float:
    """What the move gained over the move with which it is compared, for its mover; 0 if unknown."""
    position = game.positions[index]
    played = position.best if position.is_best else position.played
    reference = position.second if position.is_best else position.best
    if played is None or reference is None:
        return 0.0
    return gain(played.pawns, reference.pawns, "w" if game.source.movetext.white_moves(index) else "b", OWN.x05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="GAMES.pgn")
    parser.add_argument("--cache", type=Path, required=True, help="file that keeps the evaluations")
    parser.add_argument("--nodes", type=int, default=20000, help="limit of each search (default: %(default)s)")
    parser.add_argument("--games", type=int, default=10**6, help="maximum number of games to compare")
    parser.add_argument("--grid", action="store_true", help="print what the parameters would give, for the fitted half")
    arguments = parser.parse_args()
    games = list(marked_games(arguments.paths, arguments.cache, arguments.nodes, arguments.games))
    halves = {"fitted": [game for game in games if not game.is_test], "test": [game for game in games if game.is_test]}
    for name, half in halves.items():
        moves = sum(len(game.marks) for game in half)
        shares = [100 * sum(mark in kind for game in half for mark in game.marks) / moves for kind in (GOOD, BAD)]
        print(f"{name}: {len(half)} games, {moves} moves, {shares[0]:.1f} % good and {shares[1]:.1f} % bad")
        for scheme in ALL_MOVE_SCHEMES:
            print(f"  {scheme}: {compare(half, by_scheme(scheme))}")
    if arguments.grid:
        print("\n".join(grid(halves["fitted"])))


if __name__ == "__main__":
    main()
