# The basic types of the core: moves, scores, endings, limits. Header only.
#
# Python has the same constants in constants.py; tests/ctest/ctest_constants.pyx compares the two.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint32_t Move                # see the inline functions below; 0 is no move
ctypedef int32_t Score                # side to move's view; 16.16 fixed point, the whole part in centipawns

cdef enum:
    WHITE = 0
    BLACK = 1

cdef enum:                            # piece types; a piece is colour * 8 + type + 1, and 0 an empty square
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5

cdef enum:
    NO_SQUARE = 255
    CLOCK_LIMIT = 100                 # 50-move rule: limit of plies without capture or pawn move
    CLOCK_MAX = 30000                 # limit of the count of such plies
    NO_CLOCK_LIMIT = 32000            # out of reach
    SET_UP_CLOCK_MAX = 9999           # limit of the counters in a FEN
    SET_UP_FULLMOVE_MAX = 30000

cdef enum MoveKind:                   # three bits of a move
    NORMAL = 0                        # quiet or capture
    DOUBLE_STEP = 1
    EN_PASSANT = 2                    # via is the square of the pawn taken
    CASTLING = 3                      # to is the king's new square, via the rook's old one
    PROMOTION = 4                     # promotion field holds the piece type
    DROP = 5                          # fairy: a piece in hand enters on `from`, also `to`; promotion: its type;
    #                                   0 if the side to move passes, whose royal stands on the square
    GATING = 6                        # fairy
    CASTLE_GATING = 7                 # fairy

cdef enum:                            # the fields of a move, from the lowest bit: from, to, via, promotion, kind
    TO_SHIFT = 8
    VIA_SHIFT = 16
    PROMOTION_SHIFT = 24
    KIND_SHIFT = 29
    SQUARE_MASK = 255                 # mask of from, to and via
    PROMOTION_MASK = 31
    GATE_AT_PARTNER = 16              # bit of CASTLE_GATING's promotion field: gate on the rook's square

cdef enum Stage:                      # which legal moves `Board.generate` lists
    ALL_MOVES = 0
    NOISY = 1                         # captures and promotions
    QUIET = 2                         # the rest
    QUIET_CHECKS = 3                  # quiet checks; a board may omit rare ones (castling)

cdef enum Ending:
    ONGOING = 0
    CHECKMATE = 1
    STALEMATE = 2
    REPETITION = 3
    FIFTY_MOVES = 4
    INSUFFICIENT_MATERIAL = 5         # neither side can mate, and the rules in force end the game
    RULE_WIN = 6                      # won by the side to move, by a rule of this game
    RULE_LOSS = 7
    RULE_DRAW = 8                     # drawn by a rule of this game

cdef enum Bound:                      # how a score from the table bounds the true score
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

cdef enum:
    CP = 65536                        # one centipawn (1 << 16)
    CODES = 512                       # number of distinct goal codes; higher codes (huge boards) share the last one
    # The part of an outcome below a centipawn, for goal code k reached d plies from the root:
    # FINE_TOP - FINE_STEP * min(k, FINE_LAST) - min(d, FAR)
    FINE_TOP = 32000
    FINE_STEP = 64
    FINE_LAST = 499                   # codes from this one on share one value
    NO_GOAL = 32000                   # higher than any goal code
    EVERY_MOVE = 1 << 29              # the limit for counting all moves
    UNKNOWN = -1                      # a record that has not been computed yet
    WEAK = -2                         # the same, but the record is known to be too weak to count in the keys of entries
    MAX_PLY = 246                     # deepest ply of a search path
    # A side has at most 15 queens with 27 moves each, and a king with 8 moves and two castlings.
    CHESS_MAX_MOVES = 432

cdef enum:                            # scores in centipawns; the bands are laid out in docs/architecture.md
    EVAL_LIMIT_CP = 12000
    DECIDED_CP = 12300                # a score of at least this size is an outcome, not an estimate
    SURE_CP = 15104                   # a score of at least this size is a certain mate
    BAND_CP = 15000                   # Decisive: goal code k is worth BAND_CP - k
    MATE_CP = 16000
    INFINITE_CP = 16300
    NONE_CP = 16383

cdef enum:
    SCORE_DECIDED = DECIDED_CP * CP
    SCORE_SURE = SURE_CP * CP
    SCORE_MATE = MATE_CP * CP
    SCORE_INFINITE = INFINITE_CP * CP
    SCORE_NONE = NONE_CP * CP


cdef inline Move pack_move(int from_sq, int to_sq, int via, int promotion, int kind) noexcept nogil:
    return (<Move> from_sq | <Move> to_sq << TO_SHIFT | <Move> via << VIA_SHIFT | <Move> promotion << PROMOTION_SHIFT
            | <Move> kind << KIND_SHIFT)


cdef inline int move_from(Move move) noexcept nogil:
    return <int> (move & SQUARE_MASK)


cdef inline int move_to(Move move) noexcept nogil:
    return <int> (move >> TO_SHIFT & SQUARE_MASK)


cdef inline int move_via(Move move) noexcept nogil:
    return <int> (move >> VIA_SHIFT & SQUARE_MASK)


cdef inline int move_promotion(Move move) noexcept nogil:
    return <int> (move >> PROMOTION_SHIFT & PROMOTION_MASK)


cdef inline int move_kind(Move move) noexcept nogil:
    return <int> (move >> KIND_SHIFT)


# Whether the side to move passes.
cdef inline bint passes_turn(Move move) noexcept nogil:
    return move >> PROMOTION_SHIFT == <Move> DROP << (KIND_SHIFT - PROMOTION_SHIFT)


cdef inline int colour_of(int piece) noexcept nogil:
    return piece >> 3


cdef inline int piece_type_of(int piece) noexcept nogil:
    return (piece & 7) - 1


cdef inline int piece_of(int colour, int type) noexcept nogil:
    return colour * 8 + type + 1
