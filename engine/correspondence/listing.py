"""Lists games from their stored states alone, without reading their logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from sqlite3 import Row

from ..clock.instants import FIRST_MS, LAST_MS
from ..clock.statuses import OVER, RUNNING
from ..common.errors import StoreError
from .store import DAMAGE, Store, check_row, damage_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .game import CorrespondenceGame

_COLUMNS = (
    "name, white, black, own_side, control, status, to_move, stamp_ms, since_ms, deadline_ms, last_move, result,"
    " white_clock_ms, white_bank_ms, white_moves, black_clock_ms, black_bank_ms, black_moves, no_engines,"
    " white_known, black_known, uid"
)


@dataclass(slots=True)
class Entry:
    """One game in the list.

    left_ms: time on the running clock at the given instant; 0 or less after its flag fell. clock_known, bank_known:
    for the side to move; False if the side may have more time than shown. uid: the game's identity in calendars.
    """

    name: str
    white: str
    black: str
    own_side: int | None
    control: str
    status: str
    to_move: int
    move: int
    left_ms: int | None
    bank_ms: int
    deadline_ms: int | None
    last_move: str
    result: str
    no_engines: bool
    clock_known: bool = True
    bank_known: bool = True
    uid: str = ""
    stamp_ms: int = 0
    begun: bool = False  # whether either side has moved
    own_clock_ms: int = 0  # the owner's clock when it last stood still; own_bank_ms is the bank at that instant
    own_bank_ms: int = 0
    own_known: bool = True
    # whether the owner's last move has not been sent, so that the owner's clock runs on the server
    unsent: bool = False

    @property
    def own_turn(self) -> bool:
        return self.status == RUNNING and self.to_move == self.own_side

    @property
    def flagged(self) -> bool:
        return self.left_ms is not None and self.left_ms <= 0 and self.clock_known

    @property
    def whose(self) -> str:
        """``you``, ``unsent``, ``opponent``, a side of a watched game, or the status while no clock runs."""
        if self.status != RUNNING:
            return self.result if self.status == OVER else self.status
        if self.own_side is None:
            return ("White", "Black")[self.to_move]
        return ("unsent" if self.unsent else "you") if self.own_turn else "opponent"

    @property
    def opponent(self) -> str:
        if self.own_side is None:
            return f"{self.white} - {self.black}"
        return self.black if self.own_side == 0 else self.white


def ahead(entries: Iterable[Entry], now_ms: int) -> list[Entry]:
    """Return the started games whose last entry is in the future by the system clock.

    The clocks of these games count no time until then.
    """
    return [entry for entry in entries if entry.status == RUNNING and entry.begun and entry.stamp_ms > now_ms]


def team_turns(entries: Iterable[Entry]) -> list[Entry]:
    """Return the running games in which a player of the team is to move, the longest silent first.

    The owner's side is the team's. In a watched game, which has no owner's side, either player may be of the team.
    """
    found = [entry for entry in entries if entry.status == RUNNING and entry.own_side in (None, entry.to_move)]
    return sorted(found, key=lambda entry: (entry.stamp_ms, entry.name.lower()))


def listing(
    store: Store, now_ms: int, *, everything: bool = False, on_damage: Callable[[str], None] | None = None
) -> list[Entry]:
    """Return games by urgency: the owner's turn first, then by deadline. ``everything`` includes finished games.

    on_damage: a function that is called with the error of each unreadable row; the other rows are listed. If
    on_damage is None, StoreError is raised.
    """
    where = "" if everything else f"WHERE status != '{OVER}' OR {_LACKED}"
    entries = []
    found = store.rows(f"SELECT {_COLUMNS} FROM games {where}")
    sound: set[tuple[type, ...]] | None = None if store.any_text else set()
    for row in found:
        try:
            entries.append(_entry(row, now_ms, sound))
        except DAMAGE:
            try:
                with damage_named(store, row["name"]):
                    raise
            except StoreError as error:
                if on_damage is None:
                    raise
                on_damage(str(error))
    names = {row["name"] for row in store.rows(_MAYBE_UNSENT)}
    if names:
        _mark_unsent(store, entries, names, now_ms)
    if not everything:  # a game that has ended in the store continues on the server until the last move is sent
        entries = [entry for entry in entries if entry.status != OVER]
    entries.sort(key=_urgency)
    return entries


# Games in which the server may lack the owner's last move. Moves that belong to the start position are not counted
# here.
_LACKED = (
    f"(server IS NOT NULL AND status IN ('{RUNNING}', '{OVER}') AND to_move != own_side"
    " AND (server_ply < white_moves + black_moves OR opening != ''))"
)
_MAYBE_UNSENT = f"SELECT name FROM games WHERE {_LACKED}"


def _mark_unsent(store: Store, entries: list[Entry], names: set[str], now_ms: int) -> None:
    """Give listed games with an unsent move the server's running clock.

    names: the games that may have an unsent move.
    """
    from .desk import Desk
    from .game import DEAD, ENDS_OF_MOVES
    from .servers.unsent import as_on_server

    desk = Desk(store)
    for at, entry in enumerate(entries):
        if entry.name in names:
            try:
                game = desk.load(entry.name)
                before = as_on_server(store, game)
            except DAMAGE:
                continue  # the command `check` names the game that cannot be read
            if game.over and game.reason not in {*ENDS_OF_MOVES, DEAD}:
                continue
            if before is not game and before.running:
                entries[at] = _unsent(entry, before, now_ms)


def _unsent(entry: Entry, game: CorrespondenceGame, now_ms: int) -> Entry:
    state = game.clocks
    side, deadline_ms = state.mover, state.deadline_ms
    return replace(
        entry,
        status=state.status,
        result=game.result,
        to_move=state.to_move,
        move=side.moves + 1,
        left_ms=None if deadline_ms is None else deadline_ms - max(now_ms, state.since_ms),
        bank_ms=side.bank_ms,
        deadline_ms=deadline_ms,
        clock_known=side.clock_known,
        bank_known=side.bank_known,
        stamp_ms=state.stamp_ms,
        own_clock_ms=side.clock_ms,
        own_bank_ms=side.bank_ms,
        own_known=side.clock_known and side.bank_known,
        unsent=True,
    )


def _urgency(entry: Entry) -> tuple[int, int, str]:
    rank = 0 if entry.own_turn else 3 if entry.status == OVER else 2 if entry.deadline_ms is None else 1
    return rank, entry.deadline_ms or 0, entry.name.lower()


def _entry(row: Row, now_ms: int, sound: set[tuple[type, ...]] | None) -> Entry:
    """Return the entry of a row. Raises ValueError for a row with a value of the wrong type or range.

    sound: the types of the values of rows that have passed the check; rows of the same types are checked faster. None
    if the table has texts that are not UTF-8; then each row is checked.
    """
    # The values are unpacked by position, because looking up each value by name would double the time.
    (
        name, white, black, own_side, control, status, to_move, stamp_ms, since_ms, deadline_ms, last_move, result,
        *sides, no_engines, white_known, black_known, uid,
    ) = row  # fmt: skip
    kinds = tuple(map(type, row))
    if (
        sound is None
        or kinds not in sound
        or not FIRST_MS <= stamp_ms <= LAST_MS
        or not FIRST_MS <= (deadline_ms or 0) <= LAST_MS
    ):
        check_row(row)
        if sound is not None:
            sound.add(kinds)
    mover, own = 3 * bool(to_move), 3 * (own_side == 1)
    known = black_known if to_move else white_known
    return Entry(  # called without keywords, which would take a tenth of the time of the list
        name,
        white,
        black,
        own_side,
        control,
        status,
        to_move,
        sides[mover + 2] + 1,
        # No time is added if the system clock is before the last entry, or the start is in the future.
        None if deadline_ms is None else deadline_ms - (now_ms if now_ms > since_ms else since_ms),
        sides[mover + 1],
        deadline_ms,
        last_move,
        result,
        no_engines == 1,
        known & 1 == 1,
        known & 2 == 2,
        uid,
        stamp_ms,
        sides[2] + sides[5] > 0,
        sides[own],
        sides[own + 1],
        (black_known if own else white_known) == 3,
    )
