"""Plays games of a few seconds with pondering, and tells whether the engine or the machine caused a loss on time.

    python -P tools/measure/play/flags.py uci|xboard [--games 200] [--clock 1+0.01] [--no-ponder] [--opponent COMMAND]

`standstill match` does not ponder, so these games have an arbiter of their own. Its clock allows no margin. It starts
before a command is written and stops after the answer is read. The opponent (by default the engine itself) speaks the
same protocol. For each move the arbiter notes the engine's own hard limit (from its debug line), the time taken, and
the CPU time. If the time taken exceeds the limit but the CPU time does not, the machine is at fault; the report gives
the largest excess of CPU time. With --log FOLDER the whole conversation of each game lost on time is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import queue
import re
import shlex
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import chess

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT)]

from tools.measure.beside.client import cpu_clock

OPENINGS = ROOT / "tests/data/openings/balanced.epd"
PATIENCE_S = 20.0
LONGEST_PLIES = 600  # a longer game is a draw
SHOWN = 6  # the last moves of a loser that are printed


class Player(ABC):
    """An engine process. A thread reads its lines and notes their times."""

    def __init__(self, command: str):
        self.command = command
        self.process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )
        self._cpu = cpu_clock(self.process.pid)
        self.log: list[tuple[float, str]] = []
        self._heard: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            heard = time.monotonic(), line.decode(errors="replace").rstrip()
            self.log.append(heard)
            self._heard.put(heard)
        self._heard.put((time.monotonic(), "(gone)"))

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        now = time.monotonic()
        self.log.extend((now, "> " + line) for line in lines)
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def wait_for(self, pattern: str) -> tuple[float, str]:
        """Return the next line that begins with the pattern, and its time."""
        expected = re.compile(pattern)
        while True:
            when, line = self._heard.get(timeout=PATIENCE_S)
            if expected.match(line):
                return when, line
            if line == "(gone)":
                raise EOFError(f"{self.command} has ended; its last lines: {self.log[-5:]}")

    def cpu_s(self) -> float:
        """Return the CPU seconds that all threads of the engine have used."""
        return time.clock_gettime(self._cpu)

    def allowed_s(self) -> float | None:
        """Return the hard limit of the engine's last move, or None if it reported none."""
        for _, line in reversed(self.log):
            if found := re.search(r" hard (\d+) ms ", line):
                return int(found[1]) / 1000
        return None

    @abstractmethod
    def new_game(self, board: chess.Board, base_s: float, inc_s: float) -> None:
        """Set up a game from this position with this clock."""

    @abstractmethod
    def answer(self, board: chess.Board, left_s: dict[bool, float]) -> tuple[float, str]:
        """Let the engine move; return the time of its answer, and the move or ``resign``."""

    @abstractmethod
    def moved(self, board: chess.Board, left_s: dict[bool, float]) -> None:
        """Tell the engine that its move has been played, so that it can ponder."""

    @abstractmethod
    def give_up(self) -> None:
        """End pondering."""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.send("quit")
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class UciPlayer(Player):
    """A UCI engine, which is told to ponder on the move that it expects."""

    def __init__(self, command: str, ponder: bool):
        super().__init__(command)
        self._ponder = ponder
        self._expected: str | None = None  # the move that the engine ponders on
        self.send("uci")
        self.wait_for("uciok")
        self.send(f"setoption name Ponder value {'true' if ponder else 'false'}", "setoption name Hash value 16")
        self.send("debug on")

    def new_game(self, board: chess.Board, _base_s: float, inc_s: float) -> None:
        self.log.clear()
        self._start, self._inc_s = board.fen(), inc_s
        self.give_up()
        self.send("ucinewgame", "isready")
        self.wait_for("readyok")

    def give_up(self) -> None:
        if self._expected is not None:
            self._expected = None
            self.send("stop")
            self.wait_for("bestmove")

    def _go(self, word: str, moves: list[str], left_s: dict[bool, float]) -> None:
        white, black = (max(1, int(1000 * left_s[colour])) for colour in (True, False))
        inc = f"winc {1000 * self._inc_s:.0f} binc {1000 * self._inc_s:.0f}"
        self.send(f"position fen {self._start} moves {' '.join(moves)}", f"{word} wtime {white} btime {black} {inc}")

    def answer(self, board: chess.Board, left_s: dict[bool, float]) -> tuple[float, str]:
        moves = [move.uci() for move in board.move_stack]
        if self._expected is not None and moves and moves[-1] == self._expected:
            self._expected = None
            self.send("ponderhit")
        else:
            self.give_up()
            self._go("go", moves, left_s)
        when, line = self.wait_for("bestmove")
        self._guess = line.split()[3] if len(line.split()) > 3 else None
        return when, line.split()[1]

    def moved(self, board: chess.Board, left_s: dict[bool, float]) -> None:
        """Called after the engine's move is made and its clock stopped."""
        if self._ponder and self._guess is not None:
            self._expected = self._guess
            self._go("go ponder", [*(move.uci() for move in board.move_stack), self._guess], left_s)


