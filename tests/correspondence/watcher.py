"""A user who fetches random games from a server of the tests, and compares the store with the true clocks and banks."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from standstill.engine.clock.units import MINUTE_MS, SECOND_MS
from standstill.engine.correspondence import desk as desk_module
from standstill.engine.correspondence import transfer
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.servers import bridge
from standstill.engine.correspondence.servers.inference import KNOWN_MS
from standstill.engine.correspondence.servers.xfcc import Server, XfccGame
from standstill.engine.correspondence.store import Store
from tests.correspondence.played_server import DAY, Moment, PlayedGame, PlayedServer, random_manner
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import PASSWORD, USER

# A server shows clocks in whole minutes.
SHOWN_MS = MINUTE_MS + SECOND_MS
ENTERED = ("move", "refill", "claim", "rejected")  # what the owner enters, if at all


class Calendar:
    """The store's current time, in s."""

    now = 0

    def ms(self) -> int:
        return self.now * 1000


@contextmanager
def calendar() -> Iterator[Calendar]:
    """Set the current time of the store for the time of a simulation."""
    found = Calendar()
    with ExitStack() as stack:
        for module in (bridge, transfer, desk_module):
            stack.enter_context(patch.object(module, "now_ms", found.ms))
        # Reading the system's certificates for every request would take most of the time.
        stack.enter_context(patch.dict(os.environ, {"SSL_CERT_DIR": ENV["SSL_CERT_DIR"]}))
        yield found


class Watcher:
    """Fetches games from a server as their owner does, and compares the store with the true state.

    enters: whether the owner sends moves and enters refills and claims here. counts: number of compared banks by
    (stamps, known). compared: (instant, side, known) of each of them.
    """

    def __init__(self, store: Path, games: list[PlayedGame], calendar: Calendar, enters: bool = False):
        self.server = PlayedServer(games)
        self.client = Server(self.server.url, USER, PASSWORD)
        self.desk = Desk(Store(store, create=True))
        self.games, self.calendar, self.enters = games, calendar, enters
        self.counts: Counter[tuple[str, bool]] = Counter()
        self.compared: list[tuple[int, int, bool]] = []
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
        # A refill of less than two minutes is not seen: the clock gains what the bank loses.
        assert -played.unseen(at, side) * SECOND_MS <= bank_ms - ours.bank_ms <= ours.slack_ms, what
        if ours.bank_known:
            assert ours.slack_ms <= KNOWN_MS + MINUTE_MS, what
            self.errors.append(abs(ours.bank_ms - bank_ms))
        self.counts[played.manner.stamps, ours.bank_known] += 1
        self.compared.append((at, side, ours.bank_known))
        self.widths.append(ours.slack_ms)

    def enter(self, number: int, action: str, moment: Moment) -> None:
        """Enter the owner's own action here as it happens."""
        played, name = self.games[number - 1], self.names[str(number)]
        if action == "move":
            san, at = played.moves[moment.ply - 1]
            self.desk.move(name, san, When(at * 1000))
            self.desk.add_events(name, lambda game: [], {"server_ply": moment.ply})
        elif action == "claim":
            self.desk.claim(name, "draw", When(moment.at * 1000))
        elif action == "rejected":
            self.desk.decide(name, accepted=False, result=None, when=When(moment.at * 1000))
        elif moment.amount:
            self.desk.refill(name, moment.amount * 1000, When(moment.at * 1000))


def follow(watcher: Watcher, source: random.Random, every: float) -> None:
    """Fetch at random instants, ``every`` days apart on average, until all games have ended."""
    last = max(game.now.at for game in watcher.games)
    own = sorted(
        (moment.at, number, index)
        for number, game in enumerate(watcher.games, 1)
        for index, moment in enumerate(game.moments)
        if watcher.enters and moment.action in ENTERED and mover(game, index) == game.manner.own_side
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
