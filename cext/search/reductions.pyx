"""The numbers that were tuned, and tables that follow from them.

CPW: Late Move Reductions, Futility Pruning (move count based).
"""

from libc.math cimport log
from libc.string cimport memcpy

TUNED = Numbers(
    aspiration_delta=14,
    razor_margin=227,
    razor_depth_margin=170,
    reverse_futility_margin=63,
    null_reduction=4,
    null_depth_divisor=4,
    null_gain_cp=192,
    probcut_margin=180,
    late_move_base=7,
    futility_margin=90,
    futility_depth_margin=89,
    see_quiet_margin=60,
    see_noisy_margin=98,
    singular_margin=34,
    double_extension_margin=23,
    double_extension_pv=100,
    lmr_base=864,
    lmr_factor=501,
    lmr_cut_node=2117,
    lmr_not_improving=1127,
    lmr_pv=915,
    lmr_was_pv=988,
    lmr_check=983,
    lmr_refutation=1029,
    lmr_noisy_table_move=975,
    lmr_noisy=1015,
    lmr_cut_offs=1122,
    lmr_history_ply=8104,
    look_back_margin=164,
    research_deeper_margin=47,
    research_shallower_margin=10,
    history_bonus_max=1795,
    history_bonus_factor=139,
    eval_history_factor=86,
    correction_pawns=129,
    correction_men=61,
    correction_moves=137,
    correction_rate=15,
    lmr_depth=3,
    singular_depth=7,
    history_malus=118,
    surprise_margin=87,
    order_butterfly=14,
    order_pawns=17,
    order_after_one=17,
    order_after_two=16,
    order_after_four=8,
    order_after_six=6,
    order_check=12000,
    order_check_see=75,
    order_noisy_check=60,
    capture_history_share=16,
    late_move_blunder=150,
    delta_margin=155,
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
