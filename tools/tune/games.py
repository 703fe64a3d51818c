"""Pairs of games between two settings of the search, on all cores."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import NamedTuple

from standstill.cext.bindings.pool import techniques
from standstill.cext.training.duel import Duel, numbers
from standstill.engine.common.errors import StandstillError
from standstill.engine.common.signals import ENDING
from standstill.engine.network.loading import load
from standstill.engine.network.shipped import path_of
from standstill.engine.rmobility.objectives import classic
from standstill.engine.variants.boards import new_evaluator
from standstill.engine.variants.variant import CHESS

HASH_MB = 8  # the hash tables are cleared before each game
# A game is adjudicated when both sides agree on its result; a wrong result costs the tuning only precision.
ADJUDICATION = {
    "opening_cp": 120,
    "won_cp": 1000,
    "won_plies": 6,
    "drawn_cp": 8,
    "drawn_plies": 10,
    "drawn_from": 80,
    "longest": 400,
}

DIVISORS = {"null_depth_divisor", "null_gain_cp", "lmr_history_ply"}  # numbers by which the search divides
MOST = 30_000  # larger than every number of the search

Changes = dict[str, int]  # the numbers and techniques that a setting changes, by name


class Match(NamedTuple):
    """The settings common to all pairs. first, second: `EvalFile` of the sides."""

    nodes: int
    seed: int = 1
    first: str = ""
    second: str = ""


class Pair(NamedTuple):
    number: int
    first: Changes
    second: Changes


def known_changes(words: Iterable[str]) -> Changes:
    """``name=number``; a technique is on (1) or off (0). Raises StandstillError for anything else."""
    changes: Changes = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            changes[name] = int(value)
        except ValueError:
            raise StandstillError(f"expected a whole number for {name}, found {value!r}") from None
        if (name in DIVISORS and changes[name] < 1) or abs(changes[name]) > MOST:
            raise StandstillError(f"expected {name} from {1 if name in DIVISORS else -MOST} to {MOST}, found {value}")
        if name not in (known := [*numbers(), *techniques()]):
            raise StandstillError(f"expected one of {', '.join(known)}, found {name!r}")
    return changes


_duels: list[Duel] = []  # the duel of this worker process


def _begin(match: Match) -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)  # a forked process inherits its parent's handlers
    first, second = (
        new_evaluator(CHESS, network=None if path is None else load(path))
        for path in (path_of(match.first), path_of(match.second))
    )
    rules = {"nodes": match.nodes, "most_nodes": match.nodes, **ADJUDICATION}
    _duels.append(Duel(first, second, classic(), HASH_MB, match.seed, rules))


def _play(pair: Pair) -> tuple[int, int]:
    return _duels[0].play_pair(*pair)


class Table:
    """Worker processes that play pairs of games."""

    def __init__(self, match: Match, workers: int):
        self._workers = workers
        self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), _begin, (match,))

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def play(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[int, int]]]:
        """Each pair with the results of its first setting in both games, 0 to 2 each, as they end.

        Pairs are requested one by one, just before a process needs one, so that they may depend on results.
        """
        waiting: dict[Future[tuple[int, int]], Pair] = {}
        for pair in pairs:
            waiting[self._pool.submit(_play, pair)] = pair
            if len(waiting) > self._workers:
                yield from self._ended(waiting)
        while waiting:
            yield from self._ended(waiting)

    @staticmethod
    def _ended(waiting: dict[Future[tuple[int, int]], Pair]) -> Iterator[tuple[Pair, tuple[int, int]]]:
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(future), future.result()
