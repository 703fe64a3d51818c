"""When a game of chess is over (FIDE Laws, articles 5 and 9, and dead positions by material)."""

from __future__ import annotations

from .notation import BLACK


def game_end(board) -> tuple[str, str] | None:
    """(result, reason) if the position on the board ends the game, such as ``("1-0", "White mates")``, else None.

    Draws that a player may claim end it too. Mate and stalemate come before them.
    """
    if not board.count_legal(1):
        if not board.checkers:
            return "1/2-1/2", "stalemate"
        return ("1-0", "White mates") if board.stm == BLACK else ("0-1", "Black mates")
    if board.repetitions() >= 2:
        return "1/2-1/2", "threefold repetition"
    if board.clock >= board.clock_limit:
        return "1/2-1/2", "fifty-move rule"
    if board.insufficient and board.material_ends:
        return "1/2-1/2", "insufficient material"
    return None
