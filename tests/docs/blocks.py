"""The code blocks of the documentation: where they are, their kinds, and the comments above them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

PROGRAMS = ("standstill", "./standstill", "make", "python", ".venv/bin/python", "pip", "git", "grep", "dask", "xboard")
PROGRAMS += ("cutechess-cli", "fastchess", "pipx", "apt", "$")
FENCE = re.compile(r"( *)```(\w*)$")
# If no test runs a block, a comment above it gives the reason.
NOT_RUN = re.compile(r"<!-- not run: (.+) -->$")


@dataclass(frozen=True)
class Block:
    """A block of code. line: number of its first line, from 1. kind: sh, console, python or another language."""

    page: str
    line: int
    kind: str
    text: str
    not_run: str | None

    @property
    def is_run(self) -> bool:
        return self.kind in ("sh", "console", "python") and self.not_run is None


def _kind(language: str, lines: list[str]) -> str:
    """The kind of a block. A block without a language is a list of commands if it begins with a program."""
    if language not in ("", "sh", "console"):
        return language
    if lines[0].startswith("$ "):
        return "console"
    return "sh" if language or lines[0].split()[0] in PROGRAMS else "text"


def blocks(page: Path) -> list[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    found: list[Block] = []
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        begin = end = at
        if fence:
            begin = at + 1
            end = lines.index(f"{fence[1]}```", begin)
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
        if begin == end:
            at += 1
            continue
        above = next((line for line in reversed(lines[:at]) if line.strip()), "")
        reason = NOT_RUN.match(above.strip())
        indent = len(fence[1]) if fence else 4
        text = [line[indent:].rstrip() for line in lines[begin:end]]
        name = page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name
        found.append(
            Block(
                name,
                begin + 1,
                _kind(fence[2] if fence else "", text),
                "\n".join(text).strip("\n") + "\n",
                reason and reason[1],
            )
        )
        at = end + 1
    return found


BLOCKS = [block for page in PAGES for block in blocks(page)]


def steps(text: str) -> list[tuple[str, list[str]]]:
    """The commands (`$ ...`) of a shell session, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found
