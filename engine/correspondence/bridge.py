"""Brings the store up to date with an Xfcc server, whose games and clocks take precedence.

Values that the server does not report are marked as unknown. Usually it does not report when a move was made, and often
not the bank.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide, Control
from ..clock.game_clocks import Event, EventData, GameClocks
from ..clock.instants import now_ms, parse_instant
from ..clock.triple_block import CAP_MS, TripleBlock
from ..clock.units import MINUTE_MS, SECOND_MS
from ..common.errors import ClockError, GameError
from ..common.text import plural, shown
from .desk import Desk
from .game import CorrespondenceGame, Head, plain
from .identity import described_by, different_people, find_entered, made_of, same_server, server_of, unused
from .pgn import SERVER_TAGS, PgnGame, needs_chess960, read_movetext
from .transfer import follow
from .xfcc import XfccGame


@dataclass(frozen=True, slots=True)
class Fetched:
    """The changes to a fetched game. notes: further messages for its owner."""

    name: str
    done: str
    notes: tuple[str, ...] = ()


def fetch(desk: Desk, url: str, found: XfccGame, control: Control, name: str | None = None) -> Fetched:
    """Store a game of the server, or bring a stored one up to date.

    name: the name that the owner gives, for a game entered by hand or a new game. Raises GameError or NotationError if
    the moves do not fit; the store is then unchanged.
    """
    reported = read_movetext(found.movetext, found.fen, found.chess960 or needs_chess960(found.fen or ""))
    with desk.store.transaction():  # searches and stores in one transaction, because another fetch may store the game
        return _fetched(desk, url, found, reported, control, name)


def _fetched(desk: Desk, url: str, found: XfccGame, reported: PgnGame, control: Control, name: str | None) -> Fetched:  # noqa: PLR0917
    stored = _stored_name(desk, url, found)
    if name is None:
        name = stored or _entered(desk, found, reported)
    else:
        _check_name(desk, found, stored, name)
    if name is None or not desk.has(name):
        name = _new(desk, url, found, reported, control, name or _free_name(desk, found))
        done = f"{len(reported.moves)} {plural(len(reported.moves), 'half-move')}"
    else:
        done = ""
    before = desk.load(name)
    name = before.head.name  # with the stored spelling, because names ignore case
    columns: dict[str, object] = {"server": url, "server_id": found.id, "server_ply": len(reported.moves)}
    notes = []
    if server_of(before) is None:
        notes.append("was entered by hand, and now belongs to the server")
    # If the user has forbidden engines for a game, it keeps that setting.
    if found.no_engines and not before.head.no_engines:
        columns["no_engines"] = 1
        notes.append("the event forbids engines from now on: the game is not analysed any more")
    if before.head.server is not None:
        del columns["server"]  # keeps its spelling
    told_tags = _event_tags(found)
    columns["tags"] = json.dumps(before.head.tags | told_tags)
    notes += [
        f"{tag} {shown(text)} in place of {shown(known)}"
        for tag, text in told_tags.items()
        if (known := before.head.tags.get(tag, text)) != text
    ]
    game = desk.act(name, lambda stored: _news(desk, stored, found, reported), columns)
    notes += [
        f"{player} plays in place of {known}"
        for known, player in zip(before.players, game.players, strict=True)
        if player != known
    ]
    new = len(game.moves) - len(before.moves)
    if not done and new:
        done = f"{new} new {plural(new, 'half-move')}"
    if game.over and not before.over and found.result is not None:
        done += ", " * bool(done) + f"ended {game.result}"
    done = done or "nothing new"
    if len(game.moves) > len(reported.moves):
        notes.append(f"{game.last_move} is not sent yet: `games send {name}`")
    elif game.over and found.result is None:
        notes.append(f"ended {game.result} in the store, but the server plays on: `correct --undo` takes the end back")
    return Fetched(name, done, (*notes, *_clock_notes(game)))


def _event_tags(found: XfccGame) -> dict[str, str]:
    """Return the tags that the server gives for the event, which it may have renamed."""
    tags = {"Event": plain(found.event), "Site": plain(found.site), "EventDate": plain(found.date)}
    return {tag: text for tag, text in tags.items() if text}


def unlisted(desk: Desk, url: str, listed: Collection[str]) -> list[str]:
    """Return the names of the server's unfinished stored games whose ids are no longer in its list."""
    rows = desk.store.rows(
        "SELECT name, server, server_id FROM games WHERE server IS NOT NULL AND status != ? ORDER BY name", clocks.OVER
    )
    return [str(row["name"]) for row in rows if same_server(row["server"], url) and row["server_id"] not in listed]


