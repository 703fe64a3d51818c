"""Tables in encodings that lack letters of names, such as those of Windows' pipes: columns stay aligned."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from standstill.protocol.cli.output import VisibleOutput

NAMES = (
    "M\u00fcller, J\u00fcrgen",
    "\u0141ukasz \u017bak",
    "\u017divkovi\u0107, Ana",
    "\u0418\u0432\u0430\u043d\u043e\u0432",
)
MOVES = "1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.9]} Nc6 {[%eval 1.3]} 1/2-1/2"
GAME = '[Event "Open"]\n[White "%s"]\n[Black "%s"]\n[Result "1/2-1/2"]\n\n%s\n\n'
# How each name is written. An escape stands for letters without a Latin base.
WRITTEN = {
    "cp1252": ("M\u00fcller, J\u00fcrgen", "Lukasz Zak", "\u017divkovic, Ana"),
    "latin-1": ("M\u00fcller, J\u00fcrgen", "Lukasz Zak", "Zivkovic, Ana"),
    "iso8859-2": ("M\u00fcller, J\u00fcrgen", "\u0141ukasz \u017bak", "\u017divkovi\u0107, Ana"),
    "utf-8": NAMES[:3],
}
ESCAPED = "\\u0418\\u0432\\u0430\\u043d\\u043e\\u0432"
pytestmark = pytest.mark.sampled(2)
each_encoding = pytest.mark.parametrize("encoding", list(WRITTEN))


def lines(encoding: str, folder: Path, *words: str) -> list[str]:
    """What a command prints into a pipe of this encoding."""
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; from standstill.protocol.main import main;"
        f"sys.exit(main({list(words)!r}))"
    )
    environment = {name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "PYTHONUTF8"}}
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        cwd=folder,
        env=environment | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(encoding).splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of all players against the last one, as a file and as a store."""
    found = tmp_path_factory.mktemp("names")
    text = "".join(GAME % (name, NAMES[-1], MOVES) for name in NAMES[:-1])
    (found / "games.pgn").write_text(text, encoding="utf-8")
    for number, name in enumerate(NAMES):
        words = ["new", f"game{number}", "50/75/1", "--white", name, "--black", "Nowak"]
        lines("utf-8", found, "games", "--store", "games.sqlite", *words)
    return found


def begins(line: str, words: str) -> int:
    assert line.count(words) == 1, line
    return line.index(words)


@each_encoding
def test_standings_are_aligned(folder: Path, encoding: str) -> None:
    head, *rows = lines(encoding, folder, "standings", "games.pgn")
    at = begins(head, "Player")
    last = NAMES[-1] if encoding == "utf-8" else ESCAPED
    for name in (*WRITTEN[encoding], last):
        assert sum(row[at:].startswith(name + " ") for row in rows) == 1
    assert {len(row) for row in rows} == {len(head)}
    end = head.index("Games") + len("Games")
    assert sorted(row[end - 2 : end] for row in rows) == [" 1", " 1", " 1", " 3"]


@each_encoding
def test_a_file_of_standings_is_in_utf_8(folder: Path, encoding: str) -> None:
    assert lines(encoding, folder, "standings", "games.pgn", "-o", f"{encoding}.txt") == []
    text = (folder / f"{encoding}.txt").read_text(encoding="utf-8")
    assert len({len(line) for line in text.splitlines()}) == 1
    assert all(name in text for name in NAMES)


@each_encoding
@pytest.mark.parametrize(
    ("words", "column"), [(["list", "--tz", "UTC"], "turn"), (["team", "--tz", "UTC"], "game")], ids=["list", "team"]
)
def test_lists_of_games_are_aligned(folder: Path, encoding: str, words: list[str], column: str) -> None:
    head, *rows = lines(encoding, folder, "games", "--store", "games.sqlite", *words)
    assert len(rows) == len(NAMES)
    at = begins(head, column)
    for name in WRITTEN[encoding]:
        assert sum(f" {name} " in f" {row}" for row in rows) == 1
    for row in rows:
        assert row[at - 2 : at] == "  " and row[at] != " "


@each_encoding
def test_fitted_players_are_aligned(folder: Path, encoding: str) -> None:
    head, *rows = lines(encoding, folder, "relevance", "fit", "games.pgn")[: 1 + len(NAMES)]
    end = begins(head, "games") + len("games")
    for row in rows:
        assert row[end - 1].isdecimal() and row[end] == " "


def test_a_mark_of_its_own_and_a_sign_without_a_letter(tmp_path: Path) -> None:
    """A decomposed letter loses its mark; what has no base letter keeps its stand-in or escape."""
    import standstill.protocol.cli.output as output

    path = tmp_path / "text"
    with path.open("wb", buffering=0) as raw:
        stream = VisibleOutput(raw, encoding="ascii", errors=output._HANDLERS["strict"][0], write_through=True)
        stream.write("Zivkovic\u0301 \u2260 \u00bd \u212b \u00e6 \u00df \u0141")
        stream.detach()
    assert path.read_bytes() == b"Zivkovic \\u2260 1/2 A \\xe6 \\xdf L"
