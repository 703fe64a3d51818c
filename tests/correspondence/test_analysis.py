"""Stored analyses: what they contain, how they are continued, and what an interruption leaves."""

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

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.clock.instants import parse_instant
from standstill.engine.common.info import MATE, SCORE_CP
from standstill.engine.common.limits import Limits
from standstill.engine.correspondence import analysis
from standstill.engine.correspondence.analysis import StoredAnalyst, place_in, symbol, white_score
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.hash_file import HashFile
from standstill.engine.correspondence.store import Store
from standstill.engine.play.session import Session
from standstill.engine.settings.options import Settings
from tests.posix import is_private, signals
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
    """Analyse with a small hash table: clearing the default one for every short search would be slow."""
    size = () if "--hash" in arguments else ("--hash", "16")
    return json.loads(games("analyse", "g", "--json", *size, *arguments).stdout)


@pytest.mark.slow
def test_a_finding_is_a_legal_line_with_score_and_record(game) -> None:
    (node,) = analysed(game, "--depth", "8")
    board = chess.Board(node["fen"])
    for move in node["best"]["pv"]:
        board.push_uci(move)
    # 1.e4 left Black 20 moves and no check, 1...e5 left White 29; the record counts from the last pawn move.
    assert (node["best"]["depth"], node["record"]) == (8, "-G29.5")


def test_a_second_run_goes_on_from_what_is_known(game, path: Path) -> None:
    analysed(game, "--depth", "8")
    known = findings(path)
    assert analysed(game, "--depth", "5")[0]["best"]["depth"] == 8
    assert findings(path) == known
    assert analysed(game, "--depth", "10")[0]["best"]["depth"] == 10
    new = [depth for run, depth in findings(path) if run == 3]
    assert new and min(new) > 8


@pytest.mark.slow
def test_a_second_run_takes_up_the_hash_of_the_first(game, path: Path) -> None:
    """A continued search needs far fewer nodes than a new one; six positions are summed, because a single one means
    little.

    Over many positions it takes about 37 % of the nodes (docs/lab/scores.md).
    """
    fresh = resumed = 0
    game("new", "h", "50/75/1", "--opening", "e4 e5")  # the same game under another name has no saved hash
    for line in ("", "Nf3 Nc6", "d4 exd4", "Nc3 Nf6", "f4 exf4", "Bc4 Nf6"):
        options = ("--line", line, "--hash", "64")
        analysed(game, *options, "--depth", "13")
        resumed += analysed(game, *options, "--depth", "14")[0]["best"]["nodes"]
        (node,) = json.loads(game("analyse", "h", "--json", *options, "--depth", "14").stdout)
        fresh += node["best"]["nodes"]
    assert resumed <= 0.6 * fresh
    folder = path.with_name("games.sqlite.hash")
    assert is_private(folder) and all(is_private(file) for file in folder.iterdir())


