"""Check, backup and restore of the store, and reminders, on the page Desk.

The browser sends a backup in parts, because a request has at most 1 MB. The parts are kept in a private folder until
the backup has been restored, or until another backup arrives.
"""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path

from ...clock.instants import instant_text, now_ms
from ...common.errors import GameError, StoreError
from ...common.text import plural
from ...correspondence.desk import Desk, check
from ...correspondence.listing import listing
from ...correspondence.planning import reminders
from ...correspondence.planning.words import deliver, reminder_text
from ...correspondence.store import Store
from .. import fields
from ..fields import Fields

_MOST_BYTES = 500_000_000
_MOST_DAYS = 20  # maximum number of reminders before a deadline
_NAMED = 5  # number of games that the preview names


def check_view(desk: Desk) -> dict[str, object]:
    """The problems of the store, and the number of games in it."""
    return {"problems": check(desk), "games": len(desk.names()), "path": str(desk.store.path)}


def backup(desk: Desk, _request: object) -> bytes:
    """Return a consistent copy of the store."""
    with tempfile.TemporaryDirectory(prefix="standstill-") as folder:
        path = Path(folder, "games.sqlite")
        desk.store.backup(path)
        return path.read_bytes()


class Uploads:
    """The backup that the browser is sending, or has sent. A new backup replaces an older one."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._key = ""

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._key = ""

    def take(self, _desk: Desk, data: Fields) -> dict[str, object]:
        """Keep a part of a backup. The first part has no key; the answer to it contains the key for the other parts."""
        part = fields.content(data, "data")
        key = fields.text(data, "key")
        if not key:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="standstill-")
            key = self._key = secrets.token_hex(8)
        path = self._path(key)
        if path.exists() and path.stat().st_size + len(part) > _MOST_BYTES:
            self.close()
            raise GameError(f"expected a backup of at most {_MOST_BYTES // 1_000_000} MB")
        with path.open("ab") as file:
            file.write(part)
        return {"key": key}

    def _path(self, key: str) -> Path:
        if self._folder is None or not secrets.compare_digest(key, self._key):
            raise GameError("another backup was chosen in the meantime: choose the file again")
        return Path(self._folder.name, "backup.sqlite")

    def restore(self, desk: Desk, data: Fields) -> dict[str, object]:
        """For a ``preview``, describe what restoring the backup would do; otherwise restore it.

        ``seen`` is the state that the preview has reported. If the store has changed since then, nothing is done.
        """
        path = self._path(fields.text(data, "key"))
        name = fields.text(data, "file") or "the backup"
        with _opened(path, name) as store:
            found = Desk(store)
            if problems := check(found):
                raise GameError(f"{name}: not restored, because it has problems: {problems[0]}")
            state = _state(desk)
            if fields.truth(data, "preview"):
                return {"rows": _rows(desk, found), "seen": state}
            if fields.text(data, "seen") != state:
                raise GameError("the games have changed in the meantime: look at the preview again")
            desk.store.place()
            kept = desk.store.restore(store)
            count = len(found.names())
        self.close()
        return {"done": f"{count} {plural(count, 'game')} restored; the previous games are in {kept}"}


def _opened(path: Path, name: str) -> Store:
    """Open a backup. Errors name the file that the user has chosen, not the copy at ``path``."""
    try:
        return Store(path, reading=True)
    except StoreError as error:
        raise StoreError(str(error).replace(str(path), name)) from None


def _state(desk: Desk) -> str:
    row = desk.store.row("SELECT COUNT(*) AS count, MAX(recorded_ms) AS last FROM events")
    return "" if row is None else f"{row['count']} {row['last']}"


def _rows(desk: Desk, backup_: Desk) -> list[list[str]]:
    here, there = ({name.lower(): name for name in each.names()} for each in (desk, backup_))
    gone = [name for key, name in here.items() if key not in there]
    rows = [
        ["The backup", _described(backup_)],
        ["The current games, which it replaces", _described(desk)],
        ["The current games are kept in", str(desk.store.next_kept())],
    ]
    if gone:
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        rows.append(["Not in the backup", ", ".join(gone[:_NAMED]) + more])
    return rows


def _described(desk: Desk) -> str:
    row = desk.store.row("SELECT COUNT(*) AS count, SUM(status != 'over') AS running FROM games")
    last = desk.store.row("SELECT MAX(recorded_ms) AS last FROM events")
    if row is None or not row["count"]:
        return "no games"
    text = f"{row['count']} {plural(row['count'], 'game')}, {row['running']} running"
    if last is None or last["last"] is None:
        return text
    return f"{text}; the last entry is of {instant_text(last['last'] // 60_000 * 60_000, None)}"


def remind(desk: Desk, data: Fields) -> dict[str, object]:
    """For a ``preview``, list the reminders that are due; otherwise deliver them, each once."""
    words = fields.text(data, "days", "7,3,1").replace(",", " ").split()
    fit = (word.isascii() and word.isdigit() and 0 < int(word) < 1000 for word in words)
    if not 0 < len(words) <= _MOST_DAYS or not all(fit):
        raise GameError("expected numbers of days such as 7, 3, 1")
    now = now_ms()
    problems: list[str] = []
    found = reminders.due(desk.store, listing(desk.store, now, on_damage=problems.append), {*map(int, words)}, now)
    lines = [reminder_text(each, now, None) for each in found]
    if not fields.truth(data, "preview") and found:
        deliver(lines, fields.text(data, "mail").strip() or None, fields.truth(data, "desktop"))
        reminders.note(desk.store, found, now)
    return {"lines": lines, "problems": problems}
