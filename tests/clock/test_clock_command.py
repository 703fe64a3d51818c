"""`standstill clock` as a user runs it."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests import forked
from tests.uci.client import PATIENCE_S, clean_environment

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def clock(executable: Path) -> Run:
    def call(*arguments: object) -> subprocess.CompletedProcess:
        return forked.run(
            [executable, "clock", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env=clean_environment(),
            check=False,
        )

    return call


def answer(done: subprocess.CompletedProcess):
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.slow
def test_the_table_in_json(clock: Run) -> None:
    rows = answer(clock("table", "--json"))
    assert [row["days"] for row in rows] == list(range(300, 1101, 50))
    assert all(row["days"] == 2 * (row["clock"] + row["bank"] + 50 * row["increment"]) for row in rows)


def test_an_event_has_an_end_and_a_notice(clock: Run) -> None:
    found = answer(clock("table", "--days", 740, "--start", "2028-02-01", "--json"))
    assert (found["days"], found["terms"]) == (700, "50/50/5")
    assert found["end"] == (date(2028, 2, 1) + timedelta(days=700)).isoformat()
    text = clock("table", "--days", 740, "--start", "2028-02-01").stdout
    assert found["notice"] in text and "rounded down to 700" in text and found["end"] in found["notice"]


def test_an_event_with_protection_has_no_end(clock: Run) -> None:
    found = answer(clock("table", "--days", "640:p", "--start", "2028-02-01", "--json"))
    assert (found["days"], found["terms"], found["end"]) == (600, "50/50/4:p", None)
    assert "at least 3 days" in found["notice"] and "cannot last beyond" not in found["notice"]
    for wrong in ("600:x", "600:", "six", "-600", "299"):
        assert clock("table", "--days", wrong).returncode == 2


def test_a_notice_in_polish(clock: Run) -> None:
    notice = answer(clock("table", "--days", 350, "--start", "2028-02-01", "--language", "pl", "--json"))["notice"]
    assert "Triple Block 50/75/1" in notice and "dolicza się 1 dzień" in notice and "najpóźniej 2029-01-16" in notice


def test_the_table_names_the_shortest_controls_for_rated_play(clock: Run) -> None:
    said = clock("table").stdout
    assert "50 moves in 150 days" in said and "10 moves in 20 days" in said
    assert f"can last {2 * 150 + 2 * 50 + 2 * 45} days" in said


def test_simulated_moves_in_json(clock: Run) -> None:
    found = answer(clock("simulate", "50/75/1", "--think", "6h,110d,200d,1d", "--json"))
    assert found[0] == {"move": 1, "think": 0.25, "clock": 50, "bank": 75.75, "refills": 0}
    assert found[1] == {"move": 2, "think": 110, "clock": 16.75, "bank": 0, "refills": 2}
    assert len(found) == 3
    assert found[2] | {"flag": True, "flag_after": 16.75, "clock": 0} == found[2]


def test_simulated_moves_for_people(clock: Run) -> None:
    lines = clock("simulate", "50/50/5", "--think", "7d*60").stdout.splitlines()
    assert len(lines) == 1 + 48 and "time runs out after 6 d" in lines[-1]


def test_times_for_people_have_days_hours_and_minutes(clock: Run) -> None:
    """As in `games list`, days are not decimal: decimal days are hard to match with a calendar."""
    lines = clock("simulate", "50/75/1", "--think", "6h30m,110d,30d").stdout.splitlines()
    cells = [re.split(r"  +", line.strip()) for line in lines[1:]]
    assert cells[0] == ["1", "6 h 30 m", "50 d", "75 d 17 h 30 m", "125 d 17 h 30 m", "0"]
    assert cells[1][2] == "16 d 17 h 30 m" and cells[2][-1] == "time runs out after 16 d 17 h 30 m"


@pytest.mark.parametrize(("control", "left"), [("10+3", [12, 14]), ("10/50", [49, 48]), ("5/move", [5, 5])])
def test_the_other_clocks_are_simulated_too(clock: Run, control: str, left: list[int]) -> None:
    assert [row["clock"] for row in answer(clock("simulate", control, "--think", "1d,1d", "--json"))] == left


def test_a_simulated_game_as_a_picture(clock: Run, tmp_path: Path) -> None:
    moves = answer(clock("simulate", "50/75/1", "--think", "9d*10", "--svg", tmp_path / "game.svg", "--json"))
    lines = ET.parse(tmp_path / "game.svg").getroot().iter("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [1 + len(moves)] * 3
    assert [path.name for path in tmp_path.iterdir()] == ["game.svg"]


@pytest.mark.parametrize(("control", "thinks"), [("50/75/1", "9d*10"), ("10+3", "1d,4d,0d,2d"), ("5/move", "1d*3")])
def test_the_curves_of_a_picture_follow_its_scales(clock: Run, tmp_path: Path, control: str, thinks: str) -> None:
    """Each point lies where the numbers at the axes place it, and inside the picture."""
    moves = answer(clock("simulate", control, "--think", thinks, "--svg", tmp_path / "game.svg", "--json"))
    root, name = ET.parse(tmp_path / "game.svg").getroot(), "{http://www.w3.org/2000/svg}%s".__mod__
    texts = [each for each in root.iter(name("text")) if (each.text or "").isdecimal()]
    across = {int(each.text): float(each.attrib["x"]) for each in texts if each.get("text-anchor") == "middle"}
    lines = [float(each.attrib["y1"]) for each in root.iter(name("line"))]
    up = dict(zip((int(each.text) for each in texts if each.get("text-anchor") == "end"), lines, strict=True))

    def placed(scale: dict[int, float], value: float) -> float:
        (one, at), (other, end) = min(scale.items()), max(scale.items())
        return at + (value - one) * (end - at) / (other - one)

    for scale in (across, up):
        assert len(scale) > 1
        assert all(abs(placed(scale, value) - at) < 0.2 for value, at in scale.items())
    curves = {}
    for curve, label in zip(root.iter(name("polyline")), [*root.iter(name("text"))][-3:], strict=True):
        points = curve.attrib["points"].split()
        curves[label.text.split()[0]] = [tuple(map(float, point.split(","))) for point in points]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(0 < x < width and 0 < y < height for points in curves.values() for x, y in points)
    assert up[0] == max(up.values()) and across[min(across)] == min(across.values())
    for series in ("clock", "bank"):
        for row, (x, y) in zip(moves, curves[series][1:], strict=True):
            assert abs(x - placed(across, row["move"])) < 0.3, row
            assert abs(y - placed(up, row[series])) < 0.3, (series, row)


def test_a_clock_at_zero_has_run_out(clock: Run) -> None:
    found = answer(clock("advise", "0/75/1@17", "--at", "2026-03-02T10:00Z", "--tz", "UTC", "--json"))
    assert (found["refill_before"], found["refill_now"], found["suggested"]) == (None, 0, 0)
    assert found["flag_at"] == found["last_instant"] == "2026-03-02T10:00Z"
    assert "time has run out" in clock("advise", "0/75/1@17").stdout
    (step,) = answer(clock("simulate", "0/75/1@17", "--think", "0,1d", "--json"))
    assert step["flag"] and (step["flag_after"], step["bank"], step["refills"]) == (0, 75, 0)


def test_advice_names_the_last_instant_for_a_refill(clock: Run) -> None:
    asked = ("advise", "41.25/60/1", "--move", 17, "--at", "2026-02-01T10:00", "--tz", "Europe/Warsaw")
    found = answer(clock(*asked, "--json"))
    # 41.25 days of 86,400 s from 1 February end in winter time.
    assert found["flag_at"] == "2026-03-14T16:00+01:00"
    assert found["refill_before"] == "2026-03-14T15:59+01:00"
    # 50 days later summer time is in force, so the same number of hours ends at another hour of the day.
    assert found["flag_at_after_refill"] == "2026-05-03T17:00+02:00"
    assert (found["move"], found["refill_now"], found["refill_then"]) == (17, 8.75, 50)
    assert found["average_limit"] == pytest.approx((101.25 + 33) / 34)
    text = clock(*asked).stdout
    assert "without a refill: time runs out 2026-03-14T16:00+01:00" in text


def test_advice_for_an_empty_bank(clock: Run) -> None:
    found = answer(clock("advise", "3/0/1@60", "--json"))
    assert (found["refill_before"], found["average_limit"]) == (None, None)
    assert "no refill is possible" in clock("advise", "3/0/1@60").stdout


# ---- recompute ----

STAMPED = """\
[Event "WT/M/1"]
[Date "2026.03.01"]
[White "Nowak"]
[Black "Smith"]
[Result "*"]
[TripleBlock "50/75/1"]

