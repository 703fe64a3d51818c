"""Workers that tag a file in chunks give the same bytes as one process that reads the whole file."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from standstill.engine.archive import piecework
from standstill.engine.archive.piecework import SharedFile, TaggedPart, tag_stream
from standstill.engine.archive.tagging import TAGS, Wishes
from standstill.engine.system.processes import workers
from tests.amounts import LONG
from tests.pgn.hostile import SEEDS, WORDS, hostile

ALL = Wishes(tags=frozenset(TAGS), comments=True, sheets=True)
GAME = b'[Event "e"]\n[Result "1/2-1/2"]\n\n1. e4 {so} e5 1/2-1/2\n\n'
# Text that looks like the start of a game, and bytes that can affect the game beside them.
TRAPS = [
    *(b'[Event "x"]\n\n1. e4 *\n\n', b"\n\n", b"\r\n\r\n", b"1. e4 e5 1-0", b"1-0 ", b"\xef\xbb\xbf", b"% x\n"),
    *(b'[RMobilityResult "G3.5"]', b'[RMobilityPly "3"]\n', b"{[%rm G3.5]}", b'{\n\n[Event "quoted"]\n\n1. d4 *\n}'),
]


class AtOnce(Executor):
    """Runs each task at once, and counts the tasks."""

    def __init__(self) -> None:
        self.tasks: list[str] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        self.tasks.append(function.__name__)
        future: Future[Any] = Future()
        future.set_result(function(*args, **named))
        return future


def joined(parts: list[TaggedPart]) -> tuple:
    complaints = [(each.number, each.ply, each.reason) for part in parts for each in part.complaints]
    games = sum(part.summary.games for part in parts), sum(part.summary.tagged for part in parts)
    return b"".join(part.text for part in parts), "".join(part.sheets for part in parts), complaints, games


def at_once(data: bytes) -> tuple:
    """The result of a single process that reads the whole file."""
    return joined(list(tag_stream(io.BytesIO(data), ALL, chunk=1 << 30, name="x")))


def in_pieces(path: Path, size: int, executor: Executor | None = None) -> tuple:
    with path.open("rb") as stream:
        file = SharedFile.at(str(path))
        return joined(list(tag_stream(stream, ALL, executor or AtOnce(), 2, chunk=size, name="x", file=file)))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    def set_sizes(piece: int, lead: int) -> None:
        monkeypatch.setattr(piecework, "PIECE", piece)
        monkeypatch.setattr(piecework, "_LEAD", max(lead, 2))
        monkeypatch.setattr(piecework, "_MORE", 7)

    return set_sizes


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(300 if LONG else 120))
def test_pieces_make_the_whole(tmp_path: Path, small: Callable[[int, int], None], seed: int) -> None:
    rng = random.Random(seed)
    if seed % 2:
        data = b"".join(rng.choice([*map(str.encode, SEEDS), *WORDS, *TRAPS * 4]) for _ in range(rng.randint(5, 60)))
    else:
        data = b"\n".join(hostile(rng, []) for _ in range(3))
    path = tmp_path / "in.pgn"
    path.write_bytes(data)
    whole = at_once(data)
    for size in (1, rng.randint(2, 20), rng.randint(20, 100), rng.randint(100, 1000), 3000):
        small(size, rng.choice([0, 10, 100, 4096]))
        assert in_pieces(path, size) == whole, size
        assert joined(list(tag_stream(io.BytesIO(data), ALL, chunk=size, name="x"))) == whole, size
        assert joined(list(tag_stream(io.BytesIO(data), ALL, AtOnce(), 2, chunk=size, name="x"))) == whole, size


@pytest.mark.sampled(1)
@pytest.mark.parametrize("length", [1 << 19, 1 << 20, 3 << 20])
def test_how_far_a_quotation_goes_does_not_depend_on_what_was_read(length: int) -> None:
    """An unterminated comment once ended at the end of its chunk, so the result depended on the chunk size."""
    quoted = GAME.replace(b"{so}", b'{so\n\n[Event "quoted"]\n\n1. d4 ' + b"x y\n" * (length // 4) + b"}")
    data = GAME + quoted + GAME
    whole = at_once(data)
    for size in (1 << 16, 1 << 20, 5 << 20):
        assert joined(list(tag_stream(io.BytesIO(data), ALL, chunk=size, name="x"))) == whole
    assert whole[3][0] == (3 if length < 1 << 20 else 4)


def test_who_cannot_see_the_file_is_given_the_games(tmp_path: Path) -> None:
    path = tmp_path / "in.pgn"
    path.write_bytes(GAME * 200)
    file = SharedFile.at(str(path))
    assert file is not None
    elsewhere = SharedFile(str(tmp_path / "missing.pgn"), file.size, file.changed_ns)
    executor = AtOnce()
    found = joined(list(tag_stream(io.BytesIO(GAME * 200), ALL, executor, 2, chunk=900, name="x", file=elsewhere)))
    assert found == at_once(GAME * 200)
    assert "edits_of_text" in executor.tasks


@pytest.mark.sampled(2)
@pytest.mark.parametrize("new", [GAME * 300, GAME.replace(b"e4", b"d4") * 200, GAME * 150, b""])
def test_a_file_that_changes_meanwhile_is_tagged_as_it_is_read(
    tmp_path: Path, small: Callable[[int, int], None], new: bytes
) -> None:
    """A worker's result is valid only for the version of the file that it read."""
    path = tmp_path / "in.pgn"
    path.write_bytes(GAME * 200)
    small(900, 100)
    with path.open("rb", buffering=0) as raw, io.BufferedReader(raw, 1) as stream:
        parts = tag_stream(stream, ALL, AtOnce(), 2, chunk=900, name="x", file=SharedFile.at(str(path)))
        first = next(parts)
        at = stream.tell()
        path.write_bytes(new)
        os.utime(path, ns=(0, 0))
        rest = list(parts)
    assert first.text == at_once(GAME * 200)[0][: len(first.text)]
    # Games at the place of the change may be truncated; all later ones come from the new file.
    assert b"".join(part.text for part in rest) == b"".join(
        part.text for part in tag_stream(io.BytesIO(new[at:]), ALL, chunk=900)
    )


def test_a_process_that_is_killed_costs_no_game(tmp_path: Path, small: Callable[[int, int], None]) -> None:
    path = tmp_path / "in.pgn"
    path.write_bytes(GAME * 300)
    small(900, 100)
    with ProcessPoolExecutor(2, workers()) as executor:
        executor.submit(int).result()
        with path.open("rb") as stream:
            parts = tag_stream(stream, ALL, executor, 2, chunk=900, name="x", file=SharedFile.at(str(path)))
            found = [next(parts)]
            next(iter(executor._processes.values())).kill()
            found += parts
    assert joined(found) == at_once(GAME * 300)
