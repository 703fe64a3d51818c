"""Banks and refills inferred from a server's clocks, compared with the true ones.

What servers and players can do between two fetches, and what the store sees:

* nothing: the running clock has lost the time that passed;
* the side to move refills, once or several times, by little or much, right after the move or at the last second: the
  clock shows more than the elapsed time allows, and nothing else changes;
* one move, or several, with times to the second or to the minute, or without: the time is divided in some way;
* a refill before or after a move: if the move has no time, the two cannot be told apart;
* a claim that stops the clocks and is rejected, seen as pending or not at all, with or without moves and refills in the
  same interval; a claim that is accepted, or ended by a result;
* a substitute, with the captain's refill or without, in the middle of a turn;
* a draw offer, which stands until the next move or goes unseen;
* the end of the game, on the board, on time or by a director; a game missing from the list, and back again;
* moves 50 and 51, because no increment follows move 50; sudden-death protection, which adds time outside the sums;
* the user's own move entered here, on the page or both; the user's refill entered here, on the page or both;
* a start in the future, on another day than the event's, or in another time zone;
* clocks that are missing, unreadable, or show clock and bank together; a clock at rest that is not full;
* a correction by the director, a store restored from a backup, a system clock that is wrong, terms that are wrong: sums
  that contradict each other.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from standstill.engine.clock.control import ClockSide
from standstill.engine.clock.game_clocks import MOVE, RUNNING, Event, GameClocks
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.units import MINUTE_MS, SECOND_MS
from standstill.engine.correspondence.desk import When
from standstill.engine.correspondence.servers.accounts import Account
from standstill.engine.correspondence.servers.bridge import Wishes
from standstill.engine.correspondence.servers.fetching import fetch_all
from standstill.engine.correspondence.servers.inference import Range, Sight, infer, instants_of
from tests.correspondence import watcher as watchers
from tests.correspondence.played_server import DAY, Manner, PlayedGame, random_manner
from tests.correspondence.twins import undecidable
from tests.correspondence.watcher import Calendar, follow, mover, played_games, watching
from tests.correspondence.xfcc_server import USER

FULL_LENGTH = bool(os.environ.get("STANDSTILL_LONG"))


@pytest.fixture
def calendar() -> Iterator[Calendar]:
    with watchers.calendar() as found:
        yield found


@pytest.mark.parametrize("enters", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("seed", range(50 if FULL_LENGTH else 1))
def test_what_is_known_is_true(tmp_path: Path, calendar: Calendar, seed: int, enters: bool) -> None:
    """Random games, seen at random instants: known values are true, and limits contain the true value.

    Banks are known if the server gives the times of moves, or if the owner enters moves and refills as they happen.
    """
    source = random.Random(seed)
    games = played_games(source, *((10, 130) if FULL_LENGTH else (2, 10)))
    with watching(tmp_path / "games.sqlite", games, calendar, enters=enters) as watcher:
        follow(watcher, source, source.choice((0.5, 2, 8) if FULL_LENGTH else (4, 8)))
        counts = watcher.counts
    assert counts
    told = [(known, number) for (stamps, known), number in counts.items() if enters or stamps != "none"]
    # The opponent's claims and the captains' refills are unknown, so a few banks are.
    assert sum(number for known, number in told if known) >= 0.8 * sum(number for _, number in told)


@pytest.mark.slow
def test_rounded_stamps_do_not_add_up(tmp_path: Path, calendar: Calendar) -> None:
    """Stamps in minutes, for a slow player whose bank is empty: the limits of both totals contain the true ones."""
    games = [PlayedGame(Manner(0, 1, False, (0.2, 7), 0, "minutes", False, 0, 12), random.Random(0))]
    with watching(tmp_path / "games.sqlite", games, calendar, enters=True) as watcher:
        follow(watcher, random.Random(1), 4)
        assert watcher.counts["minutes", True] > 10 and not watcher.counts["minutes", False]


def test_a_stamp_in_minutes_may_lie_before_the_move_that_it_answers() -> None:
    """A move entered at 12:00:20 is answered within the minute, and the answer is stamped 12:00."""
    second, minute = SECOND_MS, MINUTE_MS
    noon = 12 * 60 * minute
    moves = [Event(MOVE, noon + 20 * second), Event(MOVE, noon + 25 * second), Event(MOVE, noon + 2 * minute)]
    limits = instants_of(moves, noon + 20 * second, noon + 9 * minute)
    assert [(each.least - noon, each.most - noon) for each in limits] == [
        (20 * second, minute - 1), (25 * second, 26 * second - 1), (2 * minute, 3 * minute - 1)
    ]  # fmt: skip


def test_the_time_that_earlier_moves_earned_may_be_used_since() -> None:
    """Black made three moves, three days each, and has used more than all earlier time in an interval of 29 days."""
    day = DAY * 1000
    white, black = (
        ClockSide(clock, bank, 27, credit_ms=clock + bank, bank_known=False, slack_ms=76 * day)
        for clock, bank in ((50 * day, 75 * day), (51 * day // 2, 0))
    )
    before = GameClocks(parse_control("50/75/3"), (white, black), 1, RUNNING, 0, 0)
    both = Range(453 * day // 2, 453 * day // 2)
    found = infer(Sight(before, both, (Range(0, 29 * day),) * 6, 29 * day, (50 * day, 6 * day)))
    # White had 201 days and Black 25.5. Black has used 28.5 since, White half a day, and each has received nine.
    assert found.totals[1].least <= 6 * day <= found.totals[1].most
    assert found.totals[0].least <= 419 * day // 2 <= found.totals[0].most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "stamps"),
    [
        pytest.param(590, "minutes", id="a-clock-a-second-too-high"),
        pytest.param(91, "seconds", id="a-resting-clock-124-s-too-low"),
    ],
)
def test_errors_do_not_add_up(tmp_path: Path, calendar: Calendar, game: int, stamps: str) -> None:
    """Games of `tools/measure/play/banks.py` in which a clock was once further from the true one than allowed."""
    source = random.Random(f"banks {game}")
    with watching(tmp_path / "games.sqlite", played_games(source, 1), calendar, enters=bool(game % 2)) as watcher:
        follow(watcher, source, source.choice((1, 2, 4, 8)))
        assert watcher.counts[stamps, True] > 100


def test_a_refill_before_the_first_fetch_is_not_in_the_log(tmp_path: Path, calendar: Calendar) -> None:
    """Game 575 of `tools/measure/play/banks.py`: its owner enters every refill, but took it over with a fresh clock."""
    source = random.Random("banks 575")
    played = played_games(source, 1)
    first = played[0].moments[2]
    assert (first.action, first.ply, first.names[0]) == ("replace", 0, "Substitute2, W") and first.amount > 0
    with watching(tmp_path / "games.sqlite", played, calendar, enters=True) as watcher:
        follow(watcher, source, source.choice((1, 2, 4, 8)))
    assert first.at < watcher.compared[0][0] and len(watcher.compared) > 20


@pytest.mark.parametrize("late_s", [-30, 30, 90, 300])
def test_a_clock_that_has_just_run_out_shows_no_negative_time(late_s: int) -> None:
    """Black's only day ran out within the two minutes that the server's clocks leave undetermined, or before those
    minutes."""
    day = DAY * 1000
    white, black = (
        ClockSide(clock, bank, 27, credit_ms=clock + bank) for clock, bank in ((50 * day, 9 * day), (day, 0))
    )
    before = GameClocks(parse_control("50/75/2"), (white, black), 1, RUNNING, 0, 0)
    found = infer(Sight(before, Range(60 * day, 60 * day), (), day + late_s * SECOND_MS, (50 * day, 0)))
    assert all(0 <= each.least <= each.most for each in (*found.totals, found.both))
    assert found.totals[1].least == max(0, -late_s * SECOND_MS)


SHUFFLED = Manner(75, 1, False, (2, 2), 0, "seconds", True, 0, 24)


def test_an_owner_who_enters_all_claims_knows_his_bank(tmp_path: Path, calendar: Calendar) -> None:
    """Both sides repeat positions and make claims that are rejected; the owner enters his own."""
    played = PlayedGame(SHUFFLED, random.Random(3))
    claims = Counter(moment.ply % 2 for moment in played.moments if moment.action == "claim")
    assert min(claims[0], claims[1]) > 0
    with watching(tmp_path / "games.sqlite", [played], calendar, enters=True) as watcher:
        follow(watcher, random.Random(1), 8)
    known = Counter((side == SHUFFLED.own_side, known) for _, side, known in watcher.compared)
    assert known[True, True] > 10 and not known[True, False]
    assert known[False, False]


def test_two_histories_look_the_same_to_every_fetch() -> None:
    """A bank that cannot be known: the server gives equal answers in two games whose banks differ by over an hour."""
    played = PlayedGame(SHUFFLED, random.Random(3))
    seen = range(played.start + DAY, played.now.at, 2 * DAY)
    hidden = undecidable(played, seen, enters=False)
    assert {side for _, side in hidden} == {0, 1}
    for (at, side), twins in hidden.items():
        banks = [twin.game.at(at).banks[side] for twin in twins]
        assert banks[1] - banks[0] > 3600
        answers = [[twin.game.shown(fetched) for fetched in seen if fetched <= at] for twin in twins]
        assert answers[0] == answers[1] == [played.shown(fetched) for fetched in seen if fetched <= at]
    # The owner knows his own claims, so only the opponent's bank is uncertain.
    assert {side for _, side in undecidable(played, seen, enters=True)} == {1}


@pytest.mark.slow
def test_protection_and_late_moves_are_played(calendar: Calendar) -> None:
    """The random games contain every kind of event, and long games."""
    source = random.Random(3)
    games = [PlayedGame(random_manner(source), random.Random(number)) for number in range(20)]
    actions = Counter(moment.action for game in games for moment in game.moments)
    assert min(actions[action] for action in ("refill", "claim", "rejected", "replace", "move", "end")) > 0
    assert any(len(game.moves) > 100 for game in games)
    assert all(value >= 0 for game in games for moment in game.moments for value in moment.clocks + moment.banks)


def test_a_known_manner_has_a_known_result() -> None:
    """Instant moves save all increments: the server's own clocks follow the published example."""
    manner = Manner(75, 1, False, (1e-9, 1e-9), 0, "none", False, 0, 20)
    game = PlayedGame(manner, random.Random(1))
    assert game.moments[0].clocks == [50 * DAY, 50 * DAY]
    last = [moment for moment in game.moments if moment.action == "move"][-1]
    spent = last.at - game.start
    assert sum(last.clocks) + sum(last.banks) == 2 * 125 * DAY + len(game.moves) * DAY - spent


