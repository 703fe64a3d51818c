"""The state of one search thread, on which search.pyx works."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..base.bits cimport MOVE_ROOM
from ..base.board cimport Board
from ..memory.history cimport History
from ..base.types cimport *


cdef class Worker:
    """Base of the pool's workers; allocated once, with a new board for each search."""

    def __cinit__(self, Board board, *args):
        # put_moves may write a little past a list.
        self.max_moves = board.max_moves + MOVE_ROOM
        self.history = History(board.move_slots)
        self.root_moves = <RootMove*> calloc(board.max_moves, sizeof(RootMove))
        self.moves = <Move*> calloc(MAX_PLY * self.max_moves, sizeof(Move))
        self.keys = <int64_t*> calloc(MAX_PLY * self.max_moves, sizeof(int64_t))
        self.marks = <int*> calloc(self.max_moves, sizeof(int))
        self.threats = <int*> calloc(self.max_moves, sizeof(int))
        self.pv_length = <int*> calloc(MAX_PLY + 1, sizeof(int))
        self.pv = <Move*> calloc((MAX_PLY + 1) * MAX_PLY, sizeof(Move))
        self.frames = <Frame*> calloc(MAX_PLY + FRAMES_BELOW_ROOT + 2, sizeof(Frame))
        if (self.root_moves == NULL or self.moves == NULL or self.keys == NULL or self.marks == NULL
                or self.threats == NULL or self.pv_length == NULL or self.pv == NULL or self.frames == NULL):
            raise MemoryError
        self.no_continuation = self.history.continuation

    def __dealloc__(self):
        free(self.root_moves)
        free(self.moves)
        free(self.keys)
        free(self.marks)
        free(self.threats)
        free(self.pv_length)
        free(self.pv)
        free(self.frames)

    cdef int prepare(self, list root_moves) except -1:
        """Prepare a search; board, objective and limits must be set. root_moves: those to search, or None for all."""
        cdef RootMove* found = self.root_moves
        cdef int i, n
        self.prepare_all()
        if root_moves is not None:
            n, self.n_root_moves = self.n_root_moves, 0
            for i in range(n):
                if found[i].move in root_moves:
                    found[self.n_root_moves] = found[i]
                    self.n_root_moves += 1
        return 0

    cdef void prepare_all(self) noexcept nogil:
        """Prepare a search of all legal moves."""
        cdef int i
        self.n_root_moves = self.board.generate(ALL_MOVES, self.moves)
        for i in range(self.n_root_moves):
            memset(&self.root_moves[i], 0, sizeof(RootMove))
            self.root_moves[i].move = self.moves[i]
            self.root_moves[i].pv[0] = self.moves[i]
            self.root_moves[i].pv_length = 1
            self.root_moves[i].bound = BOUND_EXACT
        memset(self.frames, 0, (MAX_PLY + FRAMES_BELOW_ROOT + 2) * sizeof(Frame))
        for i in range(FRAMES_BELOW_ROOT + 1):
            self.frames[i].static_score = SCORE_NONE
            self.frames[i].continuation = self.no_continuation
        self.nodes = self.added_nodes = 0
        self.next_check = 0
        self.oracle_hits = 0
        self.stopped = False
        self.null_ply = 0
        self.seldepth = 0
        self.completed = 0
        self.multipv_index = 0
        self.soft_scale = 1.0

    cdef void run(self) noexcept nogil:
        pass

    cdef void on_iteration(self, bint final) noexcept nogil:
        pass

    cdef void on_bound(self) noexcept nogil:
        pass

    cdef void on_root_move(self, Move move, int number) noexcept nogil:
        pass
