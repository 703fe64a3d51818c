"""Converts between text and boards: FEN, coordinate moves, SAN and a diagram, for the game on the board.

Each board has a ``Notation``. The functions here delegate to it, or do the work that is common to all games. This
module does not import the core. Moves are the core's 32-bit integers (``cext/base/types.pxd``).
"""

from __future__ import annotations

from standstill.cext.base.constants import DROP, PROMOTION

from ..common.errors import NotationError
from ..common.goal import parse_record
from .variant import Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.base.board import Board as CoreBoard

    from ..common.errors import MendableError

    Board = CoreBoard["Notation"]  # any board of the core, as seen by the packages above it

# the numbers in ``board.squares`` of chess; the numbers of Black's pieces are 8 higher
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)

NULL_MOVE = "0000"
PASS = "--"  # the null move in PGN
FILES = "abcdefghijklmnop"  # the files of the widest board

# Games have fewer than ten thousand moves. A larger counter is a typing error, which the core would cap anyway.
_MAX_COUNTER = 9999

# EPD operations that programs often write without the semicolon.
_OPERATIONS = ("bm", "am", "id", "dm", "ce", "acd", "pv", "hmvc", "fmvn")
# Web pages and word processors replace hyphens with dashes.
_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


class Notation:
    """The notation of positions and moves of one game.

    Methods take the board as an argument, because boards share a notation. ``parse_move`` and ``parse_san`` return a
    legal move. They raise NotationError for a text that is not a move, and IllegalMoveError for an illegal move.
    """

    game: Variant
    chess960 = False  # whether castling is written as king takes rook

    def for_castling(self, chess960: bool) -> Notation:
        """Return the notation that writes castling in this form. Only chess has two forms of castling."""
        return self

    def square_name(self, sq: int) -> str:
        raise NotImplementedError

    def set_fen(self, board: Board, text: str) -> None:
        """Set up the board. Raises NotationError, and then leaves the board unchanged."""
        raise NotImplementedError

    def fen(self, board: Board, shredder: bool = False) -> str:
        """Return the position as a FEN of six fields.

        shredder: write castling rights as files of rooks, if the game has such a form.
        """
        raise NotImplementedError

    def flip(self, board: Board) -> None:
        """Exchange colours and ranks. Raises NotationError in variants, because their sides may differ."""
        raise NotationError("only positions of chess can be flipped: the sides of other games may differ")

    def diagram(self, board: Board) -> str:
        """Return the board as lines of text, White at the bottom, without the side to move."""
        raise NotImplementedError

    def move_text(self, board: Board, move: int) -> str:
        """Return a move as coordinates, as UCI and XBoard write it."""
        raise NotImplementedError

    def parse_move(self, board: Board, text: str) -> int:
        raise NotImplementedError

    def san_body(self, board: Board, move: int) -> str:
        """Return short algebraic notation without + or #."""
        raise NotImplementedError

    def parse_san(self, board: Board, text: str) -> int:
        raise NotImplementedError


# ---- the fields of a move ----


def from_sq(move: int) -> int:
    return move & 255


def to_sq(move: int) -> int:
    return move >> 8 & 255


def via_sq(move: int) -> int:
    return move >> 16 & 255


def promotion(move: int) -> int:
    """Return the piece to which the move promotes: 1 knight, 2 bishop, 3 rook, 4 queen; 0 for any other move."""
    return move >> 24 & 31 if kind(move) == PROMOTION else 0


def kind(move: int) -> int:
    return move >> 29


# ---- positions ----


def set_fen(board: Board, text: str) -> tuple[int, int] | None:
    """Set up ``board`` from a FEN and return its R-Mobility record, ``(owner, code)`` or None.

    If the last field is a record such as ``-G8.5``, the fields before it are those of the game. Raises NotationError,
    and then leaves the board unchanged.
    """
    fields = text.translate(_HYPHENS).split()
    record = parse_record(fields.pop()) if is_record(fields[4:][-1:]) else None
    board.notation.set_fen(board, " ".join(whole_fields(fields)))
    return record


def hyphened(text: str) -> str:
    """Return the text with a hyphen for each dash and minus sign."""
    return text.translate(_HYPHENS)


def mended(text: str, error: MendableError) -> str:
    """Return the FEN that raised this error with the invalid field replaced."""
    fields = whole_fields(text.translate(_HYPHENS).split())
    fields[error.field] = error.instead
    return " ".join(fields)


def is_record(fields: list[str]) -> bool:
    """Return whether the first field looks like an R-Mobility record such as ``-G8.5``."""
    return bool(fields) and fields[0].lstrip("+-\u2212\u2013")[:1] in ("G", "g")


def whole_fields(fields: list[str]) -> list[str]:
    """Return the fields of a FEN, with - for the castling rights and en passant square that a client omitted.

    XBoard omits both fields in games without castling and en passant. Fairy-Max omits the en passant square, as in
    ``w EDed 0 1``. Three numbers mean that no field is missing: in Makruk, Fairy-Stockfish writes its counting limit
    in place of the en passant square. A count of checks (``3+3``) is not one of these numbers.
    """
    numbers = [text.isascii() and text.isdigit() for text in fields[2:7] if not is_check_count([text])]
    if numbers[:1] == [True]:
        return [*fields[:2], "-", "-", *fields[2:]]
    if numbers[1:2] == [True] and numbers[1:4] != [True] * 3:
        return [*fields[:3], "-", *fields[3:]]
    return fields


