"""Rules beyond Fairy-Max's format. Each is a line ``# NAME WORDS`` directly below the pieces of a definition.

Fairy-Max skips these lines as comments, so it can still read the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain

from ..common.text import did_you_mean, shown

EVERYTHING = "all"  # stands for all letters in a line `# extinct`
MOST_CHECKS = 9  # a FEN has a single digit for the number
COUNTINGS = ("makruk", "cambodian", "asean")
HANDS = ("turn", "keep")  # turn: a promoted piece that is captured becomes a pawn again
STALEMATES = ("win", "lose", "fewer")  # the result of the side without a move; fewer: the side with fewer pieces wins
PERPETUALS = ("check",)  # a side that does this with every move of a repetition loses
SIDES = ("white", "black")
BOTH = "both"  # both sides may pass
PROMOTE_MARKS = ("must", "back", "captures")  # the words that may follow the pairs of a line ``promote``
BARES = ("lose", "lose reply", "draw")  # the result of a side that has only royal pieces left
MOST_GATED = 2
DROP_MARKS = ("single", "double", "nomate", "either")  # the words that may follow the ranks of a line ``drop``
RECURRENCE_WINS = (*SIDES, "win", "lose")  # in the last two, the side is the one whose move completes the recurrence
MOST_RECURRENCES = 9
_FILES = "abcdefghijklmnop"
_AREA = re.compile(r"([a-p])([1-9]\d?)(?:-([a-p])([1-9]\d?))?\Z", re.ASCII)
_LETTERS = re.compile(r"[A-Za-z]+\Z")
_NUMBER = re.compile(r"\d{1,2}\Z", re.ASCII)
_HALVES = re.compile(r"\d{1,3}(?:\.5)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Drop:
    """Where pieces of these letters may be dropped. Ranks count from 1, from the side's own view."""

    letters: str
    first: int
    last: int
    single: bool = False  # whether a side may not have two pieces of this kind on one file
    no_mate: bool = False  # whether the drop may not mate
    double: bool = False  # whether a side may not have three pieces of this kind on one file
    either: bool = False  # whether the piece may also be dropped as its promoted form

    def __str__(self) -> str:
        marks = zip(DROP_MARKS, (self.single, self.double, self.no_mate, self.either), strict=True)
        return " ".join([self.letters, f"{self.first}-{self.last}", *(word for word, is_set in marks if is_set)])


@dataclass(frozen=True, slots=True)
class Zone:
    """Squares of pieces of these letters: words such as ``d1`` or ``d1-f3``, from the side's own view.

    moves: in a line ``within``, the words of the moves that the pieces have there in addition.
    """

    letters: str
    areas: tuple[str, ...]
    moves: tuple[str, ...] = ()

    def bits(self, width: int, height: int, black: bool) -> int:
        """Return the squares on a board of this size, a1 as bit 0. Raises ValueError for squares outside it."""
        found = 0
        for area in self.areas:
            first_file, first, last_file, last = _corners(area)
            if last_file >= width or last > height:
                raise ValueError(f"expected squares up to {_FILES[width - 1]}{height}, found {area}")
            for rank in range(first - 1, last):
                row = height - 1 - rank if black else rank
                found |= ((1 << last_file + 1) - (1 << first_file)) << row * width
        return found

    def on_board(self, height: int, black: bool) -> str:
        """Return the squares by their names on a board of this height, for White or Black: ``d8-f10`` for ``d1-f3``."""
        if not black:
            return " ".join(self.areas)
        found = []
        for area in self.areas:
            first_file, first, last_file, last = _corners(area)
            low, high = f"{_FILES[first_file]}{height + 1 - last}", f"{_FILES[last_file]}{height + 1 - first}"
            found.append(low if low == high else f"{low}-{high}")
        return " ".join(found)

    def __str__(self) -> str:
        return " ".join([self.letters, *self.areas, *self.moves])


def _corners(area: str) -> tuple[int, int, int, int]:
    """Return (first file, first rank, last file, last rank); files count from 0, ranks from 1. Raises ValueError."""
    found = _AREA.match(area)
    if not found:
        raise ValueError(f"expected squares such as d1-f3, found {shown(area, 40)}")
    corners = (
        _FILES.index(found[1]),
        int(found[2]),
        _FILES.index(found[3] or found[1]),
        int(found[4] or found[2]),
    )
    if corners[0] > corners[2] or corners[1] > corners[3]:
        raise ValueError(f"expected the lower left square before the upper right one, found {area}")
    return corners


