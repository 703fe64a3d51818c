"""What users hand over, positions and games of python-chess among it, as the text that the engine reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from io import BytesIO
from numbers import Integral, Rational, Real
from typing import ParamSpec, TypeVar

from standstill.engine.archive.pgn import read_games
from standstill.engine.common.errors import ArgumentError, StandstillError
from standstill.engine.common.text import shown

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    import chess
    import chess.pgn

    Position = chess.Board | chess.pgn.GameNode | str | None
    Played = chess.pgn.Game | chess.Board | str


P = ParamSpec("P")
R = TypeVar("R")


def guarded(function: Callable[P, R]) -> Callable[P, R]:
    """The function with Python's numbers in place of numpy's, and ArgumentError for what it cannot work with."""

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*map(own, given), **{name: own(value) for name, value in named.items()})  # type: ignore[arg-type]
        except StandstillError:
            raise
        except (TypeError, AttributeError, ValueError) as error:
            raise ArgumentError(f"an argument that is not possible for {function.__name__}: {error}") from error

    return call


def own(value: object) -> object:
    """A number of numpy's as Python's, which neither overflows nor computes with half the digits; else the value."""
    if type(value) in (bool, int, float):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) and not isinstance(value, Rational) else value


def wrong(what: str, found: object) -> ArgumentError:
    """The error for an argument of a wrong kind; what: what was expected."""
    return ArgumentError(f"expected {what}, found {shown(repr(found), 60)}")


def board_of(position: object) -> chess.Board:
    """The board, with its moves, of a position of python-chess. Raises ArgumentError if it is none."""
    import chess

    if isinstance(position, chess.Board):
        return position
    import chess.pgn

    if not isinstance(position, chess.pgn.GameNode):
        raise wrong("a FEN, a chess.Board or a node of a chess.pgn.Game", position)
    try:
        return position.board()
    except ValueError as error:  # python-chess also reads games of unknown variants, or with no sound FEN
        raise ArgumentError(f"expected a node of a game with a position, found one without: {error}") from error


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
    import chess

    root = board.root()
    fen = root.fen(shredder=board.chess960, en_passant="fen")
    usual = fen == chess.STARTING_FEN and board.uci_variant == "chess"
    line = [move.uci() for move in board.move_stack]
    return None if usual else fen, [*line, *played], board.chess960, board.uci_variant


def fen_of(position: Position) -> str | None:
    """The position of chess itself as a FEN, None for the usual start. Raises ArgumentError."""
    if position is None or isinstance(position, str):
        return position
    board = board_of(position)
    if board.uci_variant != "chess":  # the men alone would not tell
        raise ArgumentError(f"expected a position of chess, found one of {board.uci_variant}")
    return board.fen(shredder=board.chess960, en_passant="fen")


def pgn_of(game: Played, *, whole: bool = False) -> str:
    """One game as PGN. whole: with its comments and variations. Raises ArgumentError."""
    if isinstance(game, str):
        count = sum(1 for _ in read_games(BytesIO(bytes_of(game))))
        if count > 1:  # they would be read as one, as far as the moves are possible
            raise ArgumentError(f"expected one game, found {count} in a text")
        return game
    import chess.pgn

    if not isinstance(game, (chess.Board, chess.pgn.Game)):
        raise wrong("a game in PGN, a chess.pgn.Game or a chess.Board with its moves", game)
    try:
        if isinstance(game, chess.Board):
            game = chess.pgn.Game.from_board(game)
        return game.accept(chess.pgn.StringExporter(variations=whole, comments=whole)) + "\n\n"
    except (ValueError, TypeError, AssertionError) as error:  # of an unknown variant, or with no sound position
        raise ArgumentError(f"expected a game that can be written, found one that cannot: {error}") from error


def bytes_of(text: str) -> bytes:
    """The text in UTF-8. What others have read with ``surrogateescape`` comes back as it was by ``text_of``."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """The inverse of ``bytes_of``."""
    return data.decode("utf-8", "surrogatepass")


def number(value: object, what: str, least: float = 1) -> None:
    """Raise ArgumentError unless the value is a number of at least ``least``, also one of numpy's, or None."""
    if value is None:
        return
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    if not is_real or not least <= value < float("inf"):  # type: ignore[operator]  # typing knows no order of Real
        raise wrong(f"{what} of at least {least:g}", value)


def whole_number(value: object, what: str, least: int = 1) -> None:
    """Raise ArgumentError unless the value is a whole number of at least ``least``, or None."""
    number(value, what, least)
    if value is not None and not isinstance(value, Integral):
        raise wrong(f"a whole number for {what}", value)
