"""Engine processes in games by definition: python-chess's clients, for all but positions and moves.

They ask little of a board, and ``Position`` has just that, so processes, options, limits and crashes are judged as in
orthodox games. What stands between an engine and such a game is replaced here: the announcement of the game, the lines
that set it up, and the check of python-chess's that every engine of XBoard's protocol has setboard.
"""

from __future__ import annotations

import chess.engine

from ..board import new_board
from ..errors import MatchError
from ..notation import NULL_MOVE, WHITE, shown
from ..variants.catalog import COLLECTIVE, names_of
from ..variants.definition import Game
from ..variants.notation import fen, move_text, parse_move, parse_san, start_fen
from .clients import Uci, Xboard

# How engines call the option that says which of the games fairy/... the variant fairy is: Fairy-Max and we.
_FAIRY_OPTIONS = ("Variant fairy selects", "FairyVariant")


class Position:
    """A game under way, with those methods of python-chess's board that its engine clients call.

    A move is the core's, 0 for a pass.
    """

    def __init__(self, game: Game, first_fen: str | None = None, ranks_from_zero: bool = False):
        """Raises NotationError for a FEN that cannot be played."""
        self.board = new_board(first_fen, game=game, ranks_from_zero=ranks_from_zero)
        self.game = game
        self.first_fen = fen(self.board)
        self.moves: list[int] = []
        self.texts: list[str] = []  # the same in coordinates

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
        """Raises NotationError or IllegalMoveError, which say where."""
        if text == NULL_MOVE:
            return 0
        try:
            # Some engines of XBoard's protocol write castling as they may in Chess960 (Sjaak II).
            return parse_san(self.board, text) if text.startswith("O-O") else parse_move(self.board, text)
        except ValueError as error:
            raise type(error)(f"{error} in {fen(self.board)}") from None

    def push_uci(self, text: str) -> int:
        move = self.parse_uci(text)
        self.push(move)
        return move

    def parse_xboard(self, text: str) -> int:
        return self.parse_uci(NULL_MOVE if text == "@@@@" else text)

    def push_xboard(self, text: str) -> int:
        move = self.parse_xboard(text)
        self.push(move)
        return move


class _Follower:
    """What both protocols do: the client has a board of its own, which goes along with the referee's."""

    ranks_from_zero = False
    sets_up = True  # can it begin anywhere?
    game_name = ""  # of the game, as the engine has announced it
    _leader: Position | None = None

    def announced(self) -> list[str]:
        """The games that the engine says it plays."""
        raise NotImplementedError

    def and_also(self, name: str) -> list[str]:
        """Those that it has announced, and one more."""
        return [*self.announced(), name]

    def take_up(self, game: Game) -> None:
        """Find the engine's name for the game. Raises MatchError if it has none."""
        known = self.announced()
        # Of the games of this file it has heard only after it said what it plays.
        if self.config.get("VariantFile", "") not in ("", "<empty>"):
            known = self.and_also(game.name)
        self.game_name = next((name for name in names_of(game.name) if name in known), "")
        if not self.game_name:
            raise MatchError(f"it does not announce the game {shown(game.name)}")

    def begins(self, position: Position) -> bool:
        """Is this another game? Then the board is set up for it."""
        if self._leader is position:
            return False
        self._leader = position
        self.board = Position(position.game, position.first_fen, self.ranks_from_zero)
        return True

    def follow(self, position: Position) -> list[str]:
        """Make the moves that the board has not had yet, and say them."""
        known = len(self.board.moves)
        for move in position.moves[known:]:
            self.board.push(move)
        return self.board.texts[known:]


class FairyUci(_Follower, Uci):
    """UCI: the option UCI_Variant, and the whole game with each `position`."""

    def announced(self) -> list[str]:
        option = self.options.get("UCI_Variant")
        return [] if option is None else option.var or []

    def and_also(self, name: str) -> list[str]:
        choices = self.announced()
        if choices and name not in choices:
            choices.append(name)  # python-chess, too, has to believe it
        return choices

    def _ucinewgame(self) -> None:
        self._setoption("UCI_Variant", self.game_name)
        super()._ucinewgame()

    def _position(self, position: Position) -> None:
        # A FEN, always: under one name engines know different arrays (Courier with its first moves made, or not).
        self.begins(position)
        self.follow(position)
        moves = " moves " + " ".join(self.board.texts) if self.board.texts else ""
        self.send_line(f"position fen {position.first_fen}{moves}")


class FairyXboard(_Follower, Xboard):
    """XBoard's protocol: `variant`, `setboard` where the game does not begin with the array, and moves one by one."""

    ranks_from_zero = True
    _army = ""  # what the variant fairy is to mean

    def introduction_begins(self, command: chess.engine.BaseCommand) -> None:
        """Have python-chess take an engine without setboard: one that plays from the array needs none."""
        end = command.end

        def end_anyhow() -> None:
            self.sets_up = bool(self.features.get("setboard"))
            self.features["setboard"] = 1
            end()

        command.end = end_anyhow

    def announced(self) -> list[str]:
        return str(self.features.get("variants", "")).split(",")

    def take_up(self, game: Game) -> None:
        army = game.name.removeprefix(f"{COLLECTIVE}/")
        if army != game.name and game.name not in (known := self.announced()) and COLLECTIVE in known:
            self.game_name, self._army = COLLECTIVE, army
        else:
            super().take_up(game)

    def _new(self, board: Position, game: object, options: dict, opponent: object = None) -> None:
        """Bring the engine to the position of the board, in force mode."""
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
