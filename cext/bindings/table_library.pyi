from collections.abc import Sequence

from typing_extensions import disjoint_base

from ..chess.chess_board import ChessBoard
from ..value.oracle import Oracle

_Pieces = Sequence[tuple[int, int]]
_Plane = tuple[bytes, int, int, bytes]
_PackedPlane = tuple[memoryview, int, int, bytes, Sequence[int], Sequence[int], int]

@disjoint_base
class TableLibrary(Oracle):
    def add(
        self, pieces: _Pieces, values: _Plane | _PackedPlane, plies: _Plane | _PackedPlane | None = None
    ) -> None: ...
    def corrupt_blocks(self) -> int: ...
    def faults(
        self, material: _Pieces, first: int, last: int, step: int = 1, whole_game: bool = False
    ) -> tuple[int, int, int | None]: ...
    def positions(self, material: _Pieces, first: int, last: int) -> bytes | None: ...
    def longest(self, material: _Pieces) -> list[tuple[int, int, int, list[int]]]: ...
    def random_look_ups(self, material: _Pieces, n: int, seed: int = 1) -> tuple[int, float]: ...
    def look_up(self, board: ChessBoard, record: tuple[int, int] | None = None) -> tuple[int, int] | None: ...
