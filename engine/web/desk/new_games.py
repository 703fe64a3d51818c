"""Adds games and moves to the store from the page Desk (a form, a PGN file, lines of moves), and exports games."""

from __future__ import annotations

import contextlib
from datetime import UTC

from ...archive.streams import open_bytes
from ...clock.instants import parse_instant
from ...common.errors import GameError, StoreError
from ...common.text import plural
from ...correspondence.desk import Desk
from ...correspondence.editing import NewGame, enter_moves, head_of
from ...correspondence.pgn import read_stream, write_game
from ...correspondence.remarks.kept import remarks_of
from ...correspondence.store import damage_named
from ...correspondence.transfer import ImportOptions, import_games, parse_control_option
from .. import fields
from ..fields import Fields
from ..positions import SIDES

_LONGEST = 256  # maximum number of characters in the name of a file
_MOST_BYTES = 20_000_000  # maximum size of a file after decompression, enough for 20,000 games


def new_game(desk: Desk, data: Fields) -> dict[str, object]:
    """Store a new game, and return its name. Raises ArgumentError, ClockError, GameError or NotationError."""

    def given(name: str) -> str:
        return fields.text(data, name).strip()

    side = fields.choice(data, "side", ("", *SIDES), "")
    head, start_ms = head_of(
        NewGame(
            name=given("name"),
            control=given("control"),
            white=given("white") or "?",
            black=given("black") or "?",
            own_side=SIDES.index(side) if side else None,
            start=given("start") or None,
            fen=given("fen") or None,
            opening=given("opening"),
            event=given("event"),
            no_engines=fields.truth(data, "noEngines"),
            rmobility=fields.truth(data, "rmobility"),
        ),
        None,
    )
    game = desk.add(head, start_ms)
    return {"name": game.head.name, "done": f"{game.head.name} is stored, {game.clocks.control.words}"}


def import_file(desk: Desk, data: Fields) -> dict[str, object]:
    """Store the games of a PGN file, sent in base64, and return what was done with each of them."""
    name = fields.text(data, "file")[-_LONGEST:] or "the file"
    content = fields.content(data, "data", "the file")
    start = fields.text(data, "start").strip()
    options = ImportOptions(
        control=parse_control_option(fields.text(data, "control").strip() or None),
        start_ms=parse_instant(start, UTC) if start else None,
        me=fields.text(data, "me").strip() or None,
        prefix=fields.text(data, "prefix").strip(),
        zone=UTC,
    )
    problems: list[str] = []
    with open_bytes(content, name, _MOST_BYTES) as stream:
        games = list(read_stream(stream, name, UTC, problems.append, problems.append))
    if not games and not problems:
        raise GameError(f"expected games in {name}, found none")
    lines = []
    for game, done, problem in import_games(desk, games, options):
        if problem:
            problems.append(f"{name}, game {game.number}: {problem}")
        else:
            lines.append(done)
    return {"lines": lines, "problems": problems}


class _PreviewError(Exception):
    """Ends a preview, so that the store takes back what the preview has entered."""


def enter(desk: Desk, data: Fields) -> dict[str, object]:
    """Enter the moves of the lines NAME MOVE [INSTANT], either all moves or none.

    A ``preview`` only says which moves would be entered.
    """
    lines = fields.text(data, "lines").splitlines()
    if fields.truth(data, "preview"):
        found: list[str] = []
        with contextlib.suppress(_PreviewError), desk.store.transaction():
            found = enter_moves(desk, lines, None)
            raise _PreviewError
        return {"lines": found}
    found = enter_moves(desk, lines, None)
    if not found:
        raise GameError("expected lines with NAME MOVE [INSTANT]")
    return {"lines": found, "done": f"{len(found)} {plural(len(found), 'move')} entered"}


def export(desk: Desk, name: str) -> str:
    """The game of this name as PGN with its clocks, log and remarks.

    Without a name, all games except unreadable ones.
    """
    texts = []
    for each in [name] if name else desk.names():
        try:
            game = desk.load(each)
            with damage_named(desk.store, each):
                texts.append(write_game(game, remarks=remarks_of(desk, game.head.id)))
        except StoreError:
            if name:
                raise
    return "\n".join(texts)
