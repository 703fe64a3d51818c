"""One game of a file: its movetext, replayed by compiled code, and the R-Mobility goals on the way."""

from __future__ import annotations

from standstill.cext.doors.games import FAULTS, score_moves

from ..archive.scorer import Scorer
from ..games.board import new_board
from ..rmobility.goals import Goal, Goals
from ..words.errors import MovetextError, StandstillError
from ..words.text import shown
from .movetext import Movetext

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from standstill.cext.chess.board import ChessBoard

CHESS960 = ("chess960", "fischerandom", "fischerrandom", "chess 960", "freestyle")
_ORTHODOX = ("", "chess", "standard", "normal", "from position")


class SourceGame:
    """A game, with everything that is known without an engine.

    text: as in the file, bytes read as Latin-1. fault: why the game cannot be read, None if it can.
    codes: twice the goal number of each position, with the first one.
    """

    __slots__ = ("_movetext", "_resets", "codes", "fault", "number", "text")

    def __init__(self, number: int, raw: bytes):
        self.number = number
        self.text = raw.decode("latin-1")
        self._movetext: Movetext | None = None
        self.fault: str | None = None
        self.codes: list[int] = []
        self._resets: list[bool] = []
        try:
            movetext = Movetext(self.text)
            if movetext.plies:
                self._replay(movetext, raw)
            elif (problem := Scorer().score(raw, 0, len(raw)).problem) is not None:
                raise MovetextError(problem)
            self._movetext = movetext
        except StandstillError as error:
            self.fault = str(error)

    @property
    def plies(self) -> int:
        return len(self._movetext.plies) if self._movetext else 0

    @property
    def movetext(self) -> Movetext:
        """Of a game that can be read."""
        assert self._movetext is not None, self.fault
        return self._movetext

    def records(self) -> list[Goal]:
        """The R-Mobility record after each position, with the first one."""
        position = _GoalsOnly(self.codes[0], self.movetext)
        goals = Goals(position)
        found = [goals.lowest]
        for code, reset in zip(self.codes[1:], self._resets[1:], strict=True):
            position.push(code, reset)
            goals.push(position)
            found.append(goals.lowest)
        return found

    def _replay(self, movetext: Movetext, raw: bytes) -> None:
        score = score_moves(raw, movetext.body, len(raw), _first_board(movetext), detail=True)
        if score.fault or score.plies != len(movetext.plies):
            index = min(score.plies, len(movetext.plies) - 1)
            what = f" ({FAULTS[score.fault]})" if score.fault else ""
            raise MovetextError(f"{movetext.place(index)}: the move cannot be played{what}")
        if movetext.result is None:
            raise MovetextError(f"{movetext.place(score.plies - 1)}: the game breaks off without a result")
        self.codes, self._resets = score.codes, score.resets


def _first_board(movetext: Movetext) -> ChessBoard | None:
    """None for the usual position. Raises NotationError, or MovetextError for another variant than Chess960."""
    variant = movetext.tags.get("Variant", "").lower()
    if variant not in CHESS960 + _ORTHODOX:
        raise MovetextError(f"expected chess or Chess960, found the variant {shown(movetext.tags['Variant'])}")
    fen = movetext.tags.get("FEN")
    if not fen:
        return None
    board = new_board(fen, variant in CHESS960)
    if TYPE_CHECKING:
        assert isinstance(board, ChessBoard)
    return board


class _GoalsOnly:
    """As much of a board as the rules of R-Mobility need."""

    def __init__(self, code: int, movetext: Movetext):
        fields = movetext.tags.get("FEN", "").split()
        self.stm = int(movetext.black_first)
        self.clock = int(fields[4]) if len(fields) > 4 and fields[4].isdigit() else 0
        self._code = code

    def push(self, code: int, reset: bool) -> None:
        self.stm ^= 1
        self.clock = 0 if reset else self.clock + 1
        self._code = code

    def goal(self) -> int:
        return self._code
