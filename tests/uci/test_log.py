"""The option `Debug Log File`: the file has the conversation exactly as the client sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.uci.client import Client

LINE = re.compile(r"\d\d:\d\d:\d\d\.\d{3} (<<|>>) (.*)")


def logged(path: Path) -> list[tuple[str, str]]:
    """(direction, text) of each line of a log."""
    return [LINE.fullmatch(line).groups() for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("first", "option", "lines", "last"),
    [
        (["uci"], "setoption name Debug Log File value {}", ["position startpos", "go depth 4"], "bestmove"),
        (["xboard", "protover 2"], "option DebugLogFile={}", ["post", "sd 4", "go"], "move"),
    ],
    ids=["uci", "xboard"],
)
def test_both_directions_are_logged_until_the_option_is_emptied(start, tmp_path, first, option, lines, last) -> None:
    path = tmp_path / "our log"
    client = start()
    client.send(*first, option.format(path), *lines)
    heard = client.read_until(last)
    end = "isready" if first == ["uci"] else "ping 1"
    client.send(end)
    heard += client.read_until("readyok" if end == "isready" else "pong")
    client.send(option.format(""), end)
    client.read_until("readyok" if end == "isready" else "pong")
    found = logged(path)
    assert [text for mark, text in found if mark == ">>"] == [*lines, end, option.format("").strip()]
    answers = [text for mark, text in found if mark == "<<"]
    assert answers and answers == heard[-len(answers) :]
    assert last in {text.split()[0] for text in answers}


def test_a_log_is_added_to(start, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("kept\n")
    for _ in range(2):
        client = start()
        client.send("uci", f"setoption name Debug Log File value {path}")
        client.ask("isready", "readyok")
        client.send("quit")
        client.wait()
    first, *rest = path.read_text().splitlines()
    assert first == "kept" and [line.split(" ", 1)[1] for line in rest] == [">> isready", "<< readyok", ">> quit"] * 2


@pytest.mark.parametrize("path", ["/nowhere/log", "/"])
def test_a_file_that_cannot_be_written_is_refused(engine: Client, path: str) -> None:
    engine.send(f"setoption name Debug Log File value {path}")
    (said,) = engine.synchronise()
    assert said.startswith(f"info string error: expected a file to write, found '{path}': ")
    assert said.endswith(" for Debug Log File")
