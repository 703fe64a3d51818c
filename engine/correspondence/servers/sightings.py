"""Turns the clocks that a server shows into entries of a game's log."""

from __future__ import annotations

from collections.abc import Sequence

from ...clock import game_clocks as clocks
from ...clock.control import ClockSide, Control
from ...clock.game_clocks import Event, EventData, GameClocks
from ...clock.triple_block import CAP_MS, TripleBlock
from ...clock.units import DAY_MS, HOUR_MS, MINUTE_MS
from ...variants.boards import new_board
from ..game import CorrespondenceGame, stored_move
from ..times import MISSING, MOVE
from .inference import KNOWN_MS, TOLERANCE_MS, Inferred, Range, Sight, both_totals, infer, instants_of
from .xfcc import PENDING, XfccGame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.notation import Board

_QUARTER_MS = 15 * MINUTE_MS  # the offsets of all time zones are multiples of this time
_FURTHEST_ZONE_MS = 14 * HOUR_MS
_CLAIM_PLIES = 99  # plies without a capture or pawn move; with the next ply a player can claim a draw by fifty moves
_CLAIM_MEN = 7  # endgame tables decide positions with at most this many pieces


def clock_events(  # noqa: PLR0917
    game: CorrespondenceGame,
    events: Sequence[Event],
    found: XfccGame,
    now_ms: int,
    entered: frozenset[int],
    first_ms: int = 0,
) -> list[Event]:
    """Return the entries that set the clocks to the values that the server shows now.

    events: the entries from the server that precede these entries. entered: the sides whose refills are all in the log.
    first_ms: the earliest possible instant of the first of the new moves.
    """
    state = game.clocks
    for event in events:
        state = state.apply(event)
    control = state.control
    if state.status != clocks.RUNNING or found.clocks_ms == (None, None):
        return []
    if not isinstance(control, TripleBlock):
        corrections = (_plain_correction(state, side, found.clocks_ms[side], now_ms) for side in (0, 1))
        return [event for event in corrections if event is not None]
    sight = _sight(game, control, events, found, now_ms, entered, first_ms)
    return _entries(state, sight, infer(sight))