@dataclass(frozen=True)
class ExtraRules:
    """The rules that such lines state. Ranks count from 1, from the side's own view; in ``goals`` from White's view."""

    start: str = ""  # start position as the placement of a FEN, instead of back ranks and pawns
    homes: tuple[int, int] = (0, 0)  # pawns make initial moves from these ranks, whether they have moved or not
    castling: str = ""  # letter of the castling partner: the outermost such piece on the castling piece's rank
    free_castling: bool = False  # whether a piece that is not royal may castle out of, through and into attacks
    promotion: int = 0  # pawns may promote from this rank on, and must promote on the last rank
    limited: bool = False  # whether pawns promote only to captured pieces of their side
    own: bool = False  # whether pawns promote only to kinds in their side's array, to a royal piece only after its loss
    goals: tuple[int, int] = (0, 0)  # the ranks on which White's and Black's royal piece wins
    reply: bool = False  # whether Black's royal piece draws by reaching its goal directly after White's
    checks: int = 0  # number of checks that win the game
    no_checks: bool = False  # whether giving check is illegal
    capture: bool = False  # whether a side must capture if it can
    extinct: str = ""  # letters of pieces, or ``all``: a side with at most `extinct_at` of these pieces has won or lost
    extinct_wins: bool = False
    extinct_at: int = 0
    stalemate: str = ""  # one of STALEMATES; empty for a draw
    mate_wins: bool = False  # whether a side wins by being mated
    leap: str = ""  # letter of the piece that takes away a royal piece's initial moves by facing it, as check does
    counting: str = ""  # one of COUNTINGS, which replaces the 50-move rule
    counted: str = ""  # letters of the pieces that count as rook, khon and knight
    hand: str = ""  # one of HANDS: captured pieces change sides and wait to be dropped
    drops: tuple[Drop, ...] = ()  # restrictions of drops
    gate: str = ""  # letters of pieces in hand at the start, which enter on squares of the back rank that pieces leave
    bare: str = ""  # one of BARES; reply: a bare side draws by baring the other side with its next move
    explosion: bool = False  # whether a capture also removes the capturing piece and the pieces around it
    spared: str = ""  # letters of pieces that survive an explosion beside them
    zones: tuple[Zone, ...] = ()  # the squares that pieces may not leave
    within: tuple[Zone, ...] = ()  # moves that pieces have only inside an area, and that end inside it
    flying: bool = False  # whether royal pieces attack each other along an open file
    perpetual: str = ""  # one of PERPETUALS
    mirror: str = ""  # letters of pieces whose moves are mirrored for Black
    form_ranks: int = 0  # the ranks of the zone in which pieces promote, counted from the far side
    forms: tuple[tuple[str, str], ...] = ()  # (letter of a piece, letter of its promoted form)
    must_change: bool = False  # whether pieces must promote to their forms where they can
    turns_back: bool = False  # whether forms become the original pieces in the same way
    takes_to_change: bool = False  # whether only captures promote to forms
    recurrences: int = 0  # a position that occurs this often ends the game, even with captures and drops in between
    recurrence_wins: str = ""  # one of RECURRENCE_WINS; empty for a draw
    endless: bool = False  # whether the 50-move rule does not apply
    immune: str = ""  # letters of pieces that do not capture pieces with their own letter
    barrier: str = ""  # letters of pieces over which no piece hops
    passes: str = ""  # BOTH or one of SIDES: who may pass; two passes in a row end the game
    bikjang: bool = False  # whether royal pieces that face each other must be separated, or a pass ends the game
    points: tuple[tuple[str, int], ...] = ()  # (letter, half points): decide a game that has no other winner
    second_points: int | None = None  # half points that Black has in addition; None if points do not count
    aliases: tuple[tuple[str, str], ...] = ()  # (other letter that clients use, letter of the piece)

    def __bool__(self) -> bool:
        """Return whether the definition has any of these rules."""
        return self != NO_LAWS

    @property
    def are_beyond_xboard(self) -> bool:
        """Whether there is a rule that XBoard's protocol cannot express.

        The protocol can express start positions, and the promotions of each side's pawns by its table of pieces. The
        engine alone handles counting and restrictions of a royal piece's initial moves.
        """
        return replace(self, start="", own=False, leap="", counting="", counted="", aliases=()) != NO_LAWS

    def letter(self, letter: str) -> str:
        """Return a piece's lower-case letter for this letter, or for an alias that clients use."""
        return dict(self.aliases).get(letter.lower(), letter.lower())

    @property
    def needs_royals(self) -> bool:
        """Whether each side must have a royal piece."""
        return not self.extinct

    def _promotion_words(self) -> list[str]:
        return ["limited"] * self.limited + ["own"] * self.own

    def _promote_words(self) -> str:
        marks = zip(PROMOTE_MARKS, (self.must_change, self.turns_back, self.takes_to_change), strict=True)
        pairs = ["=".join(pair) for pair in self.forms]
        return " ".join([str(self.form_ranks), *pairs, *(word for word, is_set in marks if is_set)])

    def lines(self) -> list[str]:
        """Return the lines of a definition file that state these rules."""
        found = [
            ("start", self.start),
            ("pawns", f"{self.homes[0]}-{self.homes[1]}" if self.homes[0] else ""),
            ("castling", f"{self.castling}{' free' if self.free_castling else ''}".strip()),
            ("promotion", " ".join(filter(None, (str(self.promotion or ""), *self._promotion_words())))),
            ("goal", f"{self.goals[0]} {self.goals[1]}{' reply' if self.reply else ''}" if any(self.goals) else ""),
            ("checks", str(self.checks or "")),
            ("nocheck", self.no_checks),
            ("capture", self.capture),
            ("extinct", f"{'win' if self.extinct_wins else 'lose'} {self.extinct} {self.extinct_at or ''}".rstrip()),
            ("stalemate", self.stalemate),
            ("mate", "win" if self.mate_wins else ""),
            ("leap", self.leap),
            ("counting", f"{self.counting} {' '.join(self.counted)}".strip()),
        ]
        if not self.extinct:
            found = [row for row in found if row[0] != "extinct"]
        found += [("hand", self.hand), *(("drop", str(drop)) for drop in self.drops)]
        found += [("gate", self.gate), ("bare", self.bare)]
        found += [("explosion", self.spared or True)] * self.explosion
        found += [("zone", str(zone)) for zone in self.zones]
        found += [("within", str(zone)) for zone in self.within]
        found += [("flying", self.flying), ("mirror", self.mirror)]
        found += [("promote", self._promote_words())] * bool(self.forms)
        found += [("repetition", f"{self.recurrences or ''} {self.recurrence_wins}".strip())]
        found += [("perpetual", self.perpetual), ("endless", self.endless)]
        found += [("immune", self.immune), ("barrier", self.barrier)]
        found += [("pass", (self.passes != BOTH and self.passes) or bool(self.passes)), ("bikjang", self.bikjang)]
        if self.second_points is not None:
            pairs = [f"{letter}={halves_text(halves)}" for letter, halves in self.points]
            found += [("points", " ".join([halves_text(self.second_points), *pairs]))]
        found += [("alias", " ".join("=".join(pair) for pair in self.aliases))]
        return [f"# {name}{'' if text is True else f' {text}'}" for name, text in found if text]


