"""Reads definition files (``fmax.ini``). Errors name the file, line and column, and what was expected and found."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from standstill.cext.base.constants import BLACK, WHITE

from ..common.errors import DefinitionError
from ..common.regular_files import open_regular
from ..common.text import HIDDEN, shown, visible
from .betza_reader import rays_of
from .definition import (
    BLACK_PAWN,
    CHOICE_LINE,
    GATED,
    GATES,
    HOPS,
    MATES,
    MOST_FILES,
    MOST_PIECES,
    MOST_RANKS,
    MULTI_PATH,
    NO_MATING_PAIR,
    PAWN_BACK,
    TOUGH,
    Definition,
    DefinitionFile,
    Piece,
    Ray,
    displacement,
)
from .extra_rules import EVERYTHING, NO_LAWS, ExtraRules, is_law, meant, with_law
from .placement import by_text

VERSION = "version 4.8(w)"
LARGEST_BYTES = 1 << 20  # Debian's file has 45 KB
MOST_BETZA_LINES = 64
MOST_RAYS = 128  # a queen has 8, and the largest piece in Fairy-Max's file has 20
_MARK = "\xef\xbb\xbf"  # the UTF-8 byte order mark that some editors write, read as Latin-1

_PIECE_LINE = re.compile(r"\s*([^\s:])\s*:(.*)")
_RAY_LIKE = r"(-?\d+,[0-9A-Fa-f]+|[a-z]*[A-Z]\w*)"
_PIECE_LIKE = re.compile(rf"[A-Za-z]:-?\d+(\s+{_RAY_LIKE})+")
_NO_COLON = re.compile(rf"[A-Za-z][ ;.=]?\s*-?\d+(\s+{_RAY_LIKE})+")
_LONG_LETTER = re.compile(rf"\s*([^\s:]{{2,}})\s*:\s*-?\d+(\s+{_RAY_LIKE})+")
_TITLE_LIKE = re.compile(r"\s*game\s*:", re.IGNORECASE)
_BETZA_LIKE = re.compile(r"#\s+\+?[A-Za-z]&?\s+[a-z]*[A-Z]\w*\s*\Z")
_ZONED = re.compile(r"[A-Za-z]:-?\d.*?\s(-?\d+,[48C]07)\b")  # a delay that a leaper cannot have
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[+-]?\d{1,9}\Z", re.ASCII)
_HEX = re.compile(r"-?[0-9A-Fa-f]{1,8}\Z")
_SIZE = re.compile(r"(\d+)x(\d+)(?:=(-?\d+))?\Z", re.ASCII)


_INI_TITLE = re.compile(r"\[[\w-]+(:[\w-]+)?\]\s*\Z")
_UNREAD = Piece("?", 0, ())  # in place of a piece with a mistake
_EMPTY = Definition("", 0, 0, (), (), ())  # in place of a nameless game with a mistake


class _NotedError(DefinitionError):
    """Ends a game whose mistakes are in the list of mistakes."""


def _rule_meant(words: list[str]) -> str:
    """Return the name of the rule that a comment states, possibly misspelt; otherwise an empty text."""
    from difflib import get_close_matches

    choice = CHOICE_LINE.split()[1]
    return choice if 0 < len(words) <= 2 and get_close_matches(words[0].lower(), [choice], 1, 0.75) else meant(words)


def read_file(path: str, remarks: list[str] | None = None, mistakes: list[str] | None = None) -> DefinitionFile:
    """Read the games of a file. Raises DefinitionError, also if the file cannot be read.

    remarks, mistakes: as for ``parse``.
    """
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise DefinitionError(f"cannot read {path}: {error.strerror}") from None
    return parse(decoded(data), os.path.basename(path), remarks, mistakes)


def decoded(data: bytes) -> str:
    """Decode the text of a file as UTF-8 if it is valid, and otherwise as Latin-1, the encoding of old files."""
    if len(data) <= LARGEST_BYTES:  # a longer text may be cut off within a character
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-8-sig")
    return data.decode("latin-1")


def parse(
    text: str, name: str = "<text>", remarks: list[str] | None = None, mistakes: list[str] | None = None
) -> DefinitionFile:
    """Parse the games of a text. name: the file's name for messages. Raises DefinitionError for the first mistake.

    remarks: a list to which messages are appended. They report comments that look like rules, and a text after whose
    last game Fairy-Max would hang. mistakes: a list to which the mistakes are appended instead, one for each line; the
    games without mistakes are returned.
    """
    parser = _Parser(text, name, mistakes)
    file = parser.file()
    if remarks is not None:
        remarks += parser.remarks
    return file


def is_end_for_fairymax(behind: Sequence[str]) -> bool:
    """Return whether Fairy-Max finds the end of a game in the lines after its pieces. Otherwise it hangs.

    Fairy-Max skips one character, then reads lines that begin with # as lines about pieces until it finds a different
    line. It does not test for the end of the file (5.0b).
    """
    rest = "\n".join(behind).lstrip()[1:].split("\n")
    return any(line.strip() and not line.lstrip().startswith("#") for line in rest)


class _Parser:
    """Parses the lines in one pass. A place is (line, column), both counted from 0."""

    def __init__(self, text: str, name: str, mistakes: list[str] | None = None):
        self._name = name
        self._mistakes = mistakes
        self._lines = text.removeprefix(_MARK).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._at = 0
        self._bytes = len(text)
        self.remarks: list[str] = []
        self._behind_pieces = 0  # index of the line after the last game's pieces
        self._has_names = False

    def _fail(self, line: int, column: int, message: str) -> DefinitionError:
        return DefinitionError(f"{self._name}:{line + 1}:{column + 1}: {message}")

    def _note(self, error: DefinitionError) -> None:
        """Add the mistake to the list of mistakes, or raise it without such a list."""
        if self._mistakes is None:
            raise error
        self._mistakes.append(str(error))

    # ---- the whole file ----

    def file(self) -> DefinitionFile:
        first = self._lines[0]
        if first.split() != VERSION.split():
            is_ini = any(_INI_TITLE.match(line) for line in self._lines)
            other = "; this is a file of Fairy-Stockfish (variants.ini), which has another format" if is_ini else ""
            raise self._fail(0, 0, f"expected {VERSION}, found {shown(first, 40)}{other}")
        if self._bytes > LARGEST_BYTES:
            raise self._fail(len(self._lines) - 1, 0, f"expected a file of at most {LARGEST_BYTES} bytes")
        self._refuse_maxqi()
        self._at = 1
        default = self._block_or_note("", "", "", "")
        games: list[Definition] = []
        seen: dict[str, int] = {}
        description = ""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith("Game:"):
                title_line = self._at
                name, table, parent = self._title(line)
                self._at += 1
                game = self._block_or_note(name, description, table, parent)
                if game is None:
                    pass
                elif name in seen:
                    first = f"the game of this name in line {seen[name] + 1} takes precedence"
                    self.remarks.append(f"{self._name}:{title_line + 1}: {name} is left out: {first}")
                else:
                    seen[name] = title_line
                    games.append(game)
                description = ""
                continue
            description = visible(" ".join(line[2:].split())) if line.startswith("//") else ""
            self._remark_on(line)
            self._at += 1
        if not self._has_names and not is_end_for_fairymax(self._lines[self._behind_pieces :]):
            line_number = self._behind_pieces
            self.remarks.append(f"{self._name}:{line_number}: Fairy-Max needs a line of text after the last game")
        return DefinitionFile(default or _EMPTY, tuple(games))

    def _block_or_note(self, *title: str) -> Definition | None:
        """Parse a game. After a mistake it is None, and the next line is the title of the next game."""
        try:
            return self._block(*title)
        except _NotedError:
            pass
        except DefinitionError as error:
            self._note(error)
        while self._at < len(self._lines) and not self._lines[self._at].startswith("Game:"):
            self._at += 1
        return None

    def _remark_on(self, line: str) -> None:
        """Add a remark about a comment that looks like a title, a line about a piece, or a rule."""
        what = ""
        if _TITLE_LIKE.match(line):
            what = "a title is written Game: at the beginning of the line"
        elif line.startswith("#") and _BETZA_LIKE.match(line):
            what = "lines about pieces follow a lone # directly below the pieces"
        elif line.lstrip().startswith("#"):
            words = line.lstrip()[1:].split()
            if rule := _rule_meant(words):
                what = f"the rule is written # {rule}"
                if re.match(rf"# {rule}(?!\w)", line) and (words[1:] == [] or rule not in CHOICE_LINE):
                    what = "rules stand directly below the pieces"
                elif line.lstrip() != line:
                    what += ", at the beginning of the line"
        if what:
            self.remarks.append(f"{self._name}:{self._at + 1}: {shown(line.strip(), 40)} is a comment: {what}")

    def _title(self, line: str) -> tuple[str, str, str]:
        tokens = list(_TOKEN.finditer(line, len("Game:")))
        words = [token[0] for token in tokens]
        if not words:
            raise self._fail(self._at, len(line), "expected a name after Game:")
        wanted = ["#" if i % 2 else None for i in range(len(words))]
        for token, expected in zip(tokens, wanted, strict=True):
            if (token[0] == "#") != (expected == "#"):
                what = "#" if expected else "a name of one word"
                raise self._fail(self._at, token.start(), f"expected {what}, found {shown(token[0], 40)}")
        for token in tokens:
            if hidden := re.search(HIDDEN, token[0]):
                place = token.start() + hidden.start()
                raise self._fail(self._at, place, f"expected characters that can be printed, found {shown(hidden[0])}")
        if len(words) > 5:
            raise self._fail(self._at, tokens[5].start(), f"expected the end of the line, found {shown(words[5], 40)}")
        return words[0], words[2] if len(words) > 2 else "", words[4] if len(words) > 4 else ""

    # ---- one game ----

    def _block(self, name: str, description: str, table: str, parent: str) -> Definition:
        width, height, zone = self._size(name)
        white, places = self._array(width, "White's")
        black, more_places = self._array(width, "Black's")
        pieces, piece_lines = self._pieces(width, height)
        law_lines = self._at
        allows_choice, laws = self._laws()
        betza = self._betza()
        for number, (line, column) in zip(white + black, places + more_places, strict=True):
            if number > len(pieces):
                up_to = f"a piece number up to {len(pieces)} (line {law_lines + 1} ends the pieces)"
                raise self._fail(line, column, f"expected {up_to}, found {number}")
        for colour, array, where in (("White", white, places), ("Black", black, more_places)):
            is_stated = laws.needs_royals and not laws.start  # a placement is checked below
            if is_stated and not any(number and pieces[number - 1].is_royal for number in array):
                raise self._fail(*where[0], f"expected a royal piece (negative value) in {colour}'s start position")
        if name == GATED and len(pieces) < GATES[-1]:
            expected = f"expected pieces {' and '.join(map(str, GATES))} for the hands of {name}"
            raise self._fail(piece_lines[-1], 0, f"{expected}, found {len(pieces)}")
        for number, line in enumerate(piece_lines[:2]):
            if pieces[number].is_royal:
                raise self._fail(line, 0, "expected a pawn, found a royal piece")
        game = Definition(
            name=name,
            width=width,
            height=height,
            white=tuple(white),
            black=tuple(black),
            pieces=tuple(pieces),
            zone=zone,
            description=description,
            table=table,
            parent=parent,
            betza=tuple(betza),
            allows_choice=allows_choice,
            extra=laws,
        )
        self._check_laws(game, law_lines)
        return self._with_twins(game, law_lines) if laws.hand == "turn" else game

    def _with_twins(self, game: Definition, line: int) -> Definition:
        """Add the promoted pieces, which become pawns when they are captured."""
        choices = [game.promotions(colour, file) for colour in (WHITE, BLACK) for file in range(game.width)]
        twins = tuple(dict.fromkeys(chain.from_iterable(choices)))
        if (count := len(game.pieces) + len(twins)) > MOST_PIECES:
            what = f"at most {MOST_PIECES} pieces, with a promoted one for each that a pawn may become"
            raise self._fail(line, 2, f"hand: expected {what}, found {count}")
        return replace(game, pieces=game.pieces + tuple(map(game.piece, twins)), twins=twins)

    def _refuse_maxqi(self) -> None:
        """Reject Xiangqi in MaxQi's format: ranks before files, and leapers with zones for palace and river."""
        if any(line.split() == ["10x9"] for line in self._lines):
            for at, line in enumerate(self._lines):
                if found := _ZONED.match(line):
                    raise self._fail(at, found.start(1), "expected a file of Fairy-Max, found one of MaxQi (qmax.ini)")

    def _token(self, expected: str) -> tuple[str, int, int]:
        """Remove the next word of the block and return it with its line and column. Line ends count as blanks."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            found = _TOKEN.search(line)
            if found and line.startswith("Game:"):
                break
            if found:
                # Blanks in place of the word preserve the columns.
                self._lines[self._at] = " " * found.end() + line[found.end() :]
                return found[0], self._at, found.start()
            self._at += 1
        at = min(self._at, len(self._lines) - 1)
        found_text = "the end of the file" if self._at >= len(self._lines) else shown(self._lines[at], 40)
        raise self._fail(at, 0, f"expected {expected}, found {found_text}")

    def _size(self, name: str) -> tuple[int, int, int]:
        expected = "a board size such as 8x8 or 8x8=3"
        if not name:  # an author who begins with the first title may not know that an untitled game must precede it
            expected += ", of the first game, which has no title"
        word, line, column = self._token(expected)
        found = _SIZE.match(word)
        if not found or len(word) > 12:
            raise self._fail(line, column, f"expected {expected}, found {shown(word, 40)}")
        width, height, zone = int(found[1]), int(found[2]), int(found[3] or 0)
        if not 2 <= width <= MOST_FILES or not 4 <= height <= MOST_RANKS:
            limits = f"2 to {MOST_FILES} files and 4 to {MOST_RANKS} ranks"
            raise self._fail(line, column, f"expected {limits}, found {shown(word, 40)}")
        pawn_rank = -zone if zone < 0 else max(zone, 2) - 1
        if zone < PAWN_BACK or 2 * (pawn_rank + 1) > height:
            raise self._fail(line, column, f"expected a zone that leaves space for both sides, found {shown(word, 40)}")
        return width, height, zone

    def _array(self, width: int, whose: str) -> tuple[list[int], list[tuple[int, int]]]:
        numbers: list[int] = []
        places = []
        for _ in range(width):
            expected = f"{width} piece numbers for {whose} back rank"
            word, line, column = self._token(expected)
            if not word.isascii() or not word.isdigit() or len(word) > 2 or int(word) > MOST_PIECES:
                raise self._fail(line, column, f"expected {expected}, found {len(numbers)} and {shown(word, 40)}")
            numbers.append(int(word))
            places.append((line, column))
        return numbers, places

    def _pieces(self, width: int, height: int) -> tuple[list[Piece], list[int]]:
        if self._at < len(self._lines) and self._lines[self._at].strip():
            line = self._lines[self._at]
            column = len(line) - len(line.lstrip())
            raise self._fail(self._at, column, f"expected the end of the line, found {shown(line.strip(), 40)}")
        self._at += 1
        pieces: list[Piece] = []
        lines: list[int] = []
        is_noted = False
        while self._at < len(self._lines):
            line = self._lines[self._at]
            found = _PIECE_LINE.match(line)
            if not found or line.startswith("#"):
                break
            if len(pieces) == MOST_PIECES:
                raise self._fail(self._at, found.start(1), f"expected at most {MOST_PIECES} pieces")
            lines.append(self._at)
            try:
                pieces.append(self._piece(found, width, height, len(pieces) < BLACK_PAWN))
            except DefinitionError as error:
                self._note(error)
                is_noted = True
                pieces.append(_UNREAD)
            self._at += 1
        self._behind_pieces = self._at
        self._check_end(pieces)
        if is_noted:
            raise _NotedError
        if len(pieces) < 2:
            at = min(self._at, len(self._lines) - 1)
            raise self._fail(
                at, 0, f"expected the lines of both pawns and a royal piece, found {shown(self._lines[at], 40)}"
            )
        return pieces, lines

    def _check_end(self, pieces: list[Piece]) -> None:
        """Raise DefinitionError for mistakes that would end the list of pieces early."""
        rest = self._lines[self._at : self._at + 3]
        if rest and _NO_COLON.match(rest[0]):
            raise self._fail(self._at, 0, f"expected a colon after the letter of a piece, found {shown(rest[0], 40)}")
        if rest and (found := _LONG_LETTER.match(rest[0])):
            message = f"expected one letter before the colon, found {shown(found[1], 40)}"
            raise self._fail(self._at, found.start(1), message)
        behind = next((at for at, line in enumerate(rest) if line.strip()), 0)
        if behind and _PIECE_LIKE.match(rest[behind]) and pieces:
            line = self._at + behind
            raise self._fail(line, 0, f"expected no blank line before piece {len(pieces) + 1}, found {behind}")

    def _piece(self, found: re.Match[str], width: int, height: int, pawn: bool) -> Piece:
        letter = found[1]
        if not letter.isascii() or not letter.isalpha():
            raise self._fail(self._at, found.start(1), f"expected a letter a-z or A-Z, found {shown(letter)}")
        tokens = list(_TOKEN.finditer(found[2]))
        base = found.start(2)
        if not tokens or not _NUMBER.match(tokens[0][0]):
            word = tokens[0][0] if tokens else ""
            column = base + (tokens[0].start() if tokens else 0)
            raise self._fail(self._at, column, f"expected a value in centipawns, found {shown(word, 40)}")
        rays: list[Ray] = []
        suffix = None
        for token in tokens[1:]:
            column = base + token.start()
            parts = token[0].split(",")
            if parts[0] == "0" and len(parts) == 2:
                suffix = self._suffix(parts[1], column + 2)
            elif suffix is not None:
                raise self._fail(self._at, column, f"expected no ray after a suffix, found {shown(token[0], 40)}")
            elif token[0][0].isalpha():
                rays += self._rays_by_name(token[0], column, width, height, pawn)
            else:
                rays.append(self._ray(parts, token[0], column, width, height))
            if len(rays) > MOST_RAYS:
                raise self._fail(self._at, column, f"expected at most {MOST_RAYS} rays")
        return Piece(letter, int(tokens[0][0]), tuple(rays), suffix)

    def _suffix(self, text: str, column: int) -> int:
        value = int(text, 16) if _HEX.match(text) else 0
        if value in (MATES, TOUGH, NO_MATING_PAIR) or MATES < value < 10000:
            return value
        raise self._fail(
            self._at, column, f"expected 3, -1, -4 or a bonus above 3 (hexadecimal), found {shown(text, 40)}"
        )

    def _rays_by_name(self, text: str, column: int, width: int, height: int, pawn: bool) -> Sequence[Ray]:
        """Read moves in Betza's notation, which may replace rays."""
        self._has_names = True
        try:
            rays = rays_of(text, pawn)
        except ValueError as error:
            raise self._fail(self._at, column, str(error)) from None
        for ray in rays:
            for step in (ray.step,) if ray.extra & MULTI_PATH else (ray.step, ray.second):
                self._check_step(step, column, width, height, text)
        return rays

    def _ray(self, parts: list[str], text: str, column: int, width: int, height: int) -> Ray:
        if len(parts) not in (2, 3) or not _NUMBER.match(parts[0]):
            raise self._fail(self._at, column, f"expected STEP,RIGHTS or STEP,RIGHTS,STEP2, found {shown(text, 40)}")
        step = int(parts[0])
        column_2 = column + len(parts[0]) + 1
        if not _HEX.match(parts[1]) or parts[1].startswith("-"):
            raise self._fail(self._at, column_2, f"expected up to 8 hexadecimal digits, found {shown(parts[1], 40)}")
        rights = int(parts[1], 16)
        bend = (rights ^ 0x80000000) - 0x80000000 >> 12  # two's complement of 32 bits
        if len(parts) == 3:
            column_3 = column_2 + len(parts[1]) + 1
            if not _NUMBER.match(parts[2]):
                raise self._fail(self._at, column_3, f"expected the step of a second leg, found {shown(parts[2], 40)}")
            if bend:
                raise self._fail(self._at, column_2, f"expected 3 digits before a second step, found {parts[1]}")
            bend = step ^ int(parts[2])
            self._check_step(int(parts[2]), column_3, width, height)
        ray = Ray(step, rights & 0xFFF, bend)
        self._check_step(step, column, width, height)
        # Only a ray with a second leg needs a second step.
        if bend and not ray.extra & MULTI_PATH and len(parts) == 2:
            self._check_step(ray.second, column_2, width, height)
        if ray.mode & HOPS and not ray.toggle & HOPS:
            raise self._fail(self._at, column_2, f"expected a hopper with the 8 in both digits, found {parts[1]}")
        return ray

    def _check_step(self, step: int, column: int, width: int, height: int, text: str = "") -> None:
        """Raise DefinitionError if a step leaves the board. text: the source of the step, if it is not a number."""
        right, up = displacement(step)
        if (right, up) == (0, 0) or abs(right) >= width or abs(up) >= height:
            found = shown(text, 40) if text else str(step)
            raise self._fail(
                self._at, column, f"expected a step that stays on a board of {width}x{height}, found {found}"
            )

    def _laws(self) -> tuple[bool, ExtraRules]:
        """Read the lines directly below the pieces: (whether pawns may choose their promotion, the other rules)."""
        choice, laws, is_noted = False, NO_LAWS, False
        while self._at < len(self._lines) and self._lines[self._at].startswith("# "):
            words = self._lines[self._at][1:].split()
            if words == CHOICE_LINE.split()[1:]:
                choice = True
            elif not is_law(words):
                break
            else:
                try:
                    laws = with_law(laws, words)
                except ValueError as error:
                    self._note(self._fail(self._at, 2, f"{words[0]}: {error}"))
                    is_noted = True
            self._at += 1
        if is_noted:
            raise _NotedError
        return choice, laws

    def _check_laws(self, game: Definition, line: int) -> None:
        """Raise DefinitionError if the rules name squares, ranks or letters that the game does not have."""
        laws, letters = game.extra, {piece.letter.lower() for piece in game.pieces}
        dropped = "".join(drop.letters for drop in laws.drops).lower()
        for clash, mark in (
            (dropped and not laws.hand, "expected a line hand beside drop"),
            (len(set(dropped)) < len(dropped), "drop: expected each letter in one line"),
            (laws.hand and laws.limited, "hand: expected no promotion to captured pieces (limited) beside it"),
            (laws.hand and laws.counting, "hand: expected no counting beside it"),
            (laws.hand and game.has_gating, f"hand: expected another name than {GATED}, whose hands differ"),
        ):
            if clash:
                raise self._fail(line, 0, mark)
        wanted = laws.castling + laws.leap + laws.counted + dropped
        wanted += "" if laws.extinct == EVERYTHING else laws.extinct
        for letter in wanted.lower():
            if letter not in letters:
                raise self._fail(line, 0, f"expected letters of pieces in the rules below them, found {letter}")
        highest = max(laws.homes[1], laws.promotion, *laws.goals, *(drop.last for drop in laws.drops))
        if highest > game.height:
            raise self._fail(line, 0, f"expected ranks up to {game.height} in the rules below, found {highest}")
        if not laws.start:
            return
        while line < len(self._lines) and self._lines[line].split()[1:2] != ["start"]:
            line += 1
        try:
            squares = by_text(game, laws.start)
        except ValueError as error:
            raise self._fail(line, 2, f"start: {error}") from None
        if laws.needs_royals:
            for colour, side in enumerate(("White", "Black")):
                if not any(man and man >> 4 == colour and game.piece(man & 15).is_royal for man in squares):
                    raise self._fail(line, 2, f"start: expected a royal piece of {side}")

    def _betza(self) -> list[tuple[str, str]]:
        """Read the lines for XBoard. Such lines are comments unless a line that contains only "#" precedes them."""
        if self._at >= len(self._lines) or self._lines[self._at].rstrip() != "#":
            return []
        self._at += 1
        found: list[tuple[str, str]] = []
        while self._at < len(self._lines) and self._lines[self._at].startswith("#"):
            words = self._lines[self._at][1:].split()
            # Fairy-Max would read such a line as a line about a piece.
            if words == CHOICE_LINE.split()[1:] or (is_law(words) and len(words[0]) > 1):
                raise self._fail(self._at, 0, f"expected # {words[0]} directly below the pieces")
            if len(words) < 2:
                raise self._fail(self._at, 1, f"expected # ID MOVES, found {shown(self._lines[self._at], 40)}")
            if len(found) == MOST_BETZA_LINES:
                raise self._fail(self._at, 0, f"expected at most {MOST_BETZA_LINES} descriptions")
            found.append((words[0], words[1]))
            self._at += 1
        return found
