"""Measures the peak memory of a searching engine, without its hash table."""

from __future__ import annotations

from pathlib import Path

from tools.measure.beside.client import Client, ours_and_stockfish
from tools.measure.beside.positions import SEARCHED
from tools.measure.beside.report import Figure, Goal, Row, Section

HASHES_MB = (64, 1024)
SEARCH_MS = 1500  # for each position
BEYOND_HASH_MB = 100.0


def measure(_repeats: int) -> Section:
    section = Section(
        "memory",
        "peak resident set less the hash",
        f"MB of 2**20 bytes after {SEARCH_MS} ms on each of {len(SEARCHED)} positions, one thread",
    )
    programs = ours_and_stockfish(section)
    if programs is None:
        return section
    ours, stockfish = programs
    for hash_mb in HASHES_MB:
        other = Figure.of([_beyond_hash_mb(stockfish, hash_mb)]) if stockfish else None
        section.lines.append(
            Row(
                f"hash {hash_mb}",
                "MB",
                Figure.of([_beyond_hash_mb(ours, hash_mb)]),
                "Stockfish" if stockfish else "",
                other,
                (Goal("ours", "<=", BEYOND_HASH_MB),),
            )
        )
    return section


def _beyond_hash_mb(command: str | Path, hash_mb: int) -> float:
    with Client(command) as client:
        client.begin(Hash=hash_mb)
        for fen in SEARCHED:
            client.send(f"position fen {fen}")
            client.ask(f"go movetime {SEARCH_MS}", "bestmove")
        return client.peak_mb() - hash_mb
