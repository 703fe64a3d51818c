"""Engine clients for variants. They are python-chess's clients, except for positions and moves.

The clients need few methods of a board, which ``ClientPosition`` provides. Processes, options, limits and crashes are
handled as in orthodox games. This module replaces the announcement of the game, the lines that set it up, and
python-chess's check that every engine of XBoard's protocol supports setboard.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import chess.engine

from standstill.cext.base.constants import WHITE

from ..common.errors import MatchError
from ..common.text import shown
from ..external.protocols import UciClient, XboardClient
from ..variants.boards import new_board, start_fen
from ..variants.catalog import COLLECTIVE, client_can_know, names_of
from ..variants.definition import Definition
from ..variants.notation import NULL_MOVE, fen, move_text, parse_move, parse_san

# Names of the option that chooses the game for the variant fairy. Fairy-Max and Standstill have different names.
_FAIRY_OPTIONS = ("Variant fairy selects", "FairyVariant")


class ClientPosition:
    """A running game, with the methods of python-chess's board that its engine clients call.

    A move is the core's integer; 0 is a null move.
    """

    def __init__(self, game: Definition, first_fen: str | None = None, ranks_from_zero: bool = False):
        """Set up the game. Raises NotationError for an unplayable FEN."""
        self.board = new_board(first_fen, game=game, ranks_from_zero=ranks_from_zero)
        self.game = game
        self.first_fen = fen(self.board)
        self.moves: list[int] = []
        self.texts: list[str] = []  # the moves as coordinates

    @property
    def turn(self) -> bool:
        return self.board.stm == WHITE

    def push(self, move: int) -> None:
        self.texts.append(move_text(self.board, move) if move else NULL_MOVE)
        self.moves.append(move)
        if move:
            self.board.push(move)
        else:
            self.board.push_null()

    def pop(self) -> None:
        self.board.pop()
        self.moves.pop()
        self.texts.pop()

    def parse_uci(self, text: str) -> int:
        """Parse a move. Raises NotationError or IllegalMoveError, with the position in the message."""
        if text == NULL_MOVE:
            return 0
        try:
            # Some engines of XBoard's protocol (Sjaak II) write castling as in Chess960.
            return parse_san(self.board, text) if text.startswith("O-O") else parse_move(self.board, text)
        except ValueError as error:
            raise type(error)(f"{error} in {fen(self.board)}") from None

    def push_uci(self, text: str) -> int:
        move = self.parse_uci(text)
        self.push(move)
        return move

    def parse_xboard(self, text: str) -> int:
        return self.parse_uci(NULL_MOVE if text == "@@@@" else text)

    def copy(self, *, stack: bool) -> _NoMoves:
        return _NoMoves()

    def push_xboard(self, text: str) -> int:
        move = self.parse_xboard(text)
        self.push(move)
        return move


class _NoMoves:
    """The board on which python-chess parses the moves of a line. These moves are not used here."""

    def push_xboard(self, text: str) -> int:
        raise ValueError(text)


class _Follower:
    """The code common to both protocols. The client has its own board, which follows the referee's."""

    config: MutableMapping[str, chess.engine.ConfigValue]  # defined by python-chess
    board: ClientPosition
    ranks_from_zero = False
    sets_up = True  # whether a game can start from any position
    game_name = ""  # the engine's name for the game
    _leader: ClientPosition | None = None

    def announced(self) -> list[str]:
        """Return the games that the engine has announced."""
        raise NotImplementedError

    def and_also(self, game: Definition) -> list[str]:
        """Return the announced games and ``game``, which a file defines."""
        return [*self.announced(), game.name]

    def take_up(self, game: Definition) -> None:
        """Find the engine's name for the game. Raises MatchError if the engine has no name for it."""
        known = self.announced()
        # The engine reads the games of this file only after its announcement.
        if self.config.get("VariantFile", "") not in ("", "<empty>"):
            known = self.and_also(game)
        self.game_name = next((name for name in names_of(game.name) if name in known), "")
        if not self.game_name:
            raise MatchError(f"it does not announce the game {shown(game.name)}")

    def begins(self, position: ClientPosition) -> bool:
        """Return whether this is a new game. If so, set up the board for it."""
        if self._leader is position:
            return False
        self._leader = position
        self.board = ClientPosition(position.game, position.first_fen, self.ranks_from_zero)
        return True

    def follow(self, position: ClientPosition) -> list[str]:
        """Play the new moves on the board. Return them as coordinates."""
        known = len(self.board.moves)
        for move in position.moves[known:]:
            self.board.push(move)
        return self.board.texts[known:]


