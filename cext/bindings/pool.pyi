from typing import Protocol, type_check_only

from typing_extensions import disjoint_base

from ..base.board import Board
from ..value.evaluator import Evaluator
from ..value.objective import Objective
from ..value.oracle import Oracle

SCORE_CP: int  # internal units of a centipawn: 65536

@type_check_only
class Listener(Protocol):
    """Receives reports of the search; called on worker 0's thread with the GIL held."""

    def info(
        self,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int,  # fixed point, side to move's view; cp = score / 65536
        bound: int,  # bound of the score: 1 upper, 2 lower, 3 exact
        nodes: int,
        nanoseconds: int,
        hashfull: int,  # per mille
        pv: list[int],  # empty for a root without moves
    ) -> None: ...
    def current_move(self, depth: int, move: int, number: int) -> None: ...
    def rescale(self, depth: int, score: int, best_move_changes: int, node_share: float, nanoseconds: int) -> float:
        """Called after each iteration; returns a factor for the soft limit (1.0 does not change it)."""
    def bestmove(self, move: int, ponder: int) -> None:  # 0: no move
        ...

@disjoint_base
class SearchPool:
    def __init__(self, evaluator: Evaluator, hash_mb: int = 16, threads: int = 1) -> None: ...
    def resize_hash(self, mb: int) -> None:
        """Allocate a new, empty table; raises MemoryError and keeps the old one if the memory is not available."""
    def set_evaluator(self, evaluator: Evaluator) -> None:
        """Search with copies of this evaluator, on boards of its game."""
    def set_threads(self, threads: int) -> None: ...
    def table_depths(self) -> list[int]:
        """Number of table entries of each depth, from 0."""
    def dump_table(self, least_depth: int) -> bytes:
        """The table's entries of at least this depth."""
    def load_table(self, data: bytes) -> None:
        """Load entries from ``dump_table`` of a table of the same size. Raises ValueError."""
    def dump_history(self) -> bytes:
        """The histories of the first thread."""
    def load_history(self, board: Board, data: bytes) -> None:
        """Load the result of ``dump_history`` for a board of this kind into the histories of all threads. Raises
        ValueError.
        """
    def clear(self) -> None:
        """Clear table and histories. A table that no search has used since is already empty."""
    def prepare(self) -> None:
        """Make the system commit the memory of a new table now instead of during a search. Uses all processors."""
    def go(
        self,
        board: Board,
        objective: Objective,
        listener: Listener,
        depth: int = 0,  # 0: no limit
        nodes: int = 0,
        mate: int = 0,  # full moves
        soft_ns: int = 0,  # begin no iteration after this
        hard_ns: int = 0,  # stop after this
        infinite: bool = False,  # bestmove only after stop
        ponder: bool = False,  # bestmove only after stop or ponderhit, which starts the clock
        multipv: int = 1,
        root_moves: list[int] | None = None,
    ) -> None:
        """Start searching and return at once. The board is copied."""
    def set_oracle(self, oracle: Oracle | None, pieces: int = 0) -> None: ...
    @property
    def oracle_hits(self) -> int: ...
    def stop(self) -> None: ...
    def ponderhit(self, soft_ns: int | None = None, hard_ns: int | None = None) -> None:
        """Start the clock of the move, with these limits instead of those of ``go`` if given."""
    def pause(self) -> None:
        """Suspend the threads until ``resume`` or ``stop``."""
    def resume(self) -> None:
        """Continue after ``pause``. Paused time is not reported and does not count towards limits."""
    def wait(self) -> None:
        """Wait until the best move has been reported; re-raises an exception of the listener."""
    @property
    def hash_mb(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def searching(self) -> bool: ...
    @property
    def nodes(self) -> int:
        """Nodes of the current or last search, all threads."""
    @property
    def hashfull(self) -> int: ...

def techniques() -> list[str]:
    """Names of the search techniques that ``use`` can switch off."""

def use(**switches: bool) -> None:
    """Switch search techniques on or off, to measure the value of each. Raises KeyError for an unknown name."""
