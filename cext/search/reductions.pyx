"""The numbers that were tuned, and tables that follow from them.

CPW: Late Move Reductions, Futility Pruning (move count based).
"""

from libc.math cimport log
from libc.string cimport memcpy

TUNED = Numbers(
    aspiration_delta=14,
    razor_margin=260,
    razor_depth_margin=170,
    reverse_futility_margin=78,
    null_reduction=4,
    null_depth_divisor=4,
    null_gain_cp=190,
    probcut_margin=170,
    late_move_base=4,
    futility_margin=90,
    futility_depth_margin=90,
    see_quiet_margin=55,
    see_noisy_margin=95,
    history_pruning_margin=3600,
    singular_margin=32,
    double_extension_margin=22,
    lmr_base=768,
    lmr_factor=465,
    lmr_cut_node=2048,
    lmr_not_improving=1024,
    lmr_pv=1024,
    lmr_was_pv=1024,
    lmr_check=1024,
    lmr_refutation=1024,
    lmr_noisy_table_move=1024,
    lmr_noisy=1024,
    lmr_cut_offs=1024,
    lmr_history_ply=8500,
    look_back_margin=170,
    research_deeper_margin=45,
    research_shallower_margin=10,
    history_bonus_max=1800,
    history_bonus_factor=128,
    eval_history_factor=100,
    correction_pawns=128,
    correction_men=64,
    correction_moves=128,
    correction_rate=16,
    null_slack=0,
    null_slack_depth=0,
    lmr_depth=3,
    singular_depth=7,
    clock_fading=100000,
    history_malus=128,
    surprise_margin=100,
    order_butterfly=16,
    order_pawns=16,
    order_after_one=16,
    order_after_two=16,
    order_after_four=8,
    capture_history_share=16,
    delta_margin=170,
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
