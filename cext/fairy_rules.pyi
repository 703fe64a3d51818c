class FairyRules:
    width: int
    height: int
    squares: int
    types: int
    men_limit: int
    max_moves: int
    slot_classes: int
    stalemate_loses: bool
    has_gating: bool
    def __init__(
        self,
        width: int,
        height: int,
        rays: list[list[tuple[int, int, int, int, int, int, int]]],
        values: list[int],
        traits: list[tuple[int, bool, bool, bool, bool, bool]],
        start: bytes,
        promotions: list[list[tuple[int, ...]]],
        promotion_rank: int,
        has_hill: bool = False,
        stalemate_loses: bool = False,
        has_baring: bool = False,
        gates: tuple[int, ...] = (),
    ) -> None: ...
    def mobility_cp(self, type: int) -> int:
        """Value by mean mobility."""
    def paths(self, type: int, sq: int, initial: bool = False) -> list[tuple[int, int, int, int, int]]:
        """Compiled steps: (square, rights, next if empty, if enemy, if friend)."""
