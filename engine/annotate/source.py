"""One game of a file: its movetext, replayed by compiled code, and the R-Mobility goals on the way."""

from __future__ import annotations

from cext.games import FAULTS, score_moves

from ..board import new_board
from ..errors import MovetextError, StandstillError
from ..notation import shown
from ..rmobility.goals import Goal, Goals
from .movetext import Movetext

CHESS960 = ("chess960", "fischerandom", "fischerrandom", "chess 960", "freestyle")
_ORTHODOX = ("", "chess", "standard", "normal", "from position")


class Game:
    """A game and what can be known of it without an engine.

    text: as in the file, bytes read as Latin-1. movetext: None if the game cannot be read; then ``fault`` says why.
    codes: twice the goal number of each position, the first included.
    """

    __slots__ = ("_resets", "codes", "fault", "movetext", "number", "text")

    def __init__(self, number: int, raw: bytes):
        self.number = number
        self.text = raw.decode("latin-1")
        self.movetext: Movetext | None = None
        self.fault: str | None = None
        self.codes: list[int] = []
        self._resets: list[bool] = []
        try:
            movetext = Movetext(self.text)
            if movetext.plies:
                self._replay(movetext, raw)
            self.movetext = movetext
        except StandstillError as error:
            self.fault = str(error)

    @property
    def plies(self) -> int:
        return len(self.movetext.plies) if self.movetext else 0

    def records(self) -> list[Goal]:
        """The R-Mobility record after each position, the first included."""
        position = _GoalsOnly(self.codes[0], self.movetext)
        goals = Goals(position)
        found = [goals.record]
        for code, reset in zip(self.codes[1:], self._resets[1:], strict=True):
            position.push(code, reset)
            goals.push(position)
            found.append(goals.record)
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


def _first_board(movetext: Movetext):
    """None for the usual position. Raises NotationError, or MovetextError for another variant than Chess960."""
    variant = movetext.tags.get("Variant", "").lower()
    if variant not in CHESS960 + _ORTHODOX:
        raise MovetextError(f"expected chess or Chess960, found the variant {shown(movetext.tags['Variant'])}")
    fen = movetext.tags.get("FEN")
    return new_board(fen, variant in CHESS960) if fen else None


class _GoalsOnly:
    """As much of a board as the rules of R-Mobility ask for."""

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
