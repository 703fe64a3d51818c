"""A store of correspondence games for the tests of the desk, and the server of one of them."""

from __future__ import annotations

from pathlib import Path

from standstill.engine.clock.game_clocks import OFFER, Event
from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS, MINUTE_MS
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store

OWN = "Nowak, Jan"


def fill(path: Path) -> None:
    """Four games: one due soon, one with a draw offered to the user, one with a silent opponent, one that has ended."""
    now = now_ms() // MINUTE_MS * MINUTE_MS  # instants on the page are exact to the minute
    with Store(path, create=True) as store:
        desk = Desk(store)
        add(desk, "due", "Rossi, Giulia", now - 90 * DAY_MS, ("e4", now - 85 * DAY_MS), ("e5", now - 44 * DAY_MS))
        add(desk, "offer", "Smith, Adam", now - 9 * DAY_MS, ("d4", now - 8 * DAY_MS), ("d5", now - DAY_MS))
        desk.add_events("offer", lambda game: [Event(OFFER, game.clocks.stamp_ms, {"side": 1})])
        add(desk, "silent", "Müller, Jürgen", now - 30 * DAY_MS, ("c4", now - 25 * DAY_MS))
        add(desk, "over", "Smith, Adam", now - 30 * DAY_MS, ("f4", now - 25 * DAY_MS), event="Club")
        desk.end("over", "1/2-1/2", "agreement", When())


def analyse(path: Path, silent_ms: int = 0) -> None:
    """An analysis of the game ``offer`` at two positions, and the sitting in which it was made.

    silent_ms: the time since the sitting's last sign of life.
    """
    from standstill.engine.common.info import SCORE_CP
    from standstill.engine.correspondence.analysis import Place, make_node

    now = now_ms()
    with Store(path) as store:
        desk = Desk(store)
        game = desk.load("offer")
        with store.transaction():
            store.write(
                "INSERT INTO sittings (started_ms, ends_ms, beat_ms, engine, game) VALUES (?, ?, ?, 'Deep', ?)",
                now - silent_ms - 2000, now + 3_600_000, now - silent_ms, "offer",
            )  # fmt: skip
            for line, score, pv in (((), 31, "c2c4 e7e6"), (("c2c4",), -45, "d5c4 e2e4")):
                node = make_node(desk, game, Place(2, line))
                run = store.write(
                    "INSERT INTO runs (node_id, started_ms, engine, threads, hash_mb) VALUES (?, ?, 'Deep', 1, 1)",
                    node.id, now - 1000,
                )  # fmt: skip
                store.write(
                    "INSERT INTO findings (run_id, depth, rank, at_ms, score, nodes, time_ms, pv)"
                    " VALUES (?, 30, 1, ?, ?, 0, 60000, ?)",
                    run, now, score * SCORE_CP, pv,
                )  # fmt: skip


def add(desk: Desk, name: str, opponent: str, start_ms: int, *moves: tuple[str, int], event: str = "WT/M/1") -> None:
    control = "50/0/1" if name == "due" else "50/75/1"
    desk.add(Head(name, control, OWN, opponent, own_side=0, tags={"Event": event}), start_ms)
    for move, at_ms in moves:
        desk.move(name, move, When(at_ms))
