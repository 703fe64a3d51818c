"""The store: crashes, several writers, older and foreign files, full disks."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from standstill.engine.clock.game_clocks import Event
from standstill.engine.clock.units import DAY_MS
from standstill.engine.common.errors import GameError, StandstillError, StoreError
from standstill.engine.correspondence import store as store_module
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.game import CorrespondenceGame, Head
from standstill.engine.correspondence.listing import listing
from standstill.engine.correspondence.store import APPLICATION_ID, Store, migrations, statements
from tests import forked
from tests.amounts import LONG
from tests.posix import resource
from tests.uci.client import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
WRITER = Path(__file__).with_name("writer.py")
HEAD = Head("one", "50/75/1", "Nowak", "Smith", own_side=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def desk(path: Path) -> Desk:
    return Desk(Store(path, create=True))


def writer(path: Path, *arguments: object, told: Path | None = None) -> subprocess.Popen:
    """told: a file in which the writer records what it does, because a pipe's buffers are lost with the process."""
    paths = [os.environ.get("STANDSTILL_BUILD_LIB") or str(ROOT / "build/tree"), str(ROOT)]
    with open(told or os.devnull, "wb") as output:
        return subprocess.Popen(
            [sys.executable, WRITER, path, *map(str, arguments)],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )


def moves_of(desk: Desk, name: str) -> int:
    return len(desk.load(name).moves)


# ---- crashes ----


def kill_at_random(path: Path, rounds: int, seed: int) -> None:
    """Kill a writer at random instants: the store has all that was recorded as done, and at most what was begun."""
    source = random.Random(seed)
    desk = Desk(Store(path, create=True))
    desk.add(HEAD, 0)
    known = 0
    for at in range(rounds):
        if known > 120:  # replaying a long game takes longer than writing to it
            desk.remove("one")
            desk.add(HEAD, 0)
            known = 0
        process = writer(path, "one", at, told=path.with_name("told"))
        deadline = time.monotonic() + PATIENCE_S
        while not path.with_name("told").stat().st_size:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.001)
        time.sleep(source.random() * 0.03)
        process.kill()
        process.communicate(timeout=PATIENCE_S)
        told = path.with_name("told").read_text().split()
        with Store(path) as store:
            fresh = Desk(store)
            found = moves_of(fresh, "one")
            assert known + told.count("done") <= found <= known + told.count("begin")
            assert check(fresh) == []
        known = found


@pytest.mark.slow
def test_a_killed_writer_leaves_the_state_before_or_after(path: Path) -> None:
    kill_at_random(path, 8, 1)


