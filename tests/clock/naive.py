"""A second model of Triple Block, as simple as possible: it counts time hour by hour.

It uses only whole hours, a dictionary for each side, and no formula of the real model.
"""

from __future__ import annotations

import random

DAY = 24


class NaiveGame:
    def __init__(
        self, clock: int, bank: int, increment: int, protection: bool, auto_refill: bool, day: int = DAY
    ) -> None:
        """day: number of time units in a day; times are in these units, by default hours."""
        self.day = day
        self.sides = [{"clock": clock, "bank": bank, "moves": 0, "used": 0} for _ in range(2)]
        self.increment, self.protection, self.auto_refill = increment, protection, auto_refill
        self.to_move = 0
        self.stopped = False  # by a pending claim
        self.lost = False

    def wait(self, hours: int) -> None:
        for _ in range(hours):
            if self.stopped or self.lost:
                return
            side = self.sides[self.to_move]
            side["clock"] -= 1
            side["used"] += 1
            if side["clock"] == 0:
                self.lost = True

    def move(self) -> None:
        side = self.sides[self.to_move]
        side["moves"] += 1
        if side["moves"] <= 50:
            for _ in range(self.increment):  # each hour goes to the clock until the clock is full, then to the bank
                side["clock" if side["clock"] < 50 * self.day else "bank"] += 1
        if self.auto_refill:
            self.refill(50 * self.day)
        if self.protection and side["moves"] > 50 and side["clock"] + side["bank"] < 3 * self.day:
            side["clock"], side["bank"] = 3 * self.day, 0
        self.to_move = 1 - self.to_move

    def refill(self, wanted: int) -> None:
        side = self.sides[self.to_move]
        while wanted and side["bank"] and side["clock"] < 50 * self.day:
            side["clock"] += 1
            side["bank"] -= 1
            wanted -= 1


def random_terms(source: random.Random) -> tuple[int, int, int, bool, bool]:
    """(clock, bank, increment, protection, automatic refill), times in hours; most terms are usual, some odd."""
    if source.random() < 0.7:
        return 50 * DAY, source.choice((50, 75)) * DAY, source.randrange(10) * DAY, source.random() < 0.3, True
    return (
        source.randint(1, 50 * DAY),
        source.randrange(100 * DAY),
        source.randrange(10 * DAY),
        source.random() < 0.5,
        source.random() < 0.5,
    )


def random_events(source: random.Random, count: int) -> list[tuple[str, int, int]]:
    """(kind, hours since the previous event, hours requested); not all of these events will be legal."""
    longest = source.choice((1, 30, 300, 1300))  # hours: some games are fast, some use nearly all time
    kinds = ("move",) * source.choice((2, 12)) + ("refill", "refill", "claim", "decide", "replace")
    return [
        (source.choice(kinds), source.randrange(longest), source.choice((0, source.randint(1, 60 * DAY))))
        for _ in range(count)
    ]
