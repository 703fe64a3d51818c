"""Measures nodes per CPU second, compared with Stockfish using its hand-crafted evaluation, and between our modes."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

from tools.measure.beside.client import Client, nodes_of, ours_and_stockfish, run_to_end
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section
from tools.measure.cost.modes import search_all

HASH_MB = 16  # as in both programs' `bench`
NODES = 400_000  # per search
NODES_INSIDE = 200_000
DEPTH = 13  # depth for the time to depth
STOCKFISH_BENCH = ("bench", str(HASH_MB), "1", "13", "default", "depth", "classical")
CLASSICAL_GOAL = 1.0
DECISIVE_GOAL = 0.92
CLASSICAL = {"Use_NNUE": "false"}


def measure(repeats: int) -> Section:
    section = Section(
        "speed",
        "search, one thread",
        f"CPU time of the whole process, median [range] of {repeats} interleaved repeats; hash {HASH_MB} MB; "
        f"each position {NODES} nodes, or to depth {DEPTH}; node counts as each engine reports them",
    )
    programs = ours_and_stockfish(section)
    if programs is None:
        return section
    ours, stockfish = programs
    try:
        positions = _bench_positions()
    except ImportError as missing:
        section.lines.append(Gap("everything", str(missing)))
        return section
    section.lines += _searches(ours, stockfish, positions, repeats)
    section.lines += _benches(ours, stockfish, repeats)
    return section


def _bench_positions() -> tuple[str, ...]:
    from standstill.engine.play.bench import POSITIONS

    return tuple(POSITIONS)


def _searches(ours: Path, stockfish: str | None, positions: tuple[str, ...], repeats: int) -> list[Row | Gap]:
    """Let all engines search the bench positions in turn, one engine at a time."""
    with ExitStack() as stack:
        engines = {"off": stack.enter_context(Client(ours))}
        told = engines["off"].begin(Hash=HASH_MB)
        by_option = any(line.startswith("option name RMobility ") for line in told)
        if by_option:
            engines["decisive"] = stack.enter_context(Client(ours))
            engines["decisive"].begin(Hash=HASH_MB, RMobility="Decisive")
        if stockfish:
            engines["peer"] = stack.enter_context(Client(stockfish))
            engines["peer"].begin(Hash=HASH_MB, **CLASSICAL)
        speeds: dict[str, list[float]] = {name: [] for name in engines}
        times: dict[str, list[float]] = {name: [] for name in engines}
        for _repeat in range(repeats):
            for into, limit in ((speeds, f"nodes {NODES}"), (times, f"depth {DEPTH}")):
                totals = {name: [0.0, 0.0] for name in engines}
                for fen in positions:
                    for name, engine in engines.items():
                        nodes, used_s = _search(engine, fen, limit)
                        totals[name][0] += nodes
                        totals[name][1] += used_s
                for name, (nodes, used_s) in totals.items():
                    into[name].append(nodes / used_s / 1000 if into is speeds else used_s)
    return _search_rows(speeds, times) + ([] if by_option else [_decisive_inside(repeats)])


def _decisive_inside(repeats: int) -> Row:
    """Compare Decisive with Off in this process, through the core's interface."""
    off, decisive = [], []
    for _repeat in range(repeats):
        for into, mode in ((off, "off"), (decisive, "decisive")):
            nodes, used_s = search_all(mode, NODES_INSIDE)
            into.append(nodes / used_s / 1000)
    return Row(
        "nodes per CPU second, Decisive",
        "k/s",
        Figure.of(decisive),
        "ours, Off",
        Figure.of(off),
        (Goal("ratio", ">=", DECISIVE_GOAL),),
        paired=True,
    )


def _search(engine: Client, fen: str, limit: str) -> tuple[int, float]:
    engine.send("ucinewgame", f"position fen {fen}")
    engine.ask("isready", "readyok")
    before = engine.cpu_s()
    lines = engine.ask(f"go {limit}", "bestmove")
    return nodes_of(lines), engine.cpu_s() - before


def _search_rows(speeds: dict[str, list[float]], times: dict[str, list[float]]) -> list[Row | Gap]:
    name = "Stockfish classical"
    speed = {engine: Figure.of(samples) for engine, samples in speeds.items()}
    spent = {engine: Figure.of(samples) for engine, samples in times.items()}
    goal = (Goal("ratio", ">=", CLASSICAL_GOAL),) if "peer" in speed else ()
    rows: list[Row | Gap] = [
        Row("nodes per CPU second, Off", "k/s", speed["off"], name, speed.get("peer"), goal, True),
        Row(f"bench positions to depth {DEPTH}", "s", spent["off"], name, spent.get("peer"), paired=True),
    ]
    if "decisive" in speed:
        rows += [
            Row(
                "nodes per CPU second, Decisive",
                "k/s",
                speed["decisive"],
                "ours, Off",
                speed["off"],
                (Goal("ratio", ">=", DECISIVE_GOAL),),
                True,
            ),
            Row(f"Decisive to depth {DEPTH}", "s", spent["decisive"], "ours, Off", spent["off"], paired=True),
        ]
    return rows


def _benches(ours: Path, stockfish: str | None, repeats: int) -> list[Row | Gap]:
    """Run both programs' own `bench`; each searches its own positions."""
    mine, other = [], []
    for _repeat in range(repeats):
        mine.append(_bench_speed(ours, "bench"))
        if stockfish:
            other.append(_bench_speed(stockfish, *STOCKFISH_BENCH))
    return [
        Row(
            "each its own bench",
            "k/s",
            Figure.of(mine),
            "Stockfish classical",
            Figure.of(other) if other else None,
            paired=bool(other),
        )
    ]


def _bench_speed(command: str | Path, *arguments: str) -> float:
    """Return thousands of nodes per CPU second, after subtracting the CPU time of an idle start."""
    _text, start_s = run_to_end(command, told="quit\n")
    text, used_s = run_to_end(command, *arguments)
    return bench_nodes(text) / (used_s - start_s) / 1000


def bench_nodes(text: str) -> int:
    """Return the total of a bench: the last number directly before or after the word `nodes`. Raises ValueError without
    such a number.
    """
    counts = re.findall(r"\bnodes(?: searched)?\s*[:=]?\s*(\d+)|(\d+) nodes\b(?!/)", text, re.IGNORECASE)
    if not counts:
        raise ValueError(f"no node count in {text[-200:]!r}")
    return int("".join(counts[-1]))
