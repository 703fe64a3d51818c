"""How games enter the store from the page Desk: one that a person describes, or those of a PGN file."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC

from ...archive.streams import open_bytes
from ...clock.instants import parse_instant
from ...common.errors import ArgumentError, GameError
from ...correspondence.desk import Desk
from ...correspondence.editing import NewGame, head_of
from ...correspondence.pgn import read_stream
from ...correspondence.transfer import ImportOptions, import_games, parse_control_option
from .. import fields
from ..fields import Fields
from ..positions import SIDES

_LONGEST = 256  # letters of a file's name


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
    """Store the games of a PGN file, whose bytes come in base64; return what was done with each of them."""
    name = fields.text(data, "file")[-_LONGEST:] or "the file"
    try:
        content = base64.b64decode(fields.text(data, "data"), validate=True)
    except binascii.Error:
        raise ArgumentError("data: expected the file in base64") from None
    start = fields.text(data, "start").strip()
    options = ImportOptions(
        control=parse_control_option(fields.text(data, "control").strip() or None),
        start_ms=parse_instant(start, UTC) if start else None,
        me=fields.text(data, "me").strip() or None,
        prefix=fields.text(data, "prefix").strip(),
        zone=UTC,
    )
    problems: list[str] = []
    with open_bytes(content, name) as stream:
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
