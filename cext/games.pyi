from .chess_board import ChessBoard

FAULTS: tuple[str, ...]

class GameHead:
    """Places count from the beginning of the data; values are bytes, None for a tag that is not there."""

    tags: int
    roster_end: int
    moves: int
    has_tags: bool
    result: bytes | None
    fen: bytes | None
    variant: bytes | None
    agreed: bytes | None
    own: list[tuple[bytes, int, int]]

class GameScore:
    """What the moves of a game come to; see cext/games.pyx."""

    plies: int
    last: int
    clock: int
    fault: int
    words: int
    first_mover: int
    record: tuple[int, int, int] | None
    whole: tuple[int, int, int] | None
    first: tuple[int, int]
    result: bytes | None
    word: bytes | None
    codes: list[int] | None
    moves: list[tuple[int, int, int]] | None
    resets: list[bool] | None
    def board(self) -> ChessBoard: ...

def split(data: bytes, last: bool) -> list[int]: ...
def read_tags(data: bytes, start: int, end: int) -> list[tuple[bytes, bytes]]: ...
def read_head(data: bytes, start: int, end: int) -> GameHead: ...
def score_moves(
    data: bytes,
    start: int,
    end: int,
    board: ChessBoard | None = None,
    given: tuple[int, int] | None = None,
    keep_trigger: bool = False,
    keep_whole_trigger: bool = True,
    detail: bool = False,
) -> GameScore: ...
