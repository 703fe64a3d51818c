"""``python -m tools.prose [PATHS]``: find the phrases of phrases.toml in comments, strings and documents.

PATHS are files and folders, by default the whole repository. It prints ``file:line: words: what to write instead`` and
exits with status 1 if it has found a phrase. `make lint` runs it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..building.refusal import refuse

ROOT = Path(__file__).resolve().parents[2]
# The lab diary and the released part of the change log are not checked.
DIARY = "docs/lab/"
CHANGELOG = "CHANGELOG.md"

# Comments and strings, and the delimiters around their text.
_QUOTED = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
_PYTHON = re.compile(
    rf"""#[^\n]*|(?:\b[rbfu]{{1,2}})?(?:'{{3}}(?:[^\\]|\\.)*?'{{3}}|"{{3}}(?:[^\\]|\\.)*?"{{3}}|{_QUOTED})""",
    re.DOTALL | re.IGNORECASE,
)
_JAVASCRIPT = re.compile(rf"//[^\n]*|/\*.*?\*/|`(?:[^`\\]|\\.)*`|{_QUOTED}", re.DOTALL)
_MARKS = re.compile(r"""\A(?:#+|//+|/\*+|[rbfu]{0,2}['"`]+)|(?:['"`]+|\*/)\Z""", re.IGNORECASE)
_LEXERS = dict.fromkeys((".py", ".pyi", ".pyx", ".pxd"), _PYTHON) | {".js": _JAVASCRIPT}
_WHOLE = {".md", ".j2", ".html"}
_CODE = "\x00"  # replaces code, so that a phrase does not match across it


class Phrase(NamedTuple):
    """A phrase to reject, and what to write instead."""

    words: re.Pattern[str]
    instead: str


class Finding(NamedTuple):
    """A phrase found in a text: its line, counted from 1, its words, and what to write instead."""

    line: int
    words: str
    instead: str


def phrases() -> list[Phrase]:
    """The phrases of phrases.toml."""
    entries = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text("utf-8"))["phrase"]
    return [Phrase(_compiled(entry["words"]), entry["instead"]) for entry in entries]


def _compiled(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE)


def prose(name: str, text: str) -> str:
    """The text with its code masked; no position moves, and phrases match across consecutive comments or strings."""
    if name == CHANGELOG:
        return text[: ([each.start() for each in re.finditer(r"^## ", text, re.MULTILINE)] + [len(text)] * 2)[1]]
    if (lexer := _LEXERS.get(Path(name).suffix)) is None:
        return text
    parts = []
    end = 0
    for each in lexer.finditer(text):
        parts.append(re.sub(r"\S", _CODE, text[end : each.start()]))
        parts.append(_MARKS.sub(lambda marks: " " * len(marks[0]), each[0]))
        end = each.end()
    return "".join([*parts, re.sub(r"\S", _CODE, text[end:])])


def findings(name: str, text: str, wanted: list[Phrase]) -> list[Finding]:
    """The wanted phrases in the prose of this file, ordered by line."""
    shown = prose(name, text)
    return sorted(
        Finding(shown.count("\n", 0, each.start()) + 1, " ".join(each[0].split()), phrase.instead)
        for phrase in wanted
        for each in phrase.words.finditer(shown)
        if each[0][1:].islower()  # None and NONE are names in the code
    )


def sources(paths: list[str]) -> Iterator[str]:
    """The files to read under these paths, relative to the root: those that git tracks or does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in sorted(set(names)):
        if not name.startswith(DIARY) and Path(name).suffix in _LEXERS.keys() | _WHOLE and (ROOT / name).is_file():
            yield name


def main(paths: list[str]) -> int:
    """Print the findings under these paths; returns the exit status."""
    wanted = phrases()
    status = 0
    for path in paths:
        if not (ROOT / path).exists():
            refuse(f"prose: {path}: expected a file or folder of the tree, found none")
    for name in sources(paths):
        for each in findings(name, (ROOT / name).read_text("utf-8"), wanted):
            print(f"{name}:{each.line}: {each.words}: write {each.instead}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
