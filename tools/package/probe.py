"""Prints results that must be equal on every machine: perft, legal moves, goals, tables, and node counts of the search.

With a file as its argument it compares them with the file: `python tools/package/probe.py tests/data/everywhere.txt`.
The workflows, or an emulator, test the wheels of all machines in this way. Only the package `standstill` and click must
be importable. A change to the search changes the last lines of that file; `make everywhere` rewrites it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from standstill.cext.base.compiled import LEVEL
from standstill.cext.bindings.perft import checked_perft
from standstill.engine.play.bench import POSITIONS
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.notation import set_fen
from standstill.protocol.cli.group import group

# The depth of perft in the initial position, and the depth at which both ways of counting are compared.
PERFT_DEPTH, CHECKED_DEPTH = 5, 3
ENDINGS = ("Q", "R", "P", "B", "N")
ENDINGS_OF_EACH = 40
VARIANTS = ("capablanca", "makruk", "3check")


def said(*words: str, stdin: str = "") -> str:
    done = CliRunner().invoke(group, words, input=stdin)
    if done.exit_code:
        sys.exit(f"standstill {' '.join(words)}: status {done.exit_code}: {done.output}{done.exception or ''}")
    return done.output.strip()


def endings() -> str:
    """Random positions with three pieces, the same everywhere; some are illegal, to test that answer as well."""
    chance = random.Random(1)
    lines = []
    for piece in ENDINGS:
        for _ in range(ENDINGS_OF_EACH):
            squares = ["1"] * 64
            for man, square in zip(("K", "k", piece), chance.sample(range(8, 56), 3), strict=True):
                squares[square] = man
            rows = ["".join(squares[row : row + 8]) for row in range(0, 64, 8)]
            lines.append(f"{'/'.join(rows)} {chance.choice('wb')} - - 0 1\n")
    return "".join(lines)


def nodes(*words: str) -> int:
    return int(json.loads(said("bench", "--json", *words))["nodes"])


def lines() -> Iterator[str]:
    yield f"perft {said('perft', str(PERFT_DEPTH)).split()[-1]}"
    for fen in POSITIONS:
        board = new_board(game=named_game("chess"))
        set_fen(board, fen)
        counted = checked_perft(board, CHECKED_DEPTH if len(fen) < 45 else 2)
        yield f"{fen}: {board.count_legal()} moves, goal {board.goal()}, perft {counted}"
    answers = said("tables", "probe", "--batch", "-", stdin=endings())
    solved = answers.count('"record"')
    yield f"tables: {solved} positions, {hashlib.sha256(answers.encode()).hexdigest()}"
    for variant in VARIANTS:
        moves = said("variants", "perft", variant, "3").split()[-1]
        yield f"{variant}: perft {moves}, {nodes('6', '--variant', variant)} nodes"
    yield f"without a network: {nodes('8', '--eval-file', 'none')} nodes"
    yield f"bench: {nodes()} nodes"


def main() -> None:
    if len(sys.argv) == 1:
        for line in lines():
            print(line, flush=True)
        return
    expected = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    found = list(lines())
    print(f"level {LEVEL}: {sum(map(str.__eq__, expected, found))} of {len(expected)} lines equal")
    if found != expected:
        sys.exit("\n".join(difflib.unified_diff(expected, found, "expected", "found", lineterm="", n=0)))


if __name__ == "__main__":
    main()
