"""The report on a sitting: what it has changed, game by game."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Row

from ...clock.instants import now_ms
from ...common.errors import GameError, StandstillError
from ...common.info import SCORE_CP
from ..analysis import Place, line_text, white_score_text
from ..desk import Desk
from ..game import CorrespondenceGame
from ..remarks.kept import remarks_of
from ..remarks.written import LINE, PLAN
from .sitting import BEAT_MS, PAUSE
from .tree import tree_of

_ENDLESS_MIN = 180 * 1440  # a sitting with more time left than this has no time limit


@dataclass(frozen=True, slots=True)
class Change:
    """A game that a sitting has analysed. before, after: values for White; "" if unknown. line: the best line, in SAN.

    is_new: whether the best move has changed. novelty: the first move of the best line that is not in the user's own
    notes; "" without notes on the position. changed_cp: the amount by which the value has changed, in centipawns.
    """

    game: str
    before: str
    after: str
    best_before: str
    best: str
    is_new: bool
    line: str
    novelty: str
    positions: int
    changed_cp: float

    def text(self) -> str:
        value = f"{self.before} -> {self.after}" if self.before and self.before != self.after else self.after
        parts = [f"{self.game}: {value}"]
        if self.is_new:
            parts.append(f"new best move {self.best}, formerly {self.best_before}")
        if self.novelty:
            parts.append(f"not in your notes: {self.novelty}")
        parts.append(f"{self.line} ({self.positions} {'position' if self.positions == 1 else 'positions'})")
        return "; ".join(parts)


def report(desk: Desk, sitting: int | None = None) -> list[Change]:
    """Return the changes made by a sitting, by default the latest one; the largest change comes first.

    Raises GameError if there was no sitting.
    """
    row = desk.store.row("SELECT * FROM sittings WHERE id = ? OR ? IS NULL ORDER BY id DESC LIMIT 1", sitting, sitting)
    if row is None:
        raise GameError("no analysis over several games yet: `games analyse --all`")
    # A sitting that was killed has not stored its end. The time of its last sign of activity replaces the end.
    started, ended = row["started_ms"], row["ends_ms"] if row["beat_ms"] == 0 else row["beat_ms"]
    counts = desk.store.rows(
        "SELECT name, COUNT(*) AS positions FROM runs JOIN nodes ON nodes.id = node_id JOIN games ON games.id = game_id"
        " WHERE runs.started_ms BETWEEN ? AND ? GROUP BY games.id",
        started,
        ended,
    )
    found = []
    for each in counts:
        try:
            found.append(_change(desk, desk.load(each["name"]), started, ended, each["positions"]))
        except StandstillError as error:
            desk.warn(str(error))
    return sorted(found, key=lambda change: (not change.is_new, -change.changed_cp, change.game))


def _change(desk: Desk, game: CorrespondenceGame, started: int, ended: int, positions: int) -> Change:
    before, after = tree_of(desk, game, started - 1), tree_of(desk, game, ended)
    stm = game.board.stm
    old, new = before.root, after.root
    here = Place(len(game.moves))
    changed = 0.0 if old.value is None or new.value is None else abs(new.value - old.value) / SCORE_CP
    return Change(
        game.head.name,
        "" if old.value is None else white_score_text(old.value, stm),
        "" if new.value is None else white_score_text(new.value, stm),
        line_text(game, here, (old.best,)) if old.best else "",
        line_text(game, here, (new.best,)) if new.best else "",
        old.best is not None and new.best is not None and old.best != new.best,
        line_text(game, here, after.line(), 10),
        _novelty(desk, game, after.line()),
        positions,
        changed,
    )


def _novelty(desk: Desk, game: CorrespondenceGame, line: tuple[str, ...]) -> str:
    """Return the moves of the best line up to the first move that is in no note; "" without notes."""
    known = []
    for remark in remarks_of(desk, game.head.id):
        path = [*game.moves[: remark.ply], *remark.moves]
        if remark.kind in (LINE, PLAN) and path[: len(game.moves)] == game.moves and len(path) > len(game.moves):
            known.append(path[len(game.moves) :])
    if not known:
        return ""
    same = max(_common(list(line), path) for path in known)
    if same >= len(line) or any(len(path) == same for path in known):
        return ""
    return line_text(game, Place(len(game.moves)), line[: same + 1])


def _common(one: list[str], other: list[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def running(desk: Desk) -> str:
    """Return a line that says what a sitting is doing at the moment; "" if no sitting is running."""
    row = current(desk)
    if row is None:
        return ""
    depth = f", depth {row['depth']} {row['score']}" if row["depth"] else ""
    left = max(0, row["ends_ms"] - now_ms()) // 60_000
    where = f"{row['game']} {row['line']}".strip() or "the queue is being read"
    if row["wish"] == PAUSE:
        where, depth = "paused", ""
    rest = f"{left // 60} h {left % 60} m left" if left < _ENDLESS_MIN else "until it is stopped"
    return f"{row['engine']}: {where}{depth}; {row['nodes']} positions so far, {rest}"


def current(desk: Desk) -> Row | None:
    """Return the stored row of the sitting that is running; if several are running, of the latest one.

    None without one.
    """
    now = now_ms()
    return desk.store.row(
        "SELECT * FROM sittings WHERE beat_ms BETWEEN ? AND ? ORDER BY id DESC LIMIT 1", now - BEAT_MS, now + BEAT_MS
    )


def silence_ms(row: Row) -> int:
    """Return the time after which the sitting counts as ended if it does not update its row again."""
    beat_ms: int = row["beat_ms"]
    return max(0, beat_ms + BEAT_MS - now_ms())


def wish(desk: Desk, what: str) -> None:
    """Pause, stop or continue the sitting that is running, whichever process runs it. what: PAUSE, STOP or "".

    The sitting obeys within a second, and drops the unfinished search of a position. Raises GameError if no sitting
    is running.
    """
    with desk.store.transaction():
        row = current(desk)
        if row is None:
            raise GameError("no analysis over several games is running")
        desk.store.write("UPDATE sittings SET wish = ? WHERE id = ?", what, row["id"])
