"""Search on several threads inside this process; also run under the thread sanitizer (`make thread`)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import chess
import pytest

from standstill.cext.bindings.pool import SearchPool
from standstill.cext.chess.chess_board import ChessBoard
from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.network.network_eval import NetworkEvaluator
from standstill.cext.value.objective import Objective
from standstill.engine.network.file import write_network
from standstill.engine.network.loading import load
from tests.board.support import KIWIPETE, core, text
from tests.network.nets import random_network
from tests.uci.client import PATIENCE_S

THREAD_BUILD = os.environ.get("STANDSTILL_BUILD") == "thread"
# The thread sanitizer examines every race of the table, even suppressed ones.
MANY = 8_000 if THREAD_BUILD else 150_000


class Told:
    """A listener that records its calls and their threads."""

    def __init__(self) -> None:
        self.best: list[tuple[int, int]] = []
        self.infos: list[tuple[object, ...]] = []
        self.threads: set[int] = set()
        self.first_info = threading.Event()

    def info(self, *line: object) -> None:
        self.threads.add(threading.get_ident())
        self.infos.append(line)
        self.first_info.set()

    def current_move(self, depth: int, move: int, number: int) -> None:
        self.threads.add(threading.get_ident())

    def rescale(self, *numbers: object) -> float:
        self.threads.add(threading.get_ident())
        return 1.0

    def bestmove(self, move: int, ponder: int) -> None:
        self.threads.add(threading.get_ident())
        self.best.append((move, ponder))


def wait(pool: SearchPool) -> None:
    """`pool.wait` with a time limit."""
    waiter = threading.Thread(target=pool.wait, daemon=True)
    waiter.start()
    waiter.join(2 * PATIENCE_S)
    assert not waiter.is_alive(), "the search does not end"


def search(pool: SearchPool, board: ChessBoard, **limits: object) -> Told:
    told = Told()
    pool.go(board, Objective(), told, **limits)
    wait(pool)
    return told


@pytest.mark.parametrize("name", ["helper", "starter"])
def test_a_search_does_without_threads_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A limit on processes keeps threads from starting. The best move must not wait for a thread that never started."""
    start = threading.Thread.start

    def limited(thread: threading.Thread) -> None:
        if thread.name == name:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    board = core(KIWIPETE)
    told = search(SearchPool(ChessEvaluator(), 1, 3), board, depth=6)
    assert len(told.best) == 1 and board.legal(told.best[0][0])


def test_a_table_is_prepared_and_cleared_without_further_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SearchPool(ChessEvaluator(), 1, 4)
    search(pool, core(KIWIPETE), depth=6)

    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    pool.prepare()
    pool.clear()
    assert sum(pool.table_depths()) == 0


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"])
def test_several_threads_give_one_legal_move(fen: str, threads: int) -> None:
    board = core(fen)
    told = search(SearchPool(ChessEvaluator(), 1, threads), board, depth=8)
    assert len(told.best) == 1 and board.legal(told.best[0][0])


def test_threads_share_the_weights_of_a_network(tmp_path: Path) -> None:
    path = str(tmp_path / "net.nn")
    write_network(path, random_network())
    evaluator = NetworkEvaluator(load(path))
    board = core(KIWIPETE)
    alone = evaluator.copy().evaluate_cp(board)
    pool = SearchPool(evaluator, 1, 3)
    for _ in range(2):
        told = search(pool, board, nodes=MANY)
        assert told.best[0][0] in board.legal_moves()
    assert evaluator.evaluate_cp(board) == alone


def test_a_small_table_is_shared_by_many_writers() -> None:
    """A table of one megabyte is constantly overwritten."""
    board = core(KIWIPETE)
    pool = SearchPool(ChessEvaluator(), 1, 4)
    told = [search(pool, board, nodes=MANY) for _ in range(3)]
    assert all(len(one.best) == 1 and board.legal(one.best[0][0]) for one in told)


def test_variations_of_two_threads_are_legal() -> None:
    board = core(KIWIPETE)
    told = search(SearchPool(ChessEvaluator(), 1, 2), board, depth=9)
    for line in told.infos:
        position = chess.Board(KIWIPETE, chess960=True)
        for move in line[-1]:
            position.push(position.parse_uci(text(move)))


