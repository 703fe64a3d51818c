"""Commands that write a file to a full or nearly full disk: the file is complete, or does not exist."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import XfccServer
from tests.uci.client import PATIENCE_S, clean_environment

BLOCK = 4096
BLOCKS = 100  # size of the disk
# Numbers of free blocks: from 0 to enough for a store with its log and its index.
ROOM = (0, 1, 2, 3, 4, 8, 9, 10, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 56, 64, 95)
NEW = ["new", "WS-1", "50/75/1", "--side", "white", "--white", "A", "--black", "B"]
PGN = '[Date "2026.01.05"]\n[White "A"]\n[Black "B"]\n[Result "1/2-1/2"]\n\n1. e4 {[%eval 0.3]} e5 1/2-1/2\n\n'


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder on a small disk."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={BLOCKS * BLOCK}", "none", str(folder)]
    if os.getuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be had")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def leave(folder: Path, blocks: int) -> None:
    """Empty the disk, except for a file that leaves this many blocks free."""
    subprocess.run(["find", str(folder), "-mindepth", "1", "-delete"], check=True)
    (folder / "fill").write_bytes(b"x" * BLOCK * (BLOCKS - blocks))


def contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }  # fmt: skip


def run(executable: Path, *words: str, **more: str) -> subprocess.CompletedProcess:
    env = clean_environment() | ENV | {"TZ": "UTC"} | more
    return forked.run([executable, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=env)


def all_or_nothing(executable: Path, folder: Path, words: list[str], made: str) -> tuple[int, int]:
    """(successful runs, failed runs) on the disk."""
    statuses = []
    for blocks in ROOM:
        leave(folder, blocks)
        before = contents(folder)
        done = run(executable, *words)
        statuses.append(done.returncode)
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.startswith("standstill: ")]
            assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
            assert "full" in said[-1] or "No space left" in said[-1], done.stderr
            assert contents(folder) == before, (blocks, done.stderr)
        else:
            assert made in contents(folder)
    return statuses.count(0), statuses.count(2)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("place", ["games.sqlite", "a/new/folder/games.sqlite"])
@pytest.mark.parametrize("command", ["new", "import", "fetch"])
def test_a_store_is_made_with_its_game_or_not_at_all(
    executable: Path, small: Path, tmp_path: Path, server: XfccServer, place: str, command: str
) -> None:
    (tmp_path / "in.pgn").write_text(PGN)
    server.add("17", "e4 e5")
    words = {
        "new": NEW,
        "import": ["import", str(tmp_path / "in.pgn"), "--control", "50/75/1"],
        "fetch": ["fetch", server.url, "--control", "50/75/1"],
    }[command]
    succeeded, failed = all_or_nothing(executable, small, ["games", "--store", str(small / place), *words], place)
    assert succeeded and failed
    assert run(executable, "games", "--store", str(small / place), "list", "--all").stdout.strip()


WRITERS = {
    "tag": ["tag", "{in}/in.pgn", "-o", "{out}/out"],
    "annotate": ["annotate", "--from-comments", "{in}/in.pgn", "-o", "{out}/out"],
    "study": ["study", "{in}/in.pgn", "--html", "{out}/out"],
    "form": ["relevance", "form", "-o", "{out}/out"],
    "backup": ["games", "--store", "{in}/games.sqlite", "backup", "-o", "{out}/out"],
    "export": ["games", "--store", "{in}/games.sqlite", "export", "-o", "{out}/out"],
    "calendar": ["games", "--store", "{in}/games.sqlite", "calendar", "-o", "{out}/out"],
}
# A command that writes game by game or table by table keeps its complete parts when the disk is full.
GROWING = {
    "tables": ["tables", "--path", "{out}", "build", "KQvK"],
    "match": ["match", "-o", "{out}/out", "--nodes", "1", "--engine", "{self} name=A", "--engine", "{self} name=B"],
    "data": ["data", "play", "-o", "{out}/out", "--games", "2", "--nodes", "20"],
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "command",
    [pytest.param("study", marks=pytest.mark.slow), *(name for name in WRITERS if name != "report"), *GROWING],
)
def test_a_file_is_whole_or_not_there(executable: Path, small: Path, tmp_path: Path, command: str) -> None:
    """A file that grows may be incomplete; the same command continues it when there is room again."""
    (tmp_path / "in.pgn").write_text(PGN * 500)
    run(executable, "games", "--store", str(tmp_path / "games.sqlite"), *NEW)
    names = {"in": tmp_path, "out": small, "self": f"cmd={executable}"}
    words = [word.format_map(names) for word in (WRITERS | GROWING)[command]]
    failed = 0
    for blocks in (0, 1, 3):
        leave(small, blocks)
        before = contents(small)
        done = run(executable, *words)
        if done.returncode == 0:
            continue
        failed += 1
        said = [line for line in done.stderr.splitlines() if line.startswith("standstill: ")]
        assert len(said) == 1 and "Traceback" not in done.stderr, done.stderr
        if command in WRITERS:
            assert contents(small) == before, (blocks, done.stderr)
        else:
            assert not [name for name in contents(small) if name.startswith(".standstill")]
            (small / "fill").unlink()
            assert run(executable, *words).returncode == 0
    assert failed
