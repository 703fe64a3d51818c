# The state of one search thread, and of each ply of its path.

from ..base.atomics cimport add_count
from ..base.board cimport Board
from ..value.evaluator cimport Evaluator
from ..memory.history cimport History
from ..value.objective cimport Objective
from ..value.oracle cimport Oracle
from ..memory.tt cimport Probe, Table
from ..base.types cimport MAX_PLY, Move, Score, int16_t, int64_t, uint64_t

cdef enum:
    MAX_TRIED = 64                    # moves of each kind remembered for the history updates
    FRAMES_BELOW_ROOT = 6             # lets code look back some plies without a test

cdef struct Frame:                    # one ply
    Score alpha
    Score beta
    Score best
    Score static_score                # SCORE_NONE in check
    Score estimate                    # the static score, or a better bound from the table
    Score result                      # score of the node if a step ends it
    int depth
    int ply
    uint64_t danger                   # squares that the opponent attacks
    uint64_t non_pawn_keys[2]
    int raw_eval                      # centipawns, NO_EVAL in check
    int move_count
    int double_extensions             # number of double extensions on the path to this node
    int reduction                     # reduction in plies of the move being searched; 0 at full depth
    int correction                    # size of the correction of the static score, in centipawns; 0 in check
    int cut_offs                      # cut-offs in the nodes of this ply, reset by each node two plies above
    Move move                         # the move being searched
    bint is_quiet                     # whether that move is quiet
    Move best_move
    Move excluded                     # the move left out in a singular search
    Move killers[2]
    bint is_pv
    bint was_pv                       # whether this is a PV node, or was one in an earlier search
    bint is_cut
    bint is_root
    bint in_check
    bint improving
    bint raised_alpha
    Probe tt
    int16_t* continuation             # row of the move that led from this ply to the next
    int last_slot                     # slot + 1 of that move; 0 for a null move
    int n_quiets
    int n_noisy
    Move quiets[MAX_TRIED]
    Move noisy[MAX_TRIED]

cdef struct Picker:                   # staged move picker (movepick.pyx)
    int stage
    int index
    int end                           # end of the list of this stage
    int n_bad                         # captures that lose material, kept at the front
    int see_margin                    # centipawns a capture must gain to be good
    bint skip_quiets
    bint checks                       # in quiescence, whether to pick quiet checks
    Move tt_move
    Move* moves
    int64_t* keys

cdef struct RootMove:
    Move move
    Score score
    Score previous
    int bound
    int seldepth
    int pv_length
    uint64_t nodes
    Move pv[MAX_PLY]

cdef struct Limits:
    int depth                         # 0: none
    int mate                          # full moves, 0: none
    int multipv
    uint64_t nodes                    # 0: none
    bint goes_on                      # the table holds an earlier search of this position

cdef struct Shared:                   # shared by the threads of one search; relaxed access
    int stop
    int pondering                     # while pondering, time limits do not apply
    int paused                        # threads are suspended until this is cleared or they must stop
    uint64_t began_ns                 # start of the search, perhaps in the opponent's time; for reports
    uint64_t start_ns                 # start of the clock of this move; for limits
    uint64_t soft_ns                  # no new iteration after this; 0: none
    uint64_t hard_ns                  # stop after this; 0: none
    uint64_t nodes                    # nodes of all threads; each adds its own from time to time

cdef class Worker:                    # one thread; owns board, evaluator, history, arena; shares objective and table
    cdef Board board
    cdef Evaluator evaluator
    cdef Objective objective
    cdef Table table
    cdef Oracle oracle                # shared
    cdef int oracle_pieces            # the oracle is probed in positions with at most this many pieces; 0: never
    cdef uint64_t oracle_hits
    cdef History history
    cdef Shared* shared
    cdef Limits limits
    cdef int index                    # 0 is the main thread, the only one that looks at the clock
    cdef int max_moves
    cdef bint whole_pv                # skip no move of a PV node, which improves short searches
    cdef int stopped                  # set once this worker has seen the stop flag
    cdef int null_ply                 # no null move before this ply during a verification search
    cdef uint64_t nodes               # nodes of this thread
    cdef uint64_t added_nodes         # nodes of this thread already added to shared.nodes
    cdef uint64_t next_check          # node count at which limits are checked again
    cdef int seldepth
    cdef int completed                # depth of the last whole iteration
    cdef int multipv_index
    cdef int n_root_moves
    cdef int best_move_changes        # changes of the best move in this iteration
    cdef bint all_probed            # whether the oracle knew every position of this iteration
    cdef double soft_scale            # from the listener's rescale
    cdef RootMove* root_moves
    cdef Move* moves                  # MAX_PLY lists
    cdef int64_t* keys                # keys of the move picker, parallel to moves
    cdef int* marks                   # marks of one list, while its keys are computed
    cdef int* threats                 # likewise
    cdef int* pv_length
    cdef Move* pv                     # triangular table, MAX_PLY a row
    cdef Frame* frames                # FRAMES_BELOW_ROOT of them lie under the root
    cdef int16_t* no_continuation     # row 0

    cdef int prepare(self, list root_moves) except -1
    cdef void prepare_all(self) noexcept nogil
    cdef void run(self) noexcept nogil
    cdef void on_iteration(self, bint final) noexcept nogil          # virtual; the pool's subclass reports
    cdef void on_bound(self) noexcept nogil                          # an aspiration window has failed
    cdef void on_root_move(self, Move move, int number) noexcept nogil


cdef inline Frame* frame(Worker w, int ply) noexcept nogil:
    return &w.frames[ply + FRAMES_BELOW_ROOT]


cdef inline void add_nodes(Worker w) noexcept nogil:
    """Add the nodes searched since the last call to the common count."""
    add_count(&w.shared.nodes, w.nodes - w.added_nodes)
    w.added_nodes = w.nodes


cdef inline Move* pv_row(Worker w, int ply) noexcept nogil:
    return &w.pv[ply * MAX_PLY]
