"""Imports PGN files into the store. While a game is played, a server exports it repeatedly."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Unpack

from ..clock import game_clocks as clocks
from ..clock.control import Control, PerMove
from ..clock.game_clocks import Event, EventData, GameClocks
from ..clock.instants import message_instant, now_ms
from ..clock.parse import parse_control
from ..clock.triple_block import CAP_MS
from ..clock.units import SECOND_MS
from ..common.errors import ClockError, DamagedGameError, GameError, StandstillError, StoreError
from ..common.text import plural, shown
from .desk import Desk
from .game import SIDE_NAMES, CorrespondenceGame, Head
from .identity import UNKNOWN, Sought, claim, claims_of, find_stored, free_name
from .pgn import OWN_TAGS, PgnGame, PgnMove
from .pgn_log import first_entries, free_moves, is_logged, logged
from .recompute import control_of, start_of, total_of
from .remarks.kept import keep

Warn = Callable[[str], None]

_AHEAD_MS = 60 * SECOND_MS  # the clock of a server may be ahead of this machine's clock by this much

_KEPT_ELSEWHERE = ("White", "Black", "Result", "FEN", "SetUp", "TripleBlock", "TimeControl", *OWN_TAGS)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Values for games whose file lacks them. me: the user's name, or a part of it, as in the tags."""

    control: Control | None = None
    start_ms: int | None = None
    me: str | None = None
    prefix: str = ""
    zone: tzinfo | None = None


class Importer:
    """Stores the games of one file, one after another."""

    def __init__(self, desk: Desk, games: Iterable[PgnGame], options: ImportOptions):
        self._desk = desk
        self._options = options
        # A game with unreadable tags is rejected later, by ``add``.
        known = []
        for game in games:
            with contextlib.suppress(ClockError):
                known.append(_sought(game, options))
        self._claims = claims_of(desk, known)

    def add(self, game: PgnGame) -> tuple[str, str]:
        """Store a game, or the new moves of a game that is already stored.

        Returns its name and a description of the changes.

        Raises GameError, ClockError or NotationError; the store is then unchanged.
        """
        sought = _sought(game, self._options)
        with self._desk.store.transaction():  # needed because another import may be storing the same game
            stored = find_stored(self._desk, sought, self._claims)
            if stored is None:
                name, done = _store(self._desk, game, self._options)
            else:
                name, done = stored, _go_on(self._desk, stored, game, self._options)
            done = _with_remarks(self._desk, name, game, done)
        claim(self._claims, name, sought)
        return name, done


def import_games(desk: Desk, games: Sequence[PgnGame], options: ImportOptions) -> Iterator[tuple[PgnGame, str, str]]:
    """Store games; yield for each (game, what was done, "") or (game, "", why it was left out).

    Raises StoreError if the store cannot be written or read.
    """
    importer = Importer(desk, games, options)
    for game in games:
        try:
            name, done = importer.add(game)
        except StandstillError as error:
            if isinstance(error, StoreError) and not isinstance(error, DamagedGameError):
                raise
            yield game, "", str(error)
        else:
            yield game, f"{name}: {done}", ""


def _with_remarks(desk: Desk, name: str, game: PgnGame, done: str) -> str:
    """Keep the file's comments, tags and variations; return what was done with the game."""
    count = keep(desk, desk.load(name).head.id, game.remarks) if game.remarks else 0
    if not count:
        return done
    kept = f"{count} new {plural(count, 'remark')}"
    return kept if done == "nothing new" else f"{done}, {kept}"


def _sought(game: PgnGame, options: ImportOptions) -> Sought:
    """Return the description of the game to look for.

    Raises ClockError if a file of this program has an unreadable clock or start.
    """
    entries = first_entries(game)
    logged_start = entries[0] if entries and entries[0].kind == clocks.START else None
    if "GameName" not in game.tags or not (logged_start or "ClockStart" in game.tags):
        return Sought(game, options.prefix, None)
    start = logged_start or Event(clocks.START, _start_second(game, options))
    return Sought(game, options.prefix, ((options.control or control_of(game)).text, start))


def _store(desk: Desk, game: PgnGame, options: ImportOptions) -> tuple[str, str]:
    """Store a new game."""
    name = free_name(desk, game, options.prefix)
    control = options.control or control_of(game)
    start_ms = _start_second(game, options)
    free = free_moves(game)
    head = Head(
        name=name,
        control=control.text,
        white=game.tags.get("FirstWhite") or game.tags.get("White", "?"),
        black=game.tags.get("FirstBlack") or game.tags.get("Black", "?"),
        own_side=own_side(game, options.me),
        fen=game.fen,
        opening=tuple(move.uci for move in game.moves[:free]),
        tags=_kept_tags(game),
        no_engines=game.tags.get("NoEngines") == "1",
    )
    before = CorrespondenceGame(head)
    if is_logged(game):
        start, *events = logged(game, start_ms)
    else:
        start = Event(clocks.START, start_ms)
        events = follow(before.clocks.apply(start), game, free, lambda text: desk.warn(f"{name}: {text}"))
    desk.add(head, start.at_ms, events, unsure_start=bool(start.data.get("unsure")))
    return name, new_game(len(game.moves))


