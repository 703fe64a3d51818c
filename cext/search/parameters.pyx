"""The tuned numbers, and tables computed from them.

CPW: Late Move Reductions, Futility Pruning (move count based).
"""

from libc.math cimport log
from libc.string cimport memcpy

TUNED = Numbers(
    aspiration_delta=12,
    razor_margin=227,
    razor_depth_margin=182,
    reverse_futility_margin=55,
    reverse_futility_correction=128,
    null_reduction=5,
    null_depth_divisor=3,
    null_gain_cp=193,
    probcut_margin=186,
    late_move_base=7,
    futility_margin=89,
    futility_depth_margin=80,
    see_quiet_margin=62,
    see_noisy_margin=102,
    singular_margin=33,
    double_extension_margin=21,
    double_extension_pv=99,
    lmr_base=995,
    lmr_factor=491,
    lmr_cut_node=1975,
    lmr_cut_no_move=900,
    lmr_correction=12,
    lmr_not_improving=1120,
    lmr_pv=901,
    lmr_was_pv=947,
    lmr_check=992,
    lmr_refutation=1006,
    lmr_noisy_table_move=1050,
    lmr_noisy=985,
    lmr_cut_offs=1129,
    lmr_history_ply=8169,
    hindsight_margin=169,
    research_deeper_margin=48,
    research_shallower_margin=10,
    history_bonus_max=1879,
    history_bonus_factor=143,
    eval_history_factor=91,
    correction_pawns=129,
    correction_non_pawn=67,
    correction_moves=140,
    correction_rate=15,
    lmr_depth=2,
    singular_depth=6,
    history_malus=134,
    surprise_margin=78,
    order_butterfly=14,
    order_pawns=20,
    order_after_one=18,
    order_after_two=16,
    order_after_four=8,
    order_after_six=6,
    order_check=10683,
    order_check_see=76,
    order_threat=3500,
    order_noisy_check=62,
    capture_history_share=16,
    late_move_blunder=147,
    delta_margin=137,
)


cdef void fill_tables() noexcept nogil:
    cdef int depth, number
    for depth in range(1, LMR_SIZE):
        for number in range(1, LMR_SIZE):
            LMR[depth][number] = <int> (TUNED.lmr_base + TUNED.lmr_factor * log(depth) * log(number))
    for depth in range(16):
        LATE_MOVE_COUNT[0][depth] = (TUNED.late_move_base + depth * depth) // 2
        LATE_MOVE_COUNT[1][depth] = TUNED.late_move_base + depth * depth


cdef void use_all() noexcept nogil:
    cdef bint* switches = <bint*> &USE
    cdef size_t i
    for i in range(sizeof(Techniques) // sizeof(bint)):
        switches[i] = True


cdef void keep_setting(Setting* setting) noexcept nogil:
    setting.use = USE
    setting.tuned = TUNED
    memcpy(setting.lmr, LMR, sizeof(LMR))
    memcpy(setting.late_move_count, LATE_MOVE_COUNT, sizeof(LATE_MOVE_COUNT))


cdef void take_setting(const Setting* setting) noexcept nogil:
    global USE, TUNED
    USE = setting.use
    TUNED = setting.tuned
    memcpy(LMR, setting.lmr, sizeof(LMR))
    memcpy(LATE_MOVE_COUNT, setting.late_move_count, sizeof(LATE_MOVE_COUNT))


fill_tables()
use_all()
