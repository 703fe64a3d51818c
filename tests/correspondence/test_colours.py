"""`games list` and `games show` use colours on a terminal and print plain text elsewhere."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import chess
import pytest

from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store
from standstill.protocol.cli.commands.games.list import local_texts
from tests import forked
from tests.posix import fcntl, pty, termios
from tests.uci.client import PATIENCE_S, clean_environment

ESCAPE = re.compile(r"\x1b\[([\d;]*)m")
FIGURES = str.maketrans("\u265f\u265e\u265d\u265c\u265b\u265a", "pnbrqk")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Three games in which White has 2, 9 and 40 days left."""
    path = tmp_path / "games.sqlite"
    with Store(path, create=True) as opened:
        desk = Desk(opened)
        now = now_ms()
        for name, left in (("red", 2), ("yellow", 9), ("plain", 40)):
            start = now - (50 - left) * DAY_MS
            desk.add(Head(name, "50/75/1", "Nowak", "Smith", own_side=0), start)
        desk.add(Head("moved", "50/75/1", own_side=0), now - DAY_MS)
        desk.move("moved", "e4", When(now))
    return path


def on_terminal(executable: Path, store: Path, *arguments: str, columns: int = 80, **environment: str) -> str:
    """What a `games` command prints to a terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    try:
        done = subprocess.run(
            [executable, "games", "--store", store, *arguments],
            stdout=its,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment_with({"TERM": "xterm-256color"} | environment),
            timeout=PATIENCE_S,
            check=False,
        )
        os.close(its)
        assert (done.returncode, done.stderr) == (0, b"")
        said = b""
        while True:
            try:
                said += os.read(ours, 1 << 16)
            except OSError:  # on Linux, when the other end is closed
                return said.decode()
    finally:
        os.close(ours)


def piped(executable: Path, store: Path, *arguments: str, **environment: str) -> str:
    return forked.run(
        [executable, "games", "--store", store, *arguments],
        capture_output=True,
        text=True,
        env=environment_with(environment),
        timeout=PATIENCE_S,
        check=True,
    ).stdout


def styles(text: str) -> dict[str, set[str]]:
    """The colour codes before the first word of each line."""
    return {
        ESCAPE.sub("", line).split()[0]: {code for codes in ESCAPE.findall(line) for code in codes.split(";")}
        for line in text.splitlines()
        if line.strip()
    }


def environment_with(changes: dict[str, str]) -> dict[str, str]:
    """Our environment with these settings, and without others for colours or terminal width."""
    own = {"NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES"}
    return {name: value for name, value in clean_environment().items() if name not in own} | changes


def painted(text: str) -> tuple[str, set[str]]:
    """Read a coloured board: (pieces as python-chess prints them, highlighted squares)."""
    rows, grounds = [], {}
    for line in text.splitlines():
        cells = re.findall(r"\x1b\[([\d;]+)m (.) \x1b\[0m", line)
        if len(cells) == 8:
            rank = ESCAPE.sub("", line)[0]
            row = []
            for file, (codes, man) in zip("abcdefgh", cells, strict=True):
                letter = man.translate(FIGURES)
                row.append("." if letter == " " else letter.upper() if codes.startswith("1;97") else letter)
                grounds[file + rank] = codes.partition("48;5;")[2]
            rows.append(" ".join(row))
    common = sorted(set(grounds.values()), key=list(grounds.values()).count)[-2:]
    return "\n".join(rows), {square for square, ground in grounds.items() if ground not in common}


@pytest.mark.slow
def test_urgent_games_have_the_same_colour_in_list_and_show(executable: Path, store: Path) -> None:
    listed = styles(on_terminal(executable, store, "list"))
    assert "31" in listed["red"] and "33" in listed["yellow"] and not {"31", "33"} & listed["plain"]
    for name, code in (("red", "31"), ("yellow", "33"), ("plain", None)):
        (deadline,) = [
            line for line in on_terminal(executable, store, "show", name).splitlines() if "must move before" in line
        ]
        assert {"31", "33"} & styles(deadline)["White"] == ({code} if code else set())


@pytest.mark.slow
def test_the_board_is_painted(executable: Path, store: Path) -> None:
    board = chess.Board()
    assert painted(on_terminal(executable, store, "show", "plain")) == (str(board), set())
    board.push_san("e4")
    shown = on_terminal(executable, store, "show", "moved")
    assert painted(shown) == (str(board), {"e2", "e4"})


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_a_terminal_without_colours_gets_plain_text(executable: Path, store: Path, environment: dict[str, str]) -> None:
    for arguments in (["list", "--tz", "UTC"], ["show", "moved", "--tz", "UTC"]):
        said = on_terminal(executable, store, *arguments, **environment)
        assert "\x1b" not in said and said.isascii()
    assert "8  r n b q k b n r" in said and "4  . . . . P . . ." in said


def test_a_pipe_gets_plain_text_unless_colours_are_forced(executable: Path, store: Path) -> None:
    for arguments in (["list"], ["show", "moved"]):
        assert "\x1b" not in piped(executable, store, *arguments)
        assert "\x1b" not in piped(executable, store, *arguments, NO_COLOR="1", FORCE_COLOR="1")
    assert "4  . . . . P . . ." in piped(executable, store, "show", "moved")
    forced = piped(executable, store, "show", "moved", FORCE_COLOR="1", TERM="xterm-256color")
    assert painted(forced)[1] == {"e2", "e4"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("columns", "shown"), [(80, "Bartholom\u2026"), (100, "Bartholomew Cholmondeley-Smyt\u2026")])
def test_a_long_opponent_is_cut_where_the_terminal_ends(
    executable: Path, store: Path, columns: int, shown: str
) -> None:
    with Store(store) as opened:
        Desk(opened).add(
            Head("WS-2026-17", "50/75/1", "Nowak", "Bartholomew Cholmondeley-Smythe", own_side=0), now_ms()
        )
    lines = ESCAPE.sub("", on_terminal(executable, store, "list", "--tz", "UTC", columns=columns)).splitlines()
    (long,) = [line for line in lines if line.startswith("WS-2026-17  Bart")]
    assert max(map(len, lines)) <= columns and shown in long
    assert "Bartholomew Cholmondeley-Smythe" in piped(executable, store, "list")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Warsaw", "Asia/Kathmandu", "America/St_Johns"])
@pytest.mark.parametrize("name", ["WS-12", "WC-2026-final_Nowak_Smith-Sons_12345678"])
def test_the_list_fits_80_columns(executable: Path, store: Path, zone: str, name: str) -> None:
    """Names as long as `fetch` makes them, in time zones whose offset is longer than UTC's "Z"."""
    with Store(store) as opened:
        desk = Desk(opened)
        desk.add(Head(name, "50/75/1", "Nowak", "Smith & Sons", own_side=0), now_ms() - 11 * DAY_MS)
        desk.move(name, "Nf3", When(now_ms()))
        desk.correct(name, 0, {"bank_ms": 41 * DAY_MS + 47 * 3_600_000}, When())
    lines = ESCAPE.sub("", on_terminal(executable, store, "list", TZ=zone)).splitlines()
    assert max(map(len, lines)) <= 80 and any(line.startswith(f"{name}  ") for line in lines)
    assert all("deadline" in line or ":" in line for line in lines)
    assert "Smith & Sons" in piped(executable, store, "list")


@pytest.mark.parametrize("name", ["UTC", "Europe/Warsaw", "Europe/London", "Asia/Kathmandu", "Australia/Lord_Howe"])
def test_instants_of_a_list_are_those_of_the_calendar(name: str) -> None:
    """The list computes one UTC offset per day; its texts are right even on days when daylight saving time begins or
    ends."""
    zone = ZoneInfo(name)
    text = local_texts(zone)
    first = int(datetime(2026, 3, 25, tzinfo=UTC).timestamp()) * 1000
    for at_ms in range(first, first + 220 * DAY_MS, 37 * 60_000 + 1):
        found = datetime.fromtimestamp(at_ms // 1000, zone)
        expected = f"{found:%Y-%m-%d %H:%M}" if found.utcoffset() else f"{found:%Y-%m-%dT%H:%MZ}"
        assert text(at_ms) == expected