@pytest.mark.slow
def test_a_writer_killed_many_times(path: Path) -> None:
    kill_at_random(path, 1000 if LONG else 60, 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("patience_s", [0.03, 0.06, 0.09, 0.12, 0.15])
def test_a_killed_beginning_leaves_nothing_or_a_store(executable: Path, path: Path, patience_s: float) -> None:
    """The store is created in one transaction."""
    process = subprocess.Popen([executable, "games", "--store", path, "new", "g", "50/75/1"], stdout=subprocess.DEVNULL)
    time.sleep(patience_s)
    process.kill()
    process.wait(PATIENCE_S)
    with Store(path, create=True) as store:
        desk = Desk(store)
        assert desk.names() in ([], ["g"]) and check(desk) == []
        desk.add(HEAD, 0)


def test_a_failing_act_changes_nothing(desk: Desk) -> None:
    desk.add(HEAD, 0)
    before = [tuple(row) for row in desk.store.rows("SELECT * FROM games")]

    def make(game: CorrespondenceGame) -> list[Event]:
        return [game.move_event("e4", DAY_MS), Event("refill", 2 * DAY_MS), Event("nonsense", 3 * DAY_MS)]

    with pytest.raises(ValueError, match="nonsense"):
        desk.add_events("one", make)
    assert [tuple(row) for row in desk.store.rows("SELECT * FROM games")] == before
    assert len(desk.load("one").log) == 1


def test_a_game_without_its_first_entry_is_not_stored(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(Desk, "_append", fail)
        with pytest.raises(OSError, match="no room"):
            desk.add(HEAD, 0)
    assert (desk.names(), check(desk)) == ([], [])
    desk.add(HEAD, 0)


# ---- several writers at once ----


def test_writers_at_once_lose_nothing(path: Path, desk: Desk) -> None:
    for name in ("one", "two"):
        desk.add(Head(name, "50/75/1"), 0)
    processes = [writer(path, name, seed, 15) for seed, name in enumerate(("one", "one", "two"))]
    for process in processes:
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, errors) == (0, "")
    assert (moves_of(desk, "one"), moves_of(desk, "two")) == (30, 15)
    assert check(desk) == []


def test_a_reader_is_not_held_up_by_a_writer(path: Path, desk: Desk) -> None:
    desk.add(HEAD, 0)
    with desk.store.transaction():
        desk.store.write("UPDATE games SET white = 'half done'")
        with Store(path) as other:
            assert [entry.white for entry in listing(other, 0)] == ["Nowak"]


# ---- older, newer and foreign files ----


def old_store(path: Path, version: int) -> None:
    """A store with a game, as left by a program that knew only the first ``version`` schemas."""
    connection = sqlite3.connect(path, isolation_level=None)
    for number, script in enumerate(migrations()[:version], 1):
        for statement in statements(script.read_text()):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    if version:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "INSERT INTO games (name, first_white, first_black, control, created_ms, white, black, status, to_move,"
            " since_ms, stamp_ms, deadline_ms, white_clock_ms, white_bank_ms, white_moves, white_used_ms,"
            " black_clock_ms, black_bank_ms, black_moves, black_used_ms, position, position_key)"
            " VALUES ('old', '?', '?', '50/75/1', 0, '?', '?', 'running', 0, 0, 0, ?, ?, ?, 0, 0, ?, ?, 0, 0, ?, ?)",
            (50 * DAY_MS, 50 * DAY_MS, 75 * DAY_MS, 50 * DAY_MS, 75 * DAY_MS, START, START_KEY),
        )
        connection.execute("INSERT INTO events VALUES (1, 1, 'start', 0, '{}', 0)")
    connection.close()


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START_KEY = f"{CorrespondenceGame(HEAD).board.key:016X}"


@pytest.mark.parametrize("version", range(len(migrations()) + 1))
def test_every_older_schema_is_brought_up_to_date(path: Path, version: int) -> None:
    old_store(path, version)
    with Store(path, create=True) as store:
        desk = Desk(store)
        assert store.version == len(migrations())
        assert (desk.names(), check(desk)) == (["old"] if version else [], [])
        desk.add(HEAD, 0)
    with Store(path) as store:
        assert check(Desk(store)) == []


def untouched(path: Path, message: str) -> None:
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match=message):
            Store(path, create=create)
    assert path.read_bytes() == before


def test_a_newer_store_is_left_untouched(path: Path) -> None:
    old_store(path, len(migrations()))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    untouched(path, "newer version")


def test_another_programs_database_is_left_untouched(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    untouched(path, "another program")


def test_a_file_that_is_no_database_is_left_untouched(path: Path) -> None:
    path.write_text("not a store " * 1000)
    untouched(path, "not a store of games")


@pytest.mark.parametrize("writable", [True, False])
def test_a_store_is_read_in_place_where_it_can_be_written_and_from_a_copy_elsewhere(
    path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool
) -> None:
    """The test also works as root, who may write everywhere. Reading in place makes SQLite's small files beside the
    store."""
    with Store(path, create=True) as store:
        Desk(store).add(Head("g", "50/75/1"), 0)
    monkeypatch.setattr(store_module, "_writable", lambda path: writable)
    copies: list[Path] = []
    monkeypatch.setattr(Store, "_copy_aside", lambda self, copy=Store._copy_aside: (copies.append(path), copy(self)))
    with Store(path, reading=True) as store:
        assert [row["name"] for row in store.rows("SELECT name FROM games")] == ["g"]
        assert bool(copies) != writable
        assert {file.name for file in path.parent.glob("*-wal")} == ({"games.sqlite-wal"} if writable else set())


def test_a_store_cut_in_half_is_named_as_damaged(path: Path) -> None:
    with Store(path, create=True) as store:
        desk = Desk(store)
        for at in range(30):
            desk.add(Head(f"g{at}", "50/75/1"), 0)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(StoreError), Store(path) as store:
        store.rows("SELECT * FROM games")
        assert store.problems() == []


@pytest.mark.parametrize("create", [True, False])
def test_a_folder_is_no_store(tmp_path: Path, create: bool) -> None:
    with pytest.raises(StoreError):
        Store(tmp_path, create=create)


def test_a_full_disk_changes_nothing(path: Path, desk: Desk) -> None:
    """A file size limit has the effect of a full disk: writing fails midway."""
    desk.add(HEAD, 0)
    desk.store.close()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, limit[1]))
    try:
        store = Store(path)
        desk = Desk(store)
        with pytest.raises(StoreError):
            for _ in range(10_000):
                desk.add(Head(f"game-{random.random()}", "50/75/1"), 0)
        names = desk.names()
        store.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    with Store(path) as store:
        assert (Desk(store).names(), check(Desk(store))) == (names, [])


