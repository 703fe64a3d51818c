"""Limits that end a search, tested on the pool itself."""

from __future__ import annotations

import time

import chess
import pytest

from standstill.cext.base.constants import SCORE_MATE
from standstill.cext.bindings.pool import SearchPool
from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.cext.value.objective import Objective
from tests.board.support import KIWIPETE, core, encoded, reference, text
from tests.search.test_threads import Told, search, wait
from tests.uci.client import PATIENCE_S

DEPTH, MULTIPV, SCORE, NODES, PV = 0, 2, 3, 5, 8  # indices in a report to the listener
MANY_SWAPS = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture
def pool() -> SearchPool:
    return SearchPool(ChessEvaluator(), 1, 1)


@pytest.mark.parametrize("depth", [1, 2, 5, 9])
def test_the_last_iteration_is_the_depth(pool: SearchPool, depth: int) -> None:
    assert search(pool, core(KIWIPETE), depth=depth).infos[-1][DEPTH] == depth


@pytest.mark.parametrize("depth", [236, 245, 1000, 2**31 - 1])
def test_no_depth_is_too_deep(pool: SearchPool, depth: int) -> None:
    """With nothing to search, the deepest iteration comes at once and stays within the stacks."""
    assert len(search(pool, core("8/8/8/8/8/8/8/K1k5 w - - 0 1"), depth=depth, nodes=200_000).best) == 1


@pytest.mark.parametrize("nodes", [1, 2, 1000, 50_000])
def test_the_node_limit_is_kept(pool: SearchPool, nodes: int) -> None:
    assert search(pool, core(KIWIPETE), nodes=nodes).infos[-1][NODES] <= nodes + 4096


@pytest.mark.parametrize("nodes", [1, 2, 40])
def test_depth_1_is_finished_whatever_the_limit(nodes: int) -> None:
    """Without depth 1 there would be no line to report."""
    whole, told = (
        search(SearchPool(ChessEvaluator(), 1, 1), core(KIWIPETE), **limit)
        for limit in ({"depth": 1}, {"nodes": nodes})
    )
    assert whole.infos[-1][NODES] > 40
    for index in (DEPTH, SCORE, PV):
        assert told.infos[0][index] == whole.infos[0][index]
    assert told.infos[-1][NODES] <= whole.infos[-1][NODES] + 1 and told.best[0][0] == whole.best[0][0]


@pytest.mark.parametrize("nodes", [777, 1024, 1025, 20_000, 20_001])
@pytest.mark.parametrize("fen", [KIWIPETE, chess.STARTING_FEN])
def test_one_thread_searches_just_as_many_nodes(pool: SearchPool, fen: str, nodes: int) -> None:
    """The number is exact, because levels for people and matches at equal nodes rely on it."""
    assert search(pool, core(fen), nodes=nodes).infos[-1][NODES] == nodes


def test_the_hard_limit_ends_a_search(pool: SearchPool) -> None:
    assert len(search(pool, core(KIWIPETE), hard_ns=5_000_000).best) == 1


def test_the_soft_limit_ends_a_search(pool: SearchPool) -> None:
    assert len(search(pool, core(KIWIPETE), soft_ns=1).best) == 1


@pytest.mark.parametrize("limit", ["soft_ns", "hard_ns"])
def test_no_clock_runs_while_pondering(pool: SearchPool, limit: str) -> None:
    """With a limit of one nanosecond, every iteration is still searched, and no best move is reported."""
    told = Told()
    pool.go(core(KIWIPETE), Objective(), told, ponder=True, depth=6, **{limit: 1})
    deadline = time.monotonic() + PATIENCE_S
    while not told.infos or told.infos[-1][DEPTH] < 6:
        assert time.monotonic() < deadline, told.infos[-1:]
        time.sleep(0.001)
    assert not told.best
    pool.ponderhit()
    wait(pool)
    assert len(told.best) == 1


@pytest.mark.parametrize("moves", [["e2a6"], ["a2a3", "g2g3", "e1h1"]])
def test_only_root_moves_are_played(pool: SearchPool, moves: list[str]) -> None:
    position = reference(KIWIPETE)
    allowed = [encoded(position, position.parse_uci(move)) for move in moves]
    assert search(pool, core(KIWIPETE), depth=5, root_moves=allowed).best[0][0] in allowed


