"""Measures plies per second of `standstill tag`, and of a simple scorer based on python-chess, in the same run.

    make bench-tag                              # on generated games, without and with comments
    make bench-tag GAMES="folder more.pgn"      # on files of your own, or all .pgn of a folder

Our figure covers all the work in one process: reading the file, scoring, and writing the tagged copy. python-chess
reads the same games (only some of a large archive), counts the legal moves after every move and keeps the record. The
figures are medians of CPU time in three alternating runs. The last columns give the wall time with two processes, and
the memory for a file ten times as long.
"""

from __future__ import annotations

import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn

from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.piecework import tag_stream
from standstill.engine.archive.tagging import Wishes
from tests.rmobility.naive import random_game

EXECUTABLE = Path(__file__).resolve().parents[3] / "standstill"
PEER_PLIES = 40_000  # python-chess takes one or two seconds for this many
REPEATS = 3
LEAST_BYTES = 6_000_000  # shorter archives are repeated, because a short run is hard to time


def peer(games: list[bytes]) -> int:
    """Score games with a simple scorer that resets records on captures and pawn moves; return the number of plies."""
    plies = 0
    for text in games:
        game = chess.pgn.read_game(io.StringIO(text.decode("latin-1")))
        board = game.board()
        record = None
        for move in game.mainline_moves():
            resets = board.is_zeroing(move)
            board.push(move)
            code = 2 * board.legal_moves.count() + (not board.is_check())
            if record is None or resets or code < record[0]:
                record = code, board.turn
            plies += 1
    return plies


def ours(data: bytes) -> int:
    out = io.BytesIO()
    plies = 0
    for piece in tag_stream(io.BytesIO(data), Wishes()):
        out.write(piece.text)
        plies += piece.summary.plies
    return plies


def timed(function, argument) -> float:
    """Return plies per CPU second."""
    start = time.process_time()
    plies = function(argument)
    return plies / (time.process_time() - start)


def sample(data: bytes) -> list[bytes]:
    """Return games from all parts of the archive, with about ``PEER_PLIES`` plies in total."""
    games = list(read_games(io.BytesIO(data)))
    random.Random(1).shuffle(games)
    chosen, plies = [], 0
    for game in games:
        chosen.append(game)
        plies += ours(game)
        if plies >= PEER_PLIES:
            break
    return chosen


def wall(path: Path, jobs: int, output: str) -> tuple[float, int]:
    """Run the command; return (wall seconds, peak kilobytes)."""
    before = time.perf_counter()
    process = subprocess.Popen([EXECUTABLE, "tag", path, "-o", output, "--quiet", "--jobs", str(jobs)])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return time.perf_counter() - before, usage.ru_maxrss


def made_up(comments: bool) -> bytes:
    rng = random.Random(2)
    texts = []
    for _ in range(60):
        game = random_game(rng, 160)
        if comments:
            for node in game.mainline():
                node.comment = f"d={rng.randrange(40)}, pv=" + " ".join(["Nf3"] * 30)
        texts.append(str(game))
    return ("\n\n".join(texts) + "\n\n").encode()


def archives(arguments: list[str]) -> list[tuple[str, bytes]]:
    if not arguments:
        return [("made up", made_up(False)), ("made up, comments", made_up(True))]
    found = []
    for argument in arguments:
        path = Path(argument)
        files = sorted(path.glob("*.pgn")) if path.is_dir() else [path]
        found.append((path.name, b"\n\n".join(file.read_bytes() for file in files)))
    return found


def main(arguments: list[str]) -> None:
    print("| archive | plies | MB | ours, plies/s | python-chess | ratio | 2 processes | MB of memory, file x 10 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, text in archives(arguments):
        data = text * (1 + LEAST_BYTES // len(text))
        games = sample(text)
        pairs = [(timed(ours, data), timed(peer, games)) for _ in range(REPEATS)]
        mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.pgn")
            output = str(Path(folder, "b.pgn"))
            path.write_bytes(data * 10)
            one, two = (statistics.median(wall(path, jobs, output)[0] for _ in range(REPEATS)) for jobs in (1, 2))
            long = wall(path, 1, output)[1]
            path.write_bytes(data)
            short = wall(path, 1, output)[1]
        print(
            f"| {name} | {ours(text)} | {len(text) / 1e6:.1f} | {mine / 1e6:.1f} M | {theirs / 1e3:.1f} k "
            f"| {ratio:.0f} | {one / two:.2f} times | {short / 1024:.0f} -> {long / 1024:.0f} |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