def new_game(plies: int) -> str:
    """Return the description of a game that is new in the store."""
    return f"new game, {plies} {plural(plies, 'half-move')}" if plies else "new game, no moves yet"


def _kept_tags(game: PgnGame) -> dict[str, str]:
    tags = {key: value for key, value in game.tags.items() if key not in _KEPT_ELSEWHERE and value not in UNKNOWN}
    if game.chess960:
        tags["Variant"] = "Chess960"
    return tags


def _go_on(desk: Desk, name: str, game: PgnGame, options: ImportOptions) -> str:
    added = 0

    def make(stored: CorrespondenceGame) -> list[Event]:
        nonlocal added
        known = len(stored.moves)
        added = max(0, len(game.moves) - known)
        if is_logged(game):
            return _new_entries(stored, game, options)
        result = game.tags.get("Result", "*")
        other = stored.over and stored.result not in (result, "*")
        if result in clocks.RESULTS and (len(game.moves) < known or other):
            raise GameError(
                f"the file ends the game {result} after {len(game.moves)} {plural(len(game.moves), 'half-move')};"
                f" {name} has {known}" + (f" and ended {stored.result}" if stored.over else "")
            )
        if stored.over:
            if added:
                more = f"{added} more {plural(added, 'half-move')}"
                raise GameError(f"the file has {more} than {name}, which has ended {stored.result}")
            return []
        return follow(stored.clocks, game, known, lambda text: desk.warn(f"{name}: {text}"))

    before = desk.load(name)
    columns: dict[str, object] = {}
    done = []
    side = None if options.me is None else own_side(game, options.me)
    if side not in (None, before.head.own_side):
        columns["own_side"] = side
        done.append(f"yours is {SIDE_NAMES[side]}")
    entries = len(desk.add_events(name, make, columns).log) - len(before.log)
    _warn_of_other_clock(desk, before, options)
    if added:
        done.insert(0, f"{added} new {plural(added, 'half-move')}")
    elif entries:
        done.insert(0, f"{entries} new {plural(entries, 'entry', 'entries')}")
    return ", ".join(done) or "nothing new"


def _warn_of_other_clock(desk: Desk, stored: CorrespondenceGame, options: ImportOptions) -> None:
    """Warn that ``--control`` and ``--start`` cannot change a game that is already stored."""
    name, start_ms = stored.head.name, stored.log[0].at_ms
    if options.control is not None and options.control.text != stored.head.control:
        desk.warn(
            f"{name}: is stored with the control {stored.head.control}: to use --control, `games remove` it first"
        )
    if options.start_ms is not None and options.start_ms // SECOND_MS * SECOND_MS != start_ms:
        start = message_instant(start_ms)
        desk.warn(f"{name}: is stored with the start {start}: to use --start, `games remove` it first")


def follow(state: GameClocks, game: PgnGame, known: int, warn: Warn, *, trusted: bool = False) -> list[Event]:
    """Return the events that lead from a state with ``known`` half-moves to the end of the file.

    If a move has no stamp, the clock after it gives its instant; without both the instant is marked as unknown.
    trusted: whether a server accepted each move, so that no move was late. Otherwise TimeUp is raised if under Triple
    Block time ran out before a move, even with every refill made as late as possible.
    """
    events: list[Event] = []

    def happen(kind: str, at_ms: int, **data: Unpack[EventData]) -> None:
        nonlocal state
        event = Event(kind, max(at_ms, state.stamp_ms), data)
        try:
            state = state.apply(event)
        except ClockError as error:
            raise type(error)(f"at half-move {number}: {error}") from None
        events.append(event)

    for text in game.problems:
        warn(text)
    missing = impossible = 0
    for number, move in enumerate(game.moves[known:], known + 1):
        data: EventData = {"uci": move.uci, "san": move.san}
        at_ms = _instant_of(state, move, number, warn)
        if at_ms is None:
            is_impossible = _is_impossible(state, move)
            impossible += is_impossible
            missing += not is_impossible
            later = next((later.at_ms for later in game.moves[number:] if later.at_ms is not None), None)
            data["unsure"] = clocks.AT
            at_ms = now_ms() if later is None else later
        at_ms = at_ms // SECOND_MS * SECOND_MS
        if "unsure" not in data and state.flagged(at_ms):
            # A PGN does not record refills. Without refills the move would have been late.
            while (flag_ms := state.deadline_ms) is not None and state.flagged(at_ms) and state.mover.bank_ms:
                happen(clocks.REFILL, flag_ms - 1, assumed=True)
            if state.flagged(at_ms) and (trusted or not state.control.has_bank):
                data["unsure"] = clocks.LENGTH
                warn(f"{move.san} at half-move {number} came after time ran out: assuming leave, clock unknown")
        mover = state.to_move
        happen(clocks.MOVE, at_ms, **data)
        _believe(state, mover, move, happen)
    if missing and not trusted:
        have = "move has" if missing == 1 else "moves have"
        warn(f"{missing} {have} neither a stamp nor a usable clock: correct the clocks to what the server shows")
    if impossible and not trusted:
        have = "move has a clock" if impossible == 1 else "moves have clocks"
        warn(f"{impossible} {have} that {state.control.text} does not allow: ignored")
    result = game.tags.get("Result", "*")
    if result in clocks.RESULTS:
        number = len(game.moves)
        happen(clocks.END, state.stamp_ms, result=result, reason=game.tags.get("Termination", ""))
    return events


