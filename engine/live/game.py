"""The followed game with its R-Mobility record: what a watcher wants to know after each move."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK, NO_GOAL, WHITE

from ..archive.end_tags import decided_by_komi
from ..common.errors import StandstillError
from ..common.goal import goal_text
from ..rmobility.goals import MATE, Goal, Goals, settle
from ..rmobility.scoring import Terms, komi_text
from ..rmobility.wording import beaten_by
from ..variants.boards import new_board
from ..variants.notation import NULL_MOVE, PASS, fen, move_text, parse_move, san, set_fen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..archive.questions import Questions
    from .reading import Snapshot

SIDES = ("white", "black")
NO_REASON = "result"  # the reason if the source gives only the result
_DECIDED = ("1-0", "0-1")
_MATES = tuple(str(Goal(MATE, owner)) for owner in (WHITE, BLACK))  # records of games that were won on the board


class LiveGame:
    """A game up to its newest move. ``grow`` adds moves; a game that was changed in any other way is a new object."""

    def __init__(self, snapshot: Snapshot, questions: Questions, usual: Terms):
        """usual: the komi and cut-off of a game whose tags have none. Raises NotationError or IllegalMoveError."""
        self._questions = questions
        self._usual = usual
        self.board = new_board(chess960=snapshot.chess960, game=snapshot.game)
        given = set_fen(self.board, snapshot.fen)
        self.board.material_ends = False  # under R-Mobility, insufficient material does not end a game
        self.goals = Goals(self.board, given)
        self.codes = [self.board.goal()]  # goal code of each position
        self.resets = [True]  # whether each position began a phase
        self.sans: list[str] = []
        self.moves: tuple[str, ...] = ()
        self.grow(snapshot)

    def grow(self, snapshot: Snapshot) -> None:
        """Take over a snapshot whose moves begin with those of the game."""
        self.snapshot = snapshot
        self.terms = snapshot.terms(self._usual)
        for text in snapshot.moves[len(self.moves) :]:
            self._push(text)
        self.moves = snapshot.moves

    def _push(self, text: str) -> None:
        board = self.board
        if text == NULL_MOVE:
            board.push_null()
            self.goals.push_null()
            self.sans.append(PASS)
            self.resets.append(False)
        else:
            move = parse_move(board, text)
            self.sans.append(san(board, move))
            board.push(move)
            self.goals.push(board)
            self.resets.append(board.clock == 0)
        self.codes.append(board.goal())

    # ---- what is known about the position ----

    def view(self) -> dict[str, object]:
        """The newest position and its record as plain values (docs/live.md)."""
        board, snapshot = self.board, self.snapshot
        judged = self._judged()
        record = self.goals.record
        is_over = judged["result"] != "*"
        beating = [] if is_over else self._beating(record)
        return {
            **{name.lower(): snapshot.tags.get(name, "") for name in ("Event", "Round", "White", "Black")},
            "played": len(self.moves),
            "last": self._last(),
            "fen": fen(board),
            "turn": SIDES[board.stm],
            **judged,
            "mobility": self._mobility(),
            "lowest": self._lowest(),
            "to_beat": None if record is None or is_over else beaten_by(record.code),
            "beating": [{"move": written, "goal": goal_text(code, board.stm)} for written, code in beating],
            "stake": self._stake(judged, beating),
            "fifty": None if is_over else max(0, board.clock_limit - self.goals.clock),
            "komi": None if self.terms.komi is None else komi_text(*self.terms.komi),
            "cut_off": None if self.terms.cut_off is None else goal_text(self.terms.cut_off),
            "note": snapshot.note,
        }

    def _judged(self) -> dict[str, object]:
        """The answer of the adjudicator, or the result that the source gives."""
        found = self._questions.found(self.board, self.goals, self.terms)
        given = self.snapshot.result
        if found["over"] is not None and found["record"] not in _MATES:
            return {**found, "over": self.terms.ending(str(found["over"]), self.goals.record)}
        if found["over"] is not None or given == "*":
            return found
        by_komi = decided_by_komi(self.snapshot.scored)  # the game was drawn, and the komi decided its result
        result = None if by_komi else given
        goal = self._agreed() or settle(
            self.goals.record, last_code=self.codes[-1], plies=len(self.moves), result=result
        )
        white = self.terms.white(goal)
        if given in _DECIDED and not by_komi:
            white = type(white)(int(given == "1-0"))
        ending = self.snapshot.ending if by_komi or given in _DECIDED else self.terms.ending(self.snapshot.ending, goal)
        return {
            "record": None if goal is None else str(goal),
            "ply": None if goal is None else goal.ply,
            "owner": None if goal is None else SIDES[goal.owner],
            "over": ending or NO_REASON,
            "result": given,
            "proven": True,
            "outcome": None if goal is None else str(goal),
            "plies": 0,
            "points": [float(white), float(1 - white)],
        }

    def _agreed(self) -> Goal | None:
        """The record on which the referee decided the game; None without such a tag."""
        try:
            return Goal.parse(self.snapshot.tags.get("RMobilityAgreed", ""), len(self.moves))
        except StandstillError:
            return None

    def _last(self) -> dict[str, object] | None:
        """The newest move with its number, and the goal that it reached."""
        if not self.sans:
            return None
        mover = self.board.stm ^ 1
        return {
            "san": self.sans[-1],
            "move": self._move_in_coordinates(),
            "number": self.board.fullmove - mover,
            "side": SIDES[mover],
            "goal": goal_text(self.codes[-1], mover),
            "resets": self.resets[-1],
            "sets": self.goals.lowest.ply == len(self.moves),
        }

    def _move_in_coordinates(self) -> str:
        move = self.board.move_at(self.board.plies)
        if not move:
            return NULL_MOVE
        self.board.pop()
        text = move_text(self.board, move)
        self.board.push(move)
        return text

    def _mobility(self) -> dict[str, int | None]:
        """The legal moves that each side had when it was last to move; None before a side's first turn."""
        stm = self.board.stm
        return {SIDES[side]: _moves(self.codes, 1 + (side != stm)) for side in (0, 1)}

    def _lowest(self) -> dict[str, str | None]:
        """The lowest goal of each side since the last capture or pawn move."""
        lowest: list[int | None] = [None, None]
        owner = self.board.stm ^ 1
        for code, resets in zip(reversed(self.codes), reversed(self.resets), strict=True):
            held = lowest[owner]
            lowest[owner] = code if held is None else min(held, code)
            owner ^= 1
            if resets:
                break
        return {SIDES[side]: (code is not None and goal_text(code, side)) or None for side, code in enumerate(lowest)}

    def _beating(self, record: Goal | None) -> list[tuple[str, int]]:
        """The legal moves that beat the record without deleting it, with their goal codes, the lowest first."""
        board, found = self.board, []
        if record is None:
            return []
        for move in board.legal_moves():
            board.push(move)
            code, resets = board.goal(), board.clock == 0
            board.pop()
            if code < record.code and not resets:
                found.append((move, code))
        found.sort(key=lambda each: each[1])
        return [(san(board, move), code) for move, code in found]

    def _stake(self, judged: dict[str, object], beating: list[tuple[str, int]]) -> dict[str, object]:
        """The points of White and Black if the game is drawn now, after the best move for the record, and by tables."""
        best = None
        if beating:
            written, code = beating[0]
            goal = Goal(code, self.board.stm, len(self.moves) + 1)
            best = {"move": written, "record": str(goal), "points": self._points(goal)}
        outcome = judged["outcome"]
        return {
            "now": judged["points"],
            "best": best,
            "outcome": self._points(Goal.parse(str(outcome))) if outcome is not None else None,
        }

    def _points(self, goal: Goal) -> list[float]:
        white = self.terms.white(goal)
        return [float(white), float(1 - white)]

    def forecast(self, code: int, owner: int, promised: bool) -> dict[str, object]:
        """A record that a search expects at the end of the game. promised: False for a mere estimate."""
        goal = Goal(code, owner)
        return {"record": str(goal), "owner": SIDES[owner], "promised": promised, "points": self._points(goal)}


def _moves(codes: list[int], back: int) -> int | None:
    return codes[-back] // 2 if back <= len(codes) and codes[-back] != NO_GOAL else None
