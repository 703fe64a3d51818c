"""Signals in every phase, incomplete environments, closed pipes, full disks."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.posix import IS_ADMINISTRATOR, WINDOWS, needs_devices, needs_signals, signals
from tests.uci.client import Client, clean_environment, launched
from tests.uci.test_endurance import resident_kb

SEARCH = ("position startpos", "go infinite")
LINE = "a line"  # a thinking line of XBoard's protocol
# Name of a phase: the lines sent so far, and the first word of the answer to wait for.
PHASES = {
    "silent": ((), None),
    "greeted": (("uci",), "uciok"),
    "ready": (("uci", "isready"), "readyok"),
    "searching": (("uci", *SEARCH), "info"),
    "two threads": (("uci", "setoption name Threads value 2", *SEARCH), "info"),
    "pondering": (("uci", "position startpos", "go ponder wtime 9000 btime 9000"), "info"),
    "bench": (("uci", "bench 12"), None),
    "xboard": (("xboard", "protover 2"), "feature"),
    "analysing": (("xboard", "protover 2", "new", "post", "analyze"), LINE),
    "playing": (("xboard", "protover 2", "new", "st 60", "post", "go"), LINE),
}

ENDING = [signal.SIGTERM, *(pytest.param(number, marks=pytest.mark.slow) for number in signals("SIGHUP"))]


@needs_signals
@pytest.mark.sampled(3)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("sent", ENDING, ids=int)
def test_a_signal_ends_the_engine_at_once(executable: Path, phase: str, sent: signal.Signals) -> None:
    """The process ends silently, as by the system's default action, because a message would have no reader."""
    lines, answer = PHASES[phase]
    client = Client(launched([str(executable)]))
    client.send(*lines)
    while answer is not None:
        word = client.read_line().split()[0]
        if word == answer or (answer == LINE and word.isdigit()):
            break
    client.process.send_signal(sent)
    assert client.wait() == -sent
    assert not client.complaints


BARE = {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if WINDOWS else {"PATH": "/usr/bin:/bin"}
ENVIRONMENTS = {
    "empty": {},
    "unknown locale": {"LC_ALL": "xx_YY.UTF-8"},
    "latin locale": {"LANG": "de_DE.ISO-8859-1"},
    "no home": dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), "/proc/nonexistent"),
    "home is a file": dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), os.devnull),
    "no place for temporary files": dict.fromkeys(("TMPDIR", "TEMP", "TMP"), "/proc/nonexistent"),
    "odd terminal": {"TERM": "nonsense", "COLUMNS": "0", "LINES": "-1"},
    "no such zone": {"TZ": "Nowhere/None"},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_engine_needs_nothing_of_its_environment(executable: Path, name: str) -> None:
    environment = BARE | ENVIRONMENTS[name]
    said = "uci\nsetoption name Hash value 1\nposition startpos moves e2e4\ngo depth 3\n"
    process = subprocess.Popen(
        [executable], env=environment, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(said.encode())
    process.stdin.flush()
    answered = any(line.startswith(b"bestmove ") for line in iter(process.stdout.readline, b"") if b"move" in line)
    _, errors = process.communicate(b"quit\n", timeout=60)
    assert (answered, process.returncode, errors) == (True, 0, b"")


COMMANDS = [
    ("--version",),
    ("perft", "3"),
    *(pytest.param(words, marks=pytest.mark.slow) for words in (
        ("--help",), ("bench", "3"), ("variants", "list"), ("variants", "show", "capablanca"), ("tables", "list"),
        ("tables", "stats", "KQvK"), ("completion", "bash"), ("speedtest", "1"), ("games", "--help"),
    )),
]  # fmt: skip


@needs_devices
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_that_cannot_print_says_so(executable: Path, words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [executable, *words], stdout=full, stderr=subprocess.PIPE, env=clean_environment(), timeout=120, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"standstill: No space left on device" + os.linesep.encode())


@pytest.mark.skipif(WINDOWS, reason="a program of Windows always has its three streams")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("words", [(), pytest.param(("perft", "2"), marks=pytest.mark.slow)], ids=str)
def test_closed_streams_end_it_quietly(executable: Path, closed: tuple[int, ...], words: tuple[str, ...]) -> None:
    shell = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    command = ["/bin/sh", "-c", f'exec "$@" {shell}', "sh", str(executable), *words]
    said = b"uci\nposition startpos\ngo depth 3\n"
    done = subprocess.run(command, input=said, capture_output=True, env=clean_environment(), timeout=120, check=False)
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stdout + done.stderr and len(done.stderr.splitlines()) <= 1


# ---- long ----


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("STANDSTILL_BUILD") == "sanitize", reason="sanitizers keep freed memory")
def test_memory_is_flat_over_many_analyses(start) -> None:
    """A short version of a day of analysis: positions, games, lines, options, interrupted searches."""
    client = start()
    client.send("uci", "setoption name Hash value 4")
    sizes = []
    for number in range(600):
        game = ("startpos moves e2e4 e7e5", "startpos", "fen 8/5k2/8/8/3K4/8/3P4/8 w - - 0 1")[number % 3]
        client.send(f"setoption name MultiPV value {number % 4 + 1}", f"position {game}")
        client.send("go infinite", "stop") if number % 5 == 0 else client.send("go nodes 1500")
        client.read_until("bestmove")
        if number % 50 == 0:
            client.send("ucinewgame", f"setoption name UCI_Chess960 value {'true' if number % 100 else 'false'}")
            client.synchronise()
            sizes.append(resident_kb(client))
    assert sizes[-1] - sizes[4] < 1000


@pytest.mark.slow
def test_a_full_disk_leaves_what_was_there(executable: Path, tmp_path: Path) -> None:
    """Uses a small disk of its own; correspondence/ tests a store on a full disk."""
    mount = shutil.which("mount")
    if not IS_ADMINISTRATOR or not mount:
        pytest.skip("making a small disk needs root's rights")
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        games = tmp_path / "games.pgn"
        games.write_text('[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2\n\n' * 3000, encoding="ascii")
        old = small / "out.pgn"
        old.write_text("old\n", encoding="ascii")
        for words in (
            ["tag", games, "-o", old],
            ["data", "play", "-o", small / "train.bin", "--games", "400", "--nodes", "20"],
            ["tables", "--path", small / "tables", "build", "KNvK"],
            ["annotate", games, "-o", old, "--depth", "1"],
        ):
            command = [executable, *words]
            done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)
            lines = [line for line in done.stderr.splitlines() if line.startswith("standstill: ")]
            assert done.returncode == 2 and len(lines) == 1 and "No space left" in lines[0], done.stderr
            assert "Traceback" not in done.stderr
            assert old.read_text() == "old\n"
            for path in small.iterdir():
                if path != old:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
    finally:
        subprocess.run(["umount", small], check=True)


@pytest.mark.slow
def test_a_thousand_running_games(executable: Path, tmp_path: Path) -> None:
    """The API creates the games, because a thousand starts would take minutes; the executable reads them."""
    from standstill.engine.correspondence.desk import Desk
    from standstill.engine.correspondence.game import Head
    from standstill.engine.correspondence.store import Store

    now_ms = int(time.time() * 1000)
    path = tmp_path / "games.sqlite"
    with Store(path, create=True) as store:
        desk = Desk(store)
        for number in range(1000):
            desk.add(Head(name=f"game-{number:04}", control="50/75/1", own_side=number % 2), now_ms)
    for words, lines in ((["list"], 1000), (["check"], 1), (["export"], 1000)):
        command = [executable, "games", "--store", path, *words]
        done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) >= lines
