"""One game of a file: its movetext as the core read it, and the R-Mobility goals of its positions."""

from __future__ import annotations

from ..archive.scorer import Scorer, record_plies
from ..archive.scoring_rules import ScoringRules
from ..common.text import shown
from ..rmobility.goals import Goal
from ..variants.variant import Variant
from .movetext import Movetext

_RULES = ScoringRules()


class SourceGame:
    """A game, with all information that requires no engine.

    text: the game as in the file, bytes read as Latin-1. fault: the reason why the game cannot be read; None if it
    can. fault_ply: the ply of the fault; 0 for the start. note: a remark about a readable game. codes: twice the goal
    number of each position, including the first one.
    """

    __slots__ = ("_movetext", "_scored", "codes", "fault", "fault_ply", "note", "number", "text")

    def __init__(self, number: int, raw: bytes):
        self.number = number
        self.text = raw.decode("latin-1")
        self._movetext: Movetext | None = None
        self._scored = Scorer().score(raw, 0, len(raw), detail=True)
        self.fault = self._scored.problem
        self.fault_ply = self._scored.fault_ply
        self.note = self._scored.note
        self.codes: list[int] = []
        if self.fault is None:
            self.codes = self._scored.details.codes
            self._movetext = Movetext(self._scored)

    def __reduce__(self) -> tuple[type[SourceGame], tuple[int, bytes]]:
        """Pickle only the number and the text: a worker process that was not forked reads the game again."""
        return SourceGame, (self.number, self.text.encode("latin-1"))

    @property
    def kind(self) -> Variant:
        """The variant that was played."""
        return self._scored.game

    @property
    def plies(self) -> int:
        return len(self._movetext.plies) if self._movetext else 0

    @property
    def movetext(self) -> Movetext:
        """The movetext. Only for a readable game."""
        assert self._movetext is not None, self.fault
        return self._movetext

    def refuse_unless_chess(self) -> None:
        """Mark a game of a defined variant as unreadable, because external engines may use other rules."""
        if self._movetext is not None and not self._scored.is_chess:
            self.fault = f"expected chess or Chess960 for an external engine, found {shown(self._scored.game.name)}"
            self._movetext = None

    def records(self) -> list[Goal]:
        """Return the R-Mobility record after each position, including the first one."""
        found: list[Goal] = []
        for ply, code, owner, _ in record_plies(self._scored.details, _RULES):
            found += found[-1:] * (ply - len(found))
            found.append(Goal(code, owner, ply))
        return found + found[-1:] * (len(self.codes) - len(found))
