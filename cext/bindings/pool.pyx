"""The threads of a search, and their Python binding.

Each worker is a Python thread that runs without the GIL; worker 0 reports iterations and the best move.
``stop`` and ``ponderhit`` are single stores that the workers poll.
"""

import os
import threading

from ..base.atomics cimport load_count, load_flag, store_count, store_flag
from ..base.board cimport Board
from ..value.evaluator cimport Evaluator
from ..value.objective cimport Objective
from ..value.oracle cimport Oracle
from ..search.parameters cimport USE, Techniques
from ..search.root cimport iterative_deepening
from ..memory.tt cimport Table
from ..base.types cimport *
from ..search.stopping cimport elapsed_ns, now_ns, searched_ns
from ..search.worker cimport Limits, RootMove, Shared, Worker, add_nodes

cdef extern from *:
    """
    #include <stdlib.h>
    #ifdef __GLIBC__
    #include <malloc.h>
    #define RETURN_BLOCKS_FROM(bytes) mallopt(M_MMAP_THRESHOLD, bytes)
    #else
    #define RETURN_BLOCKS_FROM(bytes) 0
    #endif
    """
    int return_blocks_from "RETURN_BLOCKS_FROM"(int)

SCORE_CP = CP

cdef enum:
    QUIET_NS = 5000000                # no reports in the first 5 ms: reports cost too much in games at a few ms a move
    CURRENT_MOVE_NS = 1000000000
    BOUND_NS = 3000000000
    STACK_BYTES = 16 << 20
    BLOCK_BYTES = 1 << 17


cdef class PoolWorker(Worker):
    """A worker that reports to its pool."""

    cdef SearchPool pool
    cdef bint reported                # whether the last iteration has been reported

    def __init__(self, Board board, SearchPool pool, int index):
        self.pool = pool
        self.index = index
        self.table = pool.table
        self.shared = &pool.shared

    cdef void run(self) noexcept nogil:
        iterative_deepening(self)
        add_nodes(self)
        if not self.reported and not self.stopped:
            self.on_iteration(True)  # report before waiting for ponderhit

    cdef void on_iteration(self, bint final) noexcept nogil:
        if self.index:
            return
        self.reported = False
        add_nodes(self)
        if final or load_count(&self.shared.hard_ns) == 0 or elapsed_ns(self) >= QUIET_NS:
            self.reported = True
            with gil:
                self.pool.report_iteration(self, final)

    cdef void on_bound(self) noexcept nogil:
        if self.index == 0 and self.limits.multipv == 1 and elapsed_ns(self) >= BOUND_NS:
            with gil:
                self.pool.report_line(self, self.completed + 1, 0)

    cdef void on_root_move(self, Move move, int number) noexcept nogil:
        if self.index == 0 and elapsed_ns(self) >= CURRENT_MOVE_NS:
            with gil:
                self.pool.report_move(self, move, number)


cdef bint can_start(thread) except -1:
    """Start a thread. False if the system cannot start one; the caller then works without it."""
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


