"""Every command that reads games takes the same files, as the world writes them, and names the same faults."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked

Run = Callable[..., subprocess.CompletedProcess]

TAGS = b'[Event "E"]\n[Date "2024.01.01"]\n[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n'
MOVES = b"1. e4 {[%eval 0.3] [%clk 1:00:00]} 1... e5 {[%eval 0.2] [%clk 1:00:00]} 1/2-1/2"
GAME = TAGS + b"\n" + MOVES + b"\n\n"
MARK = b"\xef\xbb\xbf"

READERS = {
    "tag": ["tag", "in.pgn", "--quiet"],
    "standings": ["standings", "in.pgn"],
    "analyse": ["analyse", "in.pgn", "--nodes", "5"],
    "annotate": ["annotate", "in.pgn", "--from-comments", "-o", "-"],
    "fit": ["relevance", "fit", "in.pgn"],
    "import": ["games", "--store", "store", "import", "in.pgn", "--control", "10/50"],
    "match": [
        *("match", "--engine", "./no-engine name=A", "--engine", "./no-engine name=B", "--pgn", "out.pgn"),
        *("--nodes", "1", "--openings", "in.pgn"),
    ],
}
every_reader = pytest.mark.parametrize("command", READERS)

FILES = {
    "a byte order mark": MARK + GAME + GAME,
    "one in the middle": GAME + MARK + GAME,
    "one between files without a line end": GAME.rstrip() + MARK + GAME,
    "no line end between files": GAME.rstrip() + GAME,
    "escaped lines": b"% a file\n" + TAGS + b"\n% {(\n" + MOVES + b"\n\n% more\n" + GAME,
    "comments to the end of the line": b"; a file\n\n" + GAME.replace(b"1... e5", b"; { ( 1-0\n1... e5") + GAME,
    "signs": GAME.replace(b"1... e5", "± 1... e5 ⩲ =/∞ □".encode()) * 2,
    "signs in Latin-1": GAME.replace(b"1... e5", b"\xb1 1... e5 +/=") * 2,
    "an empty line in a comment": GAME.replace(b"{[%eval 0.3]", b"{[%eval 0.3]\n\nbetter than\n\n") * 2,
    "a game in a comment": GAME.replace(b"{[%eval 0.3]", b'{[%eval 0.3]\n\n[Event "x"]\n\n1. d4 *\n') * 2,
    "carriage returns": (GAME * 2).replace(b"\n", b"\r\n"),
}

FAULTS = {
    "half a tag": GAME + b'[Event "E"]\n[White "Car',
    "half the tags": GAME + TAGS[:40],
    "tags without the rest": GAME + TAGS,
    "no result": GAME + TAGS + b"\n1. e4 e5 2. Nf3\n",
    "half a comment": GAME + TAGS + b"\n1. e4 e5 {[%eval",
    "a comment without an end": TAGS + b"\n1. e4 {[%eval 0.3]\n\n" + GAME,
    "a word that is no move": GAME + GAME.replace(b"e5", b"Xe5"),
}


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(command: str, data: bytes) -> subprocess.CompletedProcess:
        (tmp_path / "in.pgn").write_bytes(data)
        words = [executable, *READERS[command]]
        return forked.run(
            words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
        )

    return call


@every_reader
@pytest.mark.parametrize("name", FILES)
def test_files_of_the_world_are_read(run: Run, command: str, name: str) -> None:
    done = run(command, FILES[name])
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert "Traceback" not in text
    if command == "match":  # the openings are read before the engines are started
        assert "no-engine" in text.splitlines()[-1]
    elif command == "fit":  # neither of two draws was won
        assert "left out" not in text
        assert done.returncode == 0, text
    else:
        assert done.returncode == 0, text
    if command == "tag":
        assert done.stdout.count(b"[RMobilityResult ") == 2
    elif command == "standings":
        assert done.stdout.splitlines()[1].split()[2] == b"2"
    elif command == "analyse":
        assert text.count("Game ") == 2
    elif command == "import":
        assert len(done.stdout.splitlines()) == 2


@every_reader
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named(run: Run, command: str, name: str) -> None:
    done = run(command, FAULTS[name])
    assert done.returncode in {1, 2}
    assert b"Traceback" not in done.stderr
    assert b"game " in done.stderr
