"""Control characters in files, tags and names: shown as escapes in tables and messages, never sent to the terminal."""

from __future__ import annotations

import base64
import csv
import json
import os
import re
import subprocess
import sys
import unicodedata
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import forked
from tests.posix import piped, pty

Run = Callable[..., subprocess.CompletedProcess]

EVIL = ["\x1b[2J", "\x1b]0;title\x07", "\x9b2J", "\x9d0;title\x9c", "\u202e", "\u2066", "\x08", "\x7f", "\u2028"]
NAME = "Zoë".join(EVIL)
TAGS = f'[Event "{NAME}"]\n[White "W{NAME}"]\n[Black "B{NAME}"]\n[Result "1-0"]\n'
GAME = f"{TAGS}\n1. e4 {{[%eval 0.3]}} e5 {{[%eval 9]}} 1-0\n\n"


@pytest.fixture
def run(executable: Path, tmp_path: Path) -> Run:
    (tmp_path / "in.pgn").write_text(GAME, encoding="utf-8")
    (tmp_path / "bad.pgn").write_text(GAME.replace("e4", f"e4\x1b\x9b{NAME}"), encoding="utf-8")

    def call(*arguments: str | bytes | Path) -> subprocess.CompletedProcess:
        words = [executable, *arguments]
        return forked.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)

    return call


def sent(text: bytes) -> list[str]:
    """The characters that a terminal interprets: control characters and bidirectional ones."""
    text = text.decode("utf-8", "backslashreplace").replace(os.linesep, "\n")
    return [
        letter
        for letter in text
        if letter not in "\n\t"
        and (unicodedata.category(letter) in {"Cc", "Zl", "Zp", "Cs"} or "\u202a" <= letter <= "\u2069")
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "words",
    [
        ["standings", "in.pgn"],
        ["standings", "in.pgn", "--format", "csv"],
        ["standings", "in.pgn", "--format", "json"],
        ["standings", "in.pgn", "--format", "markdown"],
        ["standings", "in.pgn", "--format", "html"],
        ["standings", "bad.pgn"],
        ["analyse", "in.pgn", "--nodes", "10"],
        ["analyse", "bad.pgn", "--nodes", "10"],
        ["tag", "bad.pgn", "-o", "out.pgn"],
        ["annotate", "bad.pgn", "--from-comments", "-o", "out.pgn"],
        ["relevance", "fit", "in.pgn"],
        ["relevance", "fit", "bad.pgn"],
        ["tag", f"none{NAME}.pgn"],
        ["standings", b"none\xff\x9b.pgn"],
        ["analyse", f"none{NAME}.pgn", "--nodes", "10"],
        ["match", "--engine", f"cmd=./none name=A{NAME}", "--engine", "./none", "-o", "m.pgn", "--nodes", "1"],
        ["games", "--store", "none\x1b[2J", "list"],
        ["variants", "show", NAME],
        [f"com{NAME}mand"],
        ["tag", "--tags", NAME, "in.pgn"],
    ],
    ids=lambda words: " ".join(map(str, words[:2])).encode("ascii", "ignore").decode()[:20],
)
def test_nothing_is_sent(run: Run, words: list) -> None:
    done = run(*words)
    assert done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    assert not sent(done.stdout + done.stderr)


def test_sheets_show_them(run: Run, tmp_path: Path) -> None:
    assert run("tag", "in.pgn", "-o", "out.pgn", "--sheet", "sheet").returncode == 0
    assert not sent((tmp_path / "sheet").read_bytes())
    assert "Zoë" in (tmp_path / "sheet").read_text(encoding="utf-8")


def test_games_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    plain = re.sub(rb'\[RMobilityResult "[^\n]*\n', b"", run("tag", "in.pgn", "--quiet").stdout)
    assert plain == (tmp_path / "in.pgn").read_bytes()


def test_names_are_the_same_in_json(run: Run) -> None:
    found = json.loads(run("standings", "in.pgn", "--format", "json").stdout)
    assert [player["name"] for player in found["players"]] == [f"W{NAME}", f"B{NAME}"]


def test_a_terminal_gets_our_colours_alone(executable: Path, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(GAME, encoding="utf-8")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    words = [executable, "standings", "in.pgn"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:
                break
            text += piece
        process.wait(60)
    os.close(ours)
    text = re.sub(rb"\x1b\[[0-9;]*m|\r\n", b"", text)
    assert b"Zo" in text
    assert not sent(text)


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-2", "@SUM(A1)", "=HYPERLINK(0)"])
def test_spreadsheets_find_no_formula(run: Run, tmp_path: Path, name: str) -> None:
    game = f'[White "{name}"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2\n\n'
    (tmp_path / "a.pgn").write_text(game, encoding="utf-8")
    lines = list(csv.reader(run("standings", "a.pgn", "--format", "csv").stdout.decode().splitlines()))
    assert not [cell for line in lines for cell in line if cell.startswith(("=", "+", "-", "@"))]
    assert {line[1] for line in lines[1:]} == {f"'{name}", "B"}


def test_pages_show_what_turns_the_writing_around(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.pgn").write_text(GAME.replace("e5 {", f"e5 {{so {NAME} it is}} {{"), encoding="utf-8")
    assert run("study", "in.pgn", "--html", "out.html").returncode == 0
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    packed = max(re.findall(r"[A-Za-z0-9+/=]{100,}", page), key=len)
    shown = json.dumps(json.loads(zlib.decompress(base64.b64decode(packed), -15)), ensure_ascii=False)
    assert not [letter for letter in sent(shown.encode()) if letter != "\n"]
    assert shown.count("\\\\u202e") >= 4  # in both names, the event and the comment


def test_a_long_path_is_named_whole(executable: Path, tmp_path: Path) -> None:
    """The message must show enough of the name for the user to recognise the file."""
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    (folder / "bad.games").write_bytes(b"no games")
    done = forked.run([executable, "data", "stats", folder / "bad.games"], text=True)
    assert done.returncode == 2 and f"{folder / 'bad.games'}'" in done.stderr
    done = forked.run([executable, "tag", folder / "missing.pgn", "-o", tmp_path / "out.pgn"], text=True)
    assert done.returncode == 2 and str(folder / "missing.pgn") in done.stderr


def test_letters_of_other_scripts_are_shown_as_they_are(run: Run, tmp_path: Path) -> None:
    (tmp_path / "foreign.pgn").write_text("1. e4 Йf3 *\n", encoding="utf-8")
    assert piped("found 'Йf3'") in run("tag", "foreign.pgn").stderr
    assert piped("found 'Ünï 王'") in run("variants", "show", "Ünï 王").stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
@pytest.mark.parametrize(("value", "shown"), [("0.5", "+="), ("-0.5", "-/+"), ("9", "+--")])
def test_symbols_that_the_encoding_lacks_are_plain(encoding: str, errors: str, value: str, shown: str) -> None:
    """As on a terminal with an old locale, or in a pipe on Windows; characters in the encoding are not escaped."""
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; sys.stdout.reconfigure(encoding={encoding!r}, errors={errors!r});"
        f"from standstill.protocol.main import main; sys.exit(main(['relevance', 'symbol', '--', {value!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert shown in text.split()
    assert ("\u00b1" in text) == (value == "0.5")
