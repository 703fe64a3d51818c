"""The heads of new games, and changes to stored games: head and log, with all later entries recomputed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo

from ..clock import game_clocks as clocks
from ..clock.game_clocks import Event, EventData
from ..clock.instants import instant_text, now_ms, parse_instant, to_datetime, written_date
from ..clock.parse import parse_control
from ..common.errors import ClockError, GameError, IllegalMoveError, NotationError, StandstillError
from ..common.text import shown
from ..variants.boards import new_board
from .desk import Desk, When, state_columns
from .game import SIDE_NAMES, UNDO, CorrespondenceGame, Head, check_name, plain, read_line
from .pgn import kept_fen, needs_chess960
from .remarks.hints import SCORING_TAG
from .times import times_text


@dataclass(frozen=True, slots=True)
class NewGame:
    """A new game as a person describes it.

    own_side: 0 for White, 1 for Black, None to follow a game of others. start: the time when White's clock starts, as
    text; None: now. opening: moves given with the start position. rmobility: whether the event scores draws by
    R-Mobility.
    """

    name: str
    control: str
    white: str = "?"
    black: str = "?"
    own_side: int | None = None
    start: str | None = None
    fen: str | None = None
    opening: str = ""
    event: str = ""
    no_engines: bool = False
    rmobility: bool = False


def head_of(wanted: NewGame, where: tzinfo | None) -> tuple[Head, int]:
    """Return the head of the game and the instant at which White's clock starts, in ms.

    where: the time zone of ``start``; None for the system's. Raises ClockError or NotationError.
    """
    fen = None if wanted.fen is None else kept_fen(wanted.fen)
    chess960 = fen is not None and needs_chess960(fen)
    start_ms = now_ms() if wanted.start is None else parse_instant(wanted.start, where)
    # A server's file names the first day in the players' time zone; the day in UTC may differ.
    first_day = f"{to_datetime(start_ms, where):%Y.%m.%d}" if wanted.start is None else written_date(wanted.start)
    tags = {"Date": first_day}
    if wanted.event:
        tags["Event"] = wanted.event
    if chess960:
        tags["Variant"] = "Chess960"
    if wanted.rmobility:
        tags[SCORING_TAG] = "yes"
    head = Head(
        name=wanted.name,
        control=parse_control(wanted.control).text,
        white=wanted.white,
        black=wanted.black,
        own_side=wanted.own_side,
        fen=fen,
        opening=read_line(new_board(fen, chess960), wanted.opening),
        tags=tags,
        no_engines=wanted.no_engines,
    )
    return head, start_ms


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A change to entry ``number`` of the log, counted from 1: at_ms and data where given, or its removal."""

    number: int
    at_ms: int | None = None
    data: EventData | None = None
    remove: bool = False


def edited(game: CorrespondenceGame, head: Head, change: EntryChange | None = None) -> CorrespondenceGame:
    """Return the game with another head and a changed entry. Nothing is stored.

    Raises GameError if an entry no longer fits, and ClockError for a wrong control.
    """
    parse_control(head.control)
    log = [*game.log] if change is None else _changed(game, change)
    if change is not None or head.control != game.head.control:
        log = [_without_sums(event) for event in log]
    found = CorrespondenceGame(head)
    for number, event in enumerate(log, 1):
        try:
            if event.at_ms < found.clocks.stamp_ms and event.kind != UNDO:
                raise GameError("its time is before that of the preceding entry")
            found.add(event)
        except (GameError, ClockError, NotationError, IllegalMoveError) as error:
            raise GameError(f"entry {number}, {event.kind}, would no longer fit: {error}") from None
    return found


def _changed(game: CorrespondenceGame, change: EntryChange) -> list[Event]:
    log = [*game.log]
    at = change.number - 1
    if not 0 <= at < len(log):
        raise GameError(f"expected an entry from 1 to {len(log)}, found {change.number}")
    event = log[at]
    if change.remove:
        if event.kind == clocks.START:
            raise GameError("the start cannot be removed: give it another instant")
        del log[at]
        return log
    data = event.data.copy()
    data.update(change.data or {})
    at_ms = event.at_ms if change.at_ms is None else change.at_ms
    if change.at_ms is not None:
        data.pop("unsure", None)  # the user has given the exact instant
    log[at] = Event(event.kind, at_ms, data)
    return log


def _without_sums(event: Event) -> Event:
    """Drop the totals that a fetch derived from the old control and the old entries."""
    if "both_ms" not in event.data:
        return event
    data = event.data.copy()
    data.pop("both_ms")
    data.pop("both_most_ms", None)
    return Event(event.kind, event.at_ms, data)


def store_edited(desk: Desk, before: CorrespondenceGame, after: CorrespondenceGame) -> None:
    """Store an edited game.

    Raises GameError if another process has changed the game, or another game has the new name.
    """
    head = after.head
    check_name(head.name)
    with desk.store.transaction():
        stored = desk.load(before.head.name)
        if stored.log != before.log or stored.head != before.head:
            raise GameError(f"{before.head.name} has changed in the meantime: look at it again")
        taken = desk.stored_name(head.name)
        if taken is not None and taken != stored.head.name:
            raise GameError(f"a game named {shown(head.name)} already exists")
        desk.replace_log(stored.head.id, stored.log, after.log)
        columns = state_columns(after) | {
            "name": head.name,
            "first_white": plain(head.white) or "?",
            "first_black": plain(head.black) or "?",
            "own_side": head.own_side,
            "control": head.control,
            "tags": json.dumps(head.tags),
            "no_engines": int(head.no_engines),
            "server": head.server,
            "server_id": head.server_id,
        }
        if head.server is None:
            columns["server_ply"] = None
        sets = ", ".join(f"{name} = ?" for name in columns)
        desk.store.write(f"UPDATE games SET {sets} WHERE id = ?", *columns.values(), stored.head.id)


