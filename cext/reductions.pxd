# Numbers the search is tuned by, and switches for its techniques. Layer 4.
#
# Margins in centipawns, depths in plies. Where a number was found by games or nodes, docs/search.md says so.

from .types cimport uint8_t

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
    bint singular_extension
    bint check_extension
    bint mate_distance
    bint killers
    bint counter_move
    bint butterfly_history
    bint continuation_history
    bint capture_history
    bint correction_history
    bint quiescence_see
    bint quiescence_checks
    bint delta_pruning

cdef Techniques USE

cdef enum:
    # Aspiration windows
    ASPIRATION_DEPTH = 5
    ASPIRATION_DELTA = 14
    # Razoring, reverse futility (static null move)
    RAZOR_DEPTH = 3
    RAZOR_MARGIN = 260
    RAZOR_SLOPE = 170
    REVERSE_DEPTH = 8
    REVERSE_MARGIN = 78
    # Null move
    NULL_DEPTH = 3
    NULL_REDUCTION = 4
    NULL_DEPTH_SHARE = 4
    NULL_GAIN_CP = 190
    NULL_GAIN_MOST = 3
    NULL_VERIFY_DEPTH = 14
    # ProbCut
    PROBCUT_DEPTH = 5
    PROBCUT_MARGIN = 170
    PROBCUT_REDUCTION = 4
    # Internal iterative reduction
    ITERATIVE_DEPTH = 4
    # Pruning of single moves
    LATE_DEPTH = 8
    FUTILITY_DEPTH = 8
    FUTILITY_BASE = 90
    FUTILITY_SLOPE = 90
    SEE_DEPTH = 9
    SEE_QUIET = 55
    SEE_NOISY = 95
    HISTORY_DEPTH = 4
    HISTORY_FLOOR = 3600
    # Singular extension
    SINGULAR_DEPTH = 7
    SINGULAR_MARGIN = 2
    DOUBLE_MARGIN = 22
    # Late-move reduction
    LMR_DEPTH = 3
    LMR_HISTORY = 8500
    # Quiescence
    DELTA_MARGIN = 170

cdef uint8_t LMR[64][64]              # [depth][move number]
cdef int LATE_COUNT[2][16]            # [improving][depth]: quiet moves beyond this number are skipped


cdef inline int history_bonus(int depth) noexcept nogil:
    cdef int bonus = 16 * depth * depth + 128 * depth - 64
    return bonus if bonus < 1800 else 1800
