"""Measures the cost of a resumed analysis: ``python tools/measure/play/resuming.py [POSITIONS] [DEPTH...]``.

An engine searches each of the positions (default 20) to each depth (default 13 and 14). A new engine then loads the
stored file and searches a ply deeper. The output compares the nodes of that search with those of a search from scratch,
with a 95 % bootstrap interval.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[3]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

if TYPE_CHECKING:
    from standstill.engine.play.session import Session

HASH_MB = 64
OPENINGS = ROOT / "tests/data/openings/balanced.epd"
SAMPLES = 2000


def nodes(session: Session, fen: str, depth: int) -> int:
    from standstill.engine.common.limits import Limits

    session.position(fen, [])
    limits = Limits()
    limits.depth = depth
    return session.search(limits)[1].nodes


def resumed(store: Path, fen: str, depth: int) -> tuple[int, int]:
    """Return (nodes of a search from scratch one ply deeper, nodes of the resumed search)."""
    from standstill.engine.correspondence.hash_file import HashFile
    from standstill.engine.play.session import Session

    found = []
    for depths in ((depth + 1,), (depth, depth + 1)):
        for one in depths:
            session = Session()
            session.settings["Hash"] = HASH_MB
            session.position(fen, [])
            session.is_ready()
            kept = HashFile(store, f"{fen} {depth} {len(depths)}", session)
            if kept.load() != (one != depths[0]):
                raise SystemExit(f"the kept file of {fen} is not as expected")
            last = nodes(session, fen, one)
            kept.save()
            session.close(60)
        found.append(last)
    return found[0], found[1]


def share(pairs: list[tuple[int, int]]) -> float:
    return 100 * sum(pair[1] for pair in pairs) / sum(pair[0] for pair in pairs)


def main(positions: int = 20, *depths: int) -> None:
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    chosen = lines[:: len(lines) // positions][:positions]
    pairs: list[list[tuple[int, int]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(chosen):
            fen = " ".join(line.split()[:4]) + " 0 1"
            of_one = [resumed(Path(folder) / f"{number}.sqlite", fen, depth) for depth in depths or (13, 14)]
            print(fen, *(f"{fresh} {further}" for fresh, further in of_one), flush=True)
            pairs.append(of_one)
    rng = random.Random(1)
    spread = sorted(
        share([pair for of_one in rng.choices(pairs, k=len(pairs)) for pair in of_one]) for _ in range(SAMPLES)
    )
    total = share([pair for of_one in pairs for pair in of_one])
    print(f"{total:.1f} % of the nodes [{spread[SAMPLES // 40]:.1f}, {spread[-SAMPLES // 40]:.1f}]")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
