"""Measures the time to `uciok` (also in CPU time), to `readyok` during a search, and from `stop` to `bestmove`."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from tools.measure.beside.client import ROOT, Client, ours_and_stockfish, run_to_end
from tools.measure.beside.positions import SEARCHED
from tools.measure.beside.report import Figure, Gap, Goal, Row, Section

STARTS = 20
STOPS = 50
THINK_S = (0.02, 0.12)  # a search runs this long before `isready` or `stop`
SETTINGS = ((1, 64), (2, 1024))  # threads, hash in MB
SEED = 20260729

UCIOK_MS = 40.0
UCIOK_RATIO = 3.0
READY_MS = 10.0
STOP_MEDIAN_MS = 10.0
STOP_WORST_MS = 50.0


def measure(_repeats: int) -> Section:
    section = Section(
        "start",
        "start-up and answers",
        f"wall milliseconds, or CPU milliseconds where a row says processor; median [range]; {STARTS} interleaved "
        f"starts, {STOPS} searches; a busy machine changes the wall times",
    )
    programs = ours_and_stockfish(section)
    if programs is None:
        return section
    ours, stockfish = programs
    section.lines += _starts(ours, stockfish)
    for threads, hash_mb in SETTINGS:
        section.lines += _answers(ours, stockfish, threads, hash_mb)
    return section


def _starts(ours: Path, stockfish: str | None) -> list[Row | Gap]:
    interpreter = ROOT / ".venv" / "bin" / "python"
    if not interpreter.exists():
        interpreter = Path(sys.executable)
    first, bare, other, spent, bare_spent, other_spent = [], [], [], [], [], []
    for start in range(-1, STARTS):  # start -1 only warms the file cache
        samples = (
            _to_uciok_ms(ours),
            _to_end_ms(str(interpreter), "-c", "pass"),
            _to_uciok_ms(stockfish) if stockfish else 0.0,
            _processor_ms(ours, told="uci\nquit\n"),
            _processor_ms(interpreter, "-c", "pass"),
            _processor_ms(stockfish, told="uci\nquit\n") if stockfish else 0.0,
        )
        if start >= 0:
            for row, sample in zip((first, bare, other, spent, bare_spent, other_spent), samples, strict=True):
                row.append(sample)
    goals = (Goal("ours", "<=", UCIOK_MS), Goal("ratio", "<=", UCIOK_RATIO))
    rows: list[Row | Gap] = [
        Row("exec to uciok", "ms", Figure.of(first), "python -c pass", Figure.of(bare), goals, True),
        # Measure CPU time as well, because other load hardly changes it.
        Row("processor, uci and quit", "ms", Figure.of(spent), "python -c pass", Figure.of(bare_spent), goals, True),
    ]
    if stockfish:
        rows += [
            Row("exec to uciok, beside an engine", "ms", Figure.of(first), "Stockfish", Figure.of(other), paired=True),
            Row(
                "processor, uci and quit, beside an engine",
                *("ms", Figure.of(spent), "Stockfish", Figure.of(other_spent)),
                paired=True,
            ),
        ]
    return rows


def _to_uciok_ms(command: str | Path) -> float:
    before = time.perf_counter()
    with Client(command) as client:
        client.ask("uci", "uciok")
        return (time.perf_counter() - before) * 1000


def _to_end_ms(*command: str) -> float:
    before = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - before) * 1000


def _processor_ms(*command: str | Path, told: str = "") -> float:
    return run_to_end(*command, told=told)[1] * 1000


def _answers(ours: Path, stockfish: str | None, threads: int, hash_mb: int) -> list[Row | Gap]:
    names = ("readyok during a search", "stop to bestmove")
    setting = f"{threads} thread{'s' * (threads > 1)}, {hash_mb} MB"
    peers = _waits(stockfish, threads, hash_mb) if stockfish else (None, None)
    goals = (
        (Goal("ours", "<=", READY_MS),),
        (Goal("ours", "<=", STOP_MEDIAN_MS),),
    )
    rows: list[Row | Gap] = []
    figures = _waits(ours, threads, hash_mb)
    for name, figure, other, goal in zip(names, figures, peers, goals, strict=True):
        rows.append(Row(f"{name}, {setting}", "ms", figure, "Stockfish" if other else "", other, goal))
    worst = Figure.of([figures[1].worst])
    other_worst = Figure.of([peers[1].worst]) if peers[1] else None
    rows.append(
        Row(
            f"stop to bestmove, worst, {setting}",
            "ms",
            worst,
            "Stockfish" if other_worst else "",
            other_worst,
            (Goal("ours", "<=", STOP_WORST_MS),),
        )
    )
    return rows


def _waits(command: str | Path, threads: int, hash_mb: int) -> tuple[Figure, Figure]:
    """Return the milliseconds to `readyok` in the middle of a search, and from `stop` to `bestmove`."""
    rng = random.Random(SEED)
    ready, stop = [], []
    with Client(command) as client:
        client.begin(Threads=threads, Hash=hash_mb)
        for search in range(STOPS):
            client.send(f"position fen {SEARCHED[search % len(SEARCHED)]}", "go infinite")
            time.sleep(rng.uniform(*THINK_S))
            ready.append(_wait_ms(client, "isready", "readyok"))
            time.sleep(rng.uniform(*THINK_S))
            stop.append(_wait_ms(client, "stop", "bestmove"))
    return Figure.of(ready), Figure.of(stop)


def _wait_ms(client: Client, question: str, answer: str) -> float:
    before = time.perf_counter()
    client.ask(question, answer)
    return (time.perf_counter() - before) * 1000
