"""Reports of the search, and what a client gets. The reports are simulated, so their timing is certain."""

from __future__ import annotations

import pytest

import standstill.engine.play.watcher as watching
from standstill.engine.common.info import EXACT, LOWER, MATE, SCORE_CP
from standstill.engine.play.watcher import Watcher
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_move
from tests.session.listening import Notes


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def watcher(notes: Notes) -> Watcher:
    return Watcher(new_board(), notes, exact_ns=0)


def report(watcher: Watcher, score: int, bound: int, *moves: str) -> int:
    """Report one line of the search; return its first move."""
    board = new_board()
    numbers = []
    for text in moves:
        numbers.append(parse_move(board, text))
        board.push(numbers[-1])
    watcher.info(5, 7, 1, score, bound, 1000, 1_000_000, 0, numbers)
    return numbers[0]


def test_a_move_that_failed_high_before_the_stop_has_an_exact_line(watcher: Watcher, notes: Notes) -> None:
    """Clients ignore scores that are bounds, so the last line has an exact score if there is one."""
    report(watcher, 10 * SCORE_CP, EXACT, "e2e4", "e7e5")
    move = report(watcher, 80 * SCORE_CP, LOWER, "d2d4")
    watcher.bestmove(move, 0)
    last = notes.lines[-1]
    assert (last.bound, last.score, last.pv) == (EXACT, 80 * SCORE_CP, ["d2d4"])
    assert notes.best.move == "d2d4"


def test_a_mate_that_is_only_a_bound_is_not_announced(watcher: Watcher, notes: Notes) -> None:
    report(watcher, 10 * SCORE_CP, EXACT, "e2e4", "e7e5")
    move = report(watcher, MATE - 5, LOWER, "d2d4")
    watcher.bestmove(move, 0)
    assert (notes.lines[-1].bound, notes.lines[-1].score) == (EXACT, 10 * SCORE_CP)


def test_a_move_with_an_exact_line_keeps_it(watcher: Watcher, notes: Notes) -> None:
    move = report(watcher, 10 * SCORE_CP, EXACT, "e2e4", "e7e5")
    report(watcher, 80 * SCORE_CP, LOWER, "e2e4")
    watcher.bestmove(move, 0)
    assert len(notes.lines) == 1  # the bound was too early to be shown, so nothing has to be repeated
    assert (notes.lines[-1].bound, notes.lines[-1].score) == (EXACT, 10 * SCORE_CP)


def test_a_bound_alone_stays_one(watcher: Watcher, notes: Notes) -> None:
    move = report(watcher, 80 * SCORE_CP, LOWER, "d2d4")
    watcher.bestmove(move, 0)
    assert [line.bound for line in notes.lines] == [LOWER]


def report_rank(watcher: Watcher, rank: int, score: int, bound: int, *moves: str) -> None:
    board = new_board()
    numbers = []
    for text in moves:
        numbers.append(parse_move(board, text))
        board.push(numbers[-1])
    watcher.info(5, 7, rank, score, bound, 1000, 1_000_000, 0, numbers)


@pytest.mark.parametrize("seen_at", [1, 2, 3])
def test_a_mate_at_any_rank_has_its_whole_line(watcher: Watcher, notes: Notes, seen_at: int) -> None:
    """The stop leaves the mate as a bound with one move; the full line was reported earlier, maybe at another rank."""
    mate = MATE - 3
    report(watcher, 50 * SCORE_CP, EXACT, "e2e4", "e7e5")
    report_rank(watcher, seen_at, mate, EXACT, "f2f3", "e7e5", "g2g4")
    report_rank(watcher, 2, mate - 2, LOWER, "f2f3")
    watcher.bestmove(report(watcher, 50 * SCORE_CP, EXACT, "e2e4", "e7e5"), 0)
    last = notes.lines[-1]
    assert (last.multipv, last.bound, last.score, last.pv) == (2, EXACT, mate, ["f2f3", "e7e5", "g2g4"])


def test_a_mate_without_a_line_at_any_rank_is_not_announced(watcher: Watcher, notes: Notes) -> None:
    report_rank(watcher, 2, 20 * SCORE_CP, EXACT, "d2d4", "d7d5")
    report_rank(watcher, 2, MATE - 5, LOWER, "f2f3")
    watcher.bestmove(report(watcher, 50 * SCORE_CP, EXACT, "e2e4", "e7e5"), 0)
    assert (notes.lines[-1].multipv, notes.lines[-1].bound, notes.lines[-1].score) == (2, EXACT, 20 * SCORE_CP)


def test_the_best_move_stands_first_where_its_own_line_stood_second(watcher: Watcher, notes: Notes) -> None:
    """The stop leaves a mate as a bound, for a move that was ranked second before."""
    report(watcher, 50 * SCORE_CP, EXACT, "e2e4", "e7e5")
    report_rank(watcher, 2, 40 * SCORE_CP, EXACT, "d2d4", "d7d5")
    watcher.bestmove(report(watcher, MATE - 5, LOWER, "d2d4"), 0)
    last = notes.lines[-1]
    assert (last.multipv, last.bound, last.score, last.pv) == (1, EXACT, 40 * SCORE_CP, ["d2d4", "d7d5"])


