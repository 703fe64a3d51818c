"""Replays an event through `standstill follow --serve`: `python tools/measure/cost/follow.py GAMES.pgn... [MOVES]`.

The games are written move by move into one file, as a match runner writes them, while the page Live and a listener for
events are open. Each move is written when the one before has arrived. The script prints the time from the change of the
file to the event, for the first moves also to the page in Chromium, and the server's memory at the beginning and end.

`python tools/measure/cost/follow.py --minutes N GAMES.pgn...` writes a move every half second instead, and does what
happens at events: the file is extended, rewritten in place or replaced by another one, game by game; every third game
starts again; a web server publishes the file, and stops for eight seconds every two minutes. One program follows the
file, another one the address. The script prints the delay of each kind of move and, every two minutes, the memory of
both.
"""

from __future__ import annotations

import functools
import http.client
import http.server
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from playwright.sync_api import sync_playwright

from standstill.cext.bindings.pgn_games import move_words, read_head
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import open_input

SHOWN = 100  # moves that are also timed in the browser
WARM = 200  # moves before the memory is first measured
FAST = ("--every", "5ms", "--time", "1ms")
PAUSE_S = 0.5  # pause between two moves of an event
LONGEST = 60  # most half-moves of a game of an event
STOP_EVERY_S, STOP_S = 120, 8  # how often and for how long the event's server stops


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
    """A server that follows a file, and the events that it sends. address: address to follow in place of the file."""

    def __init__(self, path: Path, *options: str, address: str = ""):
        self.path = path
        path.touch()
        words = [ROOT / "standstill", "follow", address or path, "--serve", "--no-open", *options]
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

    def games(self) -> Iterator[tuple[float, dict[str, str | int]]]:
        """Yield the time and the game of each event with a game, until the server ends."""
        while line := self.events.readline():
            if line.startswith(b"data: {") and b'"source"' in line and (now := json.loads(line[6:])["now"]) is not None:
                yield time.perf_counter(), now

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
    """Replay many games and measure the memory."""
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


class Publisher:
    """A web server for the files of a folder, which can be stopped."""

    def __init__(self, folder: str):
        self._folder = folder
        self._port = 0
        self._server: http.server.ThreadingHTTPServer | None = None
        self.start()

    def start(self) -> None:
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words: object) -> None:
                pass

        handler = functools.partial(Quiet, directory=self._folder)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def address(self, name: str) -> str:
        return f"http://127.0.0.1:{self._port}/{name}"


class Watched:
    """The delays with which a follower shows the moves that are written."""

    def __init__(self, replay: Replay):
        self.replay = replay
        self.delays: defaultdict[str, list[float]] = defaultdict(list)
        self._waiting: list[tuple[str, int, str, float]] = []  # round, half-moves, kind, time
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def written(self, number: str, played: int, kind: str) -> None:
        with self._lock:
            self._waiting.append((number, played, kind, time.perf_counter()))

    def _watch(self) -> None:
        for arrived, now in self.replay.games():
            with self._lock:
                shown = [i for i, each in enumerate(self._waiting) if each[:2] == (now["round"], now["played"])]
                # Moves that arrive together appear on the page together, with the last of them.
                for _, _, kind, began in self._waiting[: shown[-1] + 1] if shown else []:
                    self.delays[kind].append(arrived - began)
                del self._waiting[: shown[-1] + 1 if shown else 0]

    @property
    def missing(self) -> int:
        return len(self._waiting)


def put(path: Path, text: bytes, way: str, added: bytes) -> None:
    """Write the file in one of the ways of match runners."""
    if way == "extended":
        with path.open("ab") as file:
            file.write(added)
    elif way == "rewritten":
        path.write_bytes(text)
    else:
        new = path.with_suffix(".new")
        new.write_bytes(text)
        os.replace(new, path)


class Event:
    """Writes moves at an event's pace, and disturbs the file and the server as real events do."""

    def __init__(self, folder: str, minutes: float):
        self._path = Path(folder, "live.pgn")
        self._publisher = Publisher(folder)
        self._began = time.perf_counter()
        self._end_s = 60 * minutes
        self._stopped_s: float | None = None
        self._told = -1
        self._moves = self._games = 0
        address = self._publisher.address(self._path.name)
        self.watched = {
            "file": Watched(Replay(self._path, "--time", "100ms")),
            "address": Watched(Replay(self._path, "--time", "100ms", address=address)),
        }

    def play(self, paths: list[str]) -> None:
        games = [game for path in paths for game in pieces([path])]
        ways = itertools.cycle(("extended", "rewritten", "replaced"))
        for (tags, moves), way in zip(itertools.cycle(games), ways, strict=False):
            self._games += 1
            head = b"\n\n" + re.sub(rb'\[Round "[^"]*"', b'[Round "%d"' % self._games, tags)
            for is_again in (False, True)[: 1 + (self._games % 3 == 0)]:
                if not self._write(head, moves[:LONGEST], way, is_again):
                    self._publisher.stop()
                    return

    def _write(self, text: bytes, moves: list[bytes], way: str, is_again: bool) -> bool:
        """Write a game. Return whether time is left."""
        self._path.write_bytes(text)
        for played, move in enumerate(moves, 1):
            time.sleep(PAUSE_S)
            spent = time.perf_counter() - self._began
            if spent > self._end_s:
                return False
            self._stop_or_start(spent)
            text += move
            put(self._path, text, way, move)
            self._moves += 1
            kind = way if played > 1 else "first of a game restarted" if is_again else "first of a game"
            for name, each in self.watched.items():
                is_down = name == "address" and (spent + STOP_S + 2) % STOP_EVERY_S < STOP_S + 14
                each.written(str(self._games), played, "around a stop of the server" if is_down else kind)
            if spent // STOP_EVERY_S > self._told:
                self._told = int(spent // STOP_EVERY_S)
                sizes = ", ".join(f"{name} {each.replay.memory_mb:.1f}" for name, each in self.watched.items())
                print(f"{spent / 60:.0f} min, {self._moves} moves, {self._games} games, MB: {sizes}", flush=True)
        return True

    def _stop_or_start(self, spent: float) -> None:
        if self._stopped_s is None and spent % STOP_EVERY_S > STOP_EVERY_S - STOP_S:
            self._publisher.stop()
            self._stopped_s = spent
        elif self._stopped_s is not None and spent - self._stopped_s > STOP_S:
            self._publisher.start()
            self._stopped_s = None


def states(paths: list[str], folder: str, minutes: float) -> None:
    """Measure the delay of each kind of move, and the memory of the servers."""
    event = Event(folder, minutes)
    event.play(paths)
    for name, each in event.watched.items():
        print(f"{name}: {each.replay.memory_mb:.1f} MB at the end, {each.missing} of the last moves not shown yet")
        for kind, times in each.delays.items():
            told(f"  {len(times)} moves, {kind}", times)
        each.replay.process.terminate()


def main(words: list[str]) -> None:
    if words[0] == "--minutes":
        with tempfile.TemporaryDirectory() as folder:
            states(words[2:], folder, float(words[1]))
        return
    most = int(words.pop()) if words[-1].isdigit() else 20_000
    with tempfile.TemporaryDirectory() as folder:
        latency(words, folder)
        endurance(words, folder, most)


if __name__ == "__main__":
    main(sys.argv[1:])