@pytest.mark.parametrize("fen", [MATED, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
def test_without_a_move_there_is_a_best_move_of_none(pool: SearchPool, fen: str) -> None:
    assert search(pool, core(fen), depth=5).best == [(0, 0)]


@pytest.mark.parametrize("lines", [1, 3, 48, 256])
def test_there_are_no_more_lines_than_moves(pool: SearchPool, lines: int) -> None:
    told = search(pool, core(KIWIPETE), depth=3, multipv=lines)
    assert {line[MULTIPV] for line in told.infos} == set(range(1, min(lines, 48) + 1))


def test_the_best_move_begins_the_first_line(pool: SearchPool) -> None:
    told = search(pool, core(KIWIPETE), depth=7)
    assert told.infos[-1][PV][0] == told.best[0][0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lines", [1, 2, 5])
@pytest.mark.parametrize("fen", [KIWIPETE, MANY_SWAPS])
def test_a_stop_leaves_the_lines_in_order(fen: str, lines: int) -> None:
    """Wherever in an iteration the stop comes, lines that it has not reached keep their earlier scores.

    The first line has the move that is played, and no later line is better.
    """
    for nodes in range(60, 4000, 61):
        told = search(SearchPool(ChessEvaluator(), 1, 1), core(fen), nodes=nodes, multipv=lines)
        last = told.infos[-lines:]
        assert [line[MULTIPV] for line in last] == [*range(1, lines + 1)], nodes
        scores = [line[SCORE] for line in last]
        assert scores == sorted(scores, reverse=True), nodes
        assert all(abs(score) <= SCORE_MATE for score in scores), nodes
        assert len({line[PV][0] for line in last}) == lines, nodes
        assert told.best[0][0] == last[0][PV][0], nodes


@pytest.mark.parametrize("fen", [KIWIPETE, MANY_SWAPS, chess.STARTING_FEN])
def test_a_stop_keeps_the_better_move_of_an_unfinished_iteration(fen: str) -> None:
    """One node before its end, an iteration has its move, which may differ from that of the iteration before."""

    def fresh() -> SearchPool:
        return SearchPool(ChessEvaluator(), 1, 1)

    ends = {line[DEPTH]: line for line in search(fresh(), core(fen), depth=11).infos}
    changes = 0
    for depth in range(2, 12):
        best = ends[depth][PV][0]
        changes += best != ends[depth - 1][PV][0]
        assert search(fresh(), core(fen), nodes=ends[depth][NODES] - 1).best[0][0] == best, depth
    assert changes


def test_the_reply_is_legal(pool: SearchPool) -> None:
    move, reply = search(pool, core(KIWIPETE), depth=7).best[0]
    position = chess.Board(KIWIPETE, chess960=True)
    position.push_uci(text(move))
    assert chess.Move.from_uci(text(reply)) in position.legal_moves


def test_a_search_of_a_long_game_has_room(pool: SearchPool) -> None:
    board = core(chess.STARTING_FEN)
    position = reference(chess.STARTING_FEN)
    for _ in range(400):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            parsed = position.parse_uci(move)
            board.push(encoded(position, parsed))
            position.push(parsed)
    assert len(search(pool, board, depth=6).best) == 1


def test_the_board_that_was_searched_is_as_before(pool: SearchPool) -> None:
    board = core(KIWIPETE)
    key, plies = board.key, board.plies
    search(pool, board, depth=7)
    board.verify()
    assert (board.key, board.plies) == (key, plies)


def test_an_objective_may_serve_many_searches(pool: SearchPool) -> None:
    del pool
    objective = Objective()
    pools = [SearchPool(ChessEvaluator(), 1, 1), SearchPool(ChessEvaluator(), 1, 1)]
    from tests.search.test_threads import Told, wait

    told = [Told(), Told()]
    for one, listener in zip(pools, told, strict=True):
        one.go(core(KIWIPETE), objective, listener, depth=6)
    for one in pools:
        wait(one)
    assert told[0].infos[-1][NODES] == told[1].infos[-1][NODES]
