"""Measures how long `games list` takes on a large store: `python tools/measure/cost/desk.py [GAMES] [EVENTS]`.

The store has 2000 games and 100000 events by default. The script prints the median wall time of many runs of the
command, including the start of the interpreter.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.clock.game_clocks import Event
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.game import CorrespondenceGame, Head
from standstill.engine.correspondence.store import Store

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
RUNS = 15


def large_store(path: Path, games: int, events: int) -> None:
    """Make a store with games of equal length that started on different days of the last year."""
    desk = Desk(Store(path, create=True))
    year_ago = time.time_ns() // 1_000_000 - 365 * DAY_MS
    moves = events // games - 1
    head = Head("model", "50/75/1")
    log = [Event("start", 0)]
    game = CorrespondenceGame(head, log)
    for at in range(moves):
        game.add(game.move_event(SHUFFLE[at % 4], (at + 1) * DAY_MS))
    with desk.store.transaction():
        for number in range(games):
            start = year_ago + number * 250 * DAY_MS // games  # all logs end before today
            shifted = [Event(event.kind, event.at_ms + start, event.data) for event in game.log]
            named = Head(f"game-{number}", "50/75/1", f"White {number}", f"Black {number}", own_side=number % 2)
            one = CorrespondenceGame(named, shifted[:2])  # copying the events saves replaying the game
            one.clocks = replace(game.clocks, since_ms=shifted[-1].at_ms, stamp_ms=shifted[-1].at_ms)
            one.board, one.sans = game.board, game.sans
            game_id = desk._insert(one)
            desk._append(game_id, shifted, 1)
    desk.store.close()


def main(games: int = 2000, events: int = 100_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.sqlite")
        large_store(path, games, events)
        print(f"{games} games, {events} events, {path.stat().st_size >> 20} MB")
        for command in (["list"], ["list", "--json"], ["list", "--mine"]):
            times = []
            for _ in range(RUNS):
                start = time.perf_counter()
                done = subprocess.run(
                    [ROOT / "standstill", "games", "--store", path, *command], capture_output=True, check=True
                )
                times.append(time.perf_counter() - start)
            lines = done.stdout.count(b"\n")
            print(f"games {' '.join(command):12} {statistics.median(times) * 1000:6.0f} ms, {lines} lines")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
