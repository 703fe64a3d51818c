"""Compares inferred clocks and banks with the true ones: `python tools/measure/play/banks.py FILE [FIRST] [LAST]`.

Games FIRST to LAST - 1 (0 to 999) are random games by the rules, with refills, claims, draw offers, substitutes and
terms. They are seen only through the answers of an Xfcc server, at random instants, in half of the games together with
the owner's entries. After each fetch the clocks, totals and banks of both sides in the store have to contain the true
values. FILE gets one line for each game; games that it already has are not played again. The connection is left out,
because it takes most of the time: the server's answers are read as if they had come through HTTP.

The report also counts the banks that no program can know: for each of them `tests/correspondence/twins.py` finds two
histories with equal answers of the server and different banks. It does not find all of them, so the share of the others
is an upper bound of the share that can be known.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.correspondence.servers.xfcc import Server, _parsed
from tests.correspondence.played_server import DAY
from tests.correspondence.twins import undecidable
from tests.correspondence.watcher import Watcher, calendar, follow, played_games, watching

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

GOAL = 0.95
EVERY_DAYS = (1, 2, 4, 8)


class Direct(Server):
    """A client that calls the test server directly, in the same process."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__(watcher.client.url, watcher.client.user, watcher.client._password)
        self.server = watcher.server

    def _call(self, action: str, values: dict[str, str]) -> Element:
        answer = self.server.answer(action, {"username": self.user, "password": self._password} | values)
        root, problem = _parsed(answer.encode(), "utf-8")
        assert root is not None, problem
        return root


def watched(seed: int, folder: str) -> dict[str, object]:
    """Play and follow one game. Return its figures, or the first fault."""
    source = random.Random(f"banks {seed}")
    games = played_games(source, 1)
    manner = games[0].manner
    enters, every = bool(seed % 2), source.choice(EVERY_DAYS)
    line: dict[str, object] = {
        "game": seed, "plies": len(games[0].moves), "days": round((games[0].now.at - games[0].start) / DAY),
        "enters": enters, "every": every, "stamps": manner.stamps, "shuffling": manner.shuffling,
        "actions": Counter(moment.action for moment in games[0].moments if moment.action not in {"", "wait"}),
    }  # fmt: skip
    path = Path(folder, f"{seed}.sqlite")
    with calendar() as today, watching(path, games, today, enters=enters) as watcher:
        watcher.client = Direct(watcher)
        try:
            follow(watcher, source, every)
        except AssertionError as error:
            line["fault"] = str(error) or repr(error)
        places = [(at, side) for at, side, _ in watcher.compared]
        line["known"] = sum(number for (_, known), number in watcher.counts.items() if known)
        line["values"] = sum(watcher.counts.values())
    hidden = undecidable(games[0], [at for at, _ in places], enters=enters)
    line["undecidable"] = sum(place in hidden for place in places)
    for left in Path(folder).glob(f"{seed}.sqlite*"):
        left.unlink()
    return line


def share(lines: list[dict], text: str) -> str:
    known, values = sum(line["known"] for line in lines), sum(line["values"] for line in lines)
    if not values:
        return f"{text}: no values"
    goal = "" if known >= GOAL * values else f", short of {GOAL:.0%}"
    bound = 1 - sum(line["undecidable"] for line in lines) / values
    return (
        f"{text}: {len(lines)} games, {known:,} of {values:,} banks known, {known / values:.1%},"
        f" {bound:.1%} at most{goal}"
    )


def report(lines: list[dict]) -> None:
    actions: Counter[str] = Counter()
    for line in lines:
        actions.update(line["actions"])
    plies, values = sum(line["plies"] for line in lines), sum(line["values"] for line in lines)
    print(f"{len(lines)} games, {plies:,} half-moves, {values:,} values; {dict(actions)}")
    told = [line for line in lines if line["enters"] or line["stamps"] != "none"]
    print(share(lines, "all"))
    print(share(told, "with stamps or entries"))
    print(share([line for line in told if not line["actions"].get("claim")], "of these, without claims"))
    print(share([line for line in told if line["actions"].get("claim")], "of these, with claims"))
    print(share([line for line in told if not line["shuffling"]], "of these, without deliberate repetitions"))
    for line in lines:
        if "fault" in line:
            print(f"game {line['game']}: {line['fault']}")


def main(file: str, first: int = 0, last: int = 1000) -> int:
    path = Path(file)
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    have = {line["game"] for line in lines}
    began = time.process_time()
    memory = Path("/dev/shm")  # a store on a disk waits for the disk after each entry
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder, path.open("a") as results:
        for seed in range(first, last):
            if seed not in have:
                lines.append(watched(seed, folder))
                results.write(json.dumps(lines[-1]) + "\n")
                results.flush()
    print(f"{time.process_time() - began:.0f} s of CPU time")
    report(lines)
    return any("fault" in line for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
