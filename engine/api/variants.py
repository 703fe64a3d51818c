"""Chess variants from definitions (docs/variants.md). Moves are in coordinates.

>>> from standstill import variants
>>> "capablanca" in variants.names()
True
>>> len(variants.legal_moves("capablanca"))
28
"""

from __future__ import annotations

from standstill.arguments import as_path, as_text, move_texts
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.boards import start_fen as _start_fen
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen as _fen
from standstill.engine.variants.notation import move_text, parse_move
from standstill.engine.variants.variant import CHESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from standstill.arguments import AnyMove
    from standstill.engine.variants.notation import Board
    from standstill.engine.variants.variant import Variant

__all__ = ["after", "describe", "legal_moves", "names", "result", "start_fen"]


def __dir__() -> list[str]:
    return __all__


def names(file: str = "") -> tuple[str, ...]:
    """Return the names of the variants that can be played.

    :param file: a file of definitions, whose variants are listed as well.
    :returns: the names, ``chess`` first.
    :raises DefinitionError: for an unreadable file.
    :raises ArgumentError: for anything but a text.

    >>> variants.names()[0]
    'chess'
    """
    return (CHESS.name, *(game.name for game in _catalog(file)))


def start_fen(name: str, file: str = "") -> str:
    """Return the start position of a variant.

    :param name: the name of the variant.
    :param file: a file of definitions.
    :returns: the FEN.
    :raises DefinitionError: for an unknown variant, or an unreadable file.
    :raises ArgumentError: for anything but texts.

    >>> variants.start_fen("capablanca")
    'rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1'
    """
    return _start_fen(_find(name, file))


def legal_moves(name: str, fen: str | None = None, file: str = "") -> tuple[str, ...]:
    """Return the legal moves of a position.

    :param name: the name of the variant.
    :param fen: the position; None for the start position.
    :param file: a file of definitions.
    :returns: the moves.
    :raises DefinitionError: for an unknown variant, or an unreadable file.
    :raises NotationError: for an unreadable FEN.
    :raises ArgumentError: for anything but texts.

    >>> len(variants.legal_moves("chess"))
    20
    """
    board = _board(name, fen, file)
    return tuple(move_text(board, move) for move in board.legal_moves())


def after(name: str, moves: Iterable[str | AnyMove], fen: str | None = None, file: str = "") -> str:
    """Return the position after some moves.

    :param name: the name of the variant.
    :param moves: the moves to play, as texts, ``chess.Move`` or ``VariantMove``.
    :param fen: the position before them; None for the start position.
    :param file: a file of definitions.
    :returns: the FEN.
    :raises DefinitionError: for an unknown variant, or an unreadable file.
    :raises NotationError: for an unreadable FEN or move.
    :raises IllegalMoveError: for an illegal move.
    :raises ArgumentError: for arguments of the wrong type.

    >>> variants.after("chess", ["e2e4"])
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """
    board = _board(name, fen, file)
    for move in move_texts(moves):
        board.push(parse_move(board, move))
    return _fen(board)


def result(name: str, fen: str, file: str = "") -> tuple[str, str] | None:
    """Return the result of a position that ends the game.

    :param name: the name of the variant.
    :param fen: the position.
    :param file: a file of definitions.
    :returns: the result and the reason; None if the game goes on.
    :raises DefinitionError: for an unknown variant, or an unreadable file.
    :raises NotationError: for an unreadable FEN.
    :raises ArgumentError: for anything but texts.

    >>> variants.result("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    ('1-0', 'White mates')
    """
    return game_end(_board(name, as_text(fen, "a FEN"), file))


def describe(name: str, file: str = "") -> str:
    """Describe a defined variant in words: its start position, its pieces and their moves.

    :param name: the name of the variant.
    :param file: a file of definitions.
    :returns: lines of text.
    :raises DefinitionError: for an unknown variant, chess itself, or an unreadable file.
    :raises ArgumentError: for anything but texts.

    >>> variants.describe("capablanca").splitlines()[0]
    '10x8 with archbishop (BN) and chancellor (RN)'
    """
    from standstill.engine.variants.show import game_report

    game = _catalog(file).find(as_text(name, "the name of a game"))
    return game_report(game, new_board(game=game))


# ---- arguments ----


def _catalog(file: object) -> Catalog:
    return Catalog(as_path(file))


def _find(name: object, file: object) -> Variant:
    name, path = as_text(name, "the name of a game"), as_path(file)
    return CHESS if name == CHESS.name else Catalog(path).find(name)


def _board(name: object, fen: object, file: object) -> Board:
    return new_board(None if fen is None else as_text(fen, "a FEN"), game=_find(name, file))
