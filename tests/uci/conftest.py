"""An engine that several tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forked import Process
from tests.uci.client import Client


@pytest.fixture(scope="module")
def kept(executable: Path) -> Iterator[list[Client]]:
    clients: list[Client] = []
    yield clients
    assert [problem for client in clients for problem in client.end()] == []


@pytest.fixture
def shared(kept: list[Client], executable: Path) -> Iterator[Client]:
    """An engine shared by the tests of a file, which change no options; starting takes most of a short test's time.

    It is set to a new game. An engine that has died or still searches is replaced.
    """
    if not kept:
        kept.append(Client(Process([executable])))
        kept[0].ask("uci", "uciok")
    kept[0].send("ucinewgame", "position startpos")
    kept[0].synchronise()
    yield kept[0]
    try:
        kept[0].send("stop")  # gets an answer only if a search has not ended
        late = [line for line in kept[0].synchronise() if line.startswith("bestmove")]
    except (EOFError, TimeoutError):
        late = ["no answer"]
    if late:
        kept.pop().end(strict=False)
    assert not late