def test_the_store_knows_what_the_protocol_shows() -> None:
    assert parse_control(Manner(75, 1, True, (1, 1), 0, "none", False, 0, 20).control).text == "50/75/1:p"


def test_an_unknown_bank_is_announced_once(tmp_path: Path, calendar: Calendar) -> None:
    """A game that has begun before the first fetch: the report counts it, and later fetches name only the moves."""
    played = PlayedGame(Manner(75, 1, False, (3, 3), 0, "none", False, 0, 20), random.Random(4))
    with watching(tmp_path / "games.sqlite", [played], calendar) as watcher:
        told = []
        for ply in range(5, 14, 2):
            watcher.server.now = calendar.now = played.moves[ply - 1][1] + 600
            report = fetch_all(watcher.desk, watcher.client, Wishes())
            told.append(report.lines())
            assert report.problems == []
        assert played.moves[12][1] + 600 < played.moves[13][1]
    name = told[0][0].partition(":")[0]
    assert told[0] == [
        f"{name}: new game, 5 half-moves",
        "1 new game: the bank is unknown, because the server does not show it;"
        " enter yours with `correct`, and the opponent's follows",
    ]
    sans = [san for san, _ in played.moves]
    expected = [f"{name}: 2 new half-moves (to {ply // 2 + 1}.{sans[ply - 1]})" for ply in range(7, 14, 2)]
    assert [lines[0] for lines in told[1:]] == expected and {len(lines) for lines in told[1:]} == {1}