def _check_name(desk: Desk, found: XfccGame, stored: str | None, name: str) -> None:
    """Raise GameError unless the game can have this name."""
    if stored is not None and stored.lower() != name.lower():
        raise GameError(f"is stored already, as {stored}")
    if stored is None and desk.has(name):
        known = desk.load(name)
        if server_of(known) is not None:
            raise GameError(f"{known.head.name} is another game of a server")
        if known.head.own_side not in {None, _own_side(found)}:
            raise GameError(f"you have the other side in {known.head.name}")


def _entered(desk: Desk, found: XfccGame, reported: PgnGame) -> str | None:
    """Return the name of the matching game that was entered by hand before the first fetch, or None."""
    tags = {
        "White": found.white, "Black": found.black, "Event": found.event, "Site": found.site, "EventDate": found.date
    }  # fmt: skip
    moves = [move.uci for move in reported.moves]
    try:
        return find_entered(desk, described_by(tags, found.fen), _own_side(found), moves)
    except GameError as error:
        raise GameError(f"{error}: say so by --game {found.id}=NAME, or give a new NAME for another game") from None


def _own_side(found: XfccGame) -> int:
    return 0 if found.has_white else 1


def _clock_notes(game: CorrespondenceGame) -> list[str]:
    state = game.clocks
    if game.over or game.head.own_side is None:
        return []
    side = state.sides[game.head.own_side]
    if not side.clock_known:
        return ["the time on your clock is unknown: enter it with `correct`"]
    return [] if side.bank_known else ["the time in your bank is unknown: enter it with `correct`"]


def _stored_name(desk: Desk, url: str, found: XfccGame) -> str | None:
    for row in desk.store.rows("SELECT name, server FROM games WHERE server_id = ?", found.id):
        if row["server"] is not None and same_server(row["server"], url):
            return str(row["name"])
    # A game imported from a file belongs to the server again only once the server lists it.
    for row in desk.store.rows("SELECT name, tags FROM games WHERE server IS NULL AND tags LIKE '%XfccId%'"):
        tags = json.loads(row["tags"])
        server, number = (tags.get(tag, "") for tag in SERVER_TAGS)
        if number == found.id and same_server(server, url):
            return str(row["name"])
    return None


def _free_name(desk: Desk, found: XfccGame) -> str:
    short = made_of((found.event, found.white.split(",")[0], found.black.split(",")[0], found.id))
    return unused(desk, short[-80:].lstrip("-."))


def _new(desk: Desk, url: str, found: XfccGame, reported: PgnGame, control: Control, name: str) -> str:  # noqa: PLR0917
    stamps = [move.at_ms for move in reported.moves if move.at_ms is not None]
    now, unsure = now_ms(), False
    try:
        start_ms = parse_instant(found.date)
    except ClockError:
        start_ms, unsure = now, True
    start_ms = min([start_ms, now, *stamps[:1]])
    head = Head(
        name=name,
        control=control.text,
        white=found.white,
        black=found.black,
        own_side=_own_side(found),
        fen=found.fen,
        tags=_event_tags(found) | ({"Variant": "Chess960"} if reported.chess960 else {}),
        no_engines=bool(found.no_engines),
        server=url,
        server_id=found.id,
    )
    desk.add(head, start_ms, unsure_start=unsure)
    return name


