"""The zip for Windows, unpacked into a folder with a blank and letters of other scripts, and run under Wine."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import chess
import chess.engine
import pytest

from tests import forked
from tools.windows import wine
from tools.windows.pack import MOST_MB

from .conftest import ROOT, made

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

GAMES = "".join(
    f'[Event "E"]\n[White "Łukasz"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. {move} Nc6 3. Bb5 a6 1/2-1/2\n\n'
    for move in ("Nf3", "Nc3", "f4", "d4", "h3") * 4
)
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(program: Path, settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.pgn").write_text(GAMES, encoding="utf-8")

    def call(*words: str, given: str = "\n") -> tuple[int, str]:
        return wine.run(program, words, given, settings=settings)

    return call


def on_linux(executable: Path, *words: str) -> None:
    forked.run([executable, *words], check=True, capture_output=True, stdin=subprocess.DEVNULL)


def windows(path: Path) -> str:
    """The path as a program under Wine writes it."""
    return "Z:" + str(path).replace("/", "\\")


def test_the_zip_is_small() -> None:
    assert made("standstill-*-windows-x86_64.zip").stat().st_size < MOST_MB * 10**6


def test_bench_is_that_of_linux(run: Run) -> None:
    status, said = run("bench")
    assert status == 0, said
    assert f"Nodes searched: {wine.NODES}\n" in said


@pytest.mark.parametrize("level", ["portable", "x86-64-v3", "avx512"])
def test_every_level_searches_the_same_tree(run: Run, monkeypatch: pytest.MonkeyPatch, level: str, settings) -> None:
    monkeypatch.setitem(settings, "STANDSTILL_ISA", level)
    status, said = run("bench")
    if status == 2 and "this processor runs only" in said:
        pytest.skip(said)
    assert f"Nodes searched: {wine.NODES}\n" in said


def test_a_game_of_uci_with_python_chess(program: Path, settings: dict[str, str]) -> None:
    options = {"env": settings, "timeout": 120}
    with chess.engine.SimpleEngine.popen_uci(["wine", str(program)], **options) as engine:
        board = chess.Board()
        for _ in range(10):
            board.push(engine.play(board, chess.engine.Limit(nodes=1000)).move)
        assert board.fullmove_number == 6


# Plays ten moves by python-chess for Windows, and prints the engine's name.
CLIENT = """
import sys, chess, chess.engine
kind, program = sys.argv[1:]
with getattr(chess.engine.SimpleEngine, f"popen_{kind}")(program, timeout=300) as engine:
    board = chess.Board()
    for _ in range(10):
        board.push(engine.play(board, chess.engine.Limit(depth=5)).move)
    print(len(board.move_stack), "moves by", engine.id["name"])
"""


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_python_chess_on_windows_plays_with_it(program: Path, settings: dict[str, str], protocol: str) -> None:
    python = program.parent / "runtime/python.exe"
    words = ["-c", CLIENT, protocol, windows(program)]
    for _ in range(10):
        status, said = wine.run(python, words, settings=settings)
        if "Timeout during initialization" not in said:  # XBoard's protocol lets an engine start for two seconds
            break
    assert status == 0, said
    assert "10 moves by Standstill " in said


def test_the_pages_are_served(program: Path, settings: dict[str, str]) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(["wine", program, "web", "--no-open"], env=settings, **pipes) as process:
        lines = iter(process.stdout.readline, b"")
        address = next(found[0].decode() for line in lines if (found := re.search(rb"http://\S+/play", line)))
        with urllib.request.urlopen(address, timeout=120) as answer:
            assert b"<title>Play" in answer.read()
        process.terminate()
    until = time.monotonic() + 60
    while processes(program):
        assert time.monotonic() < until, "the server has outlived its console"
        time.sleep(0.1)


def test_xboard_is_answered(run: Run) -> None:
    status, said = run(given="xboard\nprotover 2\nforce\nusermove e2e4\nping 7\nquit\n")
    assert status == 0
    assert "feature ping=1" in said
    assert "pong 7" in said


def test_engine_ini_beside_the_program_is_read(program: Path, run: Run) -> None:
    """The file is as Notepad writes it, with a byte order mark and CR LF."""
    file = program.with_name("engine.ini")
    kept = file.read_bytes()
    assert b"\r\n" in kept
    try:
        file.write_bytes(b"\xef\xbb\xbfHash = 33\r\nNonsense = 1\r\n")
        _, said = run(given="uci\nquit\n")
    finally:
        file.write_bytes(kept)
    assert "option name Hash type spin default 33 " in said
    assert "engine.ini line 2: unknown key" in said


@pytest.mark.parametrize("command", ["tag", "annotate"])
def test_commands_with_workers_write_what_linux_writes(
    run: Run, executable: Path, tmp_path: Path, command: str
) -> None:
    words = [command, "in.pgn", "--jobs", "2", *(["--nodes", "50"] if command == "annotate" else [])]
    status, said = run(*words, "-o", "windows.pgn")
    assert status == 0, said
    on_linux(executable, *words, "-o", "linux.pgn")
    assert (tmp_path / "windows.pgn").read_bytes() == (tmp_path / "linux.pgn").read_bytes()


def test_tables_are_those_of_linux(run: Run, tmp_path: Path) -> None:
    status, said = run("tables", "--path", "tables", "build", "--men", "3")
    assert status == 0, said
    built = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    shipped = {name: (ROOT / "engine/tablebases/data" / name).read_bytes() for name in built}
    assert len(built) == 12
    assert built == shipped


def test_a_store_of_games(run: Run, executable: Path, tmp_path: Path) -> None:
    store = "ł & b.sqlite"
    assert run("games", "--store", store, "new", "test", "50/75/1", "--white", "Łukasz", "--side", "white")[0] == 0
    assert run("games", "--store", store, "move", "test", "e4")[0] == 0
    assert run("games", "--store", store, "move", "test", "e5")[0] == 2
    listed = forked.run([executable, "games", "--store", store, "list"], capture_output=True, check=True)
    assert b"1.e4" in listed.stdout
    assert [path.name for path in tmp_path.glob("*sqlite*")] == [store]


def processes(program: Path) -> list[int]:
    """Processes under Wine that run from this folder, the newest last."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].replace(b"\\", b"/").endswith(os.fsencode(program)):
            found.append(int(path.parent.name))
    return sorted(found)


