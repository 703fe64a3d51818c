"""A game's clocks from what its PGN says: send stamps of the server, or the clocks shown after the moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import tzinfo

from ..correspondence.pgn import PgnGame
from ..errors import ClockError
from .control import Control, Side, parse_control
from .instants import parse_instant
from .plan import think
from .units import MINUTE_MS, duration_text

_TOLERANCE_MS = MINUTE_MS  # stamps are written to the minute
SIDES = ("White", "Black")


@dataclass(frozen=True, slots=True)
class Row:
    """One half-move: number of the own move, its length, state after it. None: cannot be known from the file."""

    side: int
    move: int
    san: str
    at_ms: int | None
    think_ms: int | None
    state: Side | None
    refills: int = 0


@dataclass(slots=True)
class Recomputed:
    control: Control
    start_ms: int | None
    rows: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    flag: int | None = None  # the side whose time ran out

    def points(self, side: int) -> list[tuple[int, Side]]:
        """(own moves, state) for a plot, the opening state first."""
        known = [(row.move, row.state) for row in self.rows if row.side == side and row.state is not None]
        return [(0, self.control.opening()), *known]


def recompute(
    game: PgnGame, control: Control | None = None, start_ms: int | None = None, zone: tzinfo | None = None
) -> Recomputed:
    """Every state of both sides. ``control`` and ``start_ms`` go before what the tags say.

    Raises ClockError if the file has neither stamps nor clocks, or says nothing of the control or the start.
    """
    if control is None:
        control = control_of(game)
    if game.moves and all(move.at_ms is None and move.clock_ms is None for move in game.moves):
        raise ClockError("no [%ccsnt] stamps and no [%clk] in this game")
    if all(move.at_ms is not None for move in game.moves):
        if start_ms is None:
            start_ms = start_of(game, zone)
        return _from_stamps(game, control, start_ms)
    return _from_clocks(game, control)


def control_of(game: PgnGame) -> Control:
    """What the tags say. Raises ClockError if they say nothing."""
    text = game.tags.get("TripleBlock") or game.tags.get("TimeControl", "?")
    try:
        return parse_control(text)
    except ClockError:
        raise ClockError("the game has no [TripleBlock] tag: give the clock, such as 50/75/1") from None


def start_of(game: PgnGame, zone: tzinfo | None) -> int:
    """White's clock starts with the start date, which tags give."""
    for name in ("EventDate", "Date"):
        text = game.tags.get(name, "?")
        if "?" not in text:
            return parse_instant(text, zone)
    raise ClockError("the game has no complete date in its tags: give the start")


def _from_stamps(game: PgnGame, control: Control, start_ms: int) -> Recomputed:
    found = Recomputed(control, start_ms)
    sides = [control.opening(), control.opening()]
    turn, before_ms = int(game.black_begins), start_ms
    for ply, move in enumerate(game.moves):
        if move.at_ms < before_ms:
            what = "the start" if ply == 0 else "the move before it"
            found.warnings.append(f"{move.san} is stamped {duration_text(before_ms - move.at_ms)} before {what}")
        think_ms = max(0, move.at_ms - before_ms)
        # Refills during a move leave no trace in a PGN; they are assumed, as late as possible.
        side, refills, rest = think(control, sides[turn], think_ms)
        number = side.moves + 1
        if rest >= side.clock_ms:
            found.flag = turn
            found.warnings.append(f"{SIDES[turn]}'s time ran out before move {number}, {move.san}")
            break
        side = control.complete(side, rest)
        found.rows.append(Row(turn, number, move.san, move.at_ms, think_ms, side, refills))
        _compare(found, move, side, number, SIDES[turn])
        sides[turn] = side
        turn, before_ms = 1 - turn, max(before_ms, move.at_ms)
    return found


def _compare(found: Recomputed, move, side: Side, number: int, who: str) -> None:
    """Say where the clock that the file shows is another one."""
    for name, shown_ms, computed_ms in (
        ("clock", move.clock_ms, side.clock_ms),
        ("bank", move.bank_ms, side.bank_ms),
    ):
        if shown_ms is not None and abs(shown_ms - computed_ms) > _TOLERANCE_MS:
            found.warnings.append(
                f"{who}'s move {number}, {move.san}: {name} {duration_text(shown_ms)} in the file,"
                f" {duration_text(computed_ms)} computed"
            )


def _from_clocks(game: PgnGame, control: Control) -> Recomputed:
    """A full clock without its bank says nothing of the total: what can be known is known again later."""
    found = Recomputed(control, None)
    last: list[Side | None] = [control.opening(), control.opening()]
    turn = int(game.black_begins)
    counts = [0, 0]
    for move in game.moves:
        counts[turn] += 1
        total_ms = _total(control, move.clock_ms, move.bank_ms)
        if total_ms is None:
            found.rows.append(Row(turn, counts[turn], move.san, move.at_ms, None, None))
            last[turn] = None
        else:
            think_ms, state = _from_total(control, last[turn], total_ms, counts[turn])
            row = Row(turn, counts[turn], move.san, move.at_ms, think_ms, state)
            if row.think_ms is not None and row.think_ms < 0:
                found.warnings.append(
                    f"{SIDES[turn]}'s move {row.move}, {move.san}: {duration_text(-row.think_ms)} more than possible"
                )
            found.rows.append(row)
            last[turn] = row.state
        turn = 1 - turn
    if any(row.state is None for row in found.rows):
        found.warnings.append("a clock of 50 days without [%bank] does not tell the total")
    return found


def _total(control: Control, clock_ms: int | None, bank_ms: int | None) -> int | None:
    if clock_ms is None:
        return None
    if bank_ms is not None:
        return clock_ms + bank_ms
    from .triple_block import CAP_MS

    # Below a full clock the bank is empty; a clock beyond 50 days is a total that a client has kept.
    return None if control.has_bank and clock_ms == CAP_MS else clock_ms


def _from_total(control: Control, before: Side | None, total_ms: int, number: int) -> tuple[int | None, Side]:
    """(length of the move if the state before it is known, state after it)."""
    from .triple_block import CAP_MS

    think_ms = None
    clock_ms = min(total_ms, CAP_MS) if control.has_bank else total_ms
    used_ms = 0
    if before is not None:
        instant = control.complete(replace(before, clock_ms=max(before.clock_ms, 1)), 0)
        think_ms = instant.total_ms - total_ms
        used_ms = before.used_ms + think_ms
    return think_ms, Side(clock_ms, total_ms - clock_ms, number, used_ms, used_ms + total_ms)