# ---- contents ----


def test_check_finds_a_state_that_the_log_does_not_lead_to(desk: Desk) -> None:
    desk.add(HEAD, 0)
    with desk.store.transaction():
        desk.store.write("UPDATE games SET white_bank_ms = 5 WHERE name = 'one'")
    assert any("white_bank_ms" in text for text in check(desk))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET kind = 'nonsense'",
        "UPDATE events SET data = '[]', kind = 'move'",
        "UPDATE events SET number = 7",
        "UPDATE games SET control = 'x'",
        "UPDATE games SET fen = 'x'",
        "UPDATE games SET opening = 'e2e5'",
        "UPDATE events SET data = 'x'",
    ],
)
def test_check_survives_foreign_entries(desk: Desk, sql: str) -> None:
    desk.add(HEAD, 0)
    with desk.store.transaction():
        desk.store.write(sql)
    assert len(check(desk)) >= 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["show h", "remove h --yes", "export", "list", "check", "move h e4"])
def test_a_name_that_is_no_text_is_no_traceback(executable: Path, path: Path, desk: Desk, command: str) -> None:
    """Swapped pages of the file can put numbers and bytes in place of names."""
    desk.add(HEAD, 0)
    with desk.store.transaction():
        desk.store.write("UPDATE games SET name = x'c328'")
    done = forked.run(
        [executable, "games", "--store", path, *command.split()], capture_output=True, text=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == ((1, 0) if command == "check" else (2, 1)), done.stderr


def test_a_backup_is_a_store(path: Path, desk: Desk, tmp_path: Path) -> None:
    desk.add(HEAD, 0)
    desk.store.backup(tmp_path / "copy.sqlite")
    with Store(tmp_path / "copy.sqlite") as store:
        assert (Desk(store).names(), check(Desk(store))) == (["one"], [])
    with pytest.raises(StandstillError, match="same file"):
        desk.store.backup(path)
    with pytest.raises(StoreError):
        desk.store.backup(tmp_path / "none" / "copy.sqlite")
    assert sorted(tmp_path.glob("*.new")) == []


def test_a_backup_replaces_backups_and_empty_files_only(path: Path, desk: Desk, tmp_path: Path) -> None:
    desk.add(HEAD, 0)
    for name, data in {"notes": b"1. e4", "long": b"notes" * 1000, "other": sqlite_file(tmp_path / "x")}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(StoreError, match="expected a new file or a backup to replace, found another file"):
            desk.store.backup(tmp_path / name)
        assert (tmp_path / name).read_bytes() == data
    (tmp_path / "empty").touch()
    for target in (tmp_path / "empty", tmp_path / "empty", tmp_path / "new"):
        desk.store.backup(target)
        with Store(target) as store:
            assert Desk(store).names() == ["one"]


def sqlite_file(path: Path) -> bytes:
    """The database of another program."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.commit()
    return path.read_bytes()


def test_a_move_is_taken_back_with_the_end_that_it_caused(desk: Desk) -> None:
    desk.add(HEAD, 0)
    for day, move in enumerate(("f3", "e5", "g4", "Qh4"), 1):
        before = desk.load("one")
        after = desk.move("one", move, When(day * DAY_MS))
        assert (after.result == "0-1") == (move == "Qh4")
        with pytest.raises(GameError, match="has changed"):
            desk.undo_move("one", before.moves)
        back = desk.undo_move("one", after.moves)
        assert (back.moves, back.result, back.clocks.sides) == (before.moves, "*", before.clocks.sides)
        assert desk.move("one", move, When(day * DAY_MS)).standing == after.standing


def test_a_name_that_is_taken_in_any_case(desk: Desk) -> None:
    desk.add(HEAD, 0)
    with pytest.raises(GameError, match="already"):
        desk.add(Head("ONE", "50/75/1"), 0)


def test_the_list_shows_the_urgent_first(desk: Desk) -> None:
    for name, side, start in (("theirs", 1, 0), ("mine-late", 0, 5), ("mine-soon", 0, 1), ("watched", None, 2)):
        desk.add(Head(name, "50/75/1", own_side=side), start * DAY_MS)
    entries = listing(desk.store, 51 * DAY_MS)
    assert [entry.name for entry in entries] == ["mine-soon", "mine-late", "theirs", "watched"]
    assert [entry.flagged for entry in entries] == [True, False, True, False]
    assert json.dumps(entries[1].left_ms) == str(4 * DAY_MS)


@pytest.mark.parametrize("create", [True, False])
def test_what_is_confirmed_is_on_the_disk(path: Path, create: bool) -> None:
    """The store uses a write-ahead log and flushes every commit, not only checkpoints."""
    with Store(path, create=True) as store:
        Desk(store).add(HEAD, 0)
        opened = store if create else Store(path)
        assert opened.row("PRAGMA synchronous")[0] == 2  # FULL
        assert opened.row("PRAGMA foreign_keys")[0] == 1
        with contextlib.closing(sqlite3.connect(path)) as second:
            assert second.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert second.execute("SELECT count(*) FROM games").fetchone() == (1,)
        opened.close()


KILLED = """
import os, signal, sys
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.store import Store

store = Store(sys.argv[1])
left = int(sys.argv[2])
write = store.write

def counted(*query):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return write(*query)

store.write = counted
desk = Desk(store)
for move in ("e4", "e5", "Nf3", "Nc6"):
    desk.move("one", move, When(86_400_000))
    print(move, flush=True)
"""


@pytest.mark.slow
def test_a_process_killed_between_two_statements_loses_nothing_that_it_confirmed(path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.environ.get("STANDSTILL_BUILD_LIB") or str(ROOT / "build/tree")}
    killed = 0
    for statements_before in range(30):
        path.unlink(missing_ok=True)
        with Store(path, create=True) as store:
            Desk(store).add(HEAD, 0)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, path, str(statements_before)],
            capture_output=True, text=True, env=environment, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        with Store(path) as store:
            desk = Desk(store)
            assert moves_of(desk, "one") == len(done.stdout.split())
            assert (check(desk), store.problems()) == ([], [])
        if done.returncode == 0:
            break
        killed += 1
    assert killed > 4 and done.returncode == 0


@pytest.mark.parametrize("refused", ["every file", "the lock for a moment"])
def test_a_folder_without_write_access_differs_from_a_busy_one(
    path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """Windows, which locks a file instead of the folder, also refuses to open that file while it removes it."""
    opened, refusals = os.open, []

    def refusing(name: str | Path, flags: int, *mode: int) -> int:
        busy = Path(name).name == ".standstill-lock" and not refusals
        if flags & os.O_CREAT and (refused == "every file" or busy):
            refusals.append(name)
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        return opened(name, flags, *mode)

    monkeypatch.setattr(os, "open", refusing)
    if refused == "every file":
        with pytest.raises(StoreError, match="Permission denied"):
            Store(path, create=True)
        assert os.listdir(path.parent) == []
    else:
        with Store(path, create=True) as store:
            Desk(store).add(HEAD, 0)
        assert os.listdir(path.parent) == [path.name]