def test_the_listener_is_called_on_one_thread_which_is_not_ours() -> None:
    told = search(SearchPool(ChessEvaluator(), 1, 3), core(KIWIPETE), depth=8)
    assert len(told.threads) == 1 and threading.get_ident() not in told.threads


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_stop_from_another_thread(threads: int) -> None:
    pool, told = SearchPool(ChessEvaluator(), 1, threads), Told()
    pool.go(core(KIWIPETE), Objective(), told, infinite=True)
    assert told.first_info.wait(PATIENCE_S)
    pool.stop()
    wait(pool)
    assert len(told.best) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_before_anything_was_searched(threads: int) -> None:
    pool = SearchPool(ChessEvaluator(), 1, threads)
    for _ in range(20):
        told = Told()
        pool.go(core(KIWIPETE), Objective(), told, infinite=True)
        pool.stop()
        wait(pool)
        assert len(told.best) == 1


def test_stop_from_many_threads_at_once() -> None:
    pool, told = SearchPool(ChessEvaluator(), 1, 2), Told()
    pool.go(core(KIWIPETE), Objective(), told, infinite=True)
    stoppers = [threading.Thread(target=pool.stop) for _ in range(8)]
    for stopper in stoppers:
        stopper.start()
    for stopper in stoppers:
        stopper.join()
    wait(pool)
    assert len(told.best) == 1


def test_a_node_limit_ends_all_threads_before_the_best_move_is_asked_for() -> None:
    """Other threads would take processor time while the client thinks."""
    pool, told, others = SearchPool(ChessEvaluator(), 1, 2), Told(), {*threading.enumerate()}
    pool.go(core(KIWIPETE), Objective(), told, infinite=True, nodes=MANY)
    deadline = time.monotonic() + PATIENCE_S
    while pool.nodes < MANY or len({*threading.enumerate()} - others) > 1:  # the first thread waits for us
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not told.best
    pool.stop()
    wait(pool)
    assert len(told.best) == 1


def test_a_ponder_search_ends_after_ponderhit() -> None:
    pool, told = SearchPool(ChessEvaluator(), 1, 2), Told()
    pool.go(core(KIWIPETE), Objective(), told, ponder=True, soft_ns=1_000_000, hard_ns=20_000_000)
    assert told.first_info.wait(PATIENCE_S) and not told.best
    pool.ponderhit()
    wait(pool)
    assert len(told.best) == 1


def test_the_board_may_change_while_it_is_searched() -> None:
    """The pool has a copy of the board."""
    pool, told, board = SearchPool(ChessEvaluator(), 1, 2), Told(), core(KIWIPETE)
    legal = board.legal_moves()
    pool.go(board, Objective(), told, nodes=MANY)
    for _ in range(60):
        board.push(board.legal_moves()[0])
    wait(pool)
    assert told.best[0][0] in legal


def test_a_second_search_while_one_runs_is_refused() -> None:
    pool, told = SearchPool(ChessEvaluator(), 1, 2), Told()
    pool.go(core(KIWIPETE), Objective(), told, infinite=True)
    try:
        with pytest.raises(RuntimeError):
            pool.go(core(KIWIPETE), Objective(), told, depth=1)
    finally:
        pool.stop()
        wait(pool)
    assert len(told.best) == 1


def test_two_pools_search_at_the_same_time() -> None:
    pools = [SearchPool(ChessEvaluator(), 1, 2), SearchPool(ChessEvaluator(), 1, 2)]
    told = [Told(), Told()]
    for pool, one in zip(pools, told, strict=True):
        pool.go(core(KIWIPETE), Objective(), one, nodes=MANY)
    for pool in pools:
        wait(pool)
    assert [len(one.best) for one in told] == [1, 1]


@pytest.mark.parametrize("method", ["info", "rescale", "bestmove"])
def test_an_error_of_the_listener_is_raised_by_wait(method: str) -> None:
    class Broken(Told):
        pass

    def fail(self, *arguments: object) -> None:
        raise ZeroDivisionError(method)

    setattr(Broken, method, fail)
    pool = SearchPool(ChessEvaluator(), 1, 2)
    pool.go(core(KIWIPETE), Objective(), Broken(), depth=6, soft_ns=60_000_000_000)
    with pytest.raises(ZeroDivisionError, match=method):
        pool.wait()


def test_a_pool_can_search_after_an_error_of_its_listener() -> None:
    class Broken(Told):
        def info(self, *line: object) -> None:
            raise ZeroDivisionError

    pool = SearchPool(ChessEvaluator(), 1, 2)
    pool.go(core(KIWIPETE), Objective(), Broken(), depth=6)
    with pytest.raises(ZeroDivisionError):
        pool.wait()
    assert len(search(pool, core(KIWIPETE), depth=3).best) == 1


