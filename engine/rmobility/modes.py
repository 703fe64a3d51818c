"""Turns the options of R-Mobility into the objective of the search, and tells record and forecast."""

from __future__ import annotations

from standstill.cext.base.constants import CLOCK_LIMIT, NO_CLOCK_LIMIT

from ..words.goal import goal_text, parse_goal

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from typing import Literal, Protocol, overload

    from ..games.notation import Board
    from .objectives import Objective, ObjectiveRules

    TextName = Literal["RMobility", "RMobilityKomi", "RMobilityScope", "RMobilityLimit", "RMobilityFifty"]
    FlagName = Literal["InsufficientMaterialDraw"]

    class RuleSettings(Protocol):
        """What is asked of the settings (``engine.settings.options.Settings``)."""

        @overload
        def __getitem__(self, name: FlagName) -> bool: ...
        @overload
        def __getitem__(self, name: TextName) -> str: ...
        def is_set(self, name: str) -> bool: ...

OFF, TIEBREAK, POINTS, DECISIVE = "Off", "Tiebreak", "Points", "Decisive"
NONE = "none"

# The options that define the objective. If one of them changes, scores in the table have another meaning.
NAMES: tuple[TextName | FlagName, ...] = (
    "RMobility",
    "RMobilityKomi",
    "RMobilityScope",
    "RMobilityLimit",
    "RMobilityFifty",
    "InsufficientMaterialDraw",
)



def chosen(settings: RuleSettings) -> tuple[str | bool, ...]:
    """The values of ``NAMES``, to find out whether one has changed."""
    return (*(settings[name] for name in NAMES), material_ends(settings))


def material_ends(settings: RuleSettings) -> bool:
    """Does insufficient material end the game? In ``Decisive`` only if the user has said so: bare kings fight there."""
    name: FlagName = "InsufficientMaterialDraw"
    return settings[name] and (settings.is_set(name) or settings["RMobility"] != DECISIVE)


def set_rules(board: Board, settings: RuleSettings) -> None:
    """Let a board of the core end its games by the rules that the options set."""
    board.material_ends = material_ends(settings)
    no_clock = settings["RMobilityFifty"] == "off" and settings["RMobility"] != OFF
    board.clock_limit = NO_CLOCK_LIMIT if no_clock else CLOCK_LIMIT


def clock_of(board: Board, settings: RuleSettings) -> int:
    """Plies that the 50-move rule counts: with ``record`` an improved record resets the count."""
    if settings["RMobilityFifty"] != "record" or settings["RMobility"] == OFF or board.clock < board.clock_limit:
        return board.clock
    record = objective(settings).record_of(board)
    # The first position improves nothing, so the clock of its FEN is believed.
    return min(board.clock, board.plies - record[2]) if record is not None and record[2] > 0 else board.clock


def objective(settings: RuleSettings) -> Objective:
    """The objective of the search. Raises NotationError for an invalid komi or limit."""
    from . import objectives

    mode = settings["RMobility"]
    if mode == OFF:
        return objectives.classic()
    rules: ObjectiveRules = {
        "whole_game": settings["RMobilityScope"] == "WholeGame",
        "limit": parse_limit(settings["RMobilityLimit"]),
        "fifty": settings["RMobilityFifty"],
    }
    if mode == TIEBREAK:
        return objectives.tiebreak(**rules)
    if mode == POINTS:
        return objectives.points(**rules)
    komi = settings["RMobilityKomi"].strip()
    return objectives.decisive(None if komi.lower() == NONE else komi, **rules)


def parse_limit(text: str) -> int | None:
    """Goal code of the weakest goal that counts as a record, None for ``none``. Raises NotationError."""
    return None if text.strip().lower() == NONE else parse_goal(text.strip())[1]


def check_komi(text: str) -> None:
    """Raise NotationError unless the text is ``none`` or a komi."""
    if text.strip().lower() != NONE:
        from .scoring import parse_komi

        parse_komi(text)


def check_record(text: str) -> None:
    """Raise NotationError unless the text is empty or a goal."""
    if text.strip():
        parse_goal(text.strip())


def give_record(board: Board, record: tuple[int, int] | None) -> None:
    """Give the first position of a board a record from before, (owner, code), or remove an earlier one."""
    from .objectives import preset_record

    owner, code = record or (None, None)
    preset_record(board, code, owner)


def outlook(objective: Objective, board: Board, moves: list[int]) -> str | None:
    """``record -G8.5 ply 43 forecast G5.5``: the record that stands, and the one behind these moves.

    None where nothing is recorded. The board is left as it was.
    """
    standing = objective.record_of(board)
    played = 0
    for move in moves:
        if not board.legal(move):
            break
        board.push(move)
        played += 1
    last = objective.record_of(board)
    for _ in range(played):
        board.pop()
    if standing is None and last is None:
        return None
    record = "none" if standing is None else f"{goal_text(standing[0], standing[1])} ply {standing[2]}"
    forecast = "none" if last is None else goal_text(last[0], last[1])
    return f"record {record} forecast {forecast}"
