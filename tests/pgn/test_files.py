"""PGN files: compressed ones, damaged ones, and what is left after a failed write."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import COMPRESSED, check_apart, check_output, open_input, open_output
from standstill.engine.common.errors import PgnError, PgnOutputError

GAME = b'[Event "?"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
# The games are varied, so that they compress to several blocks; a damaged file loses only a whole block.
GAMES = b"".join(GAME.replace(b"?", str(hash((7, n))).encode() * 9) for n in range(20000))


def costly(suffix: str) -> object:
    """bzip2 and xz take seconds for files of this length."""
    return pytest.param(suffix, marks=pytest.mark.slow) if suffix in (".bz2", ".xz") else suffix


@pytest.mark.parametrize("suffix", ["", *map(costly, COMPRESSED)])
def test_what_was_written_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games.pgn{suffix}"
    with open_output(path) as out:
        out.write(GAMES)
    with open_input(path) as stream:
        assert stream.read() == GAMES
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("suffix", "pack", "unpack"),
    [
        (".gz", gzip.compress, gzip.decompress),
        pytest.param(".bz2", bz2.compress, bz2.decompress, marks=pytest.mark.slow),
        (".zst", zstandard.compress, lambda data: zstandard.ZstdDecompressor().stream_reader(data).read()),
    ],
)
def test_compressed_files_are_those_of_others(tmp_path: Path, suffix: str, pack, unpack) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(pack(GAME) + pack(GAMES))  # several members or frames in one file
    with open_input(path) as stream:
        assert stream.read() == GAME + GAMES
    with open_output(path) as out:
        out.write(GAMES)
    assert unpack(path.read_bytes()) == GAMES


@pytest.mark.parametrize("suffix", list(map(costly, COMPRESSED)))
def test_games_before_the_cut_are_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    with open_output(path) as out:
        out.write(GAMES)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    found = []
    with pytest.raises(PgnError, match="too early"), open_input(path) as stream:
        found.extend(read_games(stream))
    assert found
    assert GAMES.startswith(b"".join(found))


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_what_stands_behind_the_compressed_data_is_not_ignored(tmp_path: Path, suffix: str) -> None:
    """A user may have appended uncompressed games to a compressed file."""
    path = tmp_path / f"games{suffix}"
    with open_output(path) as out:
        out.write(GAME)
    path.write_bytes(path.read_bytes() + GAME)
    found = []
    with pytest.raises(PgnError, match=r"cannot read .*\[E"), open_input(path) as stream:
        found.extend(read_games(stream))
    assert b"".join(found) in (GAME, b"")


@pytest.mark.parametrize(("suffix", "pack"), [(".xz", lzma.compress), (".gz", gzip.compress), (".bz2", bz2.compress)])
def test_padding_of_zeros_is_no_damage(tmp_path: Path, suffix: str, pack) -> None:
    """Tapes pad with zeros. xz, gzip and bzip2 accept the zeros (xz also between streams); zstd rejects them."""
    path = tmp_path / f"games{suffix}"
    path.write_bytes(pack(GAME) + bytes(512) + pack(GAME) + bytes(512))
    with open_input(path) as stream:
        assert stream.read() == GAME * 2


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_damage_is_reported(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(b"this is no compressed file at all")
    with pytest.raises(PgnError, match=r"cannot read .*games"), open_input(path) as stream:
        stream.read()


def test_missing_file_and_directory_are_reported(tmp_path: Path) -> None:
    with pytest.raises(PgnError, match="No such file"), open_input(tmp_path / "none.pgn"):
        pass
    with pytest.raises(PgnError, match="directory"), open_input(tmp_path) as stream:
        stream.read()
    with pytest.raises(PgnError, match="directory"), open_output(tmp_path):
        pass
    with pytest.raises(PgnError, match="No such file"), open_output(tmp_path / "none" / "x.pgn"):
        pass


def test_errors_of_writing_are_told_apart_by_their_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tag` goes on with other files after a read error, and ends after a write error."""

    def write(path: str | Path, text: bytes = GAMES) -> None:
        with open_output(path) as out:
            out.write(text)

    attempts: list[Callable[[], None]] = [
        lambda: write(tmp_path),
        lambda: write(tmp_path / "none" / "x.pgn"),
        lambda: write(tmp_path / "x.rar"),
        lambda: check_output(tmp_path / "x.rar"),
        lambda: check_apart(["x"], {"-o": "x"}),
        lambda: write(tmp_path / "x.pgn.zst"),  # the package is missing
    ]
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for attempt in attempts:
        with pytest.raises(PgnOutputError):
            attempt()
    packed = tmp_path / "in.zst"
    packed.write_bytes(b"\x28\xb5\x2f\xfd")
    for path in (tmp_path / "none.pgn", tmp_path, packed):
        with pytest.raises(PgnError) as raised, open_input(path) as stream:
            stream.read()
        assert not isinstance(raised.value, PgnOutputError)


def test_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError), open_output(path) as out:
        out.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_any_binary_stream_will_do() -> None:
    assert list(read_games(io.BytesIO(GAME * 3))) == [GAME] * 3
