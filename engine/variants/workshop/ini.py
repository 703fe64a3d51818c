"""Fairy-Stockfish's files of variants (``variants.ini``): sections, inheritance, and the names of pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...common.errors import DefinitionError
from ...common.text import did_you_mean, shown
from ..betza_reader import rays_of
from ..definition import Ray

# The names of pieces in Fairy-Stockfish with their moves in Betza's notation, as its variants.ini documents them.
PIECES = {
    "pawn": "fmWfceF",
    "knight": "N",
    "bishop": "B",
    "rook": "R",
    "queen": "Q",
    "fers": "F",
    "alfil": "A",
    "fersAlfil": "FA",
    "silver": "FfW",
    "aiwok": "RNF",
    "bers": "RF",
    "archbishop": "BN",
    "chancellor": "RN",
    "amazon": "QN",
    "knibis": "mNcB",
    "biskni": "mBcN",
    "kniroo": "mNcR",
    "rookni": "mRcN",
    "shogiPawn": "fW",
    "lance": "fR",
    "shogiKnight": "fN",
    "gold": "WfF",
    "dragonHorse": "BW",
    "clobber": "cW",
    "breakthrough": "fmWfF",
    "immobile": "",
    "cannon": "mRcpR",
    "janggiCannon": "pR",
    "soldier": "fsW",
    "horse": "nN",
    "elephant": "nA",
    "janggiElephant": "nZ",
    "banner": "RcpRnN",
    "wazir": "W",
    "commoner": "K",
    "centaur": "KN",
    "king": "K",
}
MOST_CUSTOM = 25
_CUSTOM = re.compile(r"customPiece([1-9]|1\d|2[0-5])\Z")
_TITLE = re.compile(r"\[([^\[\]:\s]+)(?::([^\[\]:\s]+))?\]")
_FOREIGN = re.compile(r"[ajiotyz]|n[HGC]|([DAHCZG])(\1|\d)")
_TERM = re.compile(r"([a-z]*)([A-Z])(\2|\d{0,2})")
# Keys that each stand for two keys, White's and Black's.
BOTH_SIDES = (
    *("promotionPawnTypes", "promotionPieceTypes", "enPassantRegion", "enPassantTypes", "nMoveRuleTypes"),
    *("flagPiece", "flagRegion", "pass", "passOnStalemate", "dropRegion", "promotionRegion", "doubleStepRegion"),
)

PROMOTIONS = ("promotionPieceTypesWhite", "promotionPieceTypesBlack")
USUAL_PROMOTIONS = "nbrq"


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of a key, and the number of its line; 0 for a value that a built-in variant has.

    blanks: those that follow the value in its line.
    """

    value: str
    line: int
    blanks: str = ""

    @property
    def written(self) -> str:
        return self.value + self.blanks


@dataclass
class Section:
    """A variant with the keys of its ancestors.

    pieces: (name, moves) by letter. line: number of the line with the title.
    """

    name: str
    line: int
    description: str = ""
    pieces: dict[str, tuple[str, Entry]] = field(default_factory=dict)
    keys: dict[str, Entry] = field(default_factory=dict)
    mistakes: list[tuple[int, str]] = field(default_factory=list)  # (line, message), such as an unknown parent

    def child(self, name: str, line: int, description: str) -> Section:
        mistakes = [(line, f"the parent {shown(self.name, 40)} has a mistake")] if self.mistakes else []
        return Section(name, line, description, dict(self.pieces), dict(self.keys), mistakes)

    def put(self, key: str, entry: Entry) -> None:
        """Set a key like a line of the file: a value replaces the old value, a piece the piece with its letter."""
        if key in PIECES or _CUSTOM.match(key):
            self._put_piece(key, entry)
        elif key in BOTH_SIDES:
            self.keys[f"{key}White"] = self.keys[f"{key}Black"] = entry
        else:
            self.keys[key] = entry

    def _put_piece(self, key: str, entry: Entry) -> None:
        before = next((letter for letter, known in self.pieces.items() if known[0] == key), "")
        self.pieces = {letter: known for letter, known in self.pieces.items() if known[0] != key}
        letter, colon, moves = entry.value.partition(":")
        letter, moves = letter.strip().lower(), moves.strip()
        if letter == "-":
            return
        if len(letter) != 1 or not letter.isalpha() or not letter.isascii():
            self.mistakes.append((entry.line, f"{key}: expected one letter, found {shown(entry.value, 40)}"))
            return
        if colon and key != "king" and not _CUSTOM.match(key):
            self.mistakes.append((entry.line, f"{key}: expected moves only for king and customPiece1 to {MOST_CUSTOM}"))
        # Inherited promotions are to pieces, not letters: those to this piece remain, those to the former one end.
        for promotions in PROMOTIONS if before != letter else ():
            inherited = self.keys.get(promotions, Entry(USUAL_PROMOTIONS, 0))
            if inherited.line < self.line:
                kept = inherited.value.lower().replace(letter, "")
                self.keys[promotions] = replace(inherited, value=kept.replace(before, letter) if before else kept)
        self.pieces[letter] = (key, replace(entry, value=moves if colon else PIECES.get(key, "")))


