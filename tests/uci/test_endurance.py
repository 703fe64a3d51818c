"""Many starts and many games leave nothing behind."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import psutil
import pytest

from tests.uci.client import Client, launched

NAMES = {"uci": ("uci", "isready"), "xboard": ("xboard", "protover 2")}


def children() -> set[str]:
    """The processes whose parent is this one."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended
        if int(fields[1]) == os.getpid():
            found.add(stat.parent.name)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("starts", [4, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("protocol", NAMES)
def test_many_starts_leave_nothing_behind(executable, tmp_path: Path, protocol: str, starts: int) -> None:
    """No process, thread or file is left; some starts end during a search."""
    before = children(), threading.active_count()
    for number in range(starts):
        client = Client(launched([str(executable)], cwd=tmp_path))
        client.send(*NAMES[protocol])
        if protocol == "uci":
            client.send("setoption name Threads value 2", "go infinite" if number % 2 else "go depth 3")
        else:
            client.send("cores 2", "analyze" if number % 2 else "st 0.01", "go")
        assert client.end() == []
    assert (children(), threading.active_count()) == before
    assert list(tmp_path.iterdir()) == []


def resident_kb(client: Client) -> int:
    return psutil.Process(client.process.pid).memory_info().rss >> 10


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("STANDSTILL_BUILD") == "sanitize", reason="sanitizers keep freed memory")
@pytest.mark.parametrize("games", [50, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("protocol", NAMES)
def test_memory_is_flat_over_many_new_games(start, protocol: str, games: int) -> None:
    client = start()
    client.send(*NAMES[protocol])
    sizes = []
    for number in range(games + 1):
        if protocol == "uci":
            client.send("ucinewgame", "position startpos moves e2e4")
            client.search("go depth 4")
        else:
            client.send("new", "sd 4", "usermove e2e4")
            client.read_until("move")
        if number % (games // 5) == 0:
            sizes.append(resident_kb(client))
    assert max(sizes[2:]) - sizes[1] < 1000, sizes
