"""The game as an XBoard client has set it up: its own board beside the search's, moves in every form clients send."""

from __future__ import annotations

import re

from engine.board import new_board
from engine.errors import IllegalMoveError, NotationError
from engine.notation import NULL_MOVE, kind, move_text, parse_move, parse_san, san, square_name, via_sq
from engine.rules import BARE_KING, HILL

_PASS = "@@@@"
_LETTERS = ".PNBRQK..pnbrqk"  # by piece
_EDITED = re.compile(r"[PNBRQKpnbrqkxX][a-hA-H][1-8]")
_CASTLING = 3
# Coordinates, SAN, castling, a pass; anything else is a word.
_MOVE = re.compile(
    r"[a-h][1-8]-?[a-h][1-8]=?[qrbnQRBN]?|[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQnbrq])?[+#!?]*"
    r"|[O0o]-[O0o](-[O0o])?[+#!?]*|@@@@|0000"
)
_SMALL_PROMOTION = re.compile(r"(?<=[18=])[nbrq](?=[+#!?]*$)")
_RESULTS = {
    # XBoard takes capitals of the first word for the game's end by agreement.
    "stalemate": "1/2-1/2 {Stalemate}",
    "threefold repetition": "1/2-1/2 {Repetition}",
    "fifty-move rule": "1/2-1/2 {Fifty moves}",
    "insufficient material": "1/2-1/2 {Insufficient material}",
}


def looks_like_move(text: str) -> bool:
    return _MOVE.fullmatch(text) is not None


class Game:
    """Where the game began, and the moves since, as coordinates that the session understands."""

    def __init__(self, start_fen: str | None = None, chess960: bool = False, definition=None):
        """definition: of another game than chess. Raises NotationError for a FEN that cannot be played."""
        self.fen = start_fen
        self.chess960 = chess960
        self.definition = definition
        self.board = new_board(start_fen, chess960, definition, ranks_from_zero=True)
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
                raise IllegalMoveError("no passing in check")
            return NULL_MOVE
        try:
            move = parse_move(self.board, text.replace("=", "").replace("-", ""))
        except NotationError:
            move = parse_san(self.board, _SMALL_PROMOTION.sub(lambda letter: letter[0].upper(), text))
        return move_text(self.board, move)

    def play(self, text: str) -> None:
        """Make a move of ``read_move``."""
        if text == NULL_MOVE:
            self.board.push_null()
        else:
            self.board.push(parse_move(self.board, text))
        self.moves.append(text)

    def take_back(self, plies: int) -> None:
        """As many as there are."""
        for _ in range(min(plies, len(self.moves))):
            self.board.pop()
            self.moves.pop()

    def turn_to(self, side: int) -> None:
        """Have this side to move, by a pass if need be; two passes are none."""
        if side == self.board.stm:
            return
        if self.moves and self.moves[-1] == NULL_MOVE:
            self.take_back(1)
        else:
            self.play(self.read_move(NULL_MOVE))

    def claim(self, over: tuple[str, str] | None, moved: bool = False) -> str | None:
        """The line that claims the result, if the game is over on the board: (result, reason) by the rules in force.

        Only what no client can see otherwise: they count occurrences of a position each in its own way, and a claim
        that they do not confirm loses the game. So the first position after a capture or pawn move is not counted.
        moved: has it been our move? Then wins are left to the one who is to move where XBoard would take the claim for
        a false one: it lets a bared side reply, and knows no hill, whose loser has no legal move and says so.
        """
        if over is None:
            return None
        result, reason = over
        if moved and reason in (BARE_KING, HILL):
            return None
        if reason == "threefold repetition" and not self._surely_repeated():
            return None
        return _RESULTS.get(reason) or f"{result} {{{reason}}}"

    def _surely_repeated(self) -> bool:
        key, seen, board = self.board.key, 0, self.board.copy()
        while board.clock > 0 and board.plies > 0:
            seen += board.key == key
            board.pop()
        return seen >= 3

    def shown_move(self, text: str) -> str:
        """A legal move as the client is to read it: castling in Chess960 has no coordinates that all agree on."""
        if text == NULL_MOVE:
            return _PASS
        move = parse_move(self.board, text)
        if self.definition is None and kind(move) == _CASTLING and text[2:4] == square_name(via_sq(move)):
            return san(self.board, move).rstrip("+#")
        return text


def is_edit(line: str, board) -> bool:
    """Does this line put men on a board, or away?"""
    if board.game is not None:
        from engine.variants.client import is_edit as is_fairy_edit

        return is_fairy_edit(line)
    return line in {"#", "c"} or _EDITED.fullmatch(line) is not None


def edited_fen(board, lines: list[str]) -> str:
    """The FEN after the lines of an `edit`, each of them an ``is_edit``; the board is left as it is.

    ``#`` clears the board, ``c`` changes the colour of the men that follow, ``Pa4`` puts one, ``xa4`` takes one away.
    Castling is possible wherever king and rook stand at home.
    """
    if board.game is not None:
        from engine.variants.client import edited_fen as fairy_fen

        return fairy_fen(board, lines)
    men = {square_name(sq): _LETTERS[piece] for sq, piece in enumerate(board.squares) if piece}
    white = True
    for line in lines:
        if line == "#":
            men.clear()
        elif line == "c":
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
