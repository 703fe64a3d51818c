"""Games beside chess, by definition (docs/variants.md).

>>> from standstill import variants
>>> "capablanca" in variants.names()
True
>>> len(variants.legal_moves("capablanca"))
28
"""

from __future__ import annotations

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.boards import start_fen as _start_fen
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen as _fen
from standstill.engine.variants.notation import move_text, parse_move
from standstill.engine.variants.variant import CHESS
from standstill.given import guarded, wrong

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Iterable

    from standstill.engine.variants.notation import Board
    from standstill.engine.variants.variant import Variant

__all__ = ["after", "describe", "legal_moves", "names", "result", "start_fen"]


@guarded
def names(file: str = "") -> tuple[str, ...]:
    """The games that can be played. file: also those of a file of definitions. Raises DefinitionError."""
    return (CHESS.name, *(game.name for game in Catalog(file)))


def _find(name: str, file: str) -> Variant:
    if not isinstance(name, str) or not isinstance(file, str):
        raise wrong("the name of a game and of a file", (name, file))
    return CHESS if name == CHESS.name else Catalog(file).find(name)


def _board(name: str, fen: str | None, file: str) -> Board:
    if fen is not None and not isinstance(fen, str):
        raise wrong("a FEN", fen)
    return new_board(fen, game=_find(name, file))


@guarded
def start_fen(name: str, file: str = "") -> str:
    """The FEN of the start position. Raises DefinitionError."""
    return _start_fen(_find(name, file))


@guarded
def legal_moves(name: str, fen: str | None = None, file: str = "") -> tuple[str, ...]:
    """The legal moves in coordinates; fen None is the start. Raises DefinitionError, NotationError."""
    board = _board(name, fen, file)
    return tuple(move_text(board, move) for move in board.legal_moves())


@guarded
def after(name: str, moves: Iterable[str], fen: str | None = None, file: str = "") -> str:
    """The FEN after these moves, which are in coordinates.

    Raises DefinitionError, NotationError, IllegalMoveError.
    """
    board = _board(name, fen, file)
    for move in moves:
        if not isinstance(move, str):
            raise wrong("a move in coordinates", move)
        board.push(parse_move(board, move))
    return _fen(board)


@guarded
def result(name: str, fen: str, file: str = "") -> tuple[str, str] | None:
    """(result, reason) if the game is over by its rules, else None. Raises DefinitionError, NotationError."""
    return game_end(_board(name, fen, file))


@guarded
def describe(name: str, file: str = "") -> str:
    """Array, pieces and their moves as text, for a game by definition. Raises DefinitionError."""
    from standstill.engine.variants.show import game_report

    game = Catalog(file).find(name)
    return game_report(game, new_board(game=game))
