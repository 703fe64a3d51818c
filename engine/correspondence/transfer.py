"""From PGN files into the store: games as a server gives them out, again and again while they are played."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from ..board import new_board
from ..clock import game as clocks
from ..clock.control import Control, parse_control
from ..clock.game import Clocks, Event
from ..clock.instants import parse_instant
from ..clock.recompute import control_of, recompute, start_of
from ..clock.units import SECOND_MS
from ..errors import ClockError, GameError
from ..notation import parse_move, shown
from .desk import Desk
from .game import RESULTS, Game, Head
from .pgn import PgnGame

Warn = Callable[[str], None]

_KEPT_ELSEWHERE = ("White", "Black", "Result", "FEN", "SetUp", "TripleBlock", "TimeControl")


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a file does not tell. me: the player's own name, or a part of it, as it stands in the tags."""

    control: Control | None = None
    start_ms: int | None = None
    me: str | None = None
    prefix: str = ""
    zone: tzinfo | None = None


def import_game(desk: Desk, game: PgnGame, options: ImportOptions) -> tuple[str, str]:
    """Store a game, or the new moves of one that is stored; returns its name and what was done.

    Raises GameError, ClockError or NotationError; nothing has changed then.
    """
    name = options.prefix + name_of(game)
    if desk.has(name):
        return name, _go_on(desk, name, game, options)
    control = options.control or control_of(game)
    start_ms = _start(game, options) // SECOND_MS * SECOND_MS
    free = free_moves(game)
    board = new_board(game.fen)
    for move in game.moves[:free]:
        board.push(parse_move(board, move.uci))
    state = clocks.opening(control, bool(board.stm)).apply(Event(clocks.START, start_ms))
    times = _times(game, control, start_ms, options, lambda text: desk.warn(f"{name}: {text}"))
    events = follow(state, game, free, times)
    head = Head(
        name=name,
        control=control.text,
        white=game.tags.get("White", "?"),
        black=game.tags.get("Black", "?"),
        own_side=own_side(game, options.me),
        fen=game.fen,
        opening=tuple(move.uci for move in game.moves[:free]),
        tags={key: value for key, value in game.tags.items() if key not in _KEPT_ELSEWHERE},
    )
    desk.add(head, start_ms, events)
    return name, f"{len(game.moves)} half-moves"


def _go_on(desk: Desk, name: str, game: PgnGame, options: ImportOptions) -> str:
    added = 0

    def make(stored: Game) -> list[Event]:
        nonlocal added
        known = len(stored.moves)
        if [move.uci for move in game.moves[:known]] != stored.moves[: len(game.moves)]:
            raise GameError("the file and the store have different moves")
        if stored.over:
            return []
        control = stored.clocks.control
        start_ms = next(event.at_ms for event in stored.log if event.kind == clocks.START)
        times = _times(game, control, start_ms, options, lambda text: desk.warn(f"{name}: {text}"))
        added = max(0, len(game.moves) - known)
        return follow(stored.clocks, game, known, times)

    desk.act(name, make)
    return f"{added} new half-moves" if added else "nothing new"


def follow(state: Clocks, game: PgnGame, known: int, times: list[int]) -> list[Event]:
    """The events from a state with ``known`` half-moves on to what the file shows.

    Raises TimeUp if time ran out before a move, even with every refill made as late as possible.
    """
    events: list[Event] = []

    def happen(kind: str, at_ms: int, **data: object) -> None:
        nonlocal state
        event = Event(kind, max(at_ms, state.stamp_ms), data)
        try:
            state = state.apply(event)
        except ClockError as error:
            raise type(error)(f"at half-move {known + len(events) + 1}: {error}") from None
        events.append(event)

    for move, at_ms in zip(game.moves[known:], times[known:], strict=True):
        # A PGN has no refills; without them the move would have come too late.
        while state.flagged(at_ms) and state.mover.bank_ms:
            happen(clocks.REFILL, state.deadline_ms - 1)
        happen(clocks.MOVE, at_ms, uci=move.uci, san=move.san)
    result = game.tags.get("Result", "*")
    if result in RESULTS:
        happen(clocks.END, state.stamp_ms, result=result, reason=game.tags.get("Termination", ""))
    return events


def _times(game: PgnGame, control: Control, start_ms: int, options: ImportOptions, warn: Warn) -> list[int]:
    """When each half-move was made: its stamp, or what its clock implies, or else at once, with a warning."""
    free = free_moves(game)
    counted = game.moves[free:]
    if all(move.at_ms is not None for move in counted):
        return [start_ms] * free + [move.at_ms // SECOND_MS * SECOND_MS for move in counted]
    thinks: list[int | None] = [None] * len(counted)
    if not free and any(move.clock_ms is not None for move in counted):
        found = recompute(game, control, start_ms, options.zone)
        thinks = [row.think_ms for row in found.rows]
    if None in thinks:
        warn("not every move has a stamp or a clock: correct the clocks after the server's display")
    times, at_ms = [start_ms] * free, start_ms
    for think_ms in thinks:
        at_ms += max(0, think_ms or 0)
        times.append(at_ms)
    return times


def _start(game: PgnGame, options: ImportOptions) -> int:
    if options.start_ms is not None:
        return options.start_ms
    if "ClockStart" in game.tags:  # as `export` writes it
        return parse_instant(game.tags["ClockStart"], options.zone)
    return start_of(game, options.zone)


def free_moves(game: PgnGame) -> int:
    """Half-moves at the beginning that were given with the start and do not count."""
    text = game.tags.get("GivenMoves", "0")
    return min(int(text), len(game.moves)) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def own_side(game: PgnGame, me: str | None) -> int | None:
    """Raises GameError if a name is given that fits neither player, or both."""
    given = game.tags.get("OwnSide", "")
    if me is None:
        return {"white": 0, "black": 1}.get(given.lower())
    sides = [side for side, tag in enumerate(("White", "Black")) if me.lower() in game.tags.get(tag, "").lower()]
    if len(sides) != 1:
        players = f"{game.tags.get('White', '?')} - {game.tags.get('Black', '?')}"
        raise GameError(f"expected --me to fit one of the players {shown(players)}, found {shown(me)}")
    return sides[0]


def name_of(game: PgnGame) -> str:
    """The name that the file gives, or one made of event, round and players: the same for the next download."""
    if "GameName" in game.tags:
        return game.tags["GameName"]
    parts = [game.tags.get(tag, "") for tag in ("Event", "Round", "White", "Black")]
    words = [
        re.sub(r"[^\w.]+", "-", re.split(r",", part)[0]).strip("-.") for part in parts if part not in ("", "?", "-")
    ]
    return "_".join(word for word in words if word)[:80] or f"game-{game.number}"


def parse_control_option(text: str | None) -> Control | None:
    return None if text is None else parse_control(text)
