"""Stored analyses: what they keep, how they go on, what an interruption leaves."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import chess
import pytest
from icalendar import Calendar

from engine.clock.instants import parse_instant
from engine.correspondence.desk import Desk, When
from engine.correspondence.game import Head
from engine.correspondence.store import Store
from tests.uci.client import PATIENCE_S, clean_environment


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def game(games, path: Path):
    """After 1.e4 e5, White to move."""
    with Store(path, create=True) as store:
        desk = Desk(store)
        desk.add(Head("g", "50/75/1", "Nowak", "Smith", own_side=0), parse_instant("2020-01-01"))
        for move in ("e4", "e5"):
            desk.move("g", move, When(parse_instant("2020-01-02")))
    return games


def findings(path: Path) -> list[tuple[int, int]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT run_id, depth FROM findings WHERE rank = 1 ORDER BY 1, 2").fetchall()


def analysed(games, *arguments: str) -> list[dict]:
    return json.loads(games("analyse", "g", "--json", *arguments).stdout)


def test_a_finding_is_a_legal_line_with_score_and_record(game) -> None:
    (node,) = analysed(game, "--depth", "8")
    board = chess.Board(node["fen"])
    for move in node["best"]["pv"]:
        board.push_uci(move)
    # 1.e4 left Black 20 moves and no check, 1...e5 White 29: the fewest since the last pawn move.
    assert (node["best"]["depth"], node["record"]) == (8, "-G29.5")


def test_a_second_run_goes_on_from_what_is_known(game, path: Path) -> None:
    analysed(game, "--depth", "8")
    known = findings(path)
    assert analysed(game, "--depth", "5")[0]["best"]["depth"] == 8
    assert findings(path) == known
    assert analysed(game, "--depth", "10")[0]["best"]["depth"] == 10
    new = [depth for run, depth in findings(path) if run == 3]
    assert new and min(new) > 8


def test_candidates_grow_a_tree(game) -> None:
    nodes = analysed(game, "--moves", "Nf3, f4", "--depth", "5")
    assert [node["line"] for node in nodes] == [["g1f3"], ["f2f4"]]
    analysed(game, "--line", "Nf3 Nc6", "--depth", "5")
    text = game("show", "g").stdout
    tree = text[text.index("analysis") :].splitlines()[1:]
    assert [line.split()[0] for line in tree] == ["2.f4", "2.Nf3", "2...Nc6"]
    assert tree[2].startswith("    2...Nc6")


def test_several_lines_are_kept_by_rank(game) -> None:
    analysed(game, "--depth", "6", "--lines", "3")
    found = json.loads(game("compare", "g", "--json").stdout)
    assert [line["rank"] for line in found] == [1, 2, 3]
    assert len({line["pv"][0] for line in found}) == 3


def test_runs_are_compared_over_the_days(game) -> None:
    for depth in ("4", "7", "9"):
        analysed(game, "--depth", depth)
    assert [line["depth"] for line in json.loads(game("compare", "g", "--json").stdout)] == [4, 7, 9]
    assert len(game("compare", "g").stdout.splitlines()) == 4


def test_scores_are_whites(game) -> None:
    """After 2.Qh5 Ke7 White mates in one; from Black's point of view, a move earlier, it is as bad."""
    (white,) = analysed(game, "--line", "Qh5 Ke7", "--depth", "4")
    (black,) = analysed(game, "--line", "Qh5 Ke7 Qxe5", "--depth", "4")
    assert white["best"]["score"] == "#1" and white["best"]["pv"] == ["h5e5"]
    assert black["best"] is None  # mate: there is nothing to search


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interruption_keeps_what_was_found(game, path: Path, executable: Path, how: signal.Signals) -> None:
    process = subprocess.Popen(
        [executable, "games", "--store", path, "analyse", "g"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    for line in process.stdout:
        # The first plies come at once and are not all told.
        if (found := re.match(r"  depth (\d+) ", line)) and int(found[1]) >= 12:
            break
    process.send_signal(how)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert max(depth for _, depth in findings(path)) >= 12
    game("check")
    assert analysed(game, "--depth", "1")[0]["best"]["depth"] >= 12


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", "nothing", "--depth", "1"],
        ["analyse", "g", "--depth", "0"],
        ["analyse", "g", "--time", "x"],
        ["analyse", "g", "--ply", "3", "--depth", "1"],
        ["analyse", "g", "--line", "e5", "--depth", "1"],
        ["analyse", "g", "--moves", "e5", "--depth", "1"],
        ["compare", "g"],
        ["compare", "g", "--line", "rubbish"],
    ],
)
def test_bad_input_is_answered_in_one_line(game, arguments: list[str]) -> None:
    game(*arguments, status=2)


# ---- calendar ----


def test_deadlines_are_a_calendar(games, path: Path, tmp_path: Path) -> None:
    now = time.time_ns() // 1_000_000
    with Store(path, create=True) as store:
        desk = Desk(store)
        for name, side in (("mine", 0), ("theirs", 1), ("watched", None)):
            desk.add(Head(name, "50/75/1", "M\u00fcller; X", own_side=side), now)
    deadlines = {entry["name"]: entry["deadline"] for entry in json.loads(games("list", "--json").stdout)}
    games("calendar", "-o", tmp_path / "one.ics")
    games("calendar", "--all", "-o", tmp_path / "all.ics")
    names = []
    for file in ("one.ics", "all.ics"):
        events = Calendar.from_ical((tmp_path / file).read_bytes()).walk("VEVENT")
        names.append([str(event["SUMMARY"]).split(":")[0] for event in events])
        for event in events:
            name = str(event["UID"]).split("@")[0]
            assert event["DTSTART"].dt.strftime("%Y-%m-%dT%H:%MZ") == deadlines[name]
            assert len(event.walk("VALARM")) == 3
    assert names == [["mine"], ["mine", "theirs", "watched"]]
