from typing_extensions import disjoint_base

from ..base.board import Board
from ..value.evaluator import Evaluator
from .samples import GameReader, GameRecord

FAIRY_SAMPLE_BYTES: int

@disjoint_base
class FairySampleReader(GameReader):
    """Collects samples of games by definition; see fairy_samples.pyx for the arguments."""

    def __init__(
        self,
        board: Board,
        evaluator: Evaluator,
        skip: int = 0,
        most_cp: int = 2500,
        quiet: bool = True,
        with_keys: bool = False,
    ) -> None:
        """Raises ValueError for a game with more pieces than a sample holds."""
    @property
    def input_count(self) -> int: ...
    def samples_bytes(self) -> bytes: ...

def decode_fairy(data: bytes, at: int, start: Board) -> tuple[GameRecord, int]:
    """The game at an offset of a block, and the offset of the next. Raises ValueError."""
