"""What a player does with stored games. Each act is one transaction: the state before it or the state after it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..clock import game as clocks
from ..clock.game import Event
from ..clock.instants import instant_text, now_ms, to_datetime
from ..clock.units import SECOND_MS
from ..errors import ClockError, GameError
from ..notation import shown
from .game import RESULTS, SIDE_NAMES, UNDO, Game, Head, check_name, plain
from .store import Store


@dataclass(frozen=True, slots=True)
class When:
    """The instant of an act. at_ms: as the user gave it, None for now. Clocks are kept to the second."""

    at_ms: int | None = None

    def instant(self, game: Game, warn: Callable[[str], None]) -> int:
        """Never before the last entry. Raises GameError for a given instant that lies before it, or in the future."""
        now, stamp = now_ms(), game.clocks.stamp_ms
        if self.at_ms is None:
            if now < stamp and game.log[-1].kind == clocks.START:
                raise GameError(f"{game.head.name} starts {instant_text(stamp)}")
            if now < stamp:
                warn(
                    f"the system clock shows {instant_text(now)}, before the last entry of {game.head.name},"
                    f" {instant_text(stamp)}: no time is counted"
                )
            return max(now // SECOND_MS * SECOND_MS, stamp)
        if self.at_ms > now:
            raise GameError(f"expected an instant that has been, found {instant_text(self.at_ms)}")
        if self.at_ms < stamp:
            raise GameError(
                f"expected an instant after the last entry of {game.head.name}, {instant_text(stamp)},"
                f" found {instant_text(self.at_ms)}"
            )
        return self.at_ms // SECOND_MS * SECOND_MS


class Desk:
    """The games of one store. ``warn`` is told what the user should know beside the result."""

    def __init__(self, store: Store, warn: Callable[[str], None] = lambda text: None):
        self.store = store
        self.warn = warn

    # ---- reading ----

    def has(self, name: str) -> bool:
        return self.store.row("SELECT 1 FROM games WHERE name = ?", name) is not None

    def names(self) -> list[str]:
        return [row["name"] for row in self.store.rows("SELECT name FROM games ORDER BY name")]

    def load(self, name: str) -> Game:
        """The game of that name, in any case. Raises GameError if there is none."""
        row = self.store.row("SELECT * FROM games WHERE name = ?", name)
        if row is None:
            raise GameError(f"no game named {shown(name)}{self._hint(name)}")
        return Game(head_of(row), self.log(row["id"]))

    def log(self, game_id: int) -> list[Event]:
        rows = self.store.rows("SELECT kind, at_ms, data FROM events WHERE game_id = ? ORDER BY number", game_id)
        return [Event(row["kind"], row["at_ms"], json.loads(row["data"])) for row in rows]

    def _hint(self, name: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(name, self.names(), 3)
        return f"; there is {', '.join(near)}" if near else ""

    # ---- acts ----

    def add(self, head: Head, start_ms: int, events: list[Event] = ()) -> Game:
        """Store a new game that starts at that instant, with events that are known already."""
        check_name(head.name)
        tags = {plain(name): plain(value) for name, value in head.tags.items()}
        head = replace(head, white=plain(head.white) or "?", black=plain(head.black) or "?", tags=tags)
        game = Game(head, [Event(clocks.START, start_ms // SECOND_MS * SECOND_MS), *map(_plain_event, events)])
        if set(game.stamps) <= {None} and game.natural_end(0):
            raise GameError("there is no move to make in the position that the game starts from")
        self._finish(game)
        with self.store.transaction():
            if self.has(head.name):
                raise GameError(f"there is a game named {shown(head.name)} already")
            game_id = self._insert(game)
            self._append(game_id, game.log, 1)
        return game

    def act(self, name: str, make: Callable[[Game], list[Event]]) -> Game:
        """Add the events that ``make`` wants; it may raise to change nothing."""
        with self.store.transaction():
            game = self.load(name)
            before = len(game.log)
            for event in make(game):
                game.add(_plain_event(event))
            self._finish(game)
            self._append(game.head.id, game.log[before:], before + 1)
            self._update(game)
        return game

    def move(self, name: str, text: str, when: When, side: str = "any") -> Game:
        """side: ``own`` or ``opponent`` refuse the other's turn, ``any`` takes either."""

        def make(game: Game) -> list[Event]:
            self._refuse_wrong_turn(game, side)
            return [game.move_event(text, when.instant(game, self.warn))]

        return self.act(name, make)

    def refill(self, name: str, wanted_ms: int | None, when: When) -> tuple[Game, int]:
        """A manual refill of whoever is to move; what was transferred is returned as well."""
        moved = 0

        def make(game: Game) -> list[Event]:
            nonlocal moved
            at_ms = when.instant(game, self.warn)
            data = {} if wanted_ms is None else {"ms": wanted_ms}
            after = game.clocks.apply(Event(clocks.REFILL, at_ms, data))
            moved = game.clocks.mover.bank_ms - after.mover.bank_ms
            return [Event(clocks.REFILL, at_ms, data)]

        return self.act(name, make), moved

    def claim(self, name: str, what: str, when: When) -> Game:
        def make(game: Game) -> list[Event]:
            at_ms = when.instant(game, self.warn)
            return [Event(clocks.CLAIM, at_ms, {"side": game.clocks.to_move, "what": what})]

        return self.act(name, make)

    def decide(self, name: str, accepted: bool, result: str | None, when: When) -> Game:
        """result: of an accepted claim; without it a draw, or a win of the side that claimed one."""

        def make(game: Game) -> list[Event]:
            data: dict[str, object] = {"accepted": accepted}
            if accepted:
                data["result"] = check_result(result or _claimed_result(game))
                data["reason"] = "claim"
            elif result is not None:
                raise GameError("a rejected claim has no result")
            return [Event(clocks.DECIDE, when.instant(game, self.warn), data)]

        return self.act(name, make)

    def replace(self, name: str, side: int, player: str, refill_ms: int | None, when: When) -> Game:
        """refill_ms: the captain's refill, 0 for all that fits, None for none."""

        def make(game: Game) -> list[Event]:
            data: dict[str, object] = {"side": side, "name": player}
            if refill_ms is not None:
                data["refill_ms"] = refill_ms
            return [Event(clocks.REPLACE, when.instant(game, self.warn), data)]

        return self.act(name, make)

    def correct(self, name: str, side: int, values: dict[str, int], when: When) -> Game:
        """values: clock_ms, bank_ms, moves, as the server shows them."""

        def make(game: Game) -> list[Event]:
            return [Event(clocks.CORRECT, when.instant(game, self.warn), {"side": side} | values)]

        return self.act(name, make)

    def undo(self, name: str) -> Game:
        """Take the last entry back."""
        return self.act(name, lambda game: [Event(UNDO, now_ms())])

    def end(self, name: str, result: str, reason: str, when: When) -> Game:
        check_result(result)

        def make(game: Game) -> list[Event]:
            return [Event(clocks.END, when.instant(game, self.warn), {"result": result, "reason": reason})]

        return self.act(name, make)

    def remove(self, name: str) -> None:
        with self.store.transaction():
            game = self.load(name)
            self.store.write("DELETE FROM games WHERE id = ?", game.head.id)

    def _finish(self, game: Game) -> None:
        """End a game that its last move has ended. Raises ClockError for deadlines beyond the calendar."""
        if game.log[-1].kind != UNDO and (end := game.natural_end(game.clocks.stamp_ms)) is not None:
            game.add(end)
        for deadline_ms in (game.clocks.deadline_ms, game.clocks.last_deadline_ms):
            if deadline_ms is not None:
                to_datetime(deadline_ms)

    def _refuse_wrong_turn(self, game: Game, side: str) -> None:
        own = game.head.own_side
        if side == "any" or game.over:
            return
        if own is None:
            raise GameError(f"{game.head.name} is only watched, neither side is you: enter its moves with move --any")
        if (game.clocks.to_move == own) != (side == "own"):
            who = "you are" if game.clocks.to_move == own else "your opponent is"
            raise GameError(f"not that side's turn in {game.head.name}: {who} to move, as {SIDE_NAMES[game.board.stm]}")

    # ---- rows ----

    def _insert(self, game: Game) -> int:
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
        } | state_columns(game)
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        return self.store.write(f"INSERT INTO games ({names}) VALUES ({marks})", *columns.values())

    def _update(self, game: Game) -> None:
        columns = state_columns(game)
        sets = ", ".join(f"{name} = ?" for name in columns)
        self.store.write(f"UPDATE games SET {sets} WHERE id = ?", *columns.values(), game.head.id)

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


