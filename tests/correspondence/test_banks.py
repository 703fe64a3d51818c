"""The banks of many games, entered at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from standstill.engine.clock import game_clocks as clocks
from standstill.engine.clock.game_clocks import EventData
from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.servers.banks import banks_of, enter_banks, lacking
from standstill.engine.correspondence.store import Store
from standstill.engine.web.desk.views import running_view
from tests import forked

DAY = DAY_MS


def add(desk: Desk, name: str, own_side: int | None) -> None:
    """A game whose banks are unknown: White has used 6 of the 15 days since the start, Black 9."""
    now = now_ms()
    desk.add(
        Head(name=name, control="50/75/1", white="Nowak, Jan", black="Smith, A", own_side=own_side), now - 15 * DAY
    )
    for side in (0, 1):
        desk.move(name, ("e4", "e5")[side], When(now - (9, 0)[side] * DAY))
    for side in (0, 1):
        data: EventData = {"clock_ms": 50 * DAY, "bank_ms": 60 * DAY, "bank_unknown": True, "bank_most_ms": 75 * DAY}
        desk.correct(name, side, data | {"why": "move"}, When(now))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(Store(tmp_path / "games.sqlite", create=True))
    for name, own_side in (("WS-10", 0), ("WS-2", 1), ("watched", None)):
        add(found, name, own_side)
    return found


def bank(desk: Desk, name: str, side: int) -> tuple[int, bool]:
    left = desk.load(name).clocks.sides[side]
    return left.bank_ms, left.bank_known


@pytest.mark.parametrize("used", [0, 1, 20, 49])
@pytest.mark.parametrize("control", ["50/75/1", "D350", "10/50", "10+3", "5/move"])
def test_the_refill_on_show_is_the_largest_that_the_clock_takes(tmp_path: Path, control: str, used: int) -> None:
    """Without a bank the refill is 0; with one, its deadline is that of a game with this refill."""
    found, now = Desk(Store(tmp_path / "games.sqlite", create=True)), now_ms() // 1000 * 1000
    start = now - used * DAY
    found.add(Head(name="g", control=control, white="A", black="B", own_side=0), start)
    shown = running_view(found.load("g"), now)
    assert shown is not None
    assert shown["refilled"] - shown["deadline"] == shown["refill"]
    if not found.load("g").clocks.control.has_bank:
        assert (shown["refill"], shown["refilled"]) == (0, shown["deadline"])
        return
    assert shown["refill"] == used * DAY
    if used:
        found.refill("g", shown["refill"], When(now))
        after = running_view(found.load("g"), now)
        assert after is not None
        assert (after["deadline"], after["refill"]) == (shown["refilled"], 0)


def test_banks_are_listed_entered_and_then_known(desk: Desk) -> None:
    assert lacking(desk) == ["watched", "WS-2", "WS-10"]
    assert [whose for whose, _ in banks_of(desk.load("watched"))] == ["White's bank", "Black's bank"]
    lines = ["# banks of 30 November", "", "WS-10 70d", "ws-2 - 70d", "watched 70d 67d"]
    done, problems = enter_banks(desk, lines, preview=True)
    assert problems == [] and len(lacking(desk)) == 3
    assert done == [
        "WS-10: your bank at least 60 d, at most 75 d -> 70 d",
        "WS-2: the opponent's bank at least 60 d, at most 75 d -> 70 d",
        "watched: White's bank at least 60 d, at most 75 d -> 70 d",
        "watched: Black's bank at least 60 d, at most 75 d -> 67 d",
    ]
    assert enter_banks(desk, lines) == (done, [])
    assert bank(desk, "WS-10", 0) == bank(desk, "WS-2", 0) == (70 * DAY, True)
    assert lacking(desk) == ["WS-2"] and check(desk) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("WS-10 200d", "WS-10: expected 60 d to 75 d as your bank, found 200 d", id="above"),
        pytest.param("WS-2 50d", "WS-2: expected 60 d to 75 d as your bank, found 50 d", id="below"),
        pytest.param(
            "WS-10 75d 75d", "on both clocks and in both banks, but the time that has passed leaves 236", id="sum"
        ),
        pytest.param("WS-10", "WS-10: expected NAME BANK [BANK], found 'WS-10'", id="no-bank"),
        pytest.param("WS-10 1 2 3", "WS-10: expected NAME BANK [BANK]", id="three-banks"),
        pytest.param("WS-10 much", "WS-10: expected a bank such as 41.25 (days) or 41d6h, found 'much'", id="word"),
        pytest.param("WS-3 70d", "WS-3: no game named 'WS-3'", id="no-game"),
    ],
)
def test_a_wrong_bank_is_named_and_nothing_is_stored(desk: Desk, line: str, expected: str) -> None:
    done, problems = enter_banks(desk, ["watched 70d 67d", line, "WS-2 x"])
    assert len(done) >= 2 and len(problems) == 2
    assert problems[0].startswith("line 2, ") and expected in problems[0] and problems[1].startswith("line 3, WS-2: ")
    assert len(lacking(desk)) == 3


def test_only_running_games_under_triple_block_have_a_bank(desk: Desk) -> None:
    desk.add(Head(name="plain", control="10/50"), now_ms())
    desk.end("WS-2", "1-0", "", When(None))
    assert lacking(desk) == ["watched", "WS-10"] and desk.load("WS-2").clocks.status == clocks.OVER
    _, problems = enter_banks(desk, ["plain 3", "WS-2 3"])
    assert problems == ["line 1, plain: no bank under 10/50", "line 2, WS-2: no clock runs"]


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("command", ["enter", "banks"])
def test_a_file_of_another_encoding_gets_one_line(executable: Path, tmp_path: Path, command: str) -> None:
    file = tmp_path / "list.txt"
    file.write_bytes("Łódź 74d12h\n".encode("utf-16"))
    words = [executable, "games", "--store", tmp_path / "games.sqlite", command, file]
    done = forked.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "line 1" in done.stderr and "Traceback" not in done.stderr
