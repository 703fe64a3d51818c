"""Holds random conversations, like those of tests/uci and tests/xboard, that also set options.

    PYTHONPATH=build/tree:. python -m tools.measure.play.conversations uci|xboard FIRST NUMBER [--each 50]

A conversation depends only on its number, so a run can continue where another ended. One process holds ``--each``
conversations, the first of which has a multiple of that number. A failure that depends on earlier conversations of its
process can thus be reproduced. The exit status is 1 if a conversation failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.forked import Process
from tests.uci.client import Client
from tests.uci.test_random_sessions import held as held_in_uci
from tests.xboard.test_random_sessions import held as held_in_xboard

ROOT = Path(__file__).resolve().parents[3]
LINES = 40
HELLO = {"uci": ("uci",), "xboard": ("xboard", "protover 2", "accepted debug")}
HELD = {"uci": held_in_uci, "xboard": held_in_xboard}


def begun(protocol: str) -> Client:
    client = Client(Process([ROOT / "standstill"]))
    client.send(*HELLO[protocol])
    return client


def run(protocol: str, first: int, number: int, each: int) -> int:
    """Hold conversations ``first``, ``first + 1``, ...; print the failures and return their number."""
    client, failed = begun(protocol), 0
    for seed in range(first, first + number):
        problems = []
        try:
            HELD[protocol](client, seed, LINES, options=True)
        except (AssertionError, EOFError, TimeoutError) as error:
            problems.append(f"{type(error).__name__}: {error}")
        if problems or (seed + 1) % each == 0:
            problems += client.end(strict=not problems)
            client = begun(protocol)
        if problems:
            failed += 1
            print(f"{seed}: {'; '.join(problems)}", flush=True)
    problems = client.end()
    failed += bool(problems)
    print(*problems, f"{protocol}: {number} conversations from {first} on, {failed} failed", sep="\n")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description="Random conversations that also set options.")
    parser.add_argument("protocol", choices=HELD)
    parser.add_argument("first", type=int)
    parser.add_argument("number", type=int)
    parser.add_argument("--each", type=int, default=50, help="conversations of one process")
    words = parser.parse_args()
    sys.exit(bool(run(words.protocol, words.first, words.number, words.each)))


if __name__ == "__main__":
    main()
