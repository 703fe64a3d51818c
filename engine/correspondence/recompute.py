"""Recomputes a game's clocks from its PGN: from the log, the server's stamps, or the clocks after the moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide, Control, TimeUp
from ..clock.game_clocks import Event
from ..clock.instants import parse_instant
from ..clock.parse import parse_control
from ..clock.plan import think
from ..clock.triple_block import CAP_MS
from ..clock.units import DAY_MS, MINUTE_MS, SECOND_MS, duration_text
from ..common.errors import ClockError
from ..common.text import shown
from .pgn import PgnGame, PgnMove
from .pgn_log import begins, free_moves, is_logged, logged

_TOLERANCE_MS = MINUTE_MS  # stamps are rounded to the minute
_MOST_DAYS = 100  # maximum number of days for a session in a TimeControl; a larger number is in seconds
SIDES = ("White", "Black")


@dataclass(frozen=True, slots=True)
class Row:
    """One half-move: the number of the player's move, its length, and the state after it. None if the file lacks the
    value.

    A state whose clock or bank is unknown is the lowest possible state.
    """

    side: int
    move: int
    san: str
    at_ms: int | None
    think_ms: int | None
    state: ClockSide | None
    refills: int = 0


@dataclass(slots=True)
class Recomputed:
    control: Control
    start_ms: int | None
    rows: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    flag: int | None = None  # the side whose time ran out

    def points(self, side: int) -> list[tuple[int, ClockSide]]:
        """Return (moves made, state) for a plot, starting with the initial state."""
        known = [(row.move, row.state) for row in self.rows if row.side == side and row.state is not None]
        return [(0, self.control.opening()), *known]


def recompute(
    game: PgnGame, control: Control | None = None, start_ms: int | None = None, zone: tzinfo | None = None
) -> Recomputed:
    """Recompute every state of both sides. ``control`` and ``start_ms`` take precedence over the tags.

    Raises ClockError if the file has neither stamps nor clocks, or lacks the control or the start. Raises GameError for
    a log that is not in order.
    """
    if control is None:
        control = control_of(game)
    if is_logged(game):
        return _from_log(game, control, start_ms, zone)
    if game.moves and all(move.at_ms is None and move.clock_ms is None for move in game.moves):
        raise ClockError(game.problems[0] if game.problems else "no [%ccsnt] stamps and no [%clk] in this game")
    if any(move.at_ms is not None for move in game.moves) or not game.moves:
        if start_ms is None:
            start_ms = start_of(game, zone)
        return _from_stamps(game, control, start_ms)
    return _from_clocks(game, control)


def control_of(game: PgnGame) -> Control:
    """Return the time control of the tags. Raises ClockError if the tags have no control, or a control in hours."""
    if text := game.tags.get("TripleBlock") or game.tags.get("ClockControl"):
        return parse_control(text)
    text = game.tags.get("TimeControl", "?")
    if text.strip() in ("", "?", "-"):
        raise ClockError("the game has no [TripleBlock] or [TimeControl] tag: give --control, such as 50/75/1")
    try:
        return parse_control(in_days(text))
    except ClockError:
        found = f"[TimeControl {shown(text)}]"
        raise ClockError(f"expected the clock of a correspondence game, found {found}: give --control") from None


def in_days(text: str) -> str:
    """Convert the control to days.

    PGN has seconds, as in 10/4320000; older versions of this program wrote days, as in 10/50.

    Raises ClockError for numbers that are neither seconds nor days.
    """
    found = re.fullmatch(r"(\d{1,9})([/+])(\d{1,9})", text, re.ASCII)
    if found is None:
        return text
    first, sign, second = found.groups()
    times = (int(second),) if sign == "/" else (int(first), int(second))
    if sign == "/" and times[0] < _MOST_DAYS:
        return text
    if max(times) < DAY_MS // SECOND_MS:
        raise ClockError("a time control in hours")
    if sign == "/" and first == "1":  # Chess.com writes a time per move in this form, and unused time is lost
        return f"{second}s/move"
    parts = [f"{time}s" for time in times]
    return f"{first}/{parts[0]}" if sign == "/" else "+".join(parts)


def start_of(game: PgnGame, zone: tzinfo | None) -> int:
    """Return the instant at which White's clock started.

    It is the date in the tags, or the exact instant in a file of this program.
    """
    unreadable = []
    for name in ("ClockStart", "EventDate", "Date"):
        text = game.tags.get(name, "").strip()
        if not text or "?" in text:
            continue
        try:
            return parse_instant(text, zone)
        except ClockError:
            if name == "ClockStart":
                raise
            unreadable.append(f"[{name} {shown(text)}]")
    if unreadable:
        raise ClockError(f"expected a date such as 2026.03.02, found {' and '.join(unreadable)}: give --start")
    raise ClockError("the game has no complete date in its tags: give --start")


def _from_log(game: PgnGame, control: Control, start_ms: int | None, zone: tzinfo | None) -> Recomputed:
    """Recompute from the log of a file that this program wrote. The log contains refills, claims and corrections."""
    if start_ms is not None:
        events = logged(game, start_ms)
        events[0] = Event(clocks.START, start_ms)
    else:
        events = logged(game, 0 if begins(game) else start_of(game, zone))
    found = Recomputed(control, events[0].at_ms, warnings=list(game.problems))
    free = free_moves(game)
    shown_after = iter(game.moves[free:])
    state = clocks.opening(control, game.black_begins != bool(free % 2))
    think_ms, refills, sure = 0, 0, True
    for event in events:
        turn, number = state.to_move, state.mover.moves + 1
        try:
            after = state.apply(event)
        except TimeUp:
            found.flag = turn
            found.warnings.append(f"{SIDES[turn]}'s time ran out before move {number}, {event.data.get('san', '-')}")
            break
        if state.status == clocks.RUNNING:
            think_ms += after.stamp_ms - state.stamp_ms
        state = after
        refills += event.kind == clocks.REFILL
        if event.kind not in (clocks.START, clocks.MOVE):
            continue
        unsure = event.data.get("unsure")
        if event.kind == clocks.MOVE:
            move, side = next(shown_after), state.sides[turn]
            if side.clock_known and side.bank_known:
                _compare(found, move, side, number, SIDES[turn])
            known_ms = think_ms if sure and not unsure else None
            found.rows.append(Row(turn, number, move.san, move.at_ms, known_ms, side, refills))
        think_ms, refills, sure = 0, 0, unsure != clocks.AT
    return found


def _from_stamps(game: PgnGame, control: Control, start_ms: int) -> Recomputed:
    found = Recomputed(control, start_ms, warnings=list(game.problems))
    sides = [control.opening(), control.opening()]
    turn, before_ms, sure = int(game.black_begins), start_ms, True
    for ply, move in enumerate(game.moves):
        number = sides[turn].moves + 1
        at_ms = move.at_ms
        if at_ms is not None and at_ms < before_ms:
            what = "the start" if ply == 0 else "the move before it"
            found.warnings.append(f"{move.san} is stamped {duration_text(before_ms - at_ms)} before {what}")
        if at_ms is None:
            at_ms = next((later.at_ms for later in game.moves[ply:] if later.at_ms is not None), None)
            found.warnings.append(f"{SIDES[turn]}'s move {number}, {move.san}, has no stamp")
        # If a move or the move before it has no stamp, the next stamp gives an upper bound of the thinking time.
        # Without a later stamp, the total time is the only bound.
        longest_ms = sides[turn].total_ms if at_ms is None else max(0, at_ms - before_ms)
        refills, think_ms = 0, None
        if move.at_ms is None or not sure or not sides[turn].clock_known:
            side = control.complete_unsure(sides[turn], longest_ms)
            if sure and move.at_ms is not None:
                think_ms = longest_ms
        else:
            think_ms = longest_ms
            # A PGN does not record refills during a move. Each refill is assumed to come as late as possible.
            side, refills, rest = think(control, sides[turn], think_ms)
            if rest >= side.clock_ms:
                found.flag = turn
                found.warnings.append(f"{SIDES[turn]}'s time ran out before move {number}, {move.san}")
                break
            side = control.complete(side, rest)
        if side.clock_known and side.bank_known:
            _compare(found, move, side, number, SIDES[turn])
        elif (total_ms := total_of(control, move.clock_ms, move.bank_ms)) is not None:
            clock_ms = min(total_ms, CAP_MS) if control.has_bank else total_ms
            side = ClockSide(clock_ms, total_ms - clock_ms, number, side.used_ms, side.used_ms + total_ms)
        found.rows.append(Row(turn, number, move.san, move.at_ms, think_ms, side, refills))
        sides[turn] = side
        sure = move.at_ms is not None
        turn = 1 - turn
        if move.at_ms is not None:
            before_ms = max(before_ms, move.at_ms)
    return found


def _compare(found: Recomputed, move: PgnMove, side: ClockSide, number: int, who: str) -> None:
    """Add a warning if the file shows a clock that differs from the computed one."""
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
    """Recompute from the clocks that the file shows.

    A full clock without `[%bank]` leaves the total unknown until a later clock shows it.
    """
    found = Recomputed(control, None)
    last: list[ClockSide | None] = [control.opening(), control.opening()]
    turn = int(game.black_begins)
    counts = [0, 0]
    for move in game.moves:
        counts[turn] += 1
        total_ms = total_of(control, move.clock_ms, move.bank_ms)
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
        found.warnings.append("a clock of 50 days without [%bank] leaves the total unknown")
    return found


def total_of(control: Control, clock_ms: int | None, bank_ms: int | None) -> int | None:
    """Return clock and bank together; None if the shown values leave the total unknown."""
    if clock_ms is None:
        return None
    if bank_ms is not None:
        return clock_ms + bank_ms
    # If the clock is not full, the bank is empty. A clock beyond 50 days is a total that a client stored.
    return None if control.has_bank and clock_ms == CAP_MS else clock_ms


def _from_total(control: Control, before: ClockSide | None, total_ms: int, number: int) -> tuple[int | None, ClockSide]:
    """Return (length of the move, or None if the state before it is unknown, state after it)."""
    think_ms = None
    clock_ms = min(total_ms, CAP_MS) if control.has_bank else total_ms
    used_ms = 0
    if before is not None:
        instant = control.complete(replace(before, clock_ms=max(before.clock_ms, 1)), 0)
        think_ms = instant.total_ms - total_ms
        used_ms = before.used_ms + think_ms
    return think_ms, ClockSide(clock_ms, total_ms - clock_ms, number, used_ms, used_ms + total_ms)
