"""Between an Xfcc server and the store: the server's games and clocks are the truth."""

from __future__ import annotations

import re

from ..board import new_board
from ..clock import game as clocks
from ..clock.control import Control
from ..clock.game import Event
from ..clock.instants import now_ms, parse_instant
from ..clock.triple_block import CAP_MS
from ..clock.units import SECOND_MS
from ..errors import ClockError, GameError
from ..notation import move_text, parse_san, san
from .desk import Desk
from .game import Game, Head
from .xfcc import Server, XfccGame


def fetch(desk: Desk, server: Server, found: XfccGame, control: Control) -> str:
    """Store a game of the server, or bring a stored one up to date; returns what was done.

    Raises GameError or NotationError if the moves do not fit; nothing has changed then.
    """
    row = desk.store.row("SELECT name FROM games WHERE server = ? AND server_id = ?", server.url, found.id)
    if row is None:
        name = _new(desk, server, found, control)
        done = f"{len(found.moves)} half-moves"
    else:
        name = row["name"]
        done = ""
    before = len(desk.load(name).moves)
    game = desk.act(name, lambda stored: _news(stored, found))
    after = len(game.moves)
    return f"{name}: {done or (f'{after - before} new half-moves' if after > before else 'nothing new')}"


def _new(desk: Desk, server: Server, found: XfccGame, control: Control) -> str:
    words = [
        re.sub(r"[^\w.]+", "-", part.split(",")[0]).strip("-.") for part in (found.event, found.white, found.black)
    ]
    name = "_".join([word for word in words if word] + [found.id])[-80:]
    now = now_ms()
    try:
        start_ms = min(parse_instant(found.date), now)
    except ClockError:
        start_ms = now
    head = Head(
        name=name,
        control=control.text,
        white=found.white,
        black=found.black,
        own_side=0 if found.has_white else 1,
        fen=found.fen,
        tags={"Event": found.event, "Site": found.site},
        no_engines=found.no_engines,
        server=server.url,
        server_id=found.id,
    )
    _read(Game(head), found)  # moves that cannot be played: better no game than one without them
    desk.add(head, start_ms)
    return name


def _news(game: Game, found: XfccGame) -> list[Event]:
    """What the server knows and the log does not: moves, then its clocks, then the end."""
    if game.over:
        return []
    ucis, sans = _read(game, found)
    known = len(game.moves)
    if ucis[:known] != game.moves[: len(ucis)]:
        raise GameError(f"{game.head.name}: the server has other moves than the store")
    if len(ucis) < known:
        raise GameError(f"{game.head.name}: the store has moves that the server does not know: send them, or --undo")
    now = now_ms() // SECOND_MS * SECOND_MS
    state, events = game.clocks, []

    def happen(kind: str, at_ms: int, **data: object) -> None:
        nonlocal state
        event = Event(kind, max(at_ms, state.stamp_ms), data)
        state = state.apply(event)
        events.append(event)

    for uci, text in zip(ucis[known:], sans[known:], strict=True):
        # The server does not say when it was made; never too late, for it accepted the move.
        latest = now if state.deadline_ms is None else min(now, state.deadline_ms - SECOND_MS)
        happen(clocks.MOVE, latest, uci=uci, san=text)
    if state.status == clocks.RUNNING:
        for side, shown_ms in enumerate(found.clocks_ms):
            _correct(state, side, shown_ms, now, happen)
    if found.result != "*":
        happen(clocks.END, now, result=found.result, reason="server")
    return events


def _correct(state, side: int, shown_ms: int, now: int, happen) -> None:
    """The display shows minutes: a clock that agrees with it is left alone."""
    here = state.shown(side, now)
    limit = min(shown_ms, CAP_MS) if state.control.has_bank else shown_ms
    if shown_ms and abs(here.clock_ms - limit) > 60 * SECOND_MS:
        happen(clocks.CORRECT, now, side=side, clock_ms=limit)


def _read(game: Game, found: XfccGame) -> tuple[list[str], list[str]]:
    board = new_board(game.head.fen, game.board.chess960)
    ucis, sans = [], []
    for text in found.moves:
        move = parse_san(board, text)
        ucis.append(move_text(board, move))
        sans.append(san(board, move))
        board.push(move)
    return ucis, sans