NO_LAWS = ExtraRules()


def halves_text(halves: int) -> str:
    """Return a number of half points as points: ``1.5`` for 3."""
    return f"{'-' * (halves < 0)}{abs(halves) // 2}{'.5' * (halves % 2)}"


def is_law(words: list[str]) -> bool:
    """Return whether the words of a line after its ``#`` state such a rule."""
    return bool(words) and words[0] in _READERS


def meant(words: list[str]) -> str:
    """Return the name of the rule that a misplaced or misspelt comment probably states, or an empty text."""
    from difflib import get_close_matches

    for name in get_close_matches(words[0].lower(), _READERS, 1, 0.75) if words else ():
        with contextlib.suppress(ValueError):
            _READERS[name](words[1:])
            return name
    return ""


def with_law(extra: ExtraRules, words: list[str]) -> ExtraRules:
    """Add one rule to these rules. Raises ValueError, whose message says what was expected."""
    changes = _READERS[words[0]](words[1:])
    for several in ("drops", "zones", "within"):  # one line of the file for each set of letters
        if several in changes:
            changes = {several: getattr(extra, several) + changes[several]}
            return replace(extra, **changes)  # type: ignore[arg-type]
    names = {field.name: field.default for field in fields(ExtraRules)}
    if any(getattr(extra, name) != names[name] for name in changes):
        raise ValueError(f"expected one line {words[0]}, found two")
    return replace(extra, **changes)  # type: ignore[arg-type]


