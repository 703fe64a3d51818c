"""Reads and writes positions and moves of orthodox chess and Chess960 as text."""

from __future__ import annotations

from standstill.cext.base.constants import (
    CASTLING,
    KIND_SHIFT,
    PROMOTION,
    PROMOTION_MASK,
    PROMOTION_SHIFT,
    SQUARE_MASK,
    TO_SHIFT,
    VIA_SHIFT,
)

from ..common.errors import IllegalMoveError, MendableError, NotationError
from ..common.text import plural, shown
from .notation import (
    KING,
    PAWN,
    ROOK,
    Notation,
    from_sq,
    kind,
    parse_counter,
    parse_side,
    placement_text,
    promotion,
    to_sq,
    via_sq,
)
from .variant import CHESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.chess.chess_board import ChessBoard

    from .notation import Board

_LETTERS = ".PNBRQK..pnbrqk"  # by piece number
_FILES = "abcdefgh"
_SQUARES = [file + rank for rank in "12345678" for file in _FILES]
_SQUARE_OF = {name: sq for sq, name in enumerate(_SQUARES)}
_PROMOTION_LETTERS = "pnbrqk"  # the index is the promotion field of a move


class ChessNotation(Notation):
    """The notation of chess. chess960: write castling as king takes rook. Both notations of castling are read."""

    game = CHESS

    def __init__(self, chess960: bool = False):
        self.chess960 = chess960

    def for_castling(self, chess960: bool) -> Notation:
        return CHESS960 if chess960 else ORTHODOX

    def square_name(self, sq: int) -> str:
        return _SQUARES[sq]

    def set_fen(self, board: Board, text: str) -> None:
        """Set the board up from a FEN of four to six fields. Castling may be KQkq, X-FEN or Shredder-FEN.

        Castling rights that orthodox chess cannot have make the game Chess960. Raises NotationError. The error is a
        MendableError for castling rights without king or rook, and for an en passant square without its pawn.
        """
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        fields = text.split()
        if not 4 <= len(fields) <= 6:
            raise NotationError(f"expected a FEN of 4 to 6 fields, found {len(fields)} in {shown(text)}")
        try:
            squares = _parse_placement(fields[0])
            stm = parse_side(fields[1])
            castling, lost = _parse_castling(fields[2], squares)
            ep = _parse_ep(fields[3], stm, squares)
            clock = parse_counter(fields[4], "half-move clock") if len(fields) > 4 else 0
            fullmove = parse_counter(fields[5], "move number") if len(fields) > 5 else 1
            if lost:
                kept = "".join(letter for letter in fields[2] if letter not in lost) or "-"
                what = f"castling {plural(len(lost), 'right')} {lost} without king and rook at home"
                raise MendableError(f"{what} in FEN {shown(text)}", 2, kept)
            board.set_up(squares, stm, castling, ep, clock, max(1, fullmove))
        except MendableError:
            raise
        except ValueError as error:
            raise NotationError(f"{error} in FEN {shown(text)}") from None

    def fen(self, board: Board, shredder: bool = False) -> str:
        """Return the position as a FEN of six fields. Castling is written as X-FEN, or as Shredder-FEN if requested.

        X-FEN is plain KQkq if that is unambiguous. The en passant square is written only if the pawn can be captured.
        """
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        squares = board.squares
        placement = placement_text([_LETTERS[piece] if piece else "" for piece in squares], 8)
        ep = "-" if board.ep is None else _SQUARES[board.ep]
        castling = _castling_text(squares, board.castling, shredder)
        return f"{placement} {'wb'[board.stm]} {castling} {ep} {board.clock} {board.fullmove}"

    def flip(self, board: Board) -> None:
        """Exchange colours and ranks."""
        if TYPE_CHECKING:
            assert isinstance(board, ChessBoard)
        squares = board.squares
        mirrored = bytes(squares[sq ^ 56] ^ 8 if squares[sq ^ 56] else 0 for sq in range(64))
        castling = int.from_bytes(board.castling.to_bytes(8, "little"), "big")
        ep = None if board.ep is None else board.ep ^ 56
        board.set_up(mirrored, board.stm ^ 1, castling, ep, board.clock, board.fullmove)

    def diagram(self, board: Board) -> str:
        """Return the diagram in nine lines of text, White at the bottom, without the side to move."""
        squares = board.squares
        rows = []
        for rank in range(7, -1, -1):
            rows.append(f"{rank + 1}  " + " ".join(_LETTERS[piece] for piece in squares[8 * rank : 8 * rank + 8]))
        return "\n".join([*rows, "   " + " ".join(_FILES)])

    def move_text(self, board: Board, move: int) -> str:
        """Return a move as UCI writes it. Castling is the king's move by two squares, or king takes rook in Chess960.

        If king or rooks do not stand as in orthodox chess, castling is always king takes rook: the king's own move may
        also be a legal king step, and a client that sets up such a position understands this form.
        """
        start = move & SQUARE_MASK
        target = move >> TO_SHIFT & SQUARE_MASK
        how = kind(move)
        if how == CASTLING:
            rook = move >> VIA_SHIFT & SQUARE_MASK
            if self.chess960 or start & 7 != 4 or rook & 7 not in (0, 7):
                target = rook
        text = _SQUARES[start] + _SQUARES[target]
        return text + _PROMOTION_LETTERS[move >> PROMOTION_SHIFT & PROMOTION_MASK] if how == PROMOTION else text

    def parse_move(self, board: Board, text: str) -> int:
        """Return the legal move that a coordinate text names. Both notations of castling are read.

        Raises NotationError if the text is not a move, and IllegalMoveError if the move is illegal here.
        """
        start = _SQUARE_OF.get(text[:2])
        target = _SQUARE_OF.get(text[2:4])
        letter = text[4:].lower()
        if start is None or target is None or (letter and letter not in ("n", "b", "r", "q")):
            raise NotationError(f"expected a move such as e2e4 or e7e8q, found {shown(text)}")
        wanted = _PROMOTION_LETTERS.index(letter) if letter else 0
        castling = 0
        for move in board.legal_moves():
            if move & SQUARE_MASK != start:
                continue
            how = move >> KIND_SHIFT
            if how == CASTLING:
                if wanted == 0 and target in (move >> VIA_SHIFT & SQUARE_MASK, move >> TO_SHIFT & SQUARE_MASK):
                    castling = move
                continue
            promotion = move >> PROMOTION_SHIFT & PROMOTION_MASK if how == PROMOTION else 0
            if move >> TO_SHIFT & SQUARE_MASK == target and promotion == wanted:
                return move  # a king's step takes precedence over castling to the same square
        if castling:
            return castling
        raise IllegalMoveError(f"illegal move {shown(text)}")

    def san_body(self, board: Board, move: int) -> str:
        start, target, how = from_sq(move), to_sq(move), kind(move)
        if how == CASTLING:
            return "O-O" if via_sq(move) > start else "O-O-O"
        squares = board.squares
        man = squares[start] & 7
        if man == PAWN:
            text = _SQUARES[target]
            if start & 7 != target & 7:
                text = f"{_FILES[start & 7]}x{text}"
            return f"{text}={_LETTERS[promotion(move) + 1]}" if how == PROMOTION else text
        rivals = [
            from_sq(other)
            for other in board.legal_moves()
            if to_sq(other) == target
            and from_sq(other) != start
            and squares[from_sq(other)] & 7 == man
            and kind(other) != CASTLING
        ]
        origin = ""
        if rivals:
            if all(sq & 7 != start & 7 for sq in rivals):
                origin = _FILES[start & 7]
            elif all(sq >> 3 != start >> 3 for sq in rivals):
                origin = str((start >> 3) + 1)
            else:
                origin = _SQUARES[start]
        return f"{_LETTERS[man]}{origin}{'x' if squares[target] else ''}{_SQUARES[target]}"

    def parse_san(self, board: Board, text: str) -> int:
        """Return the legal move that SAN names. Superfluous disambiguation, missing x, = or +, and 0-0 are accepted.

        Raises NotationError if the text is not a move or is ambiguous, and IllegalMoveError if the move is illegal.
        """
        body = text.rstrip("+#!?")
        castling = body.upper().replace("0", "O")
        if castling in ("O-O", "O-O-O"):
            found = [m for m in board.legal_moves() if kind(m) == CASTLING and self.san_body(board, m) == castling]
        else:
            man, origin, target, wanted = _split_san(body, text)
            squares = board.squares
            found = [
                move
                for move in board.legal_moves()
                if to_sq(move) == target
                and squares[from_sq(move)] & 7 == man
                and kind(move) != CASTLING
                and promotion(move) == wanted
                and all(letter in _SQUARES[from_sq(move)] for letter in origin)
            ]
        if not found:
            raise IllegalMoveError(f"illegal move {shown(text)}")
        if len(found) > 1:
            raise NotationError(f"{shown(text)} could be any of {', '.join(_SQUARES[from_sq(m)] for m in found)}")
        return found[0]


