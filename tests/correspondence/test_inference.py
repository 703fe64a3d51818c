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
* moves 50 and 51, from which on nothing is added; sudden-death protection, which adds time outside the sums;
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
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from standstill.engine.clock.game_clocks import MOVE, Event
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.units import MINUTE_MS, SECOND_MS
from standstill.engine.correspondence import desk as desk_module
from standstill.engine.correspondence import transfer
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.servers import bridge
from standstill.engine.correspondence.servers.inference import KNOWN_MS, instants_of
from standstill.engine.correspondence.servers.xfcc import Server, XfccGame
from standstill.engine.correspondence.store import Store
from tests.correspondence.played_server import DAY, Manner, Moment, PlayedGame, PlayedServer, random_manner
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import PASSWORD, USER

# A server shows clocks in whole minutes.
SHOWN_MS = MINUTE_MS + SECOND_MS
FULL_LENGTH = bool(os.environ.get("STANDSTILL_LONG"))


class Calendar:
    """The store's current time, in s."""

    now = 0

    def ms(self) -> int:
        return self.now * 1000


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    found = Calendar()
    for module in (bridge, transfer, desk_module):
        monkeypatch.setattr(module, "now_ms", found.ms)
    # Reading the system's certificates for every request would take most of the time.
    monkeypatch.setenv("SSL_CERT_DIR", ENV["SSL_CERT_DIR"])
    return found


class Watcher:
    """Fetches games from a server as their owner does, and compares the store with the true state.

    enters: whether the owner sends moves and enters refills here. counts: compared banks by (stamps, known).
    """

    def __init__(self, store: Path, games: list[PlayedGame], calendar: Calendar, enters: bool = False):
        self.server = PlayedServer(games)
        self.client = Server(self.server.url, USER, PASSWORD)
        self.desk = Desk(Store(store, create=True))
        self.games, self.calendar, self.enters = games, calendar, enters
        self.counts: Counter[tuple[str, bool]] = Counter()
        self.widths: list[int] = []
        self.errors: list[int] = []
        self.names: dict[str, str] = {}

    def fetch(self, at: int) -> None:
        self.server.now = self.calendar.now = at
        for found in self.client.games():
            assert isinstance(found, XfccGame)
            wishes = bridge.Wishes(refills_entered=self.enters)
            self.names[found.id] = bridge.fetch(self.desk, self.server.url, found, wishes).name
            self.compare(found.id, at)

    def compare(self, number: str, at: int) -> None:
        played = self.games[int(number) - 1]
        truth, game = played.at(at), self.desk.load(self.names[number])
        assert game.clocks.problems() == []
        if truth.result != "Ongoing":
            assert game.over
            return
        for side in (0, 1):
            self.compare_side(played, truth, game, side, at)

    def compare_side(self, played: PlayedGame, truth: Moment, game: CorrespondenceGame, side: int, at: int) -> None:
        ours = game.clocks.shown(side, at * 1000)
        clock_ms, bank_ms = truth.clocks[side] * 1000, truth.banks[side] * 1000
        what = (played.manner, truth, ours, side)
        # No clock is shown too large, and the limits contain the true values.
        assert ours.clock_known and 0 <= clock_ms - ours.clock_ms <= 2 * SHOWN_MS, what
        assert 0 <= clock_ms + bank_ms - ours.total_ms <= ours.slack_ms, what
        # A refill of less than two minutes is not seen: as much as the bank has less, the clock has more.
        assert -played.unseen(at, side) * SECOND_MS <= bank_ms - ours.bank_ms <= ours.slack_ms, what
        if ours.bank_known:
            assert ours.slack_ms <= KNOWN_MS + MINUTE_MS, what
            self.errors.append(abs(ours.bank_ms - bank_ms))
        self.counts[played.manner.stamps, ours.bank_known] += 1
        self.widths.append(ours.slack_ms)

    def enter(self, number: int, action: str, moment: Moment) -> None:
        """Enter the owner's own action here as it happens."""
        played, name = self.games[number - 1], self.names[str(number)]
        if action == "move":
            san, at = played.moves[moment.ply - 1]
            self.desk.move(name, san, When(at * 1000))
            self.desk.add_events(name, lambda game: [], {"server_ply": moment.ply})
        elif moment.amount:
            self.desk.refill(name, moment.amount * 1000, When(moment.at * 1000))


def follow(watcher: Watcher, source: random.Random, every: float) -> None:
    """Fetch at random instants, ``every`` days apart on average, until all games have ended."""
    last = max(game.now.at for game in watcher.games)
    own = sorted(
        (moment.at, number, index)
        for number, game in enumerate(watcher.games, 1)
        for index, moment in enumerate(game.moments)
        if watcher.enters and moment.action in ("move", "refill") and mover(game, index) == game.manner.own_side
    )
    at = watcher.games[0].start + source.randrange(DAY)
    watcher.calendar.now = 0
    while at < last + DAY:
        following = at + int(source.expovariate(1 / (every * DAY))) + 1
        while own and own[0][0] <= at:
            instant, number, index = own.pop(0)
            # The owner looks at the game before acting in it.
            watcher.fetch(max(instant - 1, watcher.calendar.now))
            watcher.calendar.now = instant
            moment = watcher.games[number - 1].moments[index]
            watcher.enter(number, moment.action, moment)
        watcher.fetch(at)
        at = following


def mover(game: PlayedGame, index: int) -> int:
    return (game.moments[index].ply - (game.moments[index].action == "move")) % 2


def played_games(source: random.Random, count: int, longest: int = 130) -> list[PlayedGame]:
    manners = (random_manner(source) for _ in range(count))
    return [
        PlayedGame(replace(manner, length=min(manner.length, longest)), random.Random(source.random()))
        for manner in manners
    ]


@contextmanager
def watching(*arguments, **options) -> Iterator[Watcher]:
    watcher = Watcher(*arguments, **options)
    try:
        yield watcher
    finally:
        watcher.server.shutdown()
        watcher.server.server_close()
        watcher.desk.store.close()


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
    # The owner does not enter claims and substitutes, so a few banks stay unknown.
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
