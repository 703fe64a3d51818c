"""Checks users' arguments, and converts numbers, positions and games to the form that the engine reads."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from numbers import Integral, Real
from os import fsencode
from typing import Any, Protocol

from standstill.engine.archive.pgn import read_games
from standstill.engine.common.errors import ArgumentError
from standstill.engine.common.text import shown_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess
    import chess.engine
    import chess.pgn

    Position = chess.Board | chess.pgn.GameNode | str | None
    Played = chess.pgn.Game | chess.Board | str


class AnyMove(Protocol):
    """A ``VariantMove`` or a move of python-chess."""

    def uci(self) -> str: ...


def wrong(what: str, found: object) -> ArgumentError:
    """Return the error for a wrong argument. what: the expected argument."""
    return ArgumentError(f"expected {what}, found {shown_value(found)}")


def board_of(position: object) -> chess.Board:
    """Return the board, with its moves, of a python-chess position. Raises ArgumentError for anything else."""
    import chess

    if isinstance(position, chess.Board):
        return position
    import chess.pgn

    if not isinstance(position, chess.pgn.GameNode):
        raise wrong("a FEN, a chess.Board or a node of a chess.pgn.Game", position)
    try:
        return position.board()
    except ValueError as error:  # python-chess also reads games of unknown variants, or with an invalid FEN
        raise ArgumentError(f"expected a node of a game with a position, found one without: {error}") from error


def as_list(values: object, what: str) -> list[Any]:
    """Return the values of an iterable other than a text. Raises ArgumentError; errors of the iterable pass through."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise wrong(what, values)
    return list(values)


def move_texts(moves: Iterable[str | AnyMove]) -> list[str]:
    """Return the moves as coordinates. Raises ArgumentError for anything but moves."""
    texts = []
    for move in as_list(moves, "a list of moves"):
        write = None if isinstance(move, (str, type)) else getattr(move, "uci", None)
        if not isinstance(move, str) and not callable(write):
            raise wrong("a move in coordinates or a chess.Move", move)
        texts.append(str(move if write is None else write()))
    return texts


def position_of(
    position: Position, moves: Iterable[str | AnyMove] = ()
) -> tuple[str | None, list[str], bool | None, str | None]:
    """Return (FEN, moves since, whether it is Chess960, name of the variant).

    The FEN is None for the standard start position. The last two values are None if unknown. Raises ArgumentError.
    """
    played = move_texts(moves)
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
    """Return the FEN of a chess position; None for the standard start. Raises ArgumentError for other variants."""
    if position is None or isinstance(position, str):
        return position
    board = board_of(position)
    if board.uci_variant != "chess":  # the FEN alone would not show the variant
        raise ArgumentError(f"expected a position of chess, found a position of {board.uci_variant}")
    return board.fen(shredder=board.chess960, en_passant="fen")


def pgn_of(game: Played, *, annotated: bool = False) -> str:
    """Return one game as PGN. annotated: include comments and variations. Raises ArgumentError."""
    if isinstance(game, str):
        count = sum(1 for _ in read_games(BytesIO(bytes_of(game))))
        if count > 1:  # if all moves are legal, python-chess would read two games as one
            raise ArgumentError(f"expected one game, found {count} in a text")
        return game
    import chess.pgn

    if not isinstance(game, (chess.Board, chess.pgn.Game)):
        raise wrong("a game in PGN, a chess.pgn.Game or a chess.Board with its moves", game)
    try:
        if isinstance(game, chess.Board):
            game = chess.pgn.Game.from_board(game)
        return game.accept(chess.pgn.StringExporter(variations=annotated, comments=annotated)) + "\n\n"
    # python-chess raises these for a game of an unknown variant, or with an invalid position.
    except (ValueError, TypeError, AssertionError) as error:
        raise ArgumentError(f"expected a game that can be written as PGN, found one that cannot: {error}") from error


def bytes_of(text: str) -> bytes:
    """Encode the text in UTF-8. ``text_of`` restores bytes that ``surrogateescape`` has replaced."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """Decode UTF-8: the inverse of ``bytes_of``."""
    return data.decode("utf-8", "surrogatepass")


def as_real(value: object, what: str, least: float | None = None) -> float:
    """Return the number as a Python float. Raises ArgumentError for other types, and for numbers below ``least``."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise wrong(f"{what}, a number", value)
    try:
        number = float(value)
    except OverflowError:
        raise wrong(f"{what}, a number of fewer than 309 digits", value) from None
    if least is not None and not least <= number < float("inf"):
        raise wrong(f"{what} of at least {least:g}", value)
    return number


def as_whole(value: object, what: str, least: int | None = 1, most: int | None = None) -> int:
    """Return the whole number as a Python int, which cannot overflow. Raises ArgumentError for anything else."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise wrong(f"{what}, a whole number", value)
    number = int(value)
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise wrong(f"{what} {bounds}", value)
    return number


def as_text(value: object, what: str) -> str:
    """Return the text. Raises ArgumentError for anything else."""
    if not isinstance(value, str):
        raise wrong(what, value)
    return value


def is_system_text(value: object) -> bool:
    """Return whether the value is a string that this system accepts as a path or as a word of a command."""
    try:
        return isinstance(value, str) and b"\0" not in fsencode(value)
    except UnicodeEncodeError:
        return False


def as_path(value: object) -> str:
    """Return the path of a file as a text. Raises ArgumentError for anything else."""
    if not isinstance(value, str) or not is_system_text(value):
        raise wrong("the name of a file", value)
    return value


def as_truth(value: object, what: str) -> bool:
    """Return the truth value, which may be a ``numpy.bool_``, as a bool. Raises ArgumentError for anything else."""
    kind = getattr(value, "dtype", None)
    if not isinstance(value, bool) and (getattr(kind, "kind", "") != "b" or getattr(value, "ndim", 1)):
        raise wrong(f"{what}, True or False", value)
    return bool(value)


def one_of(value: object, choices: Iterable[str], what: str) -> str:
    """Return the text if it is one of the choices. Raises ArgumentError otherwise."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise wrong(f"{what}, one of {', '.join(known)}", value)
    return value
