# Names of the evaluation's numbers (chess_weights.pyx), and how a trace records them.
#
# Every linear term goes through `term`. The same source is compiled twice: without a trace it gives the score, with a
# trace also how often each number was used.

from ..base.types cimport int16_t, int32_t, uint32_t

cdef enum:
    W_MATERIAL = 0
    W_PSQT = W_MATERIAL + 5
    W_KNIGHT_MOBILITY = W_PSQT + 192
    W_BISHOP_MOBILITY = W_KNIGHT_MOBILITY + 9
    W_ROOK_MOBILITY = W_BISHOP_MOBILITY + 14
    W_QUEEN_MOBILITY = W_ROOK_MOBILITY + 15
    W_DOUBLED = W_QUEEN_MOBILITY + 28
    W_ISOLATED = W_DOUBLED + 1
    W_BACKWARD = W_ISOLATED + 2
    W_PHALANX = W_BACKWARD + 2
    W_SUPPORTED = W_PHALANX + 6
    W_CANDIDATE = W_SUPPORTED + 5
    W_PASSED = W_CANDIDATE + 5
    W_PASSED_FREE = W_PASSED + 6
    W_PASSED_SAFE = W_PASSED_FREE + 6
    W_PASSED_ESCORT = W_PASSED_SAFE + 6
    W_PASSED_OUR_KING = W_PASSED_ESCORT + 6
    W_PASSED_THEIR_KING = W_PASSED_OUR_KING + 6
    W_ROOK_BEHIND = W_PASSED_THEIR_KING + 6
    W_SHELTER = W_ROOK_BEHIND + 2
    W_STORM = W_SHELTER + 28
    W_STORM_BLOCKED = W_STORM + 7
    W_PAWN_THREAT = W_STORM_BLOCKED + 7
    W_PUSH_THREAT = W_PAWN_THREAT + 4
    W_MINOR_THREAT = W_PUSH_THREAT + 1
    W_ROOK_THREAT = W_MINOR_THREAT + 5
    W_KING_THREAT = W_ROOK_THREAT + 5
    W_HANGING = W_KING_THREAT + 1
    W_RESTRICTED = W_HANGING + 1
    W_BISHOP_PAIR = W_RESTRICTED + 1
    W_BAD_BISHOP = W_BISHOP_PAIR + 1
    W_OUTPOST = W_BAD_BISHOP + 1
    W_BEHIND_PAWN = W_OUTPOST + 2
    W_FAR_FROM_KING = W_BEHIND_PAWN + 1
    W_ROOK_OPEN = W_FAR_FROM_KING + 2
    W_CASTLING = W_ROOK_OPEN + 2
    W_SPACE = W_CASTLING + 1
    W_TEMPO = W_SPACE + 1
    WEIGHTS = W_TEMPO + 1

# Attack on a king (CPW: King Safety, attack units): summed up, then squared.
cdef enum:
    D_ATTACKER = 0
    D_RING = D_ATTACKER + 4
    D_WEAK = D_RING + 1
    D_CHECK = D_WEAK + 1
    D_UNSAFE_CHECK = D_CHECK + 4
    D_NO_QUEEN = D_UNSAFE_CHECK + 1
    D_BASE = D_NO_QUEEN + 1
    D_FLANK = D_BASE + 1
    D_PAWN_GUARD = D_FLANK + 1
    D_MINOR_GUARD = D_PAWN_GUARD + 1
    DANGERS = D_MINOR_GUARD + 1

cdef int WEIGHT[WEIGHTS]              # packed pairs
cdef int DANGER[DANGERS]              # units of attack on a king

# The penalty for an attack is the squared units in the middlegame and the units in the endgame, each shifted to the
# right by these numbers of bits.
cdef enum:
    DANGER_LIMIT = 2400
    DANGER_SHIFT_MG = 12
    DANGER_SHIFT_EG = 4

# CPW: Game Phases. All pieces on the board make 24.
cdef enum:
    PHASE_MINOR = 1
    PHASE_ROOK = 2
    PHASE_QUEEN = 4
    PHASE_FULL = 24

# Share of the endgame score that remains, in 64ths (CPW: Draw Evaluation; our guesses).
cdef enum:
    SCALE_FULL = 64
    SCALE_NO_PAWNS = 8                # ahead by at most a minor piece, without pawns
    SCALE_WRONG_BISHOP = 2            # CPW: Wrong Color Bishop
    SCALE_BISHOPS = 20                # CPW: Bishops of Opposite Colors, no other pieces; more for each passed pawn
    SCALE_BISHOPS_PASSED = 6
    SCALE_BISHOPS_AND_MORE = 48
    SCALE_NETWORK_BISHOPS = 32        # a network scores such endings too high (docs/lab/scores.md)
    SCALE_PAWN_BASE = 44              # other endings with few pawns
    SCALE_PAWN = 6

# Driving a bare king (CPW: Mop-up Evaluation; our guesses), in centipawns.
cdef enum:
    MOP_UP_WIN = 300
    MOP_UP_EDGE = 12                   # per step from the centre, files and ranks added
    MOP_UP_CORNER = 24                 # bishop and knight: per diagonal towards the right corner
    MOP_UP_NEAR = 10                   # per king move between the kings

# A lead in material, placement and pawns that the other terms cannot undo (CPW: Lazy Evaluation), in centipawns.
cdef enum:
    LAZY_CP = 1100

# Confinement, a score for positions with dead material, in centipawns; our guesses.
cdef enum:
    CONFINED_SQUARE = 6               # per square that the king cannot go to, of eight
    CONFINED_EDGE = 5                 # per step of the king from the centre
    CONFINED_PIECE = 2                # subtracted for each square that its other pieces attack
    CONFINED_NEAR = 3                 # for the freer side: per king move by which the kings are closer than seven
    CONFINED_LIMIT = 200

# Goal codes that minor pieces reach against a bare king: in 93 % of all positions with a bishop, 87 % with a knight,
# 88 % with two knights.
cdef enum:
    FORECAST_BISHOP = 3               # G1.5
    FORECAST_KNIGHT = 7               # G3.5
    FORECAST_PAWN = 1
    FORECAST_KNIGHTS = 1              # stalemate

cdef struct Trace:                    # counts how often a position uses each number
    int16_t count[512]                # by weight, White's count minus Black's; WEIGHTS entries
    int16_t danger[2][16]             # by colour of the attacked king; DANGERS entries
    int phase                         # 0..PHASE_FULL
    int scale                         # 0..SCALE_FULL

cdef struct Untraced:                 # records nothing
    int nothing

ctypedef fused Tracing:               # the evaluation is compiled once for each type
    Trace
    Untraced


cdef inline int term(Tracing* t, int us, int index, int n) noexcept nogil:
    """`n` times the weight `index`, recorded for `us`."""
    if Tracing is Trace:
        t.count[index] += <int16_t> (n if us == 0 else -n)
    return WEIGHT[index] * n


cdef inline int danger(Tracing* t, int us, int index, int n) noexcept nogil:
    """`n` times the units of attack `index`, recorded for the king of `us`."""
    if Tracing is Trace:
        t.danger[us][index] += <int16_t> n
    return DANGER[index] * n


cdef inline int mg_of(int packed) noexcept nogil:
    return <int16_t> <uint32_t> packed


cdef inline int eg_of(int packed) noexcept nogil:
    return <int16_t> ((<uint32_t> packed + 0x8000) >> 16)


cdef inline int pack(int mg, int eg) noexcept nogil:
    return <int32_t> (<uint32_t> eg << 16) + mg
