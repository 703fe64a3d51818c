"""What users hand over, positions and games of python-chess among it, as the text that the engine reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from standstill.engine.words.errors import ArgumentError, StandstillError
from standstill.engine.words.text import shown

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    import chess
    import chess.pgn

    Position = chess.Board | chess.pgn.GameNode | str | None
    Played = chess.pgn.Game | chess.Board | str


P = ParamSpec("P")
R = TypeVar("R")


def guarded(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with ArgumentError for arguments that it cannot work with."""

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except StandstillError:
            raise
        except (TypeError, AttributeError, ValueError) as error:
            raise ArgumentError(f"an argument that is not possible for {function.__name__}: {error}") from error

    return call


def wrong(what: str, found: object) -> ArgumentError:
    """The error for an argument of a wrong kind; what: what was expected."""
    return ArgumentError(f"expected {what}, found {shown(repr(found), 60)}")


def board_of(position: object) -> chess.Board | None:
    """The board, with its moves, if the position is one of python-chess."""
    import chess

    if isinstance(position, chess.Board):
        return position
    import chess.pgn

    return position.board() if isinstance(position, chess.pgn.GameNode) else None


def position_of(position: Position, moves: Iterable[str] = ()) -> tuple[str | None, list[str], bool | None, str | None]:
    """(FEN or None for the usual start, moves since, is it Chess960?, name of the game); None for what is not said.

    Raises ArgumentError.
    """
    if isinstance(moves, str):
        raise wrong("a list of moves", moves)
    try:
        played = [str(move) for move in moves]
    except TypeError:
        raise wrong("a list of moves", moves) from None
    if position is None or isinstance(position, str):
        return position, played, None, None
    board = board_of(position)
    if board is None:
        raise wrong("a FEN, a chess.Board or a node of a chess.pgn.Game", position)
    import chess

    root = board.root()
    fen = root.fen(shredder=board.chess960, en_passant="fen")
    usual = fen == chess.STARTING_FEN and board.uci_variant == "chess"
    line = [move.uci() for move in board.move_stack]
    return None if usual else fen, [*line, *played], board.chess960, board.uci_variant


def fen_of(position: Position) -> str | None:
    """The position itself as a FEN, None for the usual start. Raises ArgumentError."""
    if position is None or isinstance(position, str):
        return position
    board = board_of(position)
    if board is None:
        raise wrong("a FEN, a chess.Board or a node of a chess.pgn.Game", position)
    return board.fen(shredder=board.chess960, en_passant="fen")


def pgn_of(game: Played, *, whole: bool = False) -> str:
    """A game as PGN. whole: with its comments and variations. Raises ArgumentError."""
    if isinstance(game, str):
        return game
    import chess.pgn

    if isinstance(game, chess.Board):
        game = chess.pgn.Game.from_board(game)
    if not isinstance(game, chess.pgn.Game):
        raise wrong("a game in PGN, a chess.pgn.Game or a chess.Board with its moves", game)
    return game.accept(chess.pgn.StringExporter(variations=whole, comments=whole)) + "\n\n"


def number(value: object, what: str, least: float = 1) -> None:
    """Raise ArgumentError unless the value is a number of at least ``least``, or None."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value < float("inf"):
        raise wrong(f"{what} of at least {least:g}", value)


def whole_number(value: object, what: str, least: int = 1) -> None:
    """Raise ArgumentError unless the value is a whole number of at least ``least``, or None."""
    number(value, what, least)
    if isinstance(value, float):
        raise wrong(f"a whole number for {what}", value)
