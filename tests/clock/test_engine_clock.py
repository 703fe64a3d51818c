"""The engine's own Triple Block clock: the time that it allows for a move, and its state after it, in UCI."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.clock.instants import parse_instant
from standstill.engine.clock.units import DAY_MS, parse_duration
from standstill.engine.common.info import BestMove
from standstill.engine.common.limits import Budget, Limits
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store
from standstill.engine.play.engine_clock import EngineClock
from standstill.engine.play.listener import Listener
from standstill.engine.play.timeman import Lag
from standstill.engine.settings.options import Settings
from standstill.engine.variants.boards import new_board
from tests.uci.client import Client

FULL_SCALE = 86_400


def set_option(client: Client, name: str, value: object) -> None:
    client.send(f"setoption name {name} value {value}")


def states(lines: list[str]) -> list[tuple[float, float, int, float]]:
    """(clock, bank, move, total) from each line about the clock."""
    form = r".*tripleblock clock (\S+) bank (\S+) move (\d+) total (\S+)"
    found = [re.match(form, line) for line in lines]
    return [(in_days(m[1]), in_days(m[2]), int(m[3]), in_days(m[4])) for m in found if m]


def in_days(text: str) -> float:
    return parse_duration(text) / DAY_MS


def budget_of(client: Client, go: str) -> tuple[int, int]:
    """The time limits of a search, from the lines that `debug on` adds."""
    lines = client.search(go, "startpos") + client.synchronise()
    (line,) = [line for line in lines if line.startswith("info string budget")]
    soft, hard = re.match(r"info string budget soft (\d+) hard (\d+) ms", line).groups()
    return int(soft), int(hard)


# ---- the budget, compared with the formula in exact fractions ----


def expected_soft_ms(total: Fraction, increment: Fraction, move: int, scale: int, longest: int) -> Fraction:
    """The soft limit in real milliseconds; total and increment are in days."""
    reserve = min(Fraction(3), total / 10)
    share = (total - reserve) / max(10, 50 - move + 1 + 20) + (increment if move <= 50 else 0)
    # Without an increment, each move up to move 350 (at least 100 moves) loses a fifth of the overhead and takes 2 ms.
    paid = move <= 50 and increment * scale * 1000 >= 12
    kept = 0 if paid else max(Fraction(0), 12 * max(100, 350 - move) - reserve * scale * 1000)
    lost = (50 + kept) / max(10, 50 - move + 1 + 20)  # losses in ms, spread over the moves to come
    wanted = max(share * scale * 1000 - lost, (10 if scale == FULL_SCALE else 0) * 1000)
    return min(wanted, longest * 1000) if longest else wanted


@given(
    st.integers(1, 50 * 24),
    st.integers(0, 200 * 24),
    st.integers(0, 9 * 24),
    st.integers(1, 99),
    st.sampled_from((1, 60, FULL_SCALE)),
    st.sampled_from((0, 5, 3600)),
)
def test_the_budget_is_the_share_of_the_total(
    clock: int, bank: int, increment: int, move: int, scale: int, longest: int
) -> None:
    settings = Settings()
    settings["TripleBlockScale"], settings["TripleBlockMaxThink"] = scale, longest
    engine_clock = EngineClock(settings, pytest.fail)
    engine_clock.change("TripleBlock", f"{clock}h/{bank}h/{increment}h@{move}")
    engine_clock.begin(Limits(), new_board(), None, [], Listener())
    found = engine_clock.restrict(Budget(), Limits(), 50, Lag(), forced=False)
    hours = Fraction(1, 24)
    wanted = expected_soft_ms((clock + bank) * hours, increment * hours, move, scale, longest)
    left_ms = clock * hours * scale * 1000
    assert found.hard_ms < left_ms and (not longest or found.hard_ms <= longest * 1000)
    if left_ms > 100:
        assert found.hard_ms <= float(left_ms - min(100, left_ms / 2)) + 1e-6
    clock_tick_ms = scale / FULL_SCALE
    expected = pytest.approx(min(float(max(wanted, 2)), found.hard_ms), rel=1e-6, abs=0.01 + clock_tick_ms)
    assert found.soft_ms == expected


def test_movetime_binds_beside_the_clock_and_more_time_of_the_client_does_not(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    engine.send("debug on")
    assert budget_of(engine, "go wtime 12000000000 btime 1 depth 1") == (3_600_000, 3_600_000)
    soft, hard = budget_of(engine, "go movetime 100")
    assert soft <= hard <= 100


def test_a_day_may_last_a_second(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1@17")
    set_option(engine, "TripleBlockScale", 1)
    engine.send("debug on")
    soft, hard = budget_of(engine, "go depth 1")
    assert soft == round(1000 * ((125 - 3) / 54 + 1) - 50 / 54) and hard == pytest.approx(4 * soft, abs=5)


def test_without_the_option_nothing_is_said(engine: Client) -> None:
    assert not [line for line in engine.search("go depth 2", "startpos") + engine.synchronise() if "triple" in line]


# ---- the state after each move ----


@pytest.mark.parametrize("news", [name for name in vars(Listener) if not name.startswith("_")])
def test_the_watch_passes_every_news_on(news: str) -> None:
    """With a Triple Block clock, listeners get the same reports as without one."""
    told = []

    class Ear(Listener):
        def __getattribute__(self, name: str):
            told.append(name)
            return lambda *values: None

    engine_clock = EngineClock(Settings(), pytest.fail)
    engine_clock.change("TripleBlock", "50/75/1")
    watch = engine_clock.begin(Limits(), new_board(), None, [], Ear())
    values = {"best_move": (BestMove("a1a1"),), "current_move": (1, "a1a1", 1), "outlook": ("x", True)}
    getattr(watch, news)(*values.get(news, ("x",)))
    assert news in told


@pytest.mark.parametrize(
    ("scale", "real_ns", "used_ms"),
    [(FULL_SCALE, 0, 0), (FULL_SCALE, 1, 1), (FULL_SCALE, 10**6, 1), (FULL_SCALE, 10**6 + 1, 2), (1, 10**6, 86_400)],
)
def test_a_millisecond_that_has_begun_is_spent(scale: int, real_ns: int, used_ms: int) -> None:
    engine_clock = EngineClock(Settings(), pytest.fail)
    engine_clock._settings["TripleBlockScale"] = scale
    engine_clock.change("TripleBlock", "50/75/1")
    watch = engine_clock.begin(Limits(), new_board(), None, [], Listener())
    watch.elapsed_ns = lambda: real_ns
    watch.best_move(BestMove("a1a1"))
    assert engine_clock._state.side.used_ms == used_ms


def play_on(state: str, moves: int, loss_ms: float, tells: str = "clock") -> tuple[EngineClock, list[Budget], float]:
    """A game at one second per day, in which each move loses time on its way to the client's clock.

    tells: what the client reports: its ``clock``, ``nothing``, or ``rubbish`` (a clock that never changes).
    Returns the clock, the budget of each move and the client's final total, both in real ms. The moves take
    no time.
    """
    engine_clock = EngineClock(Settings(), pytest.fail)
    engine_clock._settings["TripleBlockScale"] = 1
    engine_clock.change("TripleBlock", state)
    lag, board, budgets = Lag(), new_board(), []
    client_ms = engine_clock._state.side.total_ms / DAY_MS * 1000
    for number in range(moves):
        board.push(board.legal_moves()[0])
        board.push(board.legal_moves()[0])
        limits = Limits()
        limits.time_ms[0] = {"clock": client_ms, "nothing": None, "rubbish": 60_000}[tells]
        thought = 0 if tells != "rubbish" or not number else 100  # a clock that never changes cannot show this loss
        lag.asked(limits, 0, 2 * number, 50, thought)
        watch = engine_clock.begin(Limits(), board, None, ["a1a1"] * (2 * number), Listener())
        watch.elapsed_ns = lambda: 0
        budgets.append(engine_clock.restrict(Budget(), Limits(), 50, lag, forced=False))
        watch.best_move(BestMove("a1a1"))
        client_ms -= loss_ms
    return engine_clock, budgets, client_ms


@pytest.mark.parametrize("tells", ["nothing", "rubbish"])
def test_time_that_moves_may_lose_unseen_is_reserved(tells: str) -> None:
    """The printed state deducts only measured losses; the budget also reserves time for losses that could not be
    measured."""
    engine_clock, budgets, _ = play_on("10/0/0@60", 20, 0, tells)
    lost_ms, kept_ms = 20 * 50, (350 - 79) * (10 + 2)  # the overhead of each past move, a fifth of it for later ones
    assert budgets[-1].soft_ms == pytest.approx((10_000 - lost_ms - kept_ms) / 10)
    assert engine_clock._state.side.total_ms == 10 * DAY_MS
    _, budgets, _ = play_on("1/0/0@60", 21, 0, tells)
    assert budgets[-1].hard_ms == 2  # the clock may have run out


@pytest.mark.parametrize("loss_ms", [0, 3, 15, 200])
def test_only_time_that_the_clients_clock_shows_as_lost_is_reserved(loss_ms: float) -> None:
    _, budgets, client_ms = play_on("20/0/0@60", 80, loss_ms)
    left_ms = client_ms + loss_ms  # before the last move
    if loss_ms == 200:
        assert budgets[-1].hard_ms == 2 < left_ms
        return
    kept_ms = max(2000, (350 - 139) * (loss_ms + 2))
    assert budgets[-1].soft_ms == pytest.approx((left_ms - 50 - kept_ms) / 10, rel=0.01)
    assert budgets[-1].hard_ms <= left_ms - 50


@pytest.mark.sampled(3)
@pytest.mark.parametrize("flags", ["", ":r"])
@pytest.mark.parametrize("share", [1, 1.4, None])
@pytest.mark.parametrize("worst_ms", [2, 30])
def test_no_long_game_is_lost_by_what_its_moves_lose(share: float | None, worst_ms: int, flags: str) -> None:
    """Whole games at one second per day. share: part of the soft limit used, or None for all of the hard limit."""
    source = random.Random(worst_ms)
    engine_clock, lag, board, limits = EngineClock(Settings(), pytest.fail), Lag(), new_board(), Limits()
    engine_clock._settings["TripleBlockScale"] = 1
    engine_clock.change("TripleBlock", f"50/75/1{flags}")
    client_ms, thought_ms = 125_000.0, 0.0
    gone_ms = 0.0  # lost outside the engine
    for number in range(280):
        limits.time_ms[0] = int(client_ms)
        limits.inc_ms[0] = 1000 if number < 50 else 0
        # The clock already has the increment of the previous move.
        lag.asked(limits, 0, 2 * number, 50, thought_ms)
        watch = engine_clock.begin(Limits(), board, None, ["a1a1"] * (2 * number), Listener())
        budget = engine_clock.restrict(Budget(), Limits(), 50, lag, forced=False)
        thought_ms = budget.hard_ms if share is None else min(budget.soft_ms * share, budget.hard_ms)
        loss_ms = source.uniform(0, worst_ms)
        client_ms, gone_ms = client_ms - thought_ms - loss_ms, gone_ms + loss_ms
        # The real clock is our value minus the time that our clock did not measure.
        clock_ms = engine_clock._state.side.clock_ms / DAY_MS * 1000 - (gone_ms if flags else loss_ms) - thought_ms
        assert client_ms > 0 and clock_ms > 0, f"move {number + 1}"
        client_ms += 1000 * (number < 50)
        watch.elapsed_ns = lambda: int(thought_ms * 1e6)  # noqa: B023 (called before it changes)
        watch.best_move(BestMove("a1a1"))
        for _ in range(2):
            board.push(board.legal_moves()[0])
        if number == 90 and share is not None and worst_ms == 2 and not flags:
            assert client_ms < 4000  # most of the available time is used


def test_protection_brings_both_clocks_together_again() -> None:
    _, budgets, _ = play_on("3/0/0@250:p", 40, 0, "nothing")
    assert budgets[-1].soft_ms == pytest.approx(budgets[0].soft_ms) and budgets[-1].soft_ms > 100


def test_a_whole_game_is_counted_after_one_option(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    moves: list[str] = []
    for number in range(1, 9):
        lines = engine.search("go depth 1", f"startpos moves {' '.join(moves)}" if moves else "startpos")
        assert lines[-2].startswith("info string tripleblock ")  # printed before the move
        ((clock, bank, move, total),) = states(lines)
        # A move takes milliseconds of a day, so nearly all of its increment remains.
        assert (clock, move) == (50, number + 1)
        assert total == pytest.approx(125 + number, abs=0.01) and bank == pytest.approx(total - 50, abs=1e-5)
        moves.append(lines[-1].split()[1])
        moves.append(reply(moves))


def reply(moves: list[str]) -> str:
    """Return any legal reply."""
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return next(iter(board.legal_moves)).uci()


def test_no_increment_after_move_50(engine: Client) -> None:
    for option, total in (("20/0/5@50", 25), ("20/0/5@51", 20)):
        set_option(engine, "TripleBlock", option)
        ((_, _, _, found),) = states(engine.search("go depth 1", "startpos"))
        assert found == pytest.approx(total, abs=0.01)


def test_the_number_of_the_move_comes_from_the_position(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 30"
    assert states(engine.search("go depth 1", f"fen {fen}"))[0][2] == 31
    set_option(engine, "TripleBlock", "50/75/1@7")
    assert states(engine.search("go depth 1", f"fen {fen}"))[0][2] == 8


def test_a_new_game_begins_with_the_last_value_given(engine: Client) -> None:
    set_option(engine, "TripleBlock", "41.25/60/1@17")
    engine.search("go depth 1", "startpos")
    engine.send("ucinewgame", "d")
    assert states(engine.synchronise()) == [(41.25, 60, 17, 101.25)]


def test_a_jump_is_named_once_and_keeps_the_total(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    engine.search("go depth 1", "startpos")
    warned = []
    for _ in range(2):
        lines = engine.search("go depth 1", "startpos")
        warned += [line for line in lines if "does not follow" in line]
        assert "unknown since a jump" in lines[-2]
    assert len(warned) == 1
    set_option(engine, "TripleBlock", "50/75/1")
    assert "unknown" not in engine.search("go depth 1", "startpos")[-2]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["rubbish", "51/75/1", "50/75/1@0", "50/75/1:x", "D10", "50/75"])
def test_bad_text_is_answered_in_one_line_and_changes_nothing(engine: Client, text: str) -> None:
    set_option(engine, "TripleBlock", "40/60/1@5")
    before = (engine.send("d"), engine.synchronise())[1]
    set_option(engine, "TripleBlock", text)
    (line,) = engine.synchronise()
    assert line.startswith("info string TripleBlock: expected") and ", found " in line
    engine.send("d")
    assert engine.synchronise() == before


def test_an_empty_value_switches_it_off(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    set_option(engine, "TripleBlock", "<empty>")
    assert states(engine.search("go depth 1", "startpos")) == []


def test_the_state_is_shown_on_request(engine: Client) -> None:
    set_option(engine, "TripleBlock", "41d6h/60/1@17:p")
    for command in ("d", "eval"):
        engine.send(command)
        lines = engine.synchronise()
        assert states(lines) == [(41.25, 60, 17, 101.25)]


def test_pondering_and_analysis_cost_nothing(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    for go in ("go ponder wtime 1000 btime 1000", "go infinite"):
        engine.send("position startpos", go, "stop")
        assert states(engine.read_until("bestmove")) == []


def test_a_guess_that_came_true_costs_time_from_the_hit_on(engine: Client) -> None:
    set_option(engine, "TripleBlock", "50/75/1")
    engine.send("position startpos", "go ponder depth 3", "ponderhit")
    assert [move for _, _, move, _ in states(engine.read_until("bestmove"))] == [2]


# ---- advice ----


def test_a_refill_is_advised_in_time(engine: Client) -> None:
    set_option(engine, "TripleBlock", "2/75/1@17")
    (line,) = [line for line in engine.search("go depth 1", "startpos") if "refill" in line]
    amount, before = re.fullmatch(r"info string tripleblock refill (\S+) before (\S+Z)", line).groups()
    assert amount == "48d"
    late = datetime.now(UTC) + timedelta(days=2) - datetime.fromisoformat(before)
    assert timedelta(0) < late < timedelta(minutes=10)


@pytest.mark.parametrize("state", ["50/75/1", "2/0/1@17"])
def test_nothing_is_advised_without_need_or_bank(engine: Client, state: str) -> None:
    set_option(engine, "TripleBlock", state)
    assert not [line for line in engine.search("go depth 1", "startpos") if "refill" in line]


def test_an_analysis_is_advised_too(engine: Client) -> None:
    set_option(engine, "TripleBlock", "2.5/75/0@80")
    engine.send("position startpos", "go infinite", "stop")
    assert [line for line in engine.read_until("bestmove") if "refill 47d12h before" in line]


# ---- the store ----


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("STANDSTILL_STORE", str(tmp_path / "games.sqlite"))
    desk = Desk(Store(tmp_path / "games.sqlite", create=True))
    desk.add(Head("mine", "50/75/1", own_side=0), parse_instant("2020-01-01"))
    desk.move("mine", "e4", When(parse_instant("2020-01-01T06:00Z")))
    desk.add(Head("other", "10/50"), parse_instant("2020-01-01"))
    return desk


def test_the_state_of_a_stored_game_is_used(stored: Desk, start: Callable[..., Client]) -> None:
    engine = start()
    set_option(engine, "TripleBlockGame", "MINE")
    ((clock, _, move, total),) = states(engine.search("go depth 1", "startpos moves e2e4 e7e5"))
    assert (clock, move) == (50, 3) and total == pytest.approx(126.75, abs=0.01)
    # The given state takes precedence over the stored one.
    set_option(engine, "TripleBlock", "30/10/1@9")
    assert states(engine.search("go depth 1", "startpos"))[0][2] == 10


@pytest.mark.parametrize("name", ["nothing", "other"])
def test_a_stored_game_that_does_not_fit_is_named_in_one_line(
    stored: Desk, start: Callable[..., Client], name: str
) -> None:
    engine = start()
    set_option(engine, "TripleBlockGame", name)
    (line,) = engine.synchronise()
    assert line.startswith("info string TripleBlockGame: ") and name in line


def test_a_missing_store_is_answered_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Callable[..., Client]
) -> None:
    monkeypatch.setenv("STANDSTILL_STORE", str(tmp_path / "games.sqlite"))
    engine = start()
    set_option(engine, "TripleBlockGame", "x")
    (line,) = engine.synchronise()
    assert "no store at" in line


@pytest.mark.parametrize("value", ["<empty>", "60/10/2"])
def test_a_clock_changed_during_a_search_leaves_the_search_alone(engine: Client, value: str) -> None:
    """If the clock is cleared or set again, the running search still gives its move, but the move is not counted."""
    engine.send("setoption name TripleBlock value 50/75/1", "position startpos", "go infinite")
    engine.send(f"setoption name TripleBlock value {value}", "stop")
    engine.read_until("bestmove")
    engine.send("debug on")
    before = [line for line in engine.search("go depth 2") if "tripleblock clock" in line]
    assert len(before) == (0 if value == "<empty>" else 1)
    engine.send("go wtime 3000000 btime 3000000", f"setoption name TripleBlock value {value}", "stop")
    engine.read_until("bestmove")
    assert engine.search("go depth 1")


def test_a_clock_cleared_during_a_search_in_xboard(start) -> None:
    client = start()
    client.send("xboard", "protover 2", "new", "option TripleBlock=50/75/1", "level 0 180000 0", "go")
    client.send("option TripleBlock=", "?")
    client.read_until("move")
    client.send("force", "new", "sd 2", "go")
    client.read_until("move")


# ---- client's clocks that show less than the engine's ----


@pytest.mark.sampled(5)
@pytest.mark.parametrize("state", ["50/75/1", "40/60/1", "30/75/1", "50/0/0:r"])
@pytest.mark.parametrize("left_ms", [1, 3000, 60_000, 300_000, 7_200_000, 86_400_000])
def test_a_clock_of_minutes_is_believed_under_days(engine: Client, state: str, left_ms: int) -> None:
    set_option(engine, "TripleBlock", state)
    engine.send("debug on")
    lines = engine.search(f"go wtime {left_ms} btime {left_ms} depth 1", "startpos") + engine.synchronise()
    (hard,) = (int(found[1]) for line in lines if (found := re.search(r"budget soft \d+ hard (\d+) ms", line)))
    assert hard < left_ms / 2 or hard <= 2
    assert sum("client's clock shows less" in line for line in lines) == 1


def test_a_clock_that_xboard_has_begun_anew_is_not(engine: Client) -> None:
    """XBoard counts modulo 2^32 ms: it shows 50 days as 6 h 57 min, and 125 days as 25.6 days."""
    for state, days in (("50/75/1", 50), ("50/75/1", 125), ("40/60/1", 100)):
        set_option(engine, "TripleBlock", state)
        engine.send("ucinewgame", "debug on")
        left_ms = days * DAY_MS % 2**32
        assert budget_of(engine, f"go wtime {left_ms - 500} btime {left_ms} depth 1") == (3_600_000, 3_600_000)


# ---- an engine that was started again ----


@pytest.mark.parametrize(
    ("left_ms", "longest"), [pytest.param(20_000, 7_000, marks=pytest.mark.slow), (2_000, 1_000), (200, 150)]
)
def test_a_shorter_clock_of_the_client_is_believed(engine: Client, left_ms: int, longest: int) -> None:
    """One second per day, move 40: after a restart the engine counts from 125 seconds again; the client's clock goes
    on."""
    set_option(engine, "TripleBlockScale", 1)
    set_option(engine, "TripleBlock", "50/75/1")
    engine.send("debug on")
    fen = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 40"
    lines = engine.search(f"go wtime {left_ms} btime 90000", f"fen {fen}") + engine.synchronise()
    assert sum("client's clock shows less" in line for line in lines) == 1
    (line,) = [line for line in lines if line.startswith("info string budget")]
    soft, hard = map(int, re.match(r"info string budget soft (\d+) hard (\d+) ms", line).groups())
    assert soft <= hard <= longest and soft <= max(30, left_ms / 10 + 1000)


def test_a_clock_that_began_anew_at_its_width_is_not_believed(engine: Client) -> None:
    """XBoard shows 50 days as 7 hours."""
    set_option(engine, "TripleBlock", "50/0/1")
    engine.send("debug on")
    lines = engine.search(f"go wtime {50 * DAY_MS - 2**32} movetime 50", "startpos") + engine.synchronise()
    assert not any("shows less" in line for line in lines)


def test_the_stored_clock_is_shown_before_the_first_go_and_its_position_checked(
    monkeypatch: pytest.MonkeyPatch, start: Callable[..., Client], tmp_path: Path
) -> None:
    monkeypatch.setenv("STANDSTILL_STORE", str(tmp_path / "games.sqlite"))
    engine = start()
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        desk.add(Head("g", "50/75/1", own_side=0), parse_instant("2020-01-01"))
        for move in ("e4", "e5"):
            desk.move("g", move, When(parse_instant("2020-01-02")))
        desk.correct("g", 0, {"clock_ms": 40 * DAY_MS, "bank_ms": 3 * DAY_MS}, When())
    set_option(engine, "TripleBlockGame", "g")
    engine.send("d")
    ((clock, bank, move, _),) = states(engine.synchronise())
    assert (round(clock), bank, move) == (40, 3, 2)
    said = engine.search("go movetime 20", "startpos moves d2d4 d7d5") + engine.search(
        "go movetime 20", "startpos moves d2d4 d7d5"
    )
    assert sum("the position is not that of g" in line for line in said) == 1
    said = engine.search("go movetime 20", "startpos moves e2e4 e7e5")
    assert not any("the position is not" in line for line in said)


def test_the_next_move_is_numbered_before_any_search(engine: Client) -> None:
    """The position gives the move number, as for the first `go`; a number in the state takes precedence."""
    moves = "moves e2e4 e7e5 g1f3 b8c6"
    engine.send("setoption name TripleBlock value 41/60/1", f"position startpos {moves}", "d")
    assert [line for line in engine.synchronise() if "tripleblock" in line] == [
        "info string tripleblock clock 41d bank 60d move 3 total 101d"
    ]
    engine.send("setoption name TripleBlock value 41/60/1@17", "d")
    assert "move 17 " in engine.synchronise()[-1]


def test_after_a_jump_the_number_of_the_move_is_that_of_the_position(engine: Client) -> None:
    """Jumps forwards, backwards and to a FEN: the clock's move number differs from the position's by a constant."""
    set_option(engine, "TripleBlock", "50/75/1@7")
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    found = []
    for moves in (0, 2, 5, 1, 1, 3):  # repetitions of the four half-moves, two moves each
        position = f"startpos moves {shuffle * moves}".removesuffix(" moves ").strip()
        ((_, _, number, _),) = states(engine.search("go depth 1", position))
        found.append(number)
    # The line after a move gives the number of the next one.
    assert found == [8 + 2 * moves for moves in (0, 2, 5, 1, 1, 3)]
