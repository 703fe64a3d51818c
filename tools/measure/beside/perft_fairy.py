"""Compares perft of games by definition, and of chess on the same board, with Fairy-Stockfish's.

FAIRY_STOCKFISH names a build to use instead of the one on PATH.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from tools.measure.beside.client import Client, peer
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section, Unmeasurable

# Each has our name of the game, its name in Fairy-Stockfish, and the depth.
CASES = (
    ("capablanca", "capablanca", 4),
    ("capablanca", "capablanca", 5),
    ("normal", "chess", 5),
    ("knightmate", "knightmate", 5),
    ("makruk", "makruk", 5),
    ("shatranj", "shatranj", 5),
    ("seirawan", "seirawan", 4),
)
GOAL = 2.0  # compared with Debian's build
LEAST_S = 0.3  # a shorter run is repeated within its sample
PEER = "Fairy-Stockfish"


def measure(repeats: int) -> Section:
    section = Section(
        "fairy",
        "perft of games by definition, one thread",
        f"million leaves per CPU second, median [range] of {repeats} interleaved repeats",
    )
    try:
        ours = _our_perft()
    except ImportError as error:
        section.lines.append(Gap("everything", f"our modules do not load: {error}"))
        return section
    try:
        other = Client(os.environ.get("FAIRY_STOCKFISH") or peer("fairy-stockfish"))
    except Unmeasurable as missing:
        section.lines.append(Gap("the peer", str(missing)))
        return section
    with other:
        other.begin()
        section.lines += [_row(case, repeats, ours, other) for case in CASES]
    return section


def _our_perft() -> Callable[[str, int], int]:
    from standstill.cext.bindings import perft
    from standstill.engine.variants.boards import new_board
    from standstill.engine.variants.catalog import Catalog

    catalog = Catalog()
    boards = {name: new_board(game=catalog.find(name)) for name, _, _ in CASES}
    return lambda name, depth: perft.perft(boards[name], depth)


def _row(case: tuple[str, str, int], repeats: int, ours: Callable[[str, int], int], other: Client) -> Row:
    name, their_name, depth = case
    other.send(f"setoption name UCI_Variant value {their_name}", "position startpos")
    other.ask("isready", "readyok")
    samples: tuple[list[float], list[float]] = ([], [])
    for _repeat in range(repeats):
        leaves, mine = _speed(lambda: ours(name, depth), time.thread_time)
        their_leaves, theirs = _speed(lambda: _their_perft(other, depth), other.cpu_s)
        if leaves != their_leaves:
            raise ValueError(f"{name} {depth}: standstill counts {leaves} leaves, {PEER} {their_leaves}")
        samples[0].append(mine)
        samples[1].append(theirs)
    mine, theirs = (Figure.of(each) for each in samples)
    return Row(f"{name} {depth}", "M/s", mine, PEER, theirs, (Goal("ratio", ">=", GOAL),), True)


def _their_perft(other: Client, depth: int) -> int:
    return int(other.ask(f"go perft {depth}", "Nodes searched")[-1].split(":")[1])


def _speed(count: Callable[[], int], clock: Callable[[], float]) -> tuple[int, float]:
    """Return (leaves, million leaves per CPU second)."""
    began, runs = clock(), 0
    while clock() - began < LEAST_S:
        leaves = count()
        runs += 1
    return leaves, runs * leaves / (clock() - began) / 1e6