def set_epd(board: Board, text: str) -> tuple[int, int] | None:
    """Like ``set_fen``, for one line of an EPD file. Operations after the fourth field are skipped."""
    return set_fen(board, " ".join(position_fields(text)))


def position_fields(text: str) -> list[str]:
    """Return the fields of the position at the beginning of a line of an EPD file."""
    fields = whole_fields(text.translate(_HYPHENS).split())
    last = 4
    last += is_check_count(fields[4:5])
    counters = last + 2
    while last < min(counters, len(fields)) and _is_number(fields[last]):
        last += 1
    last += last == counters == 6 and is_check_count(fields[6:7])
    return fields[:last]


def without_operations(text: str) -> tuple[str, str]:
    """Split a text into (position, EPD operations after the position, such as ``bm e4; id "a";``)."""
    fields = position_fields(text)
    rest = whole_fields(text.translate(_HYPHENS).split())[len(fields) :]
    if not rest or is_record(rest) or not (rest[-1].endswith(";") or rest[0] in _OPERATIONS):
        return text, ""
    return " ".join(fields), " ".join(rest)


def is_check_count(fields: list[str]) -> bool:
    """Return whether the first field is a count of checks, such as ``3+3`` or ``+0+0``."""
    text = fields[0].removeprefix("+") if fields else ""
    return len(text) == 3 and text[1] == "+" and text[::2].isascii() and text[::2].isdigit()


def fen(board: Board, shredder: bool = False) -> str:
    """Return the position as a FEN of six fields.

    Castling rights of chess are written as X-FEN, which is plain KQkq if that is unambiguous, or as Shredder-FEN. The
    en passant square is written only if the pawn can be captured.
    """
    return board.notation.fen(board, shredder)


def flip(board: Board) -> None:
    """Exchange colours and ranks. Raises NotationError in variants."""
    board.notation.flip(board)


def diagram(board: Board) -> str:
    """Return the board as lines of text, White at the bottom, without the side to move."""
    return board.notation.diagram(board)


def placement_text(letters: list[str], width: int) -> str:
    """Return the first field of a FEN. letters: the pieces from the lowest rank on; empty for an empty square."""
    rows = []
    for start in range(len(letters) - width, -1, -width):
        row, empty = "", 0
        for letter in letters[start : start + width]:
            if not letter:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def parse_side(text: str) -> int:
    if text not in ("w", "b"):
        raise NotationError(f"expected w or b as side to move, found {text!a}")
    return "wb".index(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit()


def parse_counter(text: str, what: str) -> int:
    """Parse a counter. Some programs write - or a negative number; both mean the smallest value."""
    if text == "-":
        return 0
    if not _is_number(text):
        raise NotationError(f"expected a number as {what}, found {text!a}")
    # int() rejects thousands of digits, and such a number is out of range anyway.
    return _MAX_COUNTER if len(text) > 9 else max(0, min(int(text), _MAX_COUNTER))


# ---- moves ----


def move_text(board: Board, move: int) -> str:
    """Return a move as UCI and XBoard write it, such as e2e4 or e7e8q."""
    return board.notation.move_text(board, move)


def parse_move(board: Board, text: str) -> int:
    """Return the legal move that a coordinate text names.

    Raises NotationError if the text is not a move, and IllegalMoveError if the move is illegal here.
    """
    return board.notation.parse_move(board, text)


def is_drop(text: str) -> bool:
    """Return whether the text has the form of a drop, such as N@f3, @e4 or +N@f3."""
    return "@" in text[: 3 if text[:1] == "+" else 2]


def is_pass(move: int) -> bool:
    """Return whether the side to move passes. Its king's square is then both squares of the move."""
    return move >> 24 == DROP << 5


def looks_like_move(text: str) -> bool:
    """Return whether the text has the form of a coordinate move on any board.

    The null move and illegal moves also have this form.
    """
    if is_drop(text):
        return split_move(text.rpartition("@")[2] * 2) is not None
    return text == NULL_MOVE or (text[1:2].isdigit() and split_move(text) is not None)


def split_move(text: str) -> tuple[str, str, str] | None:
    """Split a coordinate move such as e2e4, e7e8q or a10b9 into (from, to, letter), without a board."""
    squares = []
    at = 0
    for _ in range(2):
        end = at + 1
        while end < len(text) and text[end].isdigit() and text[end].isascii() and end < at + 3:
            end += 1
        if text[at : at + 1] not in FILES or end == at + 1 or at >= len(text):
            return None
        squares.append(text[at:end])
        at = end
    letter = text[at:].removeprefix("=")
    if len(letter) > 1 or (letter and not ((letter.isascii() and letter.isalpha()) or letter in "+-")):
        return None
    return squares[0], squares[1], letter


def san(board: Board, move: int) -> str:
    """Return the standard algebraic notation of a legal move, with + or #."""
    text = board.notation.san_body(board, move)
    if board.checks(move):
        board.push(move)
        text += "+" if board.count_legal(1) else "#"
        board.pop()
    return text


def san_line(board: Board, texts: list[str]) -> list[str]:
    """Return the SAN of consecutive coordinate moves. The board is unchanged afterwards."""
    line = []
    for text in texts:
        move = parse_move(board, text)
        line.append(san(board, move))
        board.push(move)
    for _ in line:
        board.pop()
    return line


def parse_san(board: Board, text: str) -> int:
    """Return the legal move that SAN names. Redundant disambiguation, missing x, = or +, and 0-0 are accepted.

    Raises NotationError if the text is not a move or is ambiguous, and IllegalMoveError if no legal move matches.
    """
    return board.notation.parse_san(board, text)
