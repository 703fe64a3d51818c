"""Descriptions of a match (engines, time control, pairings), which are parsed from text."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path

from ..common.errors import MatchError
from ..common.text import shown
from ..system.consoles import words_of

_NODES = re.compile("[1-9][0-9]{0,17}")  # only numbers that fit into 64 bits


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine: its name in the table, the words of its command, its protocol and its options."""

    name: str
    command: tuple[str, ...]
    protocol: str = "uci"
    options: dict[str, str] = field(default_factory=dict, hash=False)
    nodes: int | None = None  # the engine's own node limit, which replaces the match's


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Exactly one limit: nodes, depth, seconds per move, or a clock with increment, in seconds."""

    nodes: int | None = None
    depth: int | None = None
    move_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0

    def __str__(self) -> str:
        if self.clock_s is not None:
            return f"{self.clock_s:g}+{self.increment_s:g}"
        return "-" if self.move_s is None else f"{self.move_s:g}/move"


def limit_tags(control: TimeControl, white: EngineSpec, black: EngineSpec) -> dict[str, str]:
    """Return tags for the limits: ``TimeControl``, ``NodeLimit``, ``DepthLimit``.

    If the sides differ, each has its own tag prefixed by ``White`` or ``Black``, as in cutechess and fastchess.
    """
    found: dict[str, str] = {}
    sides = [_limits(control, spec) for spec in (white, black)]
    for name in sides[0]:
        mine, other = (side[name] for side in sides)
        named = {name: mine} if mine == other else {f"White{name}": mine, f"Black{name}": other}
        found |= {key: value for key, value in named.items() if value}
    return found


def _limits(control: TimeControl, spec: EngineSpec) -> dict[str, str]:
    # The match's clock runs even if the engine has its own node limit.
    timed = spec.nodes is None or control.clock_s is not None
    return {
        "TimeControl": str(control) if timed else "-",
        "NodeLimit": str(spec.nodes or control.nodes or ""),
        "DepthLimit": str(control.depth or "") if spec.nodes is None else "",
    }


@dataclass(frozen=True, slots=True)
class Opening:
    """The first position of a game, and moves (coordinate notation) played before the engines think.

    record: (owner, goal code) of a record that stands at the first position. komi: a result of
    ``scoring.parse_komi``, which replaces the match's komi.
    """

    fen: str
    moves: tuple[str, ...] = ()
    chess960: bool = False
    record: tuple[int, int] | None = None
    komi: tuple[int, int] | None = None

    @property
    def identity(self) -> dict[str, object]:
        """Return the fields for a match's fingerprint.

        Unset fields are left out, so that files of older versions remain valid.
        """
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game. number: from 1. pair: the number of the two games with the same opening and reversed colours."""

    number: int
    pair: int
    white: int
    black: int
    opening: int


def parse_engine(text: str) -> EngineSpec:
    """Parse an engine such as ``cmd=./standstill name=Ours option.RMobility=Decisive``, or a bare command.

    The text is split as by a shell. Keys: cmd, name, proto (uci or xboard), arg (may be repeated), nodes, option.NAME.
    Raises MatchError.
    """
    try:
        words = words_of(text)
    except ValueError as error:
        raise MatchError(f"{error} in engine {shown(text)}") from None
    if words and "=" not in words[0]:
        words = [f"cmd={words[0]}", *(f"arg={word}" for word in words[1:])]
    command: list[str] = []
    options: dict[str, str] = {}
    name, protocol, nodes = "", "uci", None
    for word in words:
        key, equals, value = word.partition("=")
        if key == "cmd" and equals:
            command.insert(0, value)
        elif key == "arg" and equals:
            command.append(value)
        elif key == "name" and equals:
            name = value
        elif key == "proto" and value in ("uci", "xboard"):
            protocol = value
        elif key == "nodes" and _NODES.fullmatch(value):
            nodes = int(value)
        elif key.startswith("option.") and equals:
            options[key.removeprefix("option.")] = value
        else:
            raise MatchError(
                f"expected cmd=, arg=, name=, proto=uci, proto=xboard, nodes=N or option.NAME= in an engine, "
                f"found {shown(word)}"
            )
    if not command or not command[0]:
        raise MatchError(f"expected the command of an engine, found {shown(text)}")
    name = name or Path(command[0]).stem
    check_tag(name)
    return EngineSpec(name, tuple(command), protocol, options, nodes)


def check_tag(text: str) -> None:
    """Raise MatchError for a text that a PGN tag cannot contain."""
    if '"' in text or "\\" in text or not (text.isprintable() and text == text.strip()):
        raise MatchError(f"expected a name without quotes, backslashes and control characters, found {shown(text)}")


def named_apart(engines: list[EngineSpec]) -> list[EngineSpec]:
    """Return the engines with numbers added to equal names."""
    taken: set[str] = set()
    result = []
    for engine in engines:
        name, number = engine.name, 2
        while name in taken:
            name, number = f"{engine.name} {number}", number + 1
        taken.add(name)
        result.append(EngineSpec(name, engine.command, engine.protocol, engine.options, engine.nodes))
    return result


def parse_clock(text: str) -> tuple[float, float]:
    """Parse a clock such as ``2+0.02`` or ``60`` into (seconds, increment). Raises MatchError."""
    base, _, increment = text.partition("+")
    try:
        found = float(base), float(increment or 0)
    except ValueError:
        found = (0.0, 0.0)
    if not (0 < found[0] < 10**6 and 0 <= found[1] < 10**6):
        raise MatchError(f"expected a clock such as 2+0.02 in seconds, found {shown(text)}")
    return found


def schedule(engines: int, openings: int, rounds: int, gauntlet: bool) -> list[Pairing]:
    """Return all games in order. In each round every pair plays the round's opening twice, with colours reversed.

    gauntlet: whether only the first engine plays, against all others.
    """
    pairs = [(0, other) for other in range(1, engines)] if gauntlet else list(combinations(range(engines), 2))
    games: list[Pairing] = []
    number = pair = 0
    for round_number in range(rounds):
        for one, other in pairs:
            pair += 1
            for white, black in ((one, other), (other, one)):
                number += 1
                games.append(Pairing(number, pair, white, black, round_number % openings))
    return games


def fingerprint(
    engines: list[EngineSpec], control: TimeControl, openings: list[Opening], gauntlet: bool, rules: list[object]
) -> str:
    """Return a fingerprint of the match, which prevents another match from continuing its file.

    rules: plain values that define the game and its ends.
    """
    what = [*map(asdict, engines), asdict(control), *(opening.identity for opening in openings), gauntlet, rules]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]
