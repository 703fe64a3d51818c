"""Shared by the tests of XBoard's protocol."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import chess.engine

from tests.uci.client import PATIENCE_S, Client, clean_environment

STARTS = 10
THINKING = re.compile(r"\d+ -?\d+ \d+ \d+( \d+ \d+ \d+)?\t(\{\S+\} )?[a-h][1-8]\S*( \S+)*( [?!])?")


def steady(program: str, folder: Path) -> str:
    """A command that runs a program through a script in the folder, which filters out XBoard's `computer`.

    Fairy-Max 5.0b takes `computer` for a move and reads uninitialised squares. Whether it crashes depends on what was
    in its memory.
    """
    script = folder / "steady.sh"
    script.write_text(f'#!/bin/bash\nexec {shlex.quote(program)} "$@" < <(exec sed -u /^computer$/d)\n')
    script.chmod(0o755)
    return shlex.quote(str(script))


def python_chess(command: list[str]) -> chess.engine.SimpleEngine:
    """Start the engine in python-chess, which waits only two seconds for the features, too short on a machine under
    load."""
    for _ in range(STARTS):
        try:
            return chess.engine.SimpleEngine.popen_xboard(command, timeout=PATIENCE_S, env=clean_environment())
        except chess.engine.EngineError as error:
            if "did not declare required feature" not in str(error):
                raise
            late = error
    raise late


def pong(client: Client, number: int = 77) -> list[str]:
    """The lines before the answer to a ping."""
    client.send(f"ping {number}")
    lines = client.read_until("pong")
    assert lines[-1] == f"pong {number}"
    return lines[:-1]


def features(client: Client) -> dict[str, str]:
    """All features except options, without quotes."""
    lines = client.ask("protover 2", "feature")
    while "done=1" not in lines[-1]:
        lines.append(client.read_line())
    found = {}
    for line in lines:
        assert line.startswith("feature ")
        assert len(line) < 500, "XBoard's buffer is 512 bytes"
        for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line.removeprefix("feature ")):
            if name != "option":
                found[name] = quoted or plain
    return found


def options(client: Client) -> list[str]:
    lines = client.ask("protover 2", "feature")
    while "done=1" not in lines[-1]:
        lines.append(client.read_line())
    return [line.removeprefix('feature option="').removesuffix('"') for line in lines if "option=" in line]


def own_move(client: Client, *lines: str) -> str:
    """Send the lines and return the engine's move."""
    client.send(*lines)
    return client.read_until("move")[-1].removeprefix("move ")


def thoughts(client: Client) -> list[str]:
    """The lines up to the next move of the engine, without comments."""
    return [line for line in client.read_until("move")[:-1] if not line.startswith("# ")]
