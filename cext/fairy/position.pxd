# A position of any compiled game as a plain struct, and making moves on it.
#
# Squares count rank by rank from a1: rank * files + file. A piece is colour * 16 + type.

from .rules cimport FairyRules
from .squares cimport WORDS
from .steps cimport TYPES
from ..base.types cimport Move, int16_t, uint8_t, uint32_t, uint64_t

cdef struct FairyPosition:
    uint64_t occupied[2][WORDS]
    uint64_t royals[2][WORDS]
    uint64_t virgin[WORDS]            # pieces that have not moved and lose rights by moving
    uint64_t key
    uint64_t pawn_key
    uint64_t material_key             # the sum of one number for each piece
    int16_t clock
    int16_t pieces[2]
    int16_t count_limit               # plies after which a counted game is drawn, 0 while nothing is counted
    int16_t count_ply
    uint8_t n_royals[2]
    uint8_t count[2][TYPES]
    uint8_t hand[2]                   # bit i: gate_type[side][i] is still in hand
    uint8_t checks_left[2]            # checks that a side still needs to win
    uint8_t stm
    uint8_t n_ep
    uint8_t ep[2]                     # squares on which the pawn on ep_pawn may be taken, if that is legal
    uint8_t ep_pawn
    uint8_t passes                    # the last moves, up to 2, that were passes; kept only in games with passes
    uint8_t mailbox[256]              # only the squares of the board are copied
    uint8_t held[2][TYPES]            # last member, copied in games with hands: pieces that wait to be dropped

# Sets `after` to the position after a legal move; e.p. squares are set even if no pawn can use them.
cdef void make_move(FairyRules rules, const FairyPosition* before, FairyPosition* after, Move move) noexcept nogil
# Removes the pieces that a capture on this square blows up.
cdef void explode(FairyRules rules, FairyPosition* p, int centre) noexcept nogil
# Adds pieces of a type to the hand of a side, or removes them.
cdef void change_hand(FairyPosition* p, int us, int type, int change) noexcept nogil
cdef void make_null_move(FairyRules rules, const FairyPosition* before, FairyPosition* after) noexcept nogil
cdef void copy_position(FairyRules rules, const FairyPosition* source, FairyPosition* target) noexcept nogil
# Computes counts, royals, occupied squares and keys from the mailbox, virgin, hand, e.p. and side to move.
cdef void refresh(FairyRules rules, FairyPosition* p) noexcept nogil
# Counts a check given by `us`.
cdef void count_check(FairyPosition* p, int us) noexcept nogil
# Number of pieces of a side whose types are in the set; bit 0 alone means all pieces.
cdef int count_kinds(const FairyPosition* p, int us, uint32_t kinds) noexcept nogil
cdef void clear_ep(FairyPosition* p) noexcept nogil
# Removes virgins that lost their rights through another piece, such as a king with no rook left to castle with.
cdef void settle_virgins(FairyRules rules, FairyPosition* p) noexcept nogil
cdef uint64_t piece_key(int piece, int sq) noexcept nogil
# The types.Ending, for the side to move, by a rule of the game other than mate. The board decides whether this side may
# still reach its goal or bare the other side.
cdef int rule_ending(FairyRules rules, const FairyPosition* p) noexcept nogil
cdef int ending_of_force(FairyRules rules, const FairyPosition* p) noexcept nogil
# White's half points minus Black's, with Black's compensation.
cdef int points_lead(FairyRules rules, const FairyPosition* p) noexcept nogil

# The ending of a game that would otherwise end like this without a winner: by points, in a game that counts them.
cdef int by_points(FairyRules rules, const FairyPosition* p, int ending) noexcept nogil

# The ending if the side to move has no legal move and no rule has ended the game before.
cdef int ending_without_moves(FairyRules rules, const FairyPosition* p, bint in_check) noexcept nogil
# True if a royal of the side to move and one of the other side stand on a file with nothing between them.
cdef bint royals_face(FairyRules rules, const FairyPosition* p) noexcept nogil
# The square that names a pass: that of the side's first royal, else of its first piece.
cdef Move passing_move(FairyRules rules, const FairyPosition* p) noexcept nogil
# The key without the passes that led to the position, for finding repetitions.
cdef uint64_t key_without_passes(const FairyPosition* p) noexcept nogil


# Return the number of a side's pieces apart from royals, with those in hand that may enter.
cdef inline int force_beside(const FairyPosition* p, int us) noexcept nogil:
    return p.pieces[us] - p.n_royals[us] + (p.hand[us] & 1) + (p.hand[us] >> 1)
