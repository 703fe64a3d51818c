"""Answers questions about games as plain values, for other programs: record, end, result and proven outcome."""

from __future__ import annotations

import json
from functools import lru_cache

from standstill.cext.base.constants import BLACK, CLOCK_LIMIT, NO_CLOCK_LIMIT, WHITE

from ..common.errors import ArgumentError, StandstillError
from ..common.goal import parse_record, parse_weakest
from ..common.text import shown
from ..rmobility.goals import MATE, Goal, Goals
from ..rmobility.scoring import Terms, parse_komi
from ..tablebases.adjudication import OWN, Adjudicator
from ..variants.boards import new_board, start_fen
from ..variants.game_over import game_end
from ..variants.notation import parse_move, set_fen
from ..variants.variant import CHESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tablebases.probing import ProbedBoard
    from ..variants.notation import Board

_RULES: dict[str, type] = {
    "fifty": str, "keep_trigger": bool, "whole_game": bool, "limit": str, "cut_off": str, "dead_draw": bool,
    "chess960": bool,
}  # fmt: skip
_FIELDS = {"id", "fen", "moves", "record", "rules", "komi"}
_FIFTY = ("fide", "record", "off")
_SIDES = ("white", "black")


class Questions:
    """Answers questions, each independent of the others."""

    def __init__(self, folders: tuple[str, ...] = ()):
        """folders: folders of R-Mobility tables, in addition to the built-in ones. Raises TablebaseError."""
        self._folders = folders or (OWN,)
        self._adjudicators = {False: Adjudicator(self._folders)}  # the key says whether records last for the whole game
        self._start = start_fen(CHESS)
        self._boards = {chess960: new_board(chess960=chess960) for chess960 in (False, True)}

    def answer(self, question: object) -> dict[str, object]:
        """Answer a question, an object as read from JSON (docs/adjudication.md).

        Raises StandstillError for a question with a wrong field, position or move.
        """
        asked = _checked(question)
        rules = asked.get("rules", {})
        board = self._boards[rules.get("chess960", False)]
        written = set_fen(board, asked.get("fen") or self._start)
        given = parse_record(asked["record"]) if asked.get("record") else written
        board.material_ends = rules.get("dead_draw", False)
        board.clock_limit = NO_CLOCK_LIMIT if rules.get("fifty") == "off" else CLOCK_LIMIT
        limit = parse_weakest(rules["limit"]) if rules.get("limit") else None
        goals = Goals(
            board, given, whole_game=rules.get("whole_game", False), limit=limit,
            keep_trigger=rules.get("keep_trigger", False), fifty=rules.get("fifty", "fide"),
        )  # fmt: skip
        for ply, text in enumerate(asked.get("moves", ()), 1):
            try:
                board.push(parse_move(board, text))
            except StandstillError as error:
                raise ArgumentError(f"ply {ply}: {error}") from None
            goals.push(board)
        terms = Terms(
            parse_komi(asked["komi"]) if asked.get("komi") else None,
            parse_weakest(rules["cut_off"]) if rules.get("cut_off") else None,
        )
        found = self.found(board, goals, terms)
        return {"id": asked["id"], **found} if "id" in asked else found

    def found(self, board: Board, goals: Goals, terms: Terms) -> dict[str, object]:
        """Return an answer's fields except ``id``. board: the last position. goals: the goals of all positions."""
        end, record = game_end(board, goals.clock), goals.record
        result, over = end or ("*", None)
        if result in ("1-0", "0-1"):
            record = Goal(MATE, WHITE if result == "1-0" else BLACK, goals.ply)
        elif over is not None:
            result = terms.result(record)
        proven, outcome, plies = over is not None, record, 0
        if over is None and (value := self._value(board, goals)) is not None:
            proven, outcome, plies = True, *value
        return {
            "record": None if record is None else str(record),
            "ply": None if record is None else record.ply,
            "owner": None if record is None else _SIDES[record.owner],
            "over": over,
            "result": result,
            "proven": proven,
            "outcome": str(outcome) if proven and outcome is not None else None,
            "plies": plies if proven else None,
            "points": _points(terms, None if record is None else record.code, record is not None and record.owner),
        }

    def _value(self, board: Board, goals: Goals) -> tuple[Goal, int] | None:
        """Return best play's final record and its distance in plies; None if unknown or the 50-move rule intervenes."""
        if not board.notation.game.is_chess:
            return None
        if goals.limit is not None or board.material_ends or goals.fifty == "record":
            return None
        adjudicator = self._adjudicators.get(goals.whole_game)
        if adjudicator is None:
            adjudicator = self._adjudicators[goals.whole_game] = Adjudicator(self._folders, whole_game=goals.whole_game)
        if 64 - board.squares.count(0) > adjudicator.most_men:
            return None
        if TYPE_CHECKING:
            assert isinstance(board, ProbedBoard)
        held = goals.lowest
        found, value = (
            adjudicator.verdict(board, (held.code, held.owner)),
            adjudicator.value(board, (held.code, held.owner)),
        )
        return None if found is None or value is None else (Goal(*found), value.plies)


@lru_cache(maxsize=1000)
def _points(terms: Terms, code: int | None, owner: int) -> list[float]:
    """Return the points of White and Black for a record as floats."""
    white = terms.white(None if code is None else Goal(code, int(owner)))
    return [float(white), float(1 - white)]


def _json(value: object) -> str:
    """Return a wrong value as JSON, shortened."""
    return shown(json.dumps(value, ensure_ascii=False, default=str))


def _checked(question: object) -> dict[str, Any]:
    """Return the fields of a question after checking their types. Raises ArgumentError."""
    if not isinstance(question, dict):
        raise ArgumentError(f"expected an object, found {_json(question)}")
    for name, value in question.items():
        if name not in _FIELDS:
            raise ArgumentError(f"expected fields {', '.join(sorted(_FIELDS))}, found {shown(str(name))}")
        if name in ("fen", "record", "komi") and not (value is None or isinstance(value, str)):
            raise ArgumentError(f"expected {name}, a text, found {_json(value)}")
    question = {name: value for name, value in question.items() if value is not None or name == "id"}
    moves, rules = question.get("moves", []), question.get("rules", {})
    if isinstance(moves, str):
        question["moves"] = moves.split()
    elif not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ArgumentError(f"expected moves, a text or a list of texts, found {_json(moves)}")
    if not isinstance(rules, dict):
        raise ArgumentError(f"expected rules, an object, found {_json(rules)}")
    for name, value in rules.items():
        if name not in _RULES:
            raise ArgumentError(f"expected rules {', '.join(_RULES)}, found {shown(str(name))}")
        if not isinstance(value, _RULES[name]):
            raise ArgumentError(
                f"expected {name}, {'a text' if _RULES[name] is str else 'true or false'}, found {_json(value)}"
            )
    if rules.get("fifty", "fide") not in _FIFTY:
        raise ArgumentError(f"expected fifty, one of {', '.join(_FIFTY)}, found {shown(rules['fifty'])}")
    return question
