"""Create boards; the only module that knows which classes of the core play which game."""

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

# Start positions, and different ones that UCI clients use. In Courier chess the first moves were fixed by custom: Cute
# Chess and Fairy-Stockfish start after them; XBoard, Fairy-Max and this engine before them.
_BEGUN = {
    "courier": (
        "rnebmkfwbenr/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/RNEBMKFWBENR",
        "rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR w - - 0 1",
    ),
}
_RANKS_FROM_ZERO = 10  # XBoard numbers the ranks from 0 on a board of this many, so that one digit is enough


def notation_of(game: Variant, chess960: bool = False, ranks_from_zero: bool = False) -> Notation:
    """The notation of the game.

    chess960: write castling as king takes rook, in chess. ranks_from_zero: on a board of ten ranks, number them 0 to 9
    in moves, as XBoard does.
    """
    if game is CHESS:
        return ORTHODOX.for_castling(chess960)
    from .fairy_notation import DefinedNotation

    definition = _definition(game)
    return DefinedNotation(definition, 0 if ranks_from_zero and game.height == _RANKS_FROM_ZERO else 1)


def new_board(
    fen: str | None = None, chess960: bool = False, game: Variant = CHESS, ranks_from_zero: bool = False
) -> Board:
    """A board with the start position, or the one of ``fen``; the other arguments are those of ``notation_of``.

    Raises NotationError for an unplayable FEN, and DefinitionError for a game that the core cannot play.
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
    """FEN of the start position, with castling rights in the plain form that clients know."""
    return fen(new_board(game=game))


def begun_fen(game: Variant) -> str | None:
    """The FEN from which Cute Chess and UCI clients start a game if it differs from the start position, else None."""
    if game.name not in _BEGUN:  # skip this during the set-up of a board
        return None
    array, begun = _BEGUN[game.name]
    return begun if start_fen(game).startswith(f"{array} ") else None  # a user's file may differ


def named_game(name: str) -> Variant:
    """The game of that name: ``chess``, or one of the engine's definitions. Raises DefinitionError."""
    if name == CHESS.name:
        return CHESS
    from .catalog import Catalog

    return Catalog().find(name)


def new_evaluator(game: Variant, discount: bool = True, network: Weights | None = None) -> Evaluator:
    """Create an evaluator for boards of this game.

    discount: divide scores by mating potential (docs/evaluation.md). network: a network of this game, which replaces
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
    """Create an evaluator for searches. records: the network that predicts the holder of the final record, in chess."""
    evaluator = new_evaluator(game, discount, network)
    if records is None:
        return evaluator
    from standstill.cext.network.record_eval import RecordEvaluator

    return RecordEvaluator(evaluator, records)


_compiled: dict[Definition, FairyRules] = {}  # the most recently played games, in the core's form


def _definition(game: Variant) -> Definition:
    """The game as a definition, which every game except chess is."""
    if TYPE_CHECKING:
        assert isinstance(game, Definition)
    return game


def rules_of(game: Variant) -> FairyRules:
    """The compiled rules of a game. Raises DefinitionError if the core cannot play it from its start position."""
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
