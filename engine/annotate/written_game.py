"""A written game for the report page: its moves with their symbols, comments and variations, in file order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from ..archive.pgn import decoded, worded
from ..common.text import visible
from ..relevance import nags
from .charts import nag_markup
from .evaluations import is_book
from .movetext import Movetext, sign_nag

# Symbols that people write but the model does not, with their meanings.
_OTHERS = {
    7: ("\u25a1", "only move"),
    8: ("\u25a1", "only move"),
    11: ("=", "equal chances, quiet position"),
    12: ("=", "equal chances, active position"),
    22: ("\u2299", "White is in zugzwang"),
    23: ("\u2299", "Black is in zugzwang"),
    32: ("\u21bb", "White is ahead in development"),
    33: ("\u21bb", "Black is ahead in development"),
    36: ("\u2191", "White has the initiative"),
    37: ("\u2191", "Black has the initiative"),
    40: ("\u2192", "White has the attack"),
    41: ("\u2192", "Black has the attack"),
    44: ("=/\u221e", "White has compensation"),
    45: ("=/\u221e", "Black has compensation"),
    132: ("\u21c6", "White has counterplay"),
    133: ("\u21c6", "Black has counterplay"),
    138: ("\u2295", "White is in time trouble"),
    139: ("\u2295", "Black is in time trouble"),
    140: ("\u2206", "with the idea"),
    142: ("better", "better is"),
    146: ("N", "novelty"),
}

_COMMAND = re.compile(r"\[%[^\]]*\]")
# Comments of engines and servers about their own moves: evaluation, depth, time, possibly followed by words. In Arena
# the line precedes them.
_MATCH = re.compile(
    r"\s*(?:\([^()]*\)\s*)?[+-]?(?:M\d+|\d+\.\d\d)/\d+(?=[\s,]|$)(?:\s*,?\s*[\d.]+\s*m?s\b)?\s*,?", re.ASCII
)
# The key-value pairs of TCEC, separated by commas.
_KEYED = re.compile(r"\s*(?:d|sd|pd|mt|tl|s|n|pv|tb|h|ph|wv|ev|R50|Rd|Rr|mb)\s*=", re.ASCII)
_OPTIONS = re.compile(r"\s*(?:White|Black)EngineOptions:")


@dataclass(slots=True)
class WrittenMove:
    """A move with its symbols. after: the comments and variations that follow it in the file, as markup."""

    san: str
    nags: list[int]
    after: list[Markup] = field(default_factory=list)

    def signed(self) -> Markup:
        """Return the move, the move's own symbols, and then those of the position."""
        return Markup(escape(self.san)) + _signs(self.nags)

    @property
    def graded(self) -> bool:
        return any(nag in nags.MOVE_NAGS for nag in self.nags)


class Story:
    """The moves and annotations of a game, read from its text."""

    def __init__(self, movetext: Movetext):
        text = movetext.text
        self.lead = _pieces(text, movetext.lead)  # the comments before the first move
        self.moves: list[WrittenMove] = []
        for ply in movetext.plies:
            nags = list(dict.fromkeys(number for _, _, number in ply.nags))
            after = _pieces(text, [*ply.comments, *ply.rests, *ply.variation])
            self.moves.append(WrittenMove(ply.san, nags, after))


# The elements of a variation. Signs directly after a move belong to that move.
_IN_VARIATION = re.compile(
    r"(?P<open>\()|(?P<close>\))|\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)|(?P<number>\d+\s*\.+)"
    r"|(?P<nag>\$\d{1,4}|[!?]{1,2})|(?P<word>[^\s(){};!?$]+)"
)


def _pieces(text: str, spans: list[tuple[int, int]]) -> list[Markup]:
    """Return comments and variations in the order of the file, as markup."""
    found = []
    for start, end in sorted(spans):
        part = text[start:end]
        piece = _variation(part) if part[0] == "(" else _comment(part[1:-1] if part[0] == "{" else part[1:])
        if piece:
            found.append(piece)
    return found


def _comment(text: str) -> Markup:
    words = prose(text)
    return Markup('<span class="comment">%s</span>') % words if words else Markup("")


def _variation(text: str) -> Markup:
    """Return a variation as markup, with its comments and nested variations."""
    outer: list[_Variation] = []
    line = _Variation()  # surrounds the outermost parentheses
    for found in _IN_VARIATION.finditer(text):
        kind = found.lastgroup
        if kind == "open":
            outer.append(line)
            line = _Variation()
        elif kind == "close" and outer:
            inner, line = line, outer.pop()
            line.word(inner.markup())
        elif kind in {"comment", "rest"}:
            if words := _comment(found[kind]):
                line.word(words)
        elif kind == "nag":
            line.sign(sign_nag(found["nag"]))
        elif kind == "number":
            line.word(escape(found["number"]))
        elif kind == "word":
            line.move(visible(decoded(found["word"].encode("latin-1"))))
    return line.inside()


class _Variation:
    """The contents of one pair of parentheses."""

    def __init__(self) -> None:
        self._words: list[Markup | WrittenMove] = []
        self._last: WrittenMove | None = None

    def word(self, word: Markup) -> None:
        self._words.append(word)

    def move(self, san: str) -> None:
        # A separate symbol, such as an advantage sign, belongs to the move before it.
        nag = sign_nag(san.encode("utf-8").decode("latin-1")) if not san[0].isalnum() else 0
        if nag:
            self.sign(nag)
            return
        self._last = WrittenMove(san, [])
        self._words.append(self._last)

    def sign(self, nag: int) -> None:
        if self._last is not None and nag and nag not in self._last.nags:
            self._last.nags.append(nag)

    def inside(self) -> Markup:
        words = (word.signed() if isinstance(word, WrittenMove) else word for word in self._words)
        return Markup(" ").join(words)

    def markup(self) -> Markup:
        return Markup('<span class="variation">(%s)</span>') % self.inside()


def prose(comment: str) -> str:
    """Return the prose of a comment, without commands and without evaluations of engines.

    comment: bytes read as Latin-1.
    """
    words = _COMMAND.sub(" ", comment)
    if is_book(words):
        words = words.partition(",")[2]
    words = _MATCH.sub("", words, count=1) if _MATCH.match(words) else words
    if _OPTIONS.match(words):
        return ""
    items = words.split(",")
    if any(_KEYED.match(item) for item in items):
        words = ",".join(item for item in items if item.strip() and not _KEYED.match(item))
    return visible(worded(" ".join(words.split()).encode("latin-1")))


def _signs(numbers: list[int]) -> Markup:
    """Return the symbols of a move directly after it, and all others after a space."""
    of_the_move = Markup("").join(nags.text(nag) for nag in numbers if nag in nags.MOVE_NAGS)
    others = (Markup(" ") + _sign(nag) for nag in sorted(numbers) if nag not in nags.MOVE_NAGS)
    return of_the_move + Markup("").join(others)


def _sign(nag: int) -> Markup:
    if nag in _OTHERS:
        text, meaning = _OTHERS[nag]
        return Markup('<span title="%s">%s</span>') % (meaning, text)
    return Markup(nag_markup(nag))
