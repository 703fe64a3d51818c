from typing import Any

from typing_extensions import disjoint_base

from ..base.board import Board
from ..chess.chess_board import ChessBoard
from ..value.evaluator import Evaluator

SAMPLE_BYTES: int
COUNTED: tuple[str, ...]

@disjoint_base
class GameReader:
    """Reads games block by block and keeps statistics; see samples.pyx for the arguments."""

    def __init__(self, skip: int = 0, most_cp: int = 2500, quiet: bool = True, with_keys: bool = False) -> None: ...
    def __len__(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def piece_counts(self) -> list[int]: ...
    @property
    def result_counts(self) -> tuple[int, int, int]: ...
    @property
    def reason_counts(self) -> list[int]: ...
    def read(self, data: bytes, games: int, first: int) -> int:
        """Raises ValueError for bytes that do not encode games."""
    def different(self) -> int: ...

@disjoint_base
class SampleReader(GameReader):
    """Collects samples of games of chess."""

    def __init__(
        self, skip: int = 0, most_cp: int = 2500, quiet: bool = True, strays: int = 0, with_keys: bool = False
    ) -> None: ...
    def samples_bytes(self) -> bytes: ...

def inputs(samples: Any, order: Any, own: Any, other: Any, buckets: Any, by_king: bool = False) -> None:
    """The arrays are uint8, uint32, int32 (own and other: a row of 32 for each sample) and int32; see samples.pyx."""

def evaluate(samples: Any, evaluator: Evaluator, out: Any) -> None:
    """The arrays are uint8 and int16; see samples.pyx."""

def sample_boards(samples: Any) -> list[ChessBoard]: ...

@disjoint_base
class GameRecord:
    """A game of a file."""

    @property
    def board(self) -> Board: ...
    @property
    def moves(self) -> list[int]: ...
    @property
    def scores(self) -> list[int | None]: ...
    @property
    def opening(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def reason(self) -> int: ...

def decode(data: bytes, at: int) -> tuple[GameRecord, int]:
    """The game at an offset of a block, and the offset of the next. Raises ValueError."""

def encode(
    start: ChessBoard, usual: bool, moves: list[int], opening: int, scores: list[int | None], result: int
) -> bytes:
    """The bytes of a game. Raises ValueError."""