def test_one_corrected_bank_and_entered_refills_make_all_banks_known(tmp_path: Path, calendar: Calendar) -> None:
    """A game that has begun before the first fetch, on a server without times of moves."""
    played = PlayedGame(Manner(75, 1, False, (3, 3), 0, "none", False, 0, 20), random.Random(4))
    with watching(tmp_path / "games.sqlite", [played], calendar, enters=True) as watcher:
        start = played.moves[4][1] + 600
        watcher.fetch(start)
        truth, name = played.at(start), watcher.names["1"]
        assert not watcher.counts["none", True]
        values = {"clock_ms": truth.clocks[0] * 1000, "bank_ms": truth.banks[0] * 1000}
        watcher.desk.correct(name, 0, values, When(start * 1000))
        watcher.counts.clear()
        account = Account(watcher.server.url, USER, refills_entered=True)
        for index, moment in enumerate(played.moments):
            if moment.action == "move" and moment.at > start:
                watcher.calendar.now = watcher.server.now = moment.at
                if mover(played, index) == played.manner.own_side:
                    watcher.enter(1, "move", moment)
                fetch_all(watcher.desk, watcher.client, Wishes(), account=account)
                watcher.compare("1", moment.at)
        assert watcher.counts["none", True] > 20 and not watcher.counts["none", False]
