"""The results of measurements, and functions that print them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class Unmeasurable(Exception):
    """Raised when a prerequisite is missing; the message names it and the places searched."""


@dataclass(frozen=True)
class Figure:
    """Repeated samples of one quantity, summarised by their median."""

    samples: tuple[float, ...]

    @classmethod
    def of(cls, samples: Sequence[float]) -> Figure:
        return cls(tuple(samples))

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def worst(self) -> float:
        return max(self.samples)

    def __str__(self) -> str:
        if len(self.samples) == 1:
            return short(self.median)
        return f"{short(self.median)} [{short(min(self.samples))}-{short(max(self.samples))}]"


@dataclass(frozen=True)
class Goal:
    """A bound on the ratio ours / peer, or on our own figure."""

    on: str  # "ratio" or "ours"
    sense: str  # ">=" or "<="
    bound: float

    def met(self, row: Row) -> bool | None:
        """Return whether the row meets the goal, or None if the row has no such figure."""
        value = row.ratio if self.on == "ratio" else row.ours.median
        if value is None:
            return None
        return value >= self.bound if self.sense == ">=" else value <= self.bound

    def __str__(self) -> str:
        return f"{self.on} {self.sense} {short(self.bound)}"


@dataclass(frozen=True)
class Row:
    """One line of a table: our figure and the peer's."""

    what: str
    unit: str
    ours: Figure
    peer_name: str = ""
    peer: Figure | None = None
    goals: tuple[Goal, ...] = ()
    paired: bool = False  # sample i of both was measured at the same time

    @property
    def ratio(self) -> float | None:
        """Return ours / peer as the median of the pairs' ratios, which is robust against changes of the machine's
        speed.
        """
        if self.peer is None or not all(self.peer.samples):
            return None
        if self.paired:
            pairs = zip(self.ours.samples, self.peer.samples, strict=True)
            return statistics.median(mine / other for mine, other in pairs)
        return self.ours.median / self.peer.median

    def verdict(self) -> str:
        """Return the goals, each with `met` or `MISSED`; empty without goals."""
        words = {True: "met", False: "MISSED", None: "not measured"}
        return ", ".join(f"{goal} {words[goal.met(self)]}" for goal in self.goals)


@dataclass(frozen=True)
class Gap:
    """A line of a table that could not be measured."""

    what: str
    why: str


@dataclass
class Section:
    """One table: its title, the method of measurement, and its lines."""

    name: str
    title: str
    method: str
    lines: list[Row | Gap] = field(default_factory=list)


def short(value: float) -> str:
    """Format a number with three or four significant digits, without an exponent."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


HEAD = ("what", "unit", "ours", "peer", "peer's", "ratio", "goals")


def table(section: Section) -> str:
    """Format the section as aligned text, with the gaps below the table."""
    rows = [line for line in section.lines if isinstance(line, Row)]
    gaps = [line for line in section.lines if isinstance(line, Gap)]
    cells = [HEAD] + [_cells(row) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    text = [f"== {section.name}: {section.title}", f"   {section.method}"]
    if rows:
        for line in cells:
            text.append("   " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    text += [f"   not measured: {gap.what}: {gap.why}" for gap in gaps]
    return "\n".join(text)


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}" if row.ratio < 100 else f"{row.ratio:.0f}"
    peer = "" if row.peer is None else str(row.peer)
    return (row.what, row.unit, str(row.ours), row.peer_name, peer, ratio, row.verdict())


def as_json(section: Section) -> dict[str, Any]:
    """Return the section as plain values for `--json`."""
    return {
        "name": section.name,
        "title": section.title,
        "method": section.method,
        "rows": [_row_json(line) for line in section.lines if isinstance(line, Row)],
        "gaps": [{"what": line.what, "why": line.why} for line in section.lines if isinstance(line, Gap)],
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "what": row.what,
        "unit": row.unit,
        "ours": row.ours.median,
        "ours_samples": list(row.ours.samples),
        "peer_name": row.peer_name,
        "peer": None if row.peer is None else row.peer.median,
        "peer_samples": [] if row.peer is None else list(row.peer.samples),
        "ratio": row.ratio,
        "goals": [{"goal": str(goal), "met": goal.met(row)} for goal in row.goals],
    }
