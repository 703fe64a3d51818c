from typing import Protocol

from .chess_board import ChessBoard
from .chess_eval import ChessEvaluator
from .fairy_board import FairyBoard
from .fairy_eval import FairyEvaluator
from .objective import Objective

SCORE_CP: int  # internal units of a centipawn: 65536

class Listener(Protocol):
    """What the search tells; called on worker 0's thread with the GIL held."""

    def info(
        self,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int,  # fixed point, side to move's view; cp = score / 65536
        bound: int,  # 1 upper, 2 lower, 3 exact
        nodes: int,
        nanoseconds: int,
        hashfull: int,  # per mille
        pv: list[int],  # empty for a root without moves
    ) -> None: ...
    def current_move(self, depth: int, move: int, number: int) -> None: ...
    def rescale(self, depth: int, score: int, best_move_changes: int, node_share: float, nanoseconds: int) -> float:
        """End of an iteration: factor for the soft limit (1.0 leaves it)."""
    def bestmove(self, move: int, ponder: int) -> None:  # 0: none
        ...

class SearchPool:
    hash_mb: int
    threads: int
    searching: bool
    def __init__(self, hash_mb: int = 16, threads: int = 1) -> None: ...
    def resize_hash(self, mb: int) -> None:
        """Raises MemoryError, with the old table kept, if that much cannot be had."""
    def set_evaluator(self, evaluator: ChessEvaluator | FairyEvaluator) -> None:
        """Search with copies of this one, on boards that it fits; at first it is a ``ChessEvaluator``."""
    def set_threads(self, threads: int) -> None: ...
    def clear(self) -> None:
        """Forget table and histories; touches the table's memory for the first time if need be."""
    def prepare(self) -> None:
        """Touch the table's memory if nobody has yet (isready)."""
    def go(
        self,
        board: ChessBoard | FairyBoard,
        objective: Objective,
        listener: Listener,
        depth: int = 0,  # 0: no limit
        nodes: int = 0,
        mate: int = 0,  # full moves
        soft_ns: int = 0,  # do not begin another iteration after this
        hard_ns: int = 0,  # stop after this
        infinite: bool = False,  # bestmove only after stop
        ponder: bool = False,  # the same until ponderhit, which starts the clock
        multipv: int = 1,
        root_moves: list[int] | None = None,
    ) -> None:
        """Start searching and return at once. The board is copied."""
    def stop(self) -> None: ...
    def ponderhit(self, soft_ns: int | None = None, hard_ns: int | None = None) -> None:
        """Start the clock of the move, with these limits instead of those of ``go`` if given."""
    def wait(self) -> None:
        """Until bestmove has been given; re-raises an exception of the listener."""
    @property
    def nodes(self) -> int:
        """Of the search that runs or ran last, all threads."""
    @property
    def hashfull(self) -> int: ...
