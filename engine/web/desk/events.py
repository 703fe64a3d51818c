"""An event of stored games: terms, notice to the players, games and standings."""

from __future__ import annotations

from datetime import timedelta

from ...clock.game_clocks import OVER
from ...clock.instants import to_datetime
from ...clock.organiser import NOTICES, notice
from ...clock.parse import parse_control
from ...clock.triple_block import TripleBlock, duration_days
from ...common.errors import StandstillError
from ...correspondence.desk import Desk
from .views import event_of


def event_view(desk: Desk, name: str) -> dict[str, object]:
    """Return an event by its name; only the list of events if the name is empty."""
    games = []
    events: dict[str, list[int]] = {}  # maps each event to the number of its games, and of its running games
    for row in desk.store.rows("SELECT id, name, white, black, result, status, control, tags FROM games ORDER BY name"):
        event = event_of(row["tags"])
        if event:
            counts = events.setdefault(event, [0, 0])
            counts[0] += 1
            counts[1] += row["status"] != OVER
        if event == name and name:
            games.append(row)
    found: dict[str, object] = {
        "events": [{"name": each, "games": games_, "running": on} for each, (games_, on) in sorted(events.items())],
        "name": name,
    }
    if not games:
        return found
    control = parse_control(games[0]["control"])
    first = desk.store.row("SELECT at_ms FROM events WHERE game_id = ? AND number = 1", games[0]["id"])
    start = None if first is None else to_datetime(first["at_ms"]).date()
    notices = {}
    if isinstance(control, TripleBlock) and start is not None:
        end = start + timedelta(days=int(duration_days(control)))
        notices = {language: notice(control, start, end, language) for language in NOTICES}
    keys = ("name", "white", "black", "result", "status")
    return found | {
        "control": control.text,
        "words": control.words,
        "others": sorted({each["control"] for each in games} - {games[0]["control"]}),
        "start": None if start is None else start.isoformat(),
        "notices": notices,
        "games": [{key: each[key] for key in keys} for each in games],
        "standings": _standings(desk, name),
    }


def _standings(desk: Desk, name: str) -> dict[str, object]:
    """Return the standings of the finished games, as rows of text."""
    from ...archive.standings_text import header, rows
    from ...correspondence.standings import standings

    try:
        table, komi = standings(desk, name, None, desk.warn)
    except StandstillError as error:
        return {"rows": [], "why": str(error), "komi": ""}
    return {"rows": [[*header(table)], *([*row] for row in rows(table, is_exact=True))], "why": "", "komi": komi}