# The words that the rules know, for suggestions.
_WORDS = {
    "castling": ("free",),
    "promotion": ("limited", "own"),
    "goal": ("reply",),
    "extinct": ("win", "lose", EVERYTHING),
    "stalemate": STALEMATES,
    "mate": ("win",),
    "counting": COUNTINGS,
    "hand": HANDS,
    "drop": DROP_MARKS,
    "bare": ("lose", "reply", "draw"),
    "promote": PROMOTE_MARKS,
    "perpetual": PERPETUALS,
    "repetition": RECURRENCE_WINS,
    "pass": SIDES,
}


def advice(words: list[str]) -> str:
    """Return ``; did you mean X?`` for a rule's word that is misspelt, or an empty text."""
    known = _WORDS.get(words[0], ())
    return next(filter(None, (did_you_mean(word, known) for word in words[1:] if word not in known)), "")


def _found(words: list[str]) -> str:
    return f"found {shown(' '.join(words), 40)}" if words else "found nothing"


def _any_of(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _rank(text: str) -> int:
    return int(text) if _NUMBER.match(text) else 0


def _start(words: list[str]) -> dict[str, object]:
    if len(words) != 1:
        raise ValueError(f"expected the placement of a FEN without further fields, {_found(words)}")
    return {"start": words[0]}


def _pawns(words: list[str]) -> dict[str, object]:
    first, _, last = words[0].partition("-") if len(words) == 1 else ("", "", "")
    if not 1 <= _rank(first) <= _rank(last):
        raise ValueError(f"expected ranks such as 1-2, {_found(words)}")
    return {"homes": (_rank(first), _rank(last))}


def _castling(words: list[str]) -> dict[str, object]:
    free = words[-1:] == ["free"]
    letters = words[:-1] if free else words
    if len(letters) > 1 or not words or any(not _LETTERS.match(word) or len(word) > 1 for word in letters):
        raise ValueError(f"expected the letter of a piece, free, or both, {_found(words)}")
    return {"castling": letters[0] if letters else "", "free_castling": free}


def _promotion(words: list[str]) -> dict[str, object]:
    ranks = [word for word in words if _rank(word)]
    marks = words[len(ranks) :]  # a rank among these words is an error of the author
    if not words or len(ranks) > 1 or len(set(marks)) < len(marks) or not set(marks) <= {"limited", "own"}:
        raise ValueError(f"expected a rank, limited or own, {_found(words)}")
    return {"promotion": _rank(ranks[0]) if ranks else 0, "limited": "limited" in marks, "own": "own" in marks}


def _goal(words: list[str]) -> dict[str, object]:
    reply = words[-1:] == ["reply"]
    ranks = words[:-1] if reply else words
    if len(ranks) != 2 or not all(map(_rank, ranks)):
        raise ValueError(f"expected two ranks such as 8 1, {_found(words)}")
    return {"goals": (_rank(ranks[0]), _rank(ranks[1])), "reply": reply}


def _checks(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or not 1 <= _rank(words[0]) <= MOST_CHECKS:
        raise ValueError(f"expected a number of checks from 1 to {MOST_CHECKS}, {_found(words)}")
    return {"checks": _rank(words[0])}


def _extinct(words: list[str]) -> dict[str, object]:
    left = words[2] if len(words) == 3 else "0"
    if len(words) not in (2, 3) or words[0] not in ("win", "lose") or not _NUMBER.match(left):
        raise ValueError(f"expected win or lose, letters of pieces or {EVERYTHING}, and a number, {_found(words)}")
    if not _LETTERS.match(words[1]):
        raise ValueError(f"expected letters of pieces or {EVERYTHING}, {_found(words[1:2])}")
    return {"extinct_wins": words[0] == "win", "extinct": words[1], "extinct_at": int(left)}


def _stalemate(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or words[0] not in STALEMATES:
        raise ValueError(f"expected {', '.join(STALEMATES[:-1])} or {STALEMATES[-1]}, {_found(words)}")
    return {"stalemate": words[0]}


def _mate(words: list[str]) -> dict[str, object]:
    if words != ["win"]:
        raise ValueError(f"expected win, {_found(words)}")
    return {"mate_wins": True}


def _leap(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or len(words[0]) != 1 or not _LETTERS.match(words[0]):
        raise ValueError(f"expected the letter of a piece, {_found(words)}")
    return {"leap": words[0]}


def _counting(words: list[str]) -> dict[str, object]:
    letters = "".join(words[1:])
    if len(words) != 4 or words[0] not in COUNTINGS or len(letters) != 3 or not _LETTERS.match(letters):
        kinds = f"{', '.join(COUNTINGS[:-1])} or {COUNTINGS[-1]}"
        raise ValueError(f"expected {kinds}, then the letters of rook, khon and knight, {_found(words)}")
    return {"counting": words[0], "counted": letters}


def _hand(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or words[0] not in HANDS:
        raise ValueError(f"expected {' or '.join(HANDS)}, {_found(words)}")
    return {"hand": words[0]}


def _drop(words: list[str]) -> dict[str, object]:
    first, _, last = words[1].partition("-") if len(words) > 1 else ("", "", "")
    marks = words[2:]
    if not words or not _LETTERS.match(words[0]) or not 1 <= _rank(first) <= _rank(last):
        raise ValueError(f"expected letters of pieces and ranks such as p 2-7, {_found(words)}")
    if len(set(marks)) < len(marks) or not set(marks) <= set(DROP_MARKS):
        raise ValueError(f"expected {_any_of(DROP_MARKS)} behind the ranks, {_found(marks)}")
    if {"single", "double"} <= set(marks):
        raise ValueError("expected single or double, found both")
    stated = {"single": "single" in marks, "double": "double" in marks}
    drop = Drop(words[0], _rank(first), _rank(last), no_mate="nomate" in marks, either="either" in marks, **stated)
    return {"drops": (drop,)}


def _gate(words: list[str]) -> dict[str, object]:
    letters = words[0].lower() if len(words) == 1 else ""
    if not _LETTERS.match(letters) or not len(set(letters)) == len(letters) <= MOST_GATED:
        raise ValueError(f"expected one or two different letters of pieces such as he, {_found(words)}")
    return {"gate": words[0]}


def _bare(words: list[str]) -> dict[str, object]:
    if " ".join(words) not in BARES:
        raise ValueError(f"expected {_any_of(BARES)}, {_found(words)}")
    return {"bare": " ".join(words)}


def _explosion(words: list[str]) -> dict[str, object]:
    if len(words) > 1 or any(not _LETTERS.match(word) for word in words):
        raise ValueError(
            f"expected letters of the pieces that survive beside it, or the end of the line, {_found(words)}"
        )
    return {"explosion": True, "spared": "".join(words)}


def _zone(words: list[str]) -> dict[str, object]:
    if len(words) < 2 or not _LETTERS.match(words[0]):
        raise ValueError(f"expected letters of pieces and squares such as k d1-f3, {_found(words)}")
    for area in words[1:]:
        _corners(area)
    return {"zones": (Zone(words[0], tuple(words[1:])),)}


def _within(words: list[str]) -> dict[str, object]:
    count = next((at for at, word in enumerate(words[1:]) if not _AREA.match(word)), len(words) - 1)
    areas, moves = words[1 : count + 1], words[count + 1 :]
    if not words or not _LETTERS.match(words[0]) or not areas or not moves:
        raise ValueError(f"expected letters of pieces, squares and moves such as p a5-h8 sW, {_found(words)}")
    for area in areas:
        _corners(area)
    return {"within": (Zone(words[0], tuple(areas), tuple(moves)),)}


def _flying(words: list[str]) -> dict[str, object]:
    if words:
        raise ValueError(f"expected the end of the line, {_found(words)}")
    return {"flying": True}


def _perpetual(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or words[0] not in PERPETUALS:
        raise ValueError(f"expected {' or '.join(PERPETUALS)}, {_found(words)}")
    return {"perpetual": words[0]}


def _alias(words: list[str]) -> dict[str, object]:
    pairs = [(word[:1], word[2:]) for word in words if word[1:2] == "=" and len(word) == 3]
    others = [other.lower() for other, _ in pairs]
    is_right = all(_LETTERS.match(other + own) for other, own in pairs) and len(set(others)) == len(others)
    if not words or len(pairs) < len(words) or not is_right:
        raise ValueError(f"expected other letters of pieces such as h=n e=b, {_found(words)}")
    return {"aliases": tuple((other.lower(), own.lower()) for other, own in pairs)}


def _mirror(words: list[str]) -> dict[str, object]:
    if len(words) != 1 or not _LETTERS.match(words[0]):
        raise ValueError(f"expected letters of pieces such as gs, {_found(words)}")
    return {"mirror": words[0]}


def _promote(words: list[str]) -> dict[str, object]:
    pairs = [(word[:1].lower(), word[2:].lower()) for word in words[1:] if word[1:2] == "=" and len(word) == 3]
    letters = [letter for letter, _ in pairs]
    marks = words[1 + len(pairs) :]
    is_right = all(map(_LETTERS.match, chain.from_iterable(pairs))) and len(set(letters)) == len(letters)
    if not words or not _rank(words[0]) or not pairs or not is_right or any("=" in mark for mark in marks):
        raise ValueError(
            f"expected the number of ranks, then pieces and what they become such as 3 r=d, {_found(words)}"
        )
    if len(set(marks)) < len(marks) or not set(marks) <= set(PROMOTE_MARKS):
        raise ValueError(f"expected {_any_of(PROMOTE_MARKS)} behind the pieces, {_found(marks)}")
    stated = {"must_change": "must" in marks, "turns_back": "back" in marks, "takes_to_change": "captures" in marks}
    return {"form_ranks": _rank(words[0]), "forms": tuple(pairs), **stated}


def _letters_only(name: str) -> Callable[[list[str]], dict[str, object]]:
    """Return the reader of a line that consists of letters of pieces."""

    def read(words: list[str]) -> dict[str, object]:
        if len(words) != 1 or not _LETTERS.match(words[0]):
            raise ValueError(f"expected letters of pieces such as c, {_found(words)}")
        return {name: words[0]}

    return read


def _pass(words: list[str]) -> dict[str, object]:
    if len(words) > 1 or not set(words) <= set(SIDES):
        raise ValueError(f"expected white, black or the end of the line, {_found(words)}")
    return {"passes": words[0] if words else BOTH}


def _bikjang(words: list[str]) -> dict[str, object]:
    if words:
        raise ValueError(f"expected the end of the line, {_found(words)}")
    return {"bikjang": True}


def _points(words: list[str]) -> dict[str, object]:
    pairs = [(letter.lower(), number) for letter, _, number in (word.partition("=") for word in words[1:])]
    letters = [letter for letter, _ in pairs]
    is_right = all(len(letter) == 1 and _LETTERS.match(letter) and _HALVES.match(number) for letter, number in pairs)
    if not words or not _HALVES.match(words[0].removeprefix("-")) or not is_right or len(set(letters)) < len(letters):
        what = "Black's additional points, then pieces with their points such as 1.5 r=13 p=2"
        raise ValueError(f"expected {what}, {_found(words)}")
    halves = [round(2 * float(number)) for number in (words[0], *(number for _, number in pairs))]
    return {"second_points": halves[0], "points": tuple(zip(letters, halves[1:], strict=True))}


def _repetition(words: list[str]) -> dict[str, object]:
    is_known = set(words[1:]) <= set(RECURRENCE_WINS)
    if len(words) not in (1, 2) or not 2 <= _rank(words[0]) <= MOST_RECURRENCES or not is_known:
        what = f"a number of occurrences from 2 to {MOST_RECURRENCES}, and {_any_of(RECURRENCE_WINS)}"
        raise ValueError(f"expected {what}, {_found(words)}")
    return {"recurrences": _rank(words[0]), "recurrence_wins": words[1] if words[1:] else ""}


def _endless(words: list[str]) -> dict[str, object]:
    if words:
        raise ValueError(f"expected the end of the line, {_found(words)}")
    return {"endless": True}


def _no_checks(words: list[str]) -> dict[str, object]:
    if words:
        raise ValueError(f"expected the end of the line, {_found(words)}")
    return {"no_checks": True}


def _capture(words: list[str]) -> dict[str, object]:
    if words:
        raise ValueError(f"expected the end of the line, {_found(words)}")
    return {"capture": True}


_READERS = {
    "start": _start,
    "pawns": _pawns,
    "castling": _castling,
    "promotion": _promotion,
    "goal": _goal,
    "checks": _checks,
    "nocheck": _no_checks,
    "capture": _capture,
    "extinct": _extinct,
    "stalemate": _stalemate,
    "mate": _mate,
    "leap": _leap,
    "counting": _counting,
    "hand": _hand,
    "drop": _drop,
    "gate": _gate,
    "bare": _bare,
    "explosion": _explosion,
    "zone": _zone,
    "within": _within,
    "flying": _flying,
    "perpetual": _perpetual,
    "mirror": _mirror,
    "promote": _promote,
    "repetition": _repetition,
    "endless": _endless,
    "immune": _letters_only("immune"),
    "barrier": _letters_only("barrier"),
    "pass": _pass,
    "bikjang": _bikjang,
    "points": _points,
    "alias": _alias,
}
