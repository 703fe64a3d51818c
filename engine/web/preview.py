"""The position that a page shows before a game starts."""

from __future__ import annotations

from ..rmobility.goals import reached
from ..rmobility.modes import give_record, set_rules
from ..settings.options import Settings
from ..variants.boards import new_board
from ..variants.notation import set_fen
from .positions import game_of, goal_of, legal_moves, placed
from .setup import Setup
from .verdict import end_by_rules


def preview(setup: Setup) -> dict[str, object]:
    """Return the first position of a game, with legal moves and goal. Raises NotationError or DefinitionError."""
    board = new_board(chess960=setup.chess960, game=setup.game)
    if setup.fen is not None:
        give_record(board, set_fen(board, setup.fen))
    settings = Settings()
    settings["RMobility"] = setup.mode  # in modes where the record decides, the game continues with bare kings
    set_rules(board, settings)
    goal = reached(board)
    end = end_by_rules(settings, board)
    return {
        "game": game_of(setup.game, setup.title),
        **placed(board),
        "goal": goal_of(goal),
        "legal": legal_moves(board, goal),
        "end": None if end is None else {"result": end.result, "reason": end.reason},
    }
