"""What users hand over: checked where it enters, and numbers, positions and games in the form that the engine reads."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from numbers import Integral, Real
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
    """A move of ours or of python-chess."""

    def uci(self) -> str: ...


def wrong(what: str, found: object) -> ArgumentError:
    """The error for an argument of a wrong kind; what: what was expected."""
    return ArgumentError(f"expected {what}, found {shown_value(found)}")


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


def as_list(values: object, what: str) -> list[Any]:
    """The values of an iterable that is no text. Raises ArgumentError; errors of the iterable stay."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise wrong(what, values)
    return list(values)


def move_texts(moves: Iterable[str | AnyMove]) -> list[str]:
    """Moves as their coordinates. Raises ArgumentError."""
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
    """(FEN or None for the usual start, moves since, is it Chess960?, name of the game); None for what is not said.

    Raises ArgumentError.
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
    """The position of chess itself as a FEN, None for the usual start. Raises ArgumentError."""
    if position is None or isinstance(position, str):
        return position
    board = board_of(position)
    if board.uci_variant != "chess":  # the men alone would not tell
        raise ArgumentError(f"expected a position of chess, found one of {board.uci_variant}")
    return board.fen(shredder=board.chess960, en_passant="fen")


def pgn_of(game: Played, *, annotated: bool = False) -> str:
    """One game as PGN. annotated: with its comments and variations. Raises ArgumentError."""
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
        return game.accept(chess.pgn.StringExporter(variations=annotated, comments=annotated)) + "\n\n"
    except (ValueError, TypeError, AssertionError) as error:  # of an unknown variant, or with no sound position
        raise ArgumentError(f"expected a game that can be written, found one that cannot: {error}") from error


def bytes_of(text: str) -> bytes:
    """The text in UTF-8. What others have read with ``surrogateescape`` comes back as it was by ``text_of``."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """The inverse of ``bytes_of``."""
    return data.decode("utf-8", "surrogatepass")


def as_real(value: object, what: str, least: float | None = None) -> float:
    """The number as Python's own, which has all digits. Raises ArgumentError for anything else, and below ``least``."""
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
    """The whole number as Python's own, which cannot overflow. Raises ArgumentError for anything else."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise wrong(f"{what}, a whole number", value)
    number = int(value)
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise wrong(f"{what} {bounds}", value)
    return number


def as_text(value: object, what: str) -> str:
    """The text. Raises ArgumentError for anything else."""
    if not isinstance(value, str):
        raise wrong(what, value)
    return value


def as_truth(value: object, what: str) -> bool:
    """The truth value, also one of numpy's. Raises ArgumentError for anything else."""
    kind = getattr(value, "dtype", None)
    if not isinstance(value, bool) and (getattr(kind, "kind", "") != "b" or getattr(value, "ndim", 1)):
        raise wrong(f"{what}, True or False", value)
    return bool(value)


def one_of(value: object, choices: Iterable[str], what: str) -> str:
    """The text if it is among the choices. Raises ArgumentError."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise wrong(f"{what}, one of {', '.join(known)}", value)
    return value