def test_the_hash_is_saved_during_a_long_search(game, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed search leaves a file that the next search can read."""
    monkeypatch.setattr(analysis, "_SAVE_S", 0.0)
    folder = path.with_name("games.sqlite.hash")
    sizes = []
    with Store(path) as store:
        desk, session = Desk(store), Session()

        def look(finding: object) -> None:
            sizes.extend(file.stat().st_size for file in folder.glob("*.bin"))
            if sizes:
                raise KeyboardInterrupt

        analyst = StoredAnalyst(desk, "g", session, look)
        with pytest.raises(KeyboardInterrupt):
            analyst.run(place_in(analyst.game, None, ""), Limits())
    assert sizes and min(sizes) > 100


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", ["cut", "flip", "text", "empty"])
def test_a_damaged_hash_file_is_passed_over(game, path: Path, damage: str) -> None:
    analysed(game, "--depth", "8", "--hash", "16")
    (file,) = path.with_name("games.sqlite.hash").iterdir()
    data = bytearray(file.read_bytes())
    if damage == "flip":
        data[-20] ^= 255
    file.write_bytes({"cut": data[: len(data) // 2], "flip": data, "text": b"rubbish\n" * 9, "empty": b""}[damage])
    assert analysed(game, "--depth", "9", "--hash", "16")[0]["best"]["depth"] == 9


@pytest.mark.slow
def test_without_a_wish_the_hash_fits_the_machine(game, path: Path) -> None:
    analysed(game, "--depth", "2")
    analysed(game, "--depth", "3", "--hash", "32")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        first, second = (row[0] for row in connection.execute("SELECT hash_mb FROM runs ORDER BY id"))
    free_mb = int(re.search(r"MemAvailable:\s+(\d+)", Path("/proc/meminfo").read_text())[1]) >> 10
    assert second == 32 and 16 <= first <= max(16, free_mb // 3)


@pytest.mark.parametrize("moves", [["e4", "e5"], pytest.param(["e4"], marks=pytest.mark.slow)], ids=["white", "black"])
def test_the_best_of_several_moves_is_shown_first(games, path: Path, moves: list[str]) -> None:
    """Holds for either side to move, and for any order of the requests."""
    with Store(path, create=True) as store:
        desk = Desk(store)
        desk.add(Head("g", "50/75/1", "Nowak", "Smith", own_side=len(moves) % 2), parse_instant("2020-01-01"))
        for move in moves:
            desk.move("g", move, When(parse_instant("2020-01-02")))
    for choice in ("a3 Qh5 Nf3", "Ba6 d4") if len(moves) == 2 else ("g5 Nc6 f6", "h5 e5"):
        games("analyse", "g", "--hash", "16", "--depth", "4", "--moves", choice)
    lines = games("show", "g").stdout.partition("analysis (White's view)")[2].strip().splitlines()
    scores = [float(line.split("depth 4")[1].split()[0]) for line in lines]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=len(moves) == 2)


def test_candidates_grow_a_tree(game) -> None:
    nodes = analysed(game, "--moves", "Nf3, f4", "--depth", "5")
    assert [node["line"] for node in nodes] == [["g1f3"], ["f2f4"]]
    analysed(game, "--line", "Nf3 Nc6", "--depth", "5")
    text = game("show", "g").stdout
    tree = text[text.index("analysis") :].splitlines()[1:]
    assert [line.split()[0] for line in tree] == ["2.Nf3", "2...Nc6", "2.f4"]
    assert tree[1].startswith("    2...Nc6")


def test_several_lines_are_kept_by_rank(game) -> None:
    analysed(game, "--depth", "6", "--lines", "3")
    found = json.loads(game("compare", "g", "--json").stdout)
    assert [line["rank"] for line in found] == [1, 2, 3]
    assert len({line["pv"][0] for line in found}) == 3


def test_one_line_is_no_answer_to_a_question_for_three(game, path: Path) -> None:
    analysed(game, "--depth", "4")
    analysed(game, "--depth", "4", "--lines", "3")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        deepest = "SELECT rank FROM findings WHERE run_id = 2 AND depth = 4 ORDER BY rank"
        assert connection.execute(deepest).fetchall() == [(1,), (2,), (3,)]
        known = connection.execute("SELECT * FROM findings").fetchall()
        analysed(game, "--depth", "4", "--lines", "3")
        analysed(game, "--depth", "4")
        assert connection.execute("SELECT * FROM findings").fetchall() == known


def test_runs_are_compared_over_the_days(game) -> None:
    for depth in ("4", "7", "9"):
        analysed(game, "--depth", depth)
    assert [line["depth"] for line in json.loads(game("compare", "g", "--json").stdout)] == [4, 7, 9]
    assert len(game("compare", "g").stdout.splitlines()) == 4


def test_scores_are_whites(game) -> None:
    """After 2.Qh5 Ke7 White mates in one; after 2...g6 3.Qxe5+ Black is to move, and White is ahead."""
    (white,) = analysed(game, "--line", "Qh5 Ke7", "--depth", "4")
    (mated,) = analysed(game, "--line", "Qh5 Ke7 Qxe5", "--depth", "4")
    assert white["best"]["score"] == "#1" and white["best"]["pv"] == ["h5e5"]
    assert mated["best"] is None  # mated: nothing to search
    (black,) = analysed(game, "--line", "Qh5 g6 Qxe5", "--depth", "4")
    assert float(black["best"]["score"]) > 0.5 and black["best"]["symbol"].startswith("+")


@pytest.mark.parametrize(
    ("score", "text"), [(0, "="), (20 * SCORE_CP, "+="), (-150 * SCORE_CP, "-+"), (8 - MATE, "-++"), (MATE - 8, "+--")]
)
def test_symbols_are_whites(score: int, text: str) -> None:
    assert symbol(score, WHITE, Settings()) == text
    assert symbol(-score, BLACK, Settings()) == text
    assert (white_score(score, WHITE), white_score(score, BLACK)) == (score, -score)


@pytest.mark.slow
@pytest.mark.parametrize("how", signals("SIGINT", "SIGTERM", "SIGKILL"))
def test_an_interruption_keeps_what_was_found(game, path: Path, executable: Path, how: signal.Signals) -> None:
    process = subprocess.Popen(
        [executable, "games", "--store", path, "analyse", "g"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    for line in process.stdout:
        # The first iterations finish at once and are not all printed.
        if (found := re.match(r"  depth (\d+) ", line)) and int(found[1]) >= 10:
            break
    process.send_signal(how)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert max(depth for _, depth in findings(path)) >= 10
    game("check")
    assert analysed(game, "--depth", "1")[0]["best"]["depth"] >= 10


@pytest.mark.sampled(2)
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
        events = [event for event in events if event["STATUS"] == "CONFIRMED"]
        names.append([str(event["SUMMARY"]).split(":")[0] for event in events])
        for event in events:
            name = str(event["SUMMARY"]).split(":")[0].split()[0]
            assert event["DTSTART"].dt.strftime("%Y-%m-%dT%H:%MZ") == deadlines[name]
            assert len(event.walk("VALARM")) == 3
    assert names == [["mine"], ["mine", "theirs", "watched"]]


def test_a_game_that_is_removed_meanwhile_ends_its_analysis(game, path: Path, executable: Path) -> None:
    process = subprocess.Popen(
        [executable, "games", "--store", path, "analyse", "g", "--hash", "16"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    next(line for line in process.stdout if line.startswith("  depth "))
    game("remove", "g", "--yes")
    _, said = process.communicate(timeout=PATIENCE_S)
    removed = f"standstill: {path}: the game was removed in the meantime; nothing was changed\n"
    assert (process.returncode, said) == (2, removed)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("option", "mode"), [("EvalFile", "Off"), ("RMobilityEvalFile", "Decisive"), ("VariantEvalFile", "Off")]
)
def test_a_hash_of_another_network_is_passed_over(tmp_path: Path, option: str, mode: str) -> None:
    """The scores in a table saved with another network come from another evaluation."""
    loaded = []
    for value in ("", "", "none"):  # save, load with the same network, refuse with another
        session = Session()
        session.set_option("RMobility", mode)
        session.set_option(option, value)
        session.choose_game("capablanca" if option.startswith("Variant") else "chess")
        session.is_ready()
        file = HashFile(tmp_path / "store", "a position", session)
        loaded.append(file.load())
        if not loaded[:-1]:
            limits = Limits()
            limits.depth = 6
            session.search(limits)
            file.save()
        session.finish()
    assert loaded == [False, True, False]
