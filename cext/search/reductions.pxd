# Tuning parameters of the search, and switches for its techniques. Layer 4.
#
# Margins in centipawns, depths in plies.

cdef struct Techniques:               # each can be switched off to measure what it is worth (docs/search.md)
    bint aspiration
    bint table_cuts
    bint iterative_reduction
    bint razoring
    bint reverse_futility
    bint null_move
    bint probcut
    bint late_move_pruning
    bint futility
    bint see_pruning
    bint history_pruning
    bint late_move_reduction
    bint reduction_was_pv
    bint reduction_cut_offs
    bint look_back
    bint adjusted_research
    bint singular_extension
    bint negative_extension
    bint check_extension
    bint mate_distance
    bint killers
    bint counter_move
    bint butterfly_history
    bint continuation_history
    bint pawn_history
    bint capture_history
    bint prior_move_bonus
    bint correction_history
    bint move_correction
    bint quiescence_see
    bint quiescence_checks
    bint delta_pruning

cdef Techniques USE

cdef enum:
    # Aspiration windows
    ASPIRATION_DEPTH = 5
    ASPIRATION_DELTA = 14
    ASPIRATION_LIMIT = 500            # a delta beyond this opens the window
    ASPIRATION_REDUCTIONS = 2         # plies the depth is reduced by at most after failing high
    # Table cut-offs: not within so many plies of the 50-move limit
    TT_CUT_CLOCK = 10
    # Razoring, reverse futility (static null move)
    RAZOR_DEPTH = 3
    RAZOR_MARGIN = 260
    RAZOR_DEPTH_MARGIN = 170          # per ply of depth
    REVERSE_FUTILITY_DEPTH = 8
    REVERSE_FUTILITY_MARGIN = 78      # per ply of depth
    # Null move
    NULL_DEPTH = 3
    NULL_REDUCTION = 4
    NULL_DEPTH_DIVISOR = 4
    NULL_GAIN_CP = 190                # one ply more for each so many centipawns above beta
    NULL_GAIN_MAX = 3
    NULL_VERIFY_DEPTH = 14
    # ProbCut
    PROBCUT_DEPTH = 5
    PROBCUT_MARGIN = 170
    PROBCUT_REDUCTION = 4
    # Internal iterative reduction
    IIR_DEPTH = 4
    # Pruning of single moves; margins and history per ply
    LATE_MOVE_DEPTH = 8
    LATE_MOVE_BASE = 4
    FUTILITY_DEPTH = 8
    FUTILITY_MARGIN = 90
    FUTILITY_DEPTH_MARGIN = 90        # per ply of reduced depth
    SEE_DEPTH = 9
    SEE_QUIET_MARGIN = 55
    SEE_NOISY_MARGIN = 95
    HISTORY_PRUNING_DEPTH = 4
    HISTORY_PRUNING_MARGIN = 3600
    # Extensions: at most up to twice the depth of the iteration
    EXTENSION_PLY_FACTOR = 2
    SINGULAR_DEPTH = 7
    SINGULAR_TT_DEPTH = 3             # the entry may be so much shallower than the node
    SINGULAR_MARGIN = 2               # per ply of depth
    DOUBLE_EXTENSION_MARGIN = 22
    DOUBLE_EXTENSION_MAX = 6          # on one path
    CHECK_EXTENSION_DEPTH = 8
    # Late-move reduction
    LMR_DEPTH = 3
    LMR_SIZE = 64
    LMR_PLY = 1024                    # reductions are summed up in such parts of a ply
    LMR_CUT_NODE = 2048
    LMR_NOT_IMPROVING = 1024
    LMR_PV = 1024
    LMR_WAS_PV = 1024
    LMR_CHECK = 1024
    LMR_REFUTATION = 1024             # killers and the counter move
    LMR_NOISY_TABLE_MOVE = 1024
    LMR_NOISY = 1024
    LMR_CUT_OFFS = 1024               # where more children than that many have cut off
    LMR_CUT_OFFS_MANY = 3
    LMR_HISTORY_PLY = 8500            # of history that makes a ply
    # Other plies than the reduction asked for: see look_back and search_reduced
    LOOK_BACK_DEEPER = 3              # after so many plies of reduction
    LOOK_BACK_SHALLOWER = 2
    LOOK_BACK_MARGIN = 170
    RESEARCH_DEEPER_MARGIN = 45
    RESEARCH_SHALLOWER_MARGIN = 10
    # Histories
    HISTORY_BONUS_MAX = 1800
    PRIOR_MOVE_DIVISOR = 2            # the move before a node that fails low earns so much less
    QUIET_BONUS_DEPTH = 3             # up to here a cut-off by the first quiet move earns no bonus
    # Quiescence
    DELTA_MARGIN = 170
    NO_SEE_MARGIN = -30000            # every exchange gains that much

cdef int LMR[LMR_SIZE][LMR_SIZE]      # [depth][move number], in parts of a ply
cdef int LATE_MOVE_COUNT[2][16]       # [improving][depth]: quiet moves beyond this number are skipped


cdef inline int base_reduction(int depth, int move_count) noexcept nogil:
    """In parts of a ply."""
    return LMR[min(depth, LMR_SIZE - 1)][min(move_count, LMR_SIZE - 1)]


cdef inline int history_bonus(int depth) noexcept nogil:
    return min(16 * depth * depth + 128 * depth - 64, HISTORY_BONUS_MAX)
