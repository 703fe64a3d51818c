from typing import Protocol, type_check_only

from typing_extensions import disjoint_base

from ..base.board import Board
from ..value.evaluator import Evaluator
from ..value.objective import Objective
from ..value.oracle import Oracle

SCORE_CP: int  # internal units of a centipawn: 65536

@type_check_only
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

@disjoint_base
class SearchPool:
    def __init__(self, evaluator: Evaluator, hash_mb: int = 16, threads: int = 1) -> None: ...
    def resize_hash(self, mb: int) -> None:
        """Raises MemoryError, with the old table kept, if that much cannot be had."""
    def set_evaluator(self, evaluator: Evaluator) -> None:
        """Search with copies of this one instead, on boards that it fits."""
    def set_threads(self, threads: int) -> None: ...
    def table_depths(self) -> list[int]:
        """How many entries the table has of each depth, from 0."""
    def dump_table(self, least_depth: int) -> bytes:
        """The table's entries of that depth and more."""
    def load_table(self, data: bytes) -> None:
        """Take entries of ``dump_table`` in, from a table of the same size. Raises ValueError."""
    def dump_history(self) -> bytes:
        """The histories of the first thread."""
    def load_history(self, board: Board, data: bytes) -> None:
        """Take what ``dump_history`` gave for such a board into the histories of all threads. Raises ValueError."""
    def clear(self) -> None:
        """Forget table and histories. A table that no search has used since is empty already."""
    def prepare(self) -> None:
        """Have the system hand over the memory of a new table now rather than on the clock. By all processors."""
    def go(
        self,
        board: Board,
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
    def set_oracle(self, oracle: Oracle | None, pieces: int = 0) -> None: ...
    @property
    def oracle_hits(self) -> int: ...
    def stop(self) -> None: ...
    def ponderhit(self, soft_ns: int | None = None, hard_ns: int | None = None) -> None:
        """Start the clock of the move, with these limits instead of those of ``go`` if given."""
    def pause(self) -> None:
        """Have the threads wait where they are, until ``resume`` or ``stop``."""
    def resume(self) -> None:
        """Go on. The time of the pause counts for no limit and is not reported."""
    def wait(self) -> None:
        """Until bestmove has been given; re-raises an exception of the listener."""
    @property
    def hash_mb(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def searching(self) -> bool: ...
    @property
    def nodes(self) -> int:
        """Of the search that runs or ran last, all threads."""
    @property
    def hashfull(self) -> int: ...

def techniques() -> list[str]:
    """Names of what ``use`` can switch off."""

def use(**switches: bool) -> None:
    """Switch search techniques on or off, to measure what each is worth. Raises KeyError for an unknown one."""
