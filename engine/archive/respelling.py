# ruff: noqa: RUF001 (the letters of other alphabets look like Latin ones)
"""Respells the moves of a game that the core's reader does not understand.

People write figurines, the piece letters of their language, ICCF's numbers, dashes and typographic signs, and omit
spaces. Many write piece letters in lower case, and put a parenthesis behind the number of a move. A new spelling has
the same length as the old one, so that offsets in the text remain valid. A new spelling is a guess until the core has
played the whole game with it. A word with an unknown part is never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from standstill.cext.bindings.pgn_games import move_words, tokens

from ..variants.notation import FILES
from .pgn import decoded

# The letters of pawn, knight, bishop, rook, queen and king in the languages of the standard (Portable Game Notation
# Specification, 8.2.3.1), and in others whose players write such files. Languages that share letters are read in the
# same way.
_LANGUAGES: dict[str, Sequence[str]] = {
    "German or Scandinavian": "BSLTDK",
    "Italian or Spanish": "PCATDR",
    "French": "PCFTDR",
    "Dutch": "OPLTDK",
    "Portuguese": "PCBTDR",
    "Polish": "PSGWHK",
    "Czech": "PJSVDK",
    "Hungarian": "GHFBVK",
    "Romanian": "PCNTDR",
    "Finnish": "PRLTDK",
    "Estonian": "PROVLK",
    "Icelandic": "PRBHDK",
    "Russian": ("П", "К", "С", "Л", "Ф", "Кр"),
    "Ukrainian": ("П", "К", "С", "Т", "Ф", "Кр"),
    "Bulgarian": "ПКОТДЦ",
    "Serbian": "ПСЛТДК",
    "Greek": "ΣΙΑΠΒΡ",
    "Turkish": "PAFKVŞ",
    "Lithuanian": "PŽRBVK",
    "Latvian": "PZLTDK",
}
# Files that are not in UTF-8 are decoded as Latin-1, so the letters of another code page look like these letters.
_PAGES = {"Russian": 1251, "Ukrainian": 1251, "Bulgarian": 1251, "Serbian": 1251, "Greek": 1253, "Turkish": 1254}
_IN_PAGES = {
    f"{name} in Windows-{page}": [letter.encode(f"cp{page}").decode("latin-1") for letter in _LANGUAGES[name]]
    for name, page in _PAGES.items()
}
_ENGLISH = "PNBRQK"
# White's figurines, then Black's.
_FIGURINES = dict(zip("♙♘♗♖♕♔♟♞♝♜♛♚", _ENGLISH * 2, strict=True))
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # variation selectors, which choose a figurine in text or emoji style

_DASH = r"\-\u2010-\u2015\u2212"
# Cyrillic letters that are typed for the Latin letters of a move, because they look the same.
_ALIKE = str.maketrans("асехО\u00d7", "acexOx")
_CIRCLES = str.maketrans("o0О", "OOO")
_FILE = "[a-hасе]"
_TAKES = f"[xх:\u00d7{_DASH}]"
# A letter, in any alphabet. The Russian king has two letters; the second is \xf0 in Windows code page 1251.
_LETTER = "[^\\W\\d_a-zасе]"
_MAN = f"(?:{_LETTER}[р\xf0]?|[{''.join(_FIGURINES)}][{_VARIATION_SELECTORS}]?)"
_BLANK = r"[\s\u200b\u2060\ufeff]*"
# A move in a word, with the number before it, and with the signs after it, which may be any other characters.
_MOVE = re.compile(
    rf"(?P<before>{_BLANK}(?:\d+(?:[.:]+|\u2026)|[1-9]\d*-?|\.+|\u2026)?{_BLANK})"
    rf"(?:(?P<castling>[OoО0][{_DASH}]?[OoО0](?:[{_DASH}]?[OoО0])?)|(?<!\d)(?P<numeric>[1-8]{{4}}[1-4]?)(?!\d)"
    rf"|(?P<man>{_MAN})?(?P<squares>{_FILE}?[1-8]?{_TAKES}?{_FILE}[1-8]|{_FILE}[xх:\u00d7]?{_FILE}(?![a-h1-8]))"
    rf"(?P<becomes>(?<=[18])(?:[=/]?(?:{_MAN}|[nbrq])|/(?:{_MAN}|[nbrq])/)|(?<=[a-hасе])[=/]?(?:{_MAN}|[nrq]))?)"
    rf"(?P<sign>(?:TN|N(?![a-h1-8])|e\.?p\.?|[^\w\s{''.join(_FIGURINES)}])*{_BLANK})"
)
# A promotion in parentheses after a pawn's move, which the core would take for a variation. After other moves it may be
# a D that marks a diagram.
_PAWN_TO_LAST_RANK = re.compile(rb"[a-h][1-8x:a-h-]*[18]")
_IN_PARENTHESES = re.compile(rb"\((?:[A-Za-z]|\xe2\x99[\x94-\x9f](?:\xef\xb8[\x8e\x8f])?)\)")
_NO_MOVE = re.compile(r"e\.?p\.?|e\.|p\.|\d+(?:\u2026|:|-)|,|--|Z0|0000|@@@@")
_NOVELTY = re.compile(r"T?N|D")
# The text after an N or D that marks a novelty or a diagram. An N or D that is a piece letter, separated by a space, is
# followed by a square instead.
_BEHIND_NOVELTY = re.compile(rb"\s*(?:\d+\s*\.|[({;$!?*)]|1-0|0-1|1/2|$|[A-Z]|\xe2\x99|0-0)")
_JOINED = re.compile(rb"\s+(?=[a-hx][a-h1-8x])")  # the gap between a lone letter and a word that may complete its move
_NUMBER_BEFORE = re.compile(rb"(?:(?<![a-h])\d|\.)\s*$")
# The beginning of a game whose move numbers are 1) or 1.), and its move numbers. Comments match first, so that numbers
# inside them are skipped.
_PARENTHESIS_FIRST = re.compile(rb"\s*\d+\.*\)")
_PARENTHESIS = re.compile(rb"\{[^}]*\}|;[^\r\n]*|(?<![^\s(,;)}])(\d+\.*)\)")
# Other signs behind a move number, and an ellipsis before a move. In "1- 0" the 1- begins a result, not a move.
_OTHER_NUMBERS = re.compile(
    rb"\{[^}]*\}|;[^\r\n]*|(?<![^\s(,;)}])"
    rb"((?:[1-9]\d*)?\.*(?=\xe2\x80\xa6)|[1-9]\d*(?=[:-]))(?:(?:\xe2\x80\xa6)+|:+|-(?!\s*0))(?=[\sA-Za-z+@]|$)"
)
# Signs directly behind a move that is not in SAN: no letters and figurines, which may name a piece.
_BEHIND_MOVE = re.compile(
    rf"(?<=\w)(?:[!?.,]|[=/+-]{{2,}}|[^\w\s\x00-\x7f{''.join(_FIGURINES)}{_VARIATION_SELECTORS}])+$"
)
# A piece letter in lower case, alone or before a part of its origin: a letter that is not a file, or may be a pawn's.
_LOWER = re.compile(rb"(?:\d+[.:]+|\.+)?([i-z]|[a-h](?![1-8]))[a-h]?[1-8]?[x:-]?[a-h][1-8](?![a-h1-8])")
_LOWER_CASE = " in lower case"


@dataclass(slots=True)
class Spelling:
    """A movetext in English letters, read as if it were written in ``language``.

    places: for each offset of a move in ``body``, (start, end, end with signs) of the move in the original text.
    stop: the start of the first word that is not a move in this language; ``body`` is valid up to it. None if all words
    are moves. joined: alternative readings, in which a novelty sign is the piece letter of the next word's move.
    """

    body: bytes
    language: str
    places: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    stop: int | None = None
    joined: list[Spelling] = field(default_factory=list)
    doubtful: list[tuple[int, bytes]] = field(default_factory=list)  # for games in lower case, see `lower_case`

    def original(self, text: bytes, plies: int | None) -> bytes:
        """Return the word of ``text`` that follows ``plies`` moves; for None, the word at ``stop``."""
        if plies is None:
            words = move_words(text, 0, len(text))
            return next((text[first:last] for first, last in words if first == self.stop), b"")
        first, last = move_words(self.body, 0, len(self.body))[plies]
        start, _, end = self.places.get(first, (first, last, last))
        return text[start:end]


_MAN_LETTER = re.compile(r"(?<![A-Za-z])(?!O-)[A-Z](?=[a-h1-8x:-])|(?<==)[A-Z]")
_COUNT = re.compile(r"\d+(\.+)")


class Letters:
    """The piece letters of a game, for moves that are added to it. Text in UTF-8 or Latin-1 is handled as Latin-1."""

    def __init__(self, language: str = "English", moves: str = ""):
        """moves: the text of the game's moves, which may contain figurines."""
        letters = _IN_PAGES.get(language) or [
            letter.encode().decode("latin-1") for letter in _LANGUAGES.get(language.removesuffix(_LOWER_CASE), _ENGLISH)
        ]
        self.is_lower_case = language.endswith(_LOWER_CASE)
        self._letters = dict(zip(_ENGLISH, letters, strict=True))
        self._english = {foreign: letter for letter, foreign in self._letters.items()}
        self._foreign = None if "".join(letters).isascii() else _letters_of(letters)
        figurines = [figurine.encode().decode("latin-1") for figurine in _FIGURINES]
        self._figurines = [dict(zip(_ENGLISH, figurines[at : at + 6], strict=True)) for at in (0, 6)]
        used = [any(figurine in moves for figurine in kind.values()) for kind in self._figurines]
        if any(used):
            # Many publications use White's figurines for both sides.
            self._figurines = [self._figurines[not used[0]], self._figurines[used[1]]]
        else:
            self._figurines = []

    def spelled(self, line: str) -> str:
        """Convert moves with their numbers from English letters to those of the game."""
        if self._letters == self._english and not self._figurines:
            return _lowered(line) if self.is_lower_case else line
        words, black = [], False
        for word in line.split(" "):
            if count := _COUNT.fullmatch(word):
                black = len(count[1]) > 1
                words.append(word)
                continue
            words.append(_exchanged(word, self._figurines[black] if self._figurines else self._letters))
            black = not black
        return " ".join(words)

    def english(self, text: str) -> str:
        """Convert the piece letters in a text to English."""
        for kind in self._figurines:
            for letter, figurine in kind.items():
                text = text.replace(figurine, letter)
        if self._foreign is not None:
            return self._foreign.sub(lambda found: self._english[found[0]], text)
        return _exchanged(text, self._english)

    def readings(self, word: str) -> list[str]:
        """Return a move in English letters. In a game in lower case, a first letter may be a piece, too."""
        found = [self.english(word)]
        if self.is_lower_case and "a" <= word[:1] <= "z":
            found.append(self.english(word[0].upper() + word[1:]))
        return found