class FairyUci(_Follower, UciClient):  # type: ignore[misc]  # its board is a ClientPosition
    """A UCI client that sets the option UCI_Variant, and sends the whole game with each `position`."""

    def announced(self) -> list[str]:
        option = self.options.get("UCI_Variant")
        return [] if option is None else option.var or []

    def and_also(self, game: Definition) -> list[str]:
        choices = self.announced()
        if choices and game.name not in choices:
            choices.append(game.name)  # python-chess must accept the name as well
        return choices

    def _ucinewgame(self) -> None:
        self._setoption("UCI_Variant", self.game_name)
        super()._ucinewgame()

    def _position(self, position: ClientPosition) -> None:  # type: ignore[override]  # not a python-chess board
        # The position is always sent as a FEN, because engines differ in the start position of a game (Courier with or
        # without its first moves).
        self.begins(position)
        self.follow(position)
        moves = " moves " + " ".join(self.board.texts) if self.board.texts else ""
        self.send_line(f"position fen {position.first_fen}{moves}")


class FairyXboard(_Follower, XboardClient):  # type: ignore[misc]  # its board is a ClientPosition
    """An XBoard client that sends `variant`, `setboard` for any but the usual start position, and single moves."""

    ranks_from_zero = True
    _army = ""  # the game that the variant fairy selects

    def introduction_begins(self, command: chess.engine.BaseCommand[Any]) -> None:
        """Let python-chess accept an engine without setboard, which is not needed from the start position."""
        waiting: Any = command  # an instance of a class that python-chess defines inside a function
        end = waiting.end

        def end_anyhow() -> None:
            self.sets_up = bool(self.features.get("setboard"))
            self.features["setboard"] = 1
            end()

        waiting.end = end_anyhow

    def announced(self) -> list[str]:
        return str(self.features.get("variants", "")).split(",")

    def and_also(self, game: Definition) -> list[str]:
        if not client_can_know(game):  # Standstill does not list this game and rejects it, which would lose every game
            rules = ", ".join(line.split()[1] for line in game.extra.lines())
            raise MatchError(f"XBoard's protocol cannot express rules of {shown(game.name)} ({rules}): use UCI")
        return super().and_also(game)

    def take_up(self, game: Definition) -> None:
        army = game.name.removeprefix(f"{COLLECTIVE}/")
        if army != game.name and game.name not in (known := self.announced()) and COLLECTIVE in known:
            self.game_name, self._army = COLLECTIVE, army
        else:
            super().take_up(game)

    def _new(  # type: ignore[override]  # its board is a ClientPosition
        self,
        board: ClientPosition,
        game: object,
        options: chess.engine.ConfigMapping,
        opponent: chess.engine.Opponent | None = None,
    ) -> None:
        """Set up the board's position in the engine, in force mode."""
        self._configure(options)
        begins = self.begins(board)
        if begins:
            self.send_line("new")
            for option in _FAIRY_OPTIONS if self._army else ():
                self.send_line(f"option {option}={self._army}")
            self.send_line(f"variant {self.game_name}")
            for word in ("random", "computer"):
                if self.config.get(word):
                    self.send_line(word)
        self.send_line("force")
        if begins and board.first_fen != start_fen(board.game):
            self.send_line(f"setboard {board.first_fen}")
        word = "usermove " if self.features.get("usermove") else ""
        for text in self.follow(board):
            self.send_line(word + text)