cdef int processors():
    """Return the number of processors that this process may use: on Windows and macOS all of them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


cdef in_parts(work, int parts):
    """Call ``work(part, parts)`` for each part; every part but the first runs in its own thread."""
    threads = []
    for part in range(1, parts):
        thread = threading.Thread(target=work, args=(part, parts))
        if can_start(thread):
            threads.append(thread)
        else:
            work(part, parts)
    work(0, parts)
    for thread in threads:
        thread.join()


cdef class SearchPool:
    """The threads, transposition table and histories of a search; searches one position at a time."""

    cdef Table table
    cdef list workers                 # PoolWorkers, created by the first search
    cdef Evaluator evaluator          # each worker searches with a copy of this evaluator
    cdef Oracle oracle
    cdef int oracle_pieces
    cdef Shared shared
    cdef readonly int threads
    cdef object listener
    cdef list helpers                 # the threads of the other workers
    cdef object thread                # the thread of worker 0 while it searches
    cdef object released              # set by stop and ponderhit: the best move may be reported
    cdef object error                 # the exception that the listener raised, or None
    cdef bint infinite
    cdef bint goes_on                 # whether the table has been loaded since the last search
    cdef uint64_t paused_ns           # when the pause began

    def __init__(self, Evaluator evaluator not None, int hash_mb=16, int threads=1):
        self.table = Table(hash_mb)
        self.workers = []
        self.evaluator = evaluator
        self.oracle = Oracle()
        self.threads = max(1, threads)
        self.released = threading.Event()

    @property
    def hash_mb(self) -> int:
        return self.table.mb

    @property
    def searching(self) -> bool:
        return self.thread is not None and self.thread.is_alive()

    @property
    def hashfull(self) -> int:
        """Per mille of the table that holds entries of this search."""
        return self.table.hashfull()

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search, all threads."""
        return load_count(&self.shared.nodes)

    def resize_hash(self, int mb):
        """Allocate a new, empty table; raises MemoryError and keeps the old one if the memory is not available."""
        self.wait()
        if mb == self.table.mb:
            return
        self.table = Table(mb, self.table)
        for worker in self.workers:
            (<PoolWorker> worker).table = self.table

    def table_depths(self) -> list[int]:
        """Number of table entries of each depth, from 0. Safe during a search."""
        return self.table.depths()

    def dump_table(self, int least_depth) -> bytes:
        """The table's entries of at least that depth. Safe during a search."""
        return self.table.dump(least_depth)

    def load_table(self, bytes data not None):
        """Load entries from ``dump_table`` of a table of the same size. Raises ValueError.

        The next search continues from the depth that the entries hold for its root.
        """
        self.wait()
        self.table.load(data)
        self.goes_on = True

    def dump_history(self) -> bytes:
        """The histories of the first thread. Safe during a search."""
        return (<PoolWorker> self.workers[0]).history.dump()

    def load_history(self, Board board not None, bytes data not None):
        """Load the result of ``dump_history`` for a board of this kind into the histories of all threads. Raises
        ValueError.
        """
        self.wait()
        self.hire(board)
        for worker in self.workers:
            (<PoolWorker> worker).history.load(data)

    cdef hire(self, Board board):
        if self.threads > 1:
            # Freeing a large block, such as a table, raises this threshold of glibc. Memory that is freed because too
            # few threads can start would then stay with glibc, and the next thread's stack would not fit into memory.
            return_blocks_from(BLOCK_BYTES)
        while len(self.workers) < self.threads:
            self.workers.append(PoolWorker(board, self, len(self.workers)))

    def set_threads(self, int threads):
        """Set the number of threads, from the next search on."""
        self.wait()
        self.threads = max(1, threads)
        del self.workers[self.threads:]

    def clear(self):
        """Clear table and histories."""
        self.wait()
        self.clear_table()
        for worker in self.workers:
            (<PoolWorker> worker).history.clear()

    cdef clear_table(self):
        if self.table.used:
            in_parts(self._clear_part, self.threads)
            self.table.age = 0
            self.table.used = False

    def _clear_part(self, int part, int parts):
        """Body of a thread that clears the table."""
        with nogil:
            self.table.clear(part, parts)

    def prepare(self):
        """Make the system commit the memory of a new table now instead of during a search. Uses all processors."""
        if not self.table.committed and not self.searching:
            in_parts(self._commit_part, processors())
            self.table.committed = True

    def _commit_part(self, int part, int parts):
        """Body of a thread that commits the table's memory."""
        with nogil:
            self.table.commit(part, parts)

    def go(self, Board board not None, Objective objective not None, listener, int depth=0, uint64_t nodes=0,
           int mate=0, uint64_t soft_ns=0, uint64_t hard_ns=0, bint infinite=False, bint ponder=False, int multipv=1,
           list root_moves=None):
        """Start a search of a copy of ``board`` and return at once; see pool.pyi for the arguments."""
        cdef Limits limits
        cdef PoolWorker worker
        if self.searching:
            raise RuntimeError("a search is running")
        limits.depth = depth
        limits.mate = mate
        limits.multipv = max(1, multipv)
        limits.nodes = nodes
        limits.goes_on = self.goes_on
        self.goes_on = False
        if not self.evaluator.fits(board):
            raise TypeError("the evaluator belongs to another board")
        self.hire(board)
        self.table.new_search()
        objective.prepare(board)
        for item in self.workers:
            worker = item
            worker.board = board.clone()
            worker.objective = objective
            worker.oracle = self.oracle
            worker.oracle_pieces = self.oracle_pieces if self.oracle.knows(board) else 0
            if worker.evaluator is None:
                worker.evaluator = self.evaluator.clone()
            worker.limits = limits
            objective.enter(worker.board)
            worker.prepare(root_moves)
            worker.reported = True
        store_flag(&self.shared.stop, False)
        store_flag(&self.shared.pondering, ponder)
        store_flag(&self.shared.paused, False)
        store_count(&self.shared.began_ns, now_ns())
        store_count(&self.shared.start_ns, load_count(&self.shared.began_ns))
        store_count(&self.shared.soft_ns, soft_ns)
        store_count(&self.shared.hard_ns, hard_ns)
        store_count(&self.shared.nodes, 0)
        self.infinite = infinite
        self.listener = listener
        self.error = None
        self.helpers = []
        self.released.clear()
        if not infinite and not ponder:
            self.released.set()
        threading.stack_size(STACK_BYTES)
        self.thread = threading.Thread(target=self._search, name="search", daemon=True)
        try:
            self.thread.start()
        except BaseException:  # a signal handler raised: the thread may run but cannot be joined
            self.thread = None
            self.stop()
            raise

    def set_evaluator(self, Evaluator evaluator not None):
        """Search with copies of this evaluator, on boards of its game; clears what was learned with another one."""
        self.wait()
        if evaluator is self.evaluator:
            return
        self.evaluator = evaluator
        self.workers = []
        self.clear_table()

    def set_oracle(self, Oracle oracle, int pieces=0):
        """Probe this oracle in positions with at most ``pieces`` pieces; None removes it. Not during a search."""
        self.wait()
        self.oracle = Oracle() if oracle is None else oracle
        self.oracle_pieces = pieces if oracle is not None else 0

    @property
    def oracle_hits(self) -> int:
        """Oracle hits of this search; approximate while it runs."""
        cdef PoolWorker worker
        hits = 0
        for item in self.workers:
            worker = item
            hits += load_count(&worker.oracle_hits)
        return hits

    def stop(self):
        """Stop the search, which then reports its best move."""
        store_flag(&self.shared.stop, True)
        self.released.set()

    def ponderhit(self, soft_ns=None, hard_ns=None):
        """Start the clock of this move because the predicted move was played; given limits replace those of ``go``."""
        if not load_flag(&self.shared.pondering):
            return
        if soft_ns is not None:
            store_count(&self.shared.soft_ns, soft_ns)
        if hard_ns is not None:
            store_count(&self.shared.hard_ns, hard_ns)
        store_count(&self.shared.start_ns, now_ns())
        store_flag(&self.shared.pondering, False)
        if not self.infinite:
            self.released.set()

    def pause(self):
        """Suspend the threads; ``stop`` ends the pause, too."""
        if not load_flag(&self.shared.paused):
            self.paused_ns = now_ns()
            store_flag(&self.shared.paused, True)

    def resume(self):
        """Continue after ``pause``; paused time does not count towards limits."""
        cdef uint64_t lost
        if load_flag(&self.shared.paused):
            lost = now_ns() - self.paused_ns
            store_count(&self.shared.start_ns, load_count(&self.shared.start_ns) + lost)
            store_count(&self.shared.began_ns, load_count(&self.shared.began_ns) + lost)
            store_flag(&self.shared.paused, False)

    def wait(self):
        """Wait until the best move has been reported; re-raises an exception of the listener."""
        if self.thread is not None and self.thread is not threading.current_thread():
            self.thread.join()
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    def _search(self):
        """Body of worker 0's thread."""
        cdef PoolWorker main = self.workers[0]
        # Thread.start() blocks until the thread runs. Another thread starts the helpers, so worker 0 need not wait.
        starter = threading.Thread(target=self._start_helpers, name="starter", daemon=True)
        has_starter = self.threads > 1 and can_start(starter)
        if main.n_root_moves:
            with nogil:
                main.run()
        self.released.wait()
        store_flag(&self.shared.stop, True)
        if has_starter:
            starter.join()
        for helper in self.helpers:
            helper.join()
        best = self.best_worker()
        try:
            self.finish(best)
        except Exception as error:        # an error of the listener, which wait() raises again
            self.error = error

    def _start_helpers(self):
        """Body of the thread that starts all workers but the first."""
        for worker in self.workers[1:]:
            helper = threading.Thread(target=self._help, args=(worker,), name="helper", daemon=True)
            if load_flag(&self.shared.stop) or not can_start(helper):
                return
            self.helpers.append(helper)

    def _help(self, PoolWorker worker not None):
        """Body of a helper's thread."""
        if worker.n_root_moves:
            with nogil:
                worker.run()

    cdef PoolWorker best_worker(self):
        """Worker 0, unless another one finished a deeper iteration with at least the same score, or found a better win.
        """
        cdef PoolWorker best = self.workers[0], other
        for item in self.workers[1:]:
            other = item
            if other.n_root_moves == 0 or other.completed == 0:
                continue
            if (other.completed > best.completed and other.root_moves[0].score >= best.root_moves[0].score
                    or other.root_moves[0].score > best.root_moves[0].score >= SCORE_DECIDED):
                best = other
        return best

    cdef finish(self, PoolWorker best):
        cdef PoolWorker main = self.workers[0]
        cdef Move ponder = 0
        if best.n_root_moves == 0:
            score = best.objective.settle(best.board, best.board.no_moves())
            self.listener.info(0, 0, 1, score, BOUND_EXACT, 0, searched_ns(main), self.table.hashfull(), [])
            self.listener.bestmove(0, 0)
            return
        if not main.reported or main.stopped or best is not main:
            self.report_lines(best)
        if best.root_moves[0].pv_length > 1:
            ponder = best.root_moves[0].pv[1]
        self.listener.bestmove(best.root_moves[0].move, ponder)

    cdef report_lines(self, PoolWorker worker):
        cdef int i
        for i in range(min(worker.limits.multipv, worker.n_root_moves)):
            self.send_line(worker, worker.completed if worker.completed else 1, i)

    cdef send_line(self, PoolWorker worker, int depth, int i):
        cdef RootMove* root = &worker.root_moves[i]
        nodes = load_count(&self.shared.nodes)
        self.listener.info(depth, max(root.seldepth, depth), i + 1, root.score, root.bound, nodes, searched_ns(worker),
                           self.table.hashfull(), [root.pv[j] for j in range(root.pv_length)])

    cdef void report_iteration(self, PoolWorker worker, bint final) noexcept:
        """Report an iteration of worker 0; an error of the listener ends the search, and wait() re-raises it."""
        try:
            self.report_lines(worker)
            if load_count(&self.shared.soft_ns):
                worker.soft_scale = self.listener.rescale(
                    worker.completed, worker.root_moves[0].score, worker.best_move_changes,
                    <double> worker.root_moves[0].nodes / <double> (worker.nodes + 1), elapsed_ns(worker))
        except Exception as error:
            self.error = error
            self.stop()

    cdef void report_line(self, PoolWorker worker, int depth, int i) noexcept:
        try:
            self.send_line(worker, depth, i)
        except Exception as error:
            self.error = error
            self.stop()

    cdef void report_move(self, PoolWorker worker, Move move, int number) noexcept:
        try:
            self.listener.current_move(worker.completed + 1, move, number)
        except Exception as error:
            self.error = error
            self.stop()


def techniques() -> list[str]:
    """Names of the search techniques that ``use`` can switch off."""
    cdef dict settings = USE
    return list(settings)


def use(**switches: bool):
    """Switch search techniques on or off, to measure the value of each (docs/search.md)."""
    cdef dict settings = USE
    cdef Techniques changed
    for name, on in switches.items():
        if name not in settings:
            raise KeyError(name)
        settings[name] = bool(on)
    changed = settings
    (&USE)[0] = changed
