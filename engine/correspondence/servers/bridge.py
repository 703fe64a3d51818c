"""Brings the store up to date with an Xfcc server, whose games and clocks take precedence.

Values that the server does not report are marked as unknown. Usually the server does not report when a move was made,
and often it does not report the bank.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, tzinfo

from ...clock import game_clocks as clocks
from ...clock.control import Control
from ...clock.game_clocks import Event
from ...clock.instants import now_ms, parse_instant
from ...clock.units import SECOND_MS
from ...common.errors import ClockError, GameError
from ...common.text import plural, shown
from ..desk import Desk, replayed
from ..game import ENDS_OF_MOVES, UNDO, CorrespondenceGame, Head, plain
from ..identity import described_by, different_people, find_entered, made_of, same_server, server_of, unused
from ..pgn import SERVER_TAGS, PgnGame, needs_chess960, read_movetext
from ..remarks.kept import planned_reply
from ..transfer import follow, new_game
from .inference import TOLERANCE_MS
from .news import leaves_bank_unknown, news_of
from .sightings import clock_events, earlier_start
from .terms import read_terms
from .unsent import draft_of, remade, without_draft
from .xfcc import PENDING, XfccGame

_LONGEST_NAME = 40
_NEW_CLOCKS = "new clocks"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The user's statements about a game that is fetched.

    control: the control of games that are new in the store, unless the server gives one; None if not given.
    name: the name of a game entered by hand, or the name for a new game. zone: the time zone of the server's dates.
    refills_entered: whether the store contains all manual refills and claims of the user. user: the user to whom the
    server has listed the game.
    """

    control: Control | None = None
    name: str | None = None
    zone: tzinfo | None = UTC
    refills_entered: bool = False
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """The changes to a fetched game.

    done: what was changed, in words; empty if nothing is new. notes: further messages for the owner of the game.
    times: the clocks that were only brought up to date.

    lacks_bank: whether the game is new in the store and runs, and a bank is unknown.
    """

    name: str
    done: str
    notes: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    lacks_bank: bool = False


def fetch(desk: Desk, url: str, found: XfccGame, wishes: Wishes) -> Fetched:
    """Store a game of the server, or bring a stored one up to date.

    Raises GameError or NotationError if the moves do not fit; the store is then unchanged.
    """
    reported = read_movetext(found.movetext, found.fen, found.chess960 or needs_chess960(found.fen or ""))
    with desk.store.transaction():  # searches and stores in one transaction, because another fetch may store the game
        return _fetched(desk, url, found, reported, wishes)


def _fetched(desk: Desk, url: str, found: XfccGame, reported: PgnGame, wishes: Wishes) -> Fetched:
    stored, name, notes = _stored_name(desk, url, found), wishes.name, []
    if name is None:
        name = stored or _entered(desk, found, reported)
    else:
        _check_name(desk, found, stored, name)
    done = ""
    if name is None or not desk.has(name):
        control, note = _control(found, wishes)
        notes += note
        name = _new(desk, url, found, reported, control, name or _free_name(desk, found), wishes.zone)
        done = new_game(len(reported.moves))
    changed = _changed_colour(desk, name, found)
    before, taken = _taken_back(desk, desk.load(name), found, reported)
    notes += [*changed, *taken]
    name = before.head.name  # the stored spelling, because names ignore case
    columns, column_notes = _columns(before, url, found, len(reported.moves))
    columns |= {} if wishes.user is None else {"server_user": wishes.user}
    entered = frozenset({_own_side(found)} if wishes.refills_entered else ())
    draft = draft_of(before)
    if draft is not None and not _lacks_draft(before, draft, reported):
        draft = None
    if draft is None:
        game = told = desk.add_events(name, lambda stored: _news(desk, stored, found, reported, entered), columns)
        new = game.log[len(before.log) :]
    else:
        game, told, new = _around_draft(desk, before, draft, found, reported, entered, columns)
    is_new = bool(done)
    done = done or _done(before, game, found, new) or "news" * bool(changed or taken)
    told_news, times = news_of(before, told, new, is_new=is_new)
    if done == _NEW_CLOCKS and not (told_news or times):  # they are as expected
        done = ""
    notes += [*column_notes, *told_news]
    if len(game.moves) > len(reported.moves):
        notes.append(f"{game.last_move} is not sent yet: `games send {name}`")
    elif len(game.moves) < len(before.moves):
        notes.append(f"{before.last_move} was not sent before the end")
    elif game.over and found.result is None and game.reason not in ENDS_OF_MOVES:
        notes.append(f"ended {game.result} in the store, but the server plays on: `correct --undo` takes the end back")
    notes += _doubts(game, found)
    if new and (reply := planned_reply(desk, game)) is not None:
        notes.append(f"planned reply {reply}: `games send {name} {reply}`")
    lacks_bank = is_new and game.running and any(map(leaves_bank_unknown, new))
    return Fetched(name, done, tuple(notes), tuple(times), lacks_bank)


