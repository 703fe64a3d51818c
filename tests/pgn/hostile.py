"""Hostile PGN files: real and hand-made ones, mutated at random, and conditions for every command that reads them.


``PYTHONPATH=build/tree:. python -m tests.pgn.hostile FOLDER NUMBER [SEED] [GAMES.pgn...]`` checks NUMBER files and
keeps those that fail.
"""

# ruff: noqa: RUF001 (signs that look like others are the subject here)

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

import standstill
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.scorer import ScoredGame, Scorer
from standstill.protocol.cli import group

SEEDS = [
    """[Event "Server"]
[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 { [%eval -0.60] [%clk 0:05:00] } 1... e5 { [%eval -0.55] } 2. g4?? { [%eval #-1] } 2... Qh4# 0-1
""",
    """[Event "Kings"]
[White "Müller"]
[Black "O'Neil \\"x\\""]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/2K3k1/8/8/8/8 w - - 0 1"]

1. Kd5 {+0.31/12 0.45s} Kf5 (1... Kf4 2. Kd4 {so (it} goes)) 2. Kd4 $1 $14 {[%rm G5.5]} Kf4 1/2-1/2
""",
    """[Event "960"]
[White "A"]
[Black "B"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1k6/pp6/8/8/8/8/8/5KR1 b G - 2 9"]

9... a5 ; to the end { of the line
% escaped (
10. O-O b5 *
""",
    """[Event "Deutsch"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. Dd3! ± {gut} Dxd3 6. cxd3 1-0
""",
    """[Event "Figures"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

1. e4 c5 2. ♘f3 ♞c6 3. d4 cxd4 4. ♘×d4 ♞f6 5. ♘c3 e5 6. ♘db5 d6 1/2-1/2
""",
    """[Event "Promotion"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]
[FEN "8/P6k/8/8/8/8/p6K/8 w - - 0 1"]

1. a8=Q a1N 2. Qxa1 {[%eval 9.00]} Kg6 1/2-1/2
""",
]
WORDS = [
    *(
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b'"',
        b";",
        b"%",
        b"\\",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\t",
        b"\0",
        b"\xff",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\xe2\x80\x8b",
        "½".encode(),
        "±".encode(),
        "♞".encode(),
        b"\x1b[2J",
        b"\xe2\x80\xae",
    ),
    *(
        b"1-0",
        b"0-1",
        b"1/2-1/2",
        b"*",
        b"1/2",
        b"--",
        b"Z0",
        b"0000",
        b"e.p.",
        b"$1",
        b"$999999999999",
        b"$",
        b"!?",
        b"?!?!",
    ),
    *(
        b"0-0",
        b"O-O-O",
        b"e4",
        b"Pf3",
        b"Sf3",
        b"Nf3+-",
        b"e2e4",
        b"a8=Q",
        b"1.",
        b"17...",
        b"1",
        b"99999999999999999999.",
    ),
    *(
        b'[Event "x"]\n',
        b'[Result "1-0"]\n',
        b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
        b'[FEN ""]\n',
        b'[Variant "atomic"]\n',
    ),
    *(b'[Variant "fischerandom"]\n', b'[RMobilityAgreed "G1.5"]\n', b'[RMobilityResult "G9.0"]\n', b'[White "bye"]\n'),
    *(
        b"{[%eval 1e999]}",
        b"{[%eval 99999999]}",
        b"{[%rm G1.5]}",
        b"{[%clk 1:2:3:4]}",
        b"{+M99999/1 1s}",
        b"{wv=nan, d=9}",
    ),
    *(b"{[%log refill x]}", b"{[%emt 9999999999:00]}", b"(" * 50, b")" * 5, b"x" * 300, b"N", b"D"),
]


def hostile(rng: random.Random, more: list[bytes]) -> bytes:
    """A file of one to four games, mutated in one to eight places."""
    games = [rng.choice([*(text.encode() for text in SEEDS), *more]) for _ in range(rng.randint(1, 4))]
    data = rng.choice([b"\n", b"\n\n", b""]).join(games)
    for _ in range(rng.randint(1, 8)):
        data = _mutated(rng, data)
    return data