@dataclass(frozen=True, slots=True)
class HeadChange:
    """A change to the head of a game; None leaves a value unchanged.

    side: ``white``, ``black``, or ``none`` for a game that the user only follows. event: "" removes it. link: the
    server and the game's id there. engines, rmobility: whether the event allows engines, and scores draws by
    R-Mobility.
    """

    name: str | None = None
    white: str | None = None
    black: str | None = None
    side: str | None = None
    event: str | None = None
    control: str | None = None
    link: tuple[str, str] | None = None
    unlink: bool = False
    engines: bool | None = None
    rmobility: bool | None = None


def changed_head(game: CorrespondenceGame, change: HeadChange) -> Head:
    """Return the head of the game with the change. Raises ClockError, GameError or XfccError."""
    head = with_players(game, change.white, change.black)
    if change.name is not None:
        head = replace(head, name=change.name)
    if change.side is not None:
        head = replace(head, own_side={"white": 0, "black": 1}.get(change.side))
    if change.event is not None:
        others = {tag: text for tag, text in head.tags.items() if tag != "Event"}
        head = replace(head, tags=others | ({"Event": change.event} if change.event else {}))
    if change.control is not None:
        head = replace(head, control=parse_control(change.control).text)
    if change.engines is not None:
        head = replace(head, no_engines=not change.engines)
    if change.rmobility is not None:
        head = replace(head, tags=head.tags | {SCORING_TAG: "yes" if change.rmobility else "no"})
    if change.unlink:
        tags = {tag: text for tag, text in head.tags.items() if not tag.startswith("Xfcc")}
        head = replace(head, server=None, server_id=None, tags=tags)
    if change.link is not None:
        from .servers.xfcc import check_address

        check_address(change.link[0])
        head = replace(head, server=change.link[0], server_id=change.link[1])
    return head


def with_players(game: CorrespondenceGame, white: str | None, black: str | None) -> Head:
    """Return the head with these players. Raises GameError if a substitute would keep the new name from being shown."""
    head = game.head
    for side, name in enumerate((white, black)):
        if name is None:
            continue
        number = max(
            (at for at, event in enumerate(game.log, 1) if event.kind == clocks.REPLACE and event.data["side"] == side),
            default=None,
        )
        if number is not None:
            raise GameError(f"entry {number} names {shown(game.players[side])}: change the name in that entry")
        head = replace(head, white=name) if side == 0 else replace(head, black=name)
    return head


def changes(before: CorrespondenceGame, after: CorrespondenceGame, where: tzinfo | None) -> list[str]:
    """Return a line for each difference between a game and its edited form."""
    lines = []
    for what in ("name", "white", "black", "own_side", "control", "no_engines", "server", "server_id"):
        old, new = getattr(before.head, what), getattr(after.head, what)
        if old != new:
            lines.append(f"{_WORDS.get(what, what)}: {_value(what, old)} -> {_value(what, new)}")
    for tag, what in (("Event", "event"), ("RMobilityScoring", "R-Mobility")):
        old, new = (each.head.tags.get(tag, "-") for each in (before, after))
        if old != new:
            lines.append(f"{what}: {old} -> {new}")
    if len(before.log) != len(after.log):
        lines.append(f"log: {len(before.log)} -> {len(after.log)} entries")
    elif before.log != after.log:
        numbers = [at for at, pair in enumerate(zip(before.log, after.log, strict=True), 1) if pair[0] != pair[1]]
        lines.append(f"entries changed: {', '.join(map(str, numbers))}")
    now = now_ms()
    for side, who in enumerate(SIDE_NAMES):
        times = [times_text(game, side, now) for game in (before, after)]
        if times[0] != times[1]:
            lines.append(f"{who}: {times[0]} -> {times[1]}")
    ends = [_end(game, where) for game in (before, after)]
    if ends[0] != ends[1]:
        lines.append(f"{ends[0]} -> {ends[1]}")
    return lines


_WORDS = {"own_side": "your side", "no_engines": "engines", "server_id": "id on the server"}


def _value(what: str, value: object) -> str:
    if what == "own_side":
        return "none" if value is None else SIDE_NAMES[int(str(value))]
    if what == "no_engines":
        return "forbidden" if value else "allowed"
    return "-" if value is None else str(value)


def _end(game: CorrespondenceGame, where: tzinfo | None) -> str:
    if game.over:
        return f"result {game.result}"
    deadline_ms = game.clocks.deadline_ms
    return "no clock runs" if deadline_ms is None else f"deadline {instant_text(deadline_ms, where)}"


def enter_moves(desk: Desk, lines: Iterable[str], where: tzinfo | None) -> list[str]:
    """Enter a move from each line ``NAME MOVE [INSTANT]``: either all moves or none. Return the entered moves in words.

    Empty lines, and lines that begin with #, are skipped. where: the time zone of the instants. Raises GameError for
    the first line that does not fit; then nothing is stored.
    """
    done = []
    with desk.store.transaction():
        for number, line in enumerate(lines, 1):
            words = line.split(maxsplit=2)
            if not words or words[0].startswith("#"):
                continue
            try:
                if len(words) < 2:
                    raise GameError(f"expected NAME MOVE [INSTANT], found {shown(line.strip())}")
                at_ms = parse_instant(words[2], where) if len(words) == 3 else None
                game = desk.move(words[0], words[1], When(at_ms))
            except StandstillError as error:
                raise GameError(f"line {number}: {error}; nothing was stored") from None
            done.append(f"{game.head.name}: {game.last_move}, {instant_text(game.clocks.stamp_ms, where)}")
    return done
