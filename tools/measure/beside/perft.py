"""Compares perft with Stockfish's: with a bulk-counted last ply, and with the last moves listed as in Stockfish."""

from __future__ import annotations

import time
from collections.abc import Callable

from tools.measure.beside.client import Client, peer
from tools.measure.beside.positions import KIWIPETE, START, SYMMETRIC
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section, Unmeasurable

# Each has a name, FEN, depth, published count (CPW: Perft Results) and a goal for the bulk-counted ratio.
CASES = (
    ("start position", START, 6, 119_060_324, 3.0),
    ("Kiwipete", KIWIPETE, 5, 193_690_690, 5.0),
    ("symmetric", SYMMETRIC, 5, 164_075_551, 4.5),
)
LISTED_GOAL = 1.6
LEAST_S = 0.3  # a shorter run is repeated within its sample
PEER = "Stockfish"


def measure(repeats: int) -> Section:
    section = Section(
        "perft",
        "perft, one thread",
        f"million leaves per CPU second, median [range] of {repeats} interleaved repeats",
    )
    try:
        ours = _our_perft()
    except ImportError as error:
        section.lines.append(Gap("everything", f"our modules do not load: {error}"))
        return section
    try:
        with Client(peer("stockfish")) as stockfish:
            stockfish.begin()
            for case in CASES:
                section.lines += _rows(case, repeats, ours, stockfish)
    except Unmeasurable as missing:
        section.lines.append(Gap("the peer", str(missing)))
        for case in CASES:
            section.lines += _rows(case, repeats, ours, None)
    return section


def _our_perft() -> Callable[[str, int, bool], int]:
    from standstill.cext.bindings import perft
    from standstill.engine.variants import notation
    from standstill.engine.variants.boards import new_board

    def count(fen: str, depth: int, bulk: bool) -> int:
        board = new_board()
        notation.set_fen(board, fen)
        return perft.perft(board, depth, bulk=bulk)

    return count


def _rows(case: tuple, repeats: int, ours: Callable[[str, int, bool], int], stockfish: Client | None) -> list[Row]:
    name, fen, depth, published, bulk_goal = case
    bulk, listed, peers = [], [], []
    for _repeat in range(repeats):
        bulk.append(_our_speed(lambda: ours(fen, depth, True), published))
        if stockfish is not None:
            peers.append(_stockfish_speed(stockfish, fen, depth, published))
        listed.append(_our_speed(lambda: ours(fen, depth, False), published))
    other = Figure.of(peers) if peers else None
    return [
        Row(f"{name} {depth}, {how}", "M/s", Figure.of(samples), PEER, other, (Goal("ratio", ">=", goal),), True)
        for how, samples, goal in (("bulk-counted", bulk, bulk_goal), ("list generated", listed, LISTED_GOAL))
    ]


def _our_speed(count: Callable[[], int], published: int) -> float:
    used_s, runs = 0.0, 0
    while used_s < LEAST_S:
        before = time.thread_time()
        leaves = count()
        used_s += time.thread_time() - before
        runs += 1
        _check("standstill", leaves, published)
    return runs * published / used_s / 1e6


def _stockfish_speed(stockfish: Client, fen: str, depth: int, published: int) -> float:
    stockfish.send(f"position fen {fen}")
    stockfish.ask("isready", "readyok")
    before = stockfish.cpu_s()
    answer = stockfish.ask(f"go perft {depth}", "Nodes searched")
    used_s = stockfish.cpu_s() - before
    _check(PEER, int(answer[-1].split(":")[1]), published)
    return published / used_s / 1e6


def _check(who: str, leaves: int, published: int) -> None:
    if leaves != published:
        raise ValueError(f"{who} counts {leaves} leaves, published are {published}")
