"""A sitting gives time to games by urgency, and within each game to the most promising position.

Each finished position is stored in one transaction, so a process that is killed loses only the position being analysed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from ...clock.instants import now_ms
from ...clock.units import DAY_MS, HOUR_MS
from ...common.errors import DamagedGameError, GameError, StoreError
from ...common.info import MATE, SCORE_CP
from ..analysis import Place, board_at, make_node, place_text, symbol, white_score_text
from ..desk import Desk
from ..game import CorrespondenceGame
from ..listing import Entry, listing
from .analysts import Analyst
from .tree import Line, Tree, tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...settings.options import Settings

BEAT_MS = 30_000  # a sitting that has not updated its row for longer than this is considered ended
_BEAT_S = 5.0
_LOOK_S = 0.5  # interval at which a sitting reads the request of the user
PAUSE, STOP = "pause", "stop"  # requests of the user; "" means: continue
# A game whose value has not changed in its last hour counts as if it had changed by this much, so that each game gets
# some time.
_LEAST_CP = 10.0
_THEIR_TURN = 0.5  # weight of a game in which the opponent is to move
_FAR_MS = 50 * DAY_MS


@dataclass(slots=True)
class Queued:
    """A game of the queue.

    weight: the game's share of the time. spent_s: the time that the game has had in this sitting.
    """

    entry: Entry
    weight: float
    spent_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """A position that has been analysed. value: the game's value for White after this step. left_s: time left."""

    game: CorrespondenceGame
    moves: tuple[str, ...]
    line: Line | None
    value: str
    best: str | None
    left_s: float
    number: int


def weight(entry: Entry, change_cp: float | None) -> float:
    """Return a game's share of the time: larger near its deadline, and if its value changed in its last hour.

    change_cp: None for a game with less than an hour of analysis, in which nothing is settled yet.
    """
    left_ms = min(_FAR_MS, max(DAY_MS, entry.left_ms if entry.left_ms is not None else _FAR_MS))
    urgency = sqrt(_FAR_MS / left_ms) if entry.own_turn else _THEIR_TURN
    return urgency * (_LEAST_CP + (2 * _LEAST_CP if change_cp is None else change_cp))


def last_hour(desk: Desk, game: CorrespondenceGame, tree: Tree) -> float | None:
    """Return the change of the value in the last hour of analysis, in centipawns.

    None for less than an hour of analysis.
    """
    if tree.root.value is None:
        return None
    rows = desk.store.rows(
        "SELECT started_ms, MAX(time_ms) AS time_ms FROM runs JOIN nodes ON nodes.id = node_id"
        " JOIN findings ON run_id = runs.id WHERE game_id = ? GROUP BY runs.id ORDER BY started_ms DESC",
        game.head.id,
    )
    spent = 0
    for row in rows:
        spent += row["time_ms"]
        if spent >= HOUR_MS:
            before = tree_of(desk, game, row["started_ms"]).root.value
            return None if before is None else abs(tree.root.value - before) / SCORE_CP
    return None


