"""Fixtures that run `standstill games` on the test's own store, and a server for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from standstill.engine.clock.instants import parse_instant
from standstill.engine.correspondence.desk import Desk, When
from standstill.engine.correspondence.game import Head
from standstill.engine.correspondence.store import Store
from tests import forked
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import XfccServer
from tests.uci.client import PATIENCE_S, clean_environment

Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def games(executable: Path, tmp_path: Path) -> Run:
    """Run a subcommand to its end. status: the expected exit status; with bad input the error is one line."""

    def call(*arguments: object, status: int = 0, env: dict | None = None, **options) -> subprocess.CompletedProcess:
        done = forked.run(
            [executable, "games", "--store", tmp_path / "games.sqlite", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env=clean_environment() | {"TZ": "UTC"} | (env or {}),
            check=False,
            **options,
        )
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
        if status == 2:
            assert len(done.stderr.splitlines()) == 1
        return done

    call.store = tmp_path / "games.sqlite"
    call.clock = [executable, "clock"]
    return call


@pytest.fixture
def game(games: Run, tmp_path: Path) -> Run:
    """A game with White's first move made, in the year 2020."""
    with Store(tmp_path / "games.sqlite", create=True) as store:
        desk = Desk(store)
        desk.add(Head("g", "50/75/1", "Nowak", "Smith", own_side=0), parse_instant("2020-01-01"))
        desk.move("g", "e4", When(parse_instant("2020-01-01T06:00Z")))
    return games


@pytest.fixture
def server() -> Iterator[XfccServer]:
    with XfccServer() as server:
        yield server
        server.shutdown()


@pytest.fixture
def fetch(games, server: XfccServer):
    return lambda **options: games("fetch", server.url, "--control", "50/75/1", env=ENV, **options)
