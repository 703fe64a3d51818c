"""From the options of R-Mobility to what the search plays for, and what it says about the record."""

from __future__ import annotations

from ..notation import goal_text, parse_goal

OFF, TIEBREAK, POINTS, DECISIVE = "Off", "Tiebreak", "Points", "Decisive"
NONE = "none"

# The options that decide over the objective: where one of them changes, nothing in the table holds any more.
NAMES = ("RMobility", "RMobilityKomi", "RMobilityScope", "RMobilityLimit", "RMobilityFifty", "InsufficientMaterialDraw")

CLOCK_LIMIT = 100  # plies; the core counts no farther than NO_LIMIT
NO_LIMIT = 32000


def chosen(settings) -> tuple:
    """The values of ``NAMES``, to see whether one has changed."""
    return (*(settings[name] for name in NAMES), material_ends(settings))


def material_ends(settings) -> bool:
    """Does insufficient material end the game? In ``Decisive`` only if the user says so: K v K is a fight there."""
    name = "InsufficientMaterialDraw"
    return settings[name] and (settings.is_set(name) or settings["RMobility"] != DECISIVE)


def set_rules(board, settings) -> None:
    """Have a board of the core end its games as the options say."""
    board.material_ends = material_ends(settings)
    no_clock = settings["RMobilityFifty"] == "off" and settings["RMobility"] != OFF
    board.clock_limit = NO_LIMIT if no_clock else CLOCK_LIMIT


def clock_of(board, settings) -> int:
    """Plies that the 50-move rule counts: under ``record`` an improved record has begun them anew."""
    if settings["RMobilityFifty"] != "record" or settings["RMobility"] == OFF or board.clock < board.clock_limit:
        return board.clock
    record = objective(settings).record_of(board)
    # The first position improves nothing: what its FEN says of the clock is believed.
    return min(board.clock, board.plies - record[2]) if record is not None and record[2] > 0 else board.clock


def objective(settings):
    """What the search plays for. Raises NotationError for a komi or a limit that is none."""
    from . import objectives

    mode = settings["RMobility"]
    if mode == OFF:
        return objectives.classic()
    rules = {
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
    """Goal code of the weakest goal that is a record, None for ``none``. Raises NotationError."""
    return None if text.strip().lower() == NONE else parse_goal(text.strip())[1]


def check_komi(text: str) -> None:
    """Raises NotationError unless the text is ``none`` or a komi."""
    if text.strip().lower() != NONE:
        from .scoring import parse_komi

        parse_komi(text)


def check_record(text: str) -> None:
    """Raises NotationError unless the text is empty or a goal."""
    if text.strip():
        parse_goal(text.strip())


def give_record(board, record: tuple[int, int] | None) -> None:
    """Let the first position of a board have a record from before, (owner, code), or forget an earlier one."""
    from .objectives import preset_record

    owner, code = record or (None, None)
    preset_record(board, code, owner)


def outlook(objective, board, moves: list[int]) -> str | None:
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
