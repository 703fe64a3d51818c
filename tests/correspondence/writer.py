"""Run as a separate process: writes to a store endlessly, and prints what it does before and after each entry.

`python writer.py STORE GAME SEED`. A test kills this process, or starts several such processes on one store.
"""

import random
import sys

from standstill.engine.clock import game_clocks as clocks
from standstill.engine.clock.game_clocks import Event
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.game import CorrespondenceGame
from standstill.engine.correspondence.store import Store

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
STEP_MS = 3_600_000


def action(game: CorrespondenceGame, source: random.Random) -> list[Event]:
    """The next move of an endless shuffle, sometimes after a refill, a replacement or a correction."""
    at_ms = game.clocks.stamp_ms + STEP_MS
    mover = game.clocks.to_move
    events = []
    if game.clocks.control.has_bank and game.clocks.mover.bank_ms and source.random() < 0.3:
        events.append(Event(clocks.REFILL, at_ms))
    if source.random() < 0.2:
        events.append(Event(clocks.REPLACE, at_ms, {"side": mover, "name": f"player {len(game.log)}"}))
    if source.random() < 0.2:
        events.append(Event(clocks.CORRECT, at_ms, {"side": mover, "clock_ms": 40 * 24 * STEP_MS}))
    return [*events, game.move_event(SHUFFLE[len(game.moves) % 4], at_ms + STEP_MS)]


def main(store: str, name: str, seed: str, count: int | None = None) -> None:
    source = random.Random(int(seed))
    desk = Desk(Store(store))
    done = 0
    while count is None or done < count:
        print("begin", flush=True)
        desk.add_events(name, lambda game: action(game, source))
        print("done", flush=True)
        done += 1


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]) if len(sys.argv) > 4 else None)
