"""The game of an XBoard client, on its own board; reads moves in every form that clients send."""

from __future__ import annotations

import re

from standstill.cext.base.constants import CASTLING
from standstill.engine.common.errors import IllegalMoveError, NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.game_over import (
    BARE_KING,
    CHECKS,
    COUNTED,
    EXPLODED,
    EXTINCT,
    GOAL,
    HILL,
    PERPETUAL,
    TABLES,
)
from standstill.engine.variants.notation import NULL_MOVE, kind, move_text, parse_move, parse_san, san, via_sq
from standstill.engine.variants.variant import CHESS, Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.definition import Definition

_PASS = "@@@@"
# Coordinates, SAN, castling, a null move; anything else is a word.
_MOVE = re.compile(
    r"[a-h][1-8]-?[a-h][1-8]=?[qrbnQRBN]?|[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQnbrq])?[+#!?]*"
    r"|[O0o]-[O0o](-[O0o])?[+#!?]*|@@@@|0000"
)
_SMALL_PROMOTION = re.compile(r"(?<=[18=])[nbrq](?=[+#!?]*$)")
_RESULTS = {
    # If the first word is capitalised, XBoard ends the game by agreement.
    "stalemate": "1/2-1/2 {Stalemate}",
    "threefold repetition": "1/2-1/2 {Repetition}",
    "fifty-move rule": "1/2-1/2 {Fifty moves}",
    "insufficient material": "1/2-1/2 {Insufficient material}",
}


def looks_like_move(text: str) -> bool:
    return _MOVE.fullmatch(text) is not None


class XboardGame:
    """The start position and the moves since, as coordinates that the session understands."""

    def __init__(self, start_fen: str | None = None, chess960: bool = False, game: Variant = CHESS):
        """Raises NotationError for a FEN that cannot be played."""
        self.fen = start_fen
        self.chess960 = chess960
        self.game = game
        self.board = new_board(start_fen, chess960, game, ranks_from_zero=True)
        self.moves: list[str] = []
        self.first_side = self.board.stm

    @property
    def stm(self) -> int:
        return self.board.stm

    def legal_moves(self) -> list[str]:
        return [move_text(self.board, move) for move in self.board.legal_moves()]

    def read_move(self, text: str) -> str:
        """The move in coordinates. Raises NotationError or IllegalMoveError."""
        text = text.strip()
        if text in (_PASS, NULL_MOVE):
            if self.board.checkers:
                raise IllegalMoveError(f"illegal move {text}", "no passing in check")
            return NULL_MOVE
        try:
            move = parse_move(self.board, text.replace("=", "").replace("-", ""))
        except NotationError:
            move = parse_san(self.board, _SMALL_PROMOTION.sub(lambda letter: letter[0].upper(), text))
        return move_text(self.board, move)

    def play(self, text: str) -> None:
        """Make a move that ``read_move`` has returned."""
        if text == NULL_MOVE:
            self.board.push_null()
        else:
            self.board.push(parse_move(self.board, text))
        self.moves.append(text)

    def take_back(self, plies: int) -> None:
        """Take back this many moves, or all moves if there are fewer."""
        for _ in range(min(plies, len(self.moves))):
            self.board.pop()
            self.moves.pop()

    def turn_to(self, side: int) -> None:
        """Let this side move, by a null move if necessary; a second null move cancels the first."""
        if side == self.board.stm:
            return
        if self.moves and self.moves[-1] == NULL_MOVE:
            self.take_back(1)
        else:
            self.play(self.read_move(NULL_MOVE))

    def claim(
        self,
        over: tuple[str, str] | None,
        moved: bool = False,
        judged: bool = False,
        believed: bool = False,
        unheard: bool = False,
    ) -> str | None:
        """The line that claims the result if the game is over on the board.

        over: (result, reason) by the rules in force. A client that disagrees with a claim awards the game to the
        opponent, so the engine claims only ends on which all clients agree. Clients count occurrences of a position
        differently, so the first position after a capture or pawn move is not counted here.

        Clients do not detect wins by endgame tables or draws by counting (Makruk).

        moved: whether the last move was ours. XBoard rejects some wins claimed by the side that has just moved, so
        the side to move claims these: wins by baring, because the bared side may still reply, and wins by the hill,
        which XBoard does not know.

        judged: whether the client judges claims between programs. Where XBoard still sees a legal move, the claim is
        left to the side without a legal move. XBoard itself ends a game in which a king has exploded.

        believed: whether the client accepts any claim. In variants, other clients get no draw claims while there are
        legal
        moves: they differ about repetition, counting and material (cutechess has no repetition in Makruk). They also
        differ about the occurrence at which perpetual check loses: XBoard waits for the sixth by default.

        unheard: whether the client ignores claims before the first move. If a legal move exists, the engine waits for
        a move. Otherwise only a complaint about the position ends the game, as a loss of the side to move.
        """
        if over is None:
            return None
        result, reason = over
        if unheard and not self.moves:
            return None if self.board.count_legal(1) else f"Illegal position to start from: no legal move ({reason})"
        is_drawn = result == "1/2-1/2"
        is_uncertain = reason == PERPETUAL or (is_drawn and not self.game.is_chess and self.board.count_legal(1))
        if (is_uncertain and not believed) or reason in (TABLES, COUNTED):
            return None
        is_left_to_client = reason in (BARE_KING, HILL, GOAL, CHECKS, EXTINCT, EXPLODED)
        if moved and (is_left_to_client or (judged and (self._seems_to_castle() or self._explodes()))):
            return None
        if reason == "threefold repetition" and not self._surely_repeated():
            return None
        return _RESULTS[reason] if is_drawn and reason in _RESULTS else f"{result} {{{reason}}}"

    def _seems_to_castle(self) -> bool:
        """Return whether every move that XBoard still sees is a castling that the rules forbid.

        If we have told XBoard how to castle, it tests neither for check nor for attacked squares on the king's way.
        """
        if self.game.is_chess or self.board.legal_moves():
            return False
        from .setup import tells_castling

        if TYPE_CHECKING:
            assert isinstance(self.game, Definition)
        rights = self.board.notation.fen(self.board).split()[2]
        return tells_castling(self.game) and any(right.islower() == bool(self.stm) for right in rights if right != "-")

    def _explodes(self) -> bool:
        """Return whether captures explode. XBoard knows no check in such a game, so it does not see mates."""
        if TYPE_CHECKING:
            assert isinstance(self.game, Definition)
        return not self.game.is_chess and self.game.extra.explosion

    def _surely_repeated(self) -> bool:
        key, seen, board = self.board.key, 0, self.board.copy()
        while board.clock > 0 and board.plies > 0:
            seen += board.key == key
            board.pop()
        return seen >= 3

    def shown_move(self, text: str) -> str:
        """A legal move in the notation that the client reads.

        Castling in Chess960 is written as SAN, because clients differ about its coordinates.
        """
        if text == NULL_MOVE:
            return _PASS
        move = parse_move(self.board, text)
        name = self.board.notation.square_name
        if self.game.is_chess and kind(move) == CASTLING and text[2:4] == name(via_sq(move)):
            return san(self.board, move).rstrip("+#")
        return text
