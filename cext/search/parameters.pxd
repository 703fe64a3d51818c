# The numbers of the search, and switches for its techniques.
#
# Margins in centipawns, depths in plies. Numbers that games can tune are variables, so that a tuner may change them
# (tools/tune); numbers that shape the search are constants.

cdef struct Techniques:               # each can be switched off to measure its value (docs/search.md)
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
    bint late_move_reduction
    bint reduction_was_pv
    bint reduction_cut_offs
    bint hindsight
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
    bint threat_history
    bint non_pawn_correction
    bint alpha_reduction
    bint quiescence_count
    bint eval_history
    bint research_history
    bint surprise_bonus
    bint late_move_floor
    bint was_pv_futility
    bint check_order
    bint all_node_reduction

cdef Techniques USE

cdef enum:
    ASPIRATION_DEPTH = 5
    ASPIRATION_LIMIT = 500            # a delta beyond this opens the window fully
    ASPIRATION_REDUCTIONS = 2         # most plies by which the depth is reduced after failing high
    TT_CUT_CLOCK = 10                 # no table cut-offs within this many plies of the 50-move limit
    RAZOR_DEPTH = 3
    REVERSE_FUTILITY_DEPTH = 11
    NULL_DEPTH = 3
    NULL_GAIN_MAX = 3
    NULL_VERIFY_DEPTH = 14
    PROBCUT_DEPTH = 5
    PROBCUT_REDUCTION = 4
    IIR_DEPTH = 4                     # internal iterative reduction
    LATE_MOVE_DEPTH = 8
    FUTILITY_DEPTH = 8
    SEE_DEPTH = 9
    ALPHA_REDUCTION_DEPTH = 12        # below this depth, moves after one that raises alpha are searched a ply less
    EVAL_BONUS_MAX = 1600
    MALUS_UNIT = 128                  # history_malus is divided by this
    CORRECTION_UNIT = 128             # correction_* and reverse_futility_correction are divided by this
    QUIESCENCE_MOVES = 2              # number of captures tried, besides checks and recaptures
    EXTENSION_PLY_FACTOR = 2          # extensions are limited to twice the depth of the iteration
    SINGULAR_TT_DEPTH = 3             # plies by which the entry may be shallower than the node
    DOUBLE_EXTENSION_MAX = 6          # most double extensions on one path
    CHECK_EXTENSION_DEPTH = 8
    LMR_SIZE = 64
    LMR_PLY = 1024                    # reductions are summed in 1024ths of a ply
    LMR_CUT_OFFS_MANY = 3
    HINDSIGHT_DEEPER = 3              # least reduction of the parent after which correct_depth adds a ply
    HINDSIGHT_SHALLOWER = 2           # the same for removing a ply
    PRIOR_MOVE_DIVISOR = 4            # divides the bonus of the move before a node that fails low
    PRIOR_MOVE_LATE = 8               # the prior move was unexpected if it came after this many moves
    PRIOR_MOVE_DEPTH = 5
    QUIET_BONUS_DEPTH = 3             # up to this depth a cut-off by the first quiet move earns no bonus
    NO_SEE_MARGIN = -30000            # every exchange gains at least this much

cdef struct Numbers:                  # tuned by games (docs/search.md); centipawns, or what the line says
    int aspiration_delta
    int razor_margin
    int razor_depth_margin            # per ply of depth
    int reverse_futility_margin       # per ply of depth
    int reverse_futility_correction   # 1/128 of the correction of the static score
    int null_reduction                # plies
    int null_depth_divisor            # depth is divided by this to get further plies of reduction
    int null_gain_cp                  # each of these by which the estimate exceeds beta adds a ply
    int probcut_margin
    int late_move_base                # moves
    int futility_margin
    int futility_depth_margin         # per ply of reduced depth
    int see_quiet_margin              # per ply of reduced depth
    int see_noisy_margin              # per ply of depth
    int singular_margin               # 1/16 centipawn per ply of depth
    int double_extension_margin
    int double_extension_pv           # added to the margin in PV nodes
    int lmr_base                      # in 1/1024 of a ply, like all lmr_* numbers
    int lmr_factor                    # for ln(depth) * ln(number)
    int lmr_cut_node
    int lmr_cut_no_move               # added in cut nodes without a table move
    int lmr_correction                # for each centipawn that the static score was corrected by
    int lmr_not_improving
    int lmr_pv
    int lmr_was_pv
    int lmr_check
    int lmr_refutation                # killers and the counter move
    int lmr_noisy_table_move
    int lmr_noisy
    int lmr_cut_offs                  # added if more than LMR_CUT_OFFS_MANY nodes of the next ply have cut off
    int lmr_history_ply               # this much history equals one ply
    int hindsight_margin
    int research_deeper_margin
    int research_shallower_margin
    int history_bonus_max
    int history_bonus_factor          # per ply of depth
    int eval_history_factor           # history for a centipawn, in 1/16
    int correction_pawns              # 1/128 of a correction is added to the static score
    int correction_non_pawn
    int correction_moves
    int correction_rate               # at most this many 256ths of an error are learnt at once
    int lmr_depth                     # depth, in plies, from which moves are reduced
    int singular_depth                # plies
    int history_malus                 # 1/128 of the bonus, for quiet moves tried before the one that cut off
    int surprise_margin               # centipawns above beta from which the bonus is as for a deeper search
    int order_butterfly               # 1/16 of a history counts in the order of quiet moves
    int order_pawns
    int order_after_one
    int order_after_two
    int order_after_four
    int order_after_six
    int order_check                   # history added to a quiet check that loses little
    int order_check_see               # centipawns that such a check may lose
    int order_threat                  # history added to a minor piece that leaves an attack by a pawn
    int order_noisy_check             # added to a noisy check, in centipawns of the victim
    int capture_history_share         # 64ths of the history, added to the victim's value in 16ths of a centipawn
    int late_move_blunder             # centipawns below the static score at which the best move is a blunder
    int delta_margin                  # margin of delta pruning in quiescence

cdef struct Setting:                  # everything that determines a search besides position and limits
    Techniques use
    Numbers tuned
    int lmr[LMR_SIZE][LMR_SIZE]
    int late_move_count[2][16]

cdef Numbers TUNED
cdef int LMR[LMR_SIZE][LMR_SIZE]      # [depth][move number], in parts of a ply; follows from TUNED
cdef int LATE_MOVE_COUNT[2][16]       # [improving][depth]: quiet moves beyond this number are skipped; likewise

cdef void fill_tables() noexcept nogil                # computes the tables from TUNED
cdef void keep_setting(Setting* setting) noexcept nogil         # copies the current setting
cdef void take_setting(const Setting* setting) noexcept nogil   # installs a setting; no search may run


cdef inline int history_bonus(int depth) noexcept nogil:
    return min(16 * depth * depth + TUNED.history_bonus_factor * depth - 64, TUNED.history_bonus_max)
