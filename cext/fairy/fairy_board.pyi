from typing import final

from ..base.board import Board
from .rules import FairyRules

@final
class FairyBoard(Board):
    def __init__(self, rules: FairyRules) -> None: ...
    def set_up(
        self,
        squares: bytes,
        stm: int,
        virgins: int,  # bits of squares
        ep: tuple[int, ...],  # squares to take on, then the pawn's; or empty
        clock: int,
        fullmove: int,
        hand: tuple[int, int] = (0, 0),
        checks_left: tuple[int, int] | None = None,
        count_limit: int = 0,
        held: bytes = b"",  # pieces in hand in games with drops: a byte for each of 32 pieces
    ) -> None: ...
    def counters(self, checks_left: tuple[int, int] | None) -> tuple[int, int]: ...
    def start_virgins(self) -> int: ...
    def rule_result(self) -> int:
        """``Ending`` by a rule other than mate and claims, 0 without one."""
    def points_ending(self) -> int:
        """``Ending`` if the game ended now by points, 0 for a tie or a game without points."""
    def ending_without_moves(self) -> int:
        """``Ending`` if the side to move has no legal move."""
    @property
    def rules(self) -> FairyRules: ...
    @property
    def virgins(self) -> int: ...
    @property
    def hand(self) -> tuple[int, int]: ...
    @property
    def held(self) -> bytes: ...
    @property
    def checks_left(self) -> tuple[int, int]: ...
    @property
    def counting(self) -> tuple[int, int]: ...
    @property
    def ep(self) -> tuple[int, ...]: ...