def _mutated(rng: random.Random, data: bytes) -> bytes:
    at, till = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    near = min(till, at + rng.randint(1, 12))
    kind = rng.randrange(10)
    if kind < 4:
        return data[:at] + rng.choice([b"", b" "]) + rng.choice(WORDS) + rng.choice([b"", b" "]) + data[at:]
    if kind == 4:
        return data[:at] + data[near:]
    if kind == 5:
        return data[:at] + data[at:near] * 2 + data[near:]
    if kind == 6:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    lines = data.splitlines(keepends=True)
    if kind == 7 and len(lines) > 1:
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
        return b"".join(lines)
    if kind == 8:
        return rng.choice(
            [data[: max(1, till)], data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"), data.swapcase()]
        )
    return data.replace(*rng.choice([(b'"]', b"]"), (b" ", b"  "), (b".", b". . ."), (b"\n\n", b"\n"), (b"}", b"")]), 1)


# ---- conditions for all commands ----

_LARGEST = 4000  # bytes of a foreign game; larger ones only take longer


def problems(data: bytes, folder: Path, *, searched: bool = True) -> Iterator[str]:
    """Faults in the output of the commands for the file. searched: include the commands that search."""
    (folder / "in.pgn").write_bytes(data)
    games = [game for text in read_games(io.BytesIO(data)) if not (game := scored(text)).is_empty]
    faulty = sum(game.problem is not None for game in games)
    status, out, said = ran(folder, "tag", "in.pgn", "--quiet")
    yield from _trouble("tag", status, said, faulty)
    if _own(out) != _own(data):
        yield "tag: text other than its own additions has changed"
    status, out, said = ran(folder, "annotate", "in.pgn", "--from-comments", "-o", "-")
    others = sum(game.problem is None and not game.is_chess for game in games)
    yield from _trouble("annotate", status, said, faulty + others)
    if status < 2 and _bare(out) != _bare(data):
        yield "annotate: text other than its own additions has changed"
    status, out, said = ran(folder, "standings", "in.pgn", "--format", "json")
    yield from _trouble("standings", status, said, faulty)
    if searched:
        status, out, said = ran(folder, "analyse", "in.pgn", "--nodes", "1")
        yield from _trouble("analyse", status, said, faulty)
    status, out, said = ran(folder, "games", "--store", "s", "import", "in.pgn", "--control", "10/50")
    yield from _trouble("import", status, said, None)
    (folder / "s").unlink(missing_ok=True)
    yield from _other_results(games)


def scored(text: bytes) -> ScoredGame:
    return Scorer().score(text, 0, len(text), detail=True)


def _trouble(name: str, status: int, said: bytes, faulty: int | None) -> Iterator[str]:
    if b"Traceback" in said or status not in (0, 1, 2):
        yield f"{name}: ended with {status}: {said[-300:].decode('utf-8', 'replace')}"
    elif faulty is not None and status < 2 and (status == 1) != (faulty > 0):
        yield f"{name}: {faulty} games cannot be read, exit status {status}: {said[-300:]!r}"


def _own(data: bytes) -> bytes:
    """The file without what ``tag`` may write or remove, and without blanks."""
    return re.sub(
        rb"\[RMobility\w+\s*\"[^\"\r\n]*\"?\s*\]?|\{\s*\[%rm [^\[\]{}]*\]\s*\}|\[%rm [^\[\]{}]*\]|\s", b"", data
    )


def _bare(data: bytes) -> bytes:
    """The file without annotators, symbols, move numbers and blanks."""
    data = re.sub(rb'\[Annotator "[^"\r\n]*\(Standstill [\d.]+\)"\]', b"", data)
    signs = "|".join("±∓⩲⩱∞∝‼⁇⁉⁈−")
    return re.sub(rb"\$\d+|[!?=+\-/~.\d\s]|" + signs.encode() + rb"|[\xb1]", b"", data)


def _other_results(games: list[ScoredGame]) -> Iterator[str]:
    """Games that python-chess reads without an error must have its moves, and the naive scorer's goal."""
    for number, game in enumerate(games, 1):
        if game.problem is not None or not game.is_chess or game.respelt is not None:
            continue
        # We read NUL as a blank, python-chess as part of a word.
        head, body = (text.decode("utf-8", "replace").replace("\0", " ") for text in _cut(game))
        # For python-chess a comment ends the tags.
        head = re.sub(r'("(?:\\.|[^"\\\r\n])*")|\{[^}]*\}', lambda found: found[1] or "", head)
        lines = [*filter(None, map(str.strip, head.splitlines())), "", *filter(str.strip, body.splitlines())]
        text = "\n".join(lines).lstrip("\ufeff")
        other = read_by_others(text)
        if other is None or other.errors or b"RMobilityAgreed" in game.text:
            continue
        moves = [move.uci() for move in other.mainline_moves()]
        if len(moves) != game.plies:
            yield f"game {number}: {game.plies} half-moves here, {len(moves)} for python-chess"


def _cut(game: ScoredGame) -> tuple[bytes, bytes]:
    """Tags and movetext; python-chess ends both at a blank line."""
    return game.text[: game.head.moves], game.text[game.head.moves :]


def read_by_others(text: str) -> chess.pgn.Game | None:
    """The game as python-chess reads it, or None if it fails."""
    try:
        return chess.pgn.read_game(io.StringIO(text), Visitor=Quiet)
    except (AssertionError, AttributeError, LookupError, RecursionError, ValueError):
        return None


class Quiet(chess.pgn.GameBuilder):
    """A game builder that prints nothing; python-chess's own writes to standard error."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def ran(folder: Path, *words: str) -> tuple[int, bytes, bytes]:
    """Run a command in a child process, which already has all modules: (exit status, output, messages)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        child = os.fork()
        if not child:
            _run(folder, words, out.fileno(), said.fileno())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        said.seek(0)
        return status, out.read(), said.read()


def _run(folder: Path, words: tuple[str, ...], out: int, said: int) -> None:
    """Run the command; called in the child process."""
    import traceback

    status = 99
    try:
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(said, 2)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
        status = group.run(list(words))
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def load_everything() -> None:
    """Import all modules, so that no child process has to."""
    for module in pkgutil.walk_packages(standstill.__path__, "standstill."):
        # engine.api is another name of the package itself; __main__ would run.
        if not module.name.startswith(("standstill.engine.api", "standstill.__main__")):
            importlib.import_module(module.name)


def main(folder: str, number: str, seed: str = "1", *files: str) -> None:
    load_everything()
    more = []
    for name in files:
        with Path(name).open("rb") as stream:
            more += [text for text in read_games(stream) if len(text) < _LARGEST][:200]
    kept = Path(folder)
    kept.mkdir(parents=True, exist_ok=True)
    failed = 0
    for at in range(int(number)):
        data = hostile(random.Random(f"{seed}-{at}"), more)
        with tempfile.TemporaryDirectory() as place:
            found = list(problems(data, Path(place), searched=at % 10 == 0))
        for line in found:
            print(f"{at}: {line}", flush=True)
        if found:
            failed += 1
            (kept / f"{at}.pgn").write_bytes(data)
    print(f"{failed} of {number} files failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
