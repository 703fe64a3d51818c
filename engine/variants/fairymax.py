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
from ..common.text import HIDDEN, UTF_16_MARKS, did_you_mean, shown, visible
from .definition import (
    BLACK_PAWN,
    CHOICE_LINE,
    MOST_FILES,
    MOST_PIECES,
    MOST_RANKS,
    PAWN_BACK,
    Definition,
    DefinitionFile,
    Piece,
    Ray,
)
from .extra_rules import EVERYTHING, NO_LAWS, ExtraRules, advice, is_law, meant, with_law
from .piece_lines import PieceReader
from .placement import by_text, stray
from .zoning.faults import adds_passes, faults
from .zoning.forms import form_faults, with_forms
from .zoning.gating import gating_faults, unnamed, with_rules_of_name

VERSION = "version 4.8(w)"
LARGEST_BYTES = 1 << 20  # Debian's file has 45 KB
MOST_BETZA_LINES = 64
_MARK = "\xef\xbb\xbf"  # the UTF-8 byte order mark that some editors write, read as Latin-1

_PIECE_LINE = re.compile(r"\s*([^\s:])\s*:(.*)")
_RAY_LIKE = r"(-?\d+,[0-9A-Fa-f]+|[a-z]*[A-Z]\w*)"
_PIECE_LIKE = re.compile(rf"[A-Za-z]:-?\d+(\s+{_RAY_LIKE})+")
_NO_COLON = re.compile(rf"[A-Za-z][ ;.=]?\s*-?\d+(\s+{_RAY_LIKE})+")
_NO_VALUE = re.compile(rf"([A-Za-z])\s+({_RAY_LIKE}(\s+{_RAY_LIKE})*)\s*\Z")
_LONG_LETTER = re.compile(rf"\s*([^\s:]{{2,}})\s*:\s*-?\d+(\s+{_RAY_LIKE})+")
_TITLE_LIKE = re.compile(r"\s*game(\s*:|[\s=]+\w+\s*\Z)", re.IGNORECASE)
_BETZA_LIKE = re.compile(r"#\s+\+?[A-Za-z]&?\s+[a-z]*[A-Z]\w*\s*\Z")
_ZONED = re.compile(r"[A-Za-z]:-?\d.*?\s(-?\d+,[48C]07)\b")  # a delay that a leaper cannot have
_TOKEN = re.compile(r"\S+")
_SIZE = re.compile(r"(\d+)x(\d+)(?:=(-?\d+))?\Z", re.ASCII)
_SIZE_LIKE = re.compile(r"(\d+)\s*\D\s*(\d+)\s*\Z", re.ASCII)

_INI_TITLE = re.compile(r"\[[\w-]+(:[\w-]+)?\]\s*\Z")
_UNREAD = Piece("?", 0, ())  # stands for a piece with a mistake
_EMPTY = Definition("", 0, 0, (), (), ())  # stands for a nameless game with a mistake


class _NotedError(DefinitionError):
    """Leaves a game whose mistakes are already in the list."""


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
    """Decode the text of a file as UTF-16 or UTF-8 if it is valid, else as Latin-1, the encoding of old files."""
    if len(data) <= LARGEST_BYTES:  # a longer text may be cut off within a character
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-16" if data[:2] in UTF_16_MARKS else "utf-8-sig")
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


