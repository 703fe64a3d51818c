"""When a game is over: FIDE Laws, articles 5 and 9, dead positions by material, and the rules of other games."""

from __future__ import annotations

from .notation import BLACK

BARE_KING, HILL = "bare king", "king on the hill"
MATES = ("White mates", "Black mates")
_RULE_WIN, _RULE_LOSS = 6, 7  # ``Ending`` of cext/types.pxd


def game_end(board, clock: int | None = None) -> tuple[str, str] | None:
    """(result, reason) if the position on the board ends the game, such as ``("1-0", "White mates")``, else None.

    Draws that a player may claim end it too. Mate and stalemate come before them.
    clock: plies that the 50-move rule counts, if they are not those since the last capture or pawn move.
    """
    if board.game is not None and (end := end_by_rule(board)) is not None:
        return end
    if not board.count_legal(1):
        return _end_without_moves(board)
    if board.repetitions() >= 2:
        return "1/2-1/2", "threefold repetition"
    if (board.clock if clock is None else clock) >= board.clock_limit:
        return "1/2-1/2", "fifty-move rule"
    if board.insufficient and board.material_ends:
        return "1/2-1/2", "insufficient material"
    return None


def _end_without_moves(board) -> tuple[str, str]:
    if not board.checkers:
        return "1/2-1/2", "stalemate"
    return ("1-0", MATES[0]) if board.stm == BLACK else ("0-1", MATES[1])


def end_by_rule(board) -> tuple[str, str] | None:
    """What only some games know: a hill reached, a king bared, stalemate that loses; as ``game_end`` says it."""
    ending = board.rule_result()
    reason = HILL if board.game.has_hill else BARE_KING
    if not ending and board.game.stalemate_loses and not board.count_legal(1) and not board.checkers:
        ending, reason = _RULE_LOSS, "stalemate"
    if ending in (_RULE_WIN, _RULE_LOSS):
        white_wins = (ending == _RULE_WIN) == (board.stm != BLACK)
        return ("1-0" if white_wins else "0-1"), reason
    return None
