"""Reads UCI lines strictly by the grammar of the protocol."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<value>-?\d+)(?: (?P<bound>lowerbound|upperbound))?"
    r"(?: wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))?"
    r" nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+)(?: tbhits (?P<tbhits>\d+))? time (?P<time>\d+)"
    r"(?: pv (?P<pv>[a-h][1-8][a-h][1-8][qrbn]?(?: [a-h][1-8][a-h][1-8][qrbn]?)*))?"
)
CURRENT_MOVE = re.compile(r"info depth \d+ currmove [a-h][1-8][a-h][1-8][qrbn]? currmovenumber [1-9]\d*")
STRING = re.compile(r"info string \S.*")
BEST_MOVE = re.compile(
    r"bestmove (?P<move>\(none\)|[a-h][1-8][a-h][1-8][qrbn]?)(?: ponder (?P<ponder>[a-h][1-8][a-h][1-8][qrbn]?))?"
)


@dataclass
class Info:
    """One info line with a score."""

    line: str
    depth: int
    seldepth: int
    multipv: int
    kind: str  # cp or mate
    value: int
    bound: str | None
    nodes: int
    nps: int
    hashfull: int
    time: int
    wdl: tuple[int, int, int] | None
    pv: list[str]


@dataclass
class Answer:
    """Everything between a `go` and its `bestmove`."""

    lines: list[str]
    infos: list[Info] = field(default_factory=list)
    move: str | None = None  # None for "(none)"
    ponder: str | None = None

    @property
    def last(self) -> Info:
        """The last line about the best variation."""
        return [info for info in self.infos if info.multipv == 1][-1]

    @property
    def nodes(self) -> int:
        return self.last.nodes


def read_info(line: str) -> Info | None:
    """The line, or None if it has no score. Raises AssertionError for a line of unknown form."""
    found = INFO.fullmatch(line)
    if found is None:
        assert CURRENT_MOVE.fullmatch(line) or STRING.fullmatch(line), f"no line of the protocol: {line!r}"
        return None
    number = {
        name: int(found[name]) for name in ("depth", "seldepth", "multipv", "value", "nodes", "nps", "hashfull", "time")
    }
    wdl = (int(found["win"]), int(found["draw"]), int(found["loss"])) if found["win"] else None
    return Info(line=line, kind=found["kind"], bound=found["bound"], wdl=wdl, pv=(found["pv"] or "").split(), **number)


def read_answer(lines: list[str]) -> Answer:
    """The answer to a `go`. Raises AssertionError for any line that does not belong there, except `readyok`."""
    answer = Answer(lines)
    for line in lines[:-1]:
        if line != "readyok" and (info := read_info(line)):
            answer.infos.append(info)
    best = BEST_MOVE.fullmatch(lines[-1])
    assert best, f"no best move: {lines[-1]!r}"
    answer.move = None if best["move"] == "(none)" else best["move"]
    answer.ponder = best["ponder"]
    return answer