@pytest.mark.parametrize("mb", [1, 3, 8])
def test_the_table_may_be_resized_between_searches(mb: int) -> None:
    pool = SearchPool(ChessEvaluator(), 2, 2)
    search(pool, core(KIWIPETE), nodes=MANY // 5)
    pool.resize_hash(mb)
    assert pool.hash_mb == mb and len(search(pool, core(KIWIPETE), nodes=MANY // 5).best) == 1


def test_a_table_that_cannot_be_had_leaves_the_old_one() -> None:
    pool = SearchPool(ChessEvaluator(), 2, 2)
    with pytest.raises(MemoryError):
        pool.resize_hash(1 << 26)
    assert pool.hash_mb == 2 and len(search(pool, core(KIWIPETE), nodes=MANY // 5).best) == 1


def test_clearing_between_searches_gives_the_same_search_again() -> None:
    """Uses one thread, because several threads never search the same tree twice."""
    pool = SearchPool(ChessEvaluator(), 4, 1)
    first = search(pool, core(KIWIPETE), depth=7).infos[-1][5]
    search(pool, core(chess.STARTING_FEN), depth=7)
    pool.clear()
    assert search(pool, core(KIWIPETE), depth=7).infos[-1][5] == first


def test_threads_may_come_and_go_between_searches() -> None:
    pool = SearchPool(ChessEvaluator(), 1, 1)
    for threads in (3, 1, 2, 4):
        pool.set_threads(threads)
        assert len(search(pool, core(KIWIPETE), nodes=10_000).best) == 1


def test_a_signal_while_a_search_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the middle of Thread.start leaves a thread that cannot be joined."""

    def interrupted(self: threading.Thread) -> None:
        raise KeyboardInterrupt

    pool = SearchPool(ChessEvaluator(), 1, 1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.go(ChessBoard(), Objective(), Told(), depth=3)
    pool.wait()
    assert search(pool, ChessBoard(), depth=3).best


def test_a_pool_may_be_dropped_after_a_search() -> None:
    for _ in range(20):
        pool = SearchPool(ChessEvaluator(), 1, 2)
        search(pool, core(KIWIPETE), nodes=500)
        del pool


def test_no_thread_searches_after_the_best_move() -> None:
    before = threading.active_count()
    pool = SearchPool(ChessEvaluator(), 1, 4)
    search(pool, core(KIWIPETE), nodes=10_000)
    assert threading.active_count() == before and not pool.searching


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(9, [*range(1, 7), 9]), (8, [*range(1, 7), 8]), (4, [1, 2, 3, 4])],
    ids=["a ply more", "what is known", "less"],
)
def test_a_search_goes_on_where_the_loaded_table_ends(depth: int, expected: list[int]) -> None:
    """After loading a table, the search repeats a few shallow depths, which order the moves. The requested depth is
    always searched."""
    first, second = SearchPool(ChessEvaluator(), 1, 1), SearchPool(ChessEvaluator(), 1, 1)
    search(first, core(KIWIPETE), depth=8)
    second.load_table(first.dump_table(0))
    assert sorted({line[0] for line in search(second, core(KIWIPETE), depth=depth).infos}) == expected
    again = search(second, core(KIWIPETE), depth=3)  # only the first search after loading skips depths
    assert sorted({line[0] for line in again.infos}) == [1, 2, 3]


def test_a_search_that_goes_on_behind_the_last_depth_repeats_it() -> None:
    """A mate is searched to the last depth at once; the next run cannot search deeper."""
    first, second = SearchPool(ChessEvaluator(), 1, 1), SearchPool(ChessEvaluator(), 1, 1)
    mate = core("6k1/5ppp/8/8/8/8/8/R3K2R w K - 0 1")
    last = search(first, mate).infos[-1][0]
    second.load_table(first.dump_table(0))
    assert sorted({line[0] for line in search(second, mate).infos}) == [*range(1, 7), last]


RACE = """
from standstill.cext.bindings.pool import SearchPool
from standstill.cext.evaluation.chess_eval import ChessEvaluator
from tests.board.support import KIWIPETE, core
from tests.search.test_threads import search
search(SearchPool(ChessEvaluator(), 1, 4), core(KIWIPETE), depth=8)
"""


@pytest.mark.skipif(not THREAD_BUILD, reason="needs the thread sanitizer: run `make thread`")
def test_a_race_that_is_not_meant_ends_the_process() -> None:
    """Cause the data races on the table without the list of suppressed races."""
    options = re.sub('suppressions="[^"]*"', f"suppressions={os.devnull}", os.environ["TSAN_OPTIONS"])
    environment = os.environ | {"TSAN_OPTIONS": options, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", RACE], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode and "data race" in done.stderr, done.stderr[-2000:]