class Sitting:
    """Analyses games until the time is used up."""

    def __init__(  # noqa: PLR0917
        self,
        desk: Desk,
        analyst: Analyst,
        settings: Settings,
        seconds: float,
        slice_s: float,
        live: Callable[[str, str, Line], None] = lambda game, moves, line: None,
    ):
        """slice_s: the time for one position.

        live: a function that is called with (game, move text, line) while a search runs.
        """
        self._desk, self._analyst, self._settings = desk, analyst, settings
        self._seconds, self._slice_s, self._live = seconds, slice_s, live
        self._started = time.monotonic()
        self._beat = 0.0
        self._told = ("", "", 0, "")  # game, line, depth and score, as the pages show them
        self._looked, self._wish, self._ended = 0.0, "", False
        self._number = 0
        self.queue: list[Queued] = []
        self.id = 0  # the id of the sitting in the store; 0 while the queue is empty

    def choose(self, *, tag: str | None = None, names: Sequence[str] = ()) -> None:
        """Fill the queue with running games whose events allow engines: all, or games with this tag or these names."""
        tagged = set()
        if tag is not None:
            rows = self._desk.store.rows(
                "SELECT name FROM games JOIN remarks ON game_id = games.id WHERE kind = 'tag' AND text = ?", tag
            )
            tagged = {row["name"] for row in rows}
        for entry in listing(self._desk.store, now_ms(), on_damage=self._desk.warn):
            wanted = entry.name in tagged if tag is not None else not names or entry.name in names
            if entry.status == "running" and wanted and not entry.no_engines:
                try:
                    game = self._desk.load(entry.name)
                except DamagedGameError as error:
                    self._desk.warn(str(error))
                    continue
                tree = tree_of(self._desk, game)
                self.queue.append(Queued(entry, weight(entry, last_hour(self._desk, game, tree))))
        if self.queue:
            self._begin()

    def _begin(self) -> None:
        with self._desk.store.transaction():
            self.id = self._desk.store.write(
                "INSERT INTO sittings (started_ms, ends_ms, beat_ms, engine) VALUES (?, ?, ?, ?)",
                now_ms(), now_ms() + round(1000 * self._seconds), now_ms(), self._analyst.name,
            )  # fmt: skip

    @property
    def left_s(self) -> float:
        return self._seconds - (time.monotonic() - self._started)

    def step(self) -> Step | None:
        """Analyse one position and store it. Return None at the end of the time, without games, or after STOP."""
        while self._may_go_on() and self.left_s > 0 and self.queue:
            queued = min(self.queue, key=lambda each: each.spent_s / each.weight)
            try:
                game = self._desk.load(queued.entry.name)
            except GameError:  # removed in the meantime
                self.queue.remove(queued)
                continue
            if game.over or game.head.no_engines:
                self.queue.remove(queued)
                continue
            started = time.monotonic()
            moves = tree_of(self._desk, game).next().moves
            is_stored, line = self._analyse(game, moves)
            queued.spent_s += time.monotonic() - started
            if not is_stored:
                continue
            tree = tree_of(self._desk, game)
            queued.weight = weight(queued.entry, last_hour(self._desk, game, tree))
            self._number += 1
            value = "" if tree.root.value is None else white_score_text(tree.root.value, game.board.stm)
            return Step(game, moves, line, value, tree.root.best, max(0.0, self.left_s), self._number)
        return None

    def wish(self) -> str:
        """The user's request to the sitting, made in any process: PAUSE, STOP or ""."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_S:
            self._looked = now
            self._sign_of_life()  # a deep search finds nothing new for minutes
            row = self._desk.store.row("SELECT wish FROM sittings WHERE id = ?", self.id)
            self._wish = STOP if row is None else row["wish"]
        return STOP if self._ended else self._wish

    def stop(self) -> None:
        """End the sitting soon. Any thread may call this."""
        self._ended = True

    def _may_go_on(self) -> bool:
        """Wait while the sitting is paused, without using up its time. Return False if the sitting is to stop."""
        paused = time.monotonic()
        while self.wish() == PAUSE:
            self._tell("", "", None, 0)
            time.sleep(_LOOK_S)
            self._started += time.monotonic() - paused  # a pause uses none of the remaining time
            paused = time.monotonic()
        return self.wish() != STOP

    def _analyse(self, game: CorrespondenceGame, moves: tuple[str, ...]) -> tuple[bool, Line | None]:
        """Search a position, and store what was found unless the user has interrupted it."""
        place = Place(len(game.moves), moves)
        board = board_at(game, place)
        text = place_text(game, place)
        name = game.head.name
        self._tell(name, text, None, board.stm, now=True)
        started_ms, clock = now_ms(), time.monotonic()
        lines: list[Line] = []
        if board.count_legal(1):
            seconds = max(0.05, min(self._slice_s, self.left_s))
            lines = self._analyst.search(
                game, moves, seconds, lambda line: self._tell(name, text, line, board.stm), lambda: not self.wish()
            )
            if self.wish():
                return False, None
        if not lines:
            lines = [Line(1, 0, -MATE if board.checkers else 0, ())]  # mate or stalemate
        spent_ms = round(1000 * (time.monotonic() - clock))
        with self._desk.store.transaction():
            if self._desk.store.row("SELECT 1 FROM games WHERE id = ?", game.head.id) is None:
                return False, None  # removed during the search
            node = make_node(self._desk, game, place)
            run = self._desk.store.write(
                "INSERT INTO runs (node_id, started_ms, engine, threads, hash_mb) VALUES (?, ?, ?, ?, ?)",
                node.id, started_ms, self._analyst.name, self._analyst.threads, self._analyst.hash_mb,
            )  # fmt: skip
            for line in lines:
                self._desk.store.write(
                    "INSERT INTO findings (run_id, depth, rank, at_ms, score, nodes, time_ms, pv, symbol)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    run, line.depth, line.rank, now_ms(), line.score, 0, spent_ms, " ".join(line.pv),
                    symbol(line.score, board.stm, self._settings),
                )  # fmt: skip
            self._desk.store.write("UPDATE sittings SET beat_ms = ?, nodes = nodes + 1 WHERE id = ?", now_ms(), self.id)
        return True, lines[0]

    def _tell(self, game: str, text: str, line: Line | None, stm: int, *, now: bool = False) -> None:
        """From time to time, store what the sitting is doing, for the pages, and report it to the terminal."""
        if line is not None:
            self._live(game, text, line)
        self._told = game, text, line.depth if line else 0, white_score_text(line.score, stm) if line else ""
        self._sign_of_life(now=now)

    def _sign_of_life(self, *, now: bool = False) -> None:
        """Write to the store, every few seconds, that the sitting runs and what it does."""
        if not now and time.monotonic() - self._beat < _BEAT_S:
            return
        self._beat = time.monotonic()
        # If another program has locked the store, the next update follows in a few seconds.
        with contextlib.suppress(StoreError), self._desk.store.transaction():
            self._desk.store.write(
                "UPDATE sittings SET beat_ms = ?, ends_ms = ?, game = ?, line = ?, depth = ?, score = ? WHERE id = ?",
                now_ms(), now_ms() + round(1000 * self.left_s), *self._told, self.id,
            )  # fmt: skip

    def end(self) -> None:
        """Record that the sitting has ended."""
        with self._desk.store.transaction():
            self._desk.store.write("UPDATE sittings SET ends_ms = ?, beat_ms = 0 WHERE id = ?", now_ms(), self.id)
