"""Converts between python-chess and the core without our own notation, which is tested separately."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess

from standstill.cext.base.constants import CASTLING, DOUBLE_STEP, EN_PASSANT, NORMAL, PROMOTION
from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.variants.boards import new_board

# Fields of a move and the names of move kinds, as documented in cext/base/types.pxd.
PROMOTED = " nbrq"

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def pack(from_sq: int, to_sq: int, via: int = 0, promotion: int = 0, kind: int = NORMAL) -> int:
    return from_sq | to_sq << 8 | via << 16 | promotion << 24 | kind << 29


def reference(fen: str) -> chess.Board:
    """A python-chess board that writes castling as king takes rook, because that is never ambiguous."""
    return chess.Board(fen, chess960=True)


def core_squares(position: chess.Board) -> bytes:
    squares = bytearray(64)
    for square, piece in position.piece_map().items():
        squares[square] = piece.piece_type + (0 if piece.color else 8)
    return bytes(squares)


def set_up(board: ChessBoard, position: chess.Board) -> None:
    board.set_up(
        core_squares(position),
        int(not position.turn),
        position.castling_rights,
        position.ep_square,
        position.halfmove_clock,
        position.fullmove_number,
    )


def core(position: chess.Board | str) -> ChessBoard:
    """The core's board for a position, without its history."""
    board = new_board()
    set_up(board, reference(position) if isinstance(position, str) else position)
    return board


def text(move: int) -> str:
    """Coordinate notation, with castling as king takes rook."""
    from_sq, to_sq, via = move & 255, move >> 8 & 255, move >> 16 & 255
    kind = move >> 29
    if kind == CASTLING:
        to_sq = via
    letter = PROMOTED[move >> 24 & 31] if kind == PROMOTION else ""
    return chess.square_name(from_sq) + chess.square_name(to_sq) + letter


def encoded(position: chess.Board, move: chess.Move) -> int:
    """Encode a legal move of a python-chess board in Chess960 mode as the core's 32 bits."""
    from_sq, to_sq = move.from_square, move.to_square
    if position.is_castling(move):
        file = 6 if to_sq > from_sq else 2
        return pack(from_sq, chess.square(file, chess.square_rank(from_sq)), via=to_sq, kind=CASTLING)
    if position.is_en_passant(move):
        return pack(from_sq, to_sq, via=to_sq ^ 8, kind=EN_PASSANT)
    if move.promotion:
        return pack(from_sq, to_sq, promotion=move.promotion - 1, kind=PROMOTION)
    if position.piece_type_at(from_sq) == chess.PAWN and abs(from_sq - to_sq) == 16:
        return pack(from_sq, to_sq, kind=DOUBLE_STEP)
    return pack(from_sq, to_sq)


def face(board: ChessBoard) -> tuple[object, ...]:
    """The complete public state of a position."""
    return (
        board.squares,
        board.stm,
        board.castling,
        board.ep,
        board.clock,
        board.fullmove,
        board.key,
        board.pawn_key,
        board.checkers,
        board.plies,
        board.dead,
        board.insufficient,
        sorted(board.legal_moves()),
    )


def playout(rng: random.Random, start: chess.Board, plies: int) -> Iterator[chess.Board]:
    """The positions of a random game, on the same board each time."""
    position = start.copy()
    yield position
    for _ in range(plies):
        moves = list(position.legal_moves)
        if not moves:
            return
        position.push(rng.choice(moves))
        yield position


def random_start(rng: random.Random) -> chess.Board:
    """One of the 960 start positions, often the orthodox one."""
    number = rng.choice((518, rng.randrange(960)))
    return chess.Board.from_chess960_pos(number)


def placed(rng: random.Random, men: int) -> chess.Board:
    """A random placement, with castling rights where king and rook allow them; the position may be impossible."""
    position = chess.Board.empty()
    position.chess960 = True
    squares = rng.sample(range(64), men)
    position.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
    position.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
    for square in squares[2:]:
        kinds = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
        if 0 < chess.square_rank(square) < 7:
            kinds = (*kinds, chess.PAWN, chess.PAWN, chess.PAWN)
        position.set_piece_at(square, chess.Piece(rng.choice(kinds), rng.random() < 0.5))
    position.turn = rng.random() < 0.5
    for colour, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        king = position.king(colour)
        if rng.random() < 0.5 and chess.BB_SQUARES[king] & rank:
            rooks = chess.SquareSet(position.pieces_mask(chess.ROOK, colour) & rank)
            left = [square for square in rooks if square < king]
            right = [square for square in rooks if square > king]
            for side in (left, right):
                if side:
                    position.castling_rights |= chess.BB_SQUARES[rng.choice(side)]
    return position


def possible(position: chess.Board) -> bool:
    """Return whether each side has at most 16 pieces and the side that has just moved is not in check."""
    men = all(chess.popcount(position.occupied_co[colour]) <= 16 for colour in chess.COLORS)
    return men and not position.was_into_check()
