"""Reads XBoard's `edit`, the old way to set up a position, for chess and for games by definition."""

from __future__ import annotations

import re

from standstill.cext.base.constants import WHITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.notation import Board

_CLEARS, _TURNS = "#", "c"
_LETTERS = ".PNBRQK..pnbrqk"  # by piece
_CHESS_LINE = re.compile(r"[PNBRQKpnbrqkxX][a-hA-H][1-8]")
_DEFINED_LINE = re.compile(r"[A-Za-z][a-pA-P]\d{1,2}")


def is_edit(line: str, board: Board) -> bool:
    """Return whether this line belongs to an `edit`: it clears the board, changes the colour, or places a piece."""
    if line in {_CLEARS, _TURNS}:
        return True
    if board.notation.game.is_chess:
        return _CHESS_LINE.fullmatch(line) is not None
    return _DEFINED_LINE.fullmatch(line) is not None or "@" in line


def edited_fen(board: Board, lines: list[str]) -> str:
    """Return the FEN after the lines of an `edit`, for each of which ``is_edit`` is true. The board does not change.

    ``#`` clears the board, ``c`` changes the colour of the following pieces, ``Pa4`` places a piece, ``xa4`` removes
    one. In chess, castling is possible where king and rook stand on their home squares. In other games, pieces that
    stand as in the start position count as unmoved, and lines of any other form change nothing, as clients expect.
    """
    return _chess_fen(board, lines) if board.notation.game.is_chess else _defined_fen(board, lines)


def _chess_fen(board: Board, lines: list[str]) -> str:
    men = {board.notation.square_name(sq): _LETTERS[piece] for sq, piece in enumerate(board.squares) if piece}
    white = True
    for line in lines:
        if line == _CLEARS:
            men.clear()
        elif line == _TURNS:
            white = not white
        else:
            square = line[1:].lower()
            men.pop(square, None)
            if line[0] not in "xX":
                men[square] = line[0].upper() if white else line[0].lower()
    rows = []
    for rank in "87654321":
        row = "".join(men.get(file + rank, " ") for file in "abcdefgh")
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    return f"{'/'.join(rows)} {'wb'[board.stm]} {_home_rights(men)} - 0 1"


def _home_rights(men: dict[str, str]) -> str:
    rights = ""
    for rank, king, queen, rook in (("1", "K", "Q", "R"), ("8", "k", "q", "r")):
        if men.get(f"e{rank}") == king:
            rights += king * (men.get(f"h{rank}") == rook) + queen * (men.get(f"a{rank}") == rook)
    return rights or "-"


def _defined_fen(board: Board, lines: list[str]) -> str:
    from standstill.engine.variants.fairy_notation import DefinedNotation, fen_with_men, parse_square

    notation = board.notation
    assert isinstance(notation, DefinedNotation)
    game = notation.game
    squares = bytearray(board.squares)
    colour = WHITE
    for line in lines:
        if line == _CLEARS:
            squares = bytearray(len(squares))
        elif line == _TURNS:
            colour ^= 1
        elif (sq := parse_square(game, line[1:].lower(), notation.first_rank)) is not None:
            number = game.man_of(line[0], colour)
            squares[sq] = number + 16 * colour if number else 0
    return fen_with_men(board, notation, bytes(squares))
