"""The constants of cext/base/types.pxd for Python, with the same names and values.

A plain module: importing it loads nothing compiled. tests/ctest/ctest_constants.pyx compares it with the core.
"""

# Sides.
WHITE, BLACK = 0, 1

# Piece types; the promotion field of a chess move is one of them. A piece is side * 8 + type + 1; 0: an empty square.
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)

NO_SQUARE = 255
CLOCK_LIMIT = 100  # 50-move rule: plies without capture or pawn move that end the game
CLOCK_MAX = 30000  # largest count of such plies
NO_CLOCK_LIMIT = 32000  # higher than any count: the rule is off
SET_UP_CLOCK_MAX = 9999  # largest counter that a FEN may have
SET_UP_FULLMOVE_MAX = 30000

# Kinds of moves. In games by definition a piece may be gated in; its number is in the promotion field.
NORMAL, DOUBLE_STEP, EN_PASSANT, CASTLING, PROMOTION, DROP, GATING, CASTLE_GATING = range(8)

# The fields of a move, from the lowest bit: from, to, via, promotion, kind.
TO_SHIFT, VIA_SHIFT, PROMOTION_SHIFT, KIND_SHIFT = 8, 16, 24, 29
SQUARE_MASK, PROMOTION_MASK = 255, 31
GATE_AT_PARTNER = 16  # bit of CASTLE_GATING's promotion field: gate on the rook's square

# Stages of move generation.
ALL_MOVES, NOISY, QUIET, QUIET_CHECKS = range(4)

# Endings.
ONGOING, CHECKMATE, STALEMATE, REPETITION, FIFTY_MOVES, INSUFFICIENT_MATERIAL = range(6)
RULE_WIN, RULE_LOSS, RULE_DRAW = range(6, 9)  # by a rule of the game, for the side to move

# How a stored score bounds the true score.
BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT = range(4)

# Scores: 16.16 fixed point, the side to move's view, whole centipawns above (docs/architecture.md has the bands).
CP = 1 << 16
EVAL_LIMIT_CP = 12000
DECIDED_CP = 12300  # a score of at least this size is an outcome, not an estimate
SURE_CP = 15104  # a score of at least this size is a certain mate
BAND_CP = 15000  # Decisive: goal code k is worth BAND_CP - k
MATE_CP = 16000
INFINITE_CP = 16300
NONE_CP = 16383
SCORE_DECIDED = DECIDED_CP * CP
SCORE_SURE = SURE_CP * CP
SCORE_MATE = MATE_CP * CP
SCORE_INFINITE = INFINITE_CP * CP
SCORE_NONE = NONE_CP * CP

# The part of an outcome below a centipawn: FINE_TOP - FINE_STEP * min(goal code, FINE_LAST) - plies to the outcome.
FINE_TOP, FINE_STEP, FINE_LAST = 32000, 64, 499

# Limits.
CODES = 512  # number of distinct goal codes; higher codes share the last one
NO_GOAL = 32000  # higher than any goal code
EVERY_MOVE = 1 << 29  # the limit for counting all moves
UNKNOWN = -1  # a record that has not been computed yet
WEAK = -2  # the same, but the record is known to be too weak to count in the keys of entries
MAX_PLY = 246  # deepest ply of a search path
CHESS_MAX_MOVES = 432
