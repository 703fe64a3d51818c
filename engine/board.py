"""Where boards come from: the one place that knows which class of the core plays which game."""

from __future__ import annotations

from .notation import set_fen

_RANKS_FROM_ZERO = 10  # XBoard numbers ranks so that one digit does


def new_board(fen: str | None = None, chess960: bool = False, game=None, ranks_from_zero: bool = False):
    """A board with the start position, or the one of ``fen``.

    chess960: write castling as king takes rook. game: a ``variants.definition.Game``, None for chess.
    ranks_from_zero: where a board has ten ranks, number them 0 to 9 in moves, as XBoard does.
    Raises NotationError for a FEN that cannot be played.
    """
    if game is None:
        from cext.chess_board import ChessBoard

        board = ChessBoard()
        board.chess960 = chess960
    else:
        from cext.fairy_board import FairyBoard

        board = FairyBoard(rules_of(game), game)
        board.first_rank = 0 if ranks_from_zero and game.height == _RANKS_FROM_ZERO else 1
    if fen is not None:
        set_fen(board, fen)
    return board


def named_game(name: str):
    """The game of that name among our own definitions, None for ``chess``. Raises DefinitionError."""
    if name == "chess":
        return None
    from .variants.catalog import Catalog

    return Catalog().find(name)


def new_evaluator(board, discount: bool = True):
    """An evaluator for boards of this game. discount: divide scores by mating potential (docs/evaluation.md)."""
    if board.game is None:
        from cext.chess_eval import ChessEvaluator

        return ChessEvaluator(discount)
    from cext.fairy_eval import FairyEvaluator

    return FairyEvaluator(board.rules, discount)


_compiled: dict = {}  # the games that were played last, as the core wants them


def rules_of(game):
    """The compiled rules of a game. Raises DefinitionError if the core cannot play it."""
    from cext.fairy_rules import FairyRules

    from .errors import DefinitionError

    if game not in _compiled:
        while len(_compiled) >= 8:
            _compiled.pop(next(iter(_compiled)))
        try:
            _compiled[game] = FairyRules(**game.compiled_form())
        except ValueError as error:
            raise DefinitionError(f"{game.name}: {error}") from None
    return _compiled[game]