def test_a_killed_match_ends_its_engines_and_is_continued(
    program: Path, settings: dict[str, str], run: Run, tmp_path: Path
) -> None:
    command = f'cmd="{windows(program)}"'
    words = ["match", "--engine", f"{command} name=A", "--engine", f"{command} name=B", "-o", "match.pgn"]
    words += ["--nodes", "200", "--rounds", "2"]
    file = tmp_path / "match.pgn"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(["wine", program, *words], env=settings, **pipes) as process:
        until = time.monotonic() + 600
        while time.monotonic() < until and not (file.exists() and file.read_bytes().count(b"[Result ")):
            time.sleep(0.2)
        status, said = run(*words)
        assert (status, "another run is playing this match" in said) == (2, True), said
        process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 60
    while processes(program):
        assert time.monotonic() < until, "engines have outlived the match"
        time.sleep(0.1)
    status, said = run(*words)
    assert status == 0, said
    assert "already played" in said
    assert file.read_bytes().count(b"[Result ") == 4


def test_the_workers_of_a_killed_command_end(program: Path, settings: dict[str, str], tmp_path: Path) -> None:
    words = ["tag", "-", "-o", str(tmp_path / "out.pgn"), "--jobs", "2"]
    python = program.parent / "runtime/python.exe"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(["wine", program, *words], env=settings, **pipes) as process:
        until = time.monotonic() + 120
        while not processes(python):  # it waits for games
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.1)
        process.kill()
    until = time.monotonic() + 60
    while processes(python):
        assert time.monotonic() < until, "workers have outlived their parent"
        time.sleep(0.1)


def test_bad_input_is_one_line(run: Run) -> None:
    assert run("relevance", "symbol", "zz") == (
        2, "standstill: expected an evaluation in pawns such as 0.62, or a mate such as #-3, found 'zz'\n"
    )  # fmt: skip


def test_symbols_are_plain_in_a_pipe(run: Run) -> None:
    status, said = run("relevance", "symbol", "0.5")
    assert status == 0
    assert "+=" in said.split()


def test_an_incomplete_folder_is_said(program: Path, settings: dict[str, str], tmp_path: Path) -> None:
    alone = tmp_path / "żółw & co" / "standstill.exe"  # of these letters the code page 1252 has only ó
    alone.parent.mkdir()
    alone.write_bytes(program.read_bytes())
    status, said = wine.run(alone, [], settings=settings)
    assert status == 2
    assert re.search(r" & co\\runtime\\python3\d+\.dll: unpack the whole archive\n$", said), said


def test_play_cmd_opens_the_pages_or_says_what_is_missing(
    program: Path, settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = program.with_name("play.cmd")
    monkeypatch.chdir(script.parent)
    status, said = wine.run("cmd", ["/c", script.name, "--help"], settings=settings)
    assert (status, said.split()[:3]) == (0, ["Usage:", "standstill", "web"]), said
    shutil.copy(script, tmp_path)
    monkeypatch.chdir(tmp_path)
    status, said = wine.run("cmd", ["/c", script.name], settings=settings)
    assert (status, said.splitlines()[0].split(":")[0]) == (2, "Extract the whole zip first"), said