def _news(desk: Desk, game: CorrespondenceGame, found: XfccGame, reported: PgnGame) -> list[Event]:
    """Return the events that the server has and the log lacks: moves, then its clocks, then the end."""
    known, name = len(game.moves), game.head.name
    moves = [move.uci for move in reported.moves]
    if moves[:known] != game.moves[: len(moves)]:
        raise GameError(f"{name}: the server has other moves than the store; `correct --undo` takes back what is wrong")
    unsent = known - len(moves)
    if unsent == 1 and game.board.stm ^ 1 == game.head.own_side:
        if found.result is not None:
            raise GameError(
                f"{name}: has ended {found.result} on the server, without {game.last_move}, which is not sent:"
                " `correct --undo` takes it back"
            )
        # The server's clocks belong to the position before the unsent moves.
        return [] if game.over else _replacements(game, found, game.clocks.stamp_ms)
    if unsent > 0:
        extra = f"{unsent} {plural(unsent, 'move')}"
        raise GameError(f"{name}: the store has {extra} that the server does not know: `correct --undo`")
    if game.over:
        if moves[known:]:
            raise GameError(f"{name}: has ended in the store, the server has more moves: `correct --undo`")
        return []
    events = follow(game.clocks, reported, known, lambda text: desk.warn(f"{name}: {text}"), trusted=True)
    state = game.clocks
    for event in events:
        state = state.apply(event)
    now = max(now_ms() // SECOND_MS * SECOND_MS, state.stamp_ms)
    events += _replacements(game, found, now)
    if state.status == clocks.RUNNING:
        for side, shown_ms in enumerate(found.clocks_ms):
            correction = None if shown_ms is None else _correction(state, side, shown_ms, now)
            if correction is not None:
                state = state.apply(correction)
                events.append(correction)
    if found.result is not None:
        events.append(Event(clocks.END, now, {"result": found.result, "reason": _reason(found)}))
    return events


def _replacements(game: CorrespondenceGame, found: XfccGame, at_ms: int) -> list[Event]:
    """Return replacements for players whom the server names differently. They inherit clock and bank."""
    names = zip(game.players, (found.white, found.black), strict=True)
    return [
        Event(clocks.REPLACE, at_ms, {"side": side, "name": name})
        for side, (known, name) in enumerate(names)
        if different_people(known, name)
    ]


def _reason(found: XfccGame) -> str:
    return "server" if found.result != "*" else found.ending


def _correction(state: GameClocks, at: int, shown_ms: int, now: int) -> Event | None:
    """Return a correction to the clock that the server shows. It shows minutes, so a clock that agrees is kept."""
    here = state.shown(at, now)
    running = at == state.to_move
    if not state.control.has_bank:
        clock_ms, bank_ms, clock_known, bank_known = shown_ms, 0, True, True
    elif running:
        clock_ms, bank_ms, clock_known, bank_known = _running(state.sides[at], here, shown_ms)
    else:
        clock_ms, bank_ms, clock_known, bank_known = _resting(state, here, shown_ms)
    same = (here.clock_known, here.bank_known) == (clock_known, bank_known)
    close = abs(here.clock_ms - clock_ms) <= MINUTE_MS and abs(here.bank_ms - bank_ms) <= MINUTE_MS
    if same and (close or not (clock_known or bank_known)):
        return None
    data: EventData = {"side": at, "clock_ms": clock_ms}
    if state.control.has_bank:
        data["bank_ms"] = bank_ms
    if not clock_known:
        data["clock_unknown"] = True
    if not bank_known:
        data["bank_unknown"] = True
    return Event(clocks.CORRECT, now, data)


def _resting(state: GameClocks, here: ClockSide, shown_ms: int) -> tuple[int, int, bool, bool]:
    """Return (clock, bank, clock known, bank known) for a clock that does not run.

    After each move the bank fills the clock, which shows less than 50 days only if the bank is empty. Some servers show
    clock and bank together.
    """
    if shown_ms > CAP_MS:
        return CAP_MS, shown_ms - CAP_MS, True, True
    if here.bank_known and here.clock_known and abs(here.clock_ms - shown_ms) <= MINUTE_MS:
        return here.clock_ms, here.bank_ms, True, True
    control = state.control
    if shown_ms < CAP_MS and here.moves and isinstance(control, TripleBlock) and control.auto_refill:
        return shown_ms, 0, True, True
    return shown_ms, 0 if here.bank_known else here.bank_ms, True, False


def _running(before: ClockSide, here: ClockSide, shown_ms: int) -> tuple[int, int, bool, bool]:
    """Like ``_resting``, for the running clock. before: the state when it began to run."""
    if shown_ms <= CAP_MS:
        if shown_ms <= before.clock_ms + MINUTE_MS:  # no refill in between
            return shown_ms, before.bank_ms, True, before.bank_known
        return shown_ms, 0, True, False
    spent_ms = before.total_ms - shown_ms
    if before.bank_known and 0 <= spent_ms < before.clock_ms:
        return before.clock_ms - spent_ms, before.bank_ms, True, True
    # The server shows clock and bank together, so the part that is on the clock is unknown.
    return 0, shown_ms - CAP_MS, False, False
