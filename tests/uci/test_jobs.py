"""Jobs that a user at a terminal starts and waits for (perft, bench, speedtest) obey `stop` and `quit`."""

from __future__ import annotations

import re
import threading

import chess
import pytest

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.perft import Stopped, divide, divide_unless
from standstill.protocol.uci.jobs import Jobs
from tests.board.support import KIWIPETE
from tests.uci.client import Client

# Each of these jobs takes far longer than any test waits.
LONG = {"perft": "go perft 12", "bench": "bench 60", "speedtest": "speedtest 100000 threads 1 hash 1"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LONG)
def test_a_long_job_obeys_stop_and_the_next_lines_follow(shared: Client, name: str) -> None:
    shared.send(LONG[name], "stop", "position startpos moves e2e4", "go perft 1")
    lines = shared.read_until("Nodes")
    assert [line for line in lines if "was stopped" in line] == [f"info string {name} was stopped"]
    assert "e7e5: 1" in lines and lines[-1] == "Nodes searched: 20"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", LONG.values())
@pytest.mark.parametrize("end", ["quit", "end of input"])
def test_the_process_leaves_a_long_job(start, command: str, end: str) -> None:
    client = start()
    client.send(command, *(["quit"] if end == "quit" else []))
    client.close_input()
    assert client.wait() == 0


class Slow(Jobs):
    """Jobs whose thread sleeps after it has found no more waiting lines."""

    def __init__(self) -> None:
        super().__init__(lambda _: True, lambda _: None, lambda _: None)
        self.asleep, self.awake, self.gone = (threading.Event() for _ in range(3))

    def _work(self, name: str, job: object) -> None:
        super()._work(name, job)
        self.gone.set()

    def _next(self) -> str | None:
        line = super()._next()
        if not self.asleep.is_set():
            self.asleep.set()
            assert self.awake.wait(60)
        return line


class Endless:
    def __init__(self) -> None:
        self.over = threading.Event()

    def stop(self) -> None:
        self.over.set()

    def run(self, _: object) -> bool:
        return not self.over.wait(60)


def test_a_job_that_has_ended_does_not_hide_the_next_one() -> None:
    """`stop` once had no effect on a job that began while the thread of the previous job was ending."""
    jobs, first, second = Slow(), Endless(), Endless()
    first.stop()
    jobs.start("first", first)
    assert jobs.asleep.wait(60)
    jobs.start("second", second)
    jobs.awake.set()
    assert jobs.gone.wait(60)
    assert jobs.keep("stop", True) and second.over.is_set()


def test_stop_ends_a_job_whose_line_has_waited(shared: Client) -> None:
    """`bench` begins when the preceding count has ended, and `stop` has arrived by then."""
    shared.send("go perft 5", "bench 60", "stop", "isready")
    lines = shared.read_until("readyok")
    assert [line for line in lines if "was stopped" in line][-1] == "info string bench was stopped"


def test_lines_that_come_during_a_job_are_obeyed_in_order(shared: Client) -> None:
    """The second count uses the position set after the first one, and the search begins after both counts."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    shared.send("go perft 5", f"position fen {fen}", "go perft 1", "go infinite", "isready")
    lines = shared.read_until("readyok")
    counts = [line for line in lines if line.startswith("Nodes")]
    assert counts == ["Nodes searched: 4865609", f"Nodes searched: {chess.Board(fen).legal_moves.count()}"]
    assert shared.ask("stop", "bestmove")[-1] != "bestmove (none)"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["bench depth 2", "bench 2 threads 1", "bench hash 16 threads 1 depth 2"])
def test_bench_takes_its_numbers_by_name(shared: Client, command: str) -> None:
    shared.send("bench 2")
    usual = shared.read_until("Nodes")[-1]
    shared.send(command)
    assert shared.read_until("Nodes")[-1] == usual


def test_bench_says_what_is_not_as_usual(shared: Client) -> None:
    shared.send("bench 2 threads 2 hash 1")
    (line,) = [line for line in shared.read_until("Nodes") if line.startswith("Positions")]
    assert "threads 2, hash 1 MB" in line


@pytest.mark.slow
def test_the_speedtest_reports_nodes_and_speed(shared: Client) -> None:
    shared.send("speedtest 1 threads 1 hash 1")
    lines = [line for line in shared.read_until("Nodes/second:") if not line.startswith("info")]
    assert len([line for line in lines if line.startswith("game ")]) == 5
    nodes, speed = (int(line.split()[-1]) for line in lines[-2:])
    assert speed > 0 and nodes > 0


@pytest.mark.parametrize(
    "line",
    ["bench 1 2", "bench threads", "bench threads 0", "bench hash x", "bench depth 2 depth 3", "speedtest 0",
     "speedtest 1 depth 2", "bench threads 9999", "bench -3"],
)  # fmt: skip
def test_wrong_numbers_are_answered_in_one_line(shared: Client, line: str) -> None:
    shared.send(line)
    (said,) = shared.synchronise()
    assert said.startswith("info string error: expected ")


def test_the_compiler_is_named(shared: Client) -> None:
    shared.send("compiler")
    lines = shared.synchronise()
    assert re.fullmatch(r"Standstill \S+, (release|debug|sanitize|thread) build", lines[0])
    assert re.match(r"compiled by (gcc|clang) \d+[.-].* and Cython 3\.", lines[1])
    assert lines[2].split("instruction set ")[1].split(",")[0] in ("avx512", "avx2", "neon", "portable")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("fen", "depth"), [(None, 6), (KIWIPETE, 5)])
def test_a_count_in_pieces_is_the_count(fen: str | None, depth: int) -> None:
    """The depth is too large for the core to count in one piece."""
    board = new_board(fen)
    before = board.key
    assert divide_unless(lambda: False, board, depth) == divide(board, depth)
    assert board.key == before


def test_a_count_that_is_stopped_says_so() -> None:
    asked = iter([False, False, True])
    with pytest.raises(Stopped):
        divide_unless(lambda: next(asked), new_board(None), 6)
