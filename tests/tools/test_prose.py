"""The phrases that `make lint` rejects, each with sentences that it must find and sentences that it must not."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from tools.prose import __main__ as checker
from tools.prose.__main__ import ROOT, findings, main, phrases

ENTRIES = tomllib.loads((ROOT / "tools/prose/phrases.toml").read_text("utf-8"))["phrase"]
WANTED = phrases()
WRONG = ENTRIES[0]["wrong"][0]
FOUND = WRONG.split()[0]


def lines(name: str, text: str) -> list[int]:
    return [each.line for each in findings(name, text, WANTED)]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["words"])
def test_examples(entry: dict[str, list[str]]) -> None:
    """Each wrong sentence of a phrase has it once, and no phrase is found in the right ones."""
    for sentence in entry["wrong"]:
        assert [each.instead for each in findings("a.md", sentence, WANTED)] == [entry["instead"]]
    for sentence in entry["right"]:
        assert not findings("a.md", sentence, WANTED)


@pytest.mark.parametrize("suffix", ["py", "pyi", "pyx", "pxd"])
@pytest.mark.parametrize(
    "text",
    ["x = 1\n# {}\n", "x = 1\n'''{}'''\n", 'x = 1\nf"{}"\n', "x = 1\nr'{}'\n", 'x = "\\""\ny = "{}"\n', "x='#'\n#{}"],
)
def test_python(suffix: str, text: str) -> None:
    assert lines(f"a.{suffix}", text.format(WRONG)) == [2]


@pytest.mark.parametrize("text", ["x = 1\n// {}", "x = 1\n/* {} */", "x = 1\ny = `{}`", "x = '/*'\ny = \"{}\""])
def test_javascript(text: str) -> None:
    assert lines("a.js", text.format(WRONG)) == [2]


@pytest.mark.parametrize("name", ["a.py", "a.pyx", "a.js"])
def test_code_is_not_read(name: str) -> None:
    assert not lines(name, f"{FOUND.lower()} = f({FOUND})\n")


def test_a_phrase_goes_on_in_the_next_line() -> None:
    """Consecutive comments, lines of a docstring and adjacent strings read as one text; separate arguments do not."""
    assert lines("a.py", "    # equal but\n    # for the clock\n") == [1]
    assert lines("a.py", '"""Equal but\n    for the clock."""\n') == [1]
    assert lines("a.py", 'f("equal but "\n  "for the clock")\n') == [1]
    assert not lines("a.py", 'f("equal but", "for the clock")\n')
    assert not lines("a.py", "x = 1  # equal but\nfor y in x: pass\n")


def test_only_what_is_not_released_of_the_change_log() -> None:
    text = f"# Changelog\n\n## [Unreleased]\n\n- {WRONG}\n\n## [1.0]\n\n- {WRONG}\n"
    assert lines("CHANGELOG.md", text) == [5]
    assert lines("docs/other.md", text) == [5, 9]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads the files of a repository under the given paths, except the diary, data and ignored files."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.setattr(checker, "ROOT", tmp_path)
    (tmp_path / ".gitignore").write_text("ignored.md\n")
    (tmp_path / "docs/lab").mkdir(parents=True)
    (tmp_path / "docs/good.md").write_text("A sentence.\n")
    for name in ("docs/lab/diary.md", "ignored.md", "data.txt", "bad.md"):
        (tmp_path / name).write_text(f"A sentence.\n\n{WRONG}\n")
    assert main(["docs"]) == 0
    assert not capsys.readouterr().out
    assert main([]) == 1
    assert capsys.readouterr().out == f"bad.md:3: {FOUND}: write {ENTRIES[0]['instead']}\n"