def earlier_start(found: XfccGame, control: Control, start_ms: int, now_ms: int, black_begins: bool) -> int:
    """Return how much earlier than assumed a game without moves has started, because of the server's time zone.

    In a game that started earlier, the first clock has lost more time than has passed since the assumed start, which
    no refill explains. The excess is a whole number of quarters of an hour.
    """
    shown_ms = found.clocks_ms[int(black_begins)]
    if shown_ms is None or not isinstance(control, TripleBlock):
        return 0
    more_ms = control.initial_ms - shown_ms - max(0, now_ms - start_ms)
    quarters = (more_ms + _QUARTER_MS // 2) // _QUARTER_MS
    exact = abs(more_ms - quarters * _QUARTER_MS) <= TOLERANCE_MS
    return quarters * _QUARTER_MS if exact and 0 < quarters * _QUARTER_MS <= _FURTHEST_ZONE_MS else 0


def _plain_correction(state: GameClocks, side: int, shown_ms: int | None, now_ms: int) -> Event | None:
    """Return a correction of a clock without a bank.

    None if the clock agrees with the server's clock, which shows minutes.
    """
    here = state.shown(side, now_ms)
    if shown_ms is None or (here.clock_known and abs(here.clock_ms - shown_ms) <= MINUTE_MS):
        return None
    return Event(clocks.CORRECT, now_ms, {"side": side, "clock_ms": shown_ms})


def _sight(  # noqa: PLR0917
    game: CorrespondenceGame,
    control: TripleBlock,
    events: Sequence[Event],
    found: XfccGame,
    now_ms: int,
    entered: frozenset[int],
    first_ms: int,
) -> Sight:
    # Clocks and banks in the comments of the server's moves are a later known state than the end of the log.
    first = max((at + 1 for at, event in enumerate(events) if event.kind == clocks.CORRECT), default=0)
    known = [*game.standing, *events[:first]]
    before = game.clocks
    for event in events[:first]:
        before = before.apply(event)
    moves = [event for event in events if event.kind == clocks.MOVE]
    since = [event for event in events[first:] if event.kind == clocks.MOVE]
    opening = CorrespondenceGame(game.head).clocks
    is_over = found.result is not None
    late = len(game.log) == 1 and not moves and _starts_late(before, found, now_ms)
    claimable = [
        at
        for at in _claimable(game, [event.data["uci"] for event in moves], len(moves) - len(since))
        if (before.to_move + at) % 2 not in entered
    ]
    return Sight(
        before=before,
        both=both_totals(control, known, opening),
        played=instants_of(since, before.stamp_ms, now_ms, first_ms),
        now_ms=now_ms,
        shown_ms=found.clocks_ms,
        stops=tuple(sorted({*claimable, *([len(since)] if found.ending == PENDING or is_over or late else [])})),
        entered=entered,
        ended=is_over,
        late=late,
    )


def _starts_late(before: GameClocks, found: XfccGame, now_ms: int) -> bool:
    """Return whether the first clock of a game shows more than the time since 00:00 allows, by a day at most.

    Then the game may have started later, or its first player has refilled.
    """
    shown_ms = found.clocks_ms[before.to_move]
    ahead_ms = 0 if shown_ms is None else shown_ms - before.shown(before.to_move, now_ms).clock_ms
    return TOLERANCE_MS < ahead_ms <= DAY_MS


def _claimable(game: CorrespondenceGame, news: Sequence[str], skipped: int) -> tuple[int, ...]:
    """Return the stretches between moves in which a claim could have stopped the clocks.

    Claims are possible by a threefold repetition, by fifty moves, and in positions that endgame tables decide. news:
    the moves after the end of the log. skipped: the number of these moves that lie before the first stretch.
    """
    board = new_board(game.head.fen, game.board.notation.chess960)
    seen = {board.key: 1}
    found = []
    for number, move in enumerate(["", *game.moves, *news]):
        if move:
            board.push(stored_move(board, move))
            if board.clock == 0:
                seen = {}
            seen[board.key] = seen.get(board.key, 0) + 1
        stretch = number - len(game.moves) - skipped
        men = 64 - board.squares.count(0)
        if stretch >= 0 and (board.clock >= _CLAIM_PLIES or men <= _CLAIM_MEN or _repeats(board, seen)):
            found.append(stretch)
    return tuple(found)


def _repeats(board: Board, seen: dict[int, int]) -> bool:
    """Return whether a threefold repetition has occurred, or a legal move can cause one."""
    if seen.get(board.key, 0) > 2:
        return True
    if max(seen.values(), default=0) < 2:
        return False
    for move in board.legal_moves():
        board.push(move)
        third = board.clock and seen.get(board.key, 0) >= 2
        board.pop()
        if third:
            return True
    return False


def _entries(state: GameClocks, sight: Sight, inferred: Inferred) -> list[Event]:
    entries: list[Event] = []
    refill = _seen_refill(state, sight, inferred)
    if refill is not None:
        state = state.apply(refill)
        entries.append(refill)
    both, predicted = inferred.both, inferred.predicted
    learned = max(abs(both.least - predicted.least), abs(both.most - predicted.most)) > TOLERANCE_MS
    for side, shown_ms in enumerate(sight.shown_ms):
        if shown_ms is not None:
            data = _correction(state, sight, inferred, side)
            # For the running clock, the sum of both totals stays known.
            here, total = state.shown(side, sight.now_ms), inferred.totals[side]
            if not _same(here, data, total) or (learned and side == state.to_move):
                entries.append(Event(clocks.CORRECT, sight.now_ms, data))
    if entries and entries[-1].kind == clocks.CORRECT:
        entries[-1].data.update({"both_ms": both.least, "both_most_ms": both.most})
    return entries


def _seen_refill(state: GameClocks, sight: Sight, inferred: Inferred) -> Event | None:
    """Return the refill that a jump of the running clock shows, if all other values are known."""
    side = state.to_move
    shown_ms, here, total = sight.shown_ms[side], state.shown(side, sight.now_ms), inferred.totals[side]
    if shown_ms is None or shown_ms > CAP_MS or sight.played or inferred.why or total.width > KNOWN_MS:
        return None
    if state.flagged(sight.now_ms):  # there was more than one refill, or a refill before the stored clock ran out
        return None
    # The server rounds down to minutes: the clock counts the least possible refill, the bank the greatest.
    least_ms = min(shown_ms - here.clock_ms, here.bank_ms)
    if least_ms <= TOLERANCE_MS - MINUTE_MS or not (here.clock_known and here.bank_known):
        return None
    most_ms = min(least_ms + MINUTE_MS - 1, here.bank_ms, CAP_MS - here.clock_ms)
    return Event(clocks.REFILL, sight.now_ms, {"ms": least_ms, "most_ms": most_ms, "seen": True})


def _correction(state: GameClocks, sight: Sight, inferred: Inferred, side: int) -> EventData:
    """Return the state of a side whose clock the server shows, as the data of a correction."""
    shown_ms = sight.shown_ms[side] or 0
    here, total = state.shown(side, sight.now_ms), inferred.totals[side]
    data: EventData = {"side": side}
    why = inferred.why
    if shown_ms > CAP_MS and side == state.to_move:  # clock and bank together: how they are divided is unknown
        clock_ms = here.clock_ms if here.clock_known and not sight.played and total.least >= here.clock_ms else 0
        bank = Range(max(0, total.least - CAP_MS), max(0, total.most - clock_ms))
        data["clock_unknown"], why = True, MISSING
    else:
        clock_ms = min(shown_ms, CAP_MS)
        most_ms = clock_ms + MINUTE_MS - 1
        if here.clock_known and clock_ms <= here.clock_ms <= most_ms:
            clock_ms = here.clock_ms  # the stored value is more exact than a minute
        filled = isinstance(state.control, TripleBlock) and state.control.auto_refill and here.moves > 0
        rests = filled and side != state.to_move
        # While a clock is at rest, the total alone decides how it is divided between clock and bank. A running clock
        # never exceeds the total.
        clock_ms = min(CAP_MS if rests else clock_ms, total.least)
        bank = Range(total.least - clock_ms, total.most - clock_ms)
        if side == state.to_move:
            # The clock may hold up to a minute more than it shows, and the bank up to a minute less.
            least_ms = max(0, total.least - max(clock_ms, most_ms))
            # If the log contains every refill, its bank is right, unless the clock shows one that a captain has made.
            if side in sight.entered and (sight.played or shown_ms - here.clock_ms <= TOLERANCE_MS):
                least_ms = max(least_ms, min(here.bank_ms, bank.least))
            bank = Range(least_ms, bank.most)
    data |= {"clock_ms": clock_ms, "bank_ms": bank.least}
    if bank.width > KNOWN_MS or "clock_unknown" in data:
        data["bank_unknown"] = True
        data["why"] = why or MOVE
    if bank.width:
        data["bank_most_ms"] = bank.most
    return data


def _same(here: ClockSide, data: EventData, total: Range) -> bool:
    """Return whether the correction changes nothing that is visible in the server's minutes.

    total: the limits from which the correction is derived.
    """
    known = (not data.get("clock_unknown"), not data.get("bank_unknown"))
    ours = Range(here.total_ms, here.total_ms + here.slack_ms)
    theirs = total
    if "clock_unknown" in data:
        least_ms = data["clock_ms"] + data["bank_ms"]
        theirs = Range(least_ms, least_ms + data.get("bank_most_ms", data["bank_ms"]) - data["bank_ms"])
    # The limits in the log must contain the new limits, because small errors would add up over many moves. The limits
    # of the total are compared, so that an exact log gets no entry merely because the server shows only minutes.
    covered = ours.least <= theirs.least and theirs.most <= ours.most
    close = abs(here.clock_ms - data["clock_ms"]) <= MINUTE_MS and ours.width - theirs.width <= TOLERANCE_MS
    return (here.clock_known, here.bank_known) == known and covered and close