def sections(
    text: str, name: str, parent: Callable[[str], Section | None], known: Sequence[str] = ()
) -> tuple[list[Section], list[str]]:
    """Return the sections of a file in order, and the mistakes of its lines, as messages.

    name: the file's name, for messages. parent: a function that returns a built-in variant by its name, or None.
    known: names of built-in variants, for suggestions. Raises DefinitionError if the text has no section.
    """
    found: dict[str, Section] = {}
    mistakes: list[str] = []
    current: Section | None = None
    comment = ""
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(("#", ";")):
            said = line.lstrip("#; ")
            comment = comment or (said if not said.startswith("http") and "= " not in said else "") if line else ""
            continue
        title = _TITLE.match(line)
        key, equals, value = (part.strip() for part in raw.partition("="))
        if title:
            current = _opened(title, number, comment, found, parent, known)
            found[title[1]] = current
        elif current is None or not equals or not key or line.startswith("["):
            is_section = current is None or line.startswith("[")
            expected = "a section such as [mine:chess]" if is_section else "KEY = VALUE"
            current = Section("", number) if line.startswith("[") else current  # its keys belong to no other section
            mistakes.append(f"{name}:{number}:1: expected {expected}, found {shown(line, 40)}")
        elif value:  # Fairy-Stockfish ignores a key without a value, and a line that begins with a blank
            current.put(key, Entry(value, number, raw[len(raw.rstrip()) :]))
        if current is not None and raw[0].isspace():
            what = f"expected {shown(title[0] if title else key, 40)} at the beginning of the line, found blanks"
            current.mistakes.append((number, what))
        comment = ""
    if not found:
        raise DefinitionError(f"{name}:1:1: expected a section such as [mine:chess], found none in the file")
    return list(found.values()), mistakes


def _opened(  # noqa: PLR0917
    title: re.Match[str],
    line: int,
    comment: str,
    found: Mapping[str, Section],
    parent: Callable[[str], Section | None],
    known: Sequence[str],
) -> Section:
    if not title[2]:  # the game begins without pieces, and so without pieces to which pawns promote
        return Section(title[1], line, comment, keys=dict.fromkeys(PROMOTIONS, Entry("-", 0)))
    above = found.get(title[2]) or parent(title[2])
    if above is not None:
        return above.child(title[1], line, comment)
    hint = did_you_mean(title[2], [*found, *known], 0.8)
    games = "a section above this one, or a game that Fairy-Stockfish and Standstill both have"
    mistake = f"expected a parent that is {games}, found {shown(title[2], 40)}{hint}"
    return Section(title[1], line, comment, mistakes=[(line, mistake)])


def is_foreign(text: str) -> bool:
    """Return whether moves in Betza's notation have parts that Fairy-Stockfish does not read, or reads otherwise.

    Fairy-Stockfish has no paths, cylinders and initial leaps, and of leapers only wazir, ferz and knight can ride.
    """
    return bool(_FOREIGN.search(text))


def rays_as_there(text: str, pawn: bool = False) -> tuple[Ray, ...]:
    """Return the rays of moves in Betza's notation as Fairy-Stockfish reads it: directions before K and Q mean both
    halves, which our own notation refuses. Raises ValueError for moves that rays cannot express.
    """
    parts = []
    at = 0
    while at < len(text):
        found = _TERM.match(text, at)
        if not found or found[2] == "O":
            raise ValueError(f"expected moves in Betza's notation, found {shown(text[at:], 40)}")
        halves = {"K": ("W", "F"), "Q": ("R", "B")}.get(found[2], ()) if set(found[1]) & set("fblrsv") else ()
        parts += [f"{found[1]}{half}{found[3]}" for half in halves] if halves else [found[0]]
        at = found.end()
    return rays_of("".join(parts), pawn)
