"""Decides when a game is over: FIDE Laws, articles 5 and 9, dead positions by material, and rules of variants."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK, RULE_DRAW, RULE_LOSS, RULE_WIN, WHITE

from .notation import is_pass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.fairy.fairy_board import FairyBoard

    from .definition import Definition
    from .notation import Board

BARE_KING, HILL = "bare king", "king on the hill"
GOAL, CHECKS, EXTINCT, COUNTED = "king at the goal", "enough checks", "nothing left", "counting rule"
EXPLODED = "king exploded"
PERPETUAL = "perpetual check"
PASSES, BIKJANG = "two passes", "bikjang"
USUAL_OCCURRENCES = 3  # a position that occurs so often ends the game
_FOLDS = {2: "twofold", 3: "threefold", 4: "fourfold", 5: "fivefold"}
MATES = ("White mates", "Black mates")
FIFTY_MOVES = "fifty-move rule"
TABLES = "endgame tables"  # a win that tablebases prove although the 50-move rule would give a draw


def game_end(board: Board, clock: int | None = None) -> tuple[str, str] | None:
    """Return (result, reason), such as ``("1-0", "White mates")``, if the position ends the game, else None.

    Draws that a player could claim end the game as well. Mate and stalemate take precedence over such draws.
    clock: the plies that the 50-move rule counts; None for those since the last capture or pawn move.
    """
    if (end := end_by_rule(board)) is not None:
        return end
    if not board.count_legal(1):
        return _end_without_moves(board)
    if recurs(board):
        return "1/2-1/2", repetition(board)
    if (board.clock if clock is None else clock) >= board.clock_limit:
        return _by_points(board), FIFTY_MOVES
    if board.insufficient and board.material_ends:
        return "1/2-1/2", "insufficient material"
    return None


def _by_points(board: Board) -> str:
    """Return the result of a game that ends without a winner: a draw unless points decide it."""
    if board.notation.game.is_chess:
        return "1/2-1/2"
    if TYPE_CHECKING:
        assert isinstance(board, FairyBoard)
    ending = board.points_ending()
    return "1/2-1/2" if not ending else "1-0" if (ending == RULE_WIN) == (board.stm != BLACK) else "0-1"


def _occurrences(board: Board) -> int:
    """Return the number of occurrences of a position that ends the game."""
    game = board.notation.game
    if game.is_chess:
        return USUAL_OCCURRENCES
    if TYPE_CHECKING:
        assert isinstance(game, Definition)
    return game.extra.recurrences or USUAL_OCCURRENCES


def recurs(board: Board) -> bool:
    """Return whether the position has occurred often enough to end the game."""
    return board.repetitions() + 1 >= _occurrences(board)


def repetition(board: Board) -> str:
    """Return the reason for the end of a game by repetition."""
    return f"{_FOLDS.get(_occurrences(board)) or f'{_occurrences(board)}-fold'} repetition"


def _end_without_moves(board: Board) -> tuple[str, str]:
    if not board.checkers:
        return "1/2-1/2", "stalemate"
    return ("1-0", MATES[0]) if board.stm == BLACK else ("0-1", MATES[1])


def end_by_rule(board: Board) -> tuple[str, str] | None:
    """Return the end by a rule of a variant (hill reached, bare king, lost stalemate) in the form of ``game_end``."""
    game = board.notation.game
    if game.is_chess:
        return None
    if TYPE_CHECKING:
        assert isinstance(game, Definition) and isinstance(board, FairyBoard)
    ending = board.rule_result()
    reason = _reason_of_passes(game, board) or _reason(game, board)
    if not ending and not board.count_legal(1):
        ending, reason = board.ending_without_moves(), "mate" if board.checkers else "stalemate"
    if ending == RULE_DRAW:
        return "1/2-1/2", reason
    if ending in (RULE_WIN, RULE_LOSS):
        white_wins = (ending == RULE_WIN) == (board.stm != BLACK)
        is_counted = game.extra.second_points is not None
        if (
            (game.extra.perpetual or game.extra.recurrences or is_counted)
            and reason not in (PASSES, BIKJANG)
            and recurs(board)
        ):
            mover_won = "win" if ending == RULE_LOSS else "lose"  # the mover is not the side to move now
            own_rule = game.extra.recurrence_wins in ("white" if white_wins else "black", mover_won)
            own_rule |= is_counted and board.points_ending() == ending
            reason = repetition(board) if own_rule else PERPETUAL
        return ("1-0" if white_wins else "0-1"), reason
    return None


def _reason(game: Definition, board: FairyBoard) -> str:
    """Return the name of the variant's own rule that has ended the game."""
    laws = game.extra
    if laws.bare and _is_bare(game, board):
        return BARE_KING
    if laws.explosion and _has_royal(game, game.start, board.stm) and not _has_royal(game, board.squares, board.stm):
        return EXPLODED
    if laws.checks and 0 in board.checks_left:
        return CHECKS
    if board.counting[0]:
        return COUNTED
    if any(laws.goals):
        return GOAL
    return EXTINCT if laws.extinct else HILL


def _reason_of_passes(game: Definition, board: FairyBoard) -> str:
    """Return the rule by which passes have ended the game, or an empty text."""
    last = [board.move_at(ply) for ply in range(max(1, board.plies - 1), board.plies + 1)]
    if not game.extra.passes or not last or not is_pass(last[-1]) or board.count_legal(1):
        return ""
    return PASSES if all(map(is_pass, last)) and len(last) > 1 else BIKJANG


def _is_bare(game: Definition, board: FairyBoard) -> bool:
    """Return whether a side has only royal pieces left, and none in hand."""
    men = [(man >> 4, game.piece(man & 15).is_royal) for man in board.squares if man]
    return any(board.hand[side] == 0 and (side, False) not in men for side in (WHITE, BLACK))


def _has_royal(game: Definition, squares: bytes, colour: int) -> bool:
    """Return whether a side has a royal piece on these squares."""
    return any(man >> 4 == colour and game.piece(man & 15).is_royal for man in squares if man)
