"""The rules for scoring games."""

from __future__ import annotations

from dataclasses import dataclass

from ..rmobility.goals import OTB_LIMIT


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """The rules for scoring games. The default values are the usual rules.

    fifty: ``fide``, ``iccf``, ``record`` or ``off``. keep_trigger: the position that ends a game by the 50-move rule
    may set a record. wg_trigger: in the whole-game form, too, this position sets no record. otb_limit: the code of a
    goal; weaker goals are not noted over the board. board_only: ignore the Result tag. dead_outcome: a game that
    insufficient material ended has the result of best play from its last position, by R-Mobility tables.
    """

    fifty: str = "fide"
    keep_trigger: bool = False
    wg_trigger: bool = False
    otb_limit: int = OTB_LIMIT
    board_only: bool = False
    dead_outcome: bool = False

    @property
    def trigger_is_void(self) -> bool:
        return self.fifty in ("fide", "iccf") and not self.keep_trigger

    @property
    def whole_trigger_is_void(self) -> bool:
        return self.fifty in ("fide", "iccf") and self.wg_trigger
