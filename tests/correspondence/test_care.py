"""Deadlines, calendars, and damage to the store's file."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from icalendar import Calendar

from standstill.engine.clock.instants import now_ms, parse_instant
from standstill.engine.clock.units import DAY_MS
from standstill.engine.common.errors import ClockError
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store, migrations, statements
from tests import forked
from tests.correspondence.conftest import Run
from tests.posix import is_private, needs_zones
from tests.uci.client import PATIENCE_S, clean_environment


def ago(days: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - days * 86_400))


@pytest.fixture
def game(games: Run) -> Run:
    games("new", "g", "50/75/1", "--white", "Nowak", "--black", "Smith", "--side", "white", "--start", ago(30))
    return games


# ---- instants ----


@pytest.mark.parametrize(("at", "latest"), [("2026-01-01T10:00:00Z", "09:59"), ("2026-01-01T10:00:59Z", "09:59")])
def test_the_latest_safe_refill_is_a_full_minute_before_the_flag(games: Run, at: str, latest: str) -> None:
    done = forked.run(
        [*games.clock, "advise", "1/60/1", "--at", at, "--tz", "UTC"], capture_output=True, text=True, check=True,
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert f"latest safe refill: 2026-01-02T{latest}Z" in done.stdout
    assert "without a refill: time runs out 2026-01-02T10:00Z, 60 d in the bank" in done.stdout


def test_with_less_than_a_minute_left_a_refill_is_due_at_once(games: Run) -> None:
    done = forked.run(
        [*games.clock, "advise", "30s/60/1", "--at", "2026-01-01T10:00:10Z"], capture_output=True, text=True,
        check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert "latest safe refill: at once" in done.stdout


@pytest.mark.parametrize("zone", ["Europe/Warsaw", pytest.param(None, marks=needs_zones)])
def test_local_times_that_do_not_exist_or_come_twice(games: Run, zone: str | None) -> None:
    options = ["--tz", zone] if zone else []
    env = {"TZ": "Europe/Warsaw"}
    for at, words in (("2026-03-29T02:30", "clocks go forward"), ("2025-10-26T02:30", "occurs once")):
        done = games("new", "x", "50/75/1", "--start", at, *options, status=2, env=env)
        assert words in done.stderr
    games("new", "a", "50/75/1", "--start", "2025-10-26T02:30+01:00", *options, env=env)
    games("new", "b", "50/75/1", "--start", "2025-10-26", *options, env=env)


def test_a_day_that_begins_late_begins_at_its_first_moment() -> None:
    from zoneinfo import ZoneInfo

    zone = ZoneInfo("America/Asuncion")  # in Asunción daylight saving began at midnight
    assert parse_instant("2023-10-01", zone) == parse_instant("2023-10-01T01:00", zone)
    with pytest.raises(ClockError):
        parse_instant("2023-10-01T00:30", zone)


def test_an_opponents_old_move_without_an_instant_is_doubted(game: Run) -> None:
    game("move", "g", "e4", "--at", ago(20))
    done = game("opponent", "g", "e5")
    assert "after 20 d" in done.stderr or "after 19 d 23 h 59 m" in done.stderr
    assert "--at" in done.stderr
    game("correct", "g", "--undo")
    assert game("opponent", "g", "e5", "--at", ago(3)).stderr == ""
    game("new", "h", "10/50", "--start", ago(80))
    assert "give the time of the move with --at" in game("move", "h", "e4", "--any", status=2).stderr


def test_times_are_written_and_read_as_servers_show_them(game: Run) -> None:
    done = game("correct", "g", "black", "--clock", "41 d 6 h", "--bank", "74 d 17 h 30 m")
    assert "clock 41 d 6 h, bank 74 d 17 h 30 m" in done.stdout
    found = json.loads(game("show", "g", "--json").stdout)["black"]
    assert found["bank"] == pytest.approx(74 + 17.5 / 24)
    game("correct", "g", "black", "--clock", "4 1 d", status=2)


# ---- calendars ----


def events(games: Run, *options: str) -> dict[str, dict]:
    found = Calendar.from_ical(games("calendar", *options).stdout).walk("VEVENT")
    assert len({event["UID"] for event in found}) == len(found)
    return {str(event["UID"]): event for event in found}


def test_a_calendar_follows_a_game_to_its_end(game: Run) -> None:
    """RFC 5545: no DTEND, the same UID throughout, rising sequence numbers, CANCELLED for past events."""
    ((uid, event),) = events(game).items()
    assert "DTEND" not in event and event["STATUS"] == "CONFIRMED"
    time.sleep(1.1)  # sequence numbers are times in seconds
    game("move", "g", "e4", "--at", ago(20))
    ((same, after),) = events(game).items()
    assert same == uid and after["STATUS"] == "CANCELLED" and after["SEQUENCE"] > event["SEQUENCE"]
    assert events(game, "--all")[uid]["STATUS"] == "CONFIRMED"
    game("result", "g", "1-0")
    assert events(game)[uid]["STATUS"] == "CANCELLED"
    game("remove", "g", "--yes")
    assert events(game)[uid]["STATUS"] == "CANCELLED"
    game("new", "g", "50/75/1", "--side", "white")  # a new game with that name is a new event
    found = events(game)
    assert len(found) == 2 and found[uid]["STATUS"] == "CANCELLED"


def test_an_unknown_deadline_is_named(game: Run, tmp_path: Path) -> None:
    (tmp_path / "g.pgn").write_text(
        '[GameName "u"]\n[Date "2020.01.01"]\n[White "A"]\n[Black "B"]\n[TripleBlock "50/75/1"]\n\n1. e4 e5 *\n'
    )
    game("import", tmp_path / "g.pgn", "--me", "A")
    done = game("calendar")
    assert "u: the time on your clock is unknown" in done.stderr


# ---- the file ----


def test_store_and_backup_are_their_owners_alone(game: Run, tmp_path: Path) -> None:
    game("backup", "-o", tmp_path / "copy")
    assert is_private(game.store) and is_private(tmp_path / "copy")
    with Store(game.store):
        assert all(is_private(path) for path in tmp_path.glob("games.sqlite*"))


def old_store(path: Path, version: int) -> None:
    """A store with one game, as an earlier version of this program left it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for script in migrations()[:version]:
            for statement in statements(script.read_text(encoding="utf-8")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute(f"PRAGMA application_id = {0x53747374}")
        start = now_ms() // 1000 * 1000 - DAY_MS
        columns = {
            "name": "old", "first_white": "A", "first_black": "B", "white": "A", "black": "B", "own_side": 0,
            "control": "50/75/1", "created_ms": 0, "status": "running", "to_move": 0, "since_ms": start,
            "stamp_ms": start, "deadline_ms": start + 50 * DAY_MS, "white_clock_ms": 50 * DAY_MS,
            "white_bank_ms": 75 * DAY_MS, "white_moves": 0, "white_used_ms": 0, "black_clock_ms": 50 * DAY_MS,
            "black_bank_ms": 75 * DAY_MS, "black_moves": 0, "black_used_ms": 0,
            "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "position_key": "0" * 16,
        }  # fmt: skip
        marks = ", ".join("?" * len(columns))
        connection.execute(f"INSERT INTO games ({', '.join(columns)}) VALUES ({marks})", tuple(columns.values()))
        connection.execute("INSERT INTO events VALUES (1, 1, 'start', ?, '{}', 0)", (start,))
        connection.commit()
    path.chmod(0o644)


def test_a_store_of_the_version_before_keeps_its_games(games: Run) -> None:
    old_store(games.store, 2)
    (entry,) = json.loads(games("list", "--json").stdout)
    assert (entry["name"], entry["bank"], entry["bank_known"]) == ("old", 75, True)
    assert is_private(games.store)
    assert list(events(games)) == ["old@games.standstill.invalid"]  # the UID that calendars already have
    games("move", "old", "e4")
    assert json.loads(games("list", "--json").stdout)[0]["whose"] == "opponent"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("version", [2, len(migrations())])
def test_a_store_in_a_folder_that_cannot_be_written_to_can_be_read(version: int, executable: Path) -> None:
    folder = Path(tempfile.mkdtemp())  # root mounts a file system here
    path = folder / "games.sqlite"
    if version == len(migrations()):
        with Store(path, create=True) as store:
            Desk(store).add(Head("old", "50/75/1", own_side=0), now_ms() - DAY_MS)
    else:
        old_store(path, version)
    path.chmod(0o444)
    before = path.read_bytes()
    folder.chmod(0o555)
    if os.getuid() == 0:  # root can write to any folder, but not to a read-only medium
        content = path.read_bytes()
        if subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False).returncode:
            pytest.skip("no medium can be had")
        path.write_bytes(content)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    try:
        for words in (["list"], ["show", "old"], ["check"], ["export"], ["calendar"]):
            done = forked.run(
                [executable, "games", "--store", path, *words], capture_output=True, text=True, timeout=PATIENCE_S,
                check=False, env=clean_environment() | {"TZ": "UTC"},
            )  # fmt: skip
            # The store of an earlier version that this test builds has an invented position key.
            assert done.returncode == (words == ["check"] and version == 2), done.stderr
            assert "old" in done.stdout or words == ["check"]
        done = forked.run(
            [executable, "games", "--store", path, "move", "old", "e4"], capture_output=True, text=True,
            timeout=PATIENCE_S, check=False, env=clean_environment(),
        )  # fmt: skip
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
        assert path.read_bytes() == before
    finally:
        if os.getuid() == 0:
            subprocess.run(["umount", folder], check=True)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_link_to_a_store_that_cannot_be_written_shows_all_of_it(executable: Path, tmp_path: Path) -> None:
    """SQLite keeps the latest writes beside the store file itself, not beside a link to it."""
    dropped: list[str] = []
    if os.getuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("nothing is forbidden to root")
        dropped = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-all"]
    path = tmp_path / "folder" / "games.sqlite"
    with Store(path, create=True) as store:
        Desk(store).add(Head("one", "50/75/1", own_side=0), now_ms() - DAY_MS)
    (tmp_path / "link").symlink_to(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE games SET black = 'Last'")
        connection.commit()
        path.chmod(0o444)
        path.parent.chmod(0o555)
        try:
            done = subprocess.run(
                [*dropped, executable, "games", "--store", tmp_path / "link", "list"], capture_output=True, text=True,
                timeout=PATIENCE_S, check=False, env=clean_environment(),
            )  # fmt: skip
        finally:
            path.parent.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Last" in done.stdout


DAMAGES = [
    "UPDATE events SET data = '{'",
    "UPDATE events SET at_ms = 9000000000000000000",
    "UPDATE games SET control = 'x'",
    "UPDATE games SET tags = '['",
    "UPDATE games SET white = x'00ff'",
]
MORE_DAMAGES = [
    "UPDATE events SET data = '[]'",
    "UPDATE events SET data = '7'",
    "UPDATE events SET data = '{}' WHERE kind = 'move'",
    "UPDATE events SET data = '{\"uci\": 7}' WHERE kind = 'move'",
    "UPDATE events SET kind = 'rubbish' WHERE number = 2",
    "UPDATE events SET at_ms = 'x'",
    "UPDATE events SET at_ms = 9e18",
    "DELETE FROM events",
    "UPDATE games SET fen = 'x'",
    "UPDATE games SET tags = '7'",
    "UPDATE games SET tags = '{\"Event\": 7}'",
    "UPDATE games SET opening = 'x'",
    "UPDATE games SET deadline_ms = 'x'",
    "UPDATE games SET deadline_ms = 9000000000000000000",
    "UPDATE games SET white_clock_ms = 'x'",
    "UPDATE games SET uid = x'00'",
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sql", [*DAMAGES, *(pytest.param(sql, marks=pytest.mark.slow) for sql in MORE_DAMAGES)])
def test_a_damaged_row_is_named_and_the_others_are_read(game: Run, sql: str) -> None:
    game("move", "g", "e4", "--at", ago(20))
    with contextlib.closing(sqlite3.connect(game.store)) as connection:
        connection.execute(sql)
        connection.commit()
    game("new", "sound", "50/75/1", "--side", "white")
    assert "sound" in run(game, "list", "--json").stdout
    for words in (["show", "g"], ["list"], ["check"], ["export"], ["calendar"], ["move", "g", "d4"], ["standings"]):
        done = run(game, *words)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in (0, 1, 2)
        for reason in re.findall(r"is damaged \((.*?)\)", done.stdout + done.stderr):
            assert not re.fullmatch(r"\w*(Error|Exception)", reason), "the reason says what is wrong"
    assert run(game, "check").returncode == 1


def test_a_damaged_game_is_missing_in_a_calendar_and_can_be_removed(game: Run, tmp_path: Path) -> None:
    game("new", "sound", "50/75/1", "--side", "white")
    game("export", "-o", tmp_path / "games.pgn")
    with contextlib.closing(sqlite3.connect(game.store)) as connection:
        connection.execute("UPDATE games SET tags = 'x' WHERE name = 'g'")
        connection.execute("UPDATE games SET deadline_ms = 'x' WHERE name = 'g'")
        connection.commit()
    done = game("calendar", status=2)
    assert "'g' is damaged" in done.stderr and "sound" in done.stdout
    done = game("import", tmp_path / "games.pgn", status=2)
    assert "'g' is damaged" in done.stderr and "sound: nothing new" in done.stdout
    game("remove", "g", "--yes")
    game("import", tmp_path / "games.pgn")
    game("check")


def run(games: Run, *words: str) -> subprocess.CompletedProcess:
    return forked.run(
        [*games.clock[:-1], "games", "--store", games.store, *words], capture_output=True, text=True,
        timeout=PATIENCE_S, check=False, env=clean_environment() | {"TZ": "UTC"},
    )  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize("words", [["list"], ["export"]])
def test_a_full_disk_says_so(game: Run, words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*game.clock[:-1], "games", "--store", game.store, *words], stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE_S, check=False, env=clean_environment(),
        )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "No space left" in done.stderr


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 400 kB, which ``fill`` fills."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", folder]
    if os.getuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be had")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), open(folder / "fill", "wb") as file:
        while True:
            file.write(b"x" * 4096)
            file.flush()