1. e4 {[%ccsnt 2026.03.01,06:00]} e5 {[%ccsnt 2026.03.11,06:00]}
2. Nf3 {[%ccsnt 2026.06.29,06:00]} Nc6 {[%ccsnt 2026.06.29,06:00:30]} *
"""


def test_clocks_from_send_stamps(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(STAMPED)
    found = answer(clock("recompute", path, "--json"))
    rows = [(row["think"], row["clock"], row["bank"], row["refills"]) for row in found["moves"]]
    assert rows[:3] == [(0.25, 50, 75.75, 0), (10, 50, 66, 0), (110, 16.75, 0, 2)]
    assert rows[3][1] == 50 and found["flag"] is None


def test_stamps_are_read_in_the_servers_zone(clock: Run, tmp_path: Path) -> None:
    """Daylight saving begins between the first and the second move; the change of the time zone's offset changes no
    clock."""
    path = tmp_path / "game.pgn"
    path.write_text(STAMPED)
    found = answer(clock("recompute", path, "--tz", "Europe/Warsaw", "--json"))
    assert found["moves"][2]["think"] == pytest.approx(110 - 1 / 24)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Warsaw"])
def test_the_numbers_stand_under_their_headers(clock: Run, tmp_path: Path, zone: str) -> None:
    (tmp_path / "g.pgn").write_text(STAMPED)
    head, *rows = clock("recompute", tmp_path / "g.pgn", "--tz", zone).stdout.splitlines()
    assert rows
    ends = [head.index(name) + len(name) for name in ("think", "clock", "bank", "total")]
    assert len({right - left for left, right in pairwise(ends)}) == 1
    if zone == "UTC":
        assert ends[0] == head.index("sent") + len("2026-03-01T06:00Z ") + ends[1] - ends[0]
    for end in ends:
        assert all(row[:end].endswith((" d", " h", " m", " s")) and row[end : end + 1] in ("", " ") for row in rows)


def test_a_leap_day_counts(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[Date "2028.02.28"]\n[TripleBlock "50/75/1"]\n\n1. e4 {[%ccsnt 2028.03.01,00:00]} *\n')
    assert answer(clock("recompute", path, "--json"))["moves"][0]["think"] == 2


def test_a_game_lost_on_time_says_so(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(STAMPED.replace("2026.06.29,06:00]", "2027.06.29,06:00]"))
    done = clock("recompute", path, "--start", "2026-03-01", "--control", "50/50/1")
    assert done.returncode == 0 and "White's time ran out before move 2" in done.stderr


def test_clocks_as_they_are_written_are_believed(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(
        '[TripleBlock "50/75/1"]\n\n1. e4 {[%clk 1200:00:00] [%bank 1818:00:00]} e5 {[%clk 1200:00:00]}'
        " 2. d4 {[%clk 1200:00:00] [%bank 1800:00:00]} d5 {[%clk 1199:00:00]} *\n"
    )
    found = answer(clock("recompute", path, "--json"))
    assert [row["think"] for row in found["moves"]] == [0.25, None, 1.75, None]
    assert [row["bank"] for row in found["moves"]] == [75.75, None, 75, 0]
    assert "leaves the total unknown" in found["warnings"][0]


def test_clocks_that_contradict_the_stamps_are_named(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(STAMPED.replace("03.11,06:00]", "03.11,06:00] [%clk 100:00:00]"))
    assert "e5: clock 4d4h in the file, 50d computed" in clock("recompute", path).stderr


def test_both_players_as_a_picture(clock: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(STAMPED.replace("Nowak", "Nowak & <Co>"))
    assert clock("recompute", path, "--svg", tmp_path / "game.svg").returncode == 0
    text = "".join(ET.parse(tmp_path / "game.svg").getroot().itertext())
    assert "Nowak & <Co>" in text and "Smith" in text


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["table", "--days", "299"],
        ["table", "--days", "x"],
        ["table", "--start", "2026-01-01"],
        ["table", "--days", "300", "--start", "2026-02-30"],
        ["table", "--days", "300", "--start", "9999-12-01"],
        ["simulate", "50/75/1"],
        ["simulate", "51/75/1", "--think", "1d"],
        ["simulate", "50/75/1", "--think", "-1d"],
        ["simulate", "50/75/1", "--think", ""],
        ["simulate", "50/75/1", "--think", "1d,,1d"],
        ["simulate", "50/75/1", "--think", "1d*x"],
        ["simulate", "50/75/1", "--think", "1d*99999"],
        ["simulate", "50/75/1", "--think", "1d", "--svg", "/nonexistent/folder/x.svg"],
        ["advise", "rubbish"],
        ["advise", "50/75/1", "--move", "0"],
        ["advise", "50/75/1", "--tz", "Nowhere/Land"],
        ["advise", "50/75/1", "--tz", "../../etc/passwd"],
        ["advise", "50/75/1", "--at", "yesterday"],
        ["advise", "50/75/1", "--at", "9999-12-31"],
        ["recompute", "/nonexistent"],
        ["recompute", "/"],
        ["recompute", "/dev/null"],
    ],
)
def test_bad_input_is_answered_in_one_line(clock: Run, arguments: list[str]) -> None:
    done = clock(*arguments)
    if arguments:
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    else:
        assert done.returncode == 2 and "Usage" in done.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. e4 e5 *", "TripleBlock"),
        ('[TripleBlock "50/75/1"]\n\n1. e4 e5 *', "no .%ccsnt. stamps"),
        ('[TripleBlock "50/75/1"]\n\n1. e4 {[%ccsnt 2026.13.01,06:00]} *', "date and time that exist"),
        ('[TripleBlock "50/75/1"]\n\n1. e4 {[%ccsnt 2026.03.01,06:00]} *', "no complete date"),
        ('[TripleBlock "50/75/1"]\n[Date " "]\n\n1. e4 {[%ccsnt 2026.03.01,06:00]} *', "no complete date"),
        (
            '[TripleBlock "50/75/1"]\n[Date "May 1st"]\n[EventDate "5/1/2026"]\n\n1. e4 {[%ccsnt 2026.05.01,06:00]} *',
            r"expected a date such as 2026\.03\.02, found \[EventDate '5/1/2026'\] and \[Date 'May 1st'\]: give",
        ),
        ('[TripleBlock "50/75/1"]\n[ClockStart "soon"]\n\n1. e4 {[%ccsnt 2026.05.01,06:00]} *', "instant .*'soon'"),
        ('[TripleBlock "50/75/1"]\n\n1. e5 {[%ccsnt 2026.03.01,06:00]} *', "illegal move 'e5'"),
    ],
)
def test_a_game_that_cannot_be_recomputed(clock: Run, tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "game.pgn").write_text(text + "\n")
    done = clock("recompute", tmp_path / "game.pgn")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1) and re.search(expected, done.stderr)
