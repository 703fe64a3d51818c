"""Every command that reads games accepts the same files of other programs, and reports the same faults."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import chess.pgn
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
        *("match", "--engine", "./no-engine name=A", "--engine", "./no-engine name=B", "-o", "out.pgn"),
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
    "figurines": GAME.replace(b"1... e5", "1... ♞f6".encode()) * 2,
    "German": GAME.replace(b"1... e5", b"1... Sf6 {Springer} 2. Lc4 Sxe4") * 2,
    "signs of print": GAME.replace(b"1... e5", "1… e5! {[%eval 0.2]} 2.Ng1\u2013f3⩲ N".encode()) * 2,
    "no last line end": GAME + GAME.rstrip(),
    "carriage returns": (GAME * 2).replace(b"\n", b"\r\n"),
}

FAULTS = {
    "half a tag": GAME + b'[Event "E"]\n[White "Car',
    "half the tags": GAME + TAGS[:40],
    "tags without the rest": GAME + TAGS,
    "half a comment": GAME + TAGS + b"\n1. e4 e5 {[%eval",
    "a comment without an end": TAGS + b"\n1. e4 {[%eval 0.3]\n\n" + GAME,
    "a word that is not a move": GAME + GAME.replace(b"e5", b"Xe5"),
}


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    def call(command: str, data: bytes) -> subprocess.CompletedProcess:
        (tmp_path / "in.pgn").write_bytes(data)
        words = [executable, *READERS[command]]
        return forked.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)

    return call


@pytest.mark.sampled(10)
@every_reader
@pytest.mark.parametrize("name", FILES)
def test_files_of_the_world_are_read(run: Run, command: str, name: str) -> None:
    done = run(command, FILES[name])
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert "Traceback" not in text
    if command == "match":  # the match reads the openings before it starts engines
        assert "no-engine" in text.splitlines()[-1]
    elif command == "fit":  # both games are draws, so the estimators leave out no wins
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


@pytest.mark.sampled(6)
@every_reader
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named(run: Run, command: str, name: str) -> None:
    done = run(command, FAULTS[name])
    assert done.returncode in {1, 2}
    assert b"Traceback" not in done.stderr
    assert b"game " in done.stderr


# ---- annotate keeps what it copies ----


def copied(run: Run, data: bytes) -> bytes:
    """The output of `annotate`, without the tag that names the engine. The run must end with a summary."""
    done = run("annotate", data)
    assert (done.returncode, done.stderr[:7]) == (0, b"games: ")
    return without_judge(done.stdout)


def without_judge(text: bytes) -> bytes:
    return re.sub(rb"\[Annotator \"evaluations in the comments[^\n]*\n", b"", text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FILES)
def test_annotate_only_adds(run: Run, name: str) -> None:
    """White is slightly better (0.3): the output adds only that symbol and removes nothing."""
    found = copied(run, FILES[name])
    assert found.count(b" $14") == 2
    before = FILES[name].replace("± 1...".encode(), b"1...").replace(b"\xb1 1...", b"1...")  # the old symbol
    assert found.replace(b" $14", b"").split() == before.split()
    assert found[-1:] == FILES[name][-1:]


def test_signs_on_a_figurine_are_replaced_by_their_number(run: Run) -> None:
    data = TAGS + "\n1. ♘f3!? {[%eval 0.2]} ♞f6± {mine} {[%eval 0.9]} (1... ♞c6 2. ♘c3) 2.♘g1!♞g8 1/2-1/2\n".encode()
    moves = "1. ♘f3 $5 $10 {[%eval 0.2]} ♞f6 $16 {mine} {[%eval 0.9]} (1... ♞c6 2. ♘c3) 2.♘g1!♞g8 1/2-1/2\n"
    out = copied(run, data).decode().partition("\n\n")[2]
    assert "♘f3 $5 $14 {" in out and "♞f6 $6 $18 {mine}" in out  # 0.9 is beyond ±; losing 0.7 is a mistake
    assert re.sub(r" \$\d+|!\?|±", "", out) == re.sub(r" \$\d+|!\?|±", "", moves)


def test_python_chess_finds_the_same_game(run: Run) -> None:
    text = """1. e4 {king's pawn} (1. d4 d5 (1... Nf6 $2 {Indian})) 1... e5 $6 ; to the end
2. Nf3 {[%eval 0.4]} {second} Nc6 {[%eval 0.4]} ; [%eval 0.1]
3. Bb5 {[%eval 3.0]} $146 a6 {[%eval 0.2]} 1/2-1/2
"""
    before = chess.pgn.read_game(io.StringIO(f"{TAGS.decode()}\n{text}"))
    after = chess.pgn.read_game(io.StringIO(copied(run, TAGS + b"\n" + text.encode()).decode()))
    added = 0
    for old, new in zip(before.mainline(), after.mainline(), strict=True):
        assert (old.move, old.comment) == (new.move, new.comment)
        assert [line.move for line in old.variations] == [line.move for line in new.variations]
        assert old.nags <= new.nags
        added += len(new.nags - old.nags)
    assert added


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("suffix", PACKERS)
def test_annotate_reads_and_writes_compressed_files(executable: Path, tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"in.pgn.{suffix}").write_bytes(PACKERS[suffix](GAME))
    words = [executable, "annotate", f"in.pgn.{suffix}", "--from-comments", "-o", f"out.pgn.{suffix}"]
    forked.run(words, cwd=tmp_path, check=True)
    module = {"gz": gzip, "bz2": bz2, "xz": lzma}[suffix]
    found = module.decompress((tmp_path / f"out.pgn.{suffix}").read_bytes())
    assert without_judge(found) == GAME.replace(b"e4", b"e4 $14")


@pytest.mark.parametrize("command", ["annotate", "fit"])
def test_a_game_that_breaks_off_is_named_and_nothing_is_lost(run: Run, command: str) -> None:
    half = TAGS + b"\n1. e4 {[%eval 0.1]} e5 2. N"
    done = run(command, GAME + half)
    assert done.returncode in {1, 2} and b"in.pgn: game 2, ply 3: " in done.stderr
    if command == "annotate":
        assert done.returncode == 1 and done.stdout.endswith(half)


# Commands that read a file. For an empty file they print neither a table nor a summary.
MISSING = {
    **{name: words for name, words in READERS.items() if name != "tag"},
    "tag": ["tag", "in.pgn"],
    "tag --json": ["tag", "in.pgn", "other.pgn", "--json", "-o", "out/"],
    **{f"standings {form}": ["standings", "in.pgn", "--format", form] for form in ("csv", "json", "markdown", "html")},
    "data stats": ["data", "stats", "in.pgn", "--json"],
    "data show": ["data", "show", "in.pgn"],
    "data import": ["data", "import", "in.pgn", "-o", "out", "--origin", "us"],
    "variants check": ["variants", "check", "in.pgn"],
    "bench": ["bench", "1", "--eval-file", "in.pgn"],
    **{
        f"games {words}": ["games", "--store", "in.pgn", *words.split()]
        for words in ("list", "list --json", "export", "calendar", "standings", "standings --json", "check")
    },
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("command", MISSING)
def test_nothing_is_told_of_a_missing_file(executable: Path, tmp_path: Path, command: str) -> None:
    done = forked.run(
        [executable, *MISSING[command]], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    said = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said and all(re.match(r"standstill: .*(in|other)\.pgn", line) for line in said)