def test_a_full_disk_under_the_store_says_so(game: Run, small: Path) -> None:
    run(game, "backup", "-o", str(small / "copy"))
    fill(small)
    done = run(game, "backup", "-o", str(small / "copy2"))
    assert done.returncode == 2 and "full" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_store_on_a_full_disk_can_be_read(games: Run, small: Path) -> None:
    path = small / "games.sqlite"
    with Store(path, create=True) as store:
        Desk(store).add(Head("old", "50/75/1", own_side=0), now_ms() - DAY_MS)
    fill(small)
    before = path.read_bytes()
    for words in (["list"], ["show", "old"], ["check"], ["export"], ["calendar"]):
        done = run(games, "--store", str(path), *words)
        assert done.returncode == 0, done.stderr
        assert "old" in done.stdout or words == ["check"]
    done = run(games, "--store", str(path), "move", "old", "e4")
    assert done.returncode == 2 and "the disk is full" in done.stderr
    assert path.read_bytes() == before


def test_a_store_on_a_medium_that_may_only_be_read_says_so(games: Run, small: Path) -> None:
    path = small / "games.sqlite"
    with Store(path, create=True) as store:
        Desk(store).add(Head("old", "50/75/1", own_side=0), now_ms() - DAY_MS)
    subprocess.run(["mount", "-o", "remount,ro", small], check=True)
    assert "old" in run(games, "--store", str(path), "list").stdout
    done = run(games, "--store", str(path), "move", "old", "e4")
    assert done.returncode == 2
    assert done.stderr == f"standstill: {path}: the store is read-only; nothing was changed\n"
