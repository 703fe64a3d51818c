from typing_extensions import disjoint_base

@disjoint_base
class FairyRules:
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
        laws: dict[str, object] | None = None,
    ) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def squares(self) -> int: ...
    @property
    def types(self) -> int: ...
    @property
    def piece_limit(self) -> int: ...
    @property
    def max_moves(self) -> int: ...
    @property
    def slot_classes(self) -> int: ...
    @property
    def stalemate_loses(self) -> bool: ...
    @property
    def checks(self) -> int:
        """Checks that win, 0 if they do not count."""
    @property
    def no_checks(self) -> bool: ...
    @property
    def must_capture(self) -> bool: ...
    @property
    def stalemate(self) -> int: ...
    @property
    def mate_wins(self) -> bool: ...
    @property
    def counting(self) -> int: ...
    @property
    def has_gating(self) -> bool: ...
    @property
    def gate_mask(self) -> int:
        """Bits of the pieces that a side has in hand at the start."""
    @property
    def has_hands(self) -> bool: ...
    @property
    def explodes(self) -> bool: ...
    @property
    def has_passes(self) -> bool: ...
    @property
    def bikjang(self) -> bool: ...
    @property
    def has_points(self) -> bool: ...
    @property
    def perpetual(self) -> bool:
        """Whether a side loses by a repetition in which all its moves give check."""
    @property
    def most_men(self) -> int: ...
    def mobility_cp(self, type: int) -> int:
        """Centipawns by mean mobility."""
    def prospects(self, type: int) -> list[float]:
        """Worth on each square of a piece with moves within areas, as a multiple of its worth in the array."""
    @property
    def recurrences(self) -> int:
        """Occurrences of a position that end the game, counted across captures; 0 for the usual rule."""
    @property
    def endless(self) -> bool:
        """Whether the 50-move rule does not apply."""
    def paths(self, piece: int, sq: int, initial: bool = False) -> list[tuple[int, int, int, int, int]]:
        """Compiled steps: (square, rights, next if empty, if enemy, if friend).

        piece: its type, 16 more for Black's, which matters only if its moves are mirrored.
        """
    def gains_by_areas(self, type: int) -> bool:
        """Whether the piece has at least half as many moves more within its areas than on its other squares."""
    def planned(self, type: int, sq: int, occupied: int) -> tuple[int, int] | None:
        """Bits of the squares that a piece may take on and move to; None without a plain plan."""
