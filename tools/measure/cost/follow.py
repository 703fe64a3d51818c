"""Replays an event through `standstill follow --serve`: `python tools/measure/cost/follow.py GAMES.pgn... [MOVES]`.

The games are written move by move into one file, as a match runner writes them, while the page Live and a listener for
events are open. Each move is written when the one before has arrived. Printed are the time from the change of the file
to the event, for the first moves also to the page in Chromium, and the memory of the server at the beginning and end.
"""

from __future__ import annotations

import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from playwright.sync_api import sync_playwright

from standstill.cext.bindings.pgn_games import move_words, read_head
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import open_input

SHOWN = 100  # moves that are also timed in the browser
WARM = 200  # moves before the first look at the memory
FAST = ("--every", "5ms", "--time", "1ms")


def pieces(paths: list[str]) -> Iterator[tuple[bytes, list[bytes]]]:
    """The tags of each game, and its movetext in pieces that each end with a move."""
    for path in paths:
        with open_input(path) as stream:
            for game in read_games(stream):
                start = read_head(game, 0, len(game)).moves
                ends = [end for _, end in move_words(game, start, len(game))]
                tags = re.sub(rb'\[Result "[^"]*"', b'[Result "*"', game[:start])
                yield tags, [game[a:b] + b" " for a, b in zip([start, *ends], ends, strict=False)]


class Replay:
    """A server that follows a file, and the events that it sends."""

    def __init__(self, path: Path, *options: str):
        self.path = path
        path.touch()
        words = [ROOT / "standstill", "follow", path, "--serve", "--no-open", *options]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[4]
        token, port = self.address.partition("token=")[2], int(self.address.split(":")[2].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/api/live/events", headers={"Authorization": f"Bearer {token}"})
        self.events = connection.getresponse()

    def write(self, text: bytes) -> float:
        """Add to the file and return the time."""
        with self.path.open("ab") as file:
            file.write(text)
        return time.perf_counter()

    def wait(self, played: int) -> float:
        """Return the time when the game with this number of half-moves arrives."""
        while True:
            line = self.events.readline()
            if line.startswith(b"data: {") and b'"source"' in line:
                arrived = time.perf_counter()
                now = json.loads(line[6:])["now"]
                if now is not None and now["played"] == played:
                    return arrived

    @property
    def memory_mb(self) -> float:
        """The resident memory of the server."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("no VmRSS")


def told(name: str, times: list[float]) -> None:
    times = sorted(1000 * each for each in times)
    worst = times[int(0.99 * (len(times) - 1))]
    print(f"{name}: median {statistics.median(times):.0f} ms, 99 % below {worst:.0f} ms, at most {times[-1]:.0f} ms")


def latency(paths: list[str], folder: str) -> None:
    """Time the moves of one game with the usual options, to the event and to the page."""
    replay = Replay(Path(folder, "latency.pgn"))
    tags, moves = next(pieces(paths))
    to_event, to_page = [], []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(replay.address)
        replay.write(tags)
        replay.wait(0)
        for played, move in enumerate(moves[:SHOWN], 1):
            written = replay.write(move)
            to_event.append(replay.wait(played) - written)
            page.wait_for_selector(f"#moves button[data-ply='{played}'][aria-current]")
            to_page.append(time.perf_counter() - written)
        browser.close()
    replay.process.terminate()
    told(f"{len(to_event)} moves, from the file to the event", to_event)
    told(f"{len(to_page)} moves, from the file to the page", to_page)


def endurance(paths: list[str], folder: str, most: int) -> None:
    """Replay many games and look at the memory."""
    replay = Replay(Path(folder, "event.pgn"), *FAST)
    count = games = 0
    first = 0.0
    began = time.perf_counter()
    for tags, moves in pieces(paths):
        replay.write(b"\n\n" + tags)
        for played, move in enumerate(moves, 1):
            replay.write(move)
            replay.wait(played)
            count += 1
            if count == WARM:
                first = replay.memory_mb
            if count % 2000 == 0:
                print(f"{count} moves, {replay.memory_mb:.1f} MB", flush=True)
        games += 1
        if count >= most:
            break
    took = time.perf_counter() - began
    size = replay.path.stat().st_size / 1e6
    print(f"{count} moves, {games} games, a file of {size:.1f} MB, {took:.0f} s:")
    print(f"memory {first:.1f} MB after {WARM} moves, {replay.memory_mb:.1f} MB at the end")
    replay.process.terminate()


def main(words: list[str]) -> None:
    most = int(words.pop()) if words[-1].isdigit() else 20_000
    with tempfile.TemporaryDirectory() as folder:
        latency(words, folder)
        endurance(words, folder, most)


if __name__ == "__main__":
    main(sys.argv[1:])