ORTHODOX, CHESS960 = ChessNotation(), ChessNotation(chess960=True)


def _parse_placement(text: str) -> bytes:
    rows = text.split("/")
    if len(rows) != 8:
        raise NotationError(f"expected 8 ranks, found {len(rows)}")
    squares = bytearray()
    for rank, row in zip(range(8, 0, -1), rows, strict=True):
        men = bytearray()
        for letter in row:
            if letter in "12345678":
                men.extend(bytes(int(letter)))
            elif letter != "." and letter in _LETTERS:
                men.append(_LETTERS.index(letter))
            else:
                raise NotationError(f"expected one of PNBRQKpnbrqk or 1 to 8, found {letter!a} on rank {rank}")
        if len(men) != 8:
            raise NotationError(f"expected 8 squares on rank {rank}, found {len(men)}")
        squares[:0] = men
    return bytes(squares)


def _parse_castling(text: str, squares: bytes) -> tuple[int, str]:
    """Parse castling rights into (bitboard of the rooks that may castle, rights without king or rook).

    The letters K and Q mean the outermost rook on that side of the king.
    """
    rooks, lost = 0, ""
    if text == "-":
        return 0, ""
    for letter in text:
        base = 0 if letter.isupper() else 56
        own_rook = ROOK + (8 if base else 0)
        own_king = KING + (8 if base else 0)
        upper = letter.upper()
        if upper not in "KQABCDEFGH" or not letter.isascii():
            raise NotationError(f"expected castling rights as KQkq or files of rooks, found {text!a}")
        king = squares.find(own_king, base, base + 8)
        if king < 0:
            sq = -1
        elif upper == "K":
            sq = squares.rfind(own_rook, king, base + 8)
        elif upper == "Q":
            sq = squares.find(own_rook, base, king)
        else:
            sq = base + ord(upper) - ord("A")
            if squares[sq] != own_rook:
                sq = -1
        if sq < 0:
            lost += letter
        else:
            rooks |= 1 << sq
    return rooks, lost