def _plain_event(event: Event) -> Event:
    data = {key: plain(value) if isinstance(value, str) else value for key, value in event.data.items()}
    return Event(event.kind, event.at_ms, data)


def head_of(row) -> Head:
    return Head(
        id=row["id"],
        name=row["name"],
        control=row["control"],
        white=row["first_white"],
        black=row["first_black"],
        own_side=row["own_side"],
        fen=row["fen"],
        opening=tuple(row["opening"].split()),
        tags=json.loads(row["tags"]),
        no_engines=bool(row["no_engines"]),
        server=row["server"],
        server_id=row["server_id"],
    )


def state_columns(game: Game) -> dict[str, object]:
    """What the log leads to, as the table of games keeps it, so that a list need not read any log."""
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
        "white": game.players[0],
        "black": game.players[1],
        "position": game.fen,
        "position_key": f"{game.board.key:016X}",
        "last_move": game.last_move,
        "result": game.result,
    }


def check(desk: Desk) -> list[str]:
    """What is wrong in a store: the file, or a game whose stored state its log does not lead to."""
    found = desk.store.problems()
    for row in desk.store.rows("SELECT * FROM games ORDER BY name"):
        name = row["name"]
        numbers = [r[0] for r in desk.store.rows("SELECT number FROM events WHERE game_id = ? ORDER BY 1", row["id"])]
        if numbers != list(range(1, len(numbers) + 1)):
            found.append(f"{name}: the numbers of its entries have a gap")
        try:
            game = Game(head_of(row), desk.log(row["id"]))
        except (ClockError, GameError, ValueError, KeyError) as error:
            found.append(f"{name}: its log cannot be replayed: {error}")
            continue
        found += [f"{name}: {text}" for text in game.clocks.problems()]
        for column, value in state_columns(game).items():
            if row[column] != value:
                found.append(f"{name}: {column} is {row[column]!r}, the log leads to {value!r}")
    return found


def check_result(text: str) -> str:
    """Raises GameError unless it is the result of a finished game."""
    if text not in RESULTS:
        raise GameError(f"expected one of {', '.join(RESULTS)} as a result, found {shown(text)}")
    return text


def _claimed_result(game: Game) -> str:
    claim = next((event for event in reversed(game.log) if event.kind == clocks.CLAIM), None)
    if claim is None:
        raise GameError("no claim to decide")
    if claim.data.get("what") == "win":
        return ("1-0", "0-1")[claim.data["side"]]
    return "1/2-1/2"