def piece_lines(text: str, name: str = "<text>") -> dict[str, list[int]]:
    """Return the numbers, from 0, of the lines of each game's pieces. Raises DefinitionError for a mistake."""
    parser = _Parser(text, name)
    parser.file()
    return parser.piece_lines


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
        self._noted = 0  # number of mistakes in the list so far
        self.remarks: list[str] = []
        self.piece_lines: dict[str, list[int]] = {}  # by the name of the game
        self._behind_pieces = 0  # index of the line after the last game's pieces
        self._has_names = False

    def _fail(self, line: int, column: int, message: str) -> DefinitionError:
        return DefinitionError(f"{self._name}:{line + 1}:{column + 1}: {message}")

    def _note(self, error: DefinitionError) -> None:
        """Append the error to the list of mistakes. Raise it if the caller did not ask for a list."""
        if self._mistakes is None:
            raise error
        self._mistakes.append(str(error))
        self._noted += 1

    # ---- the whole file ----

    def file(self) -> DefinitionFile:
        first = self._lines[0]
        if first.split() != VERSION.split():
            is_ini = any(_INI_TITLE.match(line) for line in self._lines)
            other = "; this is a file of Fairy-Stockfish (variants.ini), which has another format: `variants convert`"
            hint = other if is_ini else did_you_mean(first.strip(), [VERSION])
            error = self._fail(0, 0, f"expected {VERSION}, found {shown(first, 40)}{hint}")
            if not hint or is_ini:
                raise error
            self._note(error)
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
        """Parse a game. After a mistake, return None and skip the lines before the title of the next game."""
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
                what = "#, or a name of one word" if expected else "a name of one word"
                hint = "" if "#" in words else f"; did you mean {visible('-'.join(words))[:40]}?"
                raise self._fail(self._at, token.start(), f"expected {what}, found {shown(token[0], 40)}{hint}")
        for token in tokens:
            if hidden := re.search(HIDDEN, token[0]):
                place = token.start() + hidden.start()
                raise self._fail(self._at, place, f"expected characters that can be printed, found {shown(hidden[0])}")
        if len(words) > 5:
            raise self._fail(self._at, tokens[5].start(), f"expected the end of the line, found {shown(words[5], 40)}")
        return words[0], words[2] if len(words) > 2 else "", words[4] if len(words) > 4 else ""

    # ---- one game ----

    def _block(self, name: str, description: str, table: str, parent: str) -> Definition:
        before = self._noted
        width, height, zone, white, places, black, more_places = self._board(name)
        pieces, piece_lines = self._pieces(width or MOST_FILES, height or MOST_RANKS)
        self.piece_lines.setdefault(name, piece_lines)
        law_lines = self._at
        allows_choice, laws = self._laws()
        betza = self._betza()
        for number, (line, column) in zip(white + black, places + more_places, strict=True):
            if number > len(pieces):
                up_to = f"a piece number up to {len(pieces)} (line {law_lines + 1} ends the pieces)"
                self._note(self._fail(line, column, f"expected {up_to}, found {number}"))
        if self._noted > before:
            raise _NotedError  # the checks below need a definition without mistakes so far
        for colour, array, where in (("White", white, places), ("Black", black, more_places)):
            is_stated = laws.needs_royals and not laws.start  # a placement is checked below
            if is_stated and not any(number and pieces[number - 1].is_royal for number in array):
                raise self._fail(*where[0], f"expected a royal piece (negative value) in {colour}'s start position")
        try:
            laws = with_rules_of_name(laws, name, pieces)
        except ValueError as error:
            raise self._fail(piece_lines[-1], 0, str(error)) from None
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
            within=self._within(laws, law_lines, width, height),
        )
        self._check_laws(game, law_lines)
        if self._noted > before:
            raise _NotedError
        if laws.forms:
            return with_forms(game)
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
            like = _SIZE_LIKE.match(word + self._lines[line].strip()) or _SIZE_LIKE.match(word)
            hint = f"; did you mean {like[1]}x{like[2]}?" if like and len(word) <= 12 else ""
            hint = "; rules stand directly below the pieces" if word.startswith("#") else hint
            raise self._fail(line, column, f"expected {expected}, found {shown(word, 40)}{hint}")
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
        expected = f"{width} piece numbers for {whose} back rank"
        begun = self._at
        for _ in range(width):
            word, line, column = self._token(expected)
            if not word.isascii() or not word.isdigit() or len(word) > 2 or int(word) > MOST_PIECES:
                # A first line that is too short takes numbers from the second, where the mistake is then found.
                hint = "; each back rank needs one number for each file" if line > begun else ""
                raise self._fail(line, column, f"expected {expected}, found {len(numbers)} and {shown(word, 40)}{hint}")
            numbers.append(int(word))
            places.append((line, column))
        return numbers, places

    def _board(
        self, name: str
    ) -> tuple[int, int, int, list[int], list[tuple[int, int]], list[int], list[tuple[int, int]]]:
        """Read the size and both back ranks. After a mistake they are empty, and the pieces are the next lines."""
        width = height = zone = 0
        try:
            width, height, zone = self._size(name)
            white, places = self._array(width, "White's")
            return width, height, zone, white, places, *self._array(width, "Black's")
        except DefinitionError as error:
            self._note(error)
        while self._at < len(self._lines) and not self._lines[self._at].startswith("Game:"):
            if _PIECE_LINE.match(self._lines[self._at]) or _NO_COLON.match(self._lines[self._at]):
                break
            self._at += 1
        self._at -= 1
        self._lines[self._at] = ""
        return width, height, zone, [], [], [], []

    def _pieces(self, width: int, height: int) -> tuple[list[Piece], list[int]]:
        if self._at < len(self._lines) and self._lines[self._at].strip():
            line = self._lines[self._at]
            column = len(line) - len(line.lstrip())
            hint = "; each back rank has one number for each file" if line.strip()[0].isdigit() else ""
            found_text = f"found {shown(line.strip(), 40)}{hint}"
            self._note(self._fail(self._at, column, f"expected the end of the line, {found_text}"))
        self._at += 1
        reader = PieceReader(width, height)
        pieces: list[Piece] = []
        lines: list[int] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            found = _PIECE_LINE.match(line)
            if not found or line.startswith("#"):
                self._behind_pieces = self._at
                if not self._skip_slip(pieces):
                    break
                pieces += [_UNREAD] * bool(line.strip())
                lines += [self._at] * bool(line.strip())
                self._at += 1
                continue
            if len(pieces) == MOST_PIECES:
                raise self._fail(self._at, found.start(1), f"expected at most {MOST_PIECES} pieces")
            lines.append(self._at)
            pieces.append(reader.piece(found, len(pieces) < BLACK_PAWN))
            for column, message in reader.mistakes:
                self._note(self._fail(self._at, column, message))
            self._at += 1
        self._has_names |= reader.has_names
        self._behind_pieces = self._at
        if len(pieces) < 2:
            at = min(self._at, len(self._lines) - 1)
            raise self._fail(
                at, 0, f"expected the lines of both pawns and a royal piece, found {shown(self._lines[at], 40)}"
            )
        return pieces, lines

    def _skip_slip(self, pieces: list[Piece]) -> bool:
        """Note a mistake that would end the list of pieces early. Return whether there is one."""
        rest = self._lines[self._at : self._at + 3]
        behind = next((at for at, line in enumerate(rest) if line.strip()), 0)
        if _NO_COLON.match(rest[0]):
            hint = f"; did you mean {rest[0][0]}:{rest[0][1:].lstrip(' ;.=')[:20].strip()}?"
            found_text = f"found {shown(rest[0], 40)}{hint}"
            error = self._fail(self._at, 0, f"expected a colon after the letter of a piece, {found_text}")
        elif found := _NO_VALUE.match(rest[0]):
            hint = f"found {shown(rest[0], 40)}; did you mean {found[1]}:0 {found[2][:20]}?"
            error = self._fail(self._at, 0, f"expected a colon and a value after the letter of a piece, {hint}")
        elif found := _LONG_LETTER.match(rest[0]):
            message = f"expected one letter before the colon, found {shown(found[1], 40)}"
            error = self._fail(self._at, found.start(1), message)
        elif behind and _PIECE_LIKE.match(rest[behind]) and pieces:
            message = f"expected no blank line before piece {len(pieces) + 1}, found {behind}"
            error = self._fail(self._at + behind, 0, message)
        else:
            return False
        self._note(error)
        return True

    def _laws(self) -> tuple[bool, ExtraRules]:
        """Read the lines directly below the pieces: (whether pawns may choose their promotion, the other rules)."""
        choice, laws = False, NO_LAWS
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
                    self._note(self._fail(self._at, 2, f"{words[0]}: {error}{advice(words)}"))
            self._at += 1
        return choice, laws

    def _check_laws(self, game: Definition, line: int) -> None:
        """Note rules that contradict each other, or name squares, ranks or letters that the game does not have."""
        laws, before = game.extra, self._noted
        dropped = "".join(drop.letters for drop in laws.drops).lower()
        for clash, mark in (
            (dropped and not laws.hand, "expected a line hand beside drop"),
            (len(set(dropped)) < len(dropped), "drop: expected each letter in one line"),
            (laws.hand and laws.limited, "hand: expected no promotion to captured pieces (limited) beside it"),
            (laws.hand and laws.counting, "hand: expected no counting beside it"),
        ):
            if clash:
                self._note(self._fail(line, 0, mark))
        if laws.explosion:
            self._check_explosion(game, line)
        self._check_names(game, line)
        if laws.start:
            self._check_start(game, line)
        elif laws.explosion:
            self._check_royals(game, game.start, line)
        stated = (*laws.zones, *laws.within, laws.flying, *laws.aliases, *laws.forms, laws.mirror, *laws.drops)
        stated += (laws.gate, laws.bare)
        if self._noted == before and (any(stated) or adds_passes(laws)):
            self._check_zones(game, line)

    def _check_zones(self, game: Definition, line: int) -> None:
        """Note contradictions in the rules about forms and zones, and pieces that start outside their zones."""
        before = self._noted
        for rule, word, message in dict.fromkeys(chain(form_faults(game), faults(game), gating_faults(game))):
            self._note(self._fail(*self._place(line, rule, word), f"{rule}: {message}"))
        if self._noted == before and (found := stray(game, game.start)):
            what = f"expected the start position inside the zones, found {found[0]} on {found[1]}"
            self._note(self._fail(*self._place(line, "zone", found[0].lower()), f"zone: {what}"))

    def _check_names(self, game: Definition, line: int) -> None:
        """Note letters and ranks in the rules that the game does not have."""
        laws, letters = game.extra, {piece.letter.lower() for piece in game.pieces}
        dropped = "".join(drop.letters for drop in laws.drops).lower()
        named = {"castling": laws.castling, "leap": laws.leap, "counting": laws.counted, "drop": dropped}
        named["zone"] = "".join(zone.letters for zone in laws.zones)
        named["within"] = "".join(zone.letters for zone in laws.within)
        named |= {"mirror": laws.mirror, "immune": laws.immune, "barrier": laws.barrier, "gate": laws.gate}
        named |= {"promote": "".join(chain.from_iterable(laws.forms)), "points": "".join(dict(laws.points))}
        named["alias"] = "".join(own for _, own in laws.aliases)
        named["explosion"] = "" if laws.spared == EVERYTHING else laws.spared
        named["extinct"] = "" if laws.extinct == EVERYTHING else laws.extinct
        for rule, wanted in named.items():
            for letter in wanted.lower():
                if letter not in letters:
                    known = "".join(sorted(letters))
                    what = f"expected letters of pieces ({known}), found {letter}"
                    self._note(self._fail(*self._place(line, rule, letter), f"{rule}: {what}"))
        ranks = {"pawns": laws.homes[1], "promotion": laws.promotion, "goal": max(laws.goals)}
        ranks["drop"] = max((drop.last for drop in laws.drops), default=0)
        for rule, highest in ranks.items():
            if highest > game.height:
                place = self._place(line, rule, str(highest))
                self._note(self._fail(*place, f"{rule}: expected ranks up to {game.height}, found {highest}"))

    def _check_start(self, game: Definition, line: int) -> None:
        laws = game.extra
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
        if laws.explosion:
            self._check_royals(game, squares, line)

    def _check_explosion(self, game: Definition, line: int) -> None:
        """Note rules that contradict explosions."""
        laws = game.extra
        choices = {n for colour in (WHITE, BLACK) for file in range(game.width) for n in game.promotions(colour, file)}
        for clash, mark in (
            (laws.hand, "no hand beside it"),
            (laws.counting, "no counting beside it"),
            (laws.mate_wins, "no win by being mated (mate win) beside it"),
            (laws.gate or laws.bare, unnamed(game)),
            (laws.spared == EVERYTHING, f"letters of pieces, found {EVERYTHING}"),
            (any(game.piece(n).is_royal for n in choices if n), "no promotion to a royal piece beside it"),
        ):
            if clash:
                self._note(self._fail(line, 0, f"explosion: expected {mark}"))

    def _check_royals(self, game: Definition, squares: bytes, line: int) -> None:
        """Note a side with several royal pieces in a game of explosions."""
        for colour, side in enumerate(("White", "Black")):
            count = sum(man >> 4 == colour and game.piece(man & 15).is_royal for man in squares if man)
            if count > 1:
                self._note(self._fail(line, 0, f"explosion: expected at most one royal piece of {side}, found {count}"))

    def _place(self, line: int, rule: str, word: str) -> tuple[int, int]:
        """Return (line, column) of a word in the lines of a rule, which are at this line or below it."""
        first = re.compile(rf"# {rule}\b")
        for at in range(line, len(self._lines)):
            found = first.match(self._lines[at])
            column = self._lines[at].lower().find(word, found.end()) if found else -1
            if column >= 0:
                return at, column
        return line, 0

    def _within(self, laws: ExtraRules, line: int, width: int, height: int) -> tuple[tuple[Ray, ...], ...]:
        """Read the moves in the lines ``within``."""
        found = []
        for zone in laws.within:
            while self._lines[line].split()[1:] != ["within", *str(zone).split()]:
                line += 1
            begin = len(self._lines[line].rstrip()) - len(" ".join(zone.moves))
            words = re.compile(r"\s*(\S+)\s*:(.*)").match(f"x:0 {' '.join(zone.moves)}")
            reader = PieceReader(width, height)
            piece = reader.piece(words, False) if words else _UNREAD
            rays = piece.rays
            mistakes = [(begin + column - len("x:0 "), message) for column, message in reader.mistakes]
            if piece.suffix is not None:
                mistakes = [(begin, "expected moves, found a suffix")]
            elif not mistakes and any(ray.is_initial for ray in rays):
                mistakes = [(begin, "expected moves that do not depend on whether the piece has moved")]
            for column, message in mistakes:
                self._note(self._fail(line, max(column, 0), f"within: {message}"))
            found.append(rays)
        return tuple(found)

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