def _instant_of(state: GameClocks, move: PgnMove, number: int, warn: Warn) -> int | None:
    """Return the instant at which a move was made, by its stamp or by the clock after it.

    None if neither stamp nor clock determines the instant.
    """
    if move.at_ms is None:
        return _implied_instant(state, move)
    what = f"{move.san} at half-move {number} is stamped"
    if move.at_ms > now_ms() + _AHEAD_MS:
        warn(f"{what} {message_instant(move.at_ms)}, which is in the future: ignored")
        return None
    if move.at_ms < state.stamp_ms:
        warn(f"{what} before the preceding event: assuming the same instant")
    return move.at_ms


def _implied_instant(state: GameClocks, move: PgnMove) -> int | None:
    """Return the instant at which a move without a stamp was made, by the clock after it.

    None if the clock does not determine the instant.
    """
    side = state.mover
    total_ms = total_of(state.control, move.clock_ms, move.bank_ms)
    if total_ms is None or not (side.clock_known and side.bank_known):
        return None
    if isinstance(state.control, PerMove) and total_ms == state.control.move_ms:
        return None  # either the clock for the next move, as some servers show it, or a move without thought
    think_ms = state.control.complete(side, 0).total_ms - total_ms
    return state.since_ms + think_ms if 0 <= think_ms < side.total_ms else None


def _is_impossible(state: GameClocks, move: PgnMove) -> bool:
    """Return whether the file shows an impossible clock after the move."""
    side = state.mover
    total_ms = total_of(state.control, move.clock_ms, move.bank_ms)
    if total_ms is None or not (side.clock_known and side.bank_known):
        return False
    return not 0 <= state.control.complete(side, 0).total_ms - total_ms < side.total_ms


def _believe(state: GameClocks, at: int, move: PgnMove, happen: Callable[..., None]) -> None:
    """Accept the file's clock after a move if it cannot be computed and the file gives clock and bank."""
    side = state.sides[at]
    total_ms = total_of(state.control, move.clock_ms, move.bank_ms)
    if total_ms is None or (side.clock_known and side.bank_known):
        return
    if state.control.has_bank:
        clock_ms = min(total_ms, CAP_MS)
        happen(clocks.CORRECT, state.stamp_ms, side=at, clock_ms=clock_ms, bank_ms=total_ms - clock_ms)
    else:
        happen(clocks.CORRECT, state.stamp_ms, side=at, clock_ms=total_ms)


# ---- files that this program wrote, which contain the log ----


def _new_entries(stored: CorrespondenceGame, game: PgnGame, options: ImportOptions) -> list[Event]:
    """Return the entries that only the log in the file has. Raises GameError unless one log begins with the other."""
    standing = stored.standing
    events = logged(game, _start_second(game, options))
    same = min(len(standing), len(events))
    if [(e.kind, e.at_ms, e.data) for e in standing[:same]] != [(e.kind, e.at_ms, e.data) for e in events[:same]]:
        raise GameError(f"the log in the file has other entries than the log of {stored.head.name}")
    return events[same:]


def _start_second(game: PgnGame, options: ImportOptions) -> int:
    start_ms = start_of(game, options.zone) if options.start_ms is None else options.start_ms
    return start_ms // SECOND_MS * SECOND_MS


def own_side(game: PgnGame, me: str | None) -> int | None:
    """Return the side whose name is ``me``; if neither name is, the side whose name contains ``me``.

    Raises GameError if ``me`` fits neither player, or both.
    """
    given = game.tags.get("OwnSide", "")
    if me is None:
        return {"white": 0, "black": 1}.get(given.lower())
    names = [game.tags.get(tag, "").casefold() for tag in ("White", "Black")]
    # The whole name decides first, because the opponent's name may contain it.
    sides = [side for side, name in enumerate(names) if name == me.casefold()]
    sides = sides or [side for side, name in enumerate(names) if me.casefold() in name]
    if len(sides) != 1:
        players = f"{game.tags.get('White', '?')} - {game.tags.get('Black', '?')}"
        raise GameError(f"expected --me to fit one of the players {shown(players)}, found {shown(me)}")
    return sides[0]


def parse_control_option(text: str | None) -> Control | None:
    return None if text is None else parse_control(text)
