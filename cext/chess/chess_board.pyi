from typing import final

from ..base.board import Board

SIMD_LEVEL: str
START: bytes

@final
class ChessBoard(Board):
    def __init__(self) -> None: ...
    def set_up(self, squares: bytes, stm: int, castling: int, ep: int | None, clock: int, fullmove: int) -> None: ...
    @property
    def castling(self) -> int: ...
    @property
    def ep(self) -> int | None: ...