def _changed_colour(desk: Desk, name: str, found: XfccGame) -> list[str]:
    """Change the user's colour if the arbiter has changed it. Return a message about the change."""
    row = desk.store.row("SELECT id, own_side FROM games WHERE name = ?", name)
    if row is None or row["own_side"] in {None, _own_side(found)}:
        return []
    desk.store.write("UPDATE games SET own_side = ? WHERE id = ?", _own_side(found), row["id"])
    return [f"you have {'White' if found.has_white else 'Black'} from now on: the server changed your colour"]


def _taken_back(
    desk: Desk, game: CorrespondenceGame, found: XfccGame, reported: PgnGame
) -> tuple[CorrespondenceGame, list[str]]:
    """Take back the moves that the server has removed, as after a decision of the arbiter.

    Returns the game, and messages about it.
    """
    moves = [move.uci for move in reported.moves]
    count = len(game.moves) - len(moves)
    row = desk.store.row("SELECT server_ply FROM games WHERE id = ?", game.head.id)
    had = (row and row["server_ply"]) or 0
    is_beginning = moves == game.moves[: len(moves)] and len(moves) >= len(game.head.opening)
    if not 0 < count <= len(game.moves) - len(game.head.opening) or had < len(game.moves) or not is_beginning:
        return game, []
    if game.over or found.result is not None:
        return game, []
    standing = game.standing
    first = [at for at, event in enumerate(standing) if event.kind == clocks.MOVE][-count]
    sans = " ".join(game.sans[len(moves) :])
    shorter = desk.add_events(
        game.head.name, lambda _: [Event(UNDO, now_ms() // SECOND_MS * SECOND_MS)] * (len(standing) - first)
    )
    return shorter, [f"{sans} {'was' if count == 1 else 'were'} taken back on the server"]


def _lacks_draft(game: CorrespondenceGame, draft: Event, reported: PgnGame) -> bool:
    """Return whether the server lacks the user's last move, or received it later than the store says."""
    moves = [move.uci for move in reported.moves]
    return moves == game.moves[:-1] or (bool(draft.data.get("unsent")) and moves[: len(game.moves)] == game.moves)


def _around_draft(  # noqa: PLR0917
    desk: Desk,
    game: CorrespondenceGame,
    draft: Event,
    found: XfccGame,
    reported: PgnGame,
    entered: frozenset[int],
    columns: dict[str, object],
) -> tuple[CorrespondenceGame, CorrespondenceGame, list[Event]]:
    """Store the news of a game whose last move the server lacks, or received later than the store says.

    On the server the mover's clock has continued to run. So the news comes before the move in the log, and the move
    is entered again with the current instant. Returns the game, the game without an unsent move, and the news.
    """
    base = without_draft(game)
    news = _news(desk, base, found, reported, entered, draft.at_ms if draft.data.get("unsent") else 0)
    told = replayed(game.head, [*base.log, *news])
    log = told.log
    if len(reported.moves) < len(game.moves) and told.running:
        log = [*log, remade(told, draft, now_ms(), sent=False)]
    return desk.rewrite(game.head.name, lambda _: log, columns), told, news


def _done(before: CorrespondenceGame, game: CorrespondenceGame, found: XfccGame, new: list[Event]) -> str:
    """Return a description of the news in a game that was stored before."""
    count = max(0, len(game.moves) - len(before.moves))
    last = game.last_move if count == 1 else f"to {game.last_move}"
    parts = [f"{count} new {plural(count, 'half-move')} ({last})"] if count else []
    if game.over and not before.over and found.result is not None:
        parts.append(f"ended {game.result}" if game.result != "*" else f"ended without a result ({game.reason})")
    elif game.over and game.result != before.result:
        parts.append(f"the result is now {game.result}, not {before.result}")
    if not parts and any(event.kind in (clocks.CORRECT, clocks.REFILL) for event in new):
        parts.append(_NEW_CLOCKS)
    return ", ".join(parts) or "news" * bool(new)


def _columns(before: CorrespondenceGame, url: str, found: XfccGame, plies: int) -> tuple[dict[str, object], list[str]]:
    """Return the columns of the ``games`` table that the server sets, and a description of the changes."""
    columns: dict[str, object] = {"server": url, "server_id": found.id, "server_ply": plies}
    notes = []
    if server_of(before) is None:
        notes.append("was entered by hand, and now belongs to the server")
    # If the user has forbidden engines for a game, the game keeps that setting.
    if found.no_engines and not before.head.no_engines:
        columns["no_engines"] = 1
        notes.append("the event forbids engines from now on: the game is not analysed any more")
    if before.head.server is not None:
        del columns["server"]  # the stored address of the server keeps its spelling
    server_tags = _event_tags(found)
    columns["tags"] = json.dumps(before.head.tags | server_tags)
    notes += [
        f"{tag} {shown(text)} in place of {shown(known)}"
        for tag, text in server_tags.items()
        if (known := before.head.tags.get(tag, text)) != text
    ]
    return columns, notes


def _control(found: XfccGame, wishes: Wishes) -> tuple[Control, list[str]]:
    """Return the clock of a game that is new in the store, and messages about it.

    Raises GameError if the clock is unknown.
    """
    terms = read_terms(found.time_control)
    if terms is None:
        if wishes.control is None:
            said = f"found {shown(found.time_control)}" if found.time_control else "the server gives no time control"
            raise GameError(f"expected a clock such as 50/75/1, {said}: give --control")
        unread = [f"the server's time control {shown(found.time_control)} is not understood: {wishes.control.text}"]
        return wishes.control, unread if found.time_control else []
    if wishes.control is not None and wishes.control.text != terms.text:
        return terms, [f"under {terms.text}, as the server says, not {wishes.control.text}"]
    return terms, []


def _doubts(game: CorrespondenceGame, found: XfccGame) -> list[str]:
    """Return messages about disagreements of store and server that only the user can settle."""
    terms = read_terms(found.time_control)
    notes = []
    if terms is not None and terms.text != game.head.control:
        notes.append(
            f"the server plays under {terms.text}, the store under {game.head.control}:"
            f" `games edit {game.head.name} --control {terms.text}`"
        )
    state = game.clocks
    shown_ms = found.clocks_ms[state.to_move]
    runs_on = shown_ms is not None and shown_ms < state.mover.clock_ms - TOLERANCE_MS
    if state.status == clocks.CLAIMED and runs_on and found.ending != PENDING:
        notes.append("the clock runs on the server, so the claim is decided: `claim --accepted` or `--rejected`")
    elif state.status == clocks.RUNNING and found.ending == PENDING:
        notes.append("waits for a decision on the server, where no clock runs: the deadlines here are too early")
    return notes


def _event_tags(found: XfccGame) -> dict[str, str]:
    """Return the event tags that the server gives; the server may have renamed the event. A date that does not exist
    is left out, so that it replaces no stored date.
    """
    tags = {"Event": plain(found.event), "Site": plain(found.site), "EventDate": plain(found.date)}
    if "?" not in found.date:
        try:
            parse_instant(found.date, UTC)
        except ClockError:
            del tags["EventDate"]
    return {tag: text for tag, text in tags.items() if text}


def unlisted(desk: Desk, url: str, user: str, listed: Collection[str]) -> list[str]:
    """Return the names of the user's unfinished stored games on the server whose ids are no longer in its list."""
    rows = desk.store.rows(
        "SELECT name, server, server_id FROM games"
        " WHERE server IS NOT NULL AND status != ? AND (server_user IS NULL OR server_user = ?) ORDER BY name",
        clocks.OVER,
        user,
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
        raise GameError(f"{error}: confirm it by --game {found.id}=NAME, or give a new NAME for another game") from None


def _own_side(found: XfccGame) -> int:
    return 0 if found.has_white else 1


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
    return unused(desk, _end_of(short))


def _end_of(name: str) -> str:
    """Return the end of a long name, if possible from the beginning of a word.

    A list of games with such names fits into 80 columns.
    """
    kept = name[-_LONGEST_NAME:]
    if len(name) > len(kept) and name[-len(kept) - 1] not in "-._":
        rest = re.sub(r"^[^-._]*[-._]+", "", kept)
        kept = rest if 2 * len(rest) >= _LONGEST_NAME else kept
    return kept.lstrip("-._")


def _new(  # noqa: PLR0917
    desk: Desk, url: str, found: XfccGame, reported: PgnGame, control: Control, name: str, zone: tzinfo | None
) -> str:
    stamps = [move.at_ms for move in reported.moves if move.at_ms is not None]
    now, unsure = now_ms(), False
    try:
        start_ms = parse_instant(found.date, zone)
    except ClockError:
        start_ms, unsure = now, True
    # A date after the first move is not the date of the start. Before the first move, the start may lie in the future.
    instants: list[int] = [start_ms, *([now] if reported.moves else []), *stamps[:1]]
    first_ms = min(instants)
    start_ms, unsure = first_ms, unsure or first_ms < start_ms
    if not (unsure or reported.moves):
        start_ms -= earlier_start(found, control, start_ms, now, reported.black_begins)
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


def _news(  # noqa: PLR0917
    desk: Desk,
    game: CorrespondenceGame,
    found: XfccGame,
    reported: PgnGame,
    entered: frozenset[int],
    first_ms: int = 0,
) -> list[Event]:
    """Return the events that the server has and the log lacks: moves, then its clocks, then the end.

    first_ms: the earliest possible instant of the first of these moves.
    """
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
    if game.clocks.status == clocks.CLAIMED and moves[known:]:
        count = len(moves) - known
        raise GameError(
            f"{name}: the server has moved on by {count} {plural(count, 'half-move')}, but the store waits for the"
            " decision of a claim: enter it with `claim --accepted` or `claim --rejected`"
        )
    if unsent > 0:
        extra = f"{unsent} {plural(unsent, 'move')}"
        raise GameError(f"{name}: the store has {extra} that the server does not know: `correct --undo`")
    if game.over:
        if moves[known:]:
            raise GameError(f"{name}: has ended in the store, the server has more moves: `correct --undo`")
        return _changed_result(game, found)
    events = follow(game.clocks, reported, known, lambda text: desk.warn(f"{name}: {text}"), trusted=True)
    state = game.clocks
    for event in events:
        state = state.apply(event)
    now = max(now_ms() // SECOND_MS * SECOND_MS, state.stamp_ms)
    # The game continues on the server, so a clock that has run out in the store was refilled on the server.
    replaced = _replacements(game, found, state.stamp_ms if state.flagged(now) else now)
    # A captain may have refilled the clock of a replaced player, and the player's log does not contain that refill.
    entered -= {event.data["side"] for event in replaced}
    events += replaced
    events += _words(game, [*game.standing, *events], found, state.stamp_ms)
    events += clock_events(game, events, found, now, entered, first_ms)
    if found.result is not None:
        events.append(Event(clocks.END, now, {"result": found.result, "reason": _reason(found)}))
    return events


def _changed_result(game: CorrespondenceGame, found: XfccGame) -> list[Event]:
    """Return the entries that replace the end of a game by the end that the server now has, as after an appeal."""
    if found.result in (None, game.result) or game.standing[-1].kind != clocks.END:
        return []
    now = max(now_ms() // SECOND_MS * SECOND_MS, game.clocks.stamp_ms)
    return [Event(UNDO, now), Event(clocks.END, now, {"result": str(found.result), "reason": _reason(found)})]


def _words(game: CorrespondenceGame, log: list[Event], found: XfccGame, at_ms: int) -> list[Event]:
    """Return the opponent's draw offer and message that the log lacks. Both belong to the last move."""
    opponent = 1 - _own_side(found)
    last = max((at for at, event in enumerate(log) if event.kind == clocks.MOVE), default=0)
    known = [(event.kind, event.data.get("text")) for event in log[last:] if event.data.get("side") == opponent]
    words = []
    if found.draw_offered and (clocks.OFFER, None) not in known:
        words.append(Event(clocks.OFFER, at_ms, {"side": opponent}))
    text = plain(found.message)
    if text and (clocks.MESSAGE, text) not in known:
        words.append(Event(clocks.MESSAGE, at_ms, {"side": opponent, "text": text}))
    return words


def _replacements(game: CorrespondenceGame, found: XfccGame, at_ms: int) -> list[Event]:
    """Return replacements for players whom the server names differently. The new players inherit clock and bank."""
    names = zip(game.players, (found.white, found.black), strict=True)
    return [
        Event(clocks.REPLACE, at_ms, {"side": side, "name": name})
        for side, (known, name) in enumerate(names)
        if different_people(known, name)
    ]


def _reason(found: XfccGame) -> str:
    return "server" if found.result != "*" else found.ending
