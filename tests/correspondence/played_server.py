"""A server with random Triple Block games, visible only through Xfcc.

Its clocks are independent of the program's: whole seconds in two lists, and the event's rules applied one by one. The
whole game is played first; then the server can show any instant of it.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import chess

from tests.correspondence.xfcc_server import XfccServer

MINUTE, DAY = 60, 86_400
CAP = 50 * DAY
FIRST = int(datetime(2026, 1, 5, tzinfo=UTC).timestamp())
SHUFFLES = ("g1f3", "g8f6", "f3g1", "f6g8")


@dataclass
class Moment:
    """The true state from an instant on, in s. running: the side whose clock runs, None while both clocks stand."""

    at: int
    running: int | None
    clocks: list[int]
    banks: list[int]
    ply: int = 0
    names: tuple[str, str] = ("Nowak, Jan", "Smith, A")
    pending: bool = False
    offered: bool = False
    result: str = "Ongoing"
    action: str = ""  # what changed the state: move, refill, ...
    amount: int = 0

    def later(self, at: int) -> Moment:
        """The same state at a later instant."""
        clocks = [*self.clocks]
        if self.running is not None:
            clocks[self.running] -= at - self.at
        return replace(self, at=at, clocks=clocks, banks=[*self.banks], action="", amount=0, offered=False)


@dataclass
class Manner:
    """How a game is played and shown. stamps: precision of the times of moves: none, minutes or seconds. shuffling: do
    both sides repeat moves?"""

    bank: int
    increment: int
    protection: bool
    pace: tuple[float, float]  # range of the usual days for a move
    refills: float  # probability of an unnecessary refill, each turn
    stamps: str
    shuffling: bool
    own_side: int
    length: int  # in plies

    @property
    def control(self) -> str:
        return f"50/{self.bank}/{self.increment}" + ":p" * self.protection


def random_manner(source: random.Random) -> Manner:
    return Manner(
        bank=source.choice((50, 75)),
        increment=source.randrange(1, 7),
        protection=source.random() < 0.2,
        pace=(source.choice((0.2, 1, 3, 7)), source.choice((0.2, 1, 3, 7))),
        refills=source.choice((0, 0, 0.05, 0.3)),
        stamps=source.choice(("none", "minutes", "seconds")),
        shuffling=source.random() < 0.2,
        own_side=source.randrange(2),
        length=source.choice((20, 60, 130)),
    )


def reward(manner: Manner, moment: Moment, side: int) -> None:
    """Give the side that has just moved its increment, and fill its clock from its bank."""
    number = (moment.ply + 1) // 2
    if number <= 50:
        moment.clocks[side] += manner.increment * DAY
    for into, out in ((moment.banks, moment.clocks), (moment.clocks, moment.banks)):
        # First the clock's time beyond 50 days goes to the bank, then the bank fills the clock.
        amount = out[side] - CAP if out is moment.clocks else min(CAP - moment.clocks[side], out[side])
        if amount > 0:
            out[side] -= amount
            into[side] += amount
    if manner.protection and number > 50 and moment.clocks[side] + moment.banks[side] < 3 * DAY:
        moment.clocks[side], moment.banks[side] = 3 * DAY, 0


@dataclass
class PlayedGame:
    """A random game. moments: the state after every change. moves: (SAN, instant)."""

    manner: Manner
    source: random.Random
    start: int = FIRST
    moments: list[Moment] = field(default_factory=list)
    moves: list[tuple[str, int]] = field(default_factory=list)
    board: chess.Board = field(default_factory=chess.Board)

    def __post_init__(self) -> None:
        bank = self.manner.bank * DAY
        self.moments.append(Moment(self.start, 0, [CAP, CAP], [bank, bank]))
        while len(self.moves) < self.manner.length and self.now.result == "Ongoing":
            self.turn()
        if self.now.result == "Ongoing":
            self.add(self.now.at, "end", running=None, result=self.source.choice(("Draw", "BlackWins")))
        self.instants = [moment.at for moment in self.moments]

    @property
    def now(self) -> Moment:
        return self.moments[-1]

    def add(self, at: int, action: str, **changes: object) -> Moment:
        moment = replace(self.now.later(at), action=action, **changes)
        self.moments.append(moment)
        return moment

    def turn(self) -> None:
        """Play one player's turn, with everything that may happen before the move."""
        source, side = self.source, self.now.running
        assert side is not None
        usual = self.manner.pace[side] * DAY
        think = int(min(source.expovariate(1 / usual), source.choice((40, 120)) * DAY)) + 1
        actions = []
        if source.random() < self.manner.refills:
            actions.append((source.choice((1, source.randrange(1, think + 1))), "refill"))
        if self.claimable() and source.random() < 0.3:
            actions.append((source.randrange(1, think + 1), "claim"))
        if source.random() < 0.01:
            actions.append((source.randrange(1, think + 1), "replace"))
        began = self.now.at
        for after, action in sorted(actions):
            if not self.wait_until(side, began + after):
                return
            began += getattr(self, action)(side)
        if self.wait_until(side, began + think):
            self.move(side)

    def wait_until(self, side: int, at: int) -> bool:
        """Let time pass, refilling when necessary. Returns False if the flag falls."""
        while (left := self.now.clocks[side]) <= at - self.now.at:
            if not self.now.banks[side]:
                self.add(self.now.at + left, "flag", running=None, result=("BlackWins", "WhiteWins")[side])
                return False
            when = self.now.at + self.source.choice((left - 1, self.source.randrange(left)))
            self.add(when, "wait")
            self.refill(side)
        if at > self.now.at:
            self.add(at, "wait")
        return True

    def refill(self, side: int) -> int:
        room = min(CAP - self.now.clocks[side], self.now.banks[side])
        if room > 0:
            amount = self.source.choice((room, self.source.randint(1, room)))
            self.take(side, amount, "refill")
        return 0

    def take(self, side: int, amount: int, action: str, **changes: object) -> None:
        moment = self.add(self.now.at, action, **changes)
        moment.clocks[side] += amount
        moment.banks[side] -= amount
        moment.amount = amount

    def replace(self, side: int) -> int:
        names = [*self.now.names]
        names[side] = f"Substitute{len(self.moments)}, {'WB'[side]}"
        room = min(CAP - self.now.clocks[side], self.now.banks[side])
        amount = self.source.choice((0, room)) if room > 0 else 0
        self.take(side, amount, "replace", names=(names[0], names[1]))
        return 0

    def claimable(self) -> bool:
        return self.board.can_claim_draw() or len(self.board.piece_map()) <= 7

    def claim(self, side: int) -> int:
        """Make a claim that is rejected; return how long that took."""
        self.add(self.now.at, "claim", running=None, pending=self.source.random() < 0.5)
        took = self.source.randrange(1, 6 * DAY)
        self.add(self.now.at + took, "rejected", running=side, pending=False)
        return took

    def move(self, side: int) -> None:
        move = self.chosen()
        san = self.board.san(move)
        self.board.push(move)
        self.moves.append((san, self.now.at))
        moment = self.add(self.now.at, "move", ply=len(self.moves), running=1 - side)
        moment.offered = self.source.random() < 0.1
        reward(self.manner, moment, side)
        if not any(self.board.legal_moves) or self.board.is_insufficient_material():
            result = {"1-0": "WhiteWins", "0-1": "BlackWins"}.get(self.board.result(), "Draw")
            self.add(self.now.at, "end", running=None, result=result)

    def chosen(self) -> chess.Move:
        moves = list(self.board.legal_moves)
        if self.manner.shuffling:
            usual = chess.Move.from_uci(SHUFFLES[len(self.moves) % 4])
            if usual in moves and self.source.random() < 0.97:
                return usual
        takes = [move for move in moves if self.board.is_capture(move)]
        return self.source.choice(takes if takes and self.source.random() < 0.3 else moves)

    def at(self, instant: int) -> Moment:
        """The true state at an instant, not before the start."""
        found = self.moments[bisect_right(self.instants, instant) - 1]
        return replace(found.later(instant), action=found.action, offered=found.offered)

    def unseen(self, instant: int, side: int) -> int:
        """The time that the side to move has refilled since the last move by refills that are too small to be seen."""
        amounts = []
        for moment in reversed(self.moments[: bisect_right(self.instants, instant)]):
            if moment.action == "move" or moment.running == 1 - side:
                break
            amounts.append(moment.amount)
        return sum(amount for amount in amounts if amount < 2 * MINUTE)

    def shown(self, instant: int) -> dict[str, str]:
        """The game's entry in the server's list at an instant."""
        moment, own = self.at(instant), self.manner.own_side
        values = {
            "white": moment.names[0], "black": moment.names[1], "hasWhite": str(own == 0).lower(),
            "event": "WC/1", "eventDate": datetime.fromtimestamp(self.start, UTC).strftime("%Y.%m.%d"),
            "moves": self.movetext(moment.ply), "timeControl": self.manner.control,
            "result": "AdjudicationPending" if moment.pending else moment.result,
            "drawOffered": str(moment.offered and moment.running == own).lower(),
            "myTurn": str(moment.running == own).lower(),
        }  # fmt: skip
        for side, whose in ((own, "Player"), (1 - own, "Opponent")):
            minutes = moment.clocks[side] // MINUTE
            for unit, count in (("days", 1440), ("hours", 60), ("minutes", 1)):
                values[unit + whose], minutes = str(minutes // count), minutes % count
        return values

    def movetext(self, plies: int) -> str:
        words = []
        for ply, (san, at) in enumerate(self.moves[:plies]):
            words += [f"{ply // 2 + 1}."] if ply % 2 == 0 else []
            words.append(san)
            if self.manner.stamps != "none":
                form = "%Y.%m.%d,%H:%M" + ":%S" * (self.manner.stamps == "seconds")
                words.append(f"{{[%ccsnt {datetime.fromtimestamp(at, UTC).strftime(form)}]}}")
        return " ".join(words)


class PlayedServer(XfccServer):
    """Shows the played games at the instant ``now``, in s."""

    def __init__(self, played: list[PlayedGame]) -> None:
        super().__init__()
        self.played = played
        self.now = 0

    def answer(self, action: str, values: dict[str, str]) -> str:
        self.games = {str(number): game.shown(self.now) for number, game in enumerate(self.played, 1)}
        self.boards = dict.fromkeys(self.games, chess.Board())
        return super().answer(action, values)
