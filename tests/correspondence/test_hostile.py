"""A few damaged stores and hostile server answers; ``hostile`` can generate any number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.correspondence import hostile
from tests.correspondence.xfcc_server import XfccServer


@pytest.fixture(scope="module")
def server() -> Iterator[XfccServer]:
    with XfccServer() as server:
        hostile.add_games(server)
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in hostile.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_command_stumbles_over_a_damaged_store(tmp_path: Path, seed: int) -> None:
    sound = hostile.sound_store(tmp_path)
    known = hostile.moves_of(hostile.games(tmp_path, "export")[1])
    assert [len(known[name]) for name in ("one", "two", "three")] == [3, 2, 0]
    assert list(hostile.store_problems(random.Random(f"stores-{seed}"), tmp_path, sound, known)) == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 40))])
def test_an_answer_invents_and_spoils_nothing(tmp_path: Path, server: XfccServer, seed: int) -> None:
    sound = hostile.sound_answer(server)
    stored = hostile.fetched_store(tmp_path, server, sound)
    (tmp_path / hostile.STORE).unlink()
    rng = random.Random(f"answers-{seed}")
    assert list(hostile.answer_problems(rng, tmp_path, server, sound, stored)) == []


def test_an_unannounced_game_is_noticed(tmp_path: Path, server: XfccServer) -> None:
    hostile.fetched_store(tmp_path, server, hostile.sound_answer(server))
    exported = hostile.games(tmp_path, "export")[1]
    assert list(hostile._invented(exported, hostile.sound_answer(server))) == []
    assert list(hostile._invented(exported, hostile.sound_answer(server).replace(b"e5", b"e6"))) != []
