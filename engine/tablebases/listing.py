"""Exports whole classes: every position as CSV or Parquet, and the longest lines as PGN games."""

from __future__ import annotations

import csv
import io
import struct
from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import BinaryIO

from standstill.cext.base.constants import BLACK, WHITE

from ..common.atomic_files import new_file, new_path
from ..common.errors import TablebaseError
from ..common.goal import goal_text
from ..variants.chess_notation import ORTHODOX
from ..variants.notation import san
from . import probing
from .material import LETTERS, men_of, needed
from .store import TableStore
from .table_file import TOP

FORMATS = (".csv", ".parquet")
CHUNK = 1 << 16  # number of positions that are read at a time
SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")

Row = tuple[int | str, ...]


def columns(name: str) -> list[str]:
    """Return the names of the columns.

    They are the side to move, the square of each piece, the goal, the outcome right after a reset, and the plies to
    that outcome. White's pieces have capital letters; equal pieces are numbered.
    """
    letters = [LETTERS[man].lower() if colour == BLACK else LETTERS[man] for colour, man in men_of(name)]
    labels = [
        f"{letter}{letters[: place + 1].count(letter)}" if letters.count(letter) > 1 else letter
        for place, letter in enumerate(letters)
    ]
    return ["to_move", *labels, "goal", "outcome", "plies"]


def rows(store: TableStore, name: str) -> Iterator[list[Row]]:
    """Yield the positions of a class in batches; one position stands for all positions that are symmetric to it.

    A goal is a number such as 3.5, an outcome a text such as -G1.5. Raises TablebaseError if the class is missing, is
    damaged or has no plies.
    """
    _check(store, name)
    men = men_of(name)
    row = struct.Struct(f"<B{len(men)}BBbH")
    texts = {number: probing.Value(number, 0).text for number in range(-TOP, TOP + 1) if number}
    first = 0
    while (packed := store.library.positions(men, first, first + CHUNK)) is not None:
        first += CHUNK
        found: list[Row] = []
        for stm, *squares, code, outcome, plies in row.iter_unpack(packed):
            found.append(("wb"[stm], *(SQUARES[square] for square in squares), code / 2, texts[outcome], plies))
        yield found


def _check(store: TableStore, name: str) -> None:
    if not store.is_complete(name):
        raise TablebaseError(f"expected both files of {name} in {store.folder}")
    if store.library.corrupt_blocks():
        raise TablebaseError(f"the tables in {store.folder} have damaged blocks: see `standstill tables verify`")


def write_csv(store: TableStore, name: str, path: str) -> int:
    """Write a class as CSV; return the number of positions. Raises TablebaseError and OSError."""
    count = 0
    with new_file(path) as file:
        _append(file, [columns(name)])
        for part in rows(store, name):
            _append(file, part)
            count += len(part)
    return count


def _append(file: BinaryIO, lines: Iterable[Iterable[object]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    rest = memoryview(text.getvalue().encode("ascii"))
    while rest:
        rest = rest[file.write(rest) :]


def write_parquet(store: TableStore, name: str, path: str) -> int:
    """Write a class as Parquet, using pyarrow; return the number of positions.

    Raises TablebaseError, OSError and, without pyarrow, ImportError.
    """
    import pyarrow
    import pyarrow.parquet

    names = columns(name)
    types = [pyarrow.string()] * (len(names) - 3) + [pyarrow.float32(), pyarrow.string(), pyarrow.uint16()]
    schema = pyarrow.schema(list(zip(names, types, strict=True)))
    count = 0
    with new_path(path) as temporary, pyarrow.parquet.ParquetWriter(temporary, schema) as writer:
        for part in rows(store, name):
            if part:
                columns_of_part = zip(zip(*part, strict=True), types, strict=True)
                arrays = [pyarrow.array(column, kind) for column, kind in columns_of_part]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            count += len(part)
    return count


# ---- longest lines ----


def longest_lines(store: TableStore, name: str) -> Iterator[str]:
    """Yield games in PGN: for each side to move and outcome after a reset, best play from a position of most plies.

    An outcome yields no game if in all its positions the record is already on the board. Raises TablebaseError if a
    table is missing or damaged.
    """
    for other in needed(name):
        _check(store, other)
    men = men_of(name)
    for stm, outcome, plies, squares in store.library.longest(men):
        if plies:
            yield _game(store, name, placed(men, squares, stm), probing.Value(outcome, plies))


def placed(men: list[tuple[int, int]], squares: list[int], stm: int) -> str:
    """Return the FEN of pieces on these squares."""
    board = dict(zip(squares, men, strict=True))
    ranks = []
    for rank in range(7, -1, -1):
        text, empty = "", 0
        for sq in range(8 * rank, 8 * rank + 8):
            if sq not in board:
                empty += 1
                continue
            colour, man = board[sq]
            letter = LETTERS[man].lower() if colour == BLACK else LETTERS[man]
            text, empty = f"{text}{empty or ''}{letter}", 0
        ranks.append(f"{text}{empty or ''}")
    return f"{'/'.join(ranks)} {'wb'[stm]} - - 0 1"


def _game(store: TableStore, name: str, fen: str, value: probing.Value) -> str:
    board = probing.chess_board(fen)
    record = probing.record_of(board, None)
    words: list[str] = []
    for move in probing.line(store, board, record):
        number = f"{board.fullmove}." if board.stm == WHITE else f"{board.fullmove}..." if not words else ""
        words.append(f"{number} {san(board, move)}".strip())
        board.push(move)
        goal = board.goal(), 1 - board.stm
        if goal[0] < record[0] or board.clock == 0:
            record = goal
            words[-1] += f" {{[%rm {goal_text(*goal)}]}}"
    sides = name.split("v")
    result = "1/2-1/2" if value.outcome not in (TOP, -TOP) else "1-0" if value.outcome > 0 else "0-1"
    tags = {"Event": f"Longest line of {name}", "White": sides[0], "Black": sides[1], "Result": result, "SetUp": "1"}
    tags |= {"FEN": ORTHODOX.fen(probing.chess_board(fen)), "RMobilityTable": f"{value.text} in {value.plies}"}
    head = "\n".join(f'[{tag} "{text}"]' for tag, text in tags.items())
    # A line break must not separate the words of a comment.
    kept = [word.replace("[%rm ", "[%rm\0") for word in words]
    body = fill(" ".join([*kept, result]), 79, break_long_words=False, break_on_hyphens=False).replace("\0", " ")
    return f"{head}\n\n{body}\n"
