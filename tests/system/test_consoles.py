"""What shells of Windows leave to the program: wildcards and quotes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from standstill.engine.system import consoles


def test_wildcards_become_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a folder").mkdir()
    for name in ("b.pgn", "a.pgn", "a[1].pgn", "c.txt", "a folder/d.pgn"):
        Path(name).touch()
    nested = os.path.join("a folder", "d.pgn")
    words = ["*", "e4?", "-*.pgn", "*.pgn", "none*.pgn", "a[1]*.pgn", "[ab].pgn", os.path.join("*", "d.pgn"), "?.txt"]
    files = ["a.pgn", "a[1].pgn", "b.pgn"]
    expected = [*words[:3], *files, "none*.pgn", "a[1].pgn", "[ab].pgn", nested, "c.txt"]
    assert list(consoles.expanded(words)) == expected
    assert consoles.typed_words(words) == (expected if sys.platform == "win32" else words)


def test_backslashes_separate_folders_on_windows() -> None:
    words = consoles.words_of(r'"C:\My Engines\a.exe" x=1')
    assert words == [r"C:\My Engines\a.exe", "x=1"]
