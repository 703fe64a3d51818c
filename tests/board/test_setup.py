"""Impossible positions are refused in one line that gives the reason, and the board stays as it was."""

from __future__ import annotations

import chess
import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.cext.chess.chess_board import START
from standstill.engine.variants.boards import new_board
from tests.board.support import KIWIPETE, core, core_squares, face, reference, set_up

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
BLACK_MAN = 8


def squares(**men: int) -> bytes:
    """64 squares with these pieces, given by square name."""
    board = bytearray(64)
    for name, piece in men.items():
        board[chess.parse_square(name)] = piece
    return bytes(board)


KINGS = {"e1": KING, "e8": KING + BLACK_MAN}
QUEENS = dict.fromkeys(chess.SQUARE_NAMES[8:38], QUEEN)
KNIGHTS = dict.fromkeys(chess.SQUARE_NAMES[8:24], KNIGHT)

# squares, side, castling, en passant, expected words of the message
IMPOSSIBLE = {
    "no king": (squares(), WHITE, 0, None, "king"),
    "no white king": (squares(e8=14), WHITE, 0, None, "king.*White"),
    "no black king": (squares(e1=6), WHITE, 0, None, "king.*Black"),
    "two white kings": (squares(**KINGS, a1=KING), WHITE, 0, None, "2 for White"),
    "two black kings": (squares(**KINGS, a8=14), WHITE, 0, None, "2 for Black"),
    "kings side by side": (squares(e1=6, e2=14), WHITE, 0, None, "check"),
    "side not to move in check": (squares(**KINGS, e5=ROOK), WHITE, 0, None, "check"),
    "white pawn on the last rank": (squares(**KINGS, a8=PAWN), WHITE, 0, None, "pawn"),
    "black pawn on its own first rank": (squares(**KINGS, a8=9), WHITE, 0, None, "pawn"),
    "pawn on the first rank": (squares(**KINGS, h1=PAWN), WHITE, 0, None, "pawn"),
    "thirty queens": (squares(a1=6, h8=14, **QUEENS), BLACK, 0, None, "16 pieces"),
    "seventeen pieces": (squares(a1=6, h8=14, **KNIGHTS), WHITE, 0, None, "17 for White"),
    "castling without a rook": (squares(**KINGS), WHITE, 1 << chess.H1, None, "castling"),
    "castling with the other side's rook": (squares(**KINGS, h1=12), WHITE, 1 << chess.H1, None, "castling"),
    "castling with a bishop": (squares(**KINGS, h1=BISHOP), WHITE, 1 << chess.H1, None, "castling"),
    "castling with the king away": (squares(e2=6, e8=14, h1=ROOK), WHITE, 1 << chess.H1, None, "castling"),
    "castling in the middle": (squares(**KINGS, h4=ROOK), WHITE, 1 << chess.H4, None, "castling"),
    "two rights on one side": (squares(**KINGS, g1=ROOK, h1=ROOK), WHITE, 3 << chess.G1, None, "castling"),
    "Black's right without a rook": (squares(e1=6, e7=14, h8=12), WHITE, 1 << chess.H8, None, "castling"),
    "en passant on the wrong rank": (squares(**KINGS, d5=9), WHITE, 0, chess.D3, "en passant"),
    "en passant without a pawn": (squares(**KINGS), WHITE, 0, chess.D6, "en passant"),
    "en passant behind the mover's own pawn": (squares(**KINGS, d5=PAWN), WHITE, 0, chess.D6, "en passant"),
    "en passant on an occupied square": (squares(**KINGS, d5=9, d6=10), WHITE, 0, chess.D6, "en passant"),
    "en passant with the start square occupied": (squares(**KINGS, d5=9, d7=10), WHITE, 0, chess.D6, "en passant"),
    "en passant off the board": (squares(**KINGS), WHITE, 0, 64, "en passant"),
    "en passant below the board": (squares(**KINGS), WHITE, 0, -1, "en passant"),
    "en passant far off the board": (squares(**KINGS), WHITE, 0, 1 << 20, "en passant"),
    "too few squares": (bytes(63), WHITE, 0, None, "64 squares"),
    "too many squares": (bytes(65), WHITE, 0, None, "64 squares"),
    "a piece that does not exist": (squares(**KINGS, a4=7), WHITE, 0, None, "piece"),
    "another one": (squares(**KINGS, a4=8), WHITE, 0, None, "piece"),
    "a piece far out of range": (squares(**KINGS, a4=255), WHITE, 0, None, "piece"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_refused_with_a_reason(name: str) -> None:
    men, stm, castling, ep, words = IMPOSSIBLE[name]
    with pytest.raises(ValueError, match=words):
        new_board().set_up(men, stm, castling, ep, 0, 1)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_the_message_is_one_line(name: str) -> None:
    with pytest.raises(ValueError) as caught:
        new_board().set_up(*IMPOSSIBLE[name][:4], 0, 1)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_the_board_stays_as_it_was(name: str) -> None:
    board = core(KIWIPETE)
    board.push(board.legal_moves()[0])
    before = face(board)
    with pytest.raises(ValueError):
        board.set_up(*IMPOSSIBLE[name][:4], 0, 1)
    assert face(board) == before


def test_a_new_board_holds_the_start_position() -> None:
    position = reference(chess.STARTING_FEN)
    board = new_board()
    assert (board.squares, board.stm, board.castling) == (START, WHITE, position.castling_rights)
    assert board.squares == core_squares(position)


@pytest.mark.parametrize("clock", [-(10**9), -1, 10**6, 2**31 - 1])
def test_an_odd_clock_is_brought_into_range(clock: int) -> None:
    board = new_board()
    board.set_up(squares(**KINGS), WHITE, 0, None, clock, 1)
    assert 0 <= board.clock < 32768


@pytest.mark.parametrize("fullmove", [-(10**9), -1, 0, 10**6, 2**31 - 1])
def test_an_odd_move_number_is_brought_into_range(fullmove: int) -> None:
    board = new_board()
    board.set_up(squares(**KINGS), WHITE, 0, None, 0, fullmove)
    assert board.fullmove >= 1


def test_setting_up_forgets_the_game_before() -> None:
    board = core(KIWIPETE)
    for _ in range(4):
        board.push(board.legal_moves()[0])
    set_up(board, reference(KIWIPETE))
    assert face(board) == face(core(KIWIPETE))


def test_sixteen_men_are_allowed() -> None:
    men = dict(list(KNIGHTS.items())[:15])
    board = new_board()
    board.set_up(squares(a1=6, h8=14, **men), WHITE, 0, None, 0, 1)
    board.verify()
