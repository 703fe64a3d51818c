"""Positions and games in JSON for the pages."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK, CASTLING, WHITE

from ..common.goal import goal_text
from ..rmobility.wording import beaten_by
from ..variants.betza import betza
from ..variants.definition import BLACK_PAWN, Definition
from ..variants.notation import KING, fen, from_sq, is_drop, kind, move_text, promotion, san, split_move, to_sq, via_sq
from ..variants.placement import BACK, FORM
from ..variants.zoning.lines import board_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rmobility.goals import Goal
    from ..variants.notation import Board
    from ..variants.variant import Variant

SIDES = ("white", "black")
_LETTERS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
# The moves, in Betza's notation, of the pieces drawn as chess pieces. Royal pieces are drawn as kings.
_DRAWN = {"N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}
_PAWNS = ("fmWfc", "bmWbc")  # how the moves of an ordinary pawn begin: White's, Black's


def game_of(game: Variant, title: str) -> dict[str, object]:
    """Return name, size and pieces of a game.

    ``pictures`` maps letters of a FEN to pictures of pieces; pieces without a picture are drawn as letters. ``lines``:
    see ``board_lines``.
    """
    return {
        "name": game.name,
        "title": title,
        "width": game.width,
        "height": game.height,
        "pictures": {**_pictures(game, WHITE), **_pictures(game, BLACK)},
        "lines": board_lines(game) if isinstance(game, Definition) else {},
    }


def _pictures(game: Variant, side: int) -> dict[str, str]:
    case = str.upper if side == WHITE else str.lower
    if not isinstance(game, Definition):
        return {case(letter): f"{SIDES[side]}-{name}" for letter, name in _LETTERS.items()}
    found = {}
    for number, piece in enumerate(game.pieces, 1):
        letter = piece.letter
        if game.number_of(letter, side) == number:
            name = _picture(game, number)
            found[case(letter)] = f"{SIDES[side]}-{name}" if name else ""
    return found | {case(game.symbol(form)): "" for _, form in game.forms}


def _picture(game: Definition, number: int) -> str:
    """Return the picture of a piece, "" for a piece unknown to chess."""
    piece, moves = game.piece(number), betza(game, number)
    if piece.is_royal:
        return "king" if piece.letter in "kK" else ""
    if number <= BLACK_PAWN:
        return "pawn" if moves.startswith(_PAWNS) else ""
    return _DRAWN.get(moves, "")


def checked_squares(board: Board) -> list[str]:
    """Return the squares of the side to move's royal pieces if it is in check."""
    if not board.checkers:
        return []
    game, side = board.notation.game, board.stm
    found = []
    for sq, man in enumerate(board.squares):
        if isinstance(game, Definition):
            is_royal = man and (man >= 16) == (side == BLACK) and game.piece(man & 15).is_royal
        else:
            is_royal = man & 7 == KING and (man >= 8) == (side == BLACK)
        if is_royal:
            found.append(board.notation.square_name(sq))
    return found


def legal_moves(board: Board, record: Goal | None) -> list[dict[str, object]]:
    """The legal moves, with the squares by which a page names them and the goal that each reaches.

    ``sets``: whether the move beats this record without deleting it. ``to`` has further target squares for castling.
    """
    found = []
    moves = [(move, move_text(board, move)) for move in board.legal_moves()]
    steps = {_squares(text) for move, text in moves if kind(move) != CASTLING}
    texts = {text for _, text in moves}
    for move, text in moves:
        start, target, letter = _split(text)
        if letter in (FORM, BACK):
            letter = _symbol(board, promotion(move))
        elif f"{FORM}{text}" in texts:  # a piece in hand that may be dropped with either side up
            letter = start[0]
        mover, written = board.stm, san(board, move)
        board.push(move)
        code, resets = board.goal(), board.clock == 0
        board.pop()
        aside = _castling(board, move, start, target) if kind(move) == CASTLING else []
        found.append(
            {
                "move": text,
                "san": written,
                "from": start,
                # A king's own step precedes castling to the same square.
                "to": [target, *(square for square in aside if (start, square) not in steps)],
                "letter": letter,
                "goal": goal_text(code, mover),
                "resets": resets,
                "sets": record is not None and not resets and code < record.code,
            }
        )
    return found


def _symbol(board: Board, number: int) -> str:
    game = board.notation.game
    return game.symbol(number) if isinstance(game, Definition) else ""


def _split(text: str) -> tuple[str, str, str]:
    """Return origin, target and letter of a move in coordinates. The origin of a drop is its piece, as in ``N@``; its
    letter is that of a promoted form, such as ``+N``, or empty.
    """
    if is_drop(text):
        man, _, target = text.rpartition("@")
        return f"{man.removeprefix(FORM)}@", target, man if man[:1] == FORM else ""
    parts = split_move(text)
    assert parts is not None
    return parts


def _squares(text: str) -> tuple[str, str]:
    start, target, _ = _split(text)
    return start, target


def _castling(board: Board, move: int, start: str, target: str) -> list[str]:
    """Return other target squares for castling: the king's destination and the rook's square."""
    squares = [board.notation.square_name(sq) for sq in (to_sq(move), via_sq(move))]
    return [square for square in squares if square not in (start, target)]


def placed(board: Board) -> dict[str, object]:
    """Return the position as a page draws it."""
    return {"fen": fen(board), "turn": SIDES[board.stm], "check": checked_squares(board)}


def changed_squares(board: Board, move: int) -> list[str]:
    """Return the squares that mark the last move."""
    return [board.notation.square_name(sq) for sq in (from_sq(move), to_sq(move))]


def goal_of(goal: Goal | None) -> dict[str, object] | None:
    """Return a goal, with a text that describes what beats it."""
    if goal is None:
        return None
    return {"text": str(goal), "owner": SIDES[goal.owner], "ply": goal.ply, "beaten": beaten_by(goal.code)}
