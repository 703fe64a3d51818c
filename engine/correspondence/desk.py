"""The operations on stored games.

Each operation is one transaction, which changes the store completely or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from sqlite3 import Row
from typing import Literal
from uuid import uuid4

from ..clock import game_clocks as clocks
from ..clock.control import ClockSide
from ..clock.game_clocks import Event, EventData
from ..clock.instants import message_instant, now_ms, to_datetime
from ..clock.units import DAY_MS, SECOND_MS, words_text
from ..common.errors import GameError, NotationError
from ..common.text import shown
from .game import DEAD, SIDE_NAMES, UNDO, CorrespondenceGame, Head, check_name, plain
from .sanity import check_correction, contradictions
from .store import DAMAGE, Store, check_row, damage_named


@dataclass(frozen=True, slots=True)
class When:
    """The instant of an entry. at_ms: the user's instant; None for now. Clocks are exact to the second."""

    at_ms: int | None = None

    def instant(self, game: CorrespondenceGame, warn: Callable[[str], None]) -> int:
        """Return the instant, at or after the last entry. Raises GameError if ``at_ms`` is earlier or in the future."""
        now, stamp = now_ms(), game.clocks.stamp_ms
        if self.at_ms is None:
            if now < stamp and game.log[-1].kind == clocks.START:
                raise GameError(f"{game.head.name} starts {message_instant(stamp)}")
            if now < stamp:
                warn(
                    f"the system clock shows {message_instant(now)}, before the last entry of {game.head.name},"
                    f" {message_instant(stamp)}: no time is counted"
                )
            return max(now // SECOND_MS * SECOND_MS, stamp)
        if self.at_ms > now:
            raise GameError(f"expected an instant in the past, found {message_instant(self.at_ms)}")
        if self.at_ms < stamp:
            raise GameError(
                f"expected an instant after the last entry of {game.head.name}, {message_instant(stamp)},"
                f" found {message_instant(self.at_ms)}"
            )
        return self.at_ms // SECOND_MS * SECOND_MS


class Desk:
    """The games of one store. warn: a function that is called with each warning for the user."""

    def __init__(self, store: Store, warn: Callable[[str], None] = lambda text: None):
        self.store = store
        self.warn = warn

    # ---- reading ----

    def has(self, name: str) -> bool:
        return self.stored_name(name) is not None

    def stored_name(self, name: str) -> str | None:
        """Return the stored spelling of the name, ignoring case; None if no game has it."""
        row = self.store.row("SELECT name FROM games WHERE name = ?", name)
        return None if row is None else str(row["name"])

    def named(self, name: str) -> str:
        """Return the stored spelling of the name, also for a damaged game. Raises GameError if no game has it."""
        return str(self._row(name)["name"])

    def names(self) -> list[str]:
        return [str(row["name"]) for row in self.store.rows("SELECT name FROM games ORDER BY name")]

    def load(self, name: str) -> CorrespondenceGame:
        """Return the game of that name, ignoring case. Raises GameError for an unknown name, and DamagedGameError."""
        row = self._row(name)
        with damage_named(self.store, row["name"]):
            return replayed(head_of(row), self.log(row["id"]))

    def log(self, game_id: int) -> list[Event]:
        rows = self.store.rows("SELECT kind, at_ms, data FROM events WHERE game_id = ? ORDER BY number", game_id)
        return [_event_of(row) for row in rows]

    def _row(self, name: str) -> Row:
        row = self.store.row("SELECT * FROM games WHERE name = ?", name)
        if row is None:
            raise GameError(f"no game named {shown(name)}{self._hint(name)}")
        return row

    def _hint(self, name: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(name, self.names(), 3)
        return f"; there is {', '.join(near)}" if near else ""

    # ---- changes ----

    def add(
        self, head: Head, start_ms: int, events: Iterable[Event] = (), *, unsure_start: bool = False
    ) -> CorrespondenceGame:
        """Store a new game that starts at ``start_ms``, with the events that are already known.

        unsure_start: whether ``start_ms`` is only the earliest possible instant.
        """
        check_name(head.name)
        tags = {plain(name): plain(value) for name, value in head.tags.items()}
        head = replace(head, white=plain(head.white) or "?", black=plain(head.black) or "?", tags=tags)
        data: EventData = {"unsure": clocks.AT} if unsure_start else {}
        start = Event(clocks.START, start_ms // SECOND_MS * SECOND_MS, data)
        game = CorrespondenceGame(head, [start, *map(_plain_event, events)])
        if not any(event.kind == clocks.MOVE for event in game.log) and game.natural_end(0):
            raise GameError("the start position has no legal move")
        self._finish(game)
        with self.store.transaction():
            if self.has(head.name):
                raise GameError(f"a game named {shown(head.name)} already exists")
            game_id = self._insert(game)
            self._append(game_id, game.log, 1)
        return game

    def add_events(
        self,
        name: str,
        make: Callable[[CorrespondenceGame], list[Event]],
        columns: dict[str, object] | None = None,
    ) -> CorrespondenceGame:
        """Append the events that ``make`` returns.

        If ``make`` raises an error, nothing changes. columns: further columns to set.
        """
        with self.store.transaction():
            game = self.load(name)
            before = len(game.log)
            try:
                for event in make(game):
                    game.add(_plain_event(event))
            except clocks.ClaimPending as error:
                raise GameError(f"{error}: enter it with `claim --accepted` or `claim --rejected`") from None
            self._finish(game)
            self._append(game.head.id, game.log[before:], before + 1)
            self._update(game, columns or {})
        return game

    def rewrite(
        self, name: str, make: Callable[[CorrespondenceGame], list[Event]], columns: dict[str, object] | None = None
    ) -> CorrespondenceGame:
        """Replace the log by the log that ``make`` returns.

        If ``make`` raises an error, nothing changes. columns: further columns.
        """
        with self.store.transaction():
            old = self.load(name)
            game = CorrespondenceGame(old.head, map(_plain_event, make(old)))
            self._finish(game)
            self.replace_log(game.head.id, old.log, game.log)
            self._update(game, columns or {})
        return game

    def move(
        self, name: str, text: str, when: When, side: str = "any", after: list[str] | None = None
    ) -> CorrespondenceGame:
        """Enter a move.

        side: ``own`` and ``opponent`` reject a move of the other player; ``any`` accepts moves of both players. after:
        the moves of the game that the caller knows. Raises GameError if another process has changed the game since.
        """

        def make(game: CorrespondenceGame) -> list[Event]:
            if after is not None and game.moves != after:
                raise GameError(f"{game.head.name} has changed in the meantime: look at it again")
            self._refuse_wrong_turn(game, side)
            at_ms = when.instant(game, self.warn)
            event = game.move_event(text, at_ms)
            if when.at_ms is None and side != "own":
                self._warn_without_instant(game, at_ms)
            return [event]

        with self.store.transaction():
            game = self.add_events(name, make)
            end = game.dead_end(game.clocks.stamp_ms)
            return game if end is None else self.add_events(name, lambda _: [end])

    def _warn_without_instant(self, game: CorrespondenceGame, at_ms: int) -> None:
        """Warn about an opponent's move that was entered without its time.

        Raises GameError if the move would come too late.
        """
        thought_ms = at_ms - game.clocks.since_ms
        flag_ms = game.clocks.deadline_ms
        if flag_ms is not None and game.clocks.flagged(at_ms):
            who = SIDE_NAMES[game.clocks.to_move]
            raise GameError(f"{who}'s time ran out {message_instant(flag_ms)}: give the time of the move with --at")
        if game.running and thought_ms >= DAY_MS:
            self.warn(
                f"entered as played now, after {words_text(thought_ms)}: if it was played earlier, use `correct --undo`"
                " and enter it again with --at"
            )

    def planned(self, game: CorrespondenceGame, text: str) -> Event:
        """Return the event that ``move`` would store now. Raises the errors of ``move``, and changes nothing."""
        event = game.move_event(text, When().instant(game, lambda text: None))
        game.clocks.apply(event)
        return event

    def undo_move(self, name: str, moves: list[str]) -> CorrespondenceGame:
        """Take back the last of these moves, and the end of the game if that move caused it."""

        def make(game: CorrespondenceGame) -> list[Event]:
            if game.moves != moves:
                raise GameError(f"{game.head.name} has changed in the meantime")
            ended = game.standing[-1].kind == clocks.END
            return [Event(UNDO, now_ms())] * (1 + ended)

        return self.add_events(name, make)

    def refill(self, name: str, wanted_ms: int | None, when: When, side: str = "any") -> tuple[CorrespondenceGame, int]:
        """Enter a manual refill for the side to move. Also return the transferred time.

        side: ``own`` rejects a refill of the opponent's clock; ``any`` accepts refills of both clocks.
        """
        moved = 0

        def make(game: CorrespondenceGame) -> list[Event]:
            nonlocal moved
            mover = game.clocks.to_move
            if side == "own" and game.running and mover != game.head.own_side:
                raise GameError(
                    f"{game.player_text(mover)} is to move in {game.head.name}, not you: enter a refill of that clock"
                    " with refill --any"
                )
            at_ms = when.instant(game, self.warn)
            data: EventData = {} if wanted_ms is None else {"ms": wanted_ms}
            after = game.clocks.apply(Event(clocks.REFILL, at_ms, data))
            moved = game.clocks.mover.bank_ms - after.mover.bank_ms
            # The log records the transferred time, which may be less than the requested time.
            return [Event(clocks.REFILL, at_ms, {} if wanted_ms is None else {"ms": moved})]

        return self.add_events(name, make), moved

    def claim(self, name: str, what: str, when: When, side: int | None = None) -> CorrespondenceGame:
        """Enter a claim. side: the claimant; by default the owner, or in a watched game the side to move.

        The owner may also claim on the opponent's turn, for instance that the opponent's time has run out.
        """

        def make(game: CorrespondenceGame) -> list[Event]:
            at_ms = when.instant(game, self.warn)
            known = game.head.own_side if side is None else side
            claimant = game.clocks.to_move if known is None else known
            return [Event(clocks.CLAIM, at_ms, {"side": claimant, "what": what})]

        return self.add_events(name, make)

    def decide(self, name: str, accepted: bool, result: str | None, when: When) -> CorrespondenceGame:
        """Decide a claim. result: the result of an accepted claim; by default a draw, or a win if a win was claimed."""

        def make(game: CorrespondenceGame) -> list[Event]:
            data: EventData = {"accepted": accepted}
            if accepted:
                data["result"] = check_result(result or _claimed_result(game))
                data["reason"] = "claim"
            elif result is not None:
                raise GameError("a rejected claim has no result")
            return [Event(clocks.DECIDE, when.instant(game, self.warn), data)]

        return self.add_events(name, make)

    def replace(self, name: str, side: int, player: str, refill_ms: int | None, when: When) -> CorrespondenceGame:
        """Enter a replacement. refill_ms: the captain's refill; 0 for as much as fits, None for no refill."""

        def make(game: CorrespondenceGame) -> list[Event]:
            data: EventData = {"side": side, "name": player}
            if refill_ms is not None:
                data["refill_ms"] = refill_ms
            return [Event(clocks.REPLACE, when.instant(game, self.warn), data)]

        return self.add_events(name, make)

    def correct(self, name: str, side: int, values: EventData, when: When) -> CorrespondenceGame:
        """Correct a clock to the values that the server shows: clock_ms, bank_ms, moves."""

        def make(game: CorrespondenceGame) -> list[Event]:
            data: EventData = {"side": side, **values}
            event = Event(clocks.CORRECT, when.instant(game, self.warn), data)
            check_correction(game, event)
            return [event]

        return self.add_events(name, make)

    def undo(self, name: str) -> CorrespondenceGame:
        """Take back the last entry. If that entry is a mate or stalemate, take back the move as well."""

        def make(game: CorrespondenceGame) -> list[Event]:
            last = game.standing[-1]
            dead = last.data.get("reason") == DEAD
            made = last.kind == clocks.END and (dead or not game.board.count_legal(1))
            return [Event(UNDO, now_ms())] * (1 + made)

        return self.add_events(name, make)

    def end(self, name: str, result: str, reason: str, when: When) -> CorrespondenceGame:
        check_result(result)

        def make(game: CorrespondenceGame) -> list[Event]:
            return [Event(clocks.END, when.instant(game, self.warn), {"result": result, "reason": reason})]

        return self.add_events(name, make)

    def remove(self, name: str) -> None:
        with self.store.transaction():
            row = self._row(name)
            self.store.write(
                "INSERT OR REPLACE INTO forgotten (uid, name, at_ms) VALUES (?, ?, ?)",
                row["uid"],
                row["name"],
                now_ms(),
            )
            self.store.write("DELETE FROM games WHERE id = ?", row["id"])

    def _finish(self, game: CorrespondenceGame) -> None:
        """Enter the end of the game if its last move ended it. Raises ClockError for deadlines beyond the calendar."""
        if game.log[-1].kind != UNDO and (end := game.natural_end(game.clocks.stamp_ms)) is not None:
            game.add(end)
        for deadline_ms in (game.clocks.deadline_ms, game.clocks.last_deadline_ms):
            if deadline_ms is not None:
                to_datetime(deadline_ms)

    def _refuse_wrong_turn(self, game: CorrespondenceGame, side: str) -> None:
        own = game.head.own_side
        if game.over:
            raise GameError(f"{game.head.name} is over, {game.result}")
        if side == "any":
            return
        if own is None:
            raise GameError(f"you only watch {game.head.name} and play neither side: enter its moves with move --any")
        if (game.clocks.to_move == own) != (side == "own"):
            who = "you are" if game.clocks.to_move == own else "your opponent is"
            raise GameError(
                f"it is not that side's turn in {game.head.name}: {who} to move, as {SIDE_NAMES[game.board.stm]}"
            )

    # ---- rows ----

    def _insert(self, game: CorrespondenceGame) -> int:
        head = game.head
        columns = {
            "name": head.name,
            "first_white": head.white,
            "first_black": head.black,
            "own_side": head.own_side,
            "control": head.control,
            "fen": head.fen,
            "opening": " ".join(head.opening),
            "tags": json.dumps(head.tags),
            "no_engines": int(head.no_engines),
            "server": head.server,
            "server_id": head.server_id,
            "created_ms": now_ms(),
            "uid": f"{uuid4().hex}@games.standstill.invalid",
        } | state_columns(game)
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        return self.store.write(f"INSERT INTO games ({names}) VALUES ({marks})", *columns.values())

    def _update(self, game: CorrespondenceGame, others: dict[str, object]) -> None:
        columns = state_columns(game) | others
        sets = ", ".join(f"{name} = ?" for name in columns)
        self.store.write(f"UPDATE games SET {sets} WHERE id = ?", *columns.values(), game.head.id)

    def replace_log(self, game_id: int, old: list[Event], new: list[Event]) -> None:
        """Replace the log.

        Entries at the beginning that both logs share keep the instants at which they were recorded.
        """
        same = next(
            (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
        )
        self.store.write("DELETE FROM events WHERE game_id = ? AND number > ?", game_id, same)
        self._append(game_id, new[same:], same + 1)

    def _append(self, game_id: int, events: list[Event], number: int) -> None:
        recorded = now_ms()
        for at, event in enumerate(events, number):
            self.store.write(
                "INSERT INTO events (game_id, number, kind, at_ms, data, recorded_ms) VALUES (?, ?, ?, ?, ?, ?)",
                game_id,
                at,
                event.kind,
                event.at_ms,
                json.dumps(event.data),
                recorded,
            )


def replayed(head: Head, log: list[Event]) -> CorrespondenceGame:
    """Return the game that follows from the log. Raises one of the errors in DAMAGE for an inconsistent log."""
    if not log or log[0].kind != clocks.START:
        raise GameError("the log does not begin with a start")
    return CorrespondenceGame(head, log)


def _event_of(row: Row) -> Event:
    """Return the event in a row of the ``events`` table. Raises one of DAMAGE."""
    data: EventData = json.loads(row["data"])
    at_ms = row["at_ms"]
    if not isinstance(data, dict) or not isinstance(at_ms, int):
        raise ValueError("an entry lacks its values")
    to_datetime(at_ms)
    return Event(row["kind"], at_ms, data)


# The values of an event that are text. Names and moves come from servers and files.
_Text = Literal["uci", "san", "what", "name", "result", "reason", "why", "text"]
_EVENT_TEXTS: tuple[_Text, ...] = ("uci", "san", "what", "name", "result", "reason", "why", "text")


def _plain_event(event: Event) -> Event:
    data = event.data.copy()
    for key in _EVENT_TEXTS:
        if key in data:
            data[key] = plain(data[key])
    return Event(event.kind, event.at_ms, data)


def head_of(row: Row) -> Head:
    """Return the head of the game in a row of the ``games`` table. Raises ValueError, or another error in DAMAGE."""
    check_row(row)
    tags = json.loads(row["tags"])
    if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
        raise ValueError("tags must be strings")
    return Head(
        id=row["id"],
        name=row["name"],
        control=row["control"],
        white=row["first_white"],
        black=row["first_black"],
        own_side=row["own_side"],
        fen=row["fen"],
        opening=tuple(row["opening"].split()),
        tags=tags,
        no_engines=bool(row["no_engines"]),
        server=row["server"],
        server_id=row["server_id"],
    )


def known_bits(side: ClockSide) -> int:
    return side.clock_known + 2 * side.bank_known


def state_columns(game: CorrespondenceGame) -> dict[str, object]:
    """Return the state after the log as columns of the ``games`` table, so that listing games need not read logs."""
    state = game.clocks
    white, black = state.sides
    return {
        "status": state.status,
        "to_move": state.to_move,
        "since_ms": state.since_ms,
        "stamp_ms": state.stamp_ms,
        "deadline_ms": state.deadline_ms,
        "white_clock_ms": white.clock_ms,
        "white_bank_ms": white.bank_ms,
        "white_moves": white.moves,
        "white_used_ms": white.used_ms,
        "black_clock_ms": black.clock_ms,
        "black_bank_ms": black.bank_ms,
        "black_moves": black.moves,
        "black_used_ms": black.used_ms,
        "white_known": known_bits(white),
        "black_known": known_bits(black),
        "white": game.players[0],
        "black": game.players[1],
        "position": game.fen,
        "position_key": f"{game.board.key:016X}",
        "last_move": game.last_move,
        "result": game.result,
    }


def check(desk: Desk) -> list[str]:
    """Return the problems of a store: damage to the file, and games whose log does not lead to their stored state."""
    found = desk.store.problems()
    for row in desk.store.rows("SELECT * FROM games ORDER BY name"):
        name = row["name"]
        numbers = [r[0] for r in desk.store.rows("SELECT number FROM events WHERE game_id = ? ORDER BY 1", row["id"])]
        if numbers != list(range(1, len(numbers) + 1)):
            found.append(f"{name}: entries are missing from its log")
        try:
            game = replayed(head_of(row), desk.log(row["id"]))
        except DAMAGE as error:
            found.append(f"{name}: its log cannot be replayed: {error or type(error).__name__}")
            continue
        found += [f"{name}: {text}" for text in (*game.clocks.problems(), *contradictions(game, game.clocks))]
        if game.head.fen is not None:
            from .pgn import kept_fen

            try:
                kept_fen(game.head.fen)
            except NotationError as error:
                found.append(f"{name}: it cannot be exported: {error}")
        for column, value in state_columns(game).items():
            if row[column] != value:
                found.append(f"{name}: {column} is {row[column]!r}, the log leads to {value!r}")
    return found


def check_result(text: str) -> str:
    """Raise GameError unless the text is the result of a finished game."""
    if text not in clocks.RESULTS:
        raise GameError(f"expected one of {', '.join(clocks.RESULTS)} as a result, found {shown(text)}")
    return text


def last_claim(game: CorrespondenceGame) -> Event:
    """Return the last claim of the game. Raises GameError if the game has no claim."""
    claim = next((event for event in reversed(game.standing) if event.kind == clocks.CLAIM), None)
    if claim is None:
        raise GameError("no claim to decide")
    return claim


def _claimed_result(game: CorrespondenceGame) -> str:
    claim = last_claim(game)
    if claim.data.get("what") == "win":
        return ("1-0", "0-1")[claim.data["side"]]
    return "1/2-1/2"
