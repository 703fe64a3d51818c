"""Creates the objective of the search from the R-Mobility options, and derives record and forecast."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK, CLOCK_LIMIT, CODES, CP, FINE_STEP, NO_CLOCK_LIMIT, WHITE

from ..common.goal import goal_text, parse_record, parse_weakest
from ..common.info import TABLEBASE_WIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, Protocol, overload

    from ..variants.notation import Board
    from .objectives import Objective, ObjectiveRules

    TextName = Literal["RMobility", "RMobilityKomi", "RMobilityScope", "RMobilityLimit", "RMobilityFifty"]
    FlagName = Literal["InsufficientMaterialDraw"]

    class RuleSettings(Protocol):
        """The interface of the settings (``engine.settings.options.Settings``)."""

        @overload
        def __getitem__(self, name: FlagName) -> bool: ...
        @overload
        def __getitem__(self, name: TextName) -> str: ...
        def is_set(self, name: str) -> bool: ...


OFF, TIEBREAK, POINTS, DECISIVE = "Off", "Tiebreak", "Points", "Decisive"
NONE = "none"

# The options that define the objective. If one of them changes, scores in the hash table become invalid.
NAMES: tuple[TextName | FlagName, ...] = (
    "RMobility",
    "RMobilityKomi",
    "RMobilityScope",
    "RMobilityLimit",
    "RMobilityFifty",
    "InsufficientMaterialDraw",
)


def chosen(settings: RuleSettings) -> tuple[str | bool, ...]:
    """Return the values of ``NAMES``, for the detection of changes."""
    return (*(settings[name] for name in NAMES), material_ends(settings))


def material_ends(settings: RuleSettings) -> bool:
    """Return whether insufficient material ends the game.

    In ``Decisive`` insufficient material ends the game only if the user has set the option.
    """
    name: FlagName = "InsufficientMaterialDraw"
    return settings[name] and (settings.is_set(name) or settings["RMobility"] != DECISIVE)


def set_rules(board: Board, settings: RuleSettings) -> None:
    """Set the rules by which a core board ends the game, from the options."""
    board.material_ends = material_ends(settings)
    no_clock = settings["RMobilityFifty"] == "off" and settings["RMobility"] != OFF
    board.clock_limit = NO_CLOCK_LIMIT if no_clock else CLOCK_LIMIT


def clock_of(board: Board, settings: RuleSettings) -> int:
    """Return the plies that the 50-move rule counts. With ``record``, an improved record resets the count."""
    if settings["RMobilityFifty"] != "record" or settings["RMobility"] == OFF or board.clock < board.clock_limit:
        return board.clock
    record = objective(settings).record_of(board)
    # The first position improves no record, so its count is the clock of its FEN.
    return min(board.clock, board.plies - record[2]) if record is not None and record[2] > 0 else board.clock


def objective(settings: RuleSettings) -> Objective:
    """Return the objective of the search. Raises NotationError for an invalid komi or limit."""
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
    """Return the code of the weakest goal that counts as a record; None for ``none``. Raises NotationError."""
    return None if text.strip().lower() == NONE else parse_weakest(text.strip())


def check_komi(text: str) -> None:
    """Raise NotationError unless the text is ``none`` or a komi."""
    if text.strip().lower() != NONE:
        from .scoring import parse_komi

        parse_komi(text)


def check_record(text: str) -> None:
    """Raise NotationError unless the text is empty or a record that leaves the game open."""
    if text.strip():
        parse_record(text.strip())


def give_record(board: Board, record: tuple[int, int] | None) -> None:
    """Set the earlier record (owner, code) of a board's first position; None removes it."""
    from .objectives import preset_record

    owner, code = record or (None, None)
    preset_record(board, code, owner)


class Outlook:
    """The record in force, and the record expected at the end of the game.

    record: (code, owner, ply), or None. forecast: (code, owner), or None.
    promised: whether the score stands for the forecast. Otherwise the score is an estimate, and the forecast is only
    the record at the end of the line.
    is_proven: whether tables prove the forecast, or the game ends at this position.
    """

    __slots__ = ("forecast", "is_proven", "promised", "record")

    def __init__(self, record: tuple[int, int, int] | None, forecast: tuple[int, int] | None, promised: bool):
        self.record = record
        self.forecast = forecast
        self.promised = promised
        self.is_proven = False

    def __str__(self) -> str:
        """Return a text such as ``record -G8.5 ply 43 forecast G5.5``."""
        return f"record {self.record_text} forecast {self.forecast_text}"

    @property
    def record_text(self) -> str:
        """Return a text such as ``-G8.5 ply 43``, or ``none``."""
        return "none" if self.record is None else f"{goal_text(*self.record[:2])} ply {self.record[2]}"

    @property
    def forecast_text(self) -> str:
        """Return a text such as ``G5.5``, or ``none``."""
        return "none" if self.forecast is None else goal_text(*self.forecast)

    @property
    def known(self) -> tuple[tuple[int, int, int] | None, tuple[int, int] | None]:
        """Return the record and, if the score stands for it, the forecast."""
        return self.record, self.forecast if self.promised else None


def outlook(objective: Objective, board: Board, moves: list[int], score: int) -> Outlook | None:
    """Return the outlook for a line and its score, which is from the side to move's point of view.

    Return None if no records are kept. The board is unchanged afterwards.
    """
    standing = objective.record_of(board)
    played = 0
    for move in moves:
        if not board.legal(move):
            break
        board.push(move)
        played += 1
    record = objective.record_of(board)
    last = None if record is None else record[:2]
    for _ in range(played):
        board.pop()
    white = score if board.stm == WHITE else -score
    promised = promise(objective, white, last)
    if standing is None and last is None and promised is None:
        return None
    return Outlook(standing, last if promised is None else promised, promised is not None)


def proven_outlook(objective: Objective, board: Board, outcome: tuple[int, int] | None) -> Outlook | None:
    """Return the outlook of a position with a proven outcome; None if there is no record, now or at the end.

    outcome: the final record (code, owner); None if no goal will count.
    """
    standing = objective.record_of(board)
    if standing is None and outcome is None:
        return None
    found = Outlook(standing, outcome, promised=True)
    found.is_proven = True
    return found


def proven_score(objective: Objective, board: Board, outcome: tuple[int, int] | None, plies: int) -> int:
    """Return the side to move's score for a proven outcome that is ``plies`` away, within the band of its goal.

    outcome: the final record (code, owner); None if no goal will count.
    """
    code, owner = (CODES - 1, WHITE) if outcome is None else outcome
    white = objective.worth_of(code, owner)
    if white % CP or code == 0:  # a score of whole centipawns contains no distance
        distance = plies if code == 0 else min(plies, FINE_STEP - 1)
        white += -distance if white > 0 else distance
    return white if board.stm == WHITE else -white


def promise(objective: Objective, white: int, last: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the goal (code, owner) that a score from White's point of view stands for; None for an estimate.

    last: the record at the end of the line. A score stands for a goal on the board, or for a goal that the material
    promises. Where only fractions of a centipawn separate goals, a promised goal has the score of the next weaker goal.
    Promised goals are without check, so the next weaker goal is with check. If the line ends with the weaker goal, that
    goal is returned, otherwise the promised goal.
    """
    if abs(white) >= TABLEBASE_WIN:
        return 0, WHITE if white > 0 else BLACK
    found = objective.goals_behind(white)
    if any((code, owner) == last and not promised for code, owner, promised in found):
        return last
    likely = [(code, owner) for code, owner, _ in found if code % 2 or len(found) == 1]
    return likely[0] if likely else None