def _letters_of(letters: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for piece letters outside ASCII, the longest first."""
    each = "|".join(sorted(letters, key=len, reverse=True))
    return re.compile(rf"(?<![A-Za-z])(?:{each})(?=[a-h1-8x:-])|(?<==)(?:{each})")


def _lowered(line: str) -> str:
    return _MAN_LETTER.sub(lambda found: found[0].lower(), line)


def _exchanged(text: str, letters: dict[str, str]) -> str:
    return _MAN_LETTER.sub(lambda found: letters.get(found[0], found[0]), text)


def spellings(text: bytes, start: int, end: int, every: bool = False) -> Iterator[Spelling]:
    """Yield respellings of the movetext from ``start`` to ``end``, each up to the first word that cannot be a move.

    every: try all languages, even if all letters are English.
    """
    body = _with_slashes(with_dots(text[start:end]))
    words = []
    stop: int | None = None
    novelties: list[int] = []
    for first, last in move_words(body, 0, len(body)):
        word = _read(body, first, last)
        if word is None:
            stop = first
            break
        if body[first:last] in (b"N", b"D") and _JOINED.match(body, last):
            novelties.append(first)
        words.append((first, *word))
    known = set()
    # If all letters are English, an illegal move is more likely a mistake than another language.
    foreign = every or any(
        name.isalpha() and name not in _ENGLISH for _, moves, _ in words for move in moves for name in _letters(move)
    )
    others = (*_LANGUAGES.items(), *_IN_PAGES.items()) if foreign else ()
    for language, letters in (("English", _ENGLISH), *others):
        meaning = {**_FIGURINES, **dict(zip(letters, _ENGLISH, strict=True))}
        found = Spelling(b"", language, stop=stop)
        written = bytearray(body)
        for at, moves, codec in words:
            if not _write(written, at, moves, codec, meaning, found.places):
                found.stop = at
                break
        found.body = bytes(written)
        if (found.body, found.stop) not in known:
            if found.stop is None:
                joined = (_joined(body, found, at, meaning) for at in novelties)
                found.joined = [other for other in joined if other is not None]
            yield found
        known.add((found.body, found.stop))


def _joined(body: bytes, found: Spelling, at: int, meaning: dict[str, str]) -> Spelling | None:
    """Return the spelling in which the novelty sign at ``at`` is the piece letter of the next word's move.

    Returns None if no piece has this letter.
    """
    letter = meaning.get(chr(body[at]))
    if letter is None:
        return None
    gap = _JOINED.match(body, at + 1)
    assert gap is not None, "the next word begins like the part of a move after its piece letter"
    written = bytearray(found.body)
    written[at : gap.end()] = b" " * (gap.end() - at - 1) + letter.encode()
    return Spelling(bytes(written), f"{found.language} with a space after a piece letter")


def lower_case(text: bytes, start: int, end: int) -> Iterator[Spelling]:
    """Yield spellings of a movetext whose piece letters are all in lower case, in the languages with Latin letters.

    A letter such as the b in bc6 may be a file or a piece. In the spelling it is a file, and ``doubtful`` has its
    offset in ``body`` and the English letter of the piece. Yields nothing if a piece has a capital letter.
    """
    body = with_dots(text[start:end])
    first_letters = []
    for first, last in move_words(body, 0, len(body)):
        word = _read(body, first, last)
        if word is None or any(move["man"] for move in word[0]):
            found = _LOWER.match(body, first, last)
            if found is None:
                return
        found = _LOWER.match(body, first, last)
        if found is not None:
            first_letters.append(found.start(1))
    for language, letters in (("English", _ENGLISH), *_LANGUAGES.items()):
        if not "".join(letters).isascii():
            continue
        raised, doubtful = bytearray(body), []
        for at in first_letters:
            letter = chr(body[at]).upper()
            if letter in letters and "A" <= letter <= "H":
                doubtful.append((at, _ENGLISH[letters.index(letter)].encode()))
            elif letter in letters:
                raised[at] -= 32
        for spelling in spellings(bytes(raised), 0, len(raised), every=True):
            if spelling.language == language:
                spelling.language += _LOWER_CASE
                spelling.doubtful = doubtful
                yield spelling
                break


def with_dots(body: bytes) -> bytes:
    """Return the movetext with dots behind its move numbers: for 1:, 1-, 1…, and for 1) if it begins with that."""

    def dotted(found: re.Match[bytes]) -> bytes:
        return found[0] if found[1] is None else found[1] + b"." * (len(found[0]) - len(found[1]))

    if _PARENTHESIS_FIRST.match(body):
        body = _PARENTHESIS.sub(dotted, body)
    return _OTHER_NUMBERS.sub(dotted, body)


def plain(body: bytes) -> Spelling | None:
    """Return a movetext whose moves stay as they are, for games that the core's reader of SAN does not read.

    The move numbers are written as ``with_dots`` writes them. Blanks replace signs such as =+ directly after moves.
    Returns None if the movetext stays as it is.
    """
    numbered = with_dots(body)
    written = bytearray(numbered)
    places: dict[int, tuple[int, int, int]] = {}
    for kind, first, last in tokens(numbered, 0, len(numbered)):
        if kind == "word":
            word, codec = _text_of(numbered[first:last])
            signs = _BEHIND_MOVE.search(word)
            stop = last - len(signs[0].encode(codec)) if signs else last
            places[first] = (first, stop, last)
            written[stop:last] = b" " * (last - stop)
    found = Spelling(bytes(written), "English", places)
    return None if found.body == body else found


def _with_slashes(body: bytes) -> bytes:
    """Return the movetext with f8(Q) in the main line changed to f8/Q/, which is one word."""
    found = bytearray(body)
    for first, last in move_words(body, 0, len(body)):
        becomes = _IN_PARENTHESES.match(body, last)
        if becomes and _PAWN_TO_LAST_RANK.fullmatch(body, first, last):
            found[last] = found[becomes.end() - 1] = ord("/")
    return bytes(found)


def _text_of(raw: bytes) -> tuple[str, str]:
    """Return (the text of a word, its encoding)."""
    word = decoded(raw)
    return word, "utf-8" if len(word.encode()) == len(raw) else "latin-1"


def _read(body: bytes, start: int, end: int) -> tuple[list[re.Match[str]], str] | None:
    """Return (the moves in a word, its encoding); None if a part of the word is unknown."""
    word, codec = _text_of(body[start:end])
    if _NO_MOVE.fullmatch(word):
        return [], codec
    if _NOVELTY.fullmatch(word):
        alone = (_BEHIND_NOVELTY.match(body, end) or _JOINED.match(body, end)) and not _NUMBER_BEFORE.search(
            body[max(0, start - 8) : start]
        )
        return ([], codec) if alone else None
    moves: list[re.Match[str]] = []
    at = 0
    while at < len(word):
        found = _MOVE.match(word, at)
        if found is None or (at and not found["before"] and word[at - 1] not in "!?," and not word[at - 1].isspace()):
            return None
        moves.append(found)
        at = found.end()
    return moves, codec


def _write(  # noqa: PLR0917
    found: bytearray,
    at: int,
    moves: list[re.Match[str]],
    codec: str,
    meaning: dict[str, str],
    places: dict[int, tuple[int, int, int]],
) -> bool:
    """Write a word into its place and store the places of its moves. Return False if it has an unknown letter."""
    if not moves:
        _write_other(found, at)
        return True
    for number, move in enumerate(moves):
        core = _core(move, meaning)
        if core is None:
            return False
        sign = move["sign"]
        old = move[0][len(move["before"]) : len(move[0]) - len(sign)]
        before, room, behind = (len(part.encode(codec)) for part in (move["before"], old, sign))
        checks = sign[: len(sign) - len(sign.lstrip("+#"))].encode()
        # Separate adjacent moves by a space.
        filling = b"!" if number == len(moves) - 1 else b" "
        text = b" " * before + core.encode().rjust(room) + checks + filling * (behind - len(checks))
        found[at : at + len(text)] = text
        first, last = at + before, at + before + room + len(checks)
        signs = len(sign.rstrip().encode(codec)) - len(checks)
        places[first + room - len(core)] = (first, last, last + max(signs, 0))
        at += len(text)
    return True


def _write_other(found: bytearray, at: int) -> None:
    """Replace a sign with a sign that the core knows. A null move remains unchanged."""
    match = re.compile(rb"[^\s{}();\[\]$]+").match(found, at)
    assert match is not None, "a word begins here"
    word = match[0]
    if word not in (b"--", b"Z0", b"0000", b"@@@@"):
        found[at : at + len(word)] = (b" " if word[:1].isdigit() else b"!") * len(word)


def _letters(move: re.Match[str]) -> str:
    """Return the piece letters of the move, in capitals."""
    return (move["man"] or "")[:1] + (move["becomes"] or "").lstrip("=/")[:1].upper()


def _core(move: re.Match[str], meaning: dict[str, str]) -> str | None:
    """Return the move in English letters and ASCII; None for an unknown letter."""
    # ICCF's numbers of the squares, and of the piece to which a pawn promotes
    if (numeric := move["numeric"]) is not None:
        (first, last), becomes = ((FILES[int(numeric[at]) - 1] + numeric[at + 1] for at in (0, 2)), numeric[4:])
        return first + last + ("qrbn"[int(becomes) - 1] if becomes else "")
    if move["castling"] is not None:
        return re.sub(f"[{_DASH}]", "-", move["castling"]).translate(_CIRCLES)
    man = "" if move["man"] is None else meaning.get(move["man"].rstrip(_VARIATION_SELECTORS))
    becomes = "" if move["becomes"] is None else meaning.get(_letter_of(move["becomes"]))
    if man is None or becomes is None:
        return None
    return man + re.sub(f"[{_DASH}]", "-", move["squares"]).translate(_ALIKE) + becomes


def _letter_of(becomes: str) -> str:
    """Return the piece letter of a promotion; a single small letter, as in coordinate moves, as a capital."""
    letter = becomes.strip("=/").rstrip(_VARIATION_SELECTORS)
    return letter.upper() if len(letter) == 1 else letter
