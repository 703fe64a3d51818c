"""Reads the line of a piece in a definition file: ``LETTER:VALUE RAY RAY ...``, with rays as numbers or in names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..common.text import shown
from .betza_reader import rays_of
from .definition import HOPS, MATES, MULTI_PATH, NO_MATING_PAIR, TOUGH, Piece, Ray, displacement

MOST_RAYS = 128  # a queen has 8, and the largest piece in Fairy-Max's file has 20
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"[+-]?\d{1,9}\Z", re.ASCII)
_HEX = re.compile(r"-?[0-9A-Fa-f]{1,8}\Z")
_VALUE_AND_MOVES = re.compile(r"(-?\d{1,5}),?([a-z]*[A-Z].*)\Z", re.ASCII)
_PAWNS = re.compile(r"(\d{1,2}[.,]\d{1,2})\Z", re.ASCII)
_DASHED = re.compile("[\u2012-\u2015\u2212](\\d{1,5})\\Z", re.ASCII)
_QUOTED_END = re.compile(r"found '(\w+)'\Z")
_RAY_LIKE = re.compile(r"(-?\d+)[;.:/]([0-9A-Fa-f]+)(?:[;.:/,](-?\d+))?,?\Z", re.ASCII)


class PieceReader:
    """Reads the pieces of one game.

    width, height: the size of the game's board, or of the largest board if the size is unknown.

    mistakes: (column, message) of each mistake in the line read last; columns count from 0.
    """

    def __init__(self, width: int, height: int):
        self._size = width, height
        self.mistakes: list[tuple[int, str]] = []
        self.has_names = False  # whether a piece had moves in Betza's notation, which Fairy-Max cannot read

    def piece(self, found: re.Match[str], pawn: bool) -> Piece:
        """Read a line's piece from its match with the groups (letter, rest). After mistakes the piece is incomplete."""
        self.mistakes = []
        letter, base = found[1], found.start(2)
        if not letter.isascii() or not letter.isalpha():
            self._fail(found.start(1), f"expected a letter a-z or A-Z, found {shown(letter)}")
        tokens = list(_TOKEN.finditer(found[2]))
        value = self._value(tokens[0] if tokens else None, base)
        rays: list[Ray] = []
        suffix = None
        for token in tokens[1:]:
            column = base + token.start()
            if token[0].startswith(("//", "#", ";")):
                found_text = shown(found[2][token.start() :].strip(), 40)
                self._fail(column, f"expected moves, found {found_text}; a comment needs a line of its own")
                break
            parts = token[0].split(",")
            if parts[0] == "0" and len(parts) == 2:
                suffix = self._suffix(parts[1], column + 2)
            elif suffix is not None:
                self._fail(column, f"expected no ray after a suffix, found {shown(token[0], 40)}")
            elif token[0][0].isalpha():
                rays += self._rays_by_name(token[0], column, pawn)
            else:
                rays += self._ray(parts, token[0], column)
            if len(rays) > MOST_RAYS:
                self._fail(column, f"expected at most {MOST_RAYS} rays")
                break
        return Piece(letter, value, tuple(rays), suffix)

    def _fail(self, column: int, message: str) -> None:
        self.mistakes.append((column, message))

    def _value(self, token: re.Match[str] | None, base: int) -> int:
        word = token[0] if token else ""
        if _NUMBER.match(word):
            return int(word)
        joined = _VALUE_AND_MOVES.match(word)
        hint = f"; did you mean {joined[1]} {joined[2]}?" if joined else ""
        if meant := _value_meant(word):
            hint = f"; did you mean {meant}?"
        if not hint and (_names(word) or "," in word):
            hint = "; the value is the first number, and 0 lets the engine compute it"
        self._fail(
            base + (token.start() if token else 0), f"expected a value in centipawns, found {shown(word, 40)}{hint}"
        )
        return 0

    def _suffix(self, text: str, column: int) -> int | None:
        value = int(text, 16) if _HEX.match(text) else 0
        if value in (MATES, TOUGH, NO_MATING_PAIR) or MATES < value < 10000:
            return value
        self._fail(column, f"expected 3, -1, -4 or a bonus above 3 (hexadecimal), found {shown(text, 40)}")
        return None

    def _rays_by_name(self, text: str, column: int, pawn: bool) -> Sequence[Ray]:
        """Read moves in Betza's notation, which may replace rays."""
        self.has_names = True
        try:
            rays = rays_of(text, pawn)
        except ValueError as error:
            self._fail(column, f"{error}{_capitals_meant(text, str(error), pawn)}")
            return ()
        for ray in rays:
            for step in (ray.step,) if ray.extra & MULTI_PATH else (ray.step, ray.second):
                if not self._check_step(step, column, text):
                    return ()  # a name may stand for many steps, but one message is enough
        return rays

    def _ray(self, parts: list[str], text: str, column: int) -> tuple[Ray, ...]:
        if len(parts) not in (2, 3) or not _NUMBER.match(parts[0]):
            like = _RAY_LIKE.match(text) or _RAY_LIKE.match(text.rstrip(",").replace(",", ";"))
            hint = f"; did you mean {','.join(filter(None, like.groups()))}?" if like else ""
            self._fail(column, f"expected STEP,RIGHTS or STEP,RIGHTS,STEP2, found {shown(text, 40)}{hint}")
            return ()
        before = len(self.mistakes)
        step = int(parts[0])
        column_2 = column + len(parts[0]) + 1
        if not _HEX.match(parts[1]) or parts[1].startswith("-"):
            zeros = parts[1].replace("O", "0").replace("o", "0").replace("l", "1")
            hint = f"; did you mean {zeros}?" if _HEX.match(zeros) and zeros != parts[1] else ""
            self._fail(column_2, f"expected up to 8 hexadecimal digits, found {shown(parts[1], 40)}{hint}")
            return ()
        rights = int(parts[1], 16)
        bend = (rights ^ 0x80000000) - 0x80000000 >> 12  # two's complement of 32 bits
        if len(parts) == 3:
            column_3 = column_2 + len(parts[1]) + 1
            if not _NUMBER.match(parts[2]):
                self._fail(column_3, f"expected the step of a second leg, found {shown(parts[2], 40)}")
                return ()
            if bend:
                self._fail(column_2, f"expected 3 digits before a second step, found {parts[1]}")
            bend = step ^ int(parts[2])
            self._check_step(int(parts[2]), column_3)
        ray = Ray(step, rights & 0xFFF, bend)
        self._check_step(step, column)
        # Only a ray with a second leg needs a second step.
        if bend and not ray.extra & MULTI_PATH and len(parts) == 2:
            self._check_step(ray.second, column_2)
        if ray.mode & HOPS and not ray.toggle & HOPS:
            self._fail(column_2, f"expected a hopper with the 8 in both digits, found {parts[1]}")
        return (ray,) if len(self.mistakes) == before else ()

    def _check_step(self, step: int, column: int, text: str = "") -> bool:
        """Return whether a step stays on the board. text: the text from which the step comes, if it is not a number."""
        right, up = displacement(step)
        width, height = self._size
        if (right, up) == (0, 0) or abs(right) >= width or abs(up) >= height:
            found = shown(text, 40) if text else str(step)
            self._fail(column, f"expected a step that stays on a board of {width}x{height}, found {found}")
            return False
        return True


def _value_meant(word: str) -> str:
    """Return the value that was probably meant: centipawns for pawns, a minus sign for a dash; else an empty text."""
    if found := _PAWNS.match(word):
        return str(round(float(found[1].replace(",", ".")) * 100))
    found = _DASHED.match(word)
    return f"-{found[1]}" if found else ""


def _capitals_meant(text: str, error: str, pawn: bool) -> str:
    """Return a hint for moves that are valid in capitals; for the end of the text if the error quotes only that."""
    quoted = _QUOTED_END.search(error)
    wrong = quoted[1] if quoted and text.endswith(quoted[1]) else text
    is_meant = "did you mean" not in error and wrong != wrong.upper()
    return f"; did you mean {wrong.upper()}?" if is_meant and _names(_in_capitals(text, wrong), pawn) else ""


def _in_capitals(text: str, end: str) -> str:
    return text.removesuffix(end) + end.upper()


def _names(text: str, pawn: bool = False) -> bool:
    """Return whether a text is moves in Betza's notation."""
    try:
        return bool(rays_of(text, pawn))
    except ValueError:
        return False
