"""Measures the CPU time of each process of a parallel command, with one worker and with several.

    PYTHONPATH=build/tree:. .venv/bin/python tools/measure/cost/workers.py [--repeats 3] [--workers 1,2] \\
        tag GAMES.pgn -o OUT.pgn --quiet --scheduler local --jobs {}

``{}`` becomes the number of workers. Wall time means little on a busy machine, so the busiest process counts: even with
a free core for each process, the command could not end before that one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import time
from pathlib import Path

EXECUTABLE = Path(__file__).resolve().parents[3] / "standstill"
_POLL_S = 0.05
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def processor_times(command: list[str]) -> tuple[float, list[float], float]:
    """Return (CPU seconds of the command's own process, CPU seconds of each worker with its engine, wall seconds)."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    seen: dict[int, tuple[int, float]] = {}
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        seen.update(_times(process.pid))
        time.sleep(_POLL_S)
    seen.update(_times(process.pid))
    assert process.wait() == 0
    workers: dict[int, float] = {}
    for worker, seconds in seen.values():
        workers[worker] = workers.get(worker, 0.0) + seconds
    own = workers.pop(process.pid)
    return own, sorted(workers.values(), reverse=True), time.perf_counter() - start


def _times(root: int) -> dict[int, tuple[int, float]]:
    """Return the CPU seconds of the root and its running descendants: {process number: (number of its worker,
    seconds)}.

    Every child of the root is a worker, and so is the root. Other descendants count with the worker from which they
    descend. Children of the process that manages the workers of a cluster count as children of the root.
    """
    parents, used = {}, {}
    heads = {root}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            number = int(entry.name)
            parents[number] = int(fields[1])
            if parents[number] == root and b"cluster.foreman" in line:
                heads.add(number)
            used[number] = (int(fields[11]) + int(fields[12])) * _TICK_S
    found = {}
    for number, seconds in used.items():
        worker = number
        while worker not in heads and worker in parents and parents[worker] not in heads:
            worker = parents[worker]
        if worker in heads or parents.get(worker) in heads:
            found[number] = worker, seconds
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    runs: dict[int, list[tuple[float, list[float], float]]] = {int(count): [] for count in chosen.workers.split(",")}
    for _ in range(chosen.repeats):
        for count, times in runs.items():
            words = [word.replace("{}", str(count)) for word in chosen.words]
            times.append(processor_times([str(EXECUTABLE), *words]))
            own, others, wall = times[-1]
            workers = " ".join(f"{each:.2f}" for each in others)
            print(f"{count}: own {own:.2f}, others {workers}, clock {wall:.1f}", flush=True)
    print("| workers | own, s | slowest worker, s | all, s | on the clock, s |")
    print("| --- | --- | --- | --- | --- |")
    for count, times in runs.items():
        own, slowest, wall = (
            statistics.median(column)
            for column in zip(*((own, max(others, default=0.0), wall) for own, others, wall in times), strict=True)
        )
        everything = statistics.median(own + sum(others) for own, others, _ in times)
        print(f"| {count} | {own:.1f} | {slowest:.1f} | {everything:.1f} | {wall:.1f} |")


if __name__ == "__main__":
    main()
