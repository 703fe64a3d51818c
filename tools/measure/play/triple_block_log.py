"""Checks games under Triple Block from the log of cutechess-cli, which has all lines to and from an engine with times.

The check does not rely on the engine's own clock. The naive model of the tests counts the time from each `go` to the
move in whole milliseconds. Its clock is compared with the client's and with the engine's report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from tests.clock.naive import NaiveGame

LINE = re.compile(r"(\d+) ([<>])(.+?)\((\d+)\): (.*)")
OPTION = re.compile(r"(?:setoption name|option) (TripleBlock(?:Scale)?)(?: value |=)(\S+)")
FORM = re.compile(r"([\d.]+)/([\d.]+)/([\d.]+)(?:@(\d+))?((?::[pr]+)*)")
SAID = re.compile(r"tripleblock clock (\S+) bank (\S+) move (\d+) total (\S+)")
REFILL = re.compile(r"(?:info string|telluser) tripleblock refill (\S+) before \S+")
FINISHED = re.compile(r"Finished game \d+ \((.+) vs (.+)\): (\S+) \{(.*)\}")
PAID = 50
UNIT_S = {"d": 86_400, "h": 3600, "m": 60, "s": 1}


def in_days(text: str) -> float:
    """Return the days in a text like ``41d6h30m12.5s``."""
    seconds = sum(Fraction(number) * UNIT_S[unit] for number, unit in re.findall(r"([\d.]+)([dhms])", text))
    return float(seconds / UNIT_S["d"])


@dataclass
class Move:
    """One move of the engine; all times are in real ms. clock_ms: the clock that the client sent before the move, if
    any.
    """

    asked_ms: int
    client_ms: int | None
    answered_ms: int | None = None
    advised: list[float] = field(default_factory=list)  # advised refills, in days
    # (clock, bank, next move, total) that the engine reported, in days.
    said: tuple[float, float, int, float] | None = None

    @property
    def spent_ms(self) -> int:
        return self.answered_ms - self.asked_ms


@dataclass
class Game:
    state: str
    scale: int
    moves: list[Move] = field(default_factory=list)


class _Engine:
    """One process under the clock, reconstructed from its lines."""

    def __init__(self) -> None:
        self.state, self.scale = "", 86_400
        self.games: list[Game] = []
        self._forced = False  # in XBoard's force mode, moves are only entered
        self._black = False
        self._client_ms: int | None = None
        self._open: Move | None = None

    def told(self, at_ms: int, text: str) -> None:
        if found := OPTION.fullmatch(text):
            if found[1] == "TripleBlock":
                self.state = found[2]
            else:
                self.scale = int(found[2])
        word = text.partition(" ")[0]
        if word in ("ucinewgame", "new"):
            self.games.append(Game(self.state, self.scale))
            self._forced, self._client_ms, self._open = False, None, None
        elif word == "position":
            before, _, moves = text.partition(" moves ")
            self._black = (" b " in before) != (len(moves.split()) % 2 == 1)
        elif word == "time":
            self._client_ms = 10 * int(text.split()[1])
        elif word == "force":
            self._forced = True
        elif word == "go":
            if found := re.search(rf" {'b' if self._black else 'w'}time (\d+)", text):
                self._client_ms = int(found[1])
            self._forced = False
            self._open = None
            if " ponder" not in text:
                self._ask(at_ms)
        elif word == "ponderhit":
            self._client_ms = None  # the client's time was for the previous move
            self._ask(at_ms)
        elif word == "usermove" and not self._forced:
            self._ask(at_ms)

    def _ask(self, at_ms: int) -> None:
        self._open = Move(at_ms, self._client_ms)

    def said(self, at_ms: int, text: str) -> None:
        if self._open is None:
            return
        if found := REFILL.fullmatch(text):
            self._open.advised.append(in_days(found[1]))
        elif found := SAID.search(text):
            self._open.said = in_days(found[1]), in_days(found[2]), int(found[3]), in_days(found[4])
        elif text.startswith(("bestmove ", "move ")):
            self._open.answered_ms = at_ms
            self.games[-1].moves.append(self._open)
            self._open = None


@dataclass
class Match:
    """The games in which an engine had the option, how all games ended, and how many of them such an engine lost on
    time.
    """

    games: list[Game]
    ends: list[str]
    lost_on_time: int


def read(lines) -> Match:
    engines: dict[tuple[str, str], _Engine] = {}
    ends = []
    for line in lines:
        if found := LINE.match(line):
            at, direction, name, number, text = found.groups()
            engine = engines.setdefault((name, number), _Engine())
            (engine.told if direction == ">" else engine.said)(int(at), text)
        elif found := FINISHED.match(line):
            ends.append(found.groups())
    names = {name for (name, _), engine in engines.items() if engine.state}
    games = [game for engine in engines.values() if engine.state for game in engine.games if game.moves]
    lost = sum(
        "on time" in how and (white if how.startswith("White") else black) in names for white, black, _, how in ends
    )
    return Match(games, [how for *_, how in ends], lost)


@dataclass
class Verdict:
    """The findings in a game. faults: texts; apart: the largest differences from the naive clock, in real ms."""

    day_ms: int
    moves: int = 0
    last: int = 0  # number of the last move
    paid: int = 0
    refills_needed: int = 0
    refills_advised: int = 0
    least_ms: int | None = None  # the lowest clock at the end of a move
    used_ms: int = 0
    left_ms: int = 0  # total time left after the last move
    engine_apart_ms: int = 0
    client_apart_ms: int = 0
    faults: list[str] = field(default_factory=list)


def judge(game: Game) -> Verdict:
    *ticks, number, flags = FORM.fullmatch(game.state).groups()
    day = 1000 * game.scale
    clock, bank, increment = (int(Fraction(text) * day) for text in ticks)
    model = NaiveGame(clock, bank, increment, "p" in flags, "r" not in flags, day)
    side = model.sides[0]
    side["moves"] = int(number or 1) - 1
    found = Verdict(day)
    totals: list[tuple[int, int | None]] = []  # (the model's total, the client's total) before each move
    engine_ms = float(side["clock"] + side["bank"])
    for move in game.moves:
        name = f"move {side['moves'] + 1}"
        totals.append((side["clock"] + side["bank"], move.client_ms))
        _judge_advice(found, name, move, side, increment)
        paid = increment if side["moves"] < PAID else 0
        before = side["clock"] + side["bank"]
        model.wait(move.spent_ms)
        found.least_ms = side["clock"] if found.least_ms is None else min(found.least_ms, side["clock"])
        if model.lost:
            found.faults.append(f"{name}: time ran out")
            return found
        model.move()
        model.to_move = 0
        found.moves, found.last = found.moves + 1, side["moves"]
        found.paid += paid > 0
        total = side["clock"] + side["bank"]
        if total != before - move.spent_ms + paid and not model.protection:
            found.faults.append(f"{name}: the naive model counts {total} ms")
        engine_ms = _judge_saying(found, name, move, engine_ms, paid, (increment or day) / 2)
        if move.said is not None:
            if move.said[2] != side["moves"] + 1:
                found.faults.append(f"{name}: the engine goes on with move {move.said[2]}")
            found.engine_apart_ms = max(found.engine_apart_ms, round(abs(engine_ms - total)))
            if "r" not in flags and abs(move.said[0] - min(50, move.said[3])) > 1e-5:
                found.faults.append(f"{name}: the engine has {move.said[0]}d on the clock of {move.said[3]}d in all")
    found.used_ms, found.left_ms = side["used"], side["clock"] + side["bank"]
    _judge_client(found, totals, increment, int(number or 1))
    return found


def _judge_advice(found: Verdict, name: str, move: Move, side: dict, increment: int) -> None:
    """Expect advice to refill if the next move's share of the total exceeds the clock and the bank is not empty."""
    day, total, number = found.day_ms, side["clock"] + side["bank"], side["moves"] + 1
    reserve = min(Fraction(3 * day), Fraction(total, 10))
    share = (total - reserve) / max(10, PAID - number + 1 + 20) + (increment if number <= PAID else 0)
    needed = side["bank"] > 0 and share >= side["clock"]
    # The engine cannot know the transmission delay, so if the values are nearly equal, both answers are right.
    sure = abs(share - side["clock"]) > day * Fraction(1, 20)
    found.refills_needed += needed
    found.refills_advised += len(move.advised)
    if needed and sure and not move.advised:
        found.faults.append(f"{name}: no refill advised with {side['clock']} ms on the clock")
    if move.advised and sure and not needed:
        found.faults.append(f"{name}: a refill advised without need")
    for amount in move.advised:
        if abs(amount * day - min(50 * day - side["clock"], side["bank"])) > day / 2:
            found.faults.append(f"{name}: a refill of {amount}d advised")


def _judge_saying(found: Verdict, name: str, move: Move, before: float, paid: int, bound: float) -> float:
    """Judge the engine's total after the move: it may differ from the client's, but by less than an increment."""
    if move.said is None:
        return before
    after = move.said[3] * found.day_ms
    if abs(after - before - paid + move.spent_ms) >= bound:
        found.faults.append(f"{name}: the engine's total went from {before:.0f} to {after:.0f} ms")
    return after


def _judge_client(found: Verdict, totals: list, increment: int, first: int) -> None:
    """Compare the client's clock with the total.

    The client's clock starts with one increment more, and also pays increments after move 50.
    """
    for at, (total, client) in enumerate(totals):
        if client is None:
            continue
        extra = 1 + max(0, at - max(0, PAID - first + 1))
        apart = abs(client - increment * extra - total)
        found.client_apart_ms = max(found.client_apart_ms, apart)
        if increment and apart > increment / 2:
            found.faults.append(f"move {first + at}: the client's clock shows {client} ms, the naive one {total} ms")
            return