class XboardPlayer(Player):
    """An XBoard engine, which decides itself to ponder between its moves."""

    def __init__(self, command: str, ponder: bool):
        super().__init__(command)
        self._ponder = ponder
        self.send("xboard", "protover 2")
        self.wait_for("feature.*done=1")
        self.send("accepted debug")  # engines that have not offered the feature ignore this

    def new_game(self, board: chess.Board, base_s: float, inc_s: float) -> None:
        self.log.clear()
        self._told = 0  # half-moves sent so far
        self._playing = False
        self.send("force", "new", "force", f"setboard {board.fen()}", f"level 0 0:{int(base_s):02d} {inc_s:g}")
        self.send("hard" if self._ponder else "easy", "post", "ping 1")
        self.wait_for("pong 1")

    def give_up(self) -> None:
        self.send("force")

    def answer(self, board: chess.Board, left_s: dict[bool, float]) -> tuple[float, str]:
        clocks = [f"time {int(100 * left_s[board.turn])}", f"otim {int(100 * left_s[not board.turn])}"]
        moves = [f"usermove {move.uci()}" for move in board.move_stack[self._told :]]
        self._told = len(board.move_stack) + 1
        # After the earlier moves, entered in force mode, `go` makes the engine play.
        self.send(*([*clocks, *moves] if self._playing else [*moves, *clocks, "go"]))
        self._playing = True
        when, line = self.wait_for("move |resign")
        return when, line.split()[-1]

    def moved(self, board: chess.Board, left_s: dict[bool, float]) -> None:
        pass


@dataclass
class Spent:
    """The times of a move, in seconds: the clock before the move, the time taken, the CPU time, and the hard limit."""

    left_s: float
    took_s: float
    computed_s: float
    allowed_s: float | None

    @property
    def fault_s(self) -> float:
        return 0.0 if self.allowed_s is None else max(0.0, min(self.took_s, self.computed_s) - self.allowed_s)

    def __str__(self) -> str:
        allowed = "" if self.allowed_s is None else f" of {1000 * self.allowed_s:.0f}"
        return f"{1000 * self.left_s:.0f} ms: {1000 * self.took_s:.1f}{allowed}, {1000 * self.computed_s:.1f} computing"


@dataclass
class Played:
    end: str
    loser: bool | None = None  # the side that lost on time
    plies: int = 0
    spent: dict[bool, list[Spent]] = field(default_factory=lambda: {True: [], False: []})


def play(sides: dict[bool, Player], fen: str, clock: tuple[float, float]) -> Played:
    base_s, inc_s = clock
    board = chess.Board(fen)
    left_s = {True: base_s, False: base_s}
    played = Played("by length")
    for side in sides.values():
        side.new_game(board, base_s, inc_s)
    while played.plies < LONGEST_PLIES:
        turn = board.turn
        side = sides[turn]
        began, computed_s = time.monotonic(), side.cpu_s()
        when, text = side.answer(board, left_s)
        took_s = when - began
        played.plies += 1
        played.spent[turn].append(Spent(left_s[turn], took_s, side.cpu_s() - computed_s, side.allowed_s()))
        left_s[turn] -= took_s
        if left_s[turn] < 0:
            played.end, played.loser = "on time", turn
            break
        if text == "resign":
            played.end = "resigned"
            break
        board.push(board.parse_uci(text))  # an illegal move ends the run
        left_s[turn] += inc_s
        if board.is_game_over() or board.is_repetition() or board.is_fifty_moves():
            played.end = "by the rules"
            break
        side.moved(board, left_s)
    for side in sides.values():
        side.give_up()
    return played


def keep(path: Path, player: Player) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    began = player.log[0][0]
    lines = sorted(player.log, key=lambda said: said[0])
    path.write_text("".join(f"{1000 * (when - began):.1f} {line}\n" for when, line in lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protocol", choices=["uci", "xboard"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first opening")
    parser.add_argument("--clock", default="1+0.01")
    parser.add_argument("--no-ponder", action="store_true")
    parser.add_argument("--engine", default=str(ROOT / "standstill"))
    parser.add_argument("--opponent", default=str(ROOT / "standstill"))
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    base, _, inc = args.clock.partition("+")
    lines = [line for line in OPENINGS.read_text().splitlines() if not line.startswith("#")]
    kind = UciPlayer if args.protocol == "uci" else XboardPlayer
    ours, other = (kind(command, not args.no_ponder) for command in (args.engine, args.opponent))
    ends: Counter[str] = Counter()
    worst, least = 0.0, float(base)
    plies, flags = 0, {True: 0, False: 0}  # flags counts losses on time; the key is True for our engine
    for number in range(args.games):
        fen = " ".join(lines[(args.first + number // 2) % len(lines)].split()[:4]) + " 0 1"
        we = number % 2 == 0
        played = play({we: ours, not we: other}, fen, (float(base), float(inc or 0)))
        ends[played.end] += 1
        plies += played.plies
        worst = max([worst, *(spent.fault_s for spent in played.spent[we])])
        least = min([least, *(spent.left_s - spent.took_s for spent in played.spent[we])])
        if played.loser is None:
            continue
        flags[played.loser == we] += 1
        print(f"game {number}, {'we' if played.loser == we else 'the opponent'} in ply {played.plies}:", flush=True)
        print(*(f"  {spent}" for spent in played.spent[played.loser][-SHOWN:]), sep="\n", flush=True)
        if args.log is not None:
            keep(args.log / f"{number}.log", ours if played.loser == we else other)
    print(f"{args.games} games, {plies} plies: {dict(ends)}; lost on time: we {flags[True]}, they {flags[False]}")
    print(f"least time on our clock: {1000 * least:.0f} ms")
    print(f"our moves exceeded their own time limits by at most {1000 * worst:.1f} ms of CPU time")
    for side in (ours, other):
        side.close()


if __name__ == "__main__":
    main()
