"""The findings about a text of definitions: its mistakes and warnings with their places, and its games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ...common.errors import ArgumentError, DefinitionError
from ...variants.definition import Definition
from ...variants.fairymax import parse
from ...variants.workshop.checking import NAMELESS, examine

MOST_BYTES = 1 << 16  # maximum size of a text; the slowest text of this size takes two seconds
MOST_FINDINGS = 200
_NAME = "text"  # the name stands for the file in messages, and is removed from them
_PLACED = re.compile(rf"{_NAME}:(\d+):(?:(\d+):)? (.*)", re.DOTALL)
_FOUND = re.compile(r"found '((?:[^'\\]|\\.)*)'(?:; did you mean (.+)\?)?")
_RULE_MEANT = re.compile(r": the rule is written (# \w+)")
_OF_PIECE = re.compile(r"(?:.*\()?piece (\d+)\b")
_PIECE_LINE = re.compile(r"\s*[^\s:]\s*:")


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake, or a warning. line, column: from 1. length: the number of marked characters. fix: what to write."""

    is_mistake: bool
    line: int
    column: int
    length: int
    text: str
    fix: str = ""

    def view(self) -> dict[str, object]:
        return {
            "mistake": self.is_mistake,
            "line": self.line,
            "column": self.column,
            "length": self.length,
            "text": self.text,
            "fix": self.fix,
        }


@dataclass(frozen=True, slots=True)
class Examined:
    """A text with the findings about it. lines: {name of a game without mistakes: line of its title}."""

    games: tuple[Definition, ...]
    lines: dict[str, int]
    findings: tuple[Finding, ...]

    @property
    def is_faultless(self) -> bool:
        return not any(found.is_mistake for found in self.findings)

    def find(self, name: str) -> Definition | None:
        """Return the game of this name; without a name, the first game."""
        return next((game for game in self.games if game.name == name), self.games[0] if self.games else None)


@lru_cache(maxsize=8)
def examined(text: str) -> Examined:
    """Return the findings that `variants check` would print about the text.

    Raises ArgumentError if the text is too long.
    """
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MOST_BYTES:
        raise ArgumentError(f"expected a text of at most {MOST_BYTES} bytes, found {size}")
    remarks: list[str] = []
    mistakes: list[str] = []
    try:
        found = parse(text, _NAME, remarks, mistakes)
    except DefinitionError as error:
        mistakes.append(str(error))
        games: tuple[Definition, ...] = ()
    else:
        examine(found, _NAME, remarks, mistakes)
        games = tuple(game for game in found.games if f"{_NAME}: {game.name}: " not in "\n".join(mistakes))
    lines = text.replace("\r\n", "\n").split("\n")
    placed = [
        *(_placed(message, lines, is_mistake=True) for message in mistakes),
        *(_placed(message, lines, is_mistake=False) for message in remarks),
    ]
    titles = {game.name: _title_line(game.name, lines) for game in games}
    return Examined(games, titles, tuple(placed[:MOST_FINDINGS]))


def _title_line(name: str, lines: list[str]) -> int:
    """Return the line of a game's title, from 1."""
    for number, line in enumerate(lines, 1):
        if line.startswith("Game:") and line.split()[:2] == ["Game:", name]:
            return number
    return 1


def _placed(message: str, lines: list[str], *, is_mistake: bool) -> Finding:
    if found := _PLACED.fullmatch(message):
        line, words = int(found[1]), found[3]
        column = int(found[2] or 1)
        text = lines[line - 1] if line <= len(lines) else ""
        column, length, fix = _marked(text, column, words, whole=found[2] is None)
        return Finding(is_mistake, max(line, 1), column, length, words, fix)
    message = message.removeprefix(f"{_NAME}: ")
    line = _place_in_a_game(message, lines)
    return Finding(is_mistake, line, 1, max(len(lines[line - 1]), 1), message)


def _marked(text: str, column: int, words: str, *, whole: bool) -> tuple[int, int, str]:
    """Return (column, length of the mark, text to write instead).

    whole: whether the message names a line without a column.
    """
    rest = text[column - 1 :]
    if whole and (rule := _RULE_MEANT.search(words)):
        comment = re.match(r"\s*#\s*\S*", text)
        return 1, len(comment[0]) if comment else 1, rule[1]
    if whole:
        return column, max(len(rest), 1), ""
    # A message about a rule gives the place of the rule's line, and names the wrong word, which is behind that place.
    if (found := _FOUND.search(words)) and found[1] and (at := rest.find(found[1])) >= 0:
        return column + at, len(found[1]), found[2] or ""
    word = re.match(r"\S+", rest)
    return column, len(word[0]) if word else 1, ""


def _place_in_a_game(message: str, lines: list[str]) -> int:
    """Return the line to which a message about a game belongs: the line of the piece that it names, or the title."""
    name, _, rest = message.partition(": ")
    title = 0 if name == NAMELESS else _title_line(name, lines)
    piece = _OF_PIECE.match(rest)
    if piece:
        for number, line in _pieces(lines[title:], title + 1):
            if number == int(piece[1]):
                return line
    return max(title, 1)


def _pieces(lines: list[str], first: int) -> Iterator[tuple[int, int]]:
    """Yield (number, line) of the pieces of a game. first: the number of the first of these lines."""
    number = 0
    for at, line in enumerate(lines, first):
        if line.startswith("Game:"):
            return
        if _PIECE_LINE.match(line):
            number += 1
            yield number, at
