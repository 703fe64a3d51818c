"""Files opened on a page: their copies, what is refused and with which words, the user's own file of games."""

from __future__ import annotations

import bz2
import gzip
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from standstill.engine.common.errors import ArgumentError, PgnError
from standstill.engine.web.study import shelf as shelves
from standstill.engine.web.study.shelf import OWN, Shelf, file_name, read

GAME = b'[Event "Test"]\n[White "M\xe4dler"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(folder=tmp_path / "opened")


def test_a_file_that_is_opened_again_leads_to_its_copy(shelf: Shelf) -> None:
    """The file is recognised in another compression and under another name, and its copy has what was saved."""
    first = shelf.open("club.pgn", GAME)
    assert (first["name"], first["changed"]) == ("club.pgn", False)
    library = shelf.library(first["key"])
    library.refresh()
    assert library.content() == GAME and Path(library.path).parent.parent == shelf.folder
    for name, data in (("club.pgn", GAME), ("other.pgn.gz", gzip.compress(GAME)), ("c.PGN.bz2", bz2.compress(GAME))):
        assert shelf.open(name, data) == first
    library.save(1, GAME.replace(b"Nf3", b"f4"), library.digest)
    assert shelf.open("club.pgn", GAME) == {**first, "changed": True}
    assert [path.name for path in sorted(Path(library.path).parent.iterdir())] == ["club.pgn", "club.pgn~"]
    other = shelf.open("club.pgn", GAME.replace(b"1-0", b"0-1"))
    assert other["key"] != first["key"] and len(shelf.view("")["recent"]) == 2
    os.utime(shelf.folder / first["key"], (0, 0))
    assert [each["key"] for each in shelf.view("")["recent"]] == [other["key"], first["key"]]
    shelf.remove(first["key"])
    assert shelf.library(first["key"]) is None and shelf.view(first["key"])["here"] is None


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.pgn", b"", "'a.pgn': expected games in PGN, found an empty file"),
        ("a.pgn", b"\n hello you\n1. e4", "'a.pgn': expected games in PGN, found 'hello you' in line 2"),
        ("a.png", b"\x89PNG\r\n\x1a\0", "'a.png': expected games in PGN, found "),
        ("a.cbv", b"x", "'a.cbv': expected games in PGN, found a database of ChessBase: export it as PGN"),
        ("a.pgn", GAME.replace(b"2. Nf3", b"2. Ke3"), "'a.pgn': its first game cannot be read: "),
        ("a.pgn.gz", gzip.compress(GAME)[:-9], "cannot read 'a.pgn.gz': the compressed data end too early"),
        ("a.zip", b"PK\x03\x04", "cannot read 'a.zip': expected an uncompressed file or one of "),
    ],
    ids=["empty", "text", "picture", "ChessBase", "illegal", "cut", "zip"],  # each gzip file contains the time
)
def test_what_has_no_games_is_refused_in_a_line(name: str, data: bytes, message: str) -> None:
    with pytest.raises(PgnError) as refused:
        read(name, data)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_utf_16_is_copied_as_utf_8() -> None:
    text = GAME.decode("latin-1")
    assert read("a.pgn", text.encode("utf-16")).decode().lstrip("\ufeff") == text


def test_a_small_file_that_becomes_huge_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "MOST_BYTES", 1_000_000)
    with pytest.raises(PgnError, match=r"^cannot read 'a.gz': expected at most 1 MB of games, found more$"):
        read("a.gz", gzip.compress(GAME * 20_000))


def test_games_of_the_pages_go_into_a_file_of_their_own(shelf: Shelf) -> None:
    assert shelf.keep(GAME.strip()) == {"key": "mine", "name": "My games.pgn", "number": 1}
    assert shelf.keep(b'[Event "Analysis"]\n\n*\n')["number"] == 2
    library = shelf.library("mine")
    assert library.game(1).strip() == GAME.strip() and len(library) == 2
    with pytest.raises(PgnError, match="not saved"):
        shelf.keep(b"1. e5")


@pytest.mark.parametrize("key", ["..", "../x", "mine/..", "/etc", "0123456789abcdef", "a" * 17, "MINE"])
def test_a_key_leads_nowhere_outside(shelf: Shelf, key: str) -> None:
    (shelf.folder.parent / "x.pgn").write_bytes(GAME)
    assert shelf.library(key) is None
    with pytest.raises(ArgumentError):
        shelf.remove(key)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("C:\\games\\x.PGN", "x.pgn"),
        ("../../etc/passwd", "passwd.pgn"),
        ("Mädler \u2013 Öl.pgn.gz", "Mädler _ Öl.pgn"),
        ("con.pgn", "_con.pgn"),
        (" .. ", "games.pgn"),
        ("a" * 300, "a" * 80 + ".pgn"),
        ('"<>|?*\n', "_______.pgn"),
    ],
)
def test_names_that_every_system_can_have(name: str, expected: str) -> None:
    assert file_name(name) == expected


def test_two_programs_add_games_to_the_same_file(tmp_path: Path) -> None:
    both = [Shelf(folder=tmp_path), Shelf(folder=tmp_path)]  # each with its own lock, like two programs
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: both[number % 2].keep(GAME), range(40)))
    own = both[0].library(OWN)
    assert own is not None
    own.refresh()
    assert len(own) == 40