def test_the_mate_of_another_move_is_not_borrowed(watcher: Watcher, notes: Notes) -> None:
    report(watcher, MATE - 9, EXACT, "e2e4", "e7e5")
    move = report(watcher, MATE - 5, LOWER, "d2d4")
    watcher.bestmove(move, 0)
    assert notes.lines[-1].bound == LOWER


def settle(watcher: Watcher, depth: int) -> float:
    """End an iteration with the same move and score; return the factor for the soft limit."""
    report(watcher, 10 * SCORE_CP, EXACT, "e2e4", "e7e5")
    return watcher.rescale(depth, 10 * SCORE_CP, 0, 0.7, 1_000_000)


def test_thought_in_the_opponents_time_counts_after_the_hit(notes: Notes) -> None:
    """The move's clock starts at the hit, and the time spent pondering shortens the soft limit."""
    watcher = Watcher(new_board(), notes, exact_ns=0, soft_ns=10**12)
    before = [settle(watcher, depth) for depth in range(1, 9)][-1]
    watcher._started_ns -= 4 * 10**11  # as if 400 s had passed
    assert not watcher.ponderhit()
    assert settle(watcher, 9) == pytest.approx(before - 0.4, abs=0.01)
    assert 0 <= watcher.thought_ms < 1000


def test_a_budget_that_pondering_has_covered_is_told(notes: Notes) -> None:
    watcher = Watcher(new_board(), notes, exact_ns=0, soft_ns=10**12)
    watcher._started_ns -= 11 * 10**11
    assert watcher.ponderhit()


def test_without_a_clock_pondering_covers_nothing(notes: Notes) -> None:
    """A depth limit holds after the hit: `go ponder depth 20` must still reach this depth."""
    watcher = Watcher(new_board(), notes, exact_ns=0)
    watcher._started_ns -= 11 * 10**11
    assert not watcher.ponderhit()
    assert settle(watcher, 1) > 0


def test_counters_never_run_backwards(notes: Notes) -> None:
    """The last lines before the best move may come from earlier iterations."""
    watcher = Watcher(new_board(), notes, exact_ns=0)
    board = new_board()
    best, other = (parse_move(board, text) for text in ("e2e4", "d2d4"))
    watcher.info(5, 7, 1, 30 * SCORE_CP, EXACT, 1000, 1_000_000, 0, [best])
    watcher.info(5, 7, 2, 20 * SCORE_CP, EXACT, 2000, 2_000_000, 0, [other])
    watcher.info(6, 7, 2, 20 * SCORE_CP, LOWER, 9000, 9_000_000, 0, [other])
    watcher.bestmove(best, 0)
    counted = [(line.nodes, line.time_ns) for line in notes.lines]
    assert counted == sorted(counted) and counted[-1] == (9000, 9_000_000)


class Clock:
    """A clock that only moves when something waits, in place of the module ``time`` and of the event to wait for."""

    def __init__(self) -> None:
        self.ns = 1_000_000_000

    def monotonic_ns(self) -> int:
        return self.ns

    def wait(self, seconds: float) -> None:
        self.ns += round(seconds * 1e9)


@pytest.mark.parametrize("from_ponder", [False, True], ids=["fixed from the hit", "fixed from the start"])
@pytest.mark.parametrize("pondered_ms", [0, 100, 700, 900])
@pytest.mark.parametrize("searched_ms", [0, 200, 700, 800])
def test_an_exact_time_is_kept_by_a_search_that_ends_early(
    monkeypatch: pytest.MonkeyPatch, notes: Notes, pondered_ms: int, searched_ms: int, from_ponder: bool
) -> None:
    """With an exact time for the move, the best move is sent when this time has passed, or at once if the search took
    longer."""
    exact_ms, clock = 700, Clock()
    monkeypatch.setattr(watching, "time", clock)
    began = clock.ns
    watcher = Watcher(new_board(), notes, exact_ns=exact_ms * 1_000_000, pondering=True)
    monkeypatch.setattr(watcher, "_hurry", clock)
    clock.wait(pondered_ms / 1000)
    hit = clock.ns
    watcher.ponderhit()
    if from_ponder:
        assert watcher.count_pondering() == hit - began
    clock.wait(searched_ms / 1000)
    watcher.bestmove(report(watcher, 10 * SCORE_CP, EXACT, "e2e4"), 0)
    due = (began if from_ponder else hit) + exact_ms * 1_000_000
    assert clock.ns == max(due, hit + searched_ms * 1_000_000)
    assert watcher.thought_ms == (clock.ns - hit) / 1e6
