"""The current position: game, board, and the moves that led to it."""

from __future__ import annotations

from ..common.errors import IllegalMoveError, NotationError
from ..common.goal import parse_goal
from ..common.text import shown
from ..rmobility.modes import OFF, clock_of, give_record, objective, set_rules
from ..variants.boards import new_board
from ..variants.game_over import game_end
from ..variants.notation import NULL_MOVE, flip, parse_move, set_fen
from ..variants.variant import CHESS, Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..settings.options import Settings
    from ..variants.catalog import Catalog
    from ..variants.notation import Board

_CHESS_NAMES = ("chess", "normal")


class PlayedPosition:
    """The position that the client last set. A search works on a copy of it."""

    def __init__(self, settings: Settings):
        self._settings = settings
        self._board: Board | None = None  # created on first use, because the protocol answers before the core is loaded
        self.game: Variant = CHESS
        self.ranks_from_zero = False  # whether ten ranks are numbered from 0, as XBoard does
        self.set_up_text: str | None = None  # the FEN from which the board was set up; None if unknown
        self.played: list[str] = []  # the moves since then, as coordinates
        self.record: tuple[int, int] | None = None  # (owner, code) of the record in the FEN
        self._avoids: Callable[[Board, int], bool] | None = None

    @property
    def board(self) -> Board:
        """The board, with the castling notation and draw rules of the current options."""
        if self._board is None:
            self._board = self._new_board()
        self._board.notation = self._board.notation.for_castling(self._settings["UCI_Chess960"])
        set_rules(self._board, self._settings)
        return self._board

    def _new_board(self) -> Board:
        return new_board(game=self.game, ranks_from_zero=self.ranks_from_zero)

    def find_game(self, name: str) -> Variant:
        """Return the game that a client means. Options define ``fairy`` and ``makruk``. Raises DefinitionError."""
        if name in _CHESS_NAMES:
            return CHESS
        return self.catalog.find(name, self._settings["FairyVariant"], self._settings["MakrukRules"])

    @property
    def catalog(self) -> Catalog:
        """All variants. Raises DefinitionError if the user's file has errors."""
        from ..variants.catalog import Catalog

        return Catalog(self._settings["VariantFile"])

    def change_game(self, game: Variant) -> None:
        """Change to the start position of another game. The core must support the game."""
        self.game = game
        self._avoids = None
        self.restart()

    def avoid(self, avoids: Callable[[Board, int], bool]) -> None:
        """Avoid moves for which ``avoids(board, move)`` is true if there are others, until another game is chosen."""
        self._avoids = avoids

    def restart(self) -> None:
        """Return to the start position."""
        self._board = None
        self._forget()

    def _forget(self) -> None:
        self.set_up_text, self.played, self.record = None, [], None

    def set(self, fen: str | None, moves: list[str]) -> None:
        """Set up ``fen``, or the start position for None, and play the moves.

        An unplayable FEN raises NotationError and keeps the old position. An illegal move raises IllegalMoveError or
        NotationError after the moves before it have been played.
        """
        self._set(fen, moves, ": the rest is ignored")

    def _set(self, fen: str | None, moves: list[str], consequence: str) -> None:
        """Implement ``set``. consequence: text about the remaining moves, appended to the error for an illegal move."""
        text = fen or ""
        if self.set_up_text == text:
            moves = self._go_back_to(moves)  # the usual case: the same game, a move later
        else:
            board = self._new_board()
            record = set_fen(board, fen) if fen is not None else None
            self._board, self.record = board, record
            self.set_up_text, self.played = text, []
        board = self.board
        for number, move in enumerate(moves, len(self.played) + 1):
            try:
                _make(board, move)
            except (NotationError, IllegalMoveError) as error:
                raise type(error)(f"{error} at move {number}{consequence}") from None
            self.played.append(move)

    def set_whole(self, fen: str | None, moves: list[str]) -> None:
        """Like ``set``, but an illegal move also keeps the old position."""
        kept = self._board, self.set_up_text, self.played, self.record
        self._board = self.set_up_text = None
        try:
            self._set(fen, moves, "")
        except BaseException:
            self._board, self.set_up_text, self.played, self.record = kept
            raise

    def _go_back_to(self, moves: list[str]) -> list[str]:
        """Take back moves that are not in this list. Return the moves that remain to be played."""
        same = 0
        for old, new in zip(self.played, moves, strict=False):
            if old != new:
                break
            same += 1
        for _ in self.played[same:]:
            self.board.pop()
        del self.played[same:]
        return moves[same:]

    def flip(self) -> None:
        """Exchange the colours and forget the moves."""
        flip(self.board)
        self._forget()

    @property
    def given_record(self) -> tuple[int, int] | None:
        """(owner, code) of the record at the initial position, from the FEN or otherwise from the options."""
        text = self._settings["RMobilityRecord"].strip()
        if self.record is None and text and self.set_up_text:
            return parse_goal(text)
        return self.record

    @property
    def standing_record(self) -> tuple[int, int] | None:
        """(owner, code) of the current record, if a record was given and the options keep records."""
        given = self.given_record
        if given is None or self._settings["RMobility"] == OFF:
            return None
        give_record(self.board, given)
        record = objective(self._settings).record_of(self.board)
        return None if record is None else (record[1], record[0])

    def end(self) -> tuple[str, str] | None:
        """Return (result, reason) if the position ends the game by the rules that the options set, else None."""
        board = self.board
        if self._settings["RMobility"] != OFF:
            give_record(board, self.given_record)
        return game_end(board, clock_of(board, self._settings))

    def candidates(self, wanted: list[str] | None) -> list[int]:
        """Return the legal moves among ``wanted``, or all for None. Moves to avoid are kept only if no others exist."""
        if wanted is None:
            moves = self.board.legal_moves()
        else:
            moves = []
            for text in wanted:
                try:
                    move = parse_move(self.board, text)
                except ValueError:
                    continue
                if move not in moves:
                    moves.append(move)
        if self._avoids is None:
            return moves
        return [move for move in moves if not self._avoids(self.board, move)] or moves


def _make(board: Board, text: str) -> None:
    if text != NULL_MOVE:
        board.push(parse_move(board, text))
    elif board.checkers:
        raise IllegalMoveError(f"illegal move {shown(text)}", "no passing in check")
    else:
        board.push_null()
