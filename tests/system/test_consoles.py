"""What shells and the C library of Windows leave to the program: wildcards, quotes, and readers that have exited."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from standstill.engine.common.text import shown, shown_path, shown_value
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


WRITER = f"""
import sys; sys.path[:0] = {sys.path!r}
from standstill.engine.system import consoles
output = consoles.output_bytes(sys.stdout.buffer)
sys.stdin.read()
try:
    output.write(b"x")
    output.flush()
except BrokenPipeError:
    sys.exit(7)
"""


def test_a_reader_that_has_exited_is_known_as_such() -> None:
    """Windows reports an invalid argument."""
    command = [sys.executable, "-c", WRITER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.close()
        assert process.wait(60) in (7, 120)  # 120: Python's own stream could not be flushed either


@pytest.mark.parametrize(("separator", "expected"), [("/", r"'C:\\a b\\ł'"), ("\\", r"'C:\a b\ł'")])
def test_messages_show_paths_as_the_system_writes_them(
    monkeypatch: pytest.MonkeyPatch, separator: str, expected: str
) -> None:
    monkeypatch.setattr(os, "sep", separator)
    path = r"C:\a b\ł"
    assert shown(path) == shown_path(path) == shown_value(path) == expected
    assert shown("a\nb") == r"'a\nb'"
