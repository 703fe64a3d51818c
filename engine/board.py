"""Where boards come from: the one place that knows which class of the core plays which game."""

from .notation import set_fen


def new_board(fen: str | None = None, chess960: bool = False):
    """A board with the start position, or the one of ``fen``.

    chess960: write castling as king takes rook. Raises NotationError for a FEN that cannot be played.
    """
    from cext.chess_board import ChessBoard

    board = ChessBoard()
    board.chess960 = chess960
    if fen is not None:
        set_fen(board, fen)
    return board