def _castling_text(squares: bytes, rooks: int, shredder: bool) -> str:
    text = ""
    for base, own_rook, own_king in ((0, ROOK, KING), (56, ROOK + 8, KING + 8)):
        king = squares.find(own_king, base, base + 8)
        side = ""
        for sq in range(base + 7, base - 1, -1):  # the kingside comes first, as in KQkq
            if not rooks >> sq & 1:
                continue
            if king < sq:
                outermost, letter = squares.rfind(own_rook, king, base + 8), "K"
            else:
                outermost, letter = squares.find(own_rook, base, king), "Q"
            side += _FILES[sq & 7].upper() if shredder or sq != outermost else letter
        text += side.lower() if base else side
    return text or "-"


def _parse_ep(text: str, stm: int, squares: bytes) -> int | None:
    """Return the square that an opposing pawn has just passed, or None. Raises MendableError if no pawn passed it."""
    if text == "-":
        return None
    if text not in _SQUARE_OF:
        raise NotationError(f"expected an en passant square or -, found {text!a}")
    sq, forward = _SQUARE_OF[text], (8, -8)[stm]
    pawn = PAWN + (0 if stm else 8)
    if sq >> 3 != (5, 2)[stm] or squares[sq - forward] != pawn or squares[sq] or squares[sq + forward]:
        where = "behind a pawn that has just passed it"
        raise MendableError(f"expected an en passant square {where}, found {text}", 3, "-")
    return sq


def _split_san(body: str, text: str) -> tuple[int, str, int, int]:
    """Parse SAN other than castling into (piece, letters of the origin, target square, promotion)."""
    man, wanted = PAWN, 0
    if body[:1] and body[0] in "NBRQK":
        man, body = _LETTERS.index(body[0]), body[1:]
    elif body[-1:] and body[-1] in "NBRQ":
        wanted, body = _LETTERS.index(body[-1]) - 1, body[:-1].removesuffix("=")
    origin = body[:-2].removesuffix("x")
    target = _SQUARE_OF.get(body[-2:])
    if target is None or origin not in ("", *_FILES, *"12345678", *_SQUARES):
        raise NotationError(f"expected a move such as Nf3 or exd8=Q, found {shown(text)}")
    return man, origin, target, wanted
