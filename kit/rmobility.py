"""Reads R-Mobility tables for programs that use python-chess, in the manner of ``chess.syzygy``.

    import chess
    import rmobility

    with rmobility.open_tablebase("tables") as tables:
        board = chess.Board("8/8/8/4KBk1/8/8/8/8 b - - 0 1")
        tables.probe_goal(board)                   # G1.5: how the game ends with best play
        tables.probe_goal(board, "-G2.0")          # the same, if Black has reached G2.0 before
        tables.probe_plies(board)                  # 4: half-moves until this record is on the board
        tables.get_goal(chess.Board())             # None: no table has the position

The file needs nothing but python-chess. `standstill tables build` writes the tables; three men come with Standstill.
The values do not take the 50-move rule into account.

Copyright (c) 2026 the Standstill authors. MIT licence: permission is granted, free of charge, to any person obtaining a
copy of this file to deal in it without restriction, including the rights to use, copy, modify, merge, publish,
distribute, sublicense and sell copies, provided that this notice is included in all copies or substantial portions.
The software is provided "as is", without warranty of any kind.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections import OrderedDict
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby, product
from math import comb
from typing import NamedTuple

import chess

TOP = 127  # an outcome is 127 minus the goal code, with a minus for Black
_OPEN = 2  # records with a lower code, mate and stalemate, end the game
_ORDER = "KQRBNP"
_HEADER = struct.Struct("<8sHBBBBH16sQIIIIIIIIII")
_PREFIX = 84  # bytes of the header with its check sum
_BLOCK = 1 << 15  # entries of a block
_MOST_BLOCKS = 128  # unpacked blocks that a table keeps


class MissingTableError(KeyError):
    """No table has the position."""


class Goal(NamedTuple):
    """A goal: twice the number of moves, plus one without check, and the side that reached it.

    >>> str(Goal.parse("-G8.5")), Goal.parse("-G8.5").code
    ('-G8.5', 17)
    """

    code: int
    color: chess.Color

    @classmethod
    def parse(cls, text: str) -> Goal:
        """Read ``G1.5`` (White's) or ``-G8.5`` (Black's). Raises ValueError."""
        number = text.lstrip("+-")
        try:
            code = 2 * Fraction(number[1:])
        except (ValueError, ZeroDivisionError):
            code = Fraction(-1)
        if number[:1] not in ("G", "g") or len(text) - len(number) > 1 or code < 0 or code.denominator != 1:
            raise ValueError(f"expected a goal such as G1.5 or -G8.5, found {text!r}")
        return cls(int(code), not text.startswith("-"))

    def __str__(self) -> str:
        return f"{'' if self.color else '-'}G{self.code // 2}.{5 * (self.code % 2)}"


def goal_of(board: chess.Board) -> Goal:
    """Return the goal of a position; it belongs to the side that has just moved."""
    return Goal(2 * board.legal_moves.count() + (not board.is_check()), not board.turn)


def open_tablebase(directory: str, *, whole_game: bool = False) -> Tablebase:
    """Open the tables of a folder. whole_game: open tables for the game without resets. Raises OSError, ValueError."""
    tables = Tablebase(whole_game=whole_game)
    tables.add_directory(directory)
    return tables


class Tablebase:
    """Open tables. The methods ``probe_…`` raise MissingTableError; ``get_…`` return a default instead."""

    def __init__(self, *, whole_game: bool = False):
        self._suffixes = ("wgv", "wgd") if whole_game else ("rmv", "rmd")
        self._whole_game = whole_game
        self._files: dict[str, _Table] = {}

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def add_directory(self, directory: str) -> int:
        """Add the tables of a folder and return the number of files.

        Raises OSError, or ValueError for a damaged file.
        """
        count = 0
        for entry in sorted(os.listdir(directory)):
            if entry.rpartition(".")[2] in self._suffixes:
                self._files.setdefault(entry, _Table(os.path.join(directory, entry)))
                count += 1
        return count

    def close(self) -> None:
        """Close all files."""
        for table in self._files.values():
            table.close()
        self._files.clear()

    def probe_goal(self, board: chess.Board, record: Goal | str | None = None) -> Goal:
        """Return the record at the end of the game with best play.

        record: the record that stands, if it is lower than the goal of the position. Raises MissingTableError, and
        ValueError for a record that would have ended the game.
        """
        outcome = self._value(board, _standing(board, record))[0]
        return Goal(TOP - abs(outcome), outcome > 0)

    def probe_plies(self, board: chess.Board, record: Goal | str | None = None) -> int:
        """Return the half-moves until that record is on the board.

        Raises MissingTableError, also if only the file of the outcomes exists.
        """
        plies = self._value(board, _standing(board, record))[1]
        if plies is None:
            raise MissingTableError(f"no table has the plies of {board.fen()}")
        return plies

    def get_goal(
        self, board: chess.Board, record: Goal | str | None = None, default: Goal | None = None
    ) -> Goal | None:
        try:
            return self.probe_goal(board, record)
        except MissingTableError:
            return default

    def get_plies(self, board: chess.Board, record: Goal | str | None = None, default: int | None = None) -> int | None:
        try:
            return self.probe_plies(board, record)
        except MissingTableError:
            return default

    def _value(self, board: chess.Board, record: Goal) -> tuple[int, int | None]:
        """(outcome, plies or None) under a record that is not weaker than the goal of the position."""
        if type(board) is not chess.Board or board.castling_rights:
            raise MissingTableError(f"no table has {board.fen()}")
        if not any(board.legal_moves):
            return _outcome(record), 0
        if board.has_legal_en_passant():
            return self._best(board, record)
        men = [(int(not piece.color), piece.symbol().upper(), square) for square, piece in board.piece_map().items()]
        sides = ["".join(sorted((m[1] for m in men if m[0] == colour), key=_ORDER.index)) for colour in (0, 1)]
        strength = [(-len(side), [_ORDER.index(letter) for letter in side]) for side in sides]
        stm, owner = int(not board.turn), int(not record.color)
        is_turned = strength[1] < strength[0]
        if is_turned:
            men = [(1 - colour, letter, square ^ 56) for colour, letter, square in men]
            sides.reverse()
            stm, owner = 1 - stm, 1 - owner
        name = "v".join(sides)
        outcomes, plies = (self._files.get(f"{name}.{suffix}") for suffix in self._suffixes)
        if outcomes is None:
            raise MissingTableError(f"no table has {board.fen()}")
        number = _number(men, stm)
        outcome = outcomes.look_up(number, record.code, owner)
        sign = -1 if is_turned else 1
        if not outcome:  # the record stands
            return _outcome(record), 0
        return sign * outcome, None if plies is None else plies.look_up(number, record.code, owner)

    def _best(self, board: chess.Board, record: Goal) -> tuple[int, int | None]:
        """The value of a position with an en passant capture, which no table has, from the values of its moves."""
        sign = 1 if board.turn else -1
        stands = _outcome(record)
        found = []
        for move in board.legal_moves:
            resets = board.is_zeroing(move) and not self._whole_game
            board.push(move)
            own = goal_of(board)
            outcome, plies = self._value(board, own if resets or own.code < record.code else record)
            board.pop()
            later = None if plies is None else 0 if outcome == stands else plies + 1
            # The side to move goes by the shortest way to a better outcome, and by the longest to any other.
            gains = sign * (outcome - stands) > 0
            found.append((-sign * outcome, (later or 0) * (1 if gains else -1), outcome, later))
        return min(found)[2:]


def _outcome(record: Goal) -> int:
    return (TOP - record.code) * (1 if record.color else -1)


def _standing(board: chess.Board, record: Goal | str | None) -> Goal:
    own = goal_of(board)
    if record is None:
        return own
    given = Goal.parse(record) if isinstance(record, str) else record
    if given.code < _OPEN <= own.code:
        raise ValueError(f"expected a record that leaves the game open, found {given}")
    return own if own.code < given.code else given


class _Table:
    """One file, whose blocks are read when they are needed."""

    def __init__(self, path: str):
        self._path = path
        self._file = open(path, "rb")  # noqa: SIM115 (closed by close)
        head = self._read(0, _PREFIX)
        fields = _HEADER.unpack_from(head)
        if fields[:2] != (b"RMOBTAB\n", 1) or zlib.crc32(head[:80]) != int.from_bytes(head[80:84], "little"):
            self.close()
            raise ValueError(f"{path}: expected a table of version 1")
        self._width, blocks, packed, statistics = fields[5], fields[10], fields[12], fields[14]
        self._stairs = _stairs(zlib.decompress(self._read(_PREFIX, packed), -15))
        listed = _PREFIX + packed + statistics
        listing = struct.unpack(f"<{2 * blocks}I", self._read(listed, 8 * blocks))
        self._blocks, start = [], listed + 8 * blocks
        for size, check in zip(listing[::2], listing[1::2], strict=True):
            self._blocks.append((start, size, check))
            start += size
        self._kept: OrderedDict[int, bytes] = OrderedDict()

    def close(self) -> None:
        self._file.close()

    def _read(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        found = self._file.read(size)
        if len(found) < size:
            raise ValueError(f"{self._path}: the file ends too early")
        return found

    def _block(self, number: int) -> bytes:
        if number not in self._kept:
            start, size, check = self._blocks[number]
            content = self._read(start, size)
            if zlib.crc32(content) != check:
                raise ValueError(f"{self._path}: a block is damaged")
            self._kept[number] = zlib.decompress(content, -15)
            if len(self._kept) > _MOST_BLOCKS:
                self._kept.popitem(last=False)
        return self._kept[number]

    def look_up(self, number: int, code: int, owner: int) -> int:
        """The value under a record; 0 if the record stands."""
        block, place = divmod(number, _BLOCK)
        symbols = self._block(block)
        length = len(symbols) // self._width
        entry = sum(symbols[place + at * length] << 8 * at for at in range(self._width))
        held = 0
        for first, value in self._stairs[entry][owner]:
            if first > code:
                break
            held = value
        return held


def _stairs(text: bytes) -> list[tuple[list[tuple[int, int]], ...]]:
    """For each kind of entry, for White's record and Black's: (first goal code, value) in ascending order."""
    found, at = [], 0
    while at < len(text):
        pair = []
        for _ in range(2):
            count, at = text[at], at + 1
            pair.append([struct.unpack_from("<Bh", text, at + 3 * place) for place in range(count)])
            at += 3 * count
        found.append(tuple(pair))
    return found


# ---- the number of a position ----

_Man = tuple[int, str, int]  # 0 for White or 1 for Black, letter, square


@cache
def _king_pairs(has_pawns: bool) -> dict[tuple[int, int], int]:
    """Number the placements of the kings. Without pawns White's king stands in the triangle a1-d1-d4."""
    pairs = product(range(64), repeat=2)
    if not has_pawns:
        pairs = (
            (white, black)
            for white, black in pairs
            if white // 8 <= white % 8 < 4
            and max(abs(white % 8 - black % 8), abs(white // 8 - black // 8)) > 1
            and (white // 8 < white % 8 or black // 8 <= black % 8)
        )
    return {pair: number for number, pair in enumerate(pairs)}


@cache
def _placements(white: int, black: int) -> dict[tuple[int, ...], int]:
    """Number the placements of so many white and black pawns. A placement and its mirror image share a number."""
    found: dict[tuple[int, ...], int] = {}
    for own, other in product(combinations(range(8, 56), white), combinations(range(8, 56), black)):
        image = tuple(tuple(sorted(square ^ 7 for square in side)) for side in (own, other))
        if not {*own} & {*other} and (own, other) <= image:
            found[own + other] = len(found)
    return found


def _in_class(man: _Man) -> tuple[bool, bool, int, int, int]:
    colour, letter, square = man
    return letter != "K", letter == "P", colour, _ORDER.index(letter), square


def _number(men: list[_Man], stm: int) -> int:
    pawns = [colour for colour, letter, _ in men if letter == "P"]
    places, pairs = _placements(pawns.count(0), pawns.count(1)), _king_pairs(bool(pawns))
    for mask, swaps in product((0, 7) if pawns else (0, 7, 56, 63), (False,) if pawns else (False, True)):
        turned = ((colour, letter, square ^ mask) for colour, letter, square in men)
        image = sorted(((c, m, sq % 8 * 8 + sq // 8 if swaps else sq) for c, m, sq in turned), key=_in_class)
        squares = tuple(man[2] for man in image)
        kings, own = squares[:2], squares[len(men) - len(pawns) :]
        if kings in pairs and own in places:
            break
    number, size = pairs[kings], len(pairs)
    for _, group in groupby(image[2 : len(men) - len(pawns)], key=lambda man: man[:2]):
        like = [man[2] for man in group]
        number = comb(64, len(like)) * number + sum(comb(square, at) for at, square in enumerate(like, 1))
        size *= comb(64, len(like))
    return (stm * len(places) + places[own]) * size + number
