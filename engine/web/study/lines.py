"""The movetext of a game as lines of moves, of which every byte is kept: what an edit does not touch stays as it is.

A line has steps; a step is a move with what precedes and follows it, and variations are lines inside it. Joining all
texts in order gives the game again. Text is bytes read as Latin-1, as in ``annotate.movetext``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from standstill.cext.bindings.pgn_games import tokens

from ...annotate.movetext import Movetext, sign_nag

NAG, COMMENT, REST, LINE, OTHER = "nag", "comment", "rest", "line", "other"

_SIGNS = re.compile(r"[!?]{1,2}|[^!?\s]+")  # directly after a move


@dataclass(slots=True)
class Piece:
    """An item after a move: a sign, a comment, a variation, or other text. gap: the blanks before the item."""

    kind: str
    gap: str
    text: str
    line: Line | None = None

    def written(self) -> str:
        return self.gap + (self.text if self.line is None else f"({self.line.written()})")


@dataclass(slots=True)
class Step:
    """A move.

    before: the blanks and the number before the move. word: the move as the file spells it. signs: the signs attached
    to the move, such as ``!?``.

    english: the move with English letters; "" for the main line, whose moves the core has read.
    """

    before: str
    word: str
    signs: str = ""
    english: str = ""
    pieces: list[Piece] = field(default_factory=list)

    def written(self) -> str:
        return self.before + self.word + self.signs + "".join(piece.written() for piece in self.pieces)

    def nags(self) -> list[int]:
        """The NAGs of the move without repetitions, in the order of the file."""
        attached = [sign_nag(sign) for sign in _SIGNS.findall(self.signs)]
        apart = [sign_nag(piece.text) for piece in self.pieces if piece.kind == NAG]
        return list(dict.fromkeys(nag for nag in attached + apart if nag))

    def comments(self) -> list[str]:
        """The texts of the comments, without braces."""
        return [_inside(piece) for piece in self.pieces if piece.kind in (COMMENT, REST)]

    def variations(self) -> list[Line]:
        return [piece.line for piece in self.pieces if piece.line is not None]


@dataclass(slots=True)
class Line:
    """A sequence of moves. lead: comments before the first move. end: all text after the last move."""

    lead: list[Piece] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    end: str = ""

    def written(self) -> str:
        parts = [*(piece.written() for piece in self.lead), *(step.written() for step in self.steps), self.end]
        return "".join(parts)

    def comments(self) -> list[str]:
        return [_inside(piece) for piece in self.lead if piece.kind in (COMMENT, REST)]


def _inside(piece: Piece) -> str:
    return piece.text[1:-1] if piece.kind == COMMENT else piece.text[1:]


def main_line(game: Movetext) -> Line:
    """Return the main line of a game, up to the end of its text."""
    read = game.game
    if read.respelt is None:
        words = {start: _parted(game.text[start:end]) for kind, start, end in _main_tokens(game) if kind == "word"}
    else:
        words = {
            first + game.body: (start + game.body, last - start, end - start)
            for first, (start, last, end) in read.respelt.places.items()
        }
        for kind, start, end in _main_tokens(game):
            if kind == "word" and start not in words:
                words[start] = (start, end - start, end - start)
    found = [each for each in _main_tokens(game) if each[1] < read.moves_end]
    last_word = max((at for at, (kind, _, _) in enumerate(found) if kind == "word"), default=-1)
    results = [start for at, (kind, start, _) in enumerate(found) if kind == "result" and at > last_word]
    stop = results[0] if results else len(game.text)
    return _line(game, [each for each in found if each[1] < stop], game.body, len(game.text), words)


def _main_tokens(game: Movetext) -> list[tuple[str, int, int]]:
    read = game.game
    if read.respelt is None:
        return tokens(read.text, game.body, read.moves_end)
    body = read.respelt.body
    return [(kind, start + game.body, end + game.body) for kind, start, end in tokens(body, 0, len(body))]


Words = dict[int, tuple[int, int, int]]  # by the start of the token: (start, length without signs, length)


def _parted(word: str) -> tuple[int, int, int]:
    return -1, len(word.rstrip("!?")), len(word)


def _line(game: Movetext, found: list[tuple[str, int, int]], at: int, stop: int, words: Words | None) -> Line:
    """Return the tokens as a line. at, stop: the start and the end of its text. words: the main line's words."""
    text, line = game.text, Line()
    for kind, start, end in found:
        if kind == "word":
            first, bare, whole = words[start] if words is not None else _parted(text[start:end])
            first = start if first < 0 else first
            word, signs = text[first : first + bare], text[first + bare : first + whole]
            english = "" if words is not None else game.letters.english(word)
            line.steps.append(Step(text[at:first], word, signs, english))
            at = first + whole
            continue
        piece = _piece(game, kind, text[at:start], start, end)
        (line.steps[-1].pieces if line.steps else line.lead).append(piece)
        at = end
    line.end = text[at:stop]
    return line


def _piece(game: Movetext, kind: str, gap: str, start: int, end: int) -> Piece:
    text = game.text[start:end]
    if kind in (NAG, COMMENT):
        return Piece(kind, gap, text)
    if text[:1] == ";":
        return Piece(REST, gap, text)
    if kind == "other" and text[:1] == "(" and text[-1:] == ")":
        inner = tokens(game.game.text, start + 1, end - 1)
        return Piece(LINE, gap, "", _line(game, inner, start + 1, end - 1, None))
    return Piece(OTHER, gap, text)


def every_line(line: Line) -> Iterator[Line]:
    """Yield the line and all variations inside it."""
    yield line
    for step in line.steps:
        for inner in step.variations():
            yield from every_line(inner)
