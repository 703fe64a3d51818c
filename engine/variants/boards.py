"""Creates boards. Only this module maps games to classes of the core."""

from __future__ import annotations

from .chess_notation import ORTHODOX
from .notation import Notation, fen, set_fen
from .variant import CHESS, Variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.evaluation.chess_eval import ChessEvaluator
    from standstill.cext.evaluation.fairy_eval import FairyEvaluator
    from standstill.cext.fairy.rules import FairyRules
    from standstill.cext.network.fairy_network_eval import FairyNetworkEvaluator
    from standstill.cext.network.network_eval import NetworkEvaluator
    from standstill.cext.network.record_eval import RecordEvaluator
    from standstill.cext.network.weights import Weights

    from .definition import Definition
    from .notation import Board

    Evaluator = ChessEvaluator | FairyEvaluator | FairyNetworkEvaluator | NetworkEvaluator

# (placement of the start position, FEN from which some UCI clients start). In Courier chess the first moves are fixed.
# Cute Chess and Fairy-Stockfish start after these moves; XBoard, Fairy-Max and this engine start before them.
_BEGUN = {
    "courier": (
        "rnebmkfwbenr/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/RNEBMKFWBENR",
        "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR w - - 0 1",
    ),
}
_RANKS_FROM_ZERO = 10  # XBoard numbers the ranks of a board with this many ranks from 0, so that one digit suffices


def notation_of(game: Variant, chess960: bool = False, ranks_from_zero: bool = False) -> Notation:
    """Return the notation of the game.

    chess960: in chess, write castling as king takes rook. ranks_from_zero: on a board of ten ranks, number the ranks
    0 to 9 in moves, as XBoard does.
    """
    if game is CHESS:
        return ORTHODOX.for_castling(chess960)
    from .fairy_notation import DefinedNotation

    definition = _definition(game)
    return DefinedNotation(definition, 0 if ranks_from_zero and game.height == _RANKS_FROM_ZERO else 1)


def new_board(
    fen: str | None = None, chess960: bool = False, game: Variant = CHESS, ranks_from_zero: bool = False
) -> Board:
    """Create a board with the start position or ``fen``. The other arguments are those of ``notation_of``.

    Raises NotationError for a FEN that is not playable, and DefinitionError for a game that the core cannot play.
    """
    if game is CHESS:
        from standstill.cext.chess.chess_board import ChessBoard

        board: Board = ChessBoard()
    else:
        from standstill.cext.fairy.fairy_board import FairyBoard

        board = FairyBoard(rules_of(game))
    board.notation = notation_of(game, chess960, ranks_from_zero)
    if fen is not None:
        set_fen(board, fen)
    return board


def start_fen(game: Variant) -> str:
    """Return the FEN of the start position, with castling rights in the form KQkq, which clients understand."""
    return fen(new_board(game=game))


def begun_fen(game: Variant) -> str | None:
    """Return the FEN from which Cute Chess and UCI clients start; None for the start position."""
    if game.name not in _BEGUN:  # this test avoids setting up a board
        return None
    array, begun = _BEGUN[game.name]
    return begun if start_fen(game).startswith(f"{array} ") else None  # the user may define another game of this name


def named_game(name: str) -> Variant:
    """Return the game of that name: ``chess``, or one of the engine's definitions. Raises DefinitionError."""
    if name == CHESS.name:
        return CHESS
    from .catalog import Catalog

    return Catalog().find(name)


def new_evaluator(game: Variant, discount: bool = True, network: Weights | None = None) -> Evaluator:
    """Create an evaluator for boards of this game.

    discount: divide scores by mating potential (docs/evaluation.md). network: a network for this game, which replaces
    the hand-crafted terms.
    """
    if game is CHESS and network is not None:
        from standstill.cext.network.network_eval import NetworkEvaluator

        return NetworkEvaluator(network, discount)
    if game is CHESS:
        from standstill.cext.evaluation.chess_eval import ChessEvaluator

        return ChessEvaluator(discount)
    if network is not None:
        from standstill.cext.network.fairy_network_eval import FairyNetworkEvaluator

        return FairyNetworkEvaluator(network, rules_of(game), discount)
    from standstill.cext.evaluation.fairy_eval import FairyEvaluator

    return FairyEvaluator(rules_of(game), discount)


def searching_evaluator(
    game: Variant, discount: bool = True, network: Weights | None = None, records: Weights | None = None
) -> Evaluator | RecordEvaluator:
    """Create an evaluator for searches. records: in chess, the network that predicts the holder of the final record."""
    evaluator = new_evaluator(game, discount, network)
    if records is None:
        return evaluator
    from standstill.cext.network.record_eval import RecordEvaluator

    return RecordEvaluator(evaluator, records)


_compiled: dict[Definition, FairyRules] = {}  # cache for the rules of the games that were compiled last


def _definition(game: Variant) -> Definition:
    """Return the game as a definition. Every game except chess has one."""
    if TYPE_CHECKING:
        assert isinstance(game, Definition)
    return game


def rules_of(game: Variant) -> FairyRules:
    """Return the compiled rules of a game. Raises DefinitionError if the core cannot play its start position."""
    from standstill.cext.fairy.fairy_board import FairyBoard
    from standstill.cext.fairy.rules import FairyRules

    from ..common.errors import DefinitionError

    game = _definition(game)
    if game not in _compiled:
        while len(_compiled) >= 8:
            _compiled.pop(next(iter(_compiled)))
        name = game.name or "the game before the first title"
        try:
            rules = FairyRules(**game.compiled_form())
        except ValueError as error:
            raise DefinitionError(f"{name}: {error}") from None
        try:
            FairyBoard(rules)
        except ValueError as error:
            raise DefinitionError(f"{name}: the start position is not playable: {error}") from None
        _compiled[game] = rules
    return _compiled[game]
